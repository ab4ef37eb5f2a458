/*
 * Wasted cores: the bound from the domains, worked out by hand; hogs that were put
 * somewhere and set free are spread within it under every balancer, with and without SMT,
 * caches, nodes; and where balancing is broken the watcher says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched/wasted.h"
#include "sched_fixture.h"

#define CLASSIC                                                     \
	"  balance: classic\n  balance.active_any: on\n"            \
	"  balance.newidle_fixed_gate: on\n  balance.hot_smt: on\n" \
	"  balance.busy_factor: 32\n  balance.busy_offset: off\n"   \
	"  domain.pct_other: 125\n  balance.numa: none\n  wake.runnable_load: on\n"

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct sched_client hog_client = {.step = forever};

struct watched {
	struct fixture x;
	struct wasted_watch *w;
};

static void setup(struct watched *t, u32 nodes, u32 llcs, u32 cores, u32 threads,
		  const char *options, u64 seed)
{
	fixture_init(&t->x);
	fixture_machine(&t->x, nodes, llcs, cores, threads);
	fixture_kernel(&t->x, options);
	fixture_start(&t->x, &hog_client, seed);
	t->w = wasted_new(&t->x.arena, t->x.sched, true);
}

static void run_for(struct watched *t, u64 ms)
{
	u64 until = t->x.engine.now + ms * NS_PER_MS;

	while (engine_step(&t->x.engine, until))
		wasted_look(t->w);
}

static void hog_on(struct watched *t, u32 cpu)
{
	struct cpumask *only = cpumask_new(&t->x.arena, t->x.sched->ncpu);
	struct task_attr attr = {.comm = "hog", .cpus = only};

	cpumask_set(only, cpu);
	sched_spawn(t->x.sched, &attr, cpu);
}

static void set_free(struct watched *t)
{
	struct failure f;

	for (u32 i = 0; i < t->x.sched->nr_tasks; i++)
		sched_set_affinity(t->x.sched, t->x.sched->task[i], t->x.sched->online,
				   &f);
}

/*
 * Two cores of two threads, 250 Hz. SMT: at most 4 ms between passes, 2 ticks, and one
 * failure that costs a tick of 4 ms and another one; before it the lowest interval and a
 * tick. MC: 8 ms, 2 ticks, two failures that cost 4 ms and a tick each.
 */
static void test_bound(void **state)
{
	struct watched t;
	struct wasted out;

	(void)state;
	setup(&t, 1, 1, 2, 2, "", 1);
	wasted_read(t.w, &out);
	assert_int_equal(out.nlevel, 2);
	assert_string_equal(out.level[0].domain, "SMT");
	assert_int_equal(out.level[0].bound, (4 + 4 + 4 + 8 + 8) * NS_PER_MS);
	assert_string_equal(out.level[1].domain, "MC");
	assert_int_equal(out.level[1].bound, (28 + 8 + 8 + 2 * 8) * NS_PER_MS);
	assert_int_equal(out.time, 0);
	fixture_free(&t.x);
}

/* Two hogs may run on one CPU only: the others idle, but not because of them. */
static void test_affinity(void **state)
{
	struct watched t;
	struct wasted out;

	(void)state;
	setup(&t, 1, 1, 4, 1, "", 1);
	hog_on(&t, 1);
	hog_on(&t, 1);
	run_for(&t, 3000);
	wasted_read(t.w, &out);
	assert_int_equal(out.level[0].longest, 0);
	assert_int_equal(out.time, 0);
	fixture_free(&t.x);
}

/*
 * Nobody balances: three CPUs idle for three seconds while two of three hogs wait for the
 * fourth, which is one queue.
 */
static void test_balance_off(void **state)
{
	struct watched t;
	struct wasted out;
	u64 bound;

	(void)state;
	setup(&t, 1, 1, 4, 1, "  balance: off\n", 1);
	for (u32 i = 0; i < 3; i++)
		hog_on(&t, 1);
	set_free(&t);
	run_for(&t, 3000);
	wasted_read(t.w, &out);
	bound = out.level[0].bound;
	assert_in_range(out.level[0].longest, 2999 * NS_PER_MS, 3000 * NS_PER_MS);
	assert_int_equal(out.level[0].busy, 1);
	assert_in_range(out.time, 2995 * NS_PER_MS - bound, 3000 * NS_PER_MS - bound);
	/* and from here on */
	wasted_restart(t.w);
	run_for(&t, 1000);
	wasted_read(t.w, &out);
	assert_in_range(out.time, 999 * NS_PER_MS, 1001 * NS_PER_MS);
	fixture_free(&t.x);
}

/* A planted bug: the CPUs of the second node believe that their time never comes. */
static void test_planted(void **state)
{
	struct watched t;
	struct wasted out;

	(void)state;
	setup(&t, 2, 1, 4, 1, "  balance.newidle: off\n", 1);
	for (u32 i = 0; i < 7; i++)
		hog_on(&t, i % 4);
	set_free(&t);
	for (u32 i = 0; i < 2000; i++) {
		run_for(&t, 1);
		for (u32 cpu = 4; cpu < 8; cpu++)
			for_each_domain (sd, cpu_rq(t.x.sched, cpu))
				if (sd->flags & SD_NUMA)
					sd->last_balance = jiffies(t.x.sched);
	}
	wasted_read(t.w, &out);
	assert_string_equal(out.level[1].domain, "NUMA");
	assert_true(out.level[1].longest > out.level[1].bound);
	assert_true(out.time > 1000 * NS_PER_MS);
	fixture_free(&t.x);
}

