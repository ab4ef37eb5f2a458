/* Workload files: what they say, and what is refused with a line that helps. */
#include "mock_sched.h"

#include <sys/stat.h>

#define GOOD_TASKS "tasks: {t: {program: [loop: [run: 1 ms, count: n]]}}\n"
#define GOOD_END   "metrics: {n: {rate: n}}\n"
#define PROGRAM(p) "tasks:\n  t:\n    program: [" p "]\n" GOOD_END

static int try_text(const char *text, struct failure *f, bool bind, const char *name,
		    const char *value)
{
	struct mock k = {0};
	struct param p = {name, value};
	int rc;

	arena_init(&k.arena);
	rc = mock_load(&k, text);
	if (!rc && bind)
		rc = workload_bind(&k.arena, k.w, mock_machine(&k.arena), &p, !!name,
				   &k.plan, &k.f);
	*f = k.f;
	arena_free(&k.arena);
	return rc;
}

static void refused(const char *text, u32 line, const char *part, bool bind)
{
	struct failure f = {0};

	if (!bind || try_text(text, &f, false, NULL, NULL)) {
		if (!try_text(text, &f, bind, NULL, NULL))
			fail_msg("accepted: %s", text);
	} else if (!try_text(text, &f, true, NULL, NULL)) {
		fail_msg("bound: %s", text);
	}
	if (!strstr(f.what, part) || (line && f.line != line) || f.kind != FAIL_INPUT)
		fail_msg("%s\n-> %u:%u: %s\n(wanted line %u, '%s')", text, f.line, f.col,
			 f.what, line, part);
}

static void test_bad_cgroups(void **state)
{
	(void)state;
	refused("cgroups: {a: {wieght: 1}}\n" GOOD_TASKS GOOD_END, 1,
		"expected 'weight'?", false);
	refused("cgroups: {a: {weight: 0}}\n" GOOD_TASKS GOOD_END, 1, "1 to 10000",
		false);
	refused("cgroups: {a: {parent: b}, b: {}}\n" GOOD_TASKS GOOD_END, 1,
		"no cgroup 'b' so far", false);
	refused("cgroups: {a: {max: {}}}\n" GOOD_TASKS GOOD_END, 1, "quota", false);
	refused("cgroups: {a: {max: {qouta: 1 ms}}}\n" GOOD_TASKS GOOD_END, 1,
		"expected 'quota'?", false);
	refused("cgroups: {a: {max: {quota: 1 us}}}\n" GOOD_TASKS GOOD_END, 1, "1 ms",
		false);
	refused("cgroups: {a: {max: {quota: 50}}}\n" GOOD_TASKS GOOD_END, 1, "50", false);
	refused("cgroups: {a: {max: {quota: 5 ms, period: 2 s}}}\n" GOOD_TASKS GOOD_END,
		1, "2 s", false);
	refused("cgroups: {a: {max: {quota: 5 ms, burst: 6 ms}}}\n" GOOD_TASKS GOOD_END,
		1, "6 ms", false);
	refused("params: {p: {default: 2}}\ncgroups: {a: {cookie: $p}}\n" GOOD_TASKS
			GOOD_END,
		2, "0 to 1", false);
	refused("cgroups: {a: {}}\ntasks:\n"
		"  t: {cgroup: {name: a, iff: 1}, program: [run: forever]}\n" GOOD_END,
		3, "expected 'if'?", false);
	refused("cgroups: {a: {}}\ntasks:\n"
		"  t: {cgroup: {name: a}, program: [run: forever]}\n" GOOD_END,
		3, "'if'", false);
	refused("cgroups: {a: {idle: yes, weight: 3}}\n" GOOD_TASKS GOOD_END, 1,
		"a weight beside `idle: yes`", false);
	refused("tasks:\n  t: {session: {name: x, nice: 3}, program: [run: forever]}\n"
		"  u: {session: {name: x, nice: 4}, program: [run: forever]}\n" GOOD_END,
		3, "has the nice value 3 already", false);
	refused("tasks:\n  t: {session: {nice: 3}, program: [run: forever]}\n" GOOD_END,
		2, "name", false);
	refused("cgroups: {a: {}, a: {}}\n" GOOD_TASKS GOOD_END, 1, "given twice", false);
	refused("cgroups: {web: {}}\n"
		"tasks: {t: {cgroup: wep, program: [loop: [run: 1 ms, count: n]]}}\n" GOOD_END,
		2, "expected web?", false);
	refused("profiles: {p: {licence: avx51}}\n" GOOD_TASKS GOOD_END, 1, "avx512?",
		false);
	refused("profiles: {integer: {memory: 10 %}}\n" GOOD_TASKS GOOD_END, 1,
		"expected another name", NULL);
	refused("profiles: {p: {memory: 2}}\n" GOOD_TASKS GOOD_END, 1, "out of range",
		false);
}

