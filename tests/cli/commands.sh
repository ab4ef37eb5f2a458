#!/bin/bash
# The commands do what they say: run, compare, show, explain, trace, doctor, check, help.
. "$(dirname "$0")/lib.sh"
m="core:4 pu:2"
has() { # WHAT PATTERN: in "out"
	grep -qE -- "$2" out && ok || bad "$1: no '$2' in $(head -c 400 out)"
}

# compare without arguments teaches, within five seconds of a release build (which this may
# not be: the limit here only catches a hang)
works compare --db db && {
	has 'example: what it ran' '^  sibyl compare -m '
	has 'example: table' '^(H|A)mean +2 '
	has 'example: how to read' 'How to read it'
	has 'example: going on' 'sibyl explain [0-9a-f]{8} [0-9a-f]{8}'
	pair=$(grep -oE 'explain [0-9a-f]{8} [0-9a-f]{8}' out)
	# shellcheck disable=SC2086
	works $pair --db db && has 'explain' 'counters differ'
}
works compare -m "$m" -w mixed -k linux-6.1 -k linux-6.1:smt=off,wake.scan=full,hz=1000 \
	-p clients=2,4 -p period=5ms -n 2 -t "500 ms" --db db --format json
python3 - <<'PY' && ok || bad 'compare --format json'
import json
d = json.load(open('out'))
c = d['cells']
m = {x['metric'] for x in c}
assert len(c) == 4 * len(m), len(c)
assert c[0]['load'] == 'clients=2 period=5ms', c[0]['load']
assert c[1]['kernel'] == 'linux-6.1:smt=off,wake.scan=full,hz=1000', c[1]['kernel']
for x in c:
    assert set(x) >= {'load', 'kernel', 'metric', 'unit', 'better', 'n', 'mean', 'stddev',
                      'pct', 'significant', 'values', 'runs'}
    assert x['n'] == 2 and len(x['values']) == 2 and len(x['runs'][0]) == 32
assert all(x['pct'] == 0 and not x['significant'] for x in c if x['kernel'] == 'linux-6.1')
PY
works compare -m "$m" -w mixed -k linux-6.1 -n 2 -t 0.5 --db db --format csv
same 'csv: header' 'load,kernel,metric,unit,better,replicate,seed,value,run' "$(head -n1 out)"
works compare -m "$m" -w mixed -k linux-6.1 -n 1 -t 0.5 --db db
grep -q '\*' out && bad 'stars with n = 1' || ok

# ablate: the kernel, each of its choices as the base has it, the base
works ablate coresched-v3-tim -m "core:2 pu:2" -w core4x4 -n 2 -t 0.5 --db db --format json
python3 - <<'PY' && ok || bad 'ablate'
import json
seen = []
for x in json.load(open('out'))['cells']:
    if x['kernel'] not in seen:
        seen.append(x['kernel'])
k = 'coresched-v3-tim'
assert seen[0] == k and seen[-1] == 'coresched-v3', seen
assert set(seen[1:-1]) == {k + ':' + o for o in (
    'core.order=queue', 'core.strict=off', 'core.repick=on', 'core.tick=off',
    'core.tick_rule=half')}, seen
PY
works ablate linux-6.1:wake.scan=full,hz=1000 -m "$m" -w mixed -n 1 -t 0.5 --db db --format csv &&
	has 'ablate: ad hoc' '^,"?linux-6.1:wake.scan=full,hz=1000,hz=250"?,'
fails 2 'no base' ablate linux-6.1 -m "$m" -w mixed
fails 2 'as .linux-5.3. in every option' ablate linux-5.3 linux-5.3 -m "$m" -w mixed

works run -m "$m" -w mixed -k linux-6.1 -t 0.5 --seed 3 --json
python3 - <<'PY' && ok || bad 'run --json'
import json
d = json.load(open('out'))
for k in ('metrics groups switches migrations wakeups wake_us idle_s forced_idle_s same_core_s '
          'cross_cookie_leak_s cross_cookie_pending_s system_s decisions digest events sim_s '
          'wall_s cpu_s version').split():
    assert k in d, k
assert set(d['wake_us']) >= {'p50', 'p95', 'p99', 'max'}
assert all(set(g) >= {'name', 'cpu_s'} for g in d['groups'])
assert abs(d['sim_s'] - 0.5) < 1e-9
PY
# a run is replicate 0 of the comparison with the same arguments
works run -m "$m" -w mixed -k linux-6.1 -t 0.5 --json && digest=$(grep -oE '"digest":"[0-9a-f]+"' out)
works show last --db db --json
works compare -m "$m" -w mixed -k linux-6.1 -n 1 -t 0.5 --db rep.db
works show last --db rep.db --json && same 'run and compare' "$digest" \
	"$(grep -oE '"digest":"[0-9a-f]+"' out)"
