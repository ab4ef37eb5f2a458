#!/usr/bin/env python3
"""Run one oracle scenario here and compare it with the recording.

usage: judge.py NAME [--table] [--seeds N]

$SIBYL is the binary (default: build/release/sibyl). Exit status 1 if a check fails in any
seed. --table prints a row for a report instead of the checks.

shares=X  the sorted shares of CPU of the workload's tasks, pairwise within X.
slices    the median stay on a CPU, per task name if names differ in kind, else the median
          over the tasks: within 15 % or one tick (1 ms). Recorded stays are stretched by
          ticks that the emulation delivered late, up to 1.6 ms on a fully busy machine.
kernel=K  the recipe, if it is not linux-6.1.192.
forced=X  time with one sibling idle beside a busy one: within X of the CPU time. All CPUs
          have work in these scenarios, so that is forced idle.
cookies   two cookies on one core: at most 4 % of the time more than recorded. On a machine
          whose host stops its CPUs that is how long a sibling does not notice its IPI.
workload=W  the workload file, if it is not of the scenario's name.
switches=X  context switches a second, of all CPUs: within the factor 1 +- X.
any=X     the sorted shares, pairwise within X, in at least one of the seeds: where tasks
          land first decides which of a few patterns comes about, and the recording is one.
seeds=N   how many seeds, if not 3, or 6 with any=; no more once one has met all any...
anyforced=X  as forced=X, in at least one of the seeds.
ratio=X   CPU time of the last group of tasks over that of the first (by leading letters of
          their names): within the factor 1 +- X, over all seeds together. One recording is
          one draw; how far seeds scatter is printed.
alone     tasks that have a CPU each: fewer than 5 preemptions a second and task. A task
          that shares its CPU has 40 or more. (Stays cannot be compared here: the recorded
          ones are cut by kernel threads, such as a stop_machine 1.2 s after boot, which
          are not simulated.)
spread    one task a core: time with both siblings busy below 2 % of the window per core.
pairs     time with both siblings busy, in core-seconds: within 5 % of all core-seconds.
busy=X    time with both siblings busy, with whatever tasks: within X of core time.
lone=X    time with one sibling busy: within X of core time.
preempted=X  preemptions a second of each kind of task: within the factor 1 +- X, or 5 a
          second and task.
runs=X    stays on a CPU of each task: within the factor 1 +- X. (Switches of kernel threads,
          which are recorded too, are not counted.)
where=X   ping-pong pairs: how often one end is switched in on the CPU, on the core, on the
          cache where the other was last (pairs.py): each share within X.
anywhere=X  as where=X, in at least one of the seeds.
llc=N     CPUs that share a last-level cache, for `where`; the default is all.
rounds=X  switches per round trip within the factor 1 +- X, and fewer than one migration in
          100 round trips on both sides. (How long a round trip takes is not compared: the
          recorded ones pay for emulation.)
"""
import argparse, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TICK_MS = 1.0


def scenario(name):
    for line in open(os.path.join(HERE, "scenarios.txt")):
        words = line.split()
        if words and words[0] == name:
            return words
    sys.exit("judge.py: no scenario %s in scenarios.txt" % name)


def pair_places(trace, threads, llc, rounds):
    out = subprocess.run([sys.executable, os.path.join(HERE, "pairs.py"), trace,
                          "--threads", threads, "--llc", llc, "--rounds", str(rounds)],
                         check=True, stdout=subprocess.PIPE)
    return json.loads(out.stdout)


def simulate(workload, machine, cpus, threads, seed, kernel, llc, extra=(), also=None):
    """The summary of one seed's trace; `also(trace)` is a dict of what else to keep of it."""
    sibyl = os.environ.get("SIBYL", os.path.join(HERE, "../../build/release/sibyl"))
    with tempfile.TemporaryDirectory() as tmp:
        trace = os.path.join(tmp, "trace.txt")
        # pairs do the same all the time: half a second of it says where they meet
        short = ["-p", "seconds=500ms"] if llc else []
        run = subprocess.run([sibyl, "run", "-m", machine, "-w", workload, "-k", kernel, *short,
                              "--seed", str(seed), *extra, "--trace", trace, "--trace-format",
                              "ftrace", "--json"], check=True, stdout=subprocess.PIPE)
        if llc:
            metrics = json.loads(run.stdout)["metrics"]
            pairs = {"pairs": pair_places(trace, threads, llc, metrics["rounds_per_s"])}
            if not kernel.startswith("coresched"):
                return pairs
            also = lambda _: pairs
        # what summarise.py prints, sooner: same_summary.py holds them equal
        out = subprocess.run([sibyl, "summary", trace, "--cpus", cpus, "--siblings", threads],
                             check=True, stdout=subprocess.PIPE)
        return json.loads(out.stdout) | (also(trace) if also else {})


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def slices(summary, by_name):
    """Median stay in ms: per name, or one for all tasks of a kind."""
    per = {}
    for name, t in summary["tasks"].items():
        kind = name if by_name else re.match("[A-Za-z]+", name)[0]
        per.setdefault(kind, []).append(t["slice_ms"]["p50"])
    return {k: median(v) for k, v in per.items()}


