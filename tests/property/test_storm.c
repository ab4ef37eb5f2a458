/*
 * Properties under random load: counts, weights, sums, trees and masks recount after each
 * of 10^6 operations; work done equals work asked; the same seed gives the same run;
 * memory does not grow with simulated time. A failure prints the seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/sink.h"
#include "storm.h"

/* The bare rule of EEVDF, and most of what Linux 6.12 adds. */
#define EEVDF "  fair.pick: eevdf\n"
#define DELAY                                                                 \
	"  place.lag: on\n  place.half_slice: on\n  place.rel_deadline: on\n" \
	"  place.reweight_lag: on\n  pick.run_to_parity: on\n"                \
	"  pick.buddy: on\n  preempt.short: on\n  dequeue.delay: on\n"        \
	"  dequeue.delay_zero: on\n  slice.group_min: on\n"                   \
	"  slice.custom: on\n"

/* Balancing, wake-ups and forks of linux-5.1. */
#define LINUX_51                                                                \
	"  balance: classic\n  balance.active_any: on\n  balance.hot_smt: on\n" \
	"  balance.newidle_fixed_gate: on\n  balance.busy_offset: off\n"        \
	"  balance.busy_factor: 32\n  domain.pct_other: 125\n"                  \
	"  balance.numa: none\n  wake.runnable_load: on\n"                      \
	"  wake.scan: stages\n  wake.queue_idle: off\n  wake.kthread: off\n"    \
	"  slice.alt_period: off\n  slice.base: off\n  fork.placement: load\n"

static const struct shape {
	u32 nodes, llcs, cores, threads, tasks;
	const char *options;
	u32 real_time; /* percent */
	bool limits, idle_group;
} shapes[] = {
	{1, 1, 1, 1, 6, "", 0, false, false},
	{1, 1, 4, 2, 24, "", 0, false, false},
	{1, 4, 2, 2, 40, "  hz: 1000\n  balance.newidle_random: on\n", 0, false, false},
	{2, 1, 4, 2, 40, "  preempt: full\n  tick.align: skewed\n", 0, false, false},
	{2, 2, 2, 4, 60, "  smt: off\n  wake.scan: full\n", 0, false, false},
	{3, 1, 1, 1, 10, "  nohz.idle: off\n  pick.next_buddy: on\n", 0, false, false},
	{1, 1, 8, 1, 12, "  fork.placement: parent\n  place.child_runs_first: on\n", 0,
	 false, false},
	{4, 1, 3, 2, 48, "  balance: off\n", 0, false, false},
	{2, 3, 1, 2, 30, "  wake.scan: none\n  load.util_est: off\n  hz: 100\n", 0, false,
	 false},
	{1, 2, 2, 8, 64, "  balance.cache_hot: off\n  wake.queue: off\n", 0, false,
	 false},
	{1, 1, 4, 2, 30, "  core: mainline\n", 0, false, false},
	{2, 2, 2, 4, 60, "  core: mainline\n  hz: 1000\n", 0, false, false},
	{1, 1, 2, 8, 40, "  core: mainline\n  preempt: full\n", 0, false, false},
	{1, 1, 4, 2, 30, "  core: v2\n", 0, false, false},
	{1, 1, 1, 1, 8, "  rt.runtime: 5 ms\n  rt.period: 10 ms\n", 50, false, false},
	{1, 1, 4, 2, 24, "", 25, false, false},
	{2, 2, 2, 2, 40, "  rt.push_ipi: off\n  rt.period: 20 ms\n  rt.runtime: 15 ms\n",
	 40, false, false},
	{2, 1, 4, 1, 40, "  hz: 1000\n  rt.timeslice: 1 ms\n  preempt: full\n", 80, false,
	 false},
	{1, 1, 4, 2, 30, "  core: mainline\n  rt.period: 10 ms\n  rt.runtime: 8 ms\n", 30,
	 false, false},
	{2, 2, 2, 4, 60, "  core: mainline\n", 30, false, false},
	{1, 1, 4, 2, 30, "  core: v2\n", 20, false, false},
	{1, 2, 2, 2, 30, "  nohz.idle: off\n  wake.queue: off\n", 40, false, false},
	{1, 1, 4, 2, 24, "", 0, true, false},
	{1, 1, 1, 1, 10, "", 0, true, true},
	{2, 1, 4, 2, 60, "  hz: 1000\n", 0, true, true},
	{2, 2, 2, 2, 40, "  bandwidth.expire: on\n  bandwidth.slice: 1 ms\n", 0, true,
	 false},
	{1, 1, 4, 2, 30, "  core: mainline\n", 0, true, true},
	{1, 1, 2, 4, 30, "  core: v2\n", 0, true, false},
	{1, 2, 4, 2, 30, "", 0, false, true},
	{1, 1, 4, 2, 30, "  rt.period: 20 ms\n  rt.runtime: 15 ms\n", 30, true, true},
	{1, 1, 4, 2, 30, EEVDF, 0, false, false},
	{1, 1, 1, 1, 8, EEVDF DELAY, 0, false, false},
	{2, 1, 4, 2, 50, EEVDF DELAY "  hz: 1000\n  preempt: full\n", 0, false, false},
	{1, 1, 4, 2, 30, EEVDF DELAY "  core: mainline\n  core.zero_average: on\n", 0,
	 false, false},
	{1, 1, 4, 2, 24, EEVDF, 0, true, false},
	{1, 1, 1, 1, 10, EEVDF DELAY, 0, true, true},
	{2, 2, 2, 2, 40, EEVDF DELAY "  hz: 1000\n  bandwidth.slice: 1 ms\n", 0, true,
	 true},
	{1, 1, 4, 2, 30, EEVDF DELAY "  core: mainline\n", 0, true, true},
	{1, 1, 1, 1, 8, EEVDF DELAY "  rt.runtime: 5 ms\n  rt.period: 10 ms\n", 50, false,
	 false},
	{2, 1, 4, 2, 40, EEVDF DELAY "  preempt: lazy\n", 30, false, false},
	{1, 1, 4, 2, 30,
	 EEVDF DELAY "  core: mainline\n  rt.period: 20 ms\n  rt.runtime: 15 ms\n", 30,
	 true, true},
	{1, 1, 2, 4, 30, EEVDF DELAY "  core: v2\n", 20, true, false},
	{2, 1, 4, 2, 40, LINUX_51, 0, false, false},
	{2, 2, 2, 2, 40, LINUX_51 "  core: v2\n", 0, false, false},
	{1, 2, 4, 2, 40, LINUX_51 "  bandwidth.expire: on\n", 30, true, true},
};

