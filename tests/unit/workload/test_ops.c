/* Every operation, step by step, in front of the scheduler of mock_sched.h. */
#include "mock_sched.h"

/* What a task of this program does, as the scheduler sees it. */
static void expect_log(const char *program, u64 until, const char *log)
{
	char text[2048];
	struct mock k;

	snprintf(text, sizeof(text), "%sfixed-work: yes\nduration: 1 h\n%s%s%s",
		 MOCK_HEAD, MOCK_TASK, program, MOCK_COUNTS);
	mock_open(&k, text, 1);
	k.s->log_on = true;
	mock_run(k.s, k.run, until);
	/* the launcher's own lines are not of interest */
	if (!strstr(k.s->log.s, log))
		fail_msg("%s\ngave\n%s\nwanted\n%s", program, k.s->log.s, log);
	mock_free(&k);
}

static void test_run(void **state)
{
	(void)state;
	expect_log("      - run: 3 ms\n      - run: 2 us\n", NS_PER_SEC,
		   "0 t work 3000000\n3000000 t work 2000\n3002000 t exit 0\n");
	/* no work at all still takes time, so that no loop of it can hang */
	expect_log("      - run: 0\n", NS_PER_SEC, "0 t work 1\n1 t exit 0\n");
}

static void test_runtime(void **state)
{
	(void)state;
	expect_log("      - runtime: 3 ms\n", NS_PER_SEC,
		   "0 t cputime 3000000\n3000000 t exit 0\n");
}

static void test_sleep(void **state)
{
	(void)state;
	expect_log("      - run: 1 ms\n      - sleep: 2 ms\n      - run: 1 us\n",
		   NS_PER_SEC,
		   "1000000 t sleep 3000000\n1000000 t block 0\n3000000 t work 1000\n");
	expect_log("      - sleep: {until: 5 ms}\n      - sleep: {until: 4 ms}\n"
		   "      - run: 1 us\n",
		   NS_PER_SEC, "0 t sleep 5000000\n0 t block 0\n5000000 t work 1000\n");
}

/* Periods from the begin of the program; a late one starts over from now. */
static void test_timer(void **state)
{
	(void)state;
	expect_log("      - loop: {times: 3, do: [run: 3 ms, timer: {period: 8 ms}]}\n",
		   NS_PER_SEC,
		   "0 t work 3000000\n3000000 t sleep 8000000\n3000000 t block 0\n"
		   "8000000 t work 3000000\n11000000 t sleep 16000000\n"
		   "11000000 t block 0\n16000000 t work 3000000\n");
	expect_log(
		"      - loop: {times: 2, do: [run: 10 ms, timer: 8 ms, run: 1 ms, timer: "
		"8 ms]}\n",
		NS_PER_SEC,
		/* two timers of one program are two timers: the second was due at 8 */
		"0 t work 10000000\n10000000 t work 1000000\n11000000 t work 10000000\n");
	expect_log("      - loop: {times: 3, do: [timer: 8 ms, run: 10 ms]}\n",
		   NS_PER_SEC,
		   "0 t sleep 8000000\n0 t block 0\n8000000 t work 10000000\n"
		   /* due at 16, it is 18: at once, and the next is due at 26 */
		   "18000000 t work 10000000\n28000000 t work 10000000\n");
}

/* Two operations, one timer; an absolute one catches up. */
static void test_named_timer(void **state)
{
	(void)state;
	expect_log(
		"      - loop: {times: 1, do: [run: 3 ms, timer: {period: 8 ms, name: a}, run: "
		"1 ms, timer: {period: 4 ms, name: a}, run: 1 ms]}\n",
		NS_PER_SEC,
		"3000000 t sleep 8000000\n3000000 t block 0\n8000000 t work 1000000\n"
		"9000000 t sleep 12000000\n");
	expect_log(
		"      - loop: {times: 3, do: [run: 10 ms, timer: {period: 8 ms, name: a, "
		"mode: absolute}, run: 1 ms]}\n      - timer: {period: 100 ms, name: a}\n",
		NS_PER_SEC, "33000000 t sleep 124000000\n");
}

