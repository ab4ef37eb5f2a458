#!/usr/bin/env python3
"""Every recorded scenario against its simulation, at one set of bars: docs/oracle.md.

usage: report.py [NAME...] [--seeds N] [-o FILE]

$SIBYL is the binary (default: build/release/sibyl). With names only those scenarios, as text.

A recording is one run, so is a seed. A check holds if the median of the seeds is within the
bar of what was recorded. A wake-up that took less than 20 us was emulated code for the most
part; there the order of magnitude is compared ("order": within a factor of 10). Where two
seeds differ from each other by more than the bar, one recording cannot say more than that it
could be one of them: the check holds "in spread" if some seed is within the bar. A miss is
named as such; if its cause is known `causes.txt` has a row for it, with one option whose change
closes the gap, and the report runs that.
"""
import argparse, concurrent.futures, json, os, re, sys, tempfile

import judge
from judge import median
from spread import spread

HERE = os.path.dirname(os.path.abspath(__file__))
TICK_MS = 1.0
EMULATED_US = 20
# Unless report.txt says another.
KERNEL = "linux-6.1.192"
SETS = {  # machine: CPUs, threads a core, CPUs that share a cache
    "oracle-smt8": (8, 2, 8), "oracle-smt8-10x": (8, 2, 8), "oracle-smt8-50x": (8, 2, 8),
    "oracle-eevdf8": (8, 2, 8), "oracle-eevdf8-core": (8, 2, 8), "oracle-nosmt8": (8, 2, 8),
    "oracle-numa16": (16, 2, 8), "oracle-llc16": (16, 2, 4),
    "oracle-numa16-20x": (16, 2, 8), "oracle-llc16-20x": (16, 2, 4),
    "oracle-s8x10": (80, 1, 10), "oracle-s8x10-50x": (80, 1, 10),
}


def table(path, width):
    for line in open(os.path.join(HERE, path)):
        words = line.split("#")[0].strip().split(None, width - 1)
        if words:
            yield [w.strip() for w in words]


class Scenario:
    """A row of report.txt: name, machine, seeds and, if they are not the usual ones, kernel=,
    workload= and options of `sibyl run` behind them."""

    def __init__(self, name, machine, seeds, *more):
        self.name, self.machine, self.seeds = name, machine, int(seeds)
        given = dict(w.split("=", 1) for w in more if w.startswith(("kernel=", "workload=")))
        self.kernel, self.workload = given.get("kernel", KERNEL), given.get("workload", name)
        self.extra = [w for w in more if not w.startswith(("kernel=", "workload="))]
        self.rec = self.read(".summary.json")
        self.core = self.kernel.startswith("coresched")
        for part in ("pairs", "spread"):
            found = self.read(".%s.json" % part)
            if found:
                self.rec[part] = found

    def read(self, suffix):
        path = os.path.join(HERE, "recorded", self.name + suffix)
        if not os.path.exists(path):
            return None
        with open(path) as f:
            return json.load(f)

    def simulate(self, seed, options=(), given=None, path=None):
        """`given`: what causes.txt has in front, see leading()."""
        given = given or {}
        machine = given.get("-m") or self.machine
        cpus, threads, llc = SETS[machine]
        size = unit(machine)[1]
        also = (lambda t: {"spread": spread(t, cpus, size)}) if "spread" in self.rec else None
        workload = self.workload
        if given.get("-w"):
            workload = os.path.join(HERE, given["-w"])
        return judge.simulate(workload, path or machine, str(cpus),
                              str(threads), seed, given.get("-k") or self.kernel,
                              str(llc) if "pairs" in self.rec else None,
                              [*self.extra, *options], also)


def unit(machine):
    """What hogs spread over: caches or, where there is but one, cores; CPUs of each."""
    cpus, threads, llc = SETS[machine]
    return ("cache", llc) if llc < cpus else ("core", threads)


class Check:
    """One number or vector of a scenario: how far apart two summaries are, and the bar."""

    def __init__(self, what, value, bar, unit="", apart=None):
        self.what, self.value, self.bar, self.unit = what, value, bar, unit
        self.apart = apart or (lambda a, b: abs(a - b))


