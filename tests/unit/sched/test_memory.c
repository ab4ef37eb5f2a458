/*
 * Memory of tasks: where pages come to lie, what remote ones cost, and how a node's
 * bandwidth is shared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

#define MIB	     (1ull << 20)
#define PAGES_OF_MIB 256u

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 100 * NS_PER_SEC);
	return STEP_WORK;
}

static const struct sched_client hog = {.step = forever};

static void start(struct fixture *x, u64 bandwidth)
{
	fixture_init(x);
	fixture_machine(x, 2, 1, 4, 1);
	x->machine.cost[COST_MEMORY_BANDWIDTH].value = bandwidth;
	x->machine.cost[COST_MEMORY_DISTANCE].value = Q32_ONE; /* latency = distance */
	fixture_kernel(x, "");
	fixture_start(x, &hog, 1);
}

static struct task *worker(struct fixture *x, u32 cpu, u32 region, u64 memory,
			   u64 bandwidth)
{
	struct profile_attr profile = {.memory = memory, .bandwidth = bandwidth};
	struct region_use use = {.region = region, .weight = 1};
	struct task_attr attr = {.comm = "w", .memory = &use, .nmemory = 1};
	struct cpumask *only = cpumask_new(&x->arena, x->machine.ncpu);

	profile.name = arena_printf(&x->arena, "p%llu-%llu", (unsigned long long)memory,
				    (unsigned long long)bandwidth);
	cpumask_set(only, cpu);
	attr.cpus = only;
	attr.profile = sched_profile_add(x->sched, &profile);
	return sched_spawn(x->sched, &attr, cpu);
}

static u32 region(struct fixture *x, u64 size, enum region_place place, u32 node)
{
	struct region_attr attr = {
		.name = "r", .size = size, .page = 4096, .place = place, .node = node};

	return sched_region_add(x->sched, &attr);
}

static void run_to(struct fixture *x, u64 when)
{
	struct failure f;

	while (engine_step(&x->engine, when))
		if (sched_check_touched(x->sched, &f))
			fail_msg("%s", f.what);
	if (sched_check(x->sched, &f))
		fail_msg("%s", f.what);
}

/* What a task has done of its endless work. */
static u64 done(struct fixture *x, struct task *t)
{
	struct sched_totals totals;

	sched_totals(x->sched, &totals); /* settles */
	return 100 * NS_PER_SEC - t->remaining;
}

static u64 pages(struct fixture *x, u32 r, u32 node)
{
	return sched_region_pages(x->sched, r, node);
}

static void test_first_touch(void **state)
{
	struct fixture x;
	u32 r;

	(void)state;
	start(&x, 0);
	r = region(&x, 16 * MIB, PLACE_FIRST_TOUCH, 0);
	worker(&x, 5, r, 0, 1000 * MIB);
	assert_int_equal(pages(&x, r, 0) + pages(&x, r, 1), 0);
	run_to(&x, 100 * NS_PER_MS);
	assert_int_equal(pages(&x, r, 0), 0);
	assert_int_equal(pages(&x, r, 1), 16 * PAGES_OF_MIB);
	/* a fault a page: nothing else costs a task of no profile so much */
	assert_int_equal(x.sched->totals.system_ns[SYS_MEMORY],
			 16 * PAGES_OF_MIB * cost_rows[COST_FAULT].def);
	fixture_free(&x);
}

static void test_interleave_and_bind(void **state)
{
	struct fixture x;
	u32 even, bound, there;

	(void)state;
	start(&x, 0);
	even = region(&x, 16 * MIB, PLACE_INTERLEAVE, 0);
	bound = region(&x, 16 * MIB, PLACE_BIND, 1);
	there = region(&x, 8 * MIB, PLACE_POPULATED, 1);
	assert_int_equal(pages(&x, there, 1), 8 * PAGES_OF_MIB);
	worker(&x, 0, even, 0, 1000 * MIB);
	worker(&x, 1, bound, 0, 1000 * MIB);
	run_to(&x, 100 * NS_PER_MS);
	assert_int_equal(pages(&x, even, 0), 8 * PAGES_OF_MIB);
	assert_int_equal(pages(&x, even, 1), 8 * PAGES_OF_MIB);
	assert_int_equal(pages(&x, bound, 1), 16 * PAGES_OF_MIB);
	fixture_free(&x);
}

