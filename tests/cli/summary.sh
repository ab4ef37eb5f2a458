#!/bin/bash
# Recordings: `sibyl summary` in every form of input, what it refuses, and `sibyl explain` of
# two files.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
sample=$here/../trace/sample.txt
expected=$(cat "$here/../trace/sample.json")
opt="--from 0.01"
summary() { # WHAT: of "out"
	same "$1" "$expected" "$(cat out)"
}

# shellcheck disable=SC2086
works summary $opt "$sample" && summary 'text'
gzip -c "$sample" >s.gz
works summary $opt s.gz && summary 'gzip'
{ head -n 100 "$sample" | gzip -c; tail -n +101 "$sample" | gzip -c; } >two.gz
works summary $opt two.gz && summary 'gzip of two members'
"$SIBYL" summary $opt - <"$sample" >out && summary 'standard input'
cat s.gz | "$SIBYL" summary $opt - >out && summary 'a pipe of gzip'
# a trace.dat, and one with a gap
dat() { python3 "$here/../trace/make_dat.py" "$sample" "$@" || bad "make_dat.py $*"; }
dat s.dat
# shellcheck disable=SC2086
works summary $opt s.dat && summary 'trace.dat'
"$SIBYL" summary $opt - <s.dat >out && summary 'trace.dat, standard input'
dat gap.dat 2:41
"$SIBYL" summary $opt gap.dat >out 2>err
grep -q 'gap.dat: 41 events were lost' err && grep -q '"lost_events": 41}' out && ok ||
	bad "trace.dat with a gap: $(cat err)"
# headers, stack traces and CPUs that only the header tells of
{ echo cpus=10; echo "CPU 9 is empty"; cat "$sample"; echo " => stack (ffffffff)"; } >h.txt
works summary $opt h.txt --cpus 8 && summary 'headers'
works summary $opt h.txt
same 'cpus of the header' 10 "$(python3 -c 'import json; print(len(json.load(open("out"))["cpus"]))')"
# the kernel's own words for the same events
sed -E 's/sched_switch: +(.*):([0-9]+) \[(-?[0-9]+)\] (\S+) ==> (.*):([0-9]+) \[([0-9]+)\]/sched_switch: prev_comm=\1 prev_pid=\2 prev_prio=\3 prev_state=\4 ==> next_comm=\5 next_pid=\6 next_prio=\7/
	s/(sched_wakeup[_new]*): +(.*):([0-9]+) \[([0-9]+)\] CPU:([0-9]+)/\1: comm=\2 pid=\3 prio=\4 target_cpu=\5/' \
	"$sample" >raw.txt
grep -q 'prev_comm=.*next_pid=' raw.txt && grep -q target_cpu raw.txt || bad 'no raw text was made'
works summary $opt raw.txt && summary "the kernel's own text"
# options
works summary "$sample" --from 0 --to 0.05 --pattern 'per[0-3]$' --siblings 1 --cpus 8
python3 - <<'PY' && ok || bad 'options of summary'
import json
d = json.load(open('out'))
assert d['window_s'] == 0.05 and list(d['tasks']) == ['per0', 'per1', 'per2', 'per3'], d
assert d['same_core_s'] == d['cross_core_s'] == d['lone_s'] == 0.0
PY
# a trace of our own
works run -m "core:4 pu:2" -w per8hog4 -k linux-6.1 -t 0.6 --trace own.txt
python3 "$here/../oracle/same_summary.py" own.txt --cpus 8 >diff && ok || bad "own trace: $(cat diff)"

# lost events: said on stderr and in the JSON, no latency across the gap
awk 'NR == 200 { print "CPU:3 [LOST 12 EVENTS]" } NR == 220 { print "CPU:5 [EVENTS DROPPED]" } 1' \
	"$sample" >lost.txt
"$SIBYL" summary $opt lost.txt >out 2>err
grep -q 'more than 12 events were lost' err && grep -q '"lost_events": 12}' out && ok ||
	bad "lost events: $(cat err)"
