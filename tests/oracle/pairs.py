#!/usr/bin/env python3
"""Where the two ends of ping-pong pairs run, from a sched trace.

usage: pairs.py TRACE.txt[.gz] --threads N --llc N [--rounds R] [--from S]

TRACE is `trace-cmd report -t` text of pairs named ping and pong; a parent forks a pong, its
ping, the next pong and so on, and there may be several parents. CPUs of a core are next to
each other, N threads each; so are those of a last-level cache, N CPUs each. Prints one JSON
object over the time from S on (0.3):

  same_cpu, same_core, same_llc, apart   shares of the times that one end was switched in,
                    by where the other end was last (same_core: another thread of it, ...)
  switches, migrations   per round, of these tasks; --rounds: rounds a second of all pairs
"""
import argparse, collections, gzip, json, re


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("trace")
    ap.add_argument("--threads", type=int, required=True)
    ap.add_argument("--llc", type=int, required=True)
    ap.add_argument("--rounds", type=float, default=0)
    ap.add_argument("--from", dest="lo", type=float, default=0.3)
    a = ap.parse_args()
    opener = gzip.open if a.trace.endswith(".gz") else open
    head = re.compile(r"^\s*.+-\d+\s+\[(\d+)\].*?\s(\d+\.\d+):\s+(sched_switch|sched_migrate_task|"
                      r"sched_process_fork):\s+(.*)$")
    switch = re.compile(r"^(.*):(\d+) \[-?\d+\] (\S+) ==> (.*):(\d+) \[-?\d+\]")
    events, pids, parents = [], set(), {}
    with opener(a.trace, "rt", errors="replace") as f:
        for line in f:
            m = head.match(line)
            if not m:
                continue
            if m[3] == "sched_process_fork":
                parent, child = re.search(r" pid=(\d+).*child_pid=(\d+)", " " + m[4]).groups()
                parents[int(child)] = int(parent)
                continue
            events.append((float(m[2]), int(m[1]), m[3], m[4]))
            s = switch.match(m[4])
            if s:
                pids.update(int(pid) for name, pid in ((s[1], s[2]), (s[4], s[5]))
                            if name.strip() in ("ping", "pong"))
    events.sort(key=lambda e: e[0])
    ordered = sorted(pids, key=lambda pid: (parents.get(pid, 0), pid))
    partner = {}
    for pong, ping in zip(ordered[::2], ordered[1::2]):
        partner[pong], partner[ping] = ping, pong
    where, n, start, end = {}, collections.Counter(), None, 0
    for t, cpu, kind, rest in events:
        if kind == "sched_migrate_task":
            pid = int(re.search(r"pid=(\d+)", rest)[1])
            n["migrations"] += pid in partner and start is not None and t >= start + a.lo
            continue
        s = switch.match(rest)
        out, into = int(s[2]), int(s[5])
        if start is None and (out in partner or into in partner):
            start = t
        if start is None:
            continue
        counted = t >= start + a.lo and (out in partner or into in partner)
        end = t if out in partner or into in partner else end
        n["switches"] += counted
        if into not in partner:
            continue
        where[into] = cpu
        other = where.get(partner[into])
        if not counted or other is None:
            continue
        n["same_cpu" if other == cpu else
          "same_core" if other // a.threads == cpu // a.threads else
          "same_llc" if other // a.llc == cpu // a.llc else "apart"] += 1
    stays = sum(n[k] for k in ("same_cpu", "same_core", "same_llc", "apart"))
    out = {k: round(n[k] / stays, 4) for k in ("same_cpu", "same_core", "same_llc", "apart")}
    if a.rounds:
        window = end - start - a.lo
        for k in ("switches", "migrations"):
            out[k] = round(n[k] / window / a.rounds, 4)
    print(json.dumps(out))


main()
