/*
 * Where time goes: closed forms. What a rate is made of, what a charge is, what a wait
 * is. Rows: fixture_rates(): one busy core 3.7 GHz, two or three 3.3, nominal 2.1.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched/account.h"
#include "sched_fixture.h"

/* Work without end. */
static enum step hog(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 100 * NS_PER_SEC);
	return STEP_WORK;
}

/* 1 ms of work, 1 ms of sleep; on a lock, as far as it says. */
static enum step nap(void *ctx, struct sched *s, struct task *t)
{
	bool *worked = task_program(t);

	*worked = !*worked;
	if (*worked) {
		task_set_amount(t, NS_PER_MS);
		return STEP_WORK;
	}
	if (ctx)
		task_waits_for_lock(t);
	sched_sleep_until(s, t, sched_now(s) + NS_PER_MS);
	return STEP_BLOCK;
}

typedef enum step step_fn(void *ctx, struct sched *s, struct task *t);

struct bench {
	struct fixture x;
	struct account *account;
};

static void open_bench(struct bench *b, u32 cores, u32 threads, step_fn *step, void *ctx,
		       u64 best_hz)
{
	const struct sched_client client = {.ctx = ctx, .step = step};

	fixture_init(&b->x);
	fixture_machine(&b->x, 1, 1, cores, threads);
	fixture_rates(&b->x);
	fixture_kernel(&b->x, "");
	for (u32 i = 0; i < COST_COUNT; i++)
		if (cost_rows[i].unit == UNIT_TIME)
			b->x.machine.cost[i].value = 0;
	fixture_start(&b->x, &client, 1);
	b->account = account_new(&b->x.arena, b->x.sched, best_hz, true);
}

static void put_on(struct bench *b, u32 cpu, u32 profile, void *program)
{
	struct cpumask *mask = cpumask_new(&b->x.arena, b->x.machine.ncpu);
	struct task_attr attr = {
		.comm = "w", .profile = profile, .cpus = mask, .program = program};

	cpumask_set(mask, cpu);
	sched_spawn(b->x.sched, &attr, cpu);
}

/* Of the first group, after a second; CPUs add up, and so does everything. */
static struct account_row after(struct bench *b)
{
	const struct account_row *row;
	struct failure f;
	u32 n;

	while (engine_step(&b->x.engine, NS_PER_SEC))
		account_look(b->account);
	if (account_check(b->account, &f))
		fail_msg("%s", f.what);
	row = account_tasks(b->account, &n);
	assert_true(n > 1);
	return row[1];
}

/* A ns for each of a few intervals, and the rows are rounded down to 1 / 2^32. */
static void near(u64 have, double want)
{
	if ((double)have < want - 100 || (double)have > want + 100)
		fail_msg("%llu, expected %.0f", (unsigned long long)have, want);
}

static void test_full_speed(void **state)
{
	struct bench b;
	struct account_row r;

	(void)state;
	open_bench(&b, 4, 2, hog, NULL, 0);
	put_on(&b, 0, PROFILE_DEFAULT, NULL);
	r = after(&b);
	assert_int_equal(r.ns[REASON_FULL], NS_PER_SEC);
	assert_int_equal(r.sum, NS_PER_SEC);
	fixture_free(&b.x);
}

/* Two threads of one core keep 65 % each, at the clock of one core. */
static void test_smt(void **state)
{
	struct bench b;
	struct account_row r;

	(void)state;
	open_bench(&b, 4, 2, hog, NULL, 0);
	put_on(&b, 0, PROFILE_DEFAULT, NULL);
	put_on(&b, 1, PROFILE_DEFAULT, NULL);
	r = after(&b);
	near(r.ns[REASON_SMT], 2e9 * 0.35);
	near(r.ns[REASON_FULL], 2e9 * 0.65);
	assert_int_equal(r.ns[REASON_FREQUENCY], 0);
	assert_int_equal(r.sum, 2 * NS_PER_SEC);
	fixture_free(&b.x);
}

/* A clock of full speed that the machine does not have: 3.7 of 7.4 GHz. */
static void test_frequency(void **state)
{
	struct bench b;
	struct account_row r;

	(void)state;
	open_bench(&b, 4, 2, hog, NULL, 7400000000);
	put_on(&b, 0, PROFILE_DEFAULT, NULL);
	r = after(&b);
	near(r.ns[REASON_FREQUENCY], 0.5e9);
	near(r.ns[REASON_FULL], 0.5e9);
	fixture_free(&b.x);
}

/* Both: SMT takes its part of the time, the clock its part of the rest. */
static void test_smt_and_frequency(void **state)
{
	struct bench b;
	struct account_row r;

	(void)state;
	open_bench(&b, 4, 2, hog, NULL, 7400000000);
	put_on(&b, 0, PROFILE_DEFAULT, NULL);
	put_on(&b, 1, PROFILE_DEFAULT, NULL);
	r = after(&b);
	near(r.ns[REASON_SMT], 2e9 * 0.35);
	near(r.ns[REASON_FREQUENCY], 1e9 * 0.65);
	near(r.ns[REASON_FULL], 1e9 * 0.65);
	fixture_free(&b.x);
}

/* Two hogs on one CPU: one runs, one waits. */
static void test_wait(void **state)
{
	struct bench b;
	struct account_row r;

	(void)state;
	open_bench(&b, 1, 1, hog, NULL, 0);
	put_on(&b, 0, PROFILE_DEFAULT, NULL);
	put_on(&b, 0, PROFILE_DEFAULT, NULL);
	r = after(&b);
	assert_int_equal(r.ns[REASON_FULL], NS_PER_SEC);
	assert_int_equal(r.ns[REASON_WAIT], NS_PER_SEC);
	fixture_free(&b.x);
}

static void sleeper(void *ctx, enum reason is, enum reason is_not)
{
	bool worked = false;
	struct bench b;
	struct account_row r;

	open_bench(&b, 1, 1, nap, ctx, 0);
	put_on(&b, 0, PROFILE_DEFAULT, &worked);
	r = after(&b);
	assert_true(r.ns[is] > NS_PER_SEC / 2);
	assert_true(r.ns[REASON_FULL] > NS_PER_SEC / 4);
	assert_int_equal(r.ns[is_not], 0);
	assert_int_equal(r.sum, NS_PER_SEC);
	fixture_free(&b.x);
}

static void test_sleep(void **state)
{
	bool lock = true;

	(void)state;
	sleeper(NULL, REASON_SLEEP, REASON_LOCK);
	sleeper(&lock, REASON_LOCK, REASON_SLEEP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_speed),
		cmocka_unit_test(test_smt),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_smt_and_frequency),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_sleep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