# no wake-ups: n/a
grep -v sched_wakeup "$sample" >nowake.txt
"$SIBYL" summary $opt nowake.txt >out 2>err
grep -q 'latency is n/a' err && grep -q '"wake_us": {"n": 0, "p50": null' out && ok || bad 'no wake-ups'

# what it refuses: one line, with the place
fails 3 'none.txt' summary none.txt
fails 3 'cannot be read' summary .
: >empty.txt
fails 2 'empty.txt: no event, expected' summary empty.txt
head -c 20000 "$sample" >cut.txt
fails 2 "cut.txt:[0-9]+:1: the file is cut off in this line" summary cut.txt
head -c 3000 s.gz >cut.gz
fails 2 'cut.gz:[0-9]+:1: the gzip data is cut off' summary cut.gz
{ head -c 2000 s.gz; head -c 500 /dev/zero; tail -c +2500 s.gz; } >bad.gz
fails 2 'bad.gz.*gzip data' summary bad.gz
head -c 5000 /dev/zero >zero.bin
fails 2 'zero.bin' summary zero.bin
{ head -n 50 "$sample"; printf 'a\0b\n'; } >nul.txt
fails 2 'nul.txt:51:1: a zero byte' summary nul.txt
head -c 600000 /dev/zero | tr '\0' x >long.txt
fails 2 'long.txt:1:1: a line of more than' summary long.txt
sed '30s/ ==> .*//;30s/sched_[a-z_]*:.*/sched_switch: x/' "$sample" >switch.txt
fails 2 'switch.txt:30:1: the event cannot be read, expected .COMM:PID' summary switch.txt
{ sed -n 2,40p "$sample"; head -n 1 "$sample"; } >order.txt
fails 2 'order.txt:40:1: time goes back' summary order.txt
fails 2 'CPU [0-9], expected less than 2 .--cpus' summary "$sample" --cpus 2
fails 2 'no task is named' summary "$sample" --pattern nobody
fails 2 'nothing is left to count' summary "$sample" --from 5
fails 2 'regular expression' summary "$sample" --pattern '('
fails 2 "from 'x'" summary "$sample" --from x
printf '\x17\x08Dtracing6\0\0\0' >head.dat
fails 2 'head.dat: the trace.dat is cut off' summary head.dat
head -c 2000 s.dat >head.dat
fails 2 'head.dat: the trace.dat is cut off' summary head.dat
# the library leaves memory behind when data is missing
if [ -z "${SIBYL_SANITIZE:-}" ]; then
	head -c 20000 s.dat >head.dat
	fails 2 'head.dat: the trace.dat is cut off' summary head.dat
fi

# explain
sed 's/per7/per6/g' "$sample" >other.txt
works explain "$sample" "$sample" --from 0 && grep -q 'All [0-9]* values are equal' out && ok ||
	bad 'explain: equal files'
works explain "$sample" other.txt --from 0 -m "core:4 pu:2" --pattern '(hog|per)'
grep -qE '^  per7 +running +0\.[0-9]+ +0 +CPUs +-100' out && ok || bad "explain: $(head -n 12 out)"
works explain "$sample" other.txt --from 0 -m "core:4 pu:2" --format json
python3 - <<'PY' && ok || bad 'explain --format json'
import json
d = json.load(open('out'))
v = {(x.get('task'), x.get('group'), x['metric']): (x['a'], x['b']) for x in d['values']}
assert d['a']['cpus'] == 8
a, b = v[(None, 'per', 'running')]
assert 0 < a < 8 and abs(a - b) < 1e-9
total = v[(None, 'per', 'migrations')][0]
parts = sum(v[(None, 'per', 'migrations ' + k)][0]
            for k in ('inside a core', 'inside an LLC', 'inside a node', 'to another node'))
assert abs(total - parts) < 1e-6 and total > 0
assert v[('hog0', None, 'runnable, waiting')][0] >= 0
PY
finish
