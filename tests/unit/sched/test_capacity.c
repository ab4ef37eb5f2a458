/*
 * What real-time tasks leave of a CPU: how it is tracked, and what balancing and
 * wake-ups make of it. Numbers follow from PELT (half of it is gone after 32.768 ms) and
 * from the margins of a domain (117 %).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/capacity.h"
#include "sched_fixture.h"

#define MS   NS_PER_MS
#define HALF 32768000u /* ns */

/* Runs for ever, or once so long and then sleeps for ever. */
struct how {
	u64 run;
	bool ran;
};

static enum step act(void *ctx, struct sched *s, struct task *t)
{
	struct how *h = task_program(t);

	(void)ctx;
	(void)s;
	if (h->ran)
		return STEP_BLOCK;
	h->ran = h->run != 0;
	task_set_amount(t, h->run ? h->run : WORK_FOREVER);
	return STEP_WORK;
}

static void setup(struct fixture *x, u32 nodes, u32 cores, const char *options)
{
	static const struct sched_client client = {.step = act};

	fixture_init(x);
	fixture_machine(x, nodes, 1, cores, 1);
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
}

static struct task *spawn(struct fixture *x, u32 prio, u32 cpu, u64 run)
{
	struct cpumask *mask = cpumask_new(&x->arena, x->machine.ncpu);
	struct how *h = arena_new(&x->arena, struct how);
	struct task_attr attr = {.comm = "t",
				 .policy = prio ? POLICY_FIFO : POLICY_OTHER,
				 .rt_priority = prio,
				 .program = h,
				 .cpus = mask};

	h->run = run;
	cpumask_set(mask, cpu);
	return sched_spawn(x->sched, &attr, cpu);
}

static void until(struct fixture *x, u64 when)
{
	struct failure f;

	while (engine_step(&x->engine, when))
		if (sched_check_touched(x->sched, &f))
			fail_msg("%s", f.what);
	x->engine.now = when; /* nothing happens up to then */
}

static void test_tracking(void **state)
{
	struct fixture x;
	u64 util;

	(void)state;
	setup(&x, 1, 2, "");
	spawn(&x, 50, 0, HALF);
	spawn(&x, 0, 0, 0);
	until(&x, HALF);
	/* from 0 half of the way to 1024, as of the last whole period of 1024 us */
	util = rt_util(x.sched, cpu_rq(x.sched, 0));
	assert_in_range(util, 500, 512);
	assert_int_equal(rt_util(x.sched, cpu_rq(x.sched, 1)), 0);
	/* asking changes nothing */
	assert_int_equal(rt_util(x.sched, cpu_rq(x.sched, 0)), util);
	/* the fair task has the CPU now: half of what there was, and half of that */
	until(&x, 2 * HALF);
	assert_in_range(rt_util(x.sched, cpu_rq(x.sched, 0)), 250, 258);
	until(&x, 3 * HALF);
	assert_in_range(rt_util(x.sched, cpu_rq(x.sched, 0)), 124, 130);
	/* its own passes say what is left: those of a busy CPU are 32 ms apart */
	assert_in_range(cpu_capacity(cpu_rq(x.sched, 0)), 1024 - 258, 1024 - 124);
	assert_int_equal(cpu_capacity(cpu_rq(x.sched, 1)), 1024);
	fixture_free(&x);

	setup(&x, 1, 1, "");
	spawn(&x, 0, 0, 0);
	until(&x, 10 * MS);
	assert_null(x.sched->rt); /* nobody pays */
	assert_int_equal(cpu_capacity(cpu_rq(x.sched, 0)), 1024);
	fixture_free(&x);
}

static struct env pass(struct fixture *x, u32 cpu, enum idle_kind idle)
{
	struct env env = {.dst = cpu_rq(x->sched, cpu),
			  .sd = cpu_rq(x->sched, cpu)->sd,
			  .cpus = x->sched->lb_mask,
			  .idle = idle,
			  .by = cpu};

	while (env.sd->parent)
		env.sd = env.sd->parent;
	cpumask_copy(env.cpus, env.sd->span);
	return env;
}

/* Group sums: the own group as its CPUs said last, the others of a NUMA ring likewise. */
static void test_groups(void **state)
{
	struct fixture x;
	struct env env;

	(void)state;
	setup(&x, 2, 2, "");
	rt_use(x.sched);
	until(&x, 1);
	env = pass(&x, 0, CPU_IS_IDLE);
	cpu_rq(x.sched, 3)->rt->capacity = 500;
	capacity_refresh(x.sched, &env);
	assert_int_equal(env.sd->groups->capacity, 2048);
	assert_int_equal(env.sd->groups->next->capacity, 1524);
	assert_int_equal(env.sd->groups->next->capacity_100, 152400);
	assert_int_equal(env.sd->groups->next->capacity_pct,
			 1524 * env.sd->imbalance_pct);
	assert_int_equal(env.sd->capacity, 2048 + 1524);
	/* a CPU's own number comes from its smallest domain */
	env = pass(&x, 3, CPU_IS_IDLE);
	env.sd = env.dst->sd;
	capacity_refresh(x.sched, &env);
	assert_int_equal(cpu_capacity(env.dst), 1024);
	assert_int_equal(env.sd->groups->capacity, 1024);
	fixture_free(&x);
}

