#!/usr/bin/env python3
"""Run examples of rt-app for real, and their simulation on the topology of this machine.

usage: rtapp_live.py [--repeat N] [--noise PERCENT] [--keep DIR] [EXAMPLE...]

$SIBYL is the binary (default: build/release/sibyl). Exit status 1 if a check fails, 77 (a
skipped test) if there is no rt-app, not the right to give threads a negative nice value, or
no quiet machine.

The examples are those of Debian's package, in local copies: shorter, every task for ever,
instances written out as tasks (so that each thread has a name and a row of its own), keys
that come twice renamed, as workgen does.

Both sides are measured in a window of the same length behind the first 0.3 s:

share     CPU time of a thread over that of all CPUs. Real: /proc/PID/task/TID/schedstat.
passes    passes through phases. Real: lines of the thread's log that end in the window.

What is taken from the real run: how long the loops of `run` took, one number for all threads
of an example, with which the times of `run` in the simulated copy are multiplied. rt-app's
own calibration is a whole number of ns, 10 % of what a loop takes, and the clock of a shared
machine drifts as much between two runs. Thus the sum over threads of a machine that is never
full says nothing; how it is divided, how often, and a full machine do. `runtime` is left as
it is. And how long it takes to leave idle, one number for all examples: how late a lone timer
is (wu_lat, median), less the timer slack. That is 2 us on bare metal and 50 to 100 us on a
virtual machine, whose CPUs leave idle by way of their host.

Tolerance: 5 % of the real value, and
- of a share, 60 us a pass, as stretched as `run` is: rt-app's own work (clocks, log, system
  calls for both) is 20 to 60 us a pass and left out in the simulation. It is all that
  threads do that only wake others;
- of passes, 1.5: a window cuts a pass at both ends.
The real value is the median of the repetitions. A repetition in which other programs used
more than a tenth of the CPUs (--noise) does not count; what is niced and in user space gives
way and is not counted. In a kernel with autogroups that of rt-app gets all the weight.
"""
import argparse, glob, json, os, re, shutil, statistics, subprocess, sys, tempfile, time

EXAMPLES = "/usr/share/doc/rt-app/examples"
BEGIN_S, END_S = 0.3, 6.3
CALIBRATION = 10  # ns a loop: near the truth on common machines; see above
SEEDS = 5
SLACK_US = 50


def text_of(name):
    """The text of an example as strict JSON, but for keys that come twice."""
    text = open(os.path.join(EXAMPLES, name)).read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"suspend"\s*,', '"suspend" : "",', text)
    return re.sub(r",(\s*[}\]])", r"\1", text)


def unique(pairs):
    out = {}
    for key, value in pairs:
        name, n = key, 1
        while name in out:
            n += 1
            name = "%s_%d" % (key, n)
        out[name] = value
    return out


def for_ever(task):
    task = dict(task)
    task["loop"] = -1
    task.pop("instance", None)
    for phase in [task] + list(task.get("phases", {}).values()):
        if phase.get("suspend", None) == "":
            sys.exit("rtapp_live.py: a suspend without a name")
    return task