def preempted(summary):
    """Per second and task, of each kind of task."""
    per = {}
    for name, t in summary["tasks"].items():
        per.setdefault(re.match("[A-Za-z]+", name)[0], []).append(t["preempted"])
    return {k: sum(v) / len(v) / summary["window_s"] for k, v in per.items()}


def shares(summary):
    return sorted(t["share"] for t in summary["tasks"].values())


def judge(rec, sim, cores, checks):
    """Yields (ok, text)."""
    window, by_name = sim.get("window_s"), len(set(rec["tasks"])) == 3
    for check in checks:
        if check.startswith(("kernel=", "llc=", "anywhere=", "workload=")):
            continue
        elif check.startswith("where="):
            worst = apart(rec, sim)
            yield (worst <= float(check[6:]),
                   "ends meet: recorded %s, simulated %s" % (places(rec), places(sim)))
        elif check.startswith("rounds="):
            a, b = rec["pairs"]["switches"], sim["pairs"]["switches"]
            yield (abs(b / a - 1) <= float(check[7:]),
                   "switches per round: recorded %.2f, simulated %.2f" % (a, b))
            for side, s in (("recorded", rec), ("simulated", sim)):
                yield (s["pairs"]["migrations"] < 0.01, "%s: %.4f migrations per round"
                       % (side, s["pairs"]["migrations"]))
        elif check.startswith("forced="):
            limit, total = float(check[7:]), window * cores
            a, b = rec["lone_s"] / rec["window_s"] / cores, sim["lone_s"] / total
            yield (abs(a - b) / 2 <= limit,
                   "one sibling idle: recorded %.3f, simulated %.3f of core time" % (a, b))
        elif check == "cookies":
            limit = rec["cross_core_s"] / rec["window_s"] + 0.04 * cores
            yield (sim["cross_core_s"] <= limit * window,
                   "cookies together on a core: recorded %.4f s, simulated %.4f s" %
                   (rec["cross_core_s"], sim["cross_core_s"]))
        elif check.startswith(("any", "seeds=")):
            continue  # in one of the seeds: main()
        elif check.startswith("shares="):
            limit = float(check[7:])
            a, b = shares(rec), shares(sim)
            worst = max(abs(x - y) for x, y in zip(a, b))
            yield (len(a) == len(b) and worst <= limit,
                   "shares: %d and %d tasks, worst difference %.3f, allowed %.3f"
                   % (len(a), len(b), worst, limit))
        elif check == "slices":
            a, b = slices(rec, by_name), slices(sim, by_name)
            for k in a:
                allowed = max(0.15 * a[k], TICK_MS)
                yield (abs(a[k] - b[k]) <= allowed,
                       "slice median of %s: recorded %.2f ms, simulated %.2f ms, allowed "
                       "+-%.2f" % (k, a[k], b[k], allowed))
        elif check == "alone":
            for side, s in (("recorded", rec), ("simulated", sim)):
                n = sum(t["preempted"] for t in s["tasks"].values())
                rate = n / len(s["tasks"]) / s["window_s"]
                yield (rate < 5, "%s: %.1f preemptions a second and task" % (side, rate))
        elif check == "spread":
            for side, s in (("recorded", rec), ("simulated", sim)):
                yield (s["same_core_s"] <= 0.02 * s["window_s"] * cores,
                       "%s: siblings both busy %.3f s" % (side, s["same_core_s"]))
        elif check == "pairs":
            a = rec["same_core_s"] / rec["window_s"] / cores
            b = sim["same_core_s"] / window / cores
            yield (abs(a - b) <= 0.05,
                   "siblings both busy: recorded %.3f, simulated %.3f of core time" % (a, b))
        elif check.startswith("busy="):
            a, b = [(s["same_core_s"] + s["cross_core_s"]) / s["window_s"] / cores
                    for s in (rec, sim)]
            yield (abs(a - b) <= float(check[5:]),
                   "siblings both busy: recorded %.3f, simulated %.3f of core time" % (a, b))
        elif check.startswith("lone="):
            a, b = [s["lone_s"] / s["window_s"] / cores for s in (rec, sim)]
            yield (abs(a - b) <= float(check[5:]),
                   "one sibling busy: recorded %.3f, simulated %.3f of core time" % (a, b))
        elif check.startswith("preempted="):
            a, b = preempted(rec), preempted(sim)
            for k in a:
                allowed = max(a[k] * float(check[10:]), 5)
                yield (abs(a[k] - b[k]) <= allowed,
                       "%s preempted: recorded %.1f, simulated %.1f a second and task"
                       % (k, a[k], b[k]))
        elif check.startswith("runs="):
            a, b = [sum(t["runs"] for t in s["tasks"].values()) / s["window_s"]
                    for s in (rec, sim)]
            yield (abs(b / a - 1) <= float(check[5:]),
                   "stays on a CPU: recorded %.1f, simulated %.1f a second" % (a, b))
        elif check.startswith("switches="):
            a, b = [s["switches"] / s["window_s"] for s in (rec, sim)]
            yield (abs(b / a - 1) <= float(check[9:]),
                   "switches a second: recorded %.0f, simulated %.0f" % (a, b))
        elif check.startswith("ratio="):
            continue  # over all seeds: main()
        else:
            sys.exit("judge.py: unknown check %s in scenarios.txt" % check)


