#!/bin/bash
# sibyl explain on planted differences: each names what was planted first, both ways; shares
# add up to the whole.
. "$(dirname "$0")/lib.sh"

# machine NAME TOPOLOGY COSTS CLOCK
machine() {
	cat >"$1.yaml" <<Y
description: a machine with a planted row
source: "estimate: a test"
topology:
  synthetic: "$2"
costs:
$3
frequency:
  source: "estimate: a test"
  nominal: 2 GHz
  bins:
    - {upto: 8, scalar: $4}
Y
}
row() { echo "  $1: {value: $2, source: \"estimate: planted\"}"; }

near="pack:2 [numa] l3:1 core:4 pu:1"
machine base "$near" "$(row memory.distance '10 %')" "3 GHz"
machine remote "$near" "$(row memory.distance '200 %')" "3 GHz"
machine switch "$near" "$(row switch '20 us')" "3 GHz"
machine turbo "$near" "$(row memory.distance '10 %')" "2 GHz"
slow="$(row refill.memory '1 GB/s')"
machine llc16 "pack:1 [numa] l3:1 core:16 pu:1" "$slow" "3 GHz"
machine llc2 "pack:1 [numa] l3:8 core:2 pu:1" "$slow" "3 GHz"

cat >far.yaml <<'Y'
description: tasks on two nodes whose pages are on one
source: "estimate: a test"
duration: 500 ms
profiles:
  mem: {memory: 50 %}
memory:
  heap: {size: 64 MiB, place: {bind: 1}}
tasks:
  worker:
    count: 8
    profile: mem
    memory: heap
    program: [{loop: [{run: 200 us}, {count: units}]}]
metrics:
  units_per_s: {rate: units}
Y
cat >swap.yaml <<'Y'
description: two tasks a CPU, which they leave often
source: "estimate: a test"
duration: 500 ms
tasks:
  worker:
    count: 16
    program: [{loop: [{run: 100 us}, {count: units}, {sleep: {uniform: [50 us, 150 us]}}]}]
metrics:
  units_per_s: {rate: units}
Y
cat >nap.yaml <<'Y'
description: light tasks that find an idle CPU if they look for one
source: "estimate: a test"
duration: 500 ms
tasks:
  worker:
    count: 5
    program:
      - loop:
          - run: {uniform: [200 us, 1800 us]}
          - count: units
          - sleep: {uniform: [100 us, 900 us]}
metrics:
  units_per_s: {rate: units}
Y
cat >rove.yaml <<'Y'
description: a task that goes round the machine; what it left four cores ago is forgotten
source: "estimate: a test"
duration: 500 ms
profiles:
  big: {working-set: 256 KiB}
tasks:
  worker:
    count: 1
    profile: big
    program:
      - loop:
          - affinity: "0"
          - run: 1 ms
          - count: units
          - affinity: "4"
          - run: 1 ms
          - count: units
          - affinity: "8"
          - run: 1 ms
          - count: units
          - affinity: "12"
          - run: 1 ms
          - count: units
          - affinity: "2"
          - run: 1 ms
          - count: units
          - affinity: "6"
          - run: 1 ms
          - count: units
          - affinity: "10"
          - run: 1 ms
          - count: units
          - affinity: "14"
          - run: 1 ms
          - count: units
metrics:
  units_per_s: {rate: units}
Y
cat >hog.yaml <<'Y'
description: work and nothing else
source: "estimate: a test"
duration: 500 ms
tasks:
  worker:
    count: 8
    program: [{loop: [{run: 200 us}, {count: units}]}]
metrics:
  units_per_s: {rate: units}
Y

# planted WHAT WORKLOAD MACHINE KERNEL MACHINE KERNEL: explained both ways
planted() {
	local what=$1 w=$2
	works run -m "$3" -w "./$w.yaml" -k "$4" --db p.db --json
	a=$(grep -oE '"id": ?"[0-9a-f]{32}"' out | grep -oE '[0-9a-f]{32}')
	works run -m "$5" -w "./$w.yaml" -k "$6" --db p.db --json
	b=$(grep -oE '"id": ?"[0-9a-f]{32}"' out | grep -oE '[0-9a-f]{32}')
	for pair in "$a $b" "$b $a"; do
		# shellcheck disable=SC2086 # two words
		works explain $pair --db p.db --format json
		python3 - "$what" <<'PY' && ok || bad "planted $what in $w"
import json, sys
why = json.load(open("out"))["why"]
first, rows = why["reasons"][0], why["reasons"]
assert first["name"] == sys.argv[1], rows[:3]
assert abs(sum(r["share"] for r in rows) - 1) < 1e-6 # printed digits
for k in 0, 1:
    assert abs(sum(r["ns"][k] for r in rows) / why["whole_ns"][k] - 1) < 1e-6
# a fixed number of tasks: the time of a unit is that of its rate
got = why["whole_ns"][1] / why["whole_ns"][0] * why["value"][1] / why["value"][0]
assert why["of"] != "its tasks" or abs(got - 1) < 0.002, got
PY
	done
}
k=linux-6.1
planted memory far ./base.yaml $k ./remote.yaml $k
planted system.switch swap ./base.yaml $k ./switch.yaml $k
planted run_queue nap ./base.yaml $k ./base.yaml $k:wake.scan=none
planted frequency hog ./base.yaml $k ./turbo.yaml $k
planted cold_start rove ./llc16.yaml $k ./llc2.yaml $k

