/*
 * Cold starts: after a move a task loads what it lost, for no longer than its last stay
 * worked; what it left behind is there when it comes back, unless others have loaded more
 * than the cache had room for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

#define SET 1500000ull /* bytes: 100 us at 15 GB/s */

static enum step work(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 100 * NS_PER_SEC);
	return STEP_WORK;
}

static const struct sched_client worker = {.step = work};

struct bench {
	struct fixture x;
	struct machine_cache cache;
	u32 profile;
	u64 seen; /* ns of cold starts so far */
};

static void open_bench(struct bench *b, u64 cache)
{
	struct profile_attr set = {.name = "set", .working_set = SET};

	fixture_init(&b->x);
	fixture_machine(&b->x, 1, 1, 4, 2);
	fixture_kernel(&b->x, "");
	b->cache = (struct machine_cache){.level = 2, .size = cache, .cpus = 2};
	b->x.machine.cache = &b->cache;
	b->x.machine.ncache = 1;
	/* no costs: what is left are the bandwidths */
	fixture_no_costs(&b->x);
	fixture_start(&b->x, &worker, 1);
	b->profile = sched_profile_add(b->x.sched, &set);
	b->seen = 0;
}

static struct task *put_on(struct bench *b, u32 cpu)
{
	struct cpumask *mask = cpumask_new(&b->x.arena, 8);
	struct task_attr attr = {.comm = "w", .profile = b->profile, .cpus = mask};

	cpumask_set(mask, cpu);
	return sched_spawn(b->x.sched, &attr, cpu);
}

static void run_for(struct bench *b, u64 us)
{
	u64 end = b->x.engine.now + us * NS_PER_US;

	while (engine_step(&b->x.engine, end))
		;
}

/* Moves it, lets it run, and says for how many ns tasks have loaded since the last call.
 */
static u64 move(struct bench *b, struct task *t, u32 cpu, u64 us)
{
	struct cpumask *mask = cpumask_new(&b->x.arena, 8);
	struct sched_totals totals;
	struct failure f;
	u64 ns;

	cpumask_set(mask, cpu);
	assert_int_equal(sched_set_affinity(b->x.sched, t, mask, &f), 0);
	run_for(b, us);
	sched_totals(b->x.sched, &totals);
	ns = totals.cold_ns - b->seen;
	b->seen = totals.cold_ns;
	return ns;
}

static void test_move(void **state)
{
	struct bench b;
	struct task *t;

	(void)state;
	open_bench(&b, 2000000);
	t = put_on(&b, 0);
	run_for(&b, 5000);
	/* a sibling has it in its cache; another core loads it */
	assert_int_equal(move(&b, t, 1, 5000), 0);
	assert_int_equal(move(&b, t, 4, 5000), 100 * NS_PER_US);
	fixture_free(&b.x);
}

static void test_return(void **state)
{
	struct bench b;
	struct task *t, *u;

	(void)state;
	open_bench(&b, 2000000);
	t = put_on(&b, 0);
	u = put_on(&b, 6);
	run_for(&b, 5000);
	assert_int_equal(move(&b, t, 4, 5000), 100 * NS_PER_US);
	assert_int_equal(move(&b, t, 0, 5000), 0);
	assert_int_equal(move(&b, t, 4, 5000), 0);
	/* another comes to core 0: there is room for 0.5 MB, so it pushes out 1 MB */
	assert_int_equal(move(&b, u, 1, 5000), 100 * NS_PER_US);
	assert_in_range(move(&b, t, 0, 5000), 66666, 66667);
	fixture_free(&b.x);
}

/* Without knowing the cache's size, all that others load pushes something out. */
static void test_no_cache(void **state)
{
	struct bench b;
	struct task *t, *u;

	(void)state;
	open_bench(&b, 0);
	t = put_on(&b, 0);
	u = put_on(&b, 6);
	run_for(&b, 5000);
	assert_int_equal(move(&b, t, 4, 5000), 100 * NS_PER_US);
	assert_int_equal(move(&b, u, 1, 5000), 100 * NS_PER_US);
	assert_int_equal(move(&b, t, 0, 5000), 100 * NS_PER_US);
	fixture_free(&b.x);
}

static void test_short_stays(void **state)
{
	struct bench b;
	struct task *t;

	(void)state;
	open_bench(&b, 2000000);
	t = put_on(&b, 0);
	run_for(&b, 20);
	/* it worked for 20 us, then for 30 - 20 less two exits from idle of 1 us */
	assert_int_equal(move(&b, t, 2, 30), 20 * NS_PER_US);
	assert_int_equal(move(&b, t, 4, 200), 8 * NS_PER_US);
	/* back at the first core all is there, at the second what it had loaded */
	assert_int_equal(move(&b, t, 0, 200), 0);
	assert_in_range(move(&b, t, 2, 200), 79 * NS_PER_US, 80 * NS_PER_US);
	fixture_free(&b.x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_return),
		cmocka_unit_test(test_no_cache),
		cmocka_unit_test(test_short_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
