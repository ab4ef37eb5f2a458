#!/bin/bash
# sibyl run --schedstat: the format of the kernel, numbers that a trace of the same run
# confirms, the same decisions with and without, and a file that cannot be written.
. "$(dirname "$0")/lib.sh"
m="pack:2 core:4 pu:2"
works run -m "$m" -w mixed -k linux-6.1 -t 0.5 --json && cp out plain
works run -m "$m" -w mixed -k linux-6.1 -t 0.5 --schedstat s.txt --trace t.txt --json
same 'digest' "$(grep -oE '"digest":"[0-9a-f]+"' plain)" "$(grep -oE '"digest":"[0-9a-f]+"' out)"
python3 - <<'PY' && ok || bad 'schedstat and trace'
import re
lines = open('s.txt').read().splitlines()
assert lines[0] == 'version 15', lines[0]
assert re.fullmatch(r'timestamp \d+', lines[1]), lines[1]
cpus, domains = {}, 0
for line in lines[2:]:
    f = line.split()
    if f[0].startswith('cpu'):
        assert len(f) == 10, line
        cpus[int(f[0][3:])] = [int(x) for x in f[1:]]
    else:
        assert f[0].startswith('domain') and len(f) == 38, line
        int(f[1].replace(',', ''), 16)
        domains += 1
assert sorted(cpus) == list(range(16)), cpus
assert domains == 16 * 3, domains

# the trace: who waits from its wake-up, or from being preempted, until it is switched to;
# whoever is moved while it waits goes on waiting elsewhere
wait = runs = switches = 0
since, running = {}, {}
for line in open('t.txt'):
    got = re.match(r'.*\[(\d+)\] +(\d+)\.(\d+): (\w+): +(.*)', line)
    cpu, when, what, rest = (int(got[1]), int(got[2]) * 10**9 + int(got[3]), got[4], got[5])
    if what in ('sched_wakeup', 'sched_wakeup_new'):
        since.setdefault(int(re.match(r'.*?:(\d+) \[', rest)[1]), when)
    elif what == 'sched_migrate_task':
        pid = int(re.search(r' pid=(\d+)', rest)[1])
        if pid in running.values():
            since.setdefault(pid, when)
    elif what == 'sched_switch':
        p, state, n = re.match(r'.*?:(\d+) \[-?\d+\] (\w) ==> .*?:(\d+) \[', rest).groups()
        p, n = int(p), int(n)
        switches += 1
        if p and state == 'R':
            since.setdefault(p, when)
        running[cpu] = n
        if n:
            runs += 1
            wait += when - since.pop(n)
assert runs == sum(c[8] for c in cpus.values()), runs
assert switches == sum(c[8] + c[3] for c in cpus.values()), switches
# whoever was moved and waits at the end has its first wait in the file, not in the sum here
left = sum(c[7] for c in cpus.values()) - wait
assert 0 <= left and (left == 0 or since), left
PY
# version 16 has the passes of busy CPUs first: the same run, the same numbers, another order
works run -m "$m" -w mixed -k linux-6.1:schedstat.version=16 -t 0.5 --schedstat s16.txt
python3 - <<'PY' && ok || bad 'version 16'
old, new = open('s.txt').read().split('\n'), open('s16.txt').read().split('\n')
assert (old[0], new[0]) == ('version 15', 'version 16'), new[0]
differ = 0
for a, b in zip(old[1:], new[1:], strict=True):
    a, b = a.split(), b.split()
    if a and a[0].startswith('domain'):
        differ += a != b
        a[2:10], a[10:18] = a[10:18], a[2:10]
    assert a == b, (a, b)
assert differ
PY
works run -m "$m" -w mixed -k linux-6.12 -t 0.4 --schedstat - && head -n 1 out | grep -q '^version 16$' && ok ||
	bad 'version of linux-6.12'
works run -m "$m" -w mixed -k linux-6.1 -t 0.4 --schedstat - && head -n 1 out | grep -q '^version 15$' && ok ||
	bad 'on the standard output'
fails 3 'nowhere/s.txt' run -m "$m" -w mixed -k linux-6.1 -t 0.4 --schedstat nowhere/s.txt
[ ! -c /dev/full ] || fails 3 '/dev/full' run -m "$m" -w mixed -k linux-6.1 -t 0.4 --schedstat /dev/full
finish
