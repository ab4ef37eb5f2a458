/*
 * EEVDF by hand: who is eligible, whose deadline is the earliest, what is owed on leaving
 * and how it is given back on joining, when a deadline moves, when a dequeue waits. One
 * CPU: the base slice is 0.75 ms for 1 CPU, 3 ms for 8 (0.70 and 2.8 ms in 6.12).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fair/eevdf.h"
#include "sched_fixture.h"

#define BARE "  fair.pick: eevdf\n  slice.scaling: none\n  slice.request: 3 ms\n"
#define MS   NS_PER_MS

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct sched_client hog_client = {.step = forever};

static void setup(struct fixture *x, const char *options)
{
	fixture_init(x);
	fixture_machine(x, 1, 1, 2, 1);
	fixture_kernel(x, options);
	fixture_start(x, &hog_client, 1);
}

static struct cfs_rq *queue(struct fixture *x)
{
	return &cpu_rq(x->sched, 1)->cfs;
}

/* A task that is on no queue. */
static struct task *aside(struct fixture *x, s32 nice)
{
	struct task_attr attr = {.comm = "t", .nice = nice};
	struct task *t = sched_spawn(x->sched, &attr, 0);

	fair_dequeue(x->sched, t->rq, t, false);
	group_set_task_rq(t, cpu_rq(x->sched, 1));
	return t;
}

/* It waits on CPU 1 with this vruntime and deadline. */
static struct task *waits(struct fixture *x, s32 nice, u64 vruntime, u64 deadline)
{
	struct task *t = aside(x, nice);

	fair_enqueue(x->sched, cpu_rq(x->sched, 1), t, false, true);
	eevdf_remove(queue(x), &t->se);
	t->se.vruntime = vruntime;
	t->se.deadline = deadline;
	eevdf_insert(queue(x), &t->se);
	return t;
}

/*
 * v = 10, 20, 60 ms of equal weight: V = 30. With the last at nice -5 (3121):
 * V = (10 + 20) 1024 + 60 * 3121 over 5169 = 42.169...
 */
static void test_eligible(void **state)
{
	struct fixture x;
	struct cfs_rq *q;

	(void)state;
	setup(&x, BARE);
	q = queue(&x);
	waits(&x, 0, 10 * MS, 13 * MS);
	waits(&x, 0, 20 * MS, 23 * MS);
	waits(&x, 0, 60 * MS, 63 * MS);
	assert_int_equal(eevdf_average(q), 30 * MS);
	assert_true(eevdf_eligible(q, 30 * MS));
	assert_false(eevdf_eligible(q, 30 * MS + 1));
	fixture_free(&x);

	setup(&x, BARE);
	q = queue(&x);
	waits(&x, 0, 10 * MS, 13 * MS);
	waits(&x, 0, 20 * MS, 23 * MS);
	waits(&x, -5, 60 * MS, 61 * MS);
	assert_int_equal(eevdf_average(q), (30 * MS * 1024 + 60 * MS * 3121) / 5169);
	assert_true(eevdf_eligible(q, 42 * MS));
	assert_false(eevdf_eligible(q, 43 * MS));
	fixture_free(&x);
}

/*
 *   task   v    d            V = 25: A is due first, but has had more than its share;
 *    A    50   52            of B, C and D, who are owed time, C is due first
 *    B    10   40
 *    C    20   30
 *    D    20   35
 */
static void test_earliest_eligible(void **state)
{
	struct task *a, *c;
	struct fixture x;

	(void)state;
	setup(&x, BARE);
	waits(&x, 0, 10 * MS, 40 * MS);
	a = waits(&x, 0, 50 * MS, 22 * MS);
	c = waits(&x, 0, 20 * MS, 30 * MS);
	waits(&x, 0, 20 * MS, 35 * MS);
	assert_ptr_equal(queue(&x)->leftmost, &a->se);
	assert_ptr_equal(eevdf_earliest(queue(&x)), &c->se);
	assert_ptr_equal(x.sched->ops.fair.peek(x.sched, cpu_rq(x.sched, 1)), c);
	fixture_free(&x);
}

/*
 * v = 10 and 30: V = 20, lags +10 and -10. Two slices are 6 ms: who leaves takes 6 along.
 * Then B is alone, V = 30; A joins with l = 6, inflated by (W + w) / W = 2: v = 18; then
 * V = 24, and its lag is 6 again. Deadline: a slice on, or half of it for a new task.
 */
