/*
 * Every ns has one state: the identities of sched/account.h after storms of every kind -
 * rates, groups with limits, cookies, real-time tasks, EEVDF - and an accounted storm
 * takes the decisions of one that is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/account.h"
#include "storm.h"

static const struct shape {
	u32 nodes, llcs, cores, threads, tasks, real_time;
	bool limits;
	const char *options;
} shapes[] = {
	{1, 1, 1, 1, 6, 0, false, ""},
	{1, 1, 4, 2, 24, 0, false, ""},
	{2, 1, 4, 2, 40, 0, false, "  hz: 1000\n  preempt: full\n"},
	{2, 2, 2, 4, 60, 0, false, "  smt: off\n"},
	{1, 1, 4, 2, 30, 0, false, "  core: mainline\n"},
	{1, 1, 2, 4, 30, 20, true, "  core: v2\n"},
	{1, 1, 4, 2, 24, 0, true, ""},
	{2, 1, 4, 2, 40, 30, true, "  rt.period: 20 ms\n  rt.runtime: 15 ms\n"},
	{1, 1, 4, 2, 30, 0, true,
	 "  fair.pick: eevdf\n  dequeue.delay: on\n  place.lag: on\n  core: mainline\n"},
	{2, 1, 4, 1, 40, 0, false, "  wake.queue: off\n  balance: classic\n"},
};

static void start(struct storm *st, const struct shape *sh, u64 seed)
{
	memset(st, 0, sizeof(*st));
	fixture_init(&st->x);
	fixture_machine(&st->x, sh->nodes, sh->llcs, sh->cores, sh->threads);
	if (seed % 2)
		fixture_rates(&st->x);
	fixture_kernel(&st->x, sh->options);
	st->limits = sh->limits;
	st->real_time = sh->real_time;
	st->policies = st->kthreads = sh->real_time != 0;
	storm_start(st, seed, 0);
	st->max_tasks = sh->tasks;
}

/* The first tasks come after the account is there. */
static void spawn(struct storm *st)
{
	struct task_attr attr;

	for (u32 i = 0; i < st->max_tasks / 2; i++) {
		storm_attr(st, &attr);
		sched_spawn(st->x.sched, &attr, i % st->x.machine.ncpu);
	}
}

static void check(struct account *a, u64 seed)
{
	struct failure f;

	if (account_check(a, &f))
		fail_msg("seed %llu: %s", (unsigned long long)seed, f.what);
}

static void account_storm(const struct shape *sh, u64 seed)
{
	struct account *a;
	struct storm st;

	start(&st, sh, seed);
	a = account_new(&st.x.arena, st.x.sched, 0, true);
	spawn(&st);
	while (st.ops < 20000 && st.alive) {
		engine_step(&st.x.engine, TIME_NEVER - 1);
		account_look(a);
		if (st.x.engine.events % 512 == 0)
			check(a, seed);
		if (st.x.engine.events == 2000)
			account_restart(a);
	}
	check(a, seed);
	fixture_free(&st.x);
}

static void test_identities(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 3 * ARRAY_SIZE(shapes); seed++)
		account_storm(&shapes[seed % ARRAY_SIZE(shapes)], seed);
}

static u64 digest_of(const struct shape *sh, u64 seed, bool accounted)
{
	u64 code[SIM_KINDS], digest;
	struct sink_digest sink;
	struct storm st;

	start(&st, sh, seed);
	sim_kind_codes(code);
	sink_digest_init(&sink, code);
	engine_sink_add(&st.x.engine, &sink.sink);
	if (accounted)
		account_new(&st.x.arena, st.x.sched, 0, true);
	spawn(&st);
	while (st.ops < 5000 && st.alive) {
		engine_step(&st.x.engine, TIME_NEVER - 1);
		if (accounted)
			account_look(st.x.sched->account);
	}
	digest = digest_value(&sink.digest);
	fixture_free(&st.x);
	return digest;
}

static void test_changes_nothing(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 2 * ARRAY_SIZE(shapes); seed++) {
		const struct shape *sh = &shapes[seed % ARRAY_SIZE(shapes)];

		assert_int_equal(digest_of(sh, seed, false), digest_of(sh, seed, true));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identities),
		cmocka_unit_test(test_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