/* Node 0 has room for 4 of 8 chunks. */
static void test_full_node(void **state)
{
	struct fixture x;
	u32 r;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 2, 1, 4, 1);
	x.machine.node[0].memory = 8 * MIB;
	x.machine.node[1].memory = 1024 * MIB;
	fixture_kernel(&x, "");
	fixture_start(&x, &hog, 1);
	r = region(&x, 16 * MIB, PLACE_FIRST_TOUCH, 0);
	worker(&x, 0, r, 0, 1000 * MIB);
	run_to(&x, 100 * NS_PER_MS);
	assert_int_equal(pages(&x, r, 0), 8 * PAGES_OF_MIB);
	assert_int_equal(pages(&x, r, 1), 8 * PAGES_OF_MIB);
	fixture_free(&x);
}

/* Distance 21, half of the time at memory: 1 / (0.5 + 0.5 * 2.1) */
static void test_remote(void **state)
{
	struct fixture x;
	struct task *near, *far;
	struct sched_totals totals;
	u32 r;

	(void)state;
	start(&x, 0);
	r = region(&x, 64 * MIB, PLACE_POPULATED, 1);
	far = worker(&x, 0, r, Q32_ONE / 2, 1000 * MIB);
	near = worker(&x, 4, r, Q32_ONE / 2, 1000 * MIB);
	run_to(&x, 5 * NS_PER_MS);
	assert_in_range(far->rq->rate, Q32_ONE * 1000 / 1551, Q32_ONE * 1000 / 1550);
	/* rounding of shares may take a few of 2^32 */
	assert_in_range(near->rq->rate, Q32_ONE - 4, Q32_ONE + 4);
	sched_totals(x.sched, &totals);
	assert_true(totals.memory_remote_ns > 0);
	assert_int_equal(totals.memory_remote_ns, totals.memory_local_ns);
	fixture_free(&x);
}

/*
 * 4 tasks of 10 GB/s on a node of 20. All memory: s = 2, half speed each. Half memory:
 * 40 / (0.5 + 0.5 s) = 20, s = 3, half speed again, since the demand must halve.
 */
static void test_bandwidth(void **state)
{
	static const u64 memory[] = {Q32_ONE, Q32_ONE / 2};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct task *t[4];
		struct fixture x;
		u64 before;
		u32 r;

		start(&x, 20000000000);
		r = region(&x, 64 * MIB, PLACE_POPULATED, 0);
		for (u32 n = 0; n < 4; n++)
			t[n] = worker(&x, n, r, memory[i], 10000000000);
		run_to(&x, 100 * NS_PER_MS);
		before = done(&x, t[3]);
		run_to(&x, 200 * NS_PER_MS);
		/* 1/256 is where the search stops; ticks and scans take 0.1 % */
		assert_in_range(done(&x, t[3]) - before, 49 * NS_PER_MS, 51 * NS_PER_MS);
		fixture_free(&x);
	}
}

/* One task of 10 GB/s alone on a node of 20 waits for nobody. */
static void test_bandwidth_is_enough(void **state)
{
	struct fixture x;
	struct task *t;

	(void)state;
	start(&x, 20000000000);
	t = worker(&x, 0, region(&x, 64 * MIB, PLACE_POPULATED, 0), Q32_ONE, 10000000000);
	run_to(&x, 100 * NS_PER_MS);
	assert_in_range(t->rq->rate, Q32_ONE - 4, Q32_ONE + 4);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_touch),
		cmocka_unit_test(test_interleave_and_bind),
		cmocka_unit_test(test_full_node),
		cmocka_unit_test(test_remote),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_bandwidth_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