static void test_lag_is_kept(void **state)
{
	struct task *a, *n;
	struct fixture x;
	struct cfs_rq *q;

	(void)state;
	setup(&x, BARE "  place.lag: on\n  place.half_slice: on\n");
	q = queue(&x);
	a = waits(&x, 0, 10 * MS, 13 * MS);
	waits(&x, 0, 30 * MS, 33 * MS);
	assert_int_equal(eevdf_lag(x.sched, eevdf_average(q), &a->se), 6 * MS);
	fair_dequeue(x.sched, a->rq, a, true);
	assert_int_equal(a->se.vlag, 6 * MS);
	assert_int_equal(eevdf_average(q), 30 * MS);
	fair_enqueue(x.sched, a->rq, a, true, false);
	assert_int_equal(a->se.vruntime, 18 * MS);
	assert_int_equal(a->se.deadline, 21 * MS);
	assert_int_equal(eevdf_average(q), 24 * MS);

	n = aside(&x, 0);
	n->state = TASK_NEW;
	n->se.vlag = 0;
	fair_enqueue(x.sched, n->rq, n, false, true);
	assert_int_equal(n->se.vruntime, 24 * MS);
	assert_int_equal(n->se.deadline, 25 * MS + MS / 2);
	fixture_free(&x);
}

/* The limit is one tick if that is longer than two slices: 4 ms against 2 x 1 ms. */
static void test_lag_limit(void **state)
{
	struct task *a;
	struct fixture x;

	(void)state;
	setup(&x, "  fair.pick: eevdf\n  slice.scaling: none\n  slice.request: 1 ms\n");
	a = waits(&x, 0, 10 * MS, 13 * MS);
	waits(&x, 0, 30 * MS, 33 * MS);
	assert_int_equal(eevdf_lag(x.sched, 20 * MS, &a->se), 4 * MS);
	assert_int_equal(eevdf_lag(x.sched, 0, &a->se), -4 * (s64)MS);
	assert_int_equal(eevdf_lag(x.sched, 11 * MS, &a->se), MS);
	fixture_free(&x);
}

/* Moved with 2 of its 3 ms left, it is due 2 ms after wherever it is placed. */
static void test_rel_deadline(void **state)
{
	struct task *a;
	struct fixture x;

	(void)state;
	setup(&x, BARE "  place.rel_deadline: on\n");
	a = waits(&x, 0, 10 * MS, 12 * MS);
	waits(&x, 0, 40 * MS, 43 * MS);
	fair_dequeue(x.sched, a->rq, a, false);
	assert_int_equal(a->se.deadline, 2 * MS);
	fair_enqueue(x.sched, a->rq, a, false, true);
	assert_int_equal(a->se.vruntime, 40 * MS);
	assert_int_equal(a->se.deadline, 42 * MS);
	fixture_free(&x);
}

/* w doubles or so (1024 to 2501, nice -4): V - v and d - V shrink by 1024 / 2501. */
static void test_reweight(void **state)
{
	struct task *a;
	struct fixture x;
	u64 v;

	(void)state;
	setup(&x, BARE "  place.reweight_lag: on\n");
	a = waits(&x, 0, 16 * MS, 25 * MS);
	waits(&x, 0, 24 * MS, 27 * MS);
	v = eevdf_average(queue(&x));
	assert_int_equal(v, 20 * MS);
	eevdf_set_weight(x.sched, &a->se, 2501);
	assert_int_equal(a->se.vruntime, v - 4 * MS * 1024 / 2501);
	assert_int_equal(a->se.deadline, v + 5 * MS * 1024 / 2501);
	fixture_free(&x);
}

/* Two hogs, ticks every 4 ms: each runs to the first tick behind its slice of 3 ms. */
static void test_deadline_moves(void **state)
{
	struct task_attr attr = {.comm = "hog"};
	struct sched_totals totals;
	struct fixture x;
	struct task *t;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 1, 1);
	fixture_kernel(&x, BARE "  pick.run_to_parity: on\n  place.lag: on\n");
	fixture_start(&x, &hog_client, 1);
	t = sched_spawn(x.sched, &attr, 0);
	sched_spawn(x.sched, &attr, 0);
	while (engine_step(&x.engine, 402 * MS))
		;
	sched_totals(x.sched, &totals);
	assert_in_range(totals.switches, 99, 103);
	/* every switch but the first, from idle; one may have met nobody who was owed
	 * more */
	assert_in_range(totals.decisions[DEC_PREEMPT_SLICE_END], totals.switches - 1,
			totals.switches);
	assert_in_range(t->se.deadline - t->se.vruntime, 1, 3 * MS);
	fixture_free(&x);
}