static void test_timer_begins_after_start(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD "tasks:\n  t:\n    start: 20 ms\n    program:\n"
			    "      - loop: [count: n, timer: {period: 8 ms}]\n",
		  1);
	k.s->log_on = true;
	k.s->slack = 50 * NS_PER_US;
	mock_run(k.s, k.run, 40 * NS_PER_MS);
	/* late by the slack each time, but not cumulatively */
	assert_non_null(strstr(k.s->log.s, "0 t sleep 20000000\n"));
	assert_non_null(strstr(k.s->log.s, "20050000 t sleep 28050000\n"));
	assert_non_null(strstr(k.s->log.s, "28100000 t sleep 36050000\n"));
	mock_free(&k);
}

static void test_loop(void **state)
{
	(void)state;
	expect_log(
		"      - loop: {times: 2, do: [loop: {times: 2, do: [run: 1 ms]}, run: 5 "
		"ms]}\n",
		NS_PER_SEC,
		"0 t work 1000000\n1000000 t work 1000000\n2000000 t work 5000000\n"
		"7000000 t work 1000000\n8000000 t work 1000000\n9000000 t work 5000000\n"
		"14000000 t exit 0\n");
	expect_log("      - loop: {times: 0, do: [run: 1 ms]}\n      - run: 7 ms\n",
		   NS_PER_SEC, "0 t work 7000000\n7000000 t exit 0\n");
	/* until is looked at before each pass: 0, 2, 4 ms, and at 6 ms it is over */
	expect_log("      - loop: {until: 5 ms, do: [run: 2 ms]}\n", NS_PER_SEC,
		   "4000000 t work 2000000\n6000000 t exit 0\n");
	expect_log("      - run: 1 ms\n      - loop: {until: 1 ms, do: [run: 2 ms]}\n",
		   NS_PER_SEC, "1000000 t exit 0\n");
	expect_log("      - loop: {until: 3 ms, do: [run: 1 ms, exit]}\n", NS_PER_SEC,
		   "0 t work 1000000\n1000000 t exit 0\n");
}

static void test_forever(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k, MOCK_HEAD MOCK_TASK "      - count: n\n      - run: forever\n", 1);
	mock_run(k.s, k.run, 1000 * NS_PER_SEC);
	assert_false(workload_done(k.run));
	assert_true(workload_group_cpu(k.run, k.s, 0) == 1000 * NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &k.f), 0);
	mock_free(&k);
}

#define FAMILY(program, child)                                            \
	MOCK_HEAD "fixed-work: yes\ntasks:\n  p:\n    program:\n" program \
		  "  c:\n    template: yes\n    program:\n" child MOCK_COUNTS

static void test_fork(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  FAMILY("      - fork: {task: c, count: 3}\n      - run: 1 ms\n",
			 "      - run: 5 ms\n"),
		  1);
	k.s->cost = 10 * NS_PER_US;
	k.s->log_on = true;
	mock_run(k.s, k.run, NS_PER_SEC);
	/* each fork is paid before the next, and before what follows */
	assert_non_null(strstr(k.s->log.s, "20000 p fork 3\n"));
	assert_non_null(strstr(k.s->log.s, "30000 p fork 4\n"));
	assert_non_null(strstr(k.s->log.s, "40000 p fork 5\n"));
	assert_non_null(strstr(k.s->log.s, "40000 p work 1000000\n"));
	assert_int_equal(k.s->wakes, 0);
	assert_int_equal(k.s->exits, 4);
	assert_true(workload_done(k.run));
	mock_free(&k);
}

static void test_fork_wait(void **state)
{
	struct mock k;

	(void)state;
	mock_open(
		&k,
		FAMILY("      - fork: {task: c, count: 2, wait: yes}\n      - run: 1 us\n",
		       "      - run: 5 ms\n"),
		1);
	k.s->cost = 10 * NS_PER_US;
	k.s->log_on = true;
	mock_run(k.s, k.run, NS_PER_SEC);
	/* woken at each exit; goes on after the last */
	assert_int_equal(k.s->wakes, 2);
	assert_non_null(strstr(k.s->log.s, "5020000 p woken 0\n"));
	assert_non_null(strstr(k.s->log.s, "5020000 p block 0\n"));
	assert_non_null(strstr(k.s->log.s, "5030000 p woken 0\n"));
	assert_non_null(strstr(k.s->log.s, "5030000 p work 1000\n"));
	/* the one who leaves pays for the wake-up before it is gone */
	assert_non_null(strstr(k.s->log.s, "5030000 c exit 0\n"));
	mock_free(&k);
}

