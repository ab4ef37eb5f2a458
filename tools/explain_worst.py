#!/usr/bin/env python3
"""data/experiments/explained.json: the three worst cells of each scored table, explained
(one of a table whose runs are slow).

usage: explain_worst.py SIBYL [DATABASE [EXPERIMENT]...]

`sibyl score` says which cells are worst and which runs they are of, `sibyl explain --why` why
these runs differ. A cell whose runs are those of the file is not done again, and the file is
written after each cell, so that an interrupted run goes on. With names, only these are looked
at and the others of the file stay. tools/score_doc.py calls this for all tables and writes the
sentences into docs/score.md."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILE = os.path.join(ROOT, 'data/experiments/explained.json')
CELLS = 3
PAIRS = 3
# a run of these takes 5 to 30 s, and a cell some twenty of them for each pair: pairs, cells
SLOW = {'core-v4-numa': (1, CELLS), 'core-v4-mysql': (1, 1)}
LEAST = 0.01  # smaller parts are left out of the file


def sibyl(binary, *args):
    env = dict(os.environ, SIBYL_DATA=os.path.join(ROOT, 'data'))
    return json.loads(subprocess.run([binary, *args, '--format', 'json'], check=True,
                                     stdout=subprocess.PIPE, env=env, text=True).stdout)


def load():
    if not os.path.exists(FILE):
        return []
    with open(FILE) as f:
        return json.load(f)


def save(cells):
    """A line a cell: a change of one is a change of one line."""
    with open(FILE + '.new', 'w') as f:
        f.write('[\n' + ',\n'.join(json.dumps(c) for c in cells) + '\n]\n')
    os.replace(FILE + '.new', FILE)


def rounded(v):
    if isinstance(v, float):
        return float('%.4g' % v)
    if isinstance(v, dict):
        return {k: rounded(x) for k, x in v.items()}
    return [rounded(x) for x in v] if isinstance(v, list) else v


def large(x):
    return x is not None and abs(x) >= LEAST


def answer(d):
    """What is worth keeping of `explain --why`."""
    why = d['why']
    out = {'metric': why['metric'], 'unit': why['unit'], 'value': why['value'],
           'refusal': why['refusal']}
    if why['refusal']:
        return out
    out['of'] = why['of']
    out['reasons'] = [[r['name'], r['share']] for r in why['reasons'] if large(r['share'])]
    out['pairs'] = d['pairs']
    out['counter'] = []
    for c in d['counter_experiments']:
        if not large(c['gone']) and not large(c.get('accounted')):
            continue
        c['with_it'] = [[p['name'], p['share']] for p in c.get('with_it', [])]
        for key in [k for k, v in c.items() if v == []]:
            del c[key]
        out['counter'].append(c)
    for key in 'frozen_at_once', 'undone_at_once':
        if key in d:
            out[key] = d[key]
    return out


def slow(experiment):
    """Pairs of runs of a cell, and cells of the table."""
    return next((v for name, v in SLOW.items() if experiment.startswith(name)), (PAIRS, CELLS))


def order(cells):
    return sorted(cells, key=lambda c: c['experiment'])  # worst first within one


def update(binary, db, tables, some=False):
    """Explain what the file lacks; what is no longer among the worst goes."""
    old = {(c['experiment'], tuple(c['runs'])): c for c in load()}
    names = {t['experiment'] for t in tables}
    new = [c for c in load() if c['experiment'] not in names] if some else []
    todo = []
    for t in tables:
        for c in t['worst_first'][:slow(t['experiment'])[1]]:
            cell = {'experiment': t['experiment'], 'column': c['column'], 'load': c['load'],
                    'runs': c['runs']}
            had = old.get((t['experiment'], tuple(c['runs'])))
            if had:
                cell.update({k: v for k, v in had.items() if k not in cell})
            else:
                todo.append((cell, t['metric']))
            new.append(cell)
    for cell, metric in todo:
        print('%s: %s, %s' % (cell['experiment'], cell['column'], cell['load']), flush=True)
        cell.update(rounded(answer(sibyl(
            binary, 'explain', *cell['runs'], '--metric', metric, '--why', '--pairs',
            str(slow(cell['experiment'])[0]), '--db', db))))
        save(order([c for c in new if 'value' in c]))
    save(order(new))


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    database = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, 'build/score.db')
    update(sys.argv[1], database,
           sibyl(sys.argv[1], 'score', *sys.argv[3:], '--db', database)['tables'],
           some=len(sys.argv) > 3)
