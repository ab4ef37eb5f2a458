/*
 * Numbers that can be computed by hand from the rules of Linux 6.1 (the numeric vectors
 * behind docs/fidelity.md): tunables, slices, placement, wake-up preemption, wake_wide,
 * wake_affine by weight, scan budget, balance intervals, NUMA allowance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/env.h"
#include "internal.h"
#include "sched_fixture.h"

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct sched_client hog_client = {.step = forever};

static void setup(struct fixture *x, u32 nodes, u32 llcs, u32 cores, u32 threads)
{
	fixture_init(x);
	fixture_machine(x, nodes, llcs, cores, threads);
	fixture_kernel(x, "");
	fixture_start(x, &hog_client, 1);
}

static struct task *queued(struct fixture *x, struct rq *rq, s32 nice)
{
	struct task_attr attr = {.comm = "t", .nice = nice};
	struct task *t = sched_spawn(x->sched, &attr, rq->cpu);

	fair_dequeue(x->sched, t->rq, t, false);
	group_set_task_rq(t, rq);
	fair_enqueue(x->sched, rq, t, false, true);
	return t;
}

static void test_scaling(void **state)
{
	static const u32 cpus[] = {1, 2, 4, 8, 80};
	static const u32 latency_ms[] = {6, 12, 18, 24, 24};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cpus); i++) {
		struct fixture x;

		setup(&x, 1, 1, cpus[i], 1);
		assert_int_equal(x.sched->latency, latency_ms[i] * NS_PER_MS);
		assert_int_equal(x.sched->min_gran * 8, x.sched->latency);
		fixture_free(&x);
	}
}

static void test_slices(void **state)
{
	static const u32 n8[] = {1, 2, 3, 8, 9, 20};
	static const u32 us8[] = {24000, 12000, 8000, 3000, 3000, 3000};
	struct fixture x;
	struct task *t = NULL, *nice5;
	u32 have = 0;

	(void)state;
	setup(&x, 1, 1, 8, 1);
	for (u32 i = 0; i < ARRAY_SIZE(n8); i++) {
		for (; have < n8[i]; have++)
			t = queued(&x, cpu_rq(x.sched, 0), 0);
		assert_int_equal(fair_slice(x.sched, &cpu_rq(x.sched, 0)->cfs, &t->se),
				 us8[i] * NS_PER_US);
	}
	/* 1024 : 335 share 24 ms as 18.08 and 5.92 ms */
	t = queued(&x, cpu_rq(x.sched, 1), 0);
	nice5 = queued(&x, cpu_rq(x.sched, 1), 5);
	assert_int_equal(fair_slice(x.sched, &cpu_rq(x.sched, 1)->cfs, &t->se) / 10000,
			 1808);
	assert_int_equal(
		fair_slice(x.sched, &cpu_rq(x.sched, 1)->cfs, &nice5->se) / 10000, 591);
	fixture_free(&x);

	setup(&x, 1, 1, 4, 1);
	for (have = 0; have < 8; have++)
		t = queued(&x, cpu_rq(x.sched, 0), 0);
	assert_int_equal(fair_slice(x.sched, &cpu_rq(x.sched, 0)->cfs, &t->se),
			 2250 * NS_PER_US);
	fixture_free(&x);
}

/* shares 1024; load of this queue, sum over the group, what this queue is in the sum */
static void test_group_weight(void **state)
{
	static const struct {
		u64 load, total, contrib, weight;
	} v[] = {{1024, 2048, 1024, 512},
		 {1024, 1024, 1024, 1024},
		 {3072, 4096, 3072, 768}};
	struct fixture x;
	struct task_group *g;

	(void)state;
	setup(&x, 1, 1, 8, 1);
	g = sched_group_new(x.sched, NULL, "g", 1024);
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		g->cfs[0]->weight = v[i].load;
		g->cfs[0]->contrib = v[i].contrib;
		g->load_avg = v[i].total;
		group_reweight(x.sched, g->se[0]);
		assert_int_equal(g->se[0]->weight, v[i].weight);
	}
	fixture_free(&x);
}

/* Two groups of equal shares on one CPU, one task in A, n in B: the slice of one of B's.
 */
