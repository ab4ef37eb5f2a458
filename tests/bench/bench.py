"""Cost of events. Each load is run flat and in groups, with the same bars: those of
docs/design.md. Each row runs the workload for t and for 2t simulated seconds under
callgrind, so that loading and start-up cancel out."""
import json, os, re, resource, subprocess, sys, tempfile

SIBYL = sys.argv[1]
TMP = tempfile.TemporaryDirectory()
WORKLOADS = "data/workloads"


def in_groups(name, outer=4, inner=4):
    """The workload `name`, which has one task entry, with its instances spread over groups
    of depth 2: `inner` groups in each of `outer` ones. Returns the path of a file."""
    with open(os.path.join(WORKLOADS, name + ".yaml")) as f:
        head, rest = f.read().split("\ntasks:\n")
    entry, metrics = rest.split("\nmetrics:\n")
    key, body = entry.split(":\n", 1)
    groups, tasks = [], []
    for i in range(outer):
        groups.append("  g%d: {weight: 100}" % i)
        for j in range(inner):
            groups.append("  g%ds%d: {weight: 100, parent: g%d}" % (i, j, i))
            part = re.sub(r"count: (\$\w+)", r"count: \1 / %d" % (outer * inner), body)
            n = i * inner + j
            tasks.append("%s%s:\n    cgroup: g%ds%d\n%s" % (key, n or "", i, j, part))
    path = os.path.join(TMP.name, name + ".yaml")
    with open(path, "w") as f:
        f.write("\n".join([head, "cgroups:", *groups, "tasks:", *tasks, "metrics:",
                           metrics]))
    return path


CYCLE = "64 CPUs x 128 tasks, run 1 ms, sleep 1 ms: a sleep-wake cycle"
TICK = "32 CPUs x 128 hogs, HZ 1000: a tick"
DEPTH_2 = ", in 4 x 4 groups of depth 2"


def cycle_args(workload):
    return ["-m", "pack:2 core:16 pu:2", "-w", workload, "-p", "tasks=128",
            "-k", "linux-6.1"]


def tick_args(workload):
    return ["-m", "pack:1 core:32 pu:1", "-w", workload, "-p", "count=128",
            "-k", "linux-6.1:hz=1000"]


ROWS = [
    # name, arguments, counter, t, bar (instructions), long run in s, bar (CPU seconds)
    (CYCLE, cycle_args("run-sleep"), "wakeups", 1, 6000, 10, 0.5),
    (TICK, tick_args("hogs"), "ticks", 2, 800, 60, 0.6),
    (CYCLE + DEPTH_2, cycle_args(in_groups("run-sleep")), "wakeups", 1, 6000, 10, 0.5),
    (TICK + DEPTH_2, tick_args(in_groups("hogs")), "ticks", 2, 800, 60, 0.6),
]


def run(args, seconds):
    out = subprocess.run([SIBYL, "run", *args, "-t", str(seconds), "--json"], check=True,
                         stdout=subprocess.PIPE)
    return json.loads(out.stdout)


def instructions(args, seconds):
    with tempfile.TemporaryDirectory() as tmp:
        err = subprocess.run(["valgrind", "--tool=callgrind",
                              "--callgrind-out-file=" + os.path.join(tmp, "out"),
                              SIBYL, "run", *args, "-t", str(seconds), "--json"],
                             check=True, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True).stderr
    return int(re.search(r"refs:\s+([\d,]+)", err)[1].replace(",", ""))


def peak_kib(args, seconds):
    """Peak resident size of a child, from a fresh process that has only that child."""
    code = ("import resource,subprocess,sys;"
            "subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = subprocess.run([sys.executable, "-c", code, SIBYL, "run", *args, "-t",
                          str(seconds), "--json"], check=True, stdout=subprocess.PIPE)
    return int(out.stdout)


def events(doc, counter):
    return doc[counter] if counter in doc else None


def main():
    over = False
    for name, args, counter, t, bar, long_s, cpu_bar in ROWS:
        a, b = run(args, t), run(args, 2 * t)
        if counter == "ticks":
            n = 32 * 1000 * t
        else:
            n = events(b, counter) - events(a, counter)
        cost = (instructions(args, 2 * t) - instructions(args, t)) / n
        cpu = min(run(args, long_s)["cpu_s"] for _ in range(3))
        long_doc = run(args, long_s)
        print("%s\n  %.0f instructions (bar %d); %d s simulated in %.2f CPU-s (bar %.1f), "
              "%.2f million events a CPU-s" %
              (name, cost, bar, long_s, cpu, cpu_bar, long_doc["events"] / cpu / 1e6))
        over |= cost > bar
    args = ROWS[0][1]
    short, long = peak_kib(args, 10), peak_kib(args, 100)
    print("peak memory, 64 x 128: %.1f MB for 10 s, %.1f MB for 100 s (bar 30 MB, equal)" %
          (short / 1024, long / 1024))
    sys.exit(1 if over else 0)


main()
