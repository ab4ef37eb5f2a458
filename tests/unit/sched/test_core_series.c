/*
 * What is known of the versions of the core scheduling series, one test each: who starves
 * under version 3 and who under its fixes, what a tie does, for whom the allowances are
 * fair, what a core-wide clock does to those who were there before, and where the fixes
 * to version 4 look at cookies. The kernels are the recipes of data/kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core_fixture.h"

/* Two hogs of two cookies on the threads of a core for 4 s: who got less, of 1000. */
static u64 smaller_share(const char *recipe)
{
	struct sched_totals t;
	struct fixture x;
	struct task *a, *b;
	u64 one, two;

	core_setup(&x, 1, 2, recipe);
	a = core_hog(&x, 0, sched_cookie_new(x.sched), true);
	b = core_hog(&x, 1, sched_cookie_new(x.sched), true);
	core_run_to(&x, 4000);
	one = task_cpu_time(x.sched, a);
	two = task_cpu_time(x.sched, b);
	sched_totals(x.sched, &t);
	assert_int_equal(t.cross_cookie_leak_ns, 0);
	fixture_free(&x);
	return (one < two ? one : two) * 1000 / (one + two);
}

/* Lone tasks tie for ever, no tick helps, and the stall fix is for untagged ones only. */
static void test_v3_starves(void **state)
{
	(void)state;
	assert_int_equal(smaller_share("coresched-v3"), 0);
	assert_int_equal(smaller_share("coresched-v3-stallfix"), 0);
}

/*
 * Who starves alone on a CPU that is forced idle is not pushed away, whatever idles: the
 * balancer asks where the current task may run, and that is the idle task. Nor is it
 * pulled: it is one task. The hog beside it could go, and is kept here.
 */
static void test_starved_stays(void **state)
{
	struct fixture x;
	struct task *t[2], *starved;
	struct failure f;

	(void)state;
	core_setup(&x, 3, 2, "coresched-v3");
	for (u32 i = 0; i < 2; i++)
		t[i] = core_hog(&x, x.sched->sib[x.sched->sib_at[0] + i],
				sched_cookie_new(x.sched), true);
	/* a second busy CPU, so that the idle ones are asked to balance */
	core_hog(&x, 1, sched_cookie_new(x.sched), true);
	core_run_to(&x, 100);
	starved = t[task_cpu_time(x.sched, t[0]) > task_cpu_time(x.sched, t[1])];
	assert_int_equal(sched_set_affinity(x.sched, starved, x.sched->possible, &f), 0);
	core_run_to(&x, 3000);
	assert_true(task_cpu_time(x.sched, starved) < NS_PER_MS);
	assert_int_equal(x.sched->totals.decisions[DEC_BALANCE_ACTIVE], 0);
	/* idle CPUs looked, often enough for a push, and failed */
	assert_true(x.sched->totals.decisions[DEC_BALANCE_FAILED] > 10);
	fixture_free(&x);
}

/* Everybody else alternates: turns last tens of ms, so that 4 s hold a hundred. */
static void test_others_alternate(void **state)
{
	static const char *const recipes[] = {
		"coresched-v3-tim", "coresched-v3-vruntime", "coresched-v4",
		"coresched-v5",	    "coresched-v6",	     "coresched-v8",
		"coresched-v9",	    "coresched-5.14",
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(recipes); i++) {
		u64 share = smaller_share(recipes[i]);

		if (share < 480)
			fail_msg("%s: the smaller share is %llu of 1000", recipes[i],
				 (unsigned long long)share);
	}
}

/*
 * Forced idle as virtual time (July 2019): fair with a tick that asks, if the thread that
 * idles is credited. Version 3 credited the one that had picked, who then has as much as
 * it ran: it is never behind.
 */
static void test_forced_idle_as_virtual_time(void **state)
{
	(void)state;
	assert_true(smaller_share("coresched-v3-forced-slice:core.flag_idle=on") >= 480);
	assert_int_equal(smaller_share("coresched-v3-forced-slice"), 0);
	assert_int_equal(smaller_share("coresched-v3-forced"), 0);
}

/* ms of a tagged hog beside two untagged ones that take turns on the other thread. */
static u64 beside_two(const char *recipe)
{
	struct fixture x;
	struct task *a;
	u64 ms;

	core_setup(&x, 1, 2, recipe);
	core_hog(&x, 1, 0, true);
	core_hog(&x, 1, 0, true);
	a = core_hog(&x, 0, sched_cookie_new(x.sched), true);
	core_run_to(&x, 4000);
	ms = core_ms(&x, a);
	fixture_free(&x);
	return ms;
}

/*
 * Nothing tagged ran last: the thread whose best is untagged picks for itself, and does
 * not look at who is forced idle beside it, for as long as it has untagged tasks.
 */
