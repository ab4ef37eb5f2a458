/*
 * Numbers that can be computed by hand from the rules of kernels before 6.1 and from
 * those of the policies SCHED_BATCH and SCHED_IDLE: scan budget of SIS_PROP, intervals up
 * to 5.9, NUMA allowance up to 5.17, weight and slices of SCHED_IDLE, who preempts whom.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/env.h"
#include "internal.h"
#include "sched_fixture.h"
#include "wake/scan.h"

static enum step nap_or_run(void *ctx, struct sched *s, struct task *t)
{
	bool *runs = &((bool *)ctx)[task_id(t)];

	if (task_comm(t)[0] == 'h') {
		task_set_amount(t, WORK_FOREVER);
		return STEP_WORK;
	}
	*runs = !*runs;
	task_set_amount(t, NS_PER_MS);
	if (*runs)
		return STEP_WORK;
	sched_sleep_until(s, t, sched_now(s) + 3 * NS_PER_MS);
	return STEP_BLOCK;
}

static bool runs[16];

static void setup(struct fixture *x, u32 nodes, u32 cores, const char *options)
{
	struct sched_client client = {.ctx = runs, .step = nap_or_run};

	memset(runs, 0, sizeof(runs));
	fixture_init(x);
	fixture_machine(x, nodes, 1, cores, 1);
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
}

static struct task *queued(struct fixture *x, u32 cpu, enum task_policy policy)
{
	struct task_attr attr = {.comm = "hog", .policy = policy};
	struct task *t = sched_spawn(x->sched, &attr, cpu);

	fair_dequeue(x->sched, t->rq, t, false);
	group_set_task_rq(t, cpu_rq(x->sched, cpu));
	fair_enqueue(x->sched, cpu_rq(x->sched, cpu), t, false, true);
	return t;
}

/* LLC of 16; a scan that runs out of its budget does not count for the average. */
static void test_prop_budget(void **state)
{
	static const struct {
		u64 avg_idle, budget;
	} v[] = {{51200, 16}, {2560, 4}};
	struct task t = {0};
	struct fixture x;

	(void)state;
	setup(&x, 1, 16, "  wake.scan: prop\n");
	t.cpus = x.sched->possible;
	for (u32 c = 0; c < 16; c++)
		x.sched->rq[c].nr_running = 2;
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct rq *rq = cpu_rq(x.sched, 0);
		u64 before = x.sched->totals.system_ns[SYS_SCAN];

		rq->sd_llc->scan_cost = 99;
		rq->avg_idle = v[i].avg_idle;
		assert_int_equal(scan_prop_budget(rq->sd_llc, rq->avg_idle, 99),
				 v[i].budget);
		assert_int_equal(scan_prop_cpus(x.sched, &t, rq, 3, false), CPU_NONE);
		assert_int_equal(x.sched->totals.system_ns[SYS_SCAN] - before,
				 (v[i].budget - 1) * x.sched->cost[COST_SCAN]);
		assert_int_equal(rq->sd_llc->scan_cost, 99);
	}
	/* CPU 5 is the third from 3 on; one eighth of the difference goes into the
	 * average */
	x.sched->rq[5].nr_running = 0;
	assert_int_equal(scan_prop_cpus(x.sched, &t, cpu_rq(x.sched, 0), 3, false), 5);
	assert_int_equal(x.sched->rq[0].sd_llc->scan_cost,
			 99 - (99 - (s64)(3 * x.sched->cost[COST_SCAN])) / 8);
	fixture_free(&x);
}

/* Up to 5.9: 16 ms * 32 = 128 ticks of 4 ms, none taken off. */
static void test_old_interval(void **state)
{
	struct fixture x;

	(void)state;
	setup(&x, 1, 16, "  balance.busy_factor: 32\n  balance.busy_offset: off\n");
	assert_int_equal(balance_interval(x.sched->rq[0].sd, false), 4);
	assert_int_equal(balance_interval(x.sched->rq[0].sd, true), 128);
	fixture_free(&x);
}

static void test_old_numa(void **state)
{
	(void)state;
	assert_int_equal(numa_imbalance_old(NUMA_NONE, 1, 1, 48), 1);
	assert_int_equal(numa_imbalance_old(NUMA_PAIR, 7, 2, 48), 0);
	assert_int_equal(numa_imbalance_old(NUMA_PAIR, 7, 3, 48), 7);
	/* two nodes of 24: fewer than 12 */
	assert_int_equal(numa_imbalance_old(NUMA_QUARTER, 2, 11, 48), 0);
	assert_int_equal(numa_imbalance_old(NUMA_QUARTER, 2, 12, 48), 2);
	assert_int_equal(numa_imbalance_old(NUMA_QUARTER, 3, 11, 48), 3);
}

/* Beside a nice 0 task 24 ms * 3 / 1027 = 0.07 ms: the minimum of its kind is 0.75 ms. */
static void test_idle_slice(void **state)
{
	struct fixture x;
	struct task *idle;
	struct cfs_rq *cfs;

	(void)state;
	setup(&x, 1, 8, "");
	cfs = &cpu_rq(x.sched, 0)->cfs;
	idle = queued(&x, 0, POLICY_IDLE);
	assert_int_equal(idle->se.weight, 3);
	sched_set_nice(x.sched, idle, 5);
	assert_int_equal(idle->se.weight, 3);
	queued(&x, 0, POLICY_OTHER);
	assert_int_equal(fair_slice(x.sched, cfs, &idle->se), 750 * NS_PER_US);
	/* a sleeper gets half of the minimal granularity of 3 ms, not of the latency */
	cfs->min_vruntime = 1100 * NS_PER_MS;
	idle->se.vruntime = 1000 * NS_PER_MS;
	fair_place(x.sched, cfs, &idle->se, false);
	assert_int_equal(idle->se.vruntime, 1098500 * NS_PER_US);
	sched_set_policy(x.sched, idle, POLICY_BATCH, 0);
	assert_int_equal(idle->se.weight, 335);
	fixture_free(&x);

	setup(&x, 1, 8, "  place.idle_entities: off\n");
	idle = queued(&x, 0, POLICY_IDLE);
	queued(&x, 0, POLICY_OTHER);
	assert_int_equal(fair_slice(x.sched, &cpu_rq(x.sched, 0)->cfs, &idle->se),
			 3 * NS_PER_MS);
	fixture_free(&x);
}

