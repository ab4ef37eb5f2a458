/*
 * balance = classic, the balancer up to 5.4, with numbers worked out by hand: which group
 * is the busiest, when there is nothing to do, how much moves, what moves if that is less
 * than a task, and the push of a task that is alone on its CPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/classic.h"
#include "sched_fixture.h"

#define OLD                                                         \
	"  balance: classic\n  balance.active_any: on\n"            \
	"  balance.newidle_fixed_gate: on\n  balance.hot_smt: on\n" \
	"  balance.busy_factor: 32\n  balance.busy_offset: off\n"   \
	"  domain.pct_other: 125\n  balance.numa: none\n  wake.runnable_load: on\n"

/* A group of so many CPUs, with so many tasks that have a load together. */
static struct classic_group group(u32 cpus, u32 tasks, u64 load)
{
	u64 capacity = cpus * 1024ull;

	return (struct classic_group){
		.load = load,
		.util = min_u64(tasks, cpus) * 1024ull,
		.capacity = capacity,
		.avg_load = load * 1024 / capacity,
		.load_per_task = tasks ? load / tasks : 0,
		.nr_running = tasks,
		.idle = tasks < cpus ? cpus - tasks : 0,
		.weight = cpus,
		.no_capacity = tasks > cpus,
	};
}

static struct classic_stats two(struct classic_group local, struct classic_group busiest)
{
	return (struct classic_stats){
		.local = local,
		.busiest = busiest,
		.avg_load = (local.load + busiest.load) * 1024 /
			    (local.capacity + busiest.capacity),
	};
}

/* Two threads a core: core X runs two tasks and core Y none. */
static void test_sibling(void **state)
{
	struct classic_stats cs = two(group(2, 0, 0), group(2, 2, 2048));

	(void)state;
	/* two more than none: X counts as overloaded, so whoever is idle takes */
	cs.busiest.no_capacity = true;
	assert_false(classic_balanced(&cs, CPU_IS_IDLE, 117));
	assert_false(classic_balanced(&cs, CPU_IS_NEWLY_IDLE, 117));
	/* averages 1024 and 0, of both 512: 512 * 2048 / 1024 */
	assert_int_equal(classic_imbalance(&cs), 1024);

	/* X has two and Y one: one idle CPU here, none there */
	cs = two(group(2, 1, 1024), group(2, 2, 2048));
	assert_true(classic_balanced(&cs, CPU_IS_IDLE, 117));
	/* 100 * 1024 is more than 117 * 512 */
	assert_false(classic_balanced(&cs, CPU_IS_NEWLY_IDLE, 117));
	assert_false(classic_balanced(&cs, CPU_IS_BUSY, 117));
}

static void test_balanced(void **state)
{
	struct classic_stats cs = two(group(4, 4, 4096), group(4, 5, 5120));

	(void)state;
	/* 100 * 1280 = 128000: more than 117 or 124 * 1024, as much as 125 * 1024 */
	assert_false(classic_balanced(&cs, CPU_IS_BUSY, 117));
	assert_false(classic_balanced(&cs, CPU_IS_BUSY, 124));
	assert_true(classic_balanced(&cs, CPU_IS_BUSY, 125));
	/* a heavier local group is never pulled to */
	cs = two(group(4, 4, 5121), group(4, 5, 5120));
	assert_true(classic_balanced(&cs, CPU_IS_BUSY, 110));
	/* unless affinity kept the other one from balancing itself */
	cs.busiest.imbalanced = true;
	cs.busiest.no_capacity = false;
	assert_int_equal(classic_type(&cs.busiest), CLASSIC_IMBALANCED);
	assert_false(classic_balanced(&cs, CPU_IS_BUSY, 110));
	/* nobody there */
	cs.busiest.nr_running = 0;
	assert_true(classic_balanced(&cs, CPU_IS_BUSY, 110));
}

