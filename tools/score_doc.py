#!/usr/bin/env python3
"""docs/score.md and data/experiments/scored.csv from `sibyl score`.

usage: score_doc.py SIBYL [DATABASE]   run what the database lacks, explain the worst cells that
                                       data/experiments/explained.json lacks, write both files
       score_doc.py --check            the files say the same, every note has its table, and the
                                       cells that are explained are the worst ones

The text between the figures is data/experiments/notes.md. The CSV is what model bands are made
of, so that a table is printed with the errors of the others."""
import csv
import json
import math
import os
import subprocess
import sys

import explain_worst

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = os.path.join(ROOT, 'docs/score.md')
CELLS = os.path.join(ROOT, 'data/experiments/scored.csv')
NOTES = os.path.join(ROOT, 'data/experiments/notes.md')

HEAD = '''# Predicted against published

How far published tables are predicted, and why not further. Written by `make score-doc` from
`sibyl score` and `data/experiments/notes.md`; nothing is left out, worst cells come first. Only
baseline columns are fitted.

- *signs*: right signs of significant cells. Significant is what its author marked; without marks,
  values that are further apart than the root of the sum of their squared deviations, or 2 % where
  no deviation between runs is printed. *balanced* is the mean of the hit rates on gains and losses.
- *rank*: Spearman's correlation inside the table. *median*, *p90*: of 100 |ln(predicted ratio /
  published ratio)| over all cells. *skill*: 1 - median / that of the null model.
- *null*: nothing ever changes. *constant*: the best constant, chosen with the published values in
  hand. *sign*: always better or always worse. *naive*: cores times the known gain of SMT, at
  min(tasks, CPUs).
- A table on which a constant does as well proves nothing. A prediction is printed with the 90th
  percentile of the errors on the *other* tables as its band, on those of its kind (rates or times)
  once there are three; only what is outside gets a star.
- *Why* has, of the three worst cells (of one, or not yet, where a run takes tens of seconds), what
  `sibyl explain --why` says of the predicted difference:
  its parts by the account of time, then what is gone of it when a mechanism takes no time or an
  option is as in the first column, with 95 % intervals over pairs of runs (`docs/reasons.md`). What
  is within its interval is not listed.
'''


def number(v, form):
    return 'n/a' if v is None else form % v


def percent(v):
    return 'n/a' if v is None else '%.0f %%' % (100 * v)


def change(ln, kind):
    """A change as it would be printed, + is better."""
    if ln is None:
        return 'n/a'
    v = 100 * (math.exp(ln) - 1) if kind == 'rate' else 100 * (1 - math.exp(-ln))
    return '%+.1f %%' % (0 if abs(v) < 0.05 else v)


def models(s):
    out = ['| model | signs | gains | losses | balanced | rank | median | p90 | skill |',
           '|---|---|---|---|---|---|---|---|---|']
    for name, m in [('**sibyl**', s)] + list(s['models'].items()):
        out.append('| %s | %d/%d | %d/%d | %d/%d | %s | %s | %s | %s | %s |' % (
            name, m['gain_hits'] + m['loss_hits'], m['significant'], m['gain_hits'], m['gains'],
            m['loss_hits'], m['losses'], percent(m['balanced_accuracy']),
            number(m['spearman'], '%+.2f'), number(m['median_error'], '%.1f'),
            number(m['p90_error'], '%.1f'), number(m['skill'], '%+.2f')))
    return out


def row(c, kind):
    wrong = c['significant'] and c['predicted_ln'] is not None and \
        (c['published_ln'] > 0) != (c['predicted_ln'] > 0)
    mark = 'wrong sign' if wrong else '' if c['significant'] else 'not significant'
    if c['suspect']:
        mark += ('; ' if mark else '') + 'suspect: ' + c['suspect']
    return '| %s | %s | %s | %s | %s | %s |' % (
        number(c['error'], '%.1f'), change(c['predicted_ln'], kind),
        change(c['published_ln'], kind), c['column'], c['load'], mark)


LEAST = 0.005  # a difference of less, as ln, is not taken to pieces


def why_of(c):
    """One explained cell in a sentence or two."""
    head = '- *%s%s*: ' % (c['column'], ', ' + c['load'] if c['load'] else '')
    if c['refusal']:
        return head + 'in the first pair of runs ' + c['refusal'] + '.'
    a, b = c['value']
    out = '%.4g %s against %.4g. ' % (b, c['unit'], a) + (
        'Of all tasks, awake: ' if c['of'] == 'all tasks, awake' else '')
    parts = sorted(c['reasons'], key=lambda r: -abs(r[1]))[:4]
    out += ', '.join('%s %+.0f %%' % (name, 100 * share) for name, share in parts) + '.'
    if not a or not b or abs(math.log(b / a)) < LEAST:
        return head + out + ' Too little to ask what of it is gone.'
    seen = [e for e in c['counter'] if abs(e['gone']) > max(.02, e['gone_error'] or 0)]
    seen.sort(key=lambda e: -abs(e['gone']))
    if seen:
        out += ' Gone if ' + '; '.join(gone(e) for e in seen[:4]) + '.'
    elif c['counter']:
        out += ' Nothing that was frozen or undone is beyond the noise of %d pair%s.' % (
            c['pairs'], '' if c['pairs'] == 1 else 's')
    for key, what in ('frozen_at_once', 'All mechanisms'), ('undone_at_once', 'All options'):
        t = c.get(key)
        # three noisy pairs say nothing if not even the whole of it is outside of their interval
        if t and t['gone'] is not None and (t['gone_error'] or 0) <= 1:
            out += ' %s at once: %s; one by one %.0f %%.' % (what, measured(t), 100 * t['sum'])
    return head + out