def kinds(summary, by_name):
    per = {}
    for name, t in summary["tasks"].items():
        key = name if by_name else re.match("[A-Za-z]+", name)[0]
        per.setdefault(key, []).append(t)
    return per


def vector_apart(a, b):
    if len(a) != len(b):
        return float("inf")
    return max((abs(x - y) for x, y in zip(a, b)), default=0)


def factor(a, b):
    return max(a, b) / max(min(a, b), 0.1)


def moves_apart(a, b):
    """Numbers of migrations: 10 more or fewer say nothing."""
    return 1 if abs(a - b) <= 10 else factor(a, b)


def time_apart(a, b):
    """ms to spread; a CPU looks for work once a tick. None: never."""
    if a is None or b is None:
        return 1 if a == b else float("inf")
    return 1 if abs(a - b) <= TICK_MS else factor(a, b)


def per_kind(rec, key, by_name, forked, shares=True):
    """The checks of one kind of task, those of its shares among them."""
    def of(s):
        return kinds(s, by_name).get(key, [])

    def rate(field):
        return lambda s: sum(t[field] for t in of(s)) / max(len(of(s)), 1) / s["window_s"]

    def mid(field, q):
        def get(s):
            values = [t[field][q] for t in of(s) if t[field][q] is not None]
            return median(values) if values else None
        return get

    moves = any(t["migrations"] for t in rec["tasks"].values())
    if forked:  # children that come and go: what they use together
        yield Check("CPUs used by %s" % key, lambda s: sum(t["share"] for t in of(s)),
                    0.15 * sum(t["share"] for t in of(rec)))
    elif shares:
        yield Check("shares of %s" % key, lambda s: sorted(t["share"] for t in of(s)),
                    0.03 if moves else 0.02, apart=vector_apart)
    stay = mid("slice_ms", "p50")(rec)
    # a task that is never preempted: its stays are cut by kernel threads, not by its like
    if stay is not None and rate("preempted")(rec) >= 5:
        yield Check("slice median of %s" % key, mid("slice_ms", "p50"),
                    max(0.15 * stay, TICK_MS), "ms")
    if not forked:
        yield Check("preemptions of %s" % key, rate("preempted"),
                    max(0.15 * rate("preempted")(rec), 5), "/s")
    runs = rate("runs")(rec)
    yield Check("switches to %s" % key, rate("runs"), max(0.25 * runs, 5), "/s")
    for q in ("p50", "p95"):
        us = mid("wake_us", q)(rec)
        if us is not None and us > 5 and max(t["wake_us"]["n"] for t in of(rec)) >= 20:
            yield Check("wake-up %s of %s" % (q, key), mid("wake_us", q), 2, "us",
                        factor)
    window = rec["window_s"]
    yield Check("migrations of %s" % key, lambda s: sum(t["migrations"] for t in of(s))
                * window / s["window_s"], 2, apart=moves_apart)


def core_checks(rec, cores):
    """Core scheduling. All CPUs have work in the scenarios of hogs, so a CPU that idles beside a
    busy one is forced idle."""
    def of_time(*fields):
        return lambda s: sum(s[f] for f in fields) / s["window_s"] / cores

    if "pairs" in rec:
        yield from pair_checks(rec)
    else:
        # of all tasks, since commands that differ in their cookie only can change places
        yield Check("shares", judge.shares, 0.05, apart=vector_apart)
        for key in kinds(rec, False):
            yield from per_kind(rec, key, False, False, False)
        yield Check("CPU time forced idle", lambda s: of_time("lone_s")(s) / 2, 0.05)
        yield Check("both siblings busy", of_time("same_core_s", "cross_core_s"), 0.05)
    yield Check("two cookies on a core", of_time("cross_core_s"), 0.02)


