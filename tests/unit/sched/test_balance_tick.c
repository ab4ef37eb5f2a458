/*
 * CPUs that balance at one instant, as at a common tick: all have looked before the first
 * one moved anything, so a task moves once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/env.h"
#include "internal.h"
#include "sched_fixture.h"

static enum step hog(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct sched_client client = {.step = hog};

static void pinned(struct fixture *x, u32 cpu)
{
	struct cpumask *mask = cpumask_new(&x->arena, 4);
	struct task_attr attr = {.comm = "pinned", .cpus = mask};

	cpumask_set(mask, cpu);
	sched_spawn(x->sched, &attr, cpu);
}

/* A CPU that has failed to balance often enough to take whatever waits. */
static u32 balance(struct fixture *x, u32 cpu, u32 by)
{
	struct rq *rq = cpu_rq(x->sched, cpu);
	struct env env = {.sd = rq->sd, .dst = rq, .idle = CPU_IS_BUSY, .by = by};
	bool go_on = true;

	rq->sd->nr_failed = 3;
	return balance_domain(x->sched, &env, &go_on);
}

/* Four hogs that stay on CPUs 0 to 3, and one that is where the last balancing left it.
 */
static void test_one_instant(void **state)
{
	struct task_attr attr = {.comm = "free"};
	struct fixture x;
	struct task *t;
	u32 at;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, "");
	fixture_start(&x, &client, 1);
	for (u32 cpu = 0; cpu < 4; cpu++)
		pinned(&x, cpu);
	t = sched_spawn(x.sched, &attr, 0);
	while (engine_step(&x.engine, 500 * NS_PER_MS))
		;
	/* it waits */
	while (t->rq->curr == t && engine_step(&x.engine, NS_PER_SEC))
		;
	at = t->rq->cpu;
	assert_int_equal(balance(&x, (at + 1) % 4, (at + 1) % 4), 1);
	assert_int_equal(t->rq->cpu, (at + 1) % 4);
	/* another one sees it there, but would not have */
	assert_int_equal(balance(&x, (at + 2) % 4, (at + 2) % 4), 0);
	assert_int_equal(t->rq->cpu, (at + 1) % 4);
	assert_int_equal(cpu_rq(x.sched, (at + 2) % 4)->sd->nr_failed, 4);
	/* one CPU that balances for several does so for one after another */
	assert_int_equal(balance(&x, (at + 2) % 4, (at + 1) % 4), 1);
	assert_int_equal(t->rq->cpu, (at + 2) % 4);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_instant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
