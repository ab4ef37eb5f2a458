/*
 * Speeds: frequency by active cores and licence, SMT pairs, the hold time of a licence,
 * memory-bound code. Rows: fixture_rates().
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

#define LONG (100 * NS_PER_SEC)

/* Tasks work without end, or for the ns that their program points at, then exit. */
static enum step work(void *ctx, struct sched *s, struct task *t)
{
	u64 *amount = task_program(t);

	(void)ctx;
	(void)s;
	if (amount && !*amount)
		return STEP_EXIT;
	task_set_amount(t, amount ? *amount : LONG);
	if (amount)
		*amount = 0;
	return STEP_WORK;
}

static const struct sched_client worker = {.step = work};

struct bench {
	struct fixture x;
	u32 avx, mem;
};

static void open_bench(struct bench *b)
{
	fixture_init(&b->x);
	fixture_machine(&b->x, 1, 1, 4, 2);
	fixture_rates(&b->x);
	fixture_kernel(&b->x, "");
	/* no costs: what is left is the rate */
	fixture_no_costs(&b->x);
	fixture_start(&b->x, &worker, 1);
	b->avx = sched_profile_add(
		b->x.sched, &(struct profile_attr){.name = "avx512", .licence = 2});
	b->mem = sched_profile_add(
		b->x.sched,
		&(struct profile_attr){.name = "memory", .memory = Q32_ONE / 2});
}

static struct task *put_on(struct bench *b, u32 cpu, u32 profile, u64 *amount)
{
	struct cpumask *mask = cpumask_new(&b->x.arena, 8);
	struct task_attr attr = {
		.comm = "w", .profile = profile, .cpus = mask, .program = amount};

	cpumask_set(mask, cpu);
	return sched_spawn(b->x.sched, &attr, cpu);
}

static void run_to(struct bench *b, u64 ms)
{
	while (engine_step(&b->x.engine, ms * NS_PER_MS))
		;
}

/* Work of a task per time between two instants, in thousandths. */
static u64 speed(struct bench *b, struct task *t, u64 from_ms, u64 to_ms)
{
	u64 before;

	run_to(b, from_ms);
	cpu_settle(b->x.sched, t->rq);
	before = t->remaining;
	run_to(b, to_ms);
	cpu_settle(b->x.sched, t->rq);
	return (before - t->remaining) * 1000 / ((to_ms - from_ms) * NS_PER_MS);
}

static void test_frequency(void **state)
{
	struct bench b;
	struct task *t;

	(void)state;
	open_bench(&b);
	t = put_on(&b, 0, 0, NULL);
	assert_in_range(speed(&b, t, 10, 20), 1761, 1762); /* 3.7 / 2.1 */
	put_on(&b, 2, 0, NULL);
	assert_in_range(speed(&b, t, 30, 40), 1571, 1572); /* 2 cores: 3.3 / 2.1 */
	put_on(&b, 4, 0, NULL);
	put_on(&b, 6, 0, NULL);
	assert_in_range(speed(&b, t, 50, 60), 1333, 1334); /* 4 cores: 2.8 / 2.1 */
	fixture_free(&b.x);
}

static void test_siblings(void **state)
{
	struct bench b;
	struct task *t;

	(void)state;
	open_bench(&b);
	t = put_on(&b, 0, 0, NULL);
	put_on(&b, 1, 0, NULL);
	/* one core is active, at 3.7 GHz; each keeps 65 % */
	assert_in_range(speed(&b, t, 10, 20), 1144, 1146);
	fixture_free(&b.x);
}

static void test_licence(void **state)
{
	struct bench b;
	struct task *t;
	u64 amount = 20 * NS_PER_MS;

	(void)state;
	open_bench(&b);
	t = put_on(&b, 0, 0, NULL);
	put_on(&b, 1, b.avx, &amount);
	/* the core runs at 3.5 GHz for both, and the scalar thread keeps 70 % of that */
	assert_in_range(speed(&b, t, 2, 8), 1165, 1167);
	/* the heavy one keeps 80 %: 20 ms of work end at 20 / (0.8 * 3.5 / 2.1) = 15 ms
	 */
	run_to(&b, 14);
	assert_non_null(b.x.sched->rq[1].curr);
	run_to(&b, 16);
	assert_null(b.x.sched->rq[1].curr);
	/* 2 ms of hold: alone on the core, and still at 3.5 GHz; then 3.7 */
	assert_in_range(speed(&b, t, 16, 17), 1660, 1667);
	assert_in_range(speed(&b, t, 20, 25), 1761, 1762);
	fixture_free(&b.x);
}

static void test_memory_bound(void **state)
{
	struct bench b;
	struct task *t;

	(void)state;
	open_bench(&b);
	t = put_on(&b, 0, b.mem, NULL);
	/* half of it does not scale: 1 / (0.5 * 2.1 / 3.7 + 0.5) */
	assert_in_range(speed(&b, t, 10, 20), 1275, 1277);
	fixture_free(&b.x);
}

/* Without rows everything runs at the nominal speed. */
static void test_no_rows(void **state)
{
	struct fixture x;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 2);
	fixture_kernel(&x, "");
	fixture_start(&x, &worker, 1);
	assert_null(x.sched->rates);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frequency), cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_licence),	  cmocka_unit_test(test_memory_bound),
		cmocka_unit_test(test_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
