/*
 * Limits of CPU time (cpu.max) and idle groups (cpu.idle), in numbers that follow from
 * the rules: a quota a period, slices of 5 ms, 1 ms kept, clocks that stand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

#define MS NS_PER_MS

/* What the tasks do: run for ever, or run and sleep in turn. */
struct nap {
	u64 run, sleep; /* run 0: for ever */
	bool slept;
};

static enum step step(void *ctx, struct sched *s, struct task *t)
{
	struct nap *n = task_program(t);

	(void)ctx;
	if (!n->run) {
		task_set_amount(t, WORK_FOREVER);
		return STEP_WORK;
	}
	n->slept = !n->slept;
	if (n->slept) {
		task_set_amount(t, n->run);
		return STEP_WORK;
	}
	sched_sleep_until(s, t, sched_now(s) + n->sleep);
	return STEP_BLOCK;
}

static void setup(struct fixture *x, u32 cpus, const char *options)
{
	static const struct sched_client client = {.step = step};

	fixture_init(x);
	fixture_machine(x, 1, 1, cpus, 1);
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
}

static struct task *spawn(struct fixture *x, struct task_group *g, u32 cpu, struct nap *n)
{
	struct cpumask *mask = cpumask_new(&x->arena, x->machine.ncpu);
	struct task_attr attr = {.comm = "t", .tg = g, .program = n, .cpus = mask};

	cpumask_set(mask, cpu);
	return sched_spawn(x->sched, &attr, cpu);
}

static void play(struct fixture *x, u64 until)
{
	struct failure f;

	while (engine_step(&x->engine, until))
		if (sched_check_touched(x->sched, &f))
			fail_msg("%s", f.what);
	if (sched_check(x->sched, &f))
		fail_msg("%s", f.what);
}

static struct task_group *limited(struct fixture *x, struct task_group *parent, u64 quota,
				  u64 period, u64 burst)
{
	struct task_group *g = sched_group_new(x->sched, parent, "g", 1024);
	struct group_limit limit = {.quota = quota, .period = period, .burst = burst};

	sched_group_limit(x->sched, g, &limit);
	return g;
}

/*
 * 20 ms in 100 ms. What a queue overdraws until the next tick (4 ms) it pays back in the
 * next period, so that n periods have n quotas, give or take one tick, and half a
 * period's quota more at the end of a window that is not on the grid.
 */
static void test_quota(void **state)
{
	struct nap hog = {0};
	struct limit_stats st;
	struct task_group *g;
	struct fixture x;
	struct task *t;

	(void)state;
	setup(&x, 1, "");
	g = limited(&x, NULL, 20 * MS, 100 * MS, 0);
	t = spawn(&x, g, 0, &hog);
	play(&x, 2000 * MS);
	sched_limit_stats(x.sched, g, &st);
	assert_in_range(task_cpu_time(x.sched, t), 20 * 20 * MS - 4 * MS,
			21 * 20 * MS + 4 * MS);
	assert_in_range(st.periods, 19, 20);
	/* each period once: with one queue nobody gives anything back */
	assert_in_range(st.throttles, 20, 21);
	assert_in_range(st.throttled_ns, 1570 * MS, 1610 * MS);
	fixture_free(&x);
}

/* A child within its parent: each has its own account, both bound. */
static void test_nested(void **state)
{
	struct nap hog[3] = {{0}};
	struct task_group *outer, *inner, *beside;
	struct fixture x;
	struct task *t[3];
	u64 sum;

	(void)state;
	setup(&x, 2, "");
	outer = limited(&x, NULL, 60 * MS, 100 * MS, 0);
	inner = limited(&x, outer, 20 * MS, 100 * MS, 0);
	beside = sched_group_new(x.sched, outer, "beside", 1024);
	t[0] = spawn(&x, inner, 0, &hog[0]);
	t[1] = spawn(&x, beside, 1, &hog[1]);
	t[2] = spawn(&x, beside, 0, &hog[2]);
	play(&x, 3000 * MS);
	/* 30 periods; what was overdrawn last, and the part of a period at each end */
	assert_in_range(task_cpu_time(x.sched, t[0]), 200 * MS, 31 * 20 * MS + 4 * MS);
	sum = task_cpu_time(x.sched, t[0]) + task_cpu_time(x.sched, t[1]) +
	      task_cpu_time(x.sched, t[2]);
	assert_in_range(sum, 29 * 60 * MS, 31 * 60 * MS + 8 * MS);
	fixture_free(&x);
}

