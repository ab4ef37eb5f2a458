/*
 * Core scheduling by hand, in numbers that follow from the rules: a tie of a tagged and
 * an untagged task and what becomes of it under mainline; the leak of version 2, counted;
 * who may be stolen; to whom forced idle time is charged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core_fixture.h"

/*
 * A (tagged) runs on thread 0, U wakes on thread 1, both at 0. U's thread schedules, so
 * that U wins the tie; then its clock stands still for the comparison while U runs, and A
 * wins as soon as U has had more.
 */
static void test_tie_of_mainline(void **state)
{
	struct fixture x;
	struct task *a, *u;
	struct rq *t0, *t1;

	(void)state;
	core_setup(&x, 1, 2, "coresched-5.14");
	a = core_hog(&x, 0, sched_cookie_new(x.sched), true);
	u = core_hog(&x, 1, 0, true);
	t0 = cpu_rq(x.sched, 0);
	t1 = cpu_rq(x.sched, 1);
	a->se.vruntime = t0->cfs.min_vruntime = 5 * NS_PER_SEC;
	u->se.vruntime = t1->cfs.min_vruntime = 7 * NS_PER_SEC;
	x.sched->core[0].cookie = a->cookie;
	assert_ptr_equal(x.sched->ops.core_pick(x.sched, t1), u);
	assert_null(t0->pick);
	/* U has run 4 ms: its queue's clock moves, what it is measured from does not */
	u->se.vruntime = t1->cfs.min_vruntime += 4 * NS_PER_MS;
	assert_null(x.sched->ops.core_pick(x.sched, t1));
	assert_ptr_equal(t0->pick, a);
	/* A has run 3 ms, less than U: it stays; 5 ms: U's turn */
	a->se.vruntime = t0->cfs.min_vruntime += 3 * NS_PER_MS;
	assert_ptr_equal(x.sched->ops.core_pick(x.sched, t0), a);
	a->se.vruntime = t0->cfs.min_vruntime += 2 * NS_PER_MS;
	assert_null(x.sched->ops.core_pick(x.sched, t0));
	assert_ptr_equal(t1->pick, u);
	fixture_free(&x);
}

/* Version 2: U is of higher priority, both threads schedule, A is chosen all the same. */
static void test_leak_is_counted(void **state)
{
	struct sched_totals *t;
	struct fixture x;
	struct task *a, *u;
	struct rq *t0, *t1;

	(void)state;
	core_setup(&x, 1, 2, "coresched-v2");
	t = &x.sched->totals;
	a = core_hog(&x, 0, sched_cookie_new(x.sched), true);
	u = core_hog(&x, 1, 0, true);
	t0 = cpu_rq(x.sched, 0);
	t1 = cpu_rq(x.sched, 1);
	u->se.vruntime = t1->cfs.min_vruntime - NS_PER_MS;
	a->se.vruntime = t0->cfs.min_vruntime + NS_PER_MS;
	assert_ptr_equal(x.sched->ops.core_pick(x.sched, t0), a);
	assert_ptr_equal(t1->pick, u);
	t0->curr = a;
	t1->curr = u;
	t0->resched = false;
	t1->resched = RESCHED_NOW; /* its IPI is on the way */
	core_account(x.sched, t0, NS_PER_US);
	assert_int_equal(t->cross_cookie_leak_ns, 0);
	assert_int_equal(t->cross_cookie_pending_ns, NS_PER_US);
	t1->resched = false;
	core_account(x.sched, t0, 4 * NS_PER_MS);
	assert_int_equal(t->cross_cookie_leak_ns, 4 * NS_PER_MS);
	fixture_free(&x);
}

/*
 * threads hogs of one cookie on a core, one of another on each of the last `forced`
 * threads, 4 ms: each of those that run is charged 4 ms * forced / busy.
 */
static void charge(u32 threads, u32 forced)
{
	struct fixture x;
	struct rq *rq;

	core_setup(&x, 1, threads, "coresched-5.14");
	for (u32 i = 0; i < threads; i++)
		core_hog(&x, i, i < threads - forced ? 1 : 2, true);
	sched_cookie_new(x.sched);
	core_run_to(&x, 1);
	rq = cpu_rq(x.sched, 0);
	for (u32 i = 0; i < threads; i++) {
		struct rq *sib = cpu_rq(x.sched, i);
		bool idle = i >= threads - forced;

		/* whoever won: the first ones run, the last ones are forced idle */
		sib->curr = idle ? NULL : x.sched->task[i];
		sib->forced_idle = idle;
		x.sched->task[i]->forced_ns = 0;
	}
	core_account(x.sched, rq, 4 * NS_PER_MS);
	for (u32 i = 0; i < threads; i++)
		assert_int_equal(task_forced_idle(x.sched->task[i]),
				 i >= threads - forced
					 ? 0
					 : 4 * NS_PER_MS * forced / (threads - forced));
	fixture_free(&x);
}

static void test_forced_idle_is_charged(void **state)
{
	(void)state;
	charge(2, 1); /* 4 ms */
	charge(4, 2); /* 4 ms each */
	charge(4, 1); /* a third of that */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tie_of_mainline),
		cmocka_unit_test(test_leak_is_counted),
		cmocka_unit_test(test_forced_idle_is_charged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
