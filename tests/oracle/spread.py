#!/usr/bin/env python3
"""How long hogs take to spread over caches (or nodes, or cores), from a sched trace.

usage: spread.py TRACE.txt[.gz] --cpus N --size N

TRACE is `trace-cmd report -t` text of tasks named hog0, hog1, ... CPUs of a cache are next to
each other, --size each. Prints one JSON object:

  hogs       how many there are
  spread_ms  time from the fork of the first hog to the first moment at which all of them are
             runnable and the numbers of CPUs that run a hog differ by at most one between any
             two caches; null if that never happens. A cache with all its CPUs busy cannot
             take more, so all CPUs busy is spread, too.
"""
import argparse, gzip, json, re

HEAD = re.compile(r"^\s*.+-\d+\s+\[(\d+)\].*?\s(\d+\.\d+):\s+(sched_switch|sched_wakeup_new|"
                  r"sched_wakeup|sched_process_fork):\s+(.*)$")
SWITCH = re.compile(r"^(.*):(\d+) \[-?\d+\] (\S+) ==> (.*):(\d+) \[-?\d+\]")
WAKE = re.compile(r"^(.*):(\d+) \[-?\d+\]")
CHILD = re.compile(r"child_pid=(\d+)")
HOG = re.compile(r"^hog\d+$")


def read(trace):
    """(events in order of time, pids of hogs: they get their names after the fork)"""
    events, hogs = [], set()
    with (gzip.open if trace.endswith(".gz") else open)(trace, "rt", errors="replace") as f:
        for line in f:
            m = HEAD.match(line)
            if not m:
                continue
            cpu, t, kind, rest = int(m[1]), float(m[2]), m[3], m[4]
            if kind == "sched_process_fork":
                events.append((t, kind, cpu, int(CHILD.search(rest)[1]), 0, False))
                continue
            s = (SWITCH if kind == "sched_switch" else WAKE).match(rest)
            if HOG.match(s[1].strip()):
                hogs.add(int(s[2]))
            if kind != "sched_switch":
                events.append((t, kind, cpu, int(s[2]), 0, False))
                continue
            if HOG.match(s[4].strip()):
                hogs.add(int(s[5]))
            events.append((t, kind, cpu, int(s[2]), int(s[5]), s[3].startswith("R")))
    events.sort(key=lambda e: e[0])
    return events, hogs


def spread(trace, cpus, size):
    events, hogs = read(trace)
    running, runnable, first = {}, set(), None
    for t, kind, cpu, pid, into, stays in events:
        if pid in hogs and first is None and kind in ("sched_process_fork", "sched_wakeup_new"):
            first = t
        if kind.startswith("sched_wakeup") and pid in hogs:
            runnable.add(pid)
        if kind == "sched_switch":
            if pid in hogs and not stays:
                runnable.discard(pid)
            running.pop(cpu, None)
            if into in hogs:
                runnable.add(into)
                running[cpu] = into
        if first is None or len(runnable) < len(hogs):
            continue
        busy = [0] * (cpus // size)
        for c in running:
            busy[c // size] += 1
        if max(busy) - min(busy) <= 1:
            return {"hogs": len(hogs), "spread_ms": round((t - first) * 1e3, 3)}
    return {"hogs": len(hogs), "spread_ms": None}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("trace")
    ap.add_argument("--cpus", type=int, required=True)
    ap.add_argument("--size", type=int, required=True)
    a = ap.parse_args()
    print(json.dumps(spread(a.trace, a.cpus, a.size)))


if __name__ == "__main__":
    main()