static void test_imbalance(void **state)
{
	/* averages 1536 and 3072, of both 2304: 768 * 2048 / 1024 */
	struct classic_stats cs = two(group(2, 3, 3072), group(2, 6, 6144));

	(void)state;
	assert_int_equal(classic_imbalance(&cs), 1536);
	/*
	 * Both overloaded, three tasks of 8192 there: 12288, 1536, 6912 of both. One more
	 * task than CPUs is 512 above capacity, which is 1024 to move, less than a task
	 */
	cs = two(group(2, 3, 3072), group(2, 3, 3 * 8192));
	assert_int_equal(classic_imbalance(&cs), 8192);
	/* here with room, it is 5376 * 2048 / 1024 */
	cs.local.no_capacity = false;
	assert_int_equal(classic_imbalance(&cs), 10752);
	/* affinity: the average of the domain instead of that of the task */
	cs = two(group(2, 2, 2048), group(2, 2, 4096));
	cs.busiest.imbalanced = true;
	assert_int_equal(classic_imbalance(&cs), 1536);
	assert_int_equal(cs.busiest.load_per_task, 1536);
}

/* Less than a task: the case of fix_small_imbalance(). */
static void test_small_imbalance(void **state)
{
	/* three against two: 3072 + 1024 >= 2048 + 2 * 1024, so one goes to and fro */
	struct classic_stats cs = two(group(1, 2, 2048), group(1, 3, 3072));

	(void)state;
	assert_int_equal(classic_imbalance(&cs), 1024);
	/* a little less there: 4095 < 4096, and as much capacity is used either way */
	cs.busiest.avg_load = 3071;
	assert_int_equal(classic_small_imbalance(&cs, 0), 0);
	assert_int_equal(classic_small_imbalance(&cs, 77), 77);

	/* heavier tasks there count once: 2560 + 1280 >= 2048 + 1280 */
	cs = two(group(1, 2, 2048), group(1, 2, 2560));
	assert_int_equal(classic_small_imbalance(&cs, 0), 1280);

	/*
	 * Two CPUs with a task of 1000, two with four of 300: 600 + 150 < 500 + 2 * 150.
	 * In use: 2 * (300 + 500) before and 2 * (300 + 650) after
	 */
	cs = two(group(2, 1, 1000), group(2, 4, 1200));
	assert_int_equal(classic_small_imbalance(&cs, 0), 300);
	/* on one CPU each it is 300 + 1000 before and after */
	cs = two(group(1, 1, 1000), group(1, 4, 1200));
	assert_int_equal(classic_small_imbalance(&cs, 0), 0);
}

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct sched_client hog_client = {.step = forever};

static void setup(struct fixture *x, u32 nodes, u32 llcs, u32 cores, u32 threads,
		  const char *options)
{
	fixture_init(x);
	fixture_machine(x, nodes, llcs, cores, threads);
	fixture_kernel(x, options);
	fixture_start(x, &hog_client, 1);
}

static struct task *hog_on(struct fixture *x, u32 cpu)
{
	struct cpumask *only = cpumask_new(&x->arena, x->sched->ncpu);
	struct task_attr attr = {.comm = "hog", .cpus = only};

	cpumask_set(only, cpu);
	return sched_spawn(x->sched, &attr, cpu);
}

static void run_for(struct fixture *x, u64 ms)
{
	u64 until = x->engine.now + ms * NS_PER_MS;

	while (engine_step(&x->engine, until))
		;
}

static void set_free(struct fixture *x)
{
	struct failure f;

	for (u32 i = 0; i < x->sched->nr_tasks; i++)
		if (x->sched->task[i])
			sched_set_affinity(x->sched, x->sched->task[i], x->sched->online,
					   &f);
}

/* Half of its load may be more than what is left to move: up to 5.4 whatever failed. */
static void test_fits(void **state)
{
	struct fixture x;
	struct env env = {.kind = MOVE_LOAD};
	struct task *t;
	s64 load;

	(void)state;
	setup(&x, 1, 1, 2, 1, OLD);
	t = hog_on(&x, 0);
	run_for(&x, 1);
	load = (s64)task_h_load(x.sched, t);
	assert_in_range(load, 1000, 1024);
	env.sd = x.sched->rq[0].sd;
	env.sd->nr_failed = 20;
	env.imbalance = load / 2 - 1;
	assert_false(classic_fits(x.sched, &env, t));
	assert_int_equal(env.imbalance, load / 2 - 1);
	env.imbalance = load / 2;
	assert_true(classic_fits(x.sched, &env, t));
	assert_int_equal(env.imbalance, load / 2 - load);
	fixture_free(&x);
}