static void test_mode_by_cookie_alone(void **state)
{
	u64 by_cookie = beside_two("coresched-5.14:core.mode_forced=off");
	u64 both = beside_two("coresched-5.14");

	(void)state;
	if (both < 1200 || by_cookie > both / 4)
		fail_msg("%llu and %llu ms of 4000", (unsigned long long)both,
			 (unsigned long long)by_cookie);
}

/*
 * Tagged A runs on thread 0, untagged U wakes on thread 1 and schedules, nobody is ahead
 * of anybody: does U run?
 */
static bool untagged_wins_tie(const char *recipe)
{
	struct fixture x;
	struct task *a, *u, *pick;
	struct rq *t0, *t1;
	u64 cookie;
	bool won;

	core_setup(&x, 1, 2, recipe);
	cookie = sched_cookie_new(x.sched);
	a = core_hog(&x, 0, cookie, true);
	u = core_hog(&x, 1, 0, true);
	t0 = cpu_rq(x.sched, 0);
	t1 = cpu_rq(x.sched, 1);
	a->se.vruntime = t0->cfs.min_vruntime = 5 * NS_PER_SEC;
	u->se.vruntime = t1->cfs.min_vruntime = 5 * NS_PER_SEC;
	x.sched->core[0].cookie = cookie;
	pick = x.sched->ops.core_pick(x.sched, t1);
	won = pick == u;
	assert_ptr_equal(pick, t1->pick);
	/* one of them, never both */
	assert_ptr_equal(t0->pick, won ? NULL : a);
	assert_int_equal(x.sched->core[0].cookie, won ? 0 : cookie);
	fixture_free(&x);
	return won;
}

/* Of equals the tagged one displaces the untagged one. */
static void test_v3_tie(void **state)
{
	(void)state;
	assert_false(untagged_wins_tie("coresched-v3"));
	assert_false(untagged_wins_tie("coresched-v4"));
}

/* The other way round, and so has everybody who wants a higher priority to displace. */
static void test_stall_fix_flips_tie(void **state)
{
	(void)state;
	assert_true(untagged_wins_tie("coresched-v3-stallfix"));
	assert_true(untagged_wins_tie("coresched-v3-tim"));
	assert_true(untagged_wins_tie("coresched-v3-vruntime"));
	assert_true(untagged_wins_tie("coresched-v9"));
	assert_true(untagged_wins_tie("coresched-5.14"));
}

/* In a run: the shell beside 2 hogs of a tagged group. */
static void test_untagged_starves_on_ties(void **state)
{
	static const char *const recipes[] = {"coresched-v3", "coresched-v3-stallfix"};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct fixture x;
		struct task *u;
		u64 cookie, before;

		core_setup(&x, 1, 2, recipes[i]);
		cookie = sched_cookie_new(x.sched);
		core_hog(&x, 0, cookie, true);
		core_run_to(&x, 100);
		u = core_hog(&x, 1, 0, true);
		core_run_to(&x, 200);
		before = core_ms(&x, u);
		core_run_to(&x, 1200);
		if (i == 0)
			assert_int_equal(core_ms(&x, u), before);
		else
			assert_int_equal(core_ms(&x, u), before + 1000);
		fixture_free(&x);
	}
}

/* A's tasks over B's, in percent; A has a task on each thread, B one on the second. */
static u64 two_against_one(const char *recipe)
{
	struct fixture x;
	struct task *a0, *a1, *b;
	u64 one, two, ratio;

	core_setup(&x, 1, 2, recipe);
	one = sched_cookie_new(x.sched);
	two = sched_cookie_new(x.sched);
	a0 = core_hog(&x, 0, one, true);
	a1 = core_hog(&x, 1, one, true);
	b = core_hog(&x, 1, two, true);
	core_run_to(&x, 8000);
	ratio = (task_cpu_time(x.sched, a0) + task_cpu_time(x.sched, a1)) * 100 /
		task_cpu_time(x.sched, b);
	fixture_free(&x);
	return ratio;
}

/* Hogs of nice 0 and 5, 1024 : 335, on the two threads: their ratio in percent. */
static u64 by_weight(const char *recipe)
{
	struct fixture x;
	struct task *a, *b;
	u64 ratio;

	core_setup(&x, 1, 2, recipe);
	a = core_hog(&x, 0, sched_cookie_new(x.sched), true);
	b = core_hog(&x, 1, sched_cookie_new(x.sched), true);
	sched_set_nice(x.sched, b, 5);
	core_run_to(&x, 8000);
	ratio = task_cpu_time(x.sched, a) * 100 / task_cpu_time(x.sched, b);
	fixture_free(&x);
	return ratio;
}

