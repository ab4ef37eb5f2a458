#!/bin/bash
# sibyl experiment: predicted beside published, on a small table made here; and what every
# experiment of the data folder must keep to.
. "$(dirname "$0")/lib.sh"
has() { # WHAT PATTERN: in "out"
	grep -qE -- "$2" out && ok || bad "$1: no '$2' in $(head -c 900 out)"
}
mkdir -p experiments/published
cat >experiments/published/p.csv <<'CSV'
source,machine,workload,metric,unit,higher_is_better,load,policy,baseline_policy,value,stddev_or_blank,pct_delta,significant
s,m,w,"latency, p95",us,0,two (few),off,off,900,4.5%,,
s,m,w,"latency, p95",us,0,two (few),no SMT,off,1000,20,-11.2,1
s,m,w,"latency, p95",us,0,eight,off,off,,,,
CSV
cat >experiments/small.yaml <<'YAML'
description: a small table
source: made for this test
table: requests beside hogs
machine: box-1s4c2t
workload: mixed
metric: latency_p95
better: lower
published: published/p.csv
value: {metric: "latency, p95", unit: us}
columns:
  - {name: "off", kernel: linux-6.1}
  - {name: no SMT, kernel: "linux-6.1:smt=off"}
loads:
  - {name: two (few), params: {clients: 2}}
  - {name: eight, params: {clients: 8}}
duration: 700 ms
runs: 2
full: {runs: 3}
YAML
e=$tmp/experiments/small.yaml

works experiment "$e" --db db && {
	has 'table' '^requests beside hogs$'
	has 'printed' '^  no SMT .*\| +1000.00 +20.00 \* -11.20%\*$'
	has 'printed: nothing' '^  no SMT .*\| +n/a +n/a \( +n/a \)$'
	has 'predicted' '^  off +[0-9.]+ +[0-9.]+ \(   0.00%\) \| +900.00 +40.50 \(   0.00%\)$'
	has 'n' 'n=2 runs a cell'
	cp out first
}
# the known runs come from the store, and give the same table
works experiment "$e" --db db && cmp -s out first && ok || bad 'the second table differs'
works experiment "$e" --db other.db -j 1 && cmp -s out first && ok || bad '-j 1 differs'
works experiment "$e" --db db --full && has 'full' 'n=3 runs'
works experiment "$e" --db db --full -n 1 && has 'full -n' 'n=1 runs'
grep -qE '^  .*\*.*\|' out && bad 'stars with n = 1' || ok
works experiment "$e" --db db -n 1 -t 0.5 --seed 4 && has 'time' '500 ms simulated, seed 4'
works experiment "$e" --db db --format csv
same 'csv: lines' 5 "$(wc -l <out)"
has 'csv' '^"latency, p95",us,lower,two \(few\),no SMT,linux-6.1:smt=off,[0-9.]+,[0-9.]+,2,'
works experiment "$e" --db db --format json
python3 - <<'PY' && ok || bad 'experiment --format json'
import json
d = json.load(open('out'))
assert set(d) == {'experiment', 'cells'} and d['experiment'] == 'small', d.keys()
c = d['cells']
assert [(x['load'], x['column']) for x in c] == [
    ('two (few)', 'off'), ('two (few)', 'no SMT'), ('eight', 'off'), ('eight', 'no SMT')]
for x in c:
    assert set(x) == {'table', 'metric', 'unit', 'load', 'column', 'kernel', 'baseline',
                      'better', 'predicted', 'published'}, x.keys()
    assert set(x['predicted']) == {'mean', 'stddev', 'n', 'pct', 'significant'}
    assert set(x['published']) == {'value', 'stddev', 'pct', 'significant'}
    assert x['baseline'] == 'off' and x['better'] == 'lower' and x['unit'] == 'us'
    assert x['predicted']['n'] == 2 and isinstance(x['predicted']['significant'], bool)
assert c[0]['published'] == {'value': 900, 'stddev': 40.5, 'pct': 0, 'significant': None}
assert c[1]['published'] == {'value': 1000, 'stddev': 20, 'pct': -11.2, 'significant': True}
assert set(c[3]['published'].values()) == {None}
assert c[0]['predicted']['pct'] == 0 and not c[0]['predicted']['significant']
p = c[1]['predicted']
assert abs(p['pct'] - (100 - 100 * p['mean'] / c[0]['predicted']['mean'])) < 1e-4
PY
# a table in ms of a metric in us
sed 's/^s,m,w,"latency, p95",us,0,two (few),off,off,900,4.5%/s,m,w,"latency, p95",ms,0,two (few),off,off,0.9,/; s/",us,/",ms,/' \
	experiments/published/p.csv >experiments/published/ms.csv