/* A parent that is gone, and whose place another task has taken, is left alone. */
static void test_orphans(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD
		  "fixed-work: yes\ntasks:\n"
		  "  p: {program: [fork: m, sleep: 1 ms, fork: w, sleep: 20 ms]}\n"
		  "  m: {template: yes, program: [fork: c]}\n"
		  "  c: {template: yes, program: [run: 5 ms, count: n]}\n"
		  "  w: {template: yes, program: [fork: {task: c, wait: yes}]}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(k.s->exits, 5);
	assert_int_equal(k.s->wakes, 1);
	assert_int_equal(workload_check(k.run, &k.f), 0);
	mock_free(&k);
}

static void test_nice_and_affinity(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD
		  "fixed-work: yes\ntasks:\n"
		  "  p:\n    nice: 5\n    policy: batch\n    cpus: node 4\n    program:\n"
		  "      - run: 1 ms\n      - fork: c\n      - policy: idle\n"
		  "      - nice: -3\n      - affinity: 0-1\n      - run: 1 ms\n"
		  "  c:\n    template: yes\n    program: [run: 2 ms, count: n]\n",
		  1);
	k.s->cost = 10;
	k.s->log_on = true;
	mock_run(k.s, k.run, 2 * NS_PER_MS);
	/* the entry's own come first, set by the task itself, each paid */
	assert_non_null(strstr(k.s->log.s, "10 p policy 1\n"));
	assert_non_null(strstr(k.s->log.s, "20 p nice 25\n"));
	assert_non_null(strstr(k.s->log.s, "30 p affinity 240\n"));
	assert_non_null(strstr(k.s->log.s, "40 p work 1000000\n"));
	assert_non_null(strstr(k.s->log.s, "1000050 p policy 2\n"));
	assert_non_null(strstr(k.s->log.s, "1000060 p nice 17\n"
					   "1000070 p affinity 3\n"));
	/* a child has what its parent had when it was forked */
	assert_string_equal(k.s->task[2]->comm, "c");
	assert_int_equal(k.s->task[2]->nice, 5);
	assert_int_equal(k.s->task[2]->policy, POLICY_BATCH);
	assert_true(k.s->task[2]->cpus->w[0] == 0xf0);
	mock_free(&k);
}

/* The entry's slice comes behind its nice value; a child has the one of the moment. */
static void test_slice(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD
		  "fixed-work: yes\nparams: {s: 3 ms}\ntasks:\n"
		  "  p:\n    slice: $s\n    nice: 5\n    program:\n"
		  "      - fork: c\n      - slice: 100 us\n      - fork: c\n"
		  "      - slice: 0\n      - fork: c\n      - run: 1 ms\n"
		  "  c:\n    template: yes\n    program: [run: 2 ms, count: n]\n",
		  1);
	k.s->log_on = true;
	mock_run(k.s, k.run, 1 * NS_PER_MS);
	assert_non_null(strstr(k.s->log.s, "0 p nice 25\n0 p slice 3000000\n"));
	assert_non_null(strstr(k.s->log.s, "0 p slice 100000\n"));
	assert_non_null(strstr(k.s->log.s, "0 p slice 0\n"));
	assert_int_equal(k.s->task[2]->slice, 3 * NS_PER_MS);
	assert_int_equal(k.s->task[3]->slice, 100 * NS_PER_US);
	assert_int_equal(k.s->task[4]->slice, 0);
	mock_free(&k);
}

static void test_refused_affinity(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD MOCK_TASK "      - affinity: 0\n      - count: n\n"
				      "      - run: forever\n",
		  1);
	k.s->refuse_affinity = true;
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &k.f), -1);
	assert_non_null(strstr(k.f.what, "affinity: no allowed CPU"));
	assert_int_equal(k.f.line, 6);
	assert_true(workload_done(k.run));
	mock_free(&k);
}

