/*
 * Balancing for idle CPUs without a tick: when a busy CPU asks for it, and whom. A hog
 * keeps CPU 0 of four busy; sleepers come and go on CPU 1.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

#define FAR 1000 /* jiffies */

/* A hog, or 5 ms of work and a sleep without end: a busy tick or two see it. */
static enum step step(void *ctx, struct sched *s, struct task *t)
{
	bool *ran = ctx;

	if (task_comm(t)[0] == 'h') {
		task_set_amount(t, WORK_FOREVER);
		return STEP_WORK;
	}
	if (*ran) {
		sched_sleep_until(s, t, sched_now(s) + NS_PER_SEC);
		return STEP_BLOCK;
	}
	*ran = true;
	task_set_amount(t, 5 * NS_PER_MS);
	return STEP_WORK;
}

static void pinned(struct fixture *x, const char *comm, u32 cpu)
{
	struct cpumask *mask = cpumask_new(&x->arena, 4);
	struct task_attr attr = {.comm = comm, .cpus = mask};

	cpumask_set(mask, cpu);
	sched_spawn(x->sched, &attr, cpu);
}

static void run_until(struct fixture *x, u64 when)
{
	while (engine_step(&x->engine, when))
		;
}

/*
 * The next balancing for idle CPUs is noted far too late, CPU 1 would balance in 30
 * jiffies: how far away it is noted 20 ms after CPU 1 has gone tickless.
 */
static u64 noted(const char *options)
{
	bool ran = false;
	struct sched_client client = {.ctx = &ran, .step = step};
	struct fixture x;
	struct sched *s;
	u64 then, far;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &client, 1);
	s = x.sched;
	pinned(&x, "hog", 0);
	run_until(&x, 50 * NS_PER_MS);
	then = jiffies(s);
	s->nohz_next_balance = then + FAR;
	pinned(&x, "nap", 1);
	run_until(&x, 54 * NS_PER_MS);
	assert_false(s->rq[1].nohz_idle);
	for (u32 cpu = 1; cpu < 4; cpu++)
		s->rq[cpu].next_balance = then + FAR;
	s->rq[1].next_balance = then + 30;
	run_until(&x, 70 * NS_PER_MS);
	assert_true(s->rq[1].nohz_idle);
	far = s->nohz_next_balance - then;
	fixture_free(&x);
	return far;
}

static void test_next(void **state)
{
	(void)state;
	/* going idle, CPU 1 may have brought its next balance forward */
	assert_in_range(noted("  hz: 1000\n"), 1, 30);
	/* nobody looks until the noted time has come */
	assert_int_equal(noted("  hz: 1000\n  nohz.next_kick: off\n"), FAR);
}

/* A busy CPU of two tasks has its tick; CPU 1 is tickless but has just been given work.
 */
static u32 asked(const char *options)
{
	bool ran = false;
	struct sched_client client = {.ctx = &ran, .step = step};
	struct fixture x;
	struct sched *s;
	u32 found = CPU_NONE;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &client, 1);
	s = x.sched;
	pinned(&x, "hog", 0);
	run_until(&x, 50 * NS_PER_MS);
	s->rq[0].nr_running = 2;
	s->nohz_next_balance = 0;
	s->rq[1].wake_pending = true; /* it counts as busy, and its tick is still off */
	balance_nohz_kick(s, &s->rq[0]);
	for (u32 cpu = 1; cpu < 4; cpu++)
		if (s->rq[cpu].ipi_work & IPI_NOHZ)
			found = cpu;
	fixture_free(&x);
	return found;
}

static void test_whom(void **state)
{
	(void)state;
	assert_int_equal(asked("  hz: 1000\n"), 2);
	assert_int_equal(asked("  hz: 1000\n  nohz.first_only: on\n"), CPU_NONE);
}

/*
 * CPU 1 is tickless and has had a utilisation 100 ms ago, more than three half-lives: a
 * newly idle pass of CPU 2 sees it as it was, or as it is.
 */
static u64 left(const char *options)
{
	bool ran = true;
	struct sched_client client = {.ctx = &ran, .step = step};
	struct fixture x;
	struct sched *s;
	u64 util;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &client, 1);
	s = x.sched;
	run_until(&x, 100 * NS_PER_MS);
	x.engine.now = 100 * NS_PER_MS;
	s->rq[1].cfs.avg = (struct pelt){.util_avg = 800, .util_sum = 800 * 46000};
	s->overload = true;
	assert_false(balance_newidle(s, &s->rq[2]));
	util = s->rq[1].cfs.avg.util_avg;
	fixture_free(&x);
	return util;
}

static void test_refresh(void **state)
{
	(void)state;
	assert_int_equal(left(""), 800);
	assert_in_range(left("  balance.newidle_refresh: on\n"), 80, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_whom),
		cmocka_unit_test(test_refresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
