#!/usr/bin/env python3
"""`sibyl summary` prints what summarise.py prints, to the digit.

usage: same_summary.py TRACE [summarise.py's options]...   one trace
       same_summary.py --recorded                          every recording in $SIBYL_ORACLE

A recording is SET/NAME.trace.txt.gz with the output of summarise.py beside it in
SET/NAME.summary.json, and the number of CPUs is that of the summary. Without $SIBYL_ORACLE
the status is 77: skipped.
"""
import glob, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
SIBYL = os.environ.get("SIBYL", os.path.join(HERE, "../../build/release/sibyl"))


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


def first_difference(a, b):
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return "...%s\n...%s" % (a[max(0, at - 60):at + 40], b[max(0, at - 60):at + 40])


def same(what, expected, *options):
    got = output(SIBYL, "summary", what, *options)
    if got.strip() == expected.strip():
        return True
    print("%s differs:\n%s" % (what, first_difference(expected, got)))
    return False


def recorded():
    root = os.environ.get("SIBYL_ORACLE")
    if not root:
        print("skipped: SIBYL_ORACLE does not name a folder of recordings")
        return 77
    traces = sorted(glob.glob(os.path.join(root, "*", "*.trace.txt.gz")))
    bad = 0
    for trace in traces:
        expected = open(trace[:-len(".trace.txt.gz")] + ".summary.json").read()
        summary = json.loads(expected)
        # one sibling a core: no time with two of them
        paired = summary["same_core_s"] or summary["cross_core_s"] or summary["lone_s"]
        bad += not same(trace, expected, "--cpus", str(len(summary["cpus"])),
                        "--siblings", "2" if paired else "1")
    print("%d of %d recordings have the summary of summarise.py" %
          (len(traces) - bad, len(traces)))
    return 1 if bad or not traces else 0


def main():
    if sys.argv[1:] == ["--recorded"]:
        return recorded()
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    expected = output(sys.executable, os.path.join(HERE, "summarise.py"), *sys.argv[1:])
    return 0 if same(sys.argv[1], expected, *sys.argv[2:]) else 1


sys.exit(main())
