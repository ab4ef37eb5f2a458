"""Cost of events. Each row runs the workload for t and for 2t simulated seconds under
callgrind, so that loading and start-up cancel out. Bars are those of docs/design.md."""
import json, os, re, resource, subprocess, sys, tempfile

SIBYL = sys.argv[1]
ROWS = [
    # name, arguments, counter, t, bar (instructions), long run in s, bar (CPU seconds)
    ("64 CPUs x 128 tasks, run 1 ms, sleep 1 ms: a sleep-wake cycle",
     ["-m", "pack:2 core:16 pu:2", "-w", "run-sleep", "-p", "tasks=128",
      "-k", "linux-6.1"], "wakeups", 1, 6000, 10, 0.5),
    ("32 CPUs x 128 hogs, HZ 1000: a tick",
     ["-m", "pack:1 core:32 pu:1", "-w", "hogs", "-p", "count=128",
      "-k", "linux-6.1:hz=1000"], "ticks", 2, 800, 60, 0.6),
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