PLACES = ("same_cpu", "same_core", "same_llc", "apart")


def apart(rec, sim):
    return max(abs(rec["pairs"][k] - sim["pairs"][k]) for k in PLACES)


def places(s):
    return "/".join("%.2f" % s["pairs"][k] for k in PLACES)


def ratio(summary):
    per = {}
    for name, t in summary["tasks"].items():
        kind = re.match("[A-Za-z]+", name)[0]
        per[kind] = per.get(kind, 0) + t["share"]
    first, last = min(per), max(per)
    return per[last] / per[first]


def row(name, rec, sim):
    a, b = slices(rec, False), slices(sim, False)
    sa, sb = shares(rec), shares(sim)
    k = sorted(a)[0] if len(a) == 1 else None
    print("%-10s shares %.3f..%.3f | %.3f..%.3f  slice %s | %s ms  preempted %d | %d  "
          "migrations %d | %d" %
          (name, sa[0], sa[-1], sb[0], sb[-1],
           "%.2f" % a[k] if k else ",".join("%.2f" % a[x] for x in sorted(a)),
           "%.2f" % b[k] if k else ",".join("%.2f" % b[x] for x in sorted(b)),
           sum(t["preempted"] for t in rec["tasks"].values()),
           sum(t["preempted"] for t in sim["tasks"].values()),
           rec["migrations"], sim["migrations"]))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("name")
    ap.add_argument("--table", action="store_true")
    ap.add_argument("--seeds", type=int, default=0)
    args = ap.parse_args()
    name, machine, cpus, threads, *checks = scenario(args.name)
    if not args.seeds:
        asked = [int(c[6:]) for c in checks if c.startswith("seeds=")]
        args.seeds = asked[0] if asked else 6 if any(c.startswith("any") for c in checks) else 3
        if not asked and any(c.startswith("where=") for c in checks):
            args.seeds = 2  # long traces
    rec = json.load(open(os.path.join(HERE, "recorded", name + ".summary.json")))
    pairs = os.path.join(HERE, "recorded", name + ".pairs.json")
    llc = None
    if os.path.exists(pairs):
        rec["pairs"] = json.load(open(pairs))
        llc = ([c[4:] for c in checks if c.startswith("llc=")] + [cpus])[0]
    failed, ratios, nearest, forced, meet = False, [], [], [], []
    kernel = ([c[7:] for c in checks if c.startswith("kernel=")] + ["linux-6.1.192"])[0]
    workload = ([c[9:] for c in checks if c.startswith("workload=")] + [name])[0]
    for seed in range(1, args.seeds + 1):
        sim = simulate(workload, machine, cpus, threads, seed, kernel, llc)
        if args.table:
            row(name, rec, sim)
            continue
        for ok, text in judge(rec, sim, int(cpus) // int(threads), checks):
            print("%s seed %d: %s" % ("ok  " if ok else "FAIL", seed, text))
            failed |= not ok
        if llc:
            meet.append(apart(rec, sim))
            if any(c.startswith("anywhere=") and meet[-1] <= float(c[9:]) for c in checks):
                break  # the one that was looked for
            continue
        ratios.append(ratio(sim))
        nearest.append(max(abs(x - y) for x, y in zip(shares(rec), shares(sim))))
        forced.append(abs(rec["lone_s"] / rec["window_s"] - sim["lone_s"] / sim["window_s"])
                      / int(cpus))
        wanted = [(c, last) for c in checks for key, last in
                  (("any=", nearest[-1]), ("anyforced=", forced[-1])) if c.startswith(key)]
        if wanted and all(last <= float(c.split("=")[1]) for c, last in wanted):
            break
    for check in checks:
        for key, text, list_ in (("any=", "shares", nearest), ("anyforced=", "forced idle", forced),
                                ("anywhere=", "where ends meet", meet)):
            if check.startswith(key) and list_:
                ok = min(list_) <= float(check[len(key):])
                print("%s nearest seed: %s differ by %.3f at most (%s)" %
                      ("ok  " if ok else "FAIL", text, min(list_),
                       ", ".join("%.3f" % x for x in list_)))
                failed |= not ok
        if check.startswith("ratio=") and ratios:
            want, have = ratio(rec), sum(ratios) / len(ratios)
            ok = abs(have / want - 1) <= float(check[6:])
            print("%s all seeds: ratio recorded %.3f, simulated %.3f (%.3f to %.3f)" %
                  ("ok  " if ok else "FAIL", want, have, min(ratios), max(ratios)))
            failed |= not ok
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