/*
 * Both hogs run on one core: nothing can be pulled, so that one is pushed after more than
 * cache_nice_tries + 2 failures, and they end on two cores.
 */
static void test_push(void **state)
{
	struct fixture x;

	(void)state;
	setup(&x, 1, 1, 2, 2, OLD);
	hog_on(&x, 0);
	hog_on(&x, 1);
	run_for(&x, 50);
	assert_int_equal(x.sched->totals.decisions[DEC_BALANCE_ACTIVE], 0);
	set_free(&x);
	run_for(&x, 100);
	assert_int_equal(x.sched->totals.decisions[DEC_BALANCE_ACTIVE], 1);
	assert_true(x.sched->totals.decisions[DEC_BALANCE_FAILED] >= 4);
	assert_int_not_equal(x.sched->rq[x.sched->task[0]->rq->cpu].core_first,
			     x.sched->rq[x.sched->task[1]->rq->cpu].core_first);
	fixture_free(&x);
}

/* A push lowers the failures to one more than the tries, and the domain backs off. */
static void test_push_again(void **state)
{
	struct fixture x;
	struct domain *sd;

	(void)state;
	setup(&x, 1, 1, 2, 2, OLD);
	hog_on(&x, 0);
	hog_on(&x, 1);
	run_for(&x, 50);
	set_free(&x);
	sd = x.sched->rq[2].sd->parent;
	sd->nr_failed = 0; /* what failed while both were pinned */
	domain_set_interval(x.sched, sd, sd->min_interval);
	for (u32 i = 0; i < 4; i++) {
		struct env env = {.sd = sd,
				  .dst = cpu_rq(x.sched, 2),
				  .idle = CPU_IS_IDLE,
				  .by = 2};
		bool go_on = true;

		assert_int_equal(balance_domain(x.sched, &env, &go_on), 0);
		assert_int_equal(sd->nr_failed, i < 3 ? i + 1 : sd->cache_nice_tries + 1);
		assert_int_equal(sd->interval,
				 i < 3 ? sd->min_interval : 2 * sd->min_interval);
	}
	fixture_free(&x);
}

/* Where the hogs of one node end: two on each CPU, by their loads. */
static void test_spread(void **state)
{
	struct fixture x;

	(void)state;
	setup(&x, 2, 1, 4, 1, OLD);
	for (u32 i = 0; i < 16; i++)
		hog_on(&x, i % 4);
	run_for(&x, 100);
	set_free(&x);
	run_for(&x, 1000);
	for (u32 i = 0; i < 8; i++)
		assert_in_range(x.sched->rq[i].nr_running, 1, 3);
	assert_int_equal(x.sched->rq[0].nr_running + x.sched->rq[1].nr_running +
				 x.sched->rq[2].nr_running + x.sched->rq[3].nr_running,
			 8);
	fixture_free(&x);
}

/*
 * Loads, not numbers: a task of nice -10 (9548) is as much as nine of nice 0, so that a
 * busy CPU leaves it alone where the balancer of 5.5 on would do so, too; but an idle CPU
 * takes a task whatever its weight.
 */
static void test_weights(void **state)
{
	struct classic_stats cs = two(group(1, 1, 9548), group(1, 9, 9 * 1024));

	(void)state;
	assert_true(classic_balanced(&cs, CPU_IS_BUSY, 117));
	cs = two(group(2, 1, 9548), group(2, 3, 3 * 1024));
	assert_true(classic_balanced(&cs, CPU_IS_BUSY, 117));
	assert_false(classic_balanced(&cs, CPU_IS_IDLE, 117));
	/* averages 4774 and 1536, of both 3155: nothing to even out, so one task's load
	 */
	assert_int_equal(classic_imbalance(&cs), 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sibling),	  cmocka_unit_test(test_balanced),
		cmocka_unit_test(test_imbalance), cmocka_unit_test(test_small_imbalance),
		cmocka_unit_test(test_weights),	  cmocka_unit_test(test_fits),
		cmocka_unit_test(test_push),	  cmocka_unit_test(test_push_again),
		cmocka_unit_test(test_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