/*
 * core.zero_average: threads of a core are compared from V, which no switch moves: v = 10
 * and 30 ms, and 30 alone would be far from it while the first one is in neither place.
 */
static void test_zero_follows_average(void **state)
{
	struct task *a, *b;
	struct fixture x;
	struct cfs_rq *q;

	(void)state;
	setup(&x, BARE "  core.zero_average: on\n");
	q = queue(&x);
	a = waits(&x, 0, 10 * MS, 13 * MS);
	b = waits(&x, 0, 30 * MS, 33 * MS);
	assert_int_equal(eevdf_follow_average(x.sched, q), 20 * MS);
	assert_int_equal(q->min_vruntime, 20 * MS);
	eevdf_set_entity(x.sched, &a->se);
	assert_int_equal(q->min_vruntime, 20 * MS);
	assert_int_equal(eevdf_average(q), 20 * MS);
	eevdf_put_entity(x.sched, &a->se);
	eevdf_set_entity(x.sched, &b->se);
	assert_int_equal(q->min_vruntime, 20 * MS);
	/* the tick brings it to where V has got to */
	b->se.vruntime += 4 * MS;
	cpu_rq(x.sched, 1)->curr = b;
	eevdf_tick(x.sched, cpu_rq(x.sched, 1));
	cpu_rq(x.sched, 1)->curr = NULL;
	assert_int_equal(q->min_vruntime, 22 * MS);
	fixture_free(&x);

	setup(&x, BARE); /* the least, and never back */
	q = queue(&x);
	waits(&x, 0, 2010 * MS, 2013 * MS);
	waits(&x, 0, 2030 * MS, 2033 * MS);
	assert_int_equal(eevdf_follow_average(x.sched, q), 2020 * MS);
	eevdf_update_zero(x.sched, q);
	assert_int_equal(q->min_vruntime, 2010 * MS);
	fixture_free(&x);
}

/* Who owes time and sleeps stays queued; a wake-up finds it there, or it leaves later. */
static void test_delayed_dequeue(void **state)
{
	struct task *a, *b;
	struct failure f;
	struct fixture x;
	struct rq *rq;

	(void)state;
	setup(&x,
	      BARE "  dequeue.delay: on\n  dequeue.delay_zero: on\n  place.lag: on\n");
	rq = cpu_rq(x.sched, 1);
	a = waits(&x, 0, 10 * MS, 13 * MS);
	b = waits(&x, 0, 14 * MS, 17 * MS);
	fair_dequeue(x.sched, rq, b, true);
	assert_int_equal(b->state, TASK_DELAYED);
	assert_true(b->se.on_rq);
	assert_int_equal(rq->nr_running, 2);
	assert_int_equal(rq->cfs.h_nr, 1);
	eevdf_wake_delayed(x.sched, b);
	assert_int_equal(b->se.vruntime, 14 * MS);
	assert_int_equal(rq->cfs.h_nr, 2);
	/* again; the other one catches up, by 12 ms: V = 18, and it is its turn to leave
	 */
	fair_dequeue(x.sched, rq, b, true);
	eevdf_remove(&rq->cfs, &a->se);
	a->se.vruntime = 22 * MS;
	a->se.deadline = 25 * MS;
	eevdf_insert(&rq->cfs, &a->se);
	assert_ptr_equal(x.sched->ops.fair.peek(x.sched, rq), a);
	assert_int_equal(b->state, TASK_SLEEPING);
	assert_int_equal(b->se.vlag,
			 0); /* the 4 ms that it is owed by now are forgotten */
	assert_int_equal(rq->nr_running, 1);
	assert_int_equal(eevdf_check_queue(x.sched, &rq->cfs, &f), 0);
	fixture_free(&x);
}