/* Alone on a CPU that has lost a sixth and more of its capacity, beside an idle one. */
static void misplaced(const char *options, bool moves)
{
	const struct group *g;
	struct fixture x;
	struct env env;

	setup(&x, 1, 2, options);
	rt_use(x.sched);
	spawn(&x, 0, 0, 0);
	until(&x, 100 * MS);
	env = pass(&x, 1, CPU_IS_IDLE);
	env.src = cpu_rq(x.sched, 0);
	assert_null(balance_busiest_group(x.sched, &env));
	env.src->rt->capacity = 880; /* * 117 = 102960, of 102400 */
	assert_null(balance_busiest_group(x.sched, &env));
	assert_false(capacity_wants_push(&env));
	assert_false(capacity_wants_kick(env.src));
	env.src->rt->capacity = 870;
	g = balance_busiest_group(x.sched, &env);
	assert_int_equal(g != NULL, moves);
	assert_true(capacity_wants_push(&env));
	assert_true(capacity_wants_kick(env.src));
	if (moves) {
		assert_true(cpumask_has(g->span, 0));
		assert_int_equal(env.kind, MOVE_LOAD);
		assert_int_equal(env.imbalance, cpu_load(env.src));
		assert_ptr_equal(balance_busiest_rq(x.sched, &env, g), env.src);
	}
	/* both have lost as much: nothing is gained */
	env.dst->rt->capacity = 870;
	assert_false(capacity_wants_push(&env));
	/* who is busy itself does not ask */
	env.idle = CPU_IS_BUSY;
	assert_null(balance_busiest_group(x.sched, &env));
	fixture_free(&x);
}

static void test_misplaced(void **state)
{
	(void)state;
	misplaced("", true);
	misplaced("  balance.reduced_capacity: off\n", false);
}

/* It does move: a push, without waiting for failures. */
static void test_pushed(void **state)
{
	struct fixture x;
	struct task *t;

	(void)state;
	setup(&x, 1, 2, "");
	t = spawn(&x, 0, 0, 0);
	cpumask_set(t->cpus, 1);
	t->ncpus_allowed = 2;
	rt_use(x.sched);
	/* 40 ms of real-time work leave a third less; nobody was idle enough to pull yet
	 */
	until(&x, 4 * MS);
	cpu_rq(x.sched, 0)->rt->avg.last = x.engine.now & ~1023ull;
	cpu_rq(x.sched, 0)->rt->avg.util_sum = 900 * 47742;
	cpu_rq(x.sched, 0)->rt->avg.util_avg = 900;
	until(&x, 30 * MS);
	assert_int_equal(t->rq->cpu, 1);
	assert_int_equal(x.sched->totals.decisions[DEC_BALANCE_ACTIVE], 1);
	fixture_free(&x);
}

/* Equal loads: the queue of the CPU that has less of itself is the busiest. */
static void test_load_per_capacity(void **state)
{
	struct fixture x;
	struct env env;

	(void)state;
	setup(&x, 2, 2, "");
	rt_use(x.sched);
	for (u32 i = 0; i < 4; i++)
		spawn(&x, 0, i % 2, 0);
	until(&x, 100 * MS);
	env = pass(&x, 2, CPU_IS_IDLE);
	env.kind = MOVE_LOAD;
	env.imbalance = 1024;
	cpu_rq(x.sched, 0)->rt->capacity = 1000;
	assert_int_equal(balance_busiest_rq(x.sched, &env, env.sd->groups->next)->cpu, 0);
	cpu_rq(x.sched, 0)->rt->capacity = 1024;
	cpu_rq(x.sched, 1)->rt->capacity = 1000;
	assert_int_equal(balance_busiest_rq(x.sched, &env, env.sd->groups->next)->cpu, 1);
	fixture_free(&x);
}

/*
 * A hog on each CPU, the wakee was on CPU 0: (1024 + 1024) * 100 there against
 * 1024 * 108 stays; with 400 left of CPU 0 the other one is taken.
 */
static void test_wake_affine(void **state)
{
	struct fixture x;
	struct task *t;
	struct rq *this_rq;

	(void)state;
	setup(&x, 1, 2, "  wake.affine_idle: off\n");
	rt_use(x.sched);
	spawn(&x, 0, 0, 0);
	spawn(&x, 0, 1, 0);
	t = spawn(&x, 0, 0, 90 * MS);
	while (t->state != TASK_SLEEPING)
		assert_true(engine_step(&x.engine, 300 * MS));
	this_rq = cpu_rq(x.sched, 1);
	assert_int_equal(wake_affine(x.sched, t, this_rq, NULL, false, this_rq->sd), 0);
	cpu_rq(x.sched, 0)->rt->capacity = 400;
	assert_int_equal(wake_affine(x.sched, t, this_rq, NULL, false, this_rq->sd), 1);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tracking),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_misplaced),
		cmocka_unit_test(test_pushed),
		cmocka_unit_test(test_load_per_capacity),
		cmocka_unit_test(test_wake_affine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