def measured(e):
    return '%.0f %%' % (100 * e['gone']) if e['gone_error'] is None else '%.0f +- %.0f %%' % (
        100 * e['gone'], 100 * e['gone_error'])


def gone(e):
    out = '%s %s' % (e['what'], measured(e))
    if e.get('verdict') == 'apart':
        out += ' (accounted %.0f %%: with it change %s)' % (100 * e['accounted'], ', '.join(
            '%s %+.0f' % (name, 100 * share) for name, share in e.get('with_it', [])[:3]))
    return out


def table(t, note, why):
    out = ['', '## ' + t['experiment'], '', t['table'] + '. %d cells, %d of them significant; ' % (
        t['cells'], t['significant']) + 'first column off by %s.' % number(
            t['calibration_residual'], '%.1f')]
    if t['proves'] == 'nothing':
        out.append('**A constant does as well: this table proves nothing.**')
    elif t['proves'] != 'sign and size':
        out.append('Better than a constant in %s only.' % t['proves'])
    out += [''] + models(t) + ['']
    if note:
        out += [note, '']
    out += ['| error | predicted | published | column | load | |', '|---|---|---|---|---|---|']
    out += [row(c, t['kind']) for c in t['worst_first']]
    if why:
        out += ['', 'Why:', ''] + [why_of(c) for c in why]
    if t['without_a_place']:
        out += ['', 'Printed, but without a place in the experiment: ' + '; '.join(
            '%s, %s' % (c['column'], c['load']) for c in t['without_a_place']) + '.']
    return out


def total(t):
    out = ['', '## All %d tables' % t['tables'], '', '%d cells, %d of them significant.' % (
        t['cells'], t['significant']), ''] + models(t) + ['']
    scale = {'sign': 100, 'balanced_accuracy': 100}
    for name, (lo, hi) in t['interval'].items():
        k = scale.get(name, 1)
        value = t[name]
        if value is not None and lo is not None:
            out.append('- %s: %.3g, 95 %% interval by drawing tables anew %.3g to %.3g' % (
                name.replace('_', ' '), k * value, k * lo, k * hi))
    if t['tables'] < 6:
        out += ['', 'With %d tables such an interval is a lower bound of what is not known.' %
                t['tables']]
    return out


def notes():
    out, name = {}, None
    with open(NOTES) as f:
        for line in f:
            if line.startswith('## '):
                name = line[3:].strip()
                out[name] = ''
            elif name:
                out[name] += line
    return {k: v.strip() for k, v in out.items()}


def sibyl(binary, form, db):
    env = dict(os.environ, SIBYL_DATA=os.path.join(ROOT, 'data'))
    return subprocess.run([binary, 'score', '--db', db, '--format', form], check=True,
                          stdout=subprocess.PIPE, env=env, text=True).stdout


def write(binary, db):
    d = json.loads(sibyl(binary, 'json', db))
    note = notes()
    explain_worst.update(binary, db, d['tables'])
    why = explain_worst.load()
    out = [HEAD.rstrip('\n')] + total(d['total'])
    for t in d['tables']:
        out += table(t, note.get(t['experiment']),
                     [c for c in why if c['experiment'] == t['experiment']])
    with open(DOC, 'w') as f:
        f.write('\n'.join(out) + '\n')
    cells = sibyl(binary, 'csv', db)
    with open(CELLS, 'w') as f:
        f.write(cells)


def error(c):
    """Of a row of the CSV; what has none is best."""
    if not c['predicted_ln'] or not c['published_ln']:
        return -1
    return abs(float(c['predicted_ln']) - float(c['published_ln']))


def check_worst(cells):
    """What is explained of a table are its worst cells; digits of the CSV leave ties open."""
    bad = 0
    why = explain_worst.load()
    for name in sorted({c['experiment'] for c in cells}):
        mine = {(c['column'], c['load']): error(c) for c in cells if c['experiment'] == name}
        least = sorted(mine.values(), reverse=True)[:explain_worst.slow(name)[1]]
        has = [(c['column'], c['load']) for c in why if c['experiment'] == name]
        if has and (len(has) != len(least) or any(mine.get(c, -2) < least[-1] - 2e-6 for c in has)):
            print('%s: not the %d worst cells of %s, run make score-doc' % (
                explain_worst.FILE, len(least), name))
            bad = 1
    return bad


def check():
    with open(DOC) as f:
        doc = f.read()
    bad = 0
    with open(CELLS) as f:
        cells = list(csv.DictReader(f))
    for c in cells:
        want = '| %s | %s | %s | %s |' % (
            change(float(c['predicted_ln']) if c['predicted_ln'] else None, c['kind']),
            change(float(c['published_ln']) if c['published_ln'] else None, c['kind']),
            c['column'], c['load'])
        if want not in doc:
            print('docs/score.md: no cell %s of %s, run make score-doc' % (
                want, c['experiment']))
            bad = 1
    bad |= check_worst(cells)
    names = {c['experiment'] for c in cells}
    for name in sorted(set(notes()) - names):
        print('%s: a note on %s, which is not scored' % (NOTES, name))
        bad = 1
    folder = os.path.dirname(CELLS)
    for name in sorted(f[:-5] for f in os.listdir(folder) if f.endswith('.yaml')):
        with open(os.path.join(folder, name + '.yaml')) as f:
            printed = any(line.startswith('published:') for line in f)
        if printed and name not in names:
            print('%s: experiment %s is missing, run make score-doc' % (CELLS, name))
            bad = 1
    return bad


if __name__ == '__main__':
    if sys.argv[1:] == ['--check']:
        sys.exit(check())
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else os.path.join(ROOT, 'build/score.db'))
