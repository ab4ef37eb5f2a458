#!/usr/bin/env python3
"""How soon a sibling follows a core-wide pick, in a trace of core scheduling (.txt or .txt.gz).

usage: notice.py TRACE...

A CPU that switches to another cookie than its sibling's has picked for the core, and tells the
sibling by an IPI. Until the sibling switches, too, two cookies are on the core. (On hardware that
is microseconds; a CPU of an emulated machine takes the IPI when its host runs it.) Likewise a CPU
that goes idle because its sibling, which was forced idle, is to run. Printed are, in us and for
either kind, how many there were, how many took more than 20, the mean, the median, 90 of 100.

What that says about the host of a machine (`host:` in data/machines): with B busy CPUs on H of the
host's, who is stopped stays stopped for `slice` * (B - H) / H on average, which is the mean of those
busy siblings that took more than 20 us. `wake` is the mean of the idle ones.
"""
import gzip, re, sys

SWITCH = re.compile(r"^\s*.+-\d+\s+\[(\d+)\]\s+([\d.]+): sched_switch:\s+.+:\d+ \[-?\d+\] (\S+)"
                    r" ==> (.+):(\d+) \[")
DROP = 0.3  # s, as summarise.py


def kind(name, pid):
    """The cookie by the letter of the name; '-' idle, None a kernel thread or a parent."""
    m = re.match(r"^([abc])\d*$", name)
    return m[1] if m else "-" if pid == "0" else None


def follow(lines):
    """us of busy siblings, us of idle ones"""
    runs, waits, out, first = {}, {}, ([], []), None
    for line in lines:
        m = SWITCH.match(line)
        if not m:
            continue
        cpu, at, left, new = int(m[1]), float(m[2]), m[3], kind(m[4], m[5])
        sibling, old = cpu ^ 1, runs.get(cpu)
        beside = runs.get(sibling)
        first = at if first is None else first
        if at > first + DROP:
            if sibling in waits:
                since, which = waits.pop(sibling)
                out[which].append((at - since) * 1e6)
            waits.pop(cpu, None)
            if new in ("a", "b", "c") and beside in ("a", "b", "c") and beside != new:
                waits[cpu] = at, 0
            elif new == "-" and beside == "-" and old in ("a", "b", "c") and left == "R":
                waits[cpu] = at, 1
        runs[cpu] = new
    return out


def main():
    for path in sys.argv[1:]:
        with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as f:
            both = follow(f)
        for what, us in zip(("busy", "idle"), both):
            if len(us) < 10:
                continue
            us.sort()
            late = [x for x in us if x > 20]
            print("%-32s %s: %4d, %3d %% late; mean %5.0f, of the late ones %5.0f; median %5.0f, "
                  "90 in 100 %5.0f" % (path.split("/")[-1], what, len(us),
                                       100 * len(late) / len(us), sum(us) / len(us),
                                       sum(late) / max(len(late), 1), us[len(us) // 2],
                                       us[len(us) * 9 // 10]))


if __name__ == "__main__":
    main()