static void test_idle_counts_as_idle(void **state)
{
	struct fixture x;

	(void)state;
	setup(&x, 1, 4, "");
	assert_false(x.sched->sched_idle);
	assert_false(cpu_sched_idle(x.sched, 2));
	queued(&x, 2, POLICY_IDLE);
	assert_true(x.sched->sched_idle);
	assert_true(cpu_sched_idle(x.sched, 2));
	queued(&x, 2, POLICY_OTHER);
	assert_false(cpu_sched_idle(x.sched, 2));
	fixture_free(&x);

	setup(&x, 1, 4, "  wake.sched_idle: off\n");
	queued(&x, 2, POLICY_IDLE);
	assert_false(x.sched->sched_idle);
	fixture_free(&x);
}

/* One CPU, a hog and a sleeper, for a second: how often one decision fell. */
static u64 decided(enum task_policy hog, enum task_policy sleeper, enum decision what)
{
	struct task_attr attr = {.comm = "hog", .policy = hog};
	struct sched_totals totals;
	struct fixture x;

	setup(&x, 1, 1, "");
	sched_spawn(x.sched, &attr, 0);
	attr = (struct task_attr){.comm = "sleeper", .policy = sleeper};
	sched_spawn(x.sched, &attr, 0);
	while (engine_step(&x.engine, NS_PER_SEC))
		;
	sched_totals(x.sched, &totals);
	fixture_free(&x);
	return totals.decisions[what];
}

static void test_preemption(void **state)
{
	(void)state;
	assert_true(decided(POLICY_OTHER, POLICY_OTHER, DEC_PREEMPT_WAKEUP) > 100);
	assert_true(decided(POLICY_BATCH, POLICY_OTHER, DEC_PREEMPT_WAKEUP) > 100);
	assert_int_equal(decided(POLICY_OTHER, POLICY_BATCH, DEC_PREEMPT_WAKEUP), 0);
	assert_int_equal(decided(POLICY_OTHER, POLICY_IDLE, DEC_PREEMPT_WAKEUP), 0);
	assert_int_equal(decided(POLICY_IDLE, POLICY_IDLE, DEC_PREEMPT_POLICY), 0);
	/* a wake-up takes the CPU from a SCHED_IDLE task every time */
	assert_true(decided(POLICY_IDLE, POLICY_OTHER, DEC_PREEMPT_POLICY) > 200);
	assert_true(decided(POLICY_IDLE, POLICY_BATCH, DEC_PREEMPT_POLICY) > 200);
}

/* Of two hogs on one CPU the SCHED_IDLE one has 3 / 1027, but for its minimal slices. */
static void test_idle_share(void **state)
{
	struct task_attr attr = {.comm = "hog", .policy = POLICY_IDLE};
	struct fixture x;
	struct task *idle;

	(void)state;
	setup(&x, 1, 1, "  hz: 1000\n");
	idle = sched_spawn(x.sched, &attr, 0);
	attr.policy = POLICY_OTHER;
	sched_spawn(x.sched, &attr, 0);
	while (engine_step(&x.engine, 100 * NS_PER_SEC))
		;
	assert_in_range(task_cpu_time(x.sched, idle), 200 * NS_PER_MS, 400 * NS_PER_MS);
	fixture_free(&x);
}

/*
 * The cost of newly idle balancing has been 9 us for 0.9 s, then a pass takes 10 us: 0.2
 * s later it is a hundredth less up to 5.15, and as it was from 5.16 on, for another 0.9
 * s.
 */
static void test_newidle_decay(void **state)
{
	static const struct {
		const char *options;
		u64 cost;
		bool decayed;
	} v[] = {{"", 10000, false},
		 {"  balance.newidle_decay_always: on\n", 10000 * 253 / 256, true}};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct domain *sd;
		struct fixture x;

		setup(&x, 1, 8, v[i].options);
		sd = x.sched->rq[0].sd;
		x.engine.now = NS_PER_SEC;
		sd->newidle_cost = 9000;
		sd->newidle_decayed = NS_PER_SEC - 900 * NS_PER_MS;
		assert_false(newidle_cost(x.sched, sd, 10000, 1));
		x.engine.now += 200 * NS_PER_MS;
		assert_int_equal(newidle_cost(x.sched, sd, 0, 0), v[i].decayed);
		assert_int_equal(sd->newidle_cost, v[i].cost);
		fixture_free(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prop_budget),
		cmocka_unit_test(test_old_interval),
		cmocka_unit_test(test_newidle_decay),
		cmocka_unit_test(test_old_numa),
		cmocka_unit_test(test_idle_slice),
		cmocka_unit_test(test_idle_counts_as_idle),
		cmocka_unit_test(test_preemption),
		cmocka_unit_test(test_idle_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