/* Scans that come soon, on nodes that two tasks can saturate. */
#define SCANS "  numa.scan_delay: 1 ms\n  numa.scan_min: 1 ms\n  numa.scan_max: 20 ms\n"

static void start(struct storm *st, const struct shape *sh, u64 seed)
{
	char options[600];

	memset(st, 0, sizeof(*st));
	fixture_init(&st->x);
	fixture_machine(&st->x, sh->nodes, sh->llcs, sh->cores, sh->threads);
	if (seed % 2)
		fixture_rates(&st->x); /* half of the seeds: rates that change */
	/* and half of both have memory, if there is more than one node */
	st->memory = sh->nodes > 1 && seed % 4 < 2;
	st->x.machine.cost[COST_MEMORY_BANDWIDTH].value = 6000000000;
	snprintf(options, sizeof(options), "%s%s", sh->options, st->memory ? SCANS : "");
	fixture_kernel(&st->x, options);
	st->limits = sh->limits;
	st->idle_group = sh->idle_group;
	st->real_time = sh->real_time;
	st->policies = st->kthreads = sh->real_time != 0;
	st->slices = seed % 3 == 0;
	st->execs = seed % 2 == 0;
	storm_start(st, seed, sh->tasks);
}

static void test_recount(void **state)
{
	u64 total = 0, seen[DEC_COUNT] = {0};

	(void)state;
	for (u64 seed = 1; total < 1000000 || seed <= ARRAY_SIZE(shapes); seed++) {
		const struct shape *sh = &shapes[seed % ARRAY_SIZE(shapes)];
		struct storm st;
		struct failure f;

		start(&st, sh, seed);
		while (st.ops < 25000 && st.alive) {
			u64 before = st.ops;

			engine_step(&st.x.engine, TIME_NEVER - 1);
			if (st.ops != before && sched_check(st.x.sched, &f))
				fail_msg("seed %llu, operation %llu: %s",
					 (unsigned long long)seed,
					 (unsigned long long)st.ops, f.what);
		}
		assert_int_not_equal(st.ops, 0);
		total += st.ops;
		for (u32 i = 0; i < DEC_COUNT; i++)
			seen[i] += st.x.sched->totals.decisions[i];
		fixture_free(&st.x);
	}
	if (!seen[DEC_NUMA_PAGE_MOVE] || !seen[DEC_NUMA_JOIN] || !seen[DEC_NUMA_PREFER] ||
	    !seen[DEC_NUMA_MOVE] || !seen[DEC_NUMA_SWAP])
		fail_msg("NUMA balancing had nothing to do");
	/* and the storms went everywhere in the real-time class */
	assert_int_not_equal(seen[DEC_EXEC_MOVE], 0);
	assert_int_not_equal(seen[DEC_EXEC_STAY], 0);
	for (u32 i = DEC_RT_STAYS; i <= DEC_RT_ASKED; i++)
		if (!seen[i])
			fail_msg("%s never happened", decision_rows[i].name);
}