static u64 slice_in_group(const char *options, u32 n)
{
	struct fixture x;
	struct task_group *g[2];
	struct task *t = NULL;
	u64 slice;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 8, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &hog_client, 1);
	for (u32 k = 0; k < 2; k++) {
		g[k] = sched_group_new(x.sched, NULL, k ? "b" : "a", 1024);
		for (u32 i = 0; i < (k ? n : 1); i++) {
			struct task_attr attr = {.comm = "t", .tg = g[k]};

			t = sched_spawn(x.sched, &attr, 0);
			fair_dequeue(x.sched, t->rq, t, false);
			group_set_task_rq(t, cpu_rq(x.sched, 0));
			fair_enqueue(x.sched, cpu_rq(x.sched, 0), t, false, true);
		}
	}
	/* the weights of groups lag behind loads: set them as they are in the long run */
	group_entity_weight(x.sched, g[0]->se[0], 1024);
	group_entity_weight(x.sched, g[1]->se[0], 1024);
	slice = fair_slice(x.sched, t->se.cfs, &t->se);
	fixture_free(&x);
	return slice;
}

static void test_group_slices(void **state)
{
	static const char old[] = "  slice.alt_period: off\n  slice.base: off\n";

	(void)state;
	assert_int_equal(slice_in_group(old, 4), 3000 * NS_PER_US);
	assert_int_equal(slice_in_group("", 4), 3000 * NS_PER_US);
	assert_int_equal(slice_in_group(old, 12), 1500 * NS_PER_US);
	assert_int_equal(slice_in_group("  slice.base: off\n", 12), 1625 * NS_PER_US);
	assert_int_equal(slice_in_group("", 12), 3000 * NS_PER_US);
}

static void test_placement(void **state)
{
	struct fixture x;
	struct rq *rq;
	struct task *t;

	(void)state;
	setup(&x, 1, 1, 8, 1);
	rq = cpu_rq(x.sched, 0);
	rq->cfs.min_vruntime = 100 * NS_PER_MS;
	t = queued(&x, cpu_rq(x.sched, 1), 0);
	t->se.vruntime = 10 * NS_PER_MS;
	fair_place(x.sched, &rq->cfs, &t->se, false);
	assert_int_equal(t->se.vruntime, 88 * NS_PER_MS);
	t->se.vruntime = 99 * NS_PER_MS;
	fair_place(x.sched, &rq->cfs, &t->se, false);
	assert_int_equal(t->se.vruntime, 99 * NS_PER_MS);
	/* a fork where one task runs: behind by its slice of 12 ms */
	rq->cfs.weight = 1024;
	rq->cfs.nr = rq->cfs.h_nr = rq->nr_running = 1;
	t->se.on_rq = false;
	t->se.cfs = &rq->cfs;
	t->se.vruntime = 0;
	fair_place(x.sched, &rq->cfs, &t->se, true);
	assert_int_equal(t->se.vruntime, 112 * NS_PER_MS);
	fixture_free(&x);
}

static void test_wakeup_granularity(void **state)
{
	struct entity se;

	(void)state;
	fair_set_weight(&se, fair_nice_weight(10));
	/* 4 ms * 1024 / 110 = 37.2 ms: more than the 12 ms credit of a sleeper */
	assert_int_equal(fair_delta(4 * NS_PER_MS, &se) / 100000, 372);
}

static void test_wake_wide(void **state)
{
	static const struct {
		u32 a, b;
		bool wide;
	} v[] = {{7, 100, false}, {8, 63, false}, {8, 64, true}, {64, 8, true}};
	struct fixture x;

	(void)state;
	setup(&x, 1, 1, 8, 1);
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct task waker = {.wakee.flips = v[i].a}, t = {.wakee.flips = v[i].b};

		assert_int_equal(wake_wide(x.sched, cpu_rq(x.sched, 0), &waker, &t),
				 v[i].wide);
	}
	fixture_free(&x);
}