/* While a queue is throttled nothing in it grows or decays; afterwards it goes on. */
static void test_clock_stands(void **state)
{
	struct nap hog = {0}, napper = {.run = MS, .sleep = 30 * MS};
	struct pelt queue, runner;
	struct task_group *g;
	struct cfs_rq *cfs;
	struct fixture x;
	struct task *t;
	u64 since;

	(void)state;
	setup(&x, 1, "");
	g = limited(&x, NULL, 20 * MS, 100 * MS, 0);
	t = spawn(&x, g, 0, &hog);
	spawn(&x, g, 0, &napper);
	cfs = g->cfs[0];
	play(&x, 400 * MS);
	while (cfs->limit.throttled)
		assert_true(engine_step(&x.engine, TIME_NEVER - 1));
	while (!cfs->limit.throttled)
		assert_true(engine_step(&x.engine, TIME_NEVER - 1));
	queue = cfs->avg;
	runner = t->se.avg;
	since = x.engine.now;
	assert_int_equal(x.sched->rq[0].nr_running, 0);
	assert_int_equal(x.sched->rq[0].cfs.h_nr, 0);
	assert_true(cfs->h_nr >= 1);
	while (cfs->limit.throttled) {
		load_update_rq(x.sched, &x.sched->rq[0]);
		assert_int_equal(cfs->avg.load_sum, queue.load_sum);
		assert_int_equal(cfs->avg.util_sum, queue.util_sum);
		assert_int_equal(t->se.avg.load_sum, runner.load_sum);
		assert_true(engine_step(&x.engine, TIME_NEVER - 1));
	}
	assert_true(x.engine.now - since > 70 * MS);
	/* its clock went on with the time that it stood, to the ns */
	assert_in_range(x.engine.now - t->se.avg.last, 0, 2 * MS);
	assert_in_range(x.engine.now - cfs->avg.last, 0, 2 * MS);
	fixture_free(&x);
}

/*
 * One ms is kept, the rest goes back when the last task of a queue sleeps. 7 ms there is
 * more than a slice: 5 ms later the throttled hog goes on with 7 ms. 5 ms is not.
 */
static void test_slack(void **state)
{
	(void)state;
	for (u32 ms = 6; ms <= 8; ms += 2) {
		struct nap hog = {0};
		struct sched_totals before, totals;
		struct task_group *g;
		struct fixture x;
		struct task *t;
		u64 used;

		setup(&x, 2, "");
		g = limited(&x, NULL, 20 * MS, 100 * MS, 0);
		t = spawn(&x, g, 0, &hog);
		play(&x, 210 * MS);
		while (g->cfs[0]->limit.throttled)
			assert_true(engine_step(&x.engine, TIME_NEVER - 1));
		while (!g->cfs[0]->limit.throttled)
			assert_true(engine_step(&x.engine, TIME_NEVER - 1));
		sched_totals(x.sched, &before);
		used = task_cpu_time(x.sched, t);
		g->cfs[1]->limit.left = (s64)(ms * MS);
		bandwidth_return(x.sched, g->cfs[1]);
		assert_int_equal(g->cfs[1]->limit.left, MS);
		assert_int_equal(g->bw->pool, (ms - 1) * MS);
		play(&x, x.engine.now + 30 * MS);
		sched_totals(x.sched, &totals);
		assert_int_equal(totals.decisions[DEC_BANDWIDTH_SLACK], ms == 8);
		/* until the next tick it overdraws, and it has overdrawn before */
		assert_in_range(task_cpu_time(x.sched, t) - used,
				ms == 8 ? 7 * MS - 4 * MS : 0, ms == 8 ? 11 * MS : 0);
		fixture_free(&x);
	}
}