/* The recount notices a sum and a subtree that are wrong. */
static void test_recount_notices(void **state)
{
	struct fixture x;
	struct failure f;
	struct task *a;

	(void)state;
	setup(&x, BARE);
	a = waits(&x, 0, 10 * MS, 13 * MS);
	assert_int_equal(eevdf_check_queue(x.sched, queue(&x), &f), 0);
	queue(&x)->key_sum++;
	assert_int_equal(eevdf_check_queue(x.sched, queue(&x), &f), -1);
	assert_non_null(strstr(f.what, "sum of virtual times"));
	queue(&x)->key_sum--;
	a->se.min_vruntime--;
	assert_int_equal(eevdf_check_queue(x.sched, queue(&x), &f), -1);
	assert_non_null(strstr(f.what, "least vruntime of a subtree"));
	a->se.min_vruntime++;
	a->se.min_slice++;
	assert_int_equal(eevdf_check_queue(x.sched, queue(&x), &f), -1);
	a->se.min_slice--;
	fixture_free(&x);
}

static void play(struct fixture *x, u64 until)
{
	struct failure f;

	while (engine_step(&x->engine, until))
		if (sched_check_touched(x->sched, &f))
			fail_msg("%s", f.what);
}

/* CPU 1: two hogs, in a group below a group; the first asks for slices by and by. */
static struct task *two_hogs(struct fixture *x, const char *options,
			     struct task_group **inner, struct task_group **outer)
{
	struct task_attr attr = {.comm = "t"};
	struct task *first;

	setup(x, options);
	*outer = sched_group_new(x->sched, NULL, "outer", 1024);
	*inner = sched_group_new(x->sched, *outer, "inner", 1024);
	attr.tg = *inner;
	attr.cpus = cpumask_new(&x->arena, x->machine.ncpu);
	cpumask_set((struct cpumask *)(uintptr_t)attr.cpus, 1);
	first = sched_spawn(x->sched, &attr, 1);
	sched_spawn(x->sched, &attr, 1);
	play(x, 10 * MS);
	return first;
}

/*
 * The deadline that it has stays, the next one is a new slice away; groups ask for the
 * shortest slice below them; 0 is the base slice again; a slice is no share.
 */
static void test_own_slice(void **state)
{
	struct task_group *inner, *outer;
	u64 deadline, before;
	struct fixture x;
	struct task *t;

	(void)state;
	t = two_hogs(&x, BARE "  slice.custom: on\n  slice.group_min: on\n", &inner,
		     &outer);
	assert_int_equal(task_slice(t), 0);
	deadline = t->se.deadline;
	sched_set_slice(x.sched, t, MS);
	assert_int_equal(task_slice(t), MS);
	assert_int_equal(t->se.deadline, deadline);
	assert_int_equal(inner->se[1]->slice, MS);
	assert_int_equal(outer->se[1]->slice, MS);
	before = task_cpu_time(x.sched, t);
	play(&x, 410 * MS);
	assert_true((s64)(t->se.deadline - t->se.vruntime) <= (s64)MS);
	assert_in_range(task_cpu_time(x.sched, t) - before, 194 * MS, 206 * MS);
	sched_set_slice(x.sched, t, 10 * MS); /* longer than that of the other */
	assert_int_equal(inner->se[1]->slice, 3 * MS);
	sched_set_slice(x.sched, t, 1);
	assert_int_equal(task_slice(t), SLICE_LEAST);
	sched_set_slice(x.sched, t, UINT64_MAX);
	assert_int_equal(task_slice(t), SLICE_MOST);
	sched_set_slice(x.sched, t, 0);
	assert_int_equal(task_slice(t), 0);
	assert_int_equal(t->se.slice, 3 * MS);
	fixture_free(&x);

	/* before 6.12 nobody heeds it */
	t = two_hogs(&x, BARE, &inner, &outer);
	sched_set_slice(x.sched, t, MS);
	assert_int_equal(task_slice(t), 0);
	assert_int_equal(t->se.slice, 3 * MS);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eligible),
		cmocka_unit_test(test_earliest_eligible),
		cmocka_unit_test(test_lag_is_kept),
		cmocka_unit_test(test_lag_limit),
		cmocka_unit_test(test_rel_deadline),
		cmocka_unit_test(test_reweight),
		cmocka_unit_test(test_deadline_moves),
		cmocka_unit_test(test_zero_follows_average),
		cmocka_unit_test(test_delayed_dequeue),
		cmocka_unit_test(test_recount_notices),
		cmocka_unit_test(test_own_slice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