# frozen, the planted cause takes the difference with it, and the account agrees
for m in base remote; do works run -m "./$m.yaml" -w ./far.yaml -k $k --db w.db --json && cp out $m.json; done
id() { grep -oE '"id": ?"[0-9a-f]{32}"' "$1" | grep -oE '[0-9a-f]{32}'; }
works explain "$(id base.json)" "$(id remote.json)" --why --db w.db --format json
python3 - <<'PY' && ok || bad 'counter-experiments'
import json
rows = json.load(open("out"))["counter_experiments"]
assert [r["what"] for r in rows] == ["memory is near and has no limit"], rows
assert rows[0]["gone"] > 0.95 and rows[0]["agrees"], rows
assert rows[0]["verdict"] == "agree" and rows[0]["gone_error"] < 0.1, rows
assert abs(rows[0]["gone"] - rows[0]["accounted"] - rows[0]["apart"]) < 1e-6
PY
works explain "$(id base.json)" "$(id remote.json)" --why --pairs 1 --db w.db --format json
python3 - <<'PY' && ok || bad 'one pair has no noise'
import json
d = json.load(open("out"))
assert d["pairs"] == 1 and d["counter_experiments"][0]["gone_error"] is None, d
PY
fails 2 'pairs' explain a b --why --pairs 0
# and so does the option that was planted, undone
works run -m ./base.yaml -w ./nap.yaml -k $k --db w.db --json && cp out a.json
works run -m ./base.yaml -w ./nap.yaml -k $k:wake.scan=none --db w.db --json && cp out b.json
works explain "$(id a.json)" "$(id b.json)" --why --db w.db &&
	grep -q '^ *100.0 % +- *[0-9.]*  wake.scan=' out && ok || bad 'an option undone'

# a percentile is split as the events about it: most run at once, and some wait for the other task
cat >tail.yaml <<'Y'
description: two tasks on one CPU, one of which comes seldom and stays long
source: "estimate: a test"
duration: 2 s
tasks:
  often:
    count: 1
    program:
      - affinity: "0"
      - loop:
          - sleep: 1 ms
          - begin: {span: job, from: due}
          - run: 100 us
          - end: job
  seldom:
    count: $hogs
    program: [{affinity: "0"}, {loop: [{sleep: 8 ms}, {run: 4 ms}]}]
params:
  hogs: {default: 0, range: [0, 1], help: tasks in the way}
metrics:
  p95: {span: job, percentile: 95, unit: us}
  median: {span: job, percentile: 50, unit: us}
Y
for h in 0 1; do
	works run -m ./base.yaml -w ./tail.yaml -k $k:preempt.wakeup=off -p hogs=$h --db w.db --json &&
		cp out t$h.json
done
works explain "$(id t0.json)" "$(id t1.json)" --db w.db --format json
python3 - <<'PY' && ok || bad 'a percentile and its events'
import json
why = json.load(open("out"))["why"]
assert why["of"] == "its events" and abs(why["ranks"][0] - .925) < .01, why
assert why["reasons"][0]["name"] == "run_queue" and why["reasons"][0]["share"] > 0.9, why
# the events about it are as long as it is: within the width of the band
assert abs(why["whole_ns"][1] / 1e3 / why["value"][1] - 1) < 0.2, why
PY

# in words, before the counters
works explain "$a" "$b" --db p.db && grep -q '^  1\. .* %  cold starts' out &&
	grep -q 'counters differ' out && ok || bad 'explain in words'
# it is what it is
works explain "$a" "$a" --db p.db && grep -q 'no difference to explain' out && ok ||
	bad 'explain of a run and itself'
# the files have changed since: counters are left
machine llc2 "pack:1 [numa] l3:8 core:2 pu:1" "$slow" "2.5 GHz"
works explain "$a" "$b" --db p.db && grep -q '^No reasons: run .* cannot be replayed' out &&
	grep -q 'counters differ' out && ok || bad 'explain of a run whose machine changed'
finish