/* A metric of a cgroup is of one that has a limit. */
static void test_bad_limit_metrics(void **state)
{
	static const struct {
		const char *metric, *part;
	} bad[] = {
		{"{cgroup: wep, stat: throttled}", "expected web?"},
		{"{cgroup: free, stat: throttled}", "expected one with 'max:'"},
		{"{cgroup: web}", "stat"},
		{"{cgroup: web, stat: throtled}", "expected throttled?"},
		{"{cgroup: web, stat: throttled, unit: sec}", "'sec'"},
		{"{cgroup: web, stat: throttled-share, unit: s}", "'s'"},
		{"{cgroup: web, stat: used, percentile: 5}", "unknown key 'percentile'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char text[512];

		snprintf(text, sizeof(text),
			 "cgroups: {web: {max: {quota: 5 ms}}, free: {}}\n" GOOD_TASKS
			 "metrics: {m: %s}\n",
			 bad[i].metric);
		refused(text, 0, bad[i].part, true);
	}
}

static void test_bad_hotplug(void **state)
{
	static const struct {
		const char *entry, *part;
		bool bind; /* only a machine tells */
	} bad[] = {
		{"{offline: 1}", "no 'at', expected one", false},
		{"{at: 1 s}", "expected offline, online or smt", false},
		{"{at: 1 s, ofline: 1}", "expected 'offline'?", false},
		{"{at: 1, offline: 1}", "expected a time with a unit", false},
		{"{at: 1 s, offline: 1, smt: off}", "'smt' beside 'offline'", false},
		{"{at: 1 s, smt: of}", "expected on or off", false},
		{"{at: 1 s, online: there}", "expected CPUs such as", false},
		{"{at: 1 s, offline: 99}", "no CPU 99 on machine", true},
		{"1 s", "expected a map", false},
	};
	char text[300];

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(text, sizeof(text),
			 "hotplug:\n  - {at: 1 s, smt: on}\n  - %s\n%s", bad[i].entry,
			 GOOD_TASKS GOOD_END);
		refused(text, 3, bad[i].part, bad[i].bind);
	}
	refused("hotplug: {at: 1 s, smt: on}\n" GOOD_TASKS GOOD_END, 1, "expected a list",
		false);
	refused(PROGRAM("hotplug: {at: 1 s, smt: on}"), 3, "unknown key 'at'", false);
	refused(PROGRAM("hotplug: {smt: on, online: 1}"), 3, "beside", false);
}