works run -m box-1s4c2t -w bw50 -k linux-6.1 --db limit.db && has 'run' '^throttled, cgroup a +[0-9.]+'
works show last --db limit.db && has 'show' '^  a  +50 ms in 100 ms .* 17 +17 +100.0% '
# idle time is of the window, not of the simulated time: the text says shares
works run -m box-1s4c2t -w wl-cookies -k coresched-v2 --json && want=$(python3 -c "
import json
d = json.load(open('out'))
all = d['idle_s'] + d['busy_s']
assert abs(all - 8 * d['window_s']) < 1e-6 < d['forced_idle_s']
print('%.3g %.3g' % (100 * d['busy_s'] / all, 100 * d['forced_idle_s'] / all))")
works run -m box-1s4c2t -w wl-cookies -k coresched-v2 &&
	has 'run: busy' "^CPUs busy +${want% *}  % of" && has 'run: forced idle' "^forced idle +${want#* }  % of"
works show last --db rep.db && has 'show' '^digest +[0-9a-f]{16}$'
works explain last last --db rep.db && has 'explain' 'equal'

# trace: the digest again; and the same text as a run with --trace
works trace last --db rep.db && cp out replayed && has 'trace' 'sched_switch'
works run -m "$m" -w mixed -k linux-6.1 -t 0.5 --trace t.txt --trace-format ftrace
cmp -s t.txt replayed && ok || bad 'trace of run and of replay differ'
works run -m "$m" -w mixed -k linux-6.1 -t 0.5 --trace - && cmp -s out replayed && ok ||
	bad 'trace on the standard output'
works trace last --db rep.db -o t2.txt && cmp -s t2.txt replayed && ok || bad 'trace -o'
sqlite3 rep.db "UPDATE run SET digest = '0000000000000001'" 2>/dev/null
fails 1 'digest' trace last --db rep.db -o t3.txt
# a run whose files changed cannot be replayed
sed 's/median: $work/median: 400 us/' "$SIBYL_DATA/workloads/mixed.yaml" >mine.yaml
works run -m "$m" -w ./mine.yaml -k linux-6.1 -t 0.5 --db mine.db
works trace last --db mine.db -o t4.txt
sed -i 's/400 us/450 us/' mine.yaml
fails 1 'cannot be replayed' trace last --db mine.db

works list machines && has 'list machines' '^box-1s4c2t '
works list kernels && has 'list kernels' '^linux-6.1 '
works list workloads && has 'list workloads' '^mixed '
works list experiments
works list options && has 'list options' 'wake.scan'
works machine show box-1s4c2t
works machine draw "pack:2 core:2 pu:2"
works machine show this
works kernel show linux-6.1
works kernel diff linux-6.1 linux-6.1:hz=1000 && has 'kernel diff' 'hz'
works kernel diff linux-6.1 linux-6.1 && has 'kernel diff' 'no difference'
works workload show mixed && has 'workload show' 'clients'
works check --all && has 'check --all' '^([0-9]+) of \1 files are fine$'
works check mixed linux-6.1 && has 'check' '^2 of 2'
works doctor --db db && has 'doctor' 'digest [0-9a-f]{16} twice'
works --version && has 'version' '^sibyl [0-9]'
for c in compare run experiment list show explain trace summary machine kernel workload check doctor; do
	works $c -h && [ "$(wc -l <out)" -le 24 ] && ok || bad "$c -h does not fit a screen"
	[ "$(awk 'length > 80' out | wc -l)" = 0 ] && ok || bad "$c -h is wider than 80"
done
works -h && [ "$(wc -l <out)" -le 24 ] && ok || bad "-h does not fit a screen"

# import: a machine file that can be used
if [ -n "$(ls "$SIBYL_DATA"/machines/*.xml "$SIBYL_DATA"/machines/*/*.xml 2>/dev/null)" ]; then
	xml=$(ls "$SIBYL_DATA"/machines/*.xml "$SIBYL_DATA"/machines/*/*.xml 2>/dev/null | head -n1)
	mkdir -p machines
	works machine import "$xml" --name mine -o machines/mine.yaml && works machine show machines/mine.yaml
fi
finish
