#!/usr/bin/env python3
"""How long hogs take to spread over caches (or nodes, or cores), from a sched trace.

usage: spread.py TRACE.txt[.gz] --cpus N --size N

TRACE is `trace-cmd report -t` text of tasks named hog0, hog1, ... CPUs of a cache are next to
each other, --size each. Prints one JSON object:

  hogs       how many there are
  spread_ms  time from the fork of the first hog to the first moment at which all of them are
             runnable and the numbers of hogs on the CPUs of any two caches differ by at most
             one; null if that never happens. A cache that has a hog for each of its CPUs
             cannot use more: it counts as having one for each. Hogs wait for a common start
             20 ms after the first fork, so what is found before START does not count if one
             sleeps after it.
"""
import argparse, gzip, json, re

HEAD = re.compile(r"^\s*.+-\d+\s+\[(\d+)\].*?\s(\d+\.\d+):\s+(sched_switch|sched_wakeup_new|"
                  r"sched_wakeup|sched_process_fork|sched_migrate_task):\s+(.*)$")
SWITCH = re.compile(r"^(.*):(\d+) \[-?\d+\] (\S+) ==> (.*):(\d+) \[-?\d+\]")
WAKE = re.compile(r"^(.*):(\d+) \[-?\d+\].*CPU:(\d+)")
MOVE = re.compile(r"pid=(\d+) .*dest_cpu=(\d+)")
CHILD = re.compile(r"child_pid=(\d+)")
START = 0.05  # s
HOG = re.compile(r"^hog\d+$")


def read(trace):
    """([time, kind, pid, CPU] in order of time, pids of hogs: they get names after the fork)"""
    events, hogs = [], set()
    with (gzip.open if trace.endswith(".gz") else open)(trace, "rt", errors="replace") as f:
        for line in f:
            m = HEAD.match(line)
            if not m:
                continue
            cpu, t, kind, rest = int(m[1]), float(m[2]), m[3], m[4]
            if kind == "sched_process_fork":
                events.append((t, "fork", int(CHILD.search(rest)[1]), cpu))
            elif kind == "sched_migrate_task":
                s = MOVE.search(rest)
                events.append((t, "move", int(s[1]), int(s[2])))
            elif kind == "sched_switch":
                s = SWITCH.match(rest)
                hogs.update(int(p) for name, p in ((s[1], s[2]), (s[4], s[5]))
                            if HOG.match(name.strip()))
                if not s[3].startswith("R"):
                    events.append((t, "sleep", int(s[2]), cpu))
                events.append((t, "run", int(s[5]), cpu))
            else:
                s = WAKE.match(rest)
                events.append((t, "wake", int(s[2]), int(s[3])))
    events.sort(key=lambda e: e[0])
    return events, hogs


def spread(trace, cpus, size):
    events, hogs = read(trace)
    where, first, found = {}, None, None  # where: CPU of each hog that is runnable
    for t, kind, pid, cpu in events:
        if pid not in hogs:
            continue
        first = t if first is None else first
        if found is not None and t > first + START:
            break
        if kind == "sleep":
            where.pop(pid, None)
            found = None
        elif kind in ("wake", "run") or (kind == "move" and pid in where):
            where[pid] = cpu
        if len(where) < len(hogs) or found is not None:
            continue
        n = [0] * (cpus // size)
        for c in where.values():
            n[c // size] += 1
        n = [min(x, size) for x in n]
        if max(n) - min(n) <= 1:
            found = t
    ms = None if found is None else round((found - first) * 1e3, 3)
    return {"hogs": len(hogs), "spread_ms": ms}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("trace")
    ap.add_argument("--cpus", type=int, required=True)
    ap.add_argument("--size", type=int, required=True)
    a = ap.parse_args()
    print(json.dumps(spread(a.trace, a.cpus, a.size)))


if __name__ == "__main__":
    main()
