#!/bin/bash
# sibyl score: on a table made here, against another file, and that of the data folder.
. "$(dirname "$0")/lib.sh"
has() { # WHAT PATTERN: in "out"
	grep -qE -- "$2" out && ok || bad "$1: no '$2' in $(head -c 1500 out)"
}
SIBYL_SOURCE_DATA=${SIBYL_DATA:?}
cp -r "$SIBYL_SOURCE_DATA" data
export SIBYL_DATA=$tmp/data
rm -f data/experiments/*.yaml data/experiments/scored.csv
head='source,machine,workload,metric,unit,higher_is_better,load,policy,baseline_policy,value,stddev_or_blank,pct_delta,significant'
cat >data/experiments/published/p.csv <<CSV
$head
s,m,w,p95,us,0,two,off,off,900,4.5%,,
s,m,w,p95,us,0,two,no SMT,off,600,20,,1
s,m,w,p95,us,0,eight,off,off,1000,,,
s,m,w,p95,us,0,eight,no SMT,off,1100,,,1
s,m,w,p95,us,0,nine,no SMT,off,1100,,,1
CSV
cat >data/experiments/small.yaml <<'YAML'
description: a small table
source: made for this test
table: requests beside hogs
machine: box-1s4c2t
workload: mixed
metric: latency_p95
better: lower
published: published/p.csv
value: {metric: p95, unit: us}
columns:
  - {name: "off", kernel: linux-6.1}
  - {name: no SMT, kernel: "linux-6.1:smt=off"}
loads:
  - {name: two, params: {clients: 2}}
  - {name: eight, params: {clients: 8}}
suspect:
  - {column: no SMT, load: eight, why: it was measured on a Friday}
duration: 700 ms
runs: 3
YAML
works score --db db && {
	has 'gain right, loss wrong' '^  predicted +1/2 +1/1 +0/1 +50% '
	has 'wrong' '^ +[0-9.]+ +\+[0-9.]+ +-9.5 +no SMT +eight +wrong sign; suspect: it was measured on a Friday$'
	has 'no place' "1 printed cell without a place.*load 'nine', column 'no SMT'"
	has 'one table' 'n/a, that needs two'
	cp out first
}
works score small --db db -j 1 && cmp -s out first && ok || bad 'another score of the same'
works score --db db --format csv && cp out data/experiments/scored.csv
same 'csv: lines' 3 "$(wc -l <out)"
works score --db db --format json
python3 - <<'PY' && ok || bad 'score --format json'
import json
d = json.load(open('out'))
assert set(d) == {'tables', 'total'} and len(d['tables']) == 1
t = d['tables'][0]
assert t['experiment'] == 'small' and t['significant'] == 2 and t['gains'] == 1, t
assert t['balanced_accuracy'] == .5 and t['calibration_residual'] > 0
assert set(t['models']) == {'null', 'constant', 'sign', 'naive'}
assert t['models']['null']['skill'] == 0 and t['models']['null']['sign'] == 0
e = [c['error'] for c in t['worst_first']]
assert e == sorted(e, reverse=True) and len(e) == 2
assert t['metric'] == 'latency_p95'
runs = [c['runs'] for c in t['worst_first']]
assert all(len(r) == 2 and r[0] != r[1] and len(r[1]) == 32 for r in runs), runs
assert d['total']['interval']['sign'] == [None, None] and d['total']['tables'] == 1
PY
# the same against a file that is elsewhere, with another name of the metric and the unit
sed 's/p95,us/latency,ms/; /nine/d' data/experiments/published/p.csv >other.csv
works score --against other.csv --experiment small --db db && {
	has 'against' '^  predicted +1/2 +1/1 +0/1 +50% '
	grep -q 'first column off' out && bad 'a residual in another unit' || ok
}
sed 's/,eight,/,seven,/' other.csv >some.csv
works score --against some.csv small --db db && has 'strays' '2 printed cells without a place'
sed 's/,two,/,three,/' some.csv >none.csv
fails 2 'none.csv.*no cell with a load' score --against none.csv --experiment small --db db
fails 2 'needs --experiment' score --against other.csv --db db
fails 2 'expected one of them' score small --experiment small --db db
fails 2 "did you mean 'small'" score smal --db db
sed 's/column: no SMT/column: no/' data/experiments/small.yaml >data/experiments/bad.yaml
fails 2 'bad.yaml:17:[0-9]+: no cell of column' score bad --db db
rm data/experiments/bad.yaml

# an experiment prints its score; its own errors are no band for itself, those of others are
works experiment small --db db && {
	has 'score' '^score of 2 cells, 2 of them significant'
	has 'no band' 'how much the model errs is not known'
}
sed -i 's/^small,/other,/' data/experiments/scored.csv
works experiment small --db db && has 'band' 'by [0-9.]+% \(9 of 10 cells of only 1 scored table of any kind\)'
grep -qE '^  no SMT .*~ +[0-9.]+%~ \|' out && ok || bad "no change inside the band: $(cat out)"
works compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:smt=off -p clients=2 -t 700ms -n 3 --db db &&
	has 'band of compare' 'only 1 scored table'
# rules and rows of the statistics
c="compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:smt=off -p clients=2 -t 700ms --db db"
works $c -n 8 --stats paired && { has 'paired' 'paired t-test'; has 'ratio' '; Ratio of'; has 'rank' '^rank p +2 +[0-9.e-]+$'; }
works $c -n 3 --rows classic && { has 'rows' '^BAmean-95 2 '; has 'seeds' 'columns share their seeds'; }
works $c -n 3 --stats mmtests-2018 && { has '2018' '^Min '; has '2018' 'until November 2024'; grep -q Ratio out && bad 'Ratio of 2018' || ok; }
works $c -n 3 --practical 99 && { has 'practical' '99% or more'; has 'practical' '^0 of 1 cell starred'; }
fails 2 "unknown --stats 'mmtests', did you mean|unknown --stats" $c --stats mmtests
fails 2 "unknown --rows 'al', did you mean 'all'" $c --rows al
fails 2 "practical 'x', expected percent" $c --practical x
# -n auto: more runs while a mean is not known well enough; the same whatever is stored
works compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:smt=off -p clients=2 -t 700ms -n auto:30 --db db && {
	has 'auto: enough' 'n=5 runs a cell'
	has 'auto: rule' 'known within 30%'
}
a="compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1:hz=1000 -p clients=2 -t 500ms"
works $a -n auto:0.01 --db auto.db && { has 'auto: most' 'n=40 runs a cell'; has 'auto: most' 'the most runs'; cp out most; }
works $a -n auto:0.01 --db auto.db && cmp -s out most && ok || bad 'another table from the store'
works experiment small -n auto:50 -t 500ms --db db && has 'auto: experiment' 'known within 50%'
fails 2 "expected a number of runs, auto" compare -n auto5
fails 2 "expected a number of runs, auto" compare -n auto:x
fails 2 "expected a number: scores" score -n auto
# a column that does nothing in some run has no harmonic mean, and is scored all the same
cp "$SIBYL_SOURCE_DATA/experiments/core-v3-onecore-memory.yaml" data/experiments/
works score core-v3-onecore-memory -n 2 --db db && has 'starved cells' 'score of 6 cells, 6 of them significant'
rm data/experiments/core-v3-onecore-memory.yaml
# what the model lacks is refused with the reason; a change without effect is called that
cat >>data/not-modelled.yaml <<'YAML'
- {mechanism: the load balancer of Linux 5.4, kernel: linux-5.1, nodes: 2, why: it compares loads}
YAML
fails 2 'load balancer of Linux 5.4 is not modelled: it compares' compare -m oracle-numa16 -w mixed -k linux-5.1,linux-6.1 --db db
fails 2 'bandwidth of memory nodes is not modelled' compare -m oracle-numa16 -w stream -k linux-6.1,linux-6.6 --db db
works compare -m oracle-numa16 -w mixed -p clients=2 -k linux-5.1,linux-6.1 -n 1 -t 500ms --db db --anyway && has 'anyway' '^beware: the load balancer'
works compare -m oracle-numa16 -w mixed -p clients=2 -k linux-5.1,linux-5.3 -n 1 -t 500ms --db db
works compare -m box-1s4c2t -w mixed -p clients=2 -k linux-5.1,linux-6.1 -n 1 -t 500ms --db db
works compare -m box-1s4c2t -w mixed -p clients=2 -k linux-6.1,linux-6.1:hz=250 -n 2 -t 500ms --db db &&
	has 'unexercised' '^linux-6.1:hz=250: this grid never exercised the change'
works compare -m box-1s4c2t -w mixed -p clients=2 -k linux-6.1,linux-6.1:hz=250 -n 2 -t 500ms --db db --format json
python3 -c 'import json; d = json.load(open("out")); assert d["unexercised"] == ["linux-6.1:hz=250"], d' && ok || bad 'unexercised in JSON'
sed -i 's/core, smt/core, smd/' data/not-modelled.yaml
fails 2 "not-modelled.yaml:[0-9]+:[0-9]+: no option 'smd'" compare -m box-1s4c2t -w mixed -k linux-6.1,linux-6.1 --db db
echo 'x,y' >data/experiments/scored.csv
fails 2 "scored.csv.*no column 'experiment'" experiment small --db db
finish