/* Every ns of work that the tasks asked for was done, and no other. */
static void test_work_done_is_work_asked(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 60; seed++) {
		struct storm st;
		struct sched_totals totals;
		u64 open = 0;

		start(&st, &shapes[seed % ARRAY_SIZE(shapes)], seed);
		st.only_work = true;
		while (engine_step(&st.x.engine, 400 * NS_PER_MS))
			;
		sched_totals(st.x.sched, &totals);
		for (u32 i = 0; i < st.x.sched->nr_tasks; i++) {
			const struct task *t = st.x.sched->task[i];

			if (t && t->has_step)
				open += t->remaining;
		}
		if (totals.work_ns != st.work_asked - open)
			fail_msg("seed %llu: work done %llu, asked %llu",
				 (unsigned long long)seed,
				 (unsigned long long)totals.work_ns,
				 (unsigned long long)(st.work_asked - open));
		/* and every CPU was idle or busy at every ns */
		assert_int_equal(totals.idle_ns + totals.busy_ns,
				 400 * NS_PER_MS * cpumask_weight(st.x.sched->online));
		fixture_free(&st.x);
	}
}

static u64 digest_of(const struct shape *sh, u64 seed)
{
	struct sink_digest d;
	u64 codes[SIM_KINDS], value;
	struct storm st;

	sim_kind_codes(codes);
	sink_digest_init(&d, codes);
	start(&st, sh, seed);
	engine_sink_add(&st.x.engine, &d.sink);
	while (engine_step(&st.x.engine, 200 * NS_PER_MS))
		;
	value = digest_value(&d.digest);
	fixture_free(&st.x);
	return value;
}

static void test_same_seed_same_run(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(shapes); i++) {
		assert_int_equal(digest_of(&shapes[i], 5), digest_of(&shapes[i], 5));
		assert_int_not_equal(digest_of(&shapes[i], 5), digest_of(&shapes[i], 6));
	}
}

static void test_memory_is_flat(void **state)
{
	struct storm st;
	size_t early;

	(void)state;
	start(&st, &shapes[1], 3);
	while (engine_step(&st.x.engine, 2 * NS_PER_SEC))
		;
	early = st.x.arena.total;
	while (engine_step(&st.x.engine, 20 * NS_PER_SEC))
		;
	assert_int_equal(st.x.arena.total, early);
	assert_true(st.x.sched->totals.forks > 1000);
	fixture_free(&st.x);
}

/*
 * What mainline core scheduling promises: no two threads of a core run tasks of different
 * cookies, but for the time that an IPI takes. With v2 they do.
 */
static void test_cookies_do_not_meet(void **state)
{
	u64 leak_v2 = 0, forced = 0;

	(void)state;
	/* a hundred mainline storms and eleven of v2 */
	for (u64 seed = 1; seed <= 111; seed++) {
		bool v2 = seed % 10 == 0;
		struct shape sh = {1 + (u32)(seed % 2),
				   1,
				   1 + (u32)(seed % 4),
				   2u << seed % 3,
				   8 + (u32)(seed % 50),
				   v2 ? "  core: v2\n" : "  core: mainline\n",
				   seed % 3 ? 0 : 20,
				   false,
				   false};
		struct sched_totals t;
		struct failure f;
		struct storm st;

		start(&st, &sh, seed);
		while (engine_step(&st.x.engine, 100 * NS_PER_MS))
			;
		sched_totals(st.x.sched, &t);
		if (sched_check(st.x.sched, &f))
			fail_msg("seed %llu: %s", (unsigned long long)seed, f.what);
		forced += t.forced_idle_ns;
		if (v2)
			leak_v2 += t.cross_cookie_leak_ns;
		else if (t.cross_cookie_leak_ns)
			fail_msg("seed %llu: cookies met for %llu ns",
				 (unsigned long long)seed,
				 (unsigned long long)t.cross_cookie_leak_ns);
		fixture_free(&st.x);
	}
	assert_true(forced > 0);
	assert_true(leak_v2 > 0);
}

/* A recount that cannot fail proves nothing: break what it guards. */
static void test_recount_notices(void **state)
{
	struct storm st;
	struct failure f;
	struct rq *rq;

	(void)state;
	start(&st, &shapes[1], 9);
	while (engine_step(&st.x.engine, 50 * NS_PER_MS))
		;
	assert_int_equal(sched_check(st.x.sched, &f), 0);
	rq = cpu_rq(st.x.sched, 0);
	rq->cfs.weight++;
	assert_int_equal(sched_check(st.x.sched, &f), -1);
	assert_non_null(strstr(f.what, "queue weight"));
	rq->cfs.weight--;
	rq->nr_running++;
	assert_int_equal(sched_check(st.x.sched, &f), -1);
	assert_non_null(strstr(f.what, "nr_running"));
	rq->nr_running--;
	rq->cfs.util_est++;
	assert_int_equal(sched_check(st.x.sched, &f), -1);
	rq->cfs.util_est--;
	rq->nohz_idle = !rq->nohz_idle;
	assert_int_equal(sched_check(st.x.sched, &f), -1);
	fixture_free(&st.x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recount),
		cmocka_unit_test(test_work_done_is_work_asked),
		cmocka_unit_test(test_same_seed_same_run),
		cmocka_unit_test(test_memory_is_flat),
		cmocka_unit_test(test_cookies_do_not_meet),
		cmocka_unit_test(test_recount_notices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