/* The list of the file is asked for at the start, the operation when it is reached. */
static void test_hotplug(void **state)
{
	char text[2048];
	struct mock k;

	(void)state;
	snprintf(text, sizeof(text),
		 "%sfixed-work: yes\nhotplug:\n  - {at: 20 ms, online: \"0-1\"}\n%s%s%s",
		 MOCK_HEAD, MOCK_TASK,
		 "      - run: 3 ms\n      - hotplug: {smt: off}\n"
		 "      - run: 3 ms\n      - hotplug: {offline: 1}\n",
		 MOCK_COUNTS);
	mock_open(&k, text, 1);
	assert_int_equal(k.s->hotplugs, 1);
	assert_int_equal(k.s->hotplug_when, 20 * NS_PER_MS);
	assert_int_equal(k.s->hotplug_kind, HOTPLUG_ONLINE);
	assert_int_equal(k.s->hotplug_cpus->w[0], 3);
	mock_run(k.s, k.run, 4 * NS_PER_MS);
	assert_int_equal(k.s->hotplugs, 2);
	assert_int_equal(k.s->hotplug_when, 3 * NS_PER_MS);
	assert_int_equal(k.s->hotplug_kind, HOTPLUG_SMT_OFF);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(k.s->hotplugs, 3);
	assert_int_equal(k.s->hotplug_kind, HOTPLUG_OFFLINE);
	assert_int_equal(k.s->hotplug_cpus->w[0], 2);
	mock_free(&k);
}

static void test_exit(void **state)
{
	(void)state;
	expect_log("      - loop: {times: 2, do: [run: 1 ms]}\n", NS_PER_SEC,
		   "2000000 t exit 0\n");
}

static double metric(struct mock *k, u32 i, bool *has)
{
	double v[8];
	bool h[8];

	workload_metrics(k->run, k->s, v, h);
	*has = h[i];
	return v[i];
}

static void test_spans(void **state)
{
	struct mock k;
	bool has;

	(void)state;
	mock_open(&k,
		  "start-jitter: 0\ntasks:\n  t:\n    program:\n"
		  "      - loop:\n"
		  "          - timer: 10 ms\n"
		  "          - begin: {span: all, from: due}\n"
		  "          - begin: own\n"
		  "          - run: 2 ms\n"
		  "          - end: own\n"
		  "          - end: all\n"
		  "          - end: own\n" /* not open: counts nothing */
		  "metrics:\n"
		  "  own: {span: own, stat: max}\n"
		  "  all: {span: all, stat: max}\n"
		  "  n: {span: own, stat: count}\n"
		  "  mean: {span: all, stat: mean, unit: ms}\n"
		  "  p50: {span: all, percentile: 50}\n",
		  1);
	k.s->slack = 50 * NS_PER_US;
	metric(&k, 0, &has);
	assert_false(has); /* nothing measured yet */
	mock_run(k.s, k.run, NS_PER_SEC + 5 * NS_PER_MS);
	assert_true(metric(&k, 0, &has) == 2000.0);
	assert_true(metric(&k, 1, &has) == 2050.0); /* with the wake-up */
	assert_true(metric(&k, 2, &has) == 100.0);
	/* the slack is the same each time, so is the mean */
	assert_near(metric(&k, 3, &has), 2.05, 1e-9);
	/* the histogram is exact within 1/64 */
	assert_near(metric(&k, 4, &has), 2050.0, 2050.0 / 64);
	mock_free(&k);
}

/*
 * 99 events of 10 ms end in the first second, one of 2 s in the third. The percentile of
 * all does not see that one; the mean over seconds does, once its second is over. Seconds
 * in which none ends do not count.
 */
static void test_percentile_of_intervals(void **state)
{
	struct mock k;
	bool has;

	(void)state;
	mock_open(&k,
		  "start-jitter: 0\nwarmup: 0\ntasks:\n  t:\n    program:\n"
		  "      - loop: {times: 99, do: [begin: a, run: 10 ms, end: a]}\n"
		  "      - begin: a\n"
		  "      - run: 2 s\n"
		  "      - end: a\n"
		  "      - run: forever\n"
		  "metrics:\n"
		  "  all: {span: a, percentile: 95, unit: ms}\n"
		  "  each: {span: a, percentile: 95, every: 1 s, unit: ms}\n",
		  1);
	mock_run(k.s, k.run, 900 * NS_PER_MS);
	assert_near(metric(&k, 0, &has), 10.0, 10.0 / 64);
	metric(&k, 1, &has);
	assert_false(has); /* the first second is not over */
	mock_run(k.s, k.run, 2995 * NS_PER_MS);
	assert_near(metric(&k, 1, &has), 10.0, 10.0 / 64);
	mock_run(k.s, k.run, 5000 * NS_PER_MS);
	assert_near(metric(&k, 0, &has), 10.0, 10.0 / 64);
	assert_near(metric(&k, 1, &has), 1005.0, 1005.0 / 64);
	mock_free(&k);
}