/* Under cookies an idle CPU is no place for everybody. */
static void test_cookies(void **state)
{
	struct watched t;
	struct wasted out;

	(void)state;
	setup(&t, 1, 1, 1, 2, "  core: mainline\n", 1);
	for (u32 i = 0; i < 3; i++)
		hog_on(&t, i & 1);
	for (u32 i = 0; i < 3; i++)
		sched_set_cookie(t.x.sched, t.x.sched->task[i], i + 1);
	set_free(&t);
	run_for(&t, 3000);
	wasted_read(t.w, &out);
	assert_int_equal(out.time, 0);
	fixture_free(&t.x);
}

/* CPUs come and go: hogs are spread within the bound of what there is. */
static void test_hotplug(void **state)
{
	struct watched t;
	struct wasted out;
	struct cpumask *cpus;

	(void)state;
	setup(&t, 2, 1, 4, 2, "", 1);
	for (u32 i = 0; i < 12; i++)
		hog_on(&t, i);
	set_free(&t);
	run_for(&t, 1000);
	cpus = cpumask_new(&t.x.arena, t.x.sched->ncpu);
	for (u32 i = 4; i < 12; i++)
		cpumask_set(cpus, i);
	sched_hotplug(t.x.sched, 0, HOTPLUG_OFFLINE, cpus);
	run_for(&t, 1000);
	assert_int_equal(t.x.sched->nr_online, 8);
	sched_hotplug(t.x.sched, 0, HOTPLUG_ONLINE, cpus);
	run_for(&t, 3000);
	assert_int_equal(t.x.sched->nr_online, 16);
	wasted_read(t.w, &out);
	assert_int_equal(out.time, 0);
	/* the CPUs that came back idled while hogs waited, until they were served */
	assert_true(out.level[0].longest + out.level[1].longest + out.level[2].longest >
		    0);
	fixture_free(&t.x);
}

static const struct {
	u32 nodes, llcs, cores, threads;
} shapes[] = {
	{1, 1, 4, 1}, {1, 1, 4, 2}, {1, 4, 2, 2}, {2, 1, 4, 2},
	{4, 1, 2, 2}, {2, 2, 2, 4}, {1, 8, 2, 1}, {2, 4, 4, 2},
};

static const char *const kernels[] = {
	"",
	CLASSIC,
	"  balance.newidle: off\n",
	"  hz: 1000\n  preempt: full\n",
	"  fair.pick: eevdf\n",
	"  nohz.idle: off\n",
};

static u64 storm_of_hogs(u32 shape, const char *options, u64 seed, char *what,
			 size_t size)
{
	struct stream dice = stream_root(seed ^ 0x3a57ed);
	struct watched t;
	struct wasted out;
	u32 ncpu, hogs, among;
	u64 time;

	setup(&t, shapes[shape].nodes, shapes[shape].llcs, shapes[shape].cores,
	      shapes[shape].threads, options, seed);
	ncpu = t.x.sched->ncpu;
	hogs = (u32)stream_range(&dice, 2, 2 * ncpu);
	among = (u32)stream_range(&dice, 1, ncpu);
	for (u32 i = 0; i < hogs; i++)
		hog_on(&t, (u32)stream_range(&dice, 0, among - 1));
	run_for(&t, stream_range(&dice, 0, 100));
	set_free(&t);
	run_for(&t, 4000);
	wasted_read(t.w, &out);
	snprintf(what, size, "shape %u, %u hogs on %u of %u CPUs, seed %llu:", shape,
		 hogs, among, ncpu, (unsigned long long)seed);
	for (u32 i = 0; i < out.nlevel; i++)
		snprintf(what + strlen(what), size - strlen(what), " %s %llu of %llu us",
			 out.level[i].domain,
			 (unsigned long long)(out.level[i].longest / 1000),
			 (unsigned long long)(out.level[i].bound / 1000));
	time = out.time;
	fixture_free(&t.x);
	return time;
}

static void test_storms(void **state)
{
	char what[400];

	(void)state;
	for (u32 k = 0; k < ARRAY_SIZE(kernels); k++)
		for (u32 shape = 0; shape < ARRAY_SIZE(shapes); shape++)
			for (u64 seed = 1; seed <= 4; seed++)
				if (storm_of_hogs(shape, kernels[k], seed, what,
						  sizeof(what)))
					fail_msg("%s\n%s", kernels[k], what);
}

/* The same storms without a balancer: nearly all of them are found. */
static void test_storms_off(void **state)
{
	char what[400];
	u32 found = 0, all = 0;

	(void)state;
	for (u32 shape = 0; shape < ARRAY_SIZE(shapes); shape++)
		for (u64 seed = 1; seed <= 4; seed++, all++)
			found += storm_of_hogs(shape, "  balance: off\n", seed, what,
					       sizeof(what)) != 0;
	/* where hogs are many and spread, no CPU idles */
	assert_true(found >= all * 2 / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),	    cmocka_unit_test(test_affinity),
		cmocka_unit_test(test_balance_off), cmocka_unit_test(test_planted),
		cmocka_unit_test(test_cookies),	    cmocka_unit_test(test_hotplug),
		cmocka_unit_test(test_storms),	    cmocka_unit_test(test_storms_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