/* load(this), load(prev), load(wakee), of which the waker's; sync -> this? */
static void test_wake_affine_weight(void **state)
{
	static const struct {
		u64 here, prev, wakee, waker;
		bool sync, here_wins;
	} v[] = {
		{1024, 2048, 1024, 1024, true, true},
		{1024, 1024, 512, 1024, false, false},
		{0, 1024, 512, 0, false, true},
	};
	struct fixture x;
	struct domain sd = {.imbalance_pct = 117};

	(void)state;
	setup(&x, 1, 1, 8, 1);
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct task waker = {.se.avg.load_avg = v[i].waker};
		struct task t = {.se.avg.load_avg = v[i].wakee};
		u32 cpu;

		for (u32 c = 0; c < 2; c++) {
			x.sched->rq[c].nr_running = 2; /* no idle CPU, nor sync alone */
			x.sched->rq[c].cfs.avg.load_avg = c ? v[i].prev : v[i].here;
		}
		waker.se.cfs = &x.sched->rq[0].cfs;
		t.rq = cpu_rq(x.sched, 1);
		t.se.cfs = &t.rq->cfs;
		x.sched->rq[0].cfs.h_load_at = x.sched->rq[1].cfs.h_load_at = 0;
		cpu = wake_affine(x.sched, &t, cpu_rq(x.sched, 0), &waker, v[i].sync,
				  &sd);
		assert_int_equal(cpu, v[i].here_wins ? 0 : 1);
	}
	fixture_free(&x);
}

static void scan_budget(u32 llc, u32 util, u32 want)
{
	struct fixture x;
	struct env env;

	setup(&x, 1, 1, llc, 1);
	for (u32 c = 0; c < llc; c++)
		x.sched->rq[c].cfs.avg.util_avg = util;
	for (u32 c = 0; c < llc; c++)
		mark_dirty(x.sched, cpu_rq(x.sched, c));
	env = (struct env){.sd = x.sched->rq[0].sd_llc,
			   .dst = cpu_rq(x.sched, 0),
			   .cpus = x.sched->lb_mask,
			   .idle = CPU_IS_IDLE};
	cpumask_copy(env.cpus, env.sd->span);
	balance_busiest_group(x.sched, &env);
	assert_int_equal(x.sched->rq[0].llc->nr_idle_scan, want);
	fixture_free(&x);
}

static void test_scan_budget(void **state)
{
	(void)state;
	scan_budget(16, 0, 16);
	scan_budget(16, 256, 14);
	scan_budget(16, 512, 10);
	scan_budget(16, 800, 2);
	scan_budget(16, 875, 0);
	scan_budget(52, 400, 41);
}

static void test_balance_interval(void **state)
{
	struct fixture x;
	struct domain *smt, *mc;

	(void)state;
	setup(&x, 1, 1, 8, 2);
	smt = x.sched->rq[0].sd;
	mc = smt->parent;
	assert_int_equal(smt->span_weight, 2);
	assert_int_equal(mc->span_weight, 16);
	/* HZ 250: 16 ms = 4 ticks; busy 256 ms = 64 ticks less one; 2 ms rounds up to 1
	 */
	assert_int_equal(balance_interval(mc, false), 4);
	assert_int_equal(balance_interval(mc, true), 63);
	assert_int_equal(balance_interval(smt, false), 1);
	domain_set_interval(x.sched, mc, 100000);
	assert_int_equal(balance_interval(mc, false), 400);
	fixture_free(&x);
}

static void test_numa_allowance(void **state)
{
	struct fixture x;

	(void)state;
	setup(&x, 2, 1, 24, 1); /* one LLC a node: an eighth of 24 */
	assert_int_equal(x.sched->rq[0].sd->parent->imb_numa_nr, 3);
	fixture_free(&x);
	setup(&x, 2, 8, 8, 1); /* eight LLCs a node: one task each */
	assert_string_equal(x.sched->rq[0].sd->parent->parent->name, "NUMA");
	assert_int_equal(x.sched->rq[0].sd->parent->parent->imb_numa_nr, 8);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_group_weight),
		cmocka_unit_test(test_group_slices),
		cmocka_unit_test(test_placement),
		cmocka_unit_test(test_wakeup_granularity),
		cmocka_unit_test(test_wake_wide),
		cmocka_unit_test(test_wake_affine_weight),
		cmocka_unit_test(test_scan_budget),
		cmocka_unit_test(test_balance_interval),
		cmocka_unit_test(test_numa_allowance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