/* By how much, and in what unit: 3 passes of 4 KiB and of 5 things. */
static void test_counts(void **state)
{
	struct mock k;
	bool has;

	(void)state;
	mock_open(
		&k,
		"start-jitter: 0\nfixed-work: yes\nparams: {size: 4 KiB}\n"
		"tasks:\n  t:\n    program:\n"
		"      - loop: {times: 3, do: [run: 1 ms, count: {what: bytes, by: $size}, "
		"count: {what: n, by: 5}, count: {what: n}]}\n"
		"metrics:\n"
		"  bytes: {total: bytes}\n"
		"  kib: {total: bytes, per: 1024}\n"
		"  n: {total: n}\n"
		"  rate: {rate: bytes, per: 4096, unit: pages/s}\n",
		1);
	mock_run(k.s, k.run, NS_PER_SEC);
	workload_check(k.run, &k.f);
	assert_true(metric(&k, 0, &has) == 3 * 4096.0);
	assert_true(metric(&k, 1, &has) == 12.0);
	assert_true(metric(&k, 2, &has) == 18.0);
	assert_true(metric(&k, 3, &has) == 3.0 * 1e9 / (double)k.s->now);
	mock_free(&k);
}

/* As long as messages wait, which may be no pass at all; then what follows. */
static void test_while(void **state)
{
	static const char *const where[] = {"{channel: c}", "{poll: p}"};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		char text[1024];
		struct mock k;
		bool has;

		snprintf(
			text, sizeof(text),
			"start-jitter: 0\nfixed-work: yes\npolls: {p: {}}\n"
			"channels: {c: {kind: pipe, poll: p}}\n"
			"tasks:\n"
			"  s: {program: [run: 1 ms, send: c, send: c, send: c, run: 9 ms, "
			"send: c]}\n"
			"  r:\n    program:\n"
			"      - loop: {while: %s, do: [recv: {poll: p}, count: early]}\n"
			"      - run: 5 ms\n"
			"      - loop: {while: %s, do: [recv: {poll: p}, count: n]}\n"
			"metrics: {n: {total: n}, early: {total: early}}\n",
			where[i], where[i]);
		mock_open(&k, text, 1);
		mock_run(k.s, k.run, NS_PER_SEC);
		assert_true(workload_done(k.run));
		assert_true(metric(&k, 0, &has) == 3);
		assert_true(metric(&k, 1, &has) == 0);
		mock_free(&k);
	}
}

/* Draws come from the task's own stream and follow the distribution. */
static u64 drawn(const char *dist, u64 seed)
{
	char text[512];
	struct mock k;
	u64 ns;

	snprintf(text, sizeof(text),
		 MOCK_HEAD "fixed-work: yes\n" MOCK_TASK
			   "      - loop: {times: 2000, do: [run: %s]}\n" MOCK_COUNTS,
		 dist);
	mock_open(&k, text, seed);
	mock_run(k.s, k.run, 1000 * NS_PER_SEC);
	assert_true(workload_done(k.run));
	ns = workload_group_cpu(k.run, k.s, 0) / 2000;
	mock_free(&k);
	return ns;
}

static void test_draws(void **state)
{
	static const struct {
		const char *dist;
		double mean, sd; /* us */
	} want[] = {
		{"{uniform: [1 ms, 3 ms]}", 2000, 577.4},
		{"{exp: 1 ms}", 1000, 1000},
		/* mean = median e^(s^2/2), sd = mean sqrt(e^(s^2) - 1) */
		{"{lognormal: {median: 1 ms, sigma: 0.5}}", 1133.1, 603.9},
		{"{quantiles: [0, 1 ms, 4 ms]}", 1500, 1190.2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		double got = (double)drawn(want[i].dist, 7) / 1000;

		/* five standard errors of the mean of 2000 draws: 1 in 1.7 million */
		assert_near(got, want[i].mean, 5 * want[i].sd / 44.7);
		assert_true(drawn(want[i].dist, 7) == drawn(want[i].dist, 7));
		assert_true(drawn(want[i].dist, 7) != drawn(want[i].dist, 8));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_runtime),
		cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_named_timer),
		cmocka_unit_test(test_timer_begins_after_start),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_forever),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_fork_wait),
		cmocka_unit_test(test_orphans),
		cmocka_unit_test(test_nice_and_affinity),
		cmocka_unit_test(test_slice),
		cmocka_unit_test(test_refused_affinity),
		cmocka_unit_test(test_hotplug),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_percentile_of_intervals),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_while),
		cmocka_unit_test(test_draws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