def checks(rec, machine, core):
    cpus, threads, llc = SETS[machine]
    cores = cpus // threads
    if core:
        yield from core_checks(rec, cores)
        return
    if "pairs" in rec:
        yield from pair_checks(rec)
        return
    by_name = len(rec["tasks"]) == 3 and "n0" in rec["tasks"]
    forked = any(n.startswith("forkburst") for n in rec["tasks"])
    for key in kinds(rec, by_name):
        yield from per_kind(rec, key, by_name, forked)

    def core_time(*fields):
        return lambda s: sum(s[f] for f in fields) / s["window_s"] / cores

    if threads == 2:
        yield Check("both siblings busy", core_time("same_core_s", "cross_core_s"), 0.05)
        yield Check("one sibling busy", core_time("lone_s"), 0.05)
    what, size = unit(machine)
    yield Check("busy CPUs of each %s" % what,
                lambda s: sorted(sum(s["cpus"][i:i + size]) for i in range(0, cpus, size)),
                0.05 * size, apart=vector_apart)
    if "spread" in rec:
        yield Check("time to spread over %ss" % what, lambda s: s["spread"]["spread_ms"], 2, "ms",
                    time_apart)


def pair_checks(rec):
    yield Check("where ends meet", lambda s: [s["pairs"][k] for k in
                ("same_cpu", "same_core", "same_llc", "apart")], 0.05, apart=vector_apart)
    yield Check("switches a round", lambda s: s["pairs"]["switches"],
                0.25 * rec["pairs"]["switches"])
    yield Check("migrations a round", lambda s: s["pairs"]["migrations"], 0.01)


def number(v):
    if v is None:
        return "never"
    if isinstance(v, list):
        if len(v) > 8:
            return "%.3f .. %.3f" % (v[0], v[-1])
        return " ".join("%.2f" % x for x in v)
    return "%.3g" % v if abs(v) < 1000 else "%.0f" % v