def local_copy(name):
    """
    Threads for ever, with all their names. Phases of hundreds of passes are a sixth as long,
    and of a pass or two where threads are more than CPUs: so that the window holds many
    rounds of all phases, and where it ends matters little.
    """
    example = json.loads(text_of(name), object_pairs_hook=unique)
    tasks = {}
    for key, task in example["tasks"].items():
        n = task.get("instance", 1)
        for phase in task.get("phases", {}).values():
            passes = phase.get("loop", 1)
            cut = 10 if n > os.cpu_count() else 6 if passes > 100 else 1
            phase["loop"] = max(1, passes // cut)
        for i in range(n):
            tasks[key if n == 1 else "%s_%d" % (key, i)] = for_ever(task)
    return {"tasks": tasks,
            "global": {"duration": int(END_S + 1), "calibration": CALIBRATION,
                       "default_policy": "SCHED_OTHER", "pi_enabled": False,
                       "lock_pages": False, "ftrace": False, "gnuplot": False}}


def cpu_times():
    """Busy time of all CPUs in s, without what is niced."""
    w = [int(x) for x in open("/proc/stat").readline().split()[1:9]]
    return (w[0] + w[2] + w[5] + w[6] + w[7]) / os.sysconf("SC_CLK_TCK")


def thread_times(pid):
    out = {}
    for tid in os.listdir("/proc/%d/task" % pid):
        base = "/proc/%d/task/%s/" % (pid, tid)
        out[open(base + "comm").read().strip()] = \
            int(open(base + "schedstat").read().split()[0]) / 1e9
    return out


def own_session():
    os.setsid()
    try:
        open("/proc/self/autogroup", "w").write("-20")
    except OSError:
        pass


def rows(folder, thread):
    """[(end in s, configured us of run)] of the log of a thread."""
    (path,) = glob.glob(os.path.join(folder, "log-%s-*.log" % thread))
    lines = [line.split() for line in open(path) if not line.startswith("#")]
    return [(int(w[5]) / 1e6, int(w[8])) for w in lines if len(w) > 8]


def lateness(folder):
    """Median us between a timer and its thread, on CPUs that are idle."""
    work = {"tasks": {"late": {"loop": -1, "run": 500,
                               "timer": {"ref": "unique", "period": 5000}}},
            "global": {"duration": 3, "calibration": CALIBRATION, "ftrace": False,
                       "default_policy": "SCHED_OTHER", "gnuplot": False,
                       "logdir": folder, "log_basename": "log"}}
    path = os.path.join(folder, "late.json")
    json.dump(work, open(path, "w"))
    subprocess.run(["rt-app", path], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, preexec_fn=own_session)
    lines = [l.split() for l in open(os.path.join(folder, "log-late-0.log")) if l[0] != "#"]
    return statistics.median(int(w[10]) for w in lines if len(w) > 10 and int(w[10]) > 0)


def machine_file(folder, exit_us):
    """This machine with the exit from idle that was measured."""
    path = os.path.join(folder, "live.yaml")
    open(path, "w").write("description: this machine\nsource: \"measured: hwloc\"\n"
                          "topology: {this: on}\nidle:\n  - {name: halt, exit: %d us, "
                          "residency: %d us, source: \"measured: rt-app\"}\n"
                          % (exit_us, exit_us))
    return path


def real(work, folder):
    """One repetition: {thread: (share, passes)}, stretch of run, CPUs that others used."""
    for path in glob.glob(os.path.join(folder, "log-*.log")):
        os.unlink(path)
    work = dict(work, **{"global": dict(work["global"], logdir=folder,
                                        log_basename="log")})
    path = os.path.join(folder, "real.json")
    json.dump(work, open(path, "w"), indent="\t")
    with subprocess.Popen(["rt-app", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, preexec_fn=own_session) as p:
        started = time.monotonic()
        time.sleep(BEGIN_S)
        t1, busy1, cpu1 = time.monotonic(), cpu_times(), thread_times(p.pid)
        time.sleep(max(0, started + END_S - time.monotonic()))
        t2, busy2, cpu2 = time.monotonic(), cpu_times(), thread_times(p.pid)
    out, used, asked = {}, 0, 0
    for thread in work["tasks"]:
        name = thread[:15]
        cpu = cpu2[name] - cpu1[name]
        ended = [us for end, us in rows(folder, thread) if t1 <= end < t2]
        out[thread] = (cpu / (t2 - t1) / os.cpu_count(), len(ended) / (t2 - t1))
        used += cpu
        asked += sum(ended) / 1e6
    others = (busy2 - busy1 - used) / (t2 - t1)
    return out, used / asked if asked else 1, others / os.cpu_count()


def stretched(value, by):
    if not isinstance(value, dict):
        return value
    return {k: round(v * by) if re.match(r"run(?!time)", k) else stretched(v, by)
            for k, v in value.items()}


def simulated(work, by, machine, folder):
    path = os.path.join(folder, "simulated.json")
    json.dump({"tasks": stretched(work["tasks"], by), "global": work["global"]},
              open(path, "w"), indent="\t")
    sibyl = os.environ.get("SIBYL", "build/release/sibyl")
    sums = {}
    for seed in range(1, SEEDS + 1):
        out = subprocess.run([sibyl, "run", "-m", machine, "-w", path, "-k", "linux-6.1",
                              "-t", "%g s" % END_S, "--seed", str(seed), "--json"],
                             check=True, stdout=subprocess.PIPE).stdout
        metrics = json.loads(out)["metrics"]
        for thread in work["tasks"]:
            pair = (metrics["share_" + thread], metrics["loops_" + thread])
            sums[thread] = [a + b / SEEDS for a, b in zip(sums.get(thread, (0, 0)), pair)]
    return sums


def compare(name, repeat, noisy, machine, folder):
    work = local_copy(name)
    good, noise = [], []
    for _ in range(3 * repeat):
        r = real(work, folder)
        noise.append(r[2])
        if r[2] <= noisy / 100:
            good.append(r)
        if len(good) == repeat:
            break
    if len(good) < repeat:
        print("%s: not judged, other programs used %.0f %% of the CPUs"
              % (name, 100 * statistics.median(noise)))
        return 77
    by = statistics.median(r[1] for r in good)
    if any("runtime" in k for t in work["tasks"].values() for k in t):
        by = 1
    sim = simulated(work, by, machine, folder)
    return table(name, work, good, sim, by)


def table(name, work, good, sim, by):
    seconds, failed = END_S - BEGIN_S, 0
    print("%s, loops of run take %.3f of their nominal time" % (name, by))
    print("  %-15s  %-28s  %s" % ("", "share of CPU time, %", "passes"))
    print("  %-15s  %8s | %9s           %8s | %9s"
          % ("thread", "real", "simulated", "real", "simulated"))
    for thread in work["tasks"]:
        share, rate = (statistics.median(r[0][thread][i] for r in good) for i in (0, 1))
        s, n = sim[thread]
        bad = abs(s - share) > 0.05 * share + 60e-6 * by * rate / os.cpu_count() or \
            abs(n - rate) * seconds > 0.05 * rate * seconds + 1.5
        print("  %-15s  %8.2f | %9.2f  %+6.1f %%  %8.1f | %9.1f  %+6.1f %%%s"
              % (thread, 100 * share, 100 * s, 100 * (s / share - 1) if share else 0,
                 rate * seconds, n * seconds, 100 * (n / rate - 1) if rate else 0,
                 "  FAILED" if bad else ""))
        failed |= bad
    return failed


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--noise", type=float, default=10)
    p.add_argument("--keep", metavar="DIR")
    p.add_argument("example", nargs="*", default=[
        "tutorial/example1.json", "tutorial/example3.json", "tutorial/example5.json",
        "tutorial/example7.json", "spreading-tasks.json", "mp3-short.json"])
    a = p.parse_args()
    if not shutil.which("rt-app") or not os.path.isdir(EXAMPLES):
        print("skipped: no rt-app with its examples (Debian package rt-app)")
        return 77
    if os.geteuid() != 0:
        print("skipped: only root may give threads the nice values of the examples")
        return 77
    folder = a.keep or tempfile.mkdtemp(prefix="sibyl-rtapp.")
    os.makedirs(folder, exist_ok=True)
    late = lateness(folder)
    print("a lone timer is %d us late, %d of them timer slack" % (late, SLACK_US))
    machine = machine_file(folder, max(1, late - SLACK_US))
    results = [compare(name, a.repeat, a.noise, machine, folder) for name in a.example]
    if not a.keep:
        shutil.rmtree(folder)
    print("%d of %d examples fit" % (results.count(0), len(results)))
    return 1 if 1 in results else 77 if 77 in results else 0


if __name__ == "__main__":
    sys.exit(main())
