/*
 * What core scheduling is charged for, to the ns: the lock that two threads share, a pick
 * with its comparisons, debug printing; and nothing at all while nobody is tagged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core_fixture.h"

/* The second thread waits for what is left of the first one's time, and for the line. */
static void test_lock_is_shared(void **state)
{
	struct sched_totals t;
	struct fixture x;
	struct rq *t0, *t1;

	(void)state;
	core_setup(&x, 1, 2, "coresched-5.14");
	t0 = cpu_rq(x.sched, 0);
	t1 = cpu_rq(x.sched, 1);
	core_lock_hold(x.sched, t0, 1000);
	assert_int_equal(x.sched->core[0].lock.acquisitions, 0); /* nothing is tagged */
	sched_cookie_new(x.sched);
	core_lock_hold(x.sched, t0, 1000);
	assert_int_equal(t0->run_from - x.engine.now, x.sched->cost[COST_LINE_OWN]);
	core_lock_hold(x.sched, t1, 1000);
	assert_int_equal(t1->run_from - x.engine.now,
			 x.sched->cost[COST_LINE_OWN] + 1000 +
				 x.sched->cost[COST_LINE_SMT]);
	sched_totals(x.sched, &t);
	assert_int_equal(t.decisions[DEC_CORE_LOCKED], 1);
	assert_int_equal(t.system_ns[SYS_CORE_LOCK],
			 2 * x.sched->cost[COST_LINE_OWN] + 1000 +
				 x.sched->cost[COST_LINE_SMT]);
	fixture_free(&x);
}

/* SYS_CORE of one pick of two tagged hogs on two threads. */
static u64 cost_of_pick(const char *recipe, u64 *compares)
{
	struct fixture x;
	u64 before, cost;

	core_setup(&x, 1, 2, recipe);
	core_hog(&x, 0, sched_cookie_new(x.sched), true);
	core_hog(&x, 1, sched_cookie_new(x.sched), true);
	core_run_to(&x, 10);
	before = x.sched->totals.system_ns[SYS_CORE];
	x.sched->core[0].compares = 0;
	x.sched->ops.core_pick(x.sched, cpu_rq(x.sched, 0));
	cost = x.sched->totals.system_ns[SYS_CORE] - before;
	*compares = (cost - 600) / 30;
	fixture_free(&x);
	return cost;
}

static void test_pick(void **state)
{
	u64 compares, printed;

	(void)state;
	/* mainline compares the second thread's best with the first one's */
	assert_int_equal(cost_of_pick("coresched-5.14", &compares), 2 * 300 + 30);
	assert_int_equal(
		cost_of_pick("coresched-v3:core.print=0 ns,core.print_compare=0 ns",
			     &compares),
		600 + 30 * compares);
	assert_in_range(compares, 1, 3);
	printed = cost_of_pick("coresched-v3", &(u64){0});
	assert_int_equal(printed, 600 + 900 + compares * (30 + 150));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lock_is_shared),
		cmocka_unit_test(test_pick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