/* Threads, not groups, and whatever they weigh. */
static void test_tim_is_fair_between_threads(void **state)
{
	u64 ratio = two_against_one("coresched-v3-tim");

	(void)state;
	assert_in_range(ratio, 170, 330);
	assert_in_range(by_weight("coresched-v3-tim"), 95, 105);
	/* turns last 24 ms and more: 10 % of some hundred of them */
	assert_in_range(by_weight("coresched-v3-vruntime"), 275, 337);
	assert_in_range(by_weight("coresched-v4"), 260, 350);
}

/*
 * A hog that has run for 4 s, one that joined after 2 s: their clocks are 2 s apart. Once
 * one clock is kept for both, the elder waits until the younger has made up for that, and
 * once only; where queued tasks are shifted to the clock, nobody waits.
 */
static void test_clock_starves_once(void **state)
{
	static const struct {
		const char *recipe;
		bool starves;
	} v[] = {{"coresched-v3-vruntime", true},
		 {"coresched-v4", true},
		 {"coresched-v6", false},
		 {"coresched-v9", false}};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture x;
		struct task *elder, *younger;
		u64 at, after;

		core_setup(&x, 1, 2, v[i].recipe);
		elder = core_hog(&x, 0, 0, true);
		core_run_to(&x, 2000);
		younger = core_hog(&x, 1, 0, true);
		core_run_to(&x, 4000);
		at = core_ms(&x, elder);
		sched_set_cookie(x.sched, elder, sched_cookie_new(x.sched));
		sched_set_cookie(x.sched, younger, sched_cookie_new(x.sched));
		core_run_to(&x, 5900);
		after = core_ms(&x, elder) - at;
		if (v[i].starves)
			assert_in_range(after, 0, 50);
		else
			assert_in_range(after, 850, 1050);
		at = core_ms(&x, elder);
		core_run_to(&x, 6100);
		at = core_ms(&x, elder);
		core_run_to(&x, 8100); /* and from then on half each */
		assert_in_range(core_ms(&x, elder) - at, 900, 1100);
		fixture_free(&x);
	}
}

/*
 * The second thread of core 0 runs a hog, the first idles, so that its clock stands. A
 * hog of the same cookie comes from another core: its share of the next 100 ms, of 100.
 */
static u64 share_of_who_comes(const char *recipe)
{
	struct cpumask *here;
	struct task *was, *comes;
	struct failure f;
	struct fixture x;
	u64 cookie, share;

	core_setup(&x, 2, 2, recipe);
	cookie = sched_cookie_new(x.sched);
	was = core_hog(&x, 1, cookie, true);
	comes = core_hog(&x, 2, cookie, true);
	core_run_to(&x, 400);
	share = core_ms(&x, comes);
	assert_in_range(core_ms(&x, was), 395, 400);
	here = cpumask_new(&x.arena, x.machine.ncpu);
	cpumask_set(here, 1);
	assert_int_equal(sched_set_affinity(x.sched, comes, here, &f), 0);
	core_run_to(&x, 500);
	share = core_ms(&x, comes) - share;
	fixture_free(&x);
	return share;
}

/*
 * Where all threads read the first one's clock, who comes is placed where that stands,
 * and has the CPU alone until it has had as much as who was there. A clock that every
 * thread moves, and one of the queue's own, have them take turns.
 */
static void test_clock_of_the_first_thread(void **state)
{
	(void)state;
	assert_in_range(share_of_who_comes("coresched-v4"), 95, 100);
	assert_in_range(share_of_who_comes("coresched-v5"), 95, 100);
	assert_in_range(share_of_who_comes("coresched-v3-vruntime"), 35, 65);
	assert_in_range(share_of_who_comes("coresched-v6"), 35, 65);
	assert_in_range(share_of_who_comes("coresched-v8"), 35, 65);
}

/* Three hogs of a cookie on core 0, nobody on core 1: does the balancer help them? */
static u64 work_of_three(const char *recipe, u64 *refused)
{
	struct sched_totals t;
	struct fixture x;
	char kernel[128];
	u64 cookie;

	snprintf(kernel, sizeof(kernel), "%s:fork.placement=parent", recipe);
	core_setup(&x, 2, 2, kernel);
	cookie = sched_cookie_new(x.sched);
	for (u32 i = 0; i < 3; i++)
		core_hog(&x, i % 2, cookie, false);
	core_run_to(&x, 1000);
	sched_totals(x.sched, &t);
	*refused = t.decisions[DEC_BALANCE_COOKIE];
	fixture_free(&x);
	return t.busy_ns / NS_PER_MS;
}