sed 's/p.csv/ms.csv/; s/unit: us/unit: ms/' "$e" >experiments/ms.yaml
works experiment "$e" --db db --format json && cp out us.json
works experiment "$tmp/experiments/ms.yaml" --db db --format json
python3 - <<'PY' && ok || bad 'ms against us'
import json
us, ms = (json.load(open(f))['cells'][0]['predicted']['mean'] for f in ('us.json', 'out'))
assert abs(us / ms - 1000) < 1e-3, (us, ms)
PY
works check "$e" && has 'check' '^1 of 1 files are fine'
for f in text csv json; do
	works experiment "$e" --db db --format $f
	grep -qE '\b-?(nan|inf)\b' out && bad "nan or inf in --format $f" || ok
done

# a question: nothing is published, so nothing stands beside it, and any machine may be asked
sed '/^published:/d; /^value:/d' "$e" >experiments/asked.yaml
q=$tmp/experiments/asked.yaml
works experiment "$q" --db db && {
	has 'asked' '^  no SMT +[0-9.]+ +[0-9.]+ [(*~]'
	has 'asked: unit' '^in us, lower is better'
	grep -qE '\||published|skill|n/a' out && bad "asked: $(grep -E '\||published|skill|n/a' out)" || ok
}
works experiment "$q" --db db --format csv && has 'asked: csv' '^latency_p95,us,lower,eight,off,linux-6.1,[0-9.]+,.*,,,,$'
works experiment "$q" -m "pack:1 core:2 pu:2" -n 1 --db db && has 'asked: machine' '^machine pack:1 core:2 pu:2,'
fails 2 "of machine box-1s4c2t, expected no -m" experiment "$e" -m wayrath --db db
fails 2 'asked.yaml has no published values' score "$q" --db db
sed '/^published:/d' "$e" >experiments/half.yaml
fails 2 "experiments/half.yaml:8:[0-9]+: .value. is about printed values" check "$tmp/experiments/half.yaml"

# mistakes are one line with their place
sed 's/kernel: linux-6.1}/kernel: linux-6.2}/' "$e" >experiments/kernel.yaml
fails 2 "experiments/kernel.yaml:11:[0-9]+: .*did you mean 'linux-6.1" experiment "$tmp/experiments/kernel.yaml"
fails 2 'kernel.yaml:11:' check "$tmp/experiments/kernel.yaml"
sed 's/mixed/mixd/' "$e" >experiments/wl.yaml
fails 2 "experiments/wl.yaml:5:[0-9]+: .*did you mean 'mixed'" experiment "$tmp/experiments/wl.yaml"
sed 's/clients: 8/client: 8/' "$e" >experiments/param.yaml
fails 2 'experiments/param.yaml:15:[0-9]+: .*clients' experiment "$tmp/experiments/param.yaml"
sed 's/published: .*/published: nowhere.csv/' "$e" >experiments/csv.yaml
fails 2 'experiments/csv.yaml:8:[0-9]+: .*nowhere.csv' experiment "$tmp/experiments/csv.yaml"
echo 's,m,w,"latency' >>experiments/published/p.csv
fails 2 'published/p.csv:5:[0-9]+: .*quotes' experiment "$e"
fails 2 'no experiment|holds none' experiment nothing
fails 3 'nowhere' experiment "$tmp/experiments/ms.yaml" -n 1 --db nowhere/x.db

# calibration finds the parameter that made a table, from the first column alone, and writes
# it with its source; the rest of the file stays
cp -r "$SIBYL_DATA" data
cat >data/workloads/made.yaml <<'YAML'
description: requests that take as long as a parameter says # kept: ä
params:
  clients: {default: 2, help: "one { in quotes"}
  work: {default: 500 us, range: [100 us, 5 ms],
         help: work of a request}
duration: 600 ms
tasks:
  client:
    count: $clients
    program:
      - loop: [{begin: request}, {run: $work}, {end: request}, {sleep: 2 ms}]
metrics: {mean: {span: request, stat: mean, unit: us, better: lower}}
YAML
head -n1 experiments/published/ms.csv >experiments/published/made.csv
SIBYL_DATA=$tmp/data works compare -m box-1s4c2t -w made -k linux-6.1 -p clients=2,4 \
	-p work=900us -n 1 --db made.db --format csv
