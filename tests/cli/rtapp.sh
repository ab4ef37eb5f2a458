#!/bin/bash
# rt-app files: found by path and by name, shown, printed as native files, run.
. "$(dirname "$0")/lib.sh"
m="core:4 pu:2"
has() { # WHAT PATTERN: in "out"
	grep -qE -- "$2" out && ok || bad "$1: no '$2' in $(head -c 400 out)"
}

cat >periodic.json <<'JSON'
{
	/* two periodic tasks, the second in phases */
	"tasks" : {
		"small" : { "instance" : 3, "run" : 1000,
			"timer" : { "ref" : "unique", "period" : 10000 } },
		"big" : { "phases" : {
			"light" : { "loop" : 5, "run" : 2000, "sleep" : 3000 },
			"heavy" : { "loop" : 5, "run" : 9000, "sleep" : 1000 },
		} },
	},
	"global" : { "duration" : 1, "logdir" : "./", "ftrace" : "none" }
}
JSON
works check periodic.json && has 'check' '^1 of 1 files are fine'
works check ./periodic.json
works workload show periodic.json && {
	has 'show: duration' '^duration +1 s'
	has 'show: task' '^  small  count: 3  name: small-%d'
	has 'show: main metric' '^  wake_small_p95: .*\(main\)'
}
works run -m "$m" -w periodic.json -k linux-6.1 --seed 1 --json
digest=$(grep -oE '"digest":"[0-9a-f]+"' out)
works compare -m "$m" -w periodic.json -k linux-6.1,linux-6.1:hz=1000 -n 2 --db db &&
	has 'compare: metric' 'wake_small_p95'

# the native file that it becomes is the same workload
mkdir -p native/workloads
works workload show --yaml periodic.json && cp out native/workloads/periodic.yaml
works check native/workloads/periodic.yaml
works run -m "$m" -w native/workloads/periodic.yaml -k linux-6.1 --seed 1 --json &&
	same 'native: digest' "$digest" "$(grep -oE '"digest":"[0-9a-f]+"' out)"

# by name, from a data folder; a .yaml of the name comes first
mkdir -p data/workloads
for d in machines kernels experiments; do ln -s "$SIBYL_DATA/$d" data/; done
cp periodic.json data/workloads/
export SIBYL_DATA=$PWD/data
works list workloads && has 'list' '^periodic'
works workload show periodic && has 'by name' 'periodic.json$'
works check periodic
works run -m "$m" -w periodic -k linux-6.1 --seed 1 --json &&
	same 'by name: digest' "$digest" "$(grep -oE '"digest":"[0-9a-f]+"' out)"
cp native/workloads/periodic.yaml data/workloads/
works workload show periodic && has 'by name: native first' 'periodic.yaml$'
works list workloads && same 'one name' 1 "$(grep -c '^periodic' out)"

# one line that points into the file
printf '{"tasks": {"t": {\n\t"policy": "SCHED_DEADLINE", "run": 1}}}\n' >deadline.json
fails 2 '^sibyl: deadline.json:2:12: SCHED_DEADLINE is not modelled' check deadline.json

# a real-time thread: what it takes from the other on the same CPU, and it is on time
cat >fifo.json <<'E'
{"tasks": {
	"rt": {"policy": "SCHED_FIFO", "priority": 20, "cpus": [0], "loop": -1, "run": 3000,
		"timer": {"ref": "t", "period": 10000}},
	"hog": {"cpus": [0], "loop": -1, "run": 1000}},
 "global": {"duration": 2, "default_policy": "SCHED_OTHER"}}
E
works run -m "$m" -w fifo.json -k linux-6.1 --seed 1 &&
	has 'fifo: every period' '^loops_rt +100 ' && has 'fifo: none is late' '^missed_rt +0 '
finish