/* An idle core keeps the cookie of its last pick, 0: it takes nobody from core 0. */
static void test_balancer_refuses(void **state)
{
	u64 refused;

	(void)state;
	assert_in_range(work_of_three("coresched-v4", &refused), 2900, 3000);
	assert_int_equal(refused, 0);
	assert_in_range(work_of_three("coresched-v4-cookie-lb", &refused), 1990, 2010);
	assert_true(refused > 10);
	/* version 5: wholly idle cores are an exception */
	assert_in_range(work_of_three("coresched-v5", &refused), 2900, 3000);
}

static void test_scan_wants_the_cookie(void **state)
{
	struct task tagged = {.cookie = 1}, untagged = {.cookie = 0};
	struct fixture x;

	(void)state;
	core_setup(&x, 2, 2, "coresched-v4-cookie-wake");
	/* as posted: compiled in, nothing tagged, no CPU is ever taken */
	assert_false(core_cpu_match(x.sched, 2, &untagged));
	sched_cookie_new(x.sched);
	assert_true(core_cpu_match(x.sched, 2, &untagged));
	assert_false(core_cpu_match(x.sched, 2, &tagged));
	x.sched->core[2].cookie = 1;
	assert_true(core_cpu_match(x.sched, 2, &tagged));
	assert_false(core_cpu_match(x.sched, 2, &untagged));
	fixture_free(&x);

	core_setup(&x, 2, 2, "coresched-v5");
	assert_true(core_cpu_match(x.sched, 2, &untagged));
	sched_cookie_new(x.sched);
	assert_true(core_cpu_match(x.sched, 2, &tagged)); /* idle */
	x.sched->rq[3].nr_running = 1;
	assert_false(core_cpu_match(x.sched, 2, &tagged));
	x.sched->rq[3].nr_running = 0;
	fixture_free(&x);
}

/* Where a fork of core 0's cookie goes, while core 1 idles and has cookie 0. */
static u32 core_of_fork(const char *recipe)
{
	struct fixture x;
	u64 cookie;
	u32 cpu;

	core_setup(&x, 2, 2, recipe);
	cookie = sched_cookie_new(x.sched);
	core_hog(&x, 0, cookie, true);
	core_run_to(&x, 100);
	cpu = task_cpu(core_hog(&x, 0, cookie, false));
	fixture_free(&x);
	return cpu / 2;
}

static void test_fork_passes_over_other_cookies(void **state)
{
	(void)state;
	assert_int_equal(core_of_fork("coresched-v4"), 1);
	assert_int_equal(core_of_fork("coresched-v4-cookie-fork"), 0);
	assert_int_equal(core_of_fork("coresched-v5"), 1);
}

static void test_numa_passes_over_other_cookies(void **state)
{
	struct task tagged = {.cookie = 1};
	struct fixture x;

	(void)state;
	core_setup(&x, 2, 2, "coresched-v4");
	sched_cookie_new(x.sched);
	assert_true(core_numa_match(x.sched, 2, &tagged));
	fixture_free(&x);
	core_setup(&x, 2, 2, "coresched-v4-cookie-numa");
	assert_true(core_numa_match(x.sched, 2, &tagged)); /* not enabled */
	sched_cookie_new(x.sched);
	assert_false(core_numa_match(x.sched, 2, &tagged));
	x.sched->core[2].cookie = 1;
	assert_true(core_numa_match(x.sched, 2, &tagged));
	fixture_free(&x);
}

/* All four, and nothing else beside version 4. */
static void test_all_four(void **state)
{
	struct fixture x;

	(void)state;
	core_setup(&x, 1, 2, "coresched-v4-cookie");
	assert_true(x.kernel->feat[FEAT_CORE_COOKIE_REFUSE]);
	assert_true(x.kernel->feat[FEAT_CORE_COOKIE_WAKE]);
	assert_true(x.kernel->feat[FEAT_CORE_COOKIE_FORK]);
	assert_true(x.kernel->feat[FEAT_CORE_COOKIE_NUMA]);
	assert_false(x.kernel->feat[FEAT_CORE_MATCH_IDLE]);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v3_starves),
		cmocka_unit_test(test_starved_stays),
		cmocka_unit_test(test_others_alternate),
		cmocka_unit_test(test_forced_idle_as_virtual_time),
		cmocka_unit_test(test_mode_by_cookie_alone),
		cmocka_unit_test(test_v3_tie),
		cmocka_unit_test(test_stall_fix_flips_tie),
		cmocka_unit_test(test_untagged_starves_on_ties),
		cmocka_unit_test(test_tim_is_fair_between_threads),
		cmocka_unit_test(test_clock_starves_once),
		cmocka_unit_test(test_clock_of_the_first_thread),
		cmocka_unit_test(test_balancer_refuses),
		cmocka_unit_test(test_scan_wants_the_cookie),
		cmocka_unit_test(test_fork_passes_over_other_cookies),
		cmocka_unit_test(test_numa_passes_over_other_cookies),
		cmocka_unit_test(test_all_four),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
