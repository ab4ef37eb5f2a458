#!/usr/bin/env python3
"""A recording less the pauses in which the host stopped the whole guest.

usage: stops.py TRACE.txt[.gz] [--gap MS] > LESS.txt

While a guest of several busy CPUs stands still there is no event on any of them, and what runs
seems to run, what sleeps to sleep, on and on. In slp8hog8, which has three events a ms, there
are twelve pauses of more than 12 ms, 0.5 s of 3; the other busy recordings have none of more
than a tick's length or two that their hogs do not explain. Each pause becomes 1 ms. The start,
up to which the programs wait for each other, is left as it is.
"""
import argparse, gzip, re, sys

EVENT = re.compile(r"(\s)(\d+\.\d+)(: sched_\w+:)")
START = 0.03  # s
KEEP = 0.001


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("trace")
    ap.add_argument("--gap", type=float, default=12)
    a = ap.parse_args()
    with (gzip.open if a.trace.endswith(".gz") else open)(a.trace, "rt", errors="replace") as f:
        lines = [(float(m[2]), line) for line in f for m in [EVENT.search(line)] if m]
    lines.sort(key=lambda x: x[0])
    first = last = lines[0][0]
    off = 0.0
    for t, line in lines:
        if t - last > a.gap / 1e3 and last - first > START:
            off += t - last - KEEP
        last = t
        sys.stdout.write(EVENT.sub(lambda m: "%s%.9f%s" % (m[1], t - off, m[3]), line, count=1))
    print("%.3f s of %.3f s left out" % (off, last - first), file=sys.stderr)


if __name__ == "__main__":
    main()