def verdict(check, rec, sims):
    """(word, recorded, text of the seeds)"""
    a, b = check.value(rec), [check.value(s) for s in sims]
    if any(x is None for x in b) and "spread" not in check.what:
        return "miss", number(a), "n/a"
    far = [check.apart(a, x) for x in b]
    spread = max(check.apart(x, y) for x in b for y in b)
    if isinstance(a, list):
        mid = b[sorted(range(len(far)), key=far.__getitem__)[len(far) // 2]]
        text = "%s (apart %s to %s)" % (number(mid), number(min(far)), number(max(far)))
        middle = median(far)
    else:
        b = sorted(b, key=lambda x: float("inf") if x is None else x)
        mid = b[len(b) // 2]
        text = "%s (%s to %s)" % (number(mid), number(b[0]), number(b[-1]))
        middle = check.apart(a, mid)
    word = ("holds" if middle <= check.bar else
            "in spread" if spread > check.bar and min(far) <= check.bar else
            "order" if "wake-up" in check.what and a < EMULATED_US and middle <= 10 else
            "miss")
    return word, number(a), text


def ratio(check):
    return "wake-up" in check.what or "migrations of" in check.what or "spread" in check.what


def compare(sc, seeds):
    sims = [sc.simulate(seed) for seed in range(1, seeds + 1)]
    rows = []
    for c in checks(sc.rec, sc.machine, sc.core):
        word, a, b = verdict(c, sc.rec, sims)
        bar = "x%g" % c.bar if ratio(c) else "+-%.3g" % c.bar
        rows.append((sc.name, c.what + (", " + c.unit if c.unit else ""), a, b, bar, word, c))
    return rows


def variant(machine, turn, wake, timer, cost, folder):
    """The machine with another turn of its host, another time that its idle CPUs wait for the
    host, other odds that a timer ends a turn, or another cost, as a file in `folder`."""
    home = os.path.abspath(os.path.join(HERE, "../../data/machines"))
    with open(os.path.join(home, machine + ".yaml")) as f:
        text = re.sub(r"base: ", "base: %s/" % home, f.read())
    if turn or wake or timer:
        own = re.search(r"(?m)^  slice: (.*)$", text)
        text = re.sub(r"(?ms)^host:.*?(?=^\w|\Z)", "", text)
        text += "host: {cpus: 2, slice: %s, %s%ssource: \"estimate: a try\"}\n" % (
            turn or own[1], "wake: %s, " % wake if wake else "",
            "timer: %s, " % timer if timer else "")
    if cost:
        name, value = cost.split("=")
        text += "costs:\n  %s: {value: %s, source: \"estimate: a try\"}\n" % (name, value)
    path = os.path.join(folder, machine + ".yaml")
    with open(path, "w") as f:
        f.write(re.sub(r"(\d)(us|%)", r"\1 \2", text))
    return path


def leading(opts):
    """What causes.txt has in front (see there), and the options behind it."""
    given = {"-k": None, "-m": None, "-w": None, "-H": None, "-W": None, "-T": None, "-C": None,
             "-R": None}
    while opts and opts[0] in given:
        given[opts[0]], opts = opts[1], opts[2:]
    return given, opts


def run_cause(opts, sc, seeds):
    given, opts = leading(opts)
    with tempfile.TemporaryDirectory() as tmp:
        path = None
        if given["-H"] or given["-W"] or given["-T"] or given["-C"]:
            path = variant(given["-m"] or sc.machine, given["-H"], given["-W"], given["-T"],
                           given["-C"], tmp)
        return [sc.simulate(s, opts, given, path) for s in range(1, seeds + 1)]


def explain(check, sc, causes, seeds, known):
    """The row of causes.txt for a miss, run unless it has no options: what it gives. `known` keeps
    what was run."""
    for n, pattern, args, why in causes:
        if not re.fullmatch(n, sc.name) or not re.fullmatch(pattern, check.what):
            continue
        if args == "-":
            return why
        if args not in known:
            known[args] = run_cause(args.split(), sc, seeds)
        other = leading(args.split())[0]["-R"]
        rec = sc.read(".%s.summary.json" % other) if other else sc.rec
        # bars are parts of what was recorded
        check = next(c for c in checks(rec, sc.machine, sc.core) if c.what == check.what)
        word, a, b = verdict(check, rec, known[args])
        if other:
            b = "%s beside %s" % (b, a)
        return "%s; with `%s`: %s, %s" % (why, args, b, word)
    return "no cause known"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("names", nargs="*")
    ap.add_argument("--seeds", type=int, help="instead of those in report.txt")
    ap.add_argument("-o", dest="out")
    args = ap.parse_args()
    todo = [Scenario(*w[0].split()) for w in table("report.txt", 1)
            if not args.names or w[0].split()[0] in args.names]
    causes = [[x.strip() for x in w[0].split(" | ")] for w in table("causes.txt", 1)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(compare, sc, args.seeds or sc.seeds) for sc in todo]
        out, count, why = [], {}, []
        for sc, f in zip(todo, futures):
            rows, known = f.result(), {}
            for r in rows:
                count[r[5]] = count.get(r[5], 0) + 1
                out.append(r[:6])
                if r[5] == "miss":
                    why.append((sc.name, r[6].what,
                                explain(r[6], sc, causes, args.seeds or sc.seeds, known)))
            print("%-12s %s" % (sc.name, ", ".join("%s: %s" % (r[6].what, r[5]) for r in rows
                                                  if r[5] != "holds") or "holds"),
                  file=sys.stderr)
    total = sum(count.values())
    line = "%d checks: %s" % (total, ", ".join("%d %s" % (count[k], k) for k in
                              ("holds", "order", "in spread", "miss") if k in count))
    if not args.out:
        for r in out:
            print("%-12s %-26s %-30s %-46s %-8s %s" % r)
        for w in why:
            print("%s, %s: %s" % w)
        print(line)
        return
    with open(os.path.join(HERE, "report.md.in")) as f:
        text = f.read()
    rows = "".join("| %s |\n" % " | ".join(r) for r in out)
    misses = "".join("- **%s, %s**: %s\n" % w for w in why)
    for key, value in (("@COUNT@", line), ("@ROWS@", rows),
                       ("@MISSES@", misses or "None.\n")):
        text = text.replace(key, value)
    with open(args.out, "w") as f:
        f.write(text)


if __name__ == "__main__":
    main()