/* To 5.3 what a queue keeps is lost with the period; since 5.4 it is not. */
static void test_expire(void **state)
{
	static const char *const options[] = {"", "  bandwidth.expire: on\n"};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct nap napper = {.run = 200 * NS_PER_US, .sleep = 77 * MS};
		struct nap hog = {0};
		struct sched_totals totals;
		struct task_group *g;
		struct fixture x;

		setup(&x, 2, options[i]);
		g = limited(&x, NULL, 40 * MS, 100 * MS, 0);
		spawn(&x, g, 0, &hog);
		spawn(&x, g, 1, &napper);
		play(&x, 2000 * MS);
		sched_totals(x.sched, &totals);
		assert_int_equal(totals.decisions[DEC_BANDWIDTH_EXPIRE] > 0, i);
		fixture_free(&x);
	}
}

/*
 * 10 ms in 100 ms and a burst of 10: who runs 16 ms every 200 ms is never throttled with
 * the burst, and is without.
 */
static void test_burst(void **state)
{
	(void)state;
	for (u32 i = 0; i < 3; i++) {
		struct nap napper = {.run = 16 * MS, .sleep = 184 * MS};
		struct limit_stats st;
		struct task_group *g;
		struct fixture x;

		setup(&x, 1, i == 2 ? "  bandwidth.burst: off\n" : "");
		g = limited(&x, NULL, 10 * MS, 100 * MS, i ? 10 * MS : 0);
		spawn(&x, g, 0, &napper);
		play(&x, 300 * MS);
		sched_limit_stats(x.sched, g, &st);
		/* the first one has no savings yet */
		assert_in_range(st.throttles, 1, 2);
		play(&x, 3000 * MS);
		sched_limit_stats(x.sched, g, &st);
		if (i == 1)
			assert_in_range(st.throttles, 1, 2);
		else
			assert_in_range(st.throttles, 10, 16);
		fixture_free(&x);
	}
}

/* A group of cpu.idle weighs 3 beside 1024, and a wakee of another preempts it at once.
 */
static void test_idle_group(void **state)
{
	struct nap hog[2] = {{0}}, napper = {.run = MS, .sleep = 9 * MS};
	struct sched_totals totals;
	struct task_group *lazy;
	struct task *a, *b;
	struct fixture x;

	(void)state;
	setup(&x, 2, "");
	lazy = sched_group_new(x.sched, NULL, "lazy", 1024);
	sched_group_idle(x.sched, lazy);
	a = spawn(&x, lazy, 0, &hog[0]);
	b = spawn(&x, NULL, 0, &hog[1]);
	play(&x, 10000 * MS);
	/* 3/1027 of 10 s is 29 ms; it runs a tick (4 ms) at a time */
	assert_in_range(task_cpu_time(x.sched, a), 21 * MS, 37 * MS);
	assert_in_range(task_cpu_time(x.sched, b), 9950 * MS, 9980 * MS);
	assert_int_equal(lazy->se[0]->weight, 3);
	fixture_free(&x);

	setup(&x, 1, "");
	lazy = sched_group_new(x.sched, NULL, "lazy", 1024);
	sched_group_idle(x.sched, lazy);
	a = spawn(&x, lazy, 0, &hog[0]);
	b = spawn(&x, NULL, 0, &napper);
	play(&x, 1000 * MS);
	sched_totals(x.sched, &totals);
	assert_in_range(totals.decisions[DEC_PREEMPT_POLICY], 95, 101);
	assert_true(cpu_sched_idle(x.sched, 0) == !b->se.on_rq);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quota),	     cmocka_unit_test(test_nested),
		cmocka_unit_test(test_clock_stands), cmocka_unit_test(test_slack),
		cmocka_unit_test(test_expire),	     cmocka_unit_test(test_burst),
		cmocka_unit_test(test_idle_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