for n in 2 4; do
	v=$(grep "^clients=$n work=900us,linux-6.1,mean," out | cut -d, -f8)
	echo "s,m,w,mean,us,0,$n,off,off,$v,,,"
	echo "s,m,w,mean,us,0,$n,on,off,1,,,"
done >>experiments/published/made.csv
cat >experiments/made.yaml <<'YAML'
description: d
source: s
table: t
machine: box-1s4c2t
workload: made
metric: mean
better: lower
published: published/made.csv
value: {metric: mean, unit: us}
columns: [{name: "off", kernel: linux-6.1}, {name: "on", kernel: "linux-6.1:smt=off"}]
loads: [{name: 2, params: {clients: 2}}, {name: 4, params: {clients: 4}}]
runs: 1
calibrate:
  column: "off"
  parameters: [{workload: work, range: [200 us, 2 ms], source: "estimate: of this test"}]
YAML
cp data/workloads/made.yaml made.before
SIBYL_DATA=$tmp/data works experiment "$tmp/experiments/made.yaml" --calibrate && {
	has 'calibrate' '^work +500 us +(89[0-9]|90[0-9])(\.[0-9])? us '
	has 'calibrate: residuals' '^4 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[+-][01]\.[0-9] %$'
	diff made.before data/workloads/made.yaml >diff
	same 'calibrate: one line' 2 "$(grep -c '^[<>]' diff)"
	grep -qE '^>   work: \{default: (89|90)[0-9.]+ us, range: \[100 us, 5 ms\], # calibrated-on: made/off, 20[0-9-]+$' diff &&
		ok || bad "calibrate: $(cat diff)"
}
sed 's/calibrate:/calibrate: {column: "on", parameters: []}/; /^  /d' experiments/made.yaml >experiments/on.yaml
fails 2 'experiments/on.yaml:13:[0-9]+: .*baseline' experiment "$tmp/experiments/on.yaml" --calibrate
# fitted along with a second table whose baseline is twice as slow: ends between the two
awk -F, -v OFS=, '$8 == "off" { $10 *= 2 } { print }' experiments/published/made.csv \
	>data/experiments/published/twice.csv
sed 's/made.csv/twice.csv/; /^calibrate:/,$d' experiments/made.yaml >data/experiments/twice.yaml
sed 's/^  column:.*/&\n  with: [twice]/' experiments/made.yaml >experiments/both.yaml
cp made.before data/workloads/made.yaml
SIBYL_DATA=$tmp/data works experiment "$tmp/experiments/both.yaml" --calibrate && {
	has 'calibrate with' '^work +500 us +1\.(2[3-9]|3[01])[0-9]* ms '
	same 'calibrate with: both tables' 2 "$(grep -c '^off, us ' out)"
}
sed 's/with: .*/with: [twise]/' experiments/both.yaml >experiments/no.yaml
SIBYL_DATA=$tmp/data fails 2 'experiments/no.yaml:15:10: .*twise.*twice' check "$tmp/experiments/no.yaml"
sed -i 's/^machine: .*/machine: wayrath/' data/experiments/twice.yaml
SIBYL_DATA=$tmp/data fails 2 'experiments/both.yaml:15:10: twice is on wayrath, expected .* box-1s4c2t' \
	experiment "$tmp/experiments/both.yaml" --calibrate
fails 2 'nothing to fit' experiment "$tmp/experiments/ms.yaml" --calibrate

# An experiment uses machines and recipes as they are: it names files of the data folder and
# sets ad hoc no option but those of a host, as its operator would boot it, and, in columns that
# nobody posted, the debug printing of the series: how far that matters.
for f in "$SIBYL_DATA"/experiments/*.yaml; do
	[ -e "$f" ] || continue
	m=$(sed -n 's/^machine: *//p' "$f")
	[ -e "$SIBYL_DATA/machines/$m.yaml" ] && ok || bad "$f: machine '$m' is no file of the data folder"
	other=$(grep -oE 'kernel: *"?[^"},]*(:[^"}]*)?' "$f" | grep -oE '[:,][a-z_.]+=' | tr -d ':,=' | grep -vxE 'smt|core.print|core.print_compare')
	same "$f: options of recipes" '' "$other"
	p=$(sed -n 's/^published: *//p' "$f")
	[ -z "$p" ] || grep -q "$(basename "$p")" "$SIBYL_DATA/experiments/published/README.md" && ok ||
		bad "$p: no line on where it comes from"
	works check "$f"
done
# longer than the warm-up
for x in core-v2-avx512 smt-or-not-sysbench-cpu; do
	works experiment "$x" -n 1 -t 6200ms --db data.db
done
works list experiments
finish