/* Operations and programs. */
static void test_bad_programs(void **state)
{
	static const struct {
		const char *text;
		u32 line;
		const char *part;
	} bad[] = {
		{PROGRAM("runn: 1 ms"), 3, "unknown operation 'runn', expected 'run'?"},
		{PROGRAM("exitt"), 3, "expected 'exit'?"},
		{PROGRAM("qqqqqqqq: 1"), 3, "unknown operation 'qqqqqqqq'"},
		{PROGRAM("run"), 3, "an operation without a value, expected 'run: 1 ms'"},
		{PROGRAM("{run: }"), 3, "an operation without a value"},
		{PROGRAM("run: 1"), 3, "'1', expected a time with a unit"},
		{PROGRAM("run: 1 KiB"), 3, "expected a time with a unit"},
		{PROGRAM("run: 5 parsec"), 3, "expected a number, or one with a unit"},
		{PROGRAM("sleep: $nap"), 3, "unknown parameter '$nap'"},
		{PROGRAM("{run: 1 ms, sleep: 1 ms}"), 3, "2 keys in one operation"},
		{PROGRAM("[run]"), 3, "expected an operation"},
		{PROGRAM(""), 3, "an empty list"},
		{PROGRAM("exit: 1"), 3, "takes no value"},
		{PROGRAM("exit, run: 1 ms"), 3, "'run' is never reached"},
		{PROGRAM("run: forever, exit"), 3, "'exit' is never reached"},
		{PROGRAM("loop: [run: 1 ms], exit"), 3, "never reached"},
		{PROGRAM("loop: [count: n]"), 3, "a loop without time"},
		{PROGRAM("loop: {until: 1 s, do: [count: n]}"), 3, "a loop without time"},
		{PROGRAM("loop: [fork: t]"), 3, "starts by itself"},
		{PROGRAM("loop: [loop: {times: 0, do: [run: 1 ms]}]"), 3, "without time"},
		{PROGRAM("loop: [sleep: {until: 1 s}]"), 3, "a loop without time"},
		{PROGRAM("loop: {times: 1000001, do: [count: n]}"), 3, "at most 1000000"},
		{PROGRAM("loop: {times: 2, until: 1 s, do: [exit]}"), 3,
		 "expected one of"},
		{PROGRAM("loop: {times: 2}"), 3, "no 'do', expected one"},
		{PROGRAM("loop: {time: 2, do: [exit]}"), 3, "expected 'times'?"},
		{PROGRAM("loop: {forever: no, do: [exit]}"), 3, "expected 'yes'"},
		{PROGRAM("loop: [loop: [loop: [loop: [loop: [loop: [loop: [loop: [loop: [run: "
			 "1 ms]]]]]]]]]"),
		 3, "more than 8 loops"},
		{PROGRAM("loop: {while: {poll: p, channel: c}, do: [recv: c]}"), 3,
		 "expected one of 'channel' and 'poll'"},
		{PROGRAM("loop: {while: {poll: p}, do: [run: 1 ms]}"), 3, "no poll 'p'"},
		{"channels: {c: {kind: pipe}}\n" PROGRAM(
			 "loop: {while: {channel: c}, do: [count: n]}"),
		 4, "a loop without time"},
		{PROGRAM("run: 1 ms, count: {what: n, by: 1 ms}"), 3,
		 "expected a whole number"},
		{PROGRAM("run: 1 ms, count: {by: 2}"), 3, "no 'what'"},
		{PROGRAM("fork: chld"), 3, "no task 'chld'"},
		{PROGRAM("fork: {count: 2}"), 3, "no 'task'"},
		{PROGRAM("begin: a, run: 1 ms"), 3,
		 "span 'a' begins here and never ends"},
		{PROGRAM("run: 1 ms, end: a"), 3, "span 'a' ends here and never begins"},
		{PROGRAM("begin: {span: a, from: duee}, end: a"), 3, "expected due?"},
		{PROGRAM("begin: ''"), 3, "empty name"},
		{PROGRAM("timer: {perod: 1 ms}"), 3, "expected 'period'?"},
		{PROGRAM("timer: 0"), 3, "out of range"},
		{PROGRAM("timer: {period: 0}"), 3, "out of range"},
		{PROGRAM("timer: {period: 1 ms, name: a, ref: b}"), 3,
		 "one of 'name' and"},
		{PROGRAM("timer: {period: 1 ms, mode: absolut}"), 3, "absolute"},
		{PROGRAM("timer: {period: 1 ms, wake: ''}"), 3, "an empty name"},
		{PROGRAM("nice: 20"), 3, "expected -20 to 19"},
		{PROGRAM("nice: low"), 3, "expected a number"},
		{PROGRAM("slice: 99 us"), 3, "expected 100 us to 100 ms"},
		{PROGRAM("slice: 101 ms"), 3, "expected 100 us to 100 ms"},
		{PROGRAM("slice: 3"), 3, "a time"},
		{PROGRAM("slice"), 3, "'slice: 3 ms'"},
		{PROGRAM("policy: bacth"), 3, "expected batch?"},
		{PROGRAM("policy"), 3, "policy: other"},
		{PROGRAM("policy: fifo"), 3, "no priority, expected {fifo: 1}"},
		{PROGRAM("policy: {fifo: 100}"), 3, "1 to 99"},
		{PROGRAM("policy: {fifo: 0}"), 3, "1 to 99"},
		{PROGRAM("policy: {fofi: 1}"), 3, "expected 'fifo'?"},
		{PROGRAM("policy: {fifo: 1, rr: 1}"), 3, "expected one policy"},
		{PROGRAM("policy: {}"), 3, "expected one policy"},
		{PROGRAM("affinity: somewhere"), 3, "expected CPUs such as"},
		{PROGRAM("run: {expo: 1 ms}"), 3,
		 "unknown distribution 'expo', expected exp?"},
		{PROGRAM("run: [1 ms]"), 3, "expected a time, or one of"},
		{PROGRAM("run: {uniform: [1 ms]}"), 3, "expected [lowest, highest]"},
		{PROGRAM("run: {uniform: [2 ms, 1 ms]}"), 3, "below the lowest"},
		{PROGRAM("run: {quantiles: [1 ms]}"), 3, "at least 2 quantiles"},
		{PROGRAM("run: {quantiles: [2 ms, 1 ms]}"), 3, "in order"},
		{PROGRAM("run: {lognormal: {median: 1 ms}}"), 3, "no 'sigma'"},
		{PROGRAM("run: {lognormal: {median: 1 h, sigma: 1}}"), 3, "out of range"},
		{PROGRAM("run: {exp: 0}"), 3, "out of range"},
		{PROGRAM("run: 2000 h"), 3, "out of range"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		refused(bad[i].text, bad[i].line, bad[i].part, false);
}

/* The file around the programs. */
static void test_bad_files(void **state)
{
	static const struct {
		const char *text;
		u32 line;
		const char *part;
	} bad[] = {
		{"tsks: 1\n", 1, "unknown key 'tsks', expected 'tasks'?"},
		{"just a text\n", 1, "expected a map"},
		{"", 1, "empty"},
		{GOOD_END, 1, "no 'tasks'"},
		{GOOD_TASKS, 1, "no 'metrics'"},
		{"tasks: {}\n" GOOD_END, 1, "no entries"},
		{"tasks: {t: {}}\n" GOOD_END, 1, "no 'program'"},
		{"tasks:\n  t: {program: [exit]}\n  t: {program: [exit]}\n" GOOD_END, 3,
		 "twice"},
		{"tasks: {t: {cont: 1, program: [exit]}}\n" GOOD_END, 1,
		 "expected 'count'?"},
		{"tasks: {t: {count: 0, program: [exit]}}\n" GOOD_END, 1,
		 "no program forks it"},
		{"tasks: {t: {count: 2, template: yes, program: [exit]}}\n" GOOD_END, 1,
		 "a template with a count"},
		{"tasks: {t: {count: 300000, program: [exit]}}\n" GOOD_END, 1,
		 "out of range"},
		{"tasks: {t: {name: '%s', program: [exit]}}\n" GOOD_END, 1,
		 "at most one %d"},
		{"tasks: {t: {name: 'a%d%d', program: [exit]}}\n" GOOD_END, 1,
		 "at most one %d"},
		{"tasks: {t: {program: [count: n]}}\n" GOOD_END, 1, "every program ends"},
		{"fixed-work: yes\n" GOOD_TASKS GOOD_END, 1, "expected no 'forever'"},
		{"fixed-work: yes\nwarmup: 1 ms\n"
		 "tasks: {t: {program: [count: n]}}\n" GOOD_END,
		 2, "expected no warmup"},
		{"duration: 5\n" GOOD_TASKS GOOD_END, 1, "expected a time"},
		{"duration: 0\n" GOOD_TASKS GOOD_END, 1, "out of range"},
		{"start-jitter: 5\n" GOOD_TASKS GOOD_END, 1, "expected a time"},
		{"set: {a: 1}\n" GOOD_TASKS GOOD_END, 1, "'set' without 'base'"},
		{"params: {cpus: 1}\n" GOOD_TASKS GOOD_END, 1, "a number of the machine"},
		{"params: {a b: 1}\n" GOOD_TASKS GOOD_END, 1, "letters, digits"},
		{"params: {a: 1, a: 2}\n" GOOD_TASKS GOOD_END, 1, "given twice"},
		{"params: {a: {range: [1, 2]}}\n" GOOD_TASKS GOOD_END, 1, "no 'default'"},
		{"params: {a: {default: 3, range: [1, 2]}}\n" GOOD_TASKS GOOD_END, 1,
		 "out of range"},
		{"params: {a: {default: 3, range: [5, 2]}}\n" GOOD_TASKS GOOD_END, 1,
		 "an empty range"},
		{"params: {a: {default: 3, range: [5]}}\n" GOOD_TASKS GOOD_END, 1,
		 "expected [lowest, highest]"},
		{"params: {a: {default: 3, range: [1 ms, 2 ms]}}\n" GOOD_TASKS GOOD_END,
		 1, "expected a whole number"},
		{"params: {a: {default: 3, unit: tim}}\n" GOOD_TASKS GOOD_END, 1,
		 "expected time?"},
		{"params: {a: {default: 3, unit: time}}\n" GOOD_TASKS GOOD_END, 1,
		 "expected a time"},
		{"params: {a: $b, b: 1}\n" GOOD_TASKS GOOD_END, 1,
		 "unknown parameter '$b'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		refused(bad[i].text, bad[i].line, bad[i].part, false);
}

static void test_bad_metrics(void **state)
{
	static const struct {
		const char *text, *part;
	} bad[] = {
		{"metrics: {m: {rate: nn}}\n", "no counter 'nn', expected 'n'?"},
		{"metrics: {m: {ratee: n}}\n", "expected one of 'rate'"},
		{"metrics: {m: {rate: n, total: n}}\n", "expected one of 'rate'"},
		{"metrics: {m: {rate: n, percentile: 5}}\n", "unknown key 'percentile'"},
		{"metrics: {m: {rate: n, better: hihger}}\n", "expected higher?"},
		{"metrics: {m: {rate: n, per: 0}}\n", "out of range"},
		{"metrics: {m: {cpu: t, per: 2}}\n", "unknown key 'per'"},
		{"metrics: {m: {rate: n}, m: {rate: n}}\n", "given twice"},
		{"metrics: {m: {span: n, percentile: 5}}\n",
		 "no span 'n', expected a program"},
		{"metrics: {m: {share: x}}\n", "no task entry 'x'"},
		{"metrics: {m: {share: t, of: cpu}}\n", "no task entry 'cpu'"},
		{"metrics: {m: {share: t, unit: s}}\n", "'s', expected ratio or %"},
		{"metrics: {m: {cpu: t, unit: sec}}\n", "expected"},
		{"metrics: {m: {elapsed: yes}}\n", "for fixed work"},
		{"metrics: {m: {rate: n}}\nmain: n\n", "no metric 'n', expected 'm'?"},
		{"metrics: {}\n", "no metric"},
		{"metrics: [a]\n", "expected a map"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char text[512];

		snprintf(text, sizeof(text), "%s%s", GOOD_TASKS, bad[i].text);
		refused(text, 0, bad[i].part, false);
	}
	refused("tasks: {t: {program: [loop: [run: 1 ms, begin: a, end: a]]}}\n"
		"metrics: {m: {span: a}}\n",
		2, "expected 'percentile' or 'stat'", false);
	refused("tasks: {t: {program: [loop: [run: 1 ms, begin: a, end: a]]}}\n"
		"metrics: {m: {span: a, percentile: 101}}\n",
		2, "out of range", false);
	refused("tasks: {t: {program: [loop: [run: 1 ms, begin: a, end: a]]}}\n"
		"metrics: {m: {span: a, stat: mean, every: 1 s}}\n",
		2, "'every' is for percentiles", false);
	refused("tasks: {t: {program: [loop: [run: 1 ms, begin: a, end: a]]}}\n"
		"metrics: {m: {span: a, percentile: 95, every: 1 us}}\n",
		2, "out of range", false);
}

/* What only a machine can decide is found when the workload is bound to one. */
static void test_bad_on_machine(void **state)
{
	(void)state;
	refused(PROGRAM("affinity: 0-7, loop: [run: 1 ms, count: n]"), 3,
		"no CPU 7 on machine", true);
	refused(PROGRAM("affinity: 9, loop: [run: 1 ms, count: n]"), 3, "is online",
		true);
	refused("tasks: {t: {count: $cpus - 7, program: [loop: [run: 1 ms, count: n]]}}\n" GOOD_END,
		1, "no task", true);
	refused("tasks: {t: {count: $cpus - 8, program: [loop: [run: 1 ms, count: n]]}}\n" GOOD_END,
		1, "negative", true);
	refused("warmup: 3 s\n" GOOD_TASKS GOOD_END, 1, "not shorter than the duration",
		true);
}

#define PARAM_FILE                                                              \
	"params:\n"                                                             \
	"  hogs: {default: 16, range: [1, 100], help: how many}\n"              \
	"  burn: 1 ms\n"                                                        \
	"  part: {default: 50 %}\n"                                             \
	"  more: {default: $cpus * 2}\n"                                        \
	"  size: {default: 0, unit: bytes}\n"                                   \
	"duration: $burn * 1000\n"                                              \
	"tasks: {t: {count: $hogs, program: [loop: [run: $burn, count: n]]}}\n" \
	"metrics: {n: {rate: n}}\n"

static void test_params(void **state)
{
	struct param good[] = {{"burn", "2.5 ms"},
			       {"hogs", "$cpus * 2"},
			       {"size", "4 KiB"},
			       {"part", "1"}};
	static const struct {
		const char *name, *value, *part;
	} bad[] = {
		{"hgs", "1", "unknown parameter 'hgs', expected 'hogs'?"},
		{"qqqqqq", "1", "expected one such as hogs"},
		{"hogs", "0", "hogs=0 is out of range, expected 1 to 100"},
		{"hogs", "1 ms", "expected a whole number"},
		{"burn", "5", "expected a time with a unit"},
		{"burn", "", "expected a number"},
		{"size", "2", "expected a size with a unit"},
	};
	struct mock k = {0};
	struct failure f;
	u32 n;

	(void)state;
	arena_init(&k.arena);
	mock_must(&k, mock_load(&k, PARAM_FILE));
	assert_string_equal(workload_params(k.w, &n)[4], "size");
	assert_int_equal(n, 5);
	mock_must(&k, workload_bind(&k.arena, k.w, mock_machine(&k.arena), NULL, 0,
				    &k.plan, &k.f));
	assert_string_equal(plan_params(k.plan),
			    "hogs=16 burn=1 ms part=0.5 more=14 size=0 B");
	assert_true(plan_duration(k.plan) == NS_PER_SEC);
	assert_true(plan_warmup(k.plan) == NS_PER_SEC / 10);
	mock_must(&k, workload_bind(&k.arena, k.w, mock_machine(&k.arena), good, 4,
				    &k.plan, &k.f));
	assert_string_equal(plan_params(k.plan),
			    "hogs=14 burn=2.5 ms part=1.0 more=14 size=4 KiB");
	assert_true(plan_duration(k.plan) == 2500 * NS_PER_MS);
	arena_free(&k.arena);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(&f, 0, sizeof(f));
		if (!try_text(PARAM_FILE, &f, true, bad[i].name, bad[i].value))
			fail_msg("accepted: %s=%s", bad[i].name, bad[i].value);
		if (!strstr(f.what, bad[i].part))
			fail_msg("%s=%s: %s", bad[i].name, bad[i].value, f.what);
	}
}

static void test_views(void **state)
{
	struct mock k = {0};
	struct text out = {0};

	(void)state;
	arena_init(&k.arena);
	mock_must(&k,
		  mock_load(&k,
			    "description: a test\nfixed-work: yes\n"
			    "tasks:\n"
			    "  a: {program: [fork: {task: b, wait: yes}]}\n"
			    "  b: {count: 0, program: [loop: {times: 2, do: [run: 1 ms]},"
			    " count: n]}\n"
			    "metrics:\n"
			    "  n: {rate: n}\n"
			    "  took: {elapsed: yes, unit: ms}\n"
			    "main: took\n"));
	mock_must(&k, workload_bind(&k.arena, k.w, mock_machine(&k.arena), NULL, 0,
				    &k.plan, &k.f));
	assert_string_equal(workload_description(k.w), "a test");
	assert_true(plan_fixed_work(k.plan));
	assert_true(plan_warmup(k.plan) == 0);
	assert_int_equal(plan_groups(k.plan), 2);
	assert_string_equal(plan_group_name(k.plan, 1), "b");
	assert_int_equal(plan_metrics(k.plan), 2);
	assert_int_equal(plan_main_metric(k.plan), 1);
	assert_string_equal(plan_metric(k.plan, 0)->unit, "/s");
	assert_true(plan_metric(k.plan, 0)->higher_better);
	assert_string_equal(plan_metric(k.plan, 1)->unit, "ms");
	assert_false(plan_metric(k.plan, 1)->higher_better);
	workload_show(k.w, &out);
	assert_non_null(strstr(out.s, "    - loop: {times: 2}\n      - run: 1 ms\n"));
	assert_non_null(strstr(out.s, "took: {elapsed: yes, unit: ms}  (main)"));
	text_free(&out);
	workload_list_operations(&out);
	assert_non_null(strstr(out.s, "runtime"));
	text_free(&out);
	arena_free(&k.arena);
}

/* A folder with a base and files that set its parameters. */
static void put(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.yaml", dir, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int load_in(struct mock *k, const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.yaml", dir, name);
	memset(&k->f, 0, sizeof(k->f));
	return workload_load(&k->arena, path, &k->w, &k->f);
}

static void bad_in(struct mock *k, const char *dir, const char *name, const char *part)
{
	if (!load_in(k, dir, name))
		fail_msg("accepted: %s", name);
	if (!strstr(k->f.what, part))
		fail_msg("%s: %s", name, k->f.what);
}

static void test_base(void **state)
{
	static const char *const names[] = {"b",    "d",       "e",  "loop",
					    "lost", "unknown", "own"};
	char dir[] = "/tmp/sibyl-base-XXXXXX";
	struct mock k = {0};
	size_t len;

	(void)state;
	assert_non_null(mkdtemp(dir));
	put(dir, "b", PARAM_FILE);
	put(dir, "d", "description: derived\nbase: b\nset: {hogs: 3, burn: 4 ms}\n");
	put(dir, "e", "base: d\nset: {hogs: 5}\nduration: 1 s\n");
	put(dir, "loop", "base: loop\n");
	put(dir, "lost", "base: nowhere\n");
	put(dir, "unknown", "base: b\nset: {hgs: 1}\n");
	put(dir, "own", "base: b\ntasks: {}\n");
	arena_init(&k.arena);
	mock_must(&k, load_in(&k, dir, "e"));
	mock_must(&k, workload_bind(&k.arena, k.w, mock_machine(&k.arena), NULL, 0,
				    &k.plan, &k.f));
	assert_string_equal(workload_name(k.w), "e");
	assert_string_equal(workload_description(k.w), "derived");
	assert_string_equal(plan_params(k.plan),
			    "hogs=5 burn=4 ms part=0.5 more=14 size=0 B");
	assert_true(plan_duration(k.plan) == NS_PER_SEC);
	/* the identity of a run has the text of every file that it depends on */
	assert_non_null(strstr(workload_text(k.w, &len), "hogs: 3"));
	assert_non_null(strstr(workload_text(k.w, &len), "how many"));
	bad_in(&k, dir, "loop", "a cycle?");
	bad_in(&k, dir, "lost", "base 'nowhere' cannot be opened");
	bad_in(&k, dir, "unknown", "unknown parameter 'hgs', expected hogs?");
	bad_in(&k, dir, "own", "expected it in the base only");
	bad_in(&k, dir, "nothing", "cannot be opened");
	arena_free(&k.arena);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/%s.yaml", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
}

/* A workload by the clock may run dry if it says so. */
static void test_ends_early(void **state)
{
	static const char once[] =
		"tasks: {t: {program: [run: 1 ms, count: n]}}\n" GOOD_END;
	struct failure f = {0};
	char text[256];

	(void)state;
	snprintf(text, sizeof(text), "ends-early: yes\n%s", once);
	assert_int_equal(try_text(text, &f, true, NULL, NULL), 0);
	snprintf(text, sizeof(text), "ends-early: no\n%s", once);
	refused(text, 2, "'ends-early: yes'", false);
	snprintf(text, sizeof(text), "ends-early: yes\nfixed-work: yes\n%s", once);
	refused(text, 1, "expected one of them", false);
	refused("tasks: {t: {first-number: -1, program: [run: forever, count: n]}}\n" GOOD_END,
		1, "", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_programs),
		cmocka_unit_test(test_bad_cgroups),
		cmocka_unit_test(test_bad_limit_metrics),
		cmocka_unit_test(test_bad_hotplug),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_bad_metrics),
		cmocka_unit_test(test_bad_on_machine),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_ends_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
