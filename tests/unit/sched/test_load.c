/*
 * Load through the levels of groups, against numbers from a model written apart from the
 * code (Python integers, the rules of Linux 6.1's propagation):
 *
 *   D = 46718 + part;  e: entity, q: its queue, o: the group's own queue, w: weight of e
 *   util:      o.avg != e.avg: q.avg += o.avg - e.avg; q.sum += o.avg * D - e.sum,
 *              not below q.avg * 46718; e = (o.avg, o.avg * D).  runnable: the same
 *   load:      joined > 0: r = min(e.sum + joined, D)
 *              joined < 0: r = min(e.sum, o.sum / o.weight), 0 if nothing is queued
 *              r = max(r, e.util_sum / 1024);  a = w * r / D
 *              a != e.avg: q.avg += a - e.avg; q.sum += w * (r - e.sum); e = (a, r)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "internal.h"
#include "sched_fixture.h"

#define PART 300u

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static struct task_group *setup(struct fixture *x, u32 cpus)
{
	static const struct sched_client client = {.step = forever};

	fixture_init(x);
	fixture_machine(x, 1, 1, cpus, 1);
	fixture_kernel(x, "");
	fixture_start(x, &client, 1);
	return sched_group_new(x->sched, NULL, "g", 1024);
}

static void set(struct pelt *p, u64 load_avg, u64 load_sum, u64 util_avg,
		u64 runnable_avg, u32 divider)
{
	*p = (struct pelt){.part = PART,
			   .load_avg = load_avg,
			   .load_sum = load_sum,
			   .util_avg = util_avg,
			   .util_sum = (u32)(util_avg * divider),
			   .runnable_avg = runnable_avg,
			   .runnable_sum = runnable_avg * divider};
}

static void test_propagate(void **state)
{
	static const struct {
		s64 joined;
		u64 own_weight, q_load, q_load_sum, e_load, e_load_sum;
	} row[] = {
		{15000, 2048, 1581, 78180000, 381, 35000},
		{60000, 2048, 1712, 84333216, 512, 47018}, /* up to always */
		{-9000, 2048, 1417, 70500000, 217, 20000}, /* never up */
		{-9000, 0, 1399, 69663392, 199, 18366},	   /* at least what ran */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(row); i++) {
		struct fixture x;
		struct task_group *g = setup(&x, 1);
		struct cfs_rq *own = g->cfs[0], *q = &x.sched->rq[0].cfs;
		struct entity *se = g->se[0];

		set(&own->avg, 900, 900 * 46718, 400, 700, 46718);
		set(&se->avg, 300, 20000, 250, 500, 47000);
		set(&q->avg, 1500, 1500 * 47000, 600, 900, 47000);
		fair_set_weight(se, 512);
		own->weight = row[i].own_weight;
		own->propagate = true;
		own->prop_sum = row[i].joined;
		load_update(x.sched, q, se);
		assert_int_equal(q->avg.util_avg, 750);
		assert_int_equal(q->avg.util_sum, 35257200);
		assert_int_equal(q->avg.runnable_avg, 1100);
		assert_int_equal(q->avg.runnable_sum, 51712600);
		assert_int_equal(se->avg.util_sum, 18807200);
		assert_int_equal(se->avg.runnable_sum, 32912600);
		assert_int_equal(q->avg.load_avg, row[i].q_load);
		assert_int_equal(q->avg.load_sum, row[i].q_load_sum);
		assert_int_equal(se->avg.load_avg, row[i].e_load);
		assert_int_equal(se->avg.load_sum, row[i].e_load_sum);
		assert_false(own->propagate);
		assert_int_equal(own->prop_sum, 0);
		fixture_free(&x);
	}
}

/* What is as the level above has it leaves that level's sums alone. */
static void test_propagate_nothing(void **state)
{
	struct fixture x;
	struct task_group *g = setup(&x, 1);
	struct cfs_rq *own = g->cfs[0], *q = &x.sched->rq[0].cfs;
	struct entity *se = g->se[0];

	(void)state;
	set(&own->avg, 300, 300 * 46718, 250, 500, 46718);
	set(&se->avg, 217, 20000, 250, 500, 46800);
	set(&q->avg, 1500, 1500 * 47000, 600, 900, 47000);
	fair_set_weight(se, 512);
	own->weight = 100; /* mean of 140154: the entity's own sum stays */
	own->propagate = true;
	own->prop_sum = -1;
	load_update(x.sched, q, se);
	assert_int_equal(se->avg.util_sum, 250 * 46800);
	assert_int_equal(se->avg.runnable_sum, 500 * 46800);
	assert_int_equal(q->avg.util_sum, 600 * 47000);
	assert_int_equal(q->avg.load_sum, 1500 * 47000);
	fixture_free(&x);
}

/* load = max(1024, 900); 1024 * 1024 / (3000 - 500 + 1024) = 297 */
static void test_shares(void **state)
{
	struct fixture x;
	struct task_group *g = setup(&x, 2);
	struct cfs_rq *own = g->cfs[0];

	(void)state;
	set(&own->avg, 900, 900 * 46718, 0, 0, 46718);
	own->weight = 1024;
	own->contrib = 500;
	g->load_avg = 3000;
	group_reweight(x.sched, g->se[0]);
	assert_int_equal(g->se[0]->weight, 297);
	/* 1024 * 1 / 3000 is less than the least weight */
	own->weight = 1;
	set(&own->avg, 0, 0, 0, 0, 46718);
	own->contrib = 0;
	group_reweight(x.sched, g->se[0]);
	assert_int_equal(g->se[0]->weight, 2);
	/* alone it has all of it, and a throttled queue keeps what it has */
	g->load_avg = 0;
	own->limit.stopped = 1;
	group_reweight(x.sched, g->se[0]);
	assert_int_equal(g->se[0]->weight, 2);
	own->limit.stopped = 0;
	group_reweight(x.sched, g->se[0]);
	assert_int_equal(g->se[0]->weight, 1024);
	fixture_free(&x);
}

/* 2000 * 600 / 2001 = 599; 599 * 500 / 901 = 332; 300 * 332 / 1001 = 99 */
static void test_h_load(void **state)
{
	struct fixture x;
	struct task_group *g = setup(&x, 1);
	struct task_group *h = sched_group_new(x.sched, g, "h", 1024);
	struct task t = {.tg = h, .se = {.cfs = h->cfs[0]}};

	(void)state;
	x.sched->rq[0].cfs.avg.load_avg = 2000;
	g->se[0]->avg.load_avg = 600;
	g->cfs[0]->avg.load_avg = 900;
	h->se[0]->avg.load_avg = 500;
	h->cfs[0]->avg.load_avg = 1000;
	t.se.avg.load_avg = 300;
	assert_int_equal(task_h_load(x.sched, &t), 99);
	/* once a jiffy: what changes meanwhile is not seen */
	x.sched->rq[0].cfs.avg.load_avg = 4000;
	assert_int_equal(task_h_load(x.sched, &t), 99);
	x.engine.now += x.sched->tick;
	/* 4000 * 600 / 4001 = 599 */
	g->se[0]->avg.load_avg = 1200; /* 1199; 665; 199 */
	assert_int_equal(task_h_load(x.sched, &t), 199);
	fixture_free(&x);
}

/*
 * Half of what is free, 1024 - 400, whatever the load; 1 * 1024 * 1024 / 4097 = 255 where
 * the load is that much greater than the utilisation.
 */
/*
 * What the balancer up to 5.4 compares. A group of small load counts whole, where five
 * times task_h_load() = 1024 * 20 / 5121 = 3 would be 15; and less its sleepers' part.
 */
static void test_runnable(void **state)
{
	struct fixture x;
	struct task_group *g = setup(&x, 1);
	struct task_attr attr = {.comm = "t", .tg = g};
	const struct rq *rq = cpu_rq(x.sched, 0);

	(void)state;
	assert_int_equal(load_runnable(x.sched, rq), 0);
	for (u32 i = 0; i < 5; i++)
		sched_spawn(x.sched, &attr, 0);
	assert_int_equal(g->cfs[0]->weight, 5 * 1024);
	g->cfs[0]->avg.load_avg = 5 * 1024;
	g->se[0]->avg.load_avg = 20;
	assert_int_equal(load_runnable(x.sched, rq), 20);
	/* as much again sleeps */
	g->cfs[0]->avg.load_avg = 10 * 1024;
	assert_int_equal(load_runnable(x.sched, rq), 10);
	/* and one of the root, of its own weight */
	attr = (struct task_attr){.comm = "t", .nice = 5};
	sched_spawn(x.sched, &attr, 0);
	assert_int_equal(load_runnable(x.sched, rq), 10 + 335);
	fixture_free(&x);
}

static void test_new_task(void **state)
{
	struct fixture x;
	struct cfs_rq *cfs;
	struct task t = {0};

	(void)state;
	setup(&x, 1);
	cfs = &x.sched->rq[0].cfs;
	t.se.cfs = cfs;
	fair_set_weight(&t.se, 1024);
	set(&cfs->avg, 4096, 4096 * 46718, 400, 400, 46718);
	load_init_task(x.sched, &t);
	assert_int_equal(t.se.avg.util_avg, 312);
	assert_int_equal(t.se.avg.runnable_avg, 312);
	assert_int_equal(t.se.avg.load_avg, 1024);
	set(&cfs->avg, 4096, 4096 * 46718, 1, 1, 46718);
	load_init_task(x.sched, &t);
	assert_int_equal(t.se.avg.util_avg, 255);
	fixture_free(&x);
}

/*
 * Who sleeps and leaves is taken out at the next update of its queue, from the sums in
 * the period of the queue: 1500 - 300, (1500 - 300) * 47000 - 300 * 18 (D is 47018), ...;
 * and
 * -(500 * 47018 >> 10), rounded down, is handed up: -22959.
 */
static void test_removed(void **state)
{
	struct fixture x;
	struct task_group *g = setup(&x, 1);
	struct cfs_rq *cfs = g->cfs[0];
	struct task t = {.tg = g, .se = {.cfs = cfs, .parent = g->se[0]}};

	(void)state;
	fair_set_weight(&t.se, 1024);
	set(&t.se.avg, 300, 300 * 46718 / 1024, 250, 500, 46718);
	set(&cfs->avg, 1500, 1500 * 47000, 600, 900, 47000);
	x.sched->rq[0].curr = &t; /* not idle: the task stays as old as the queue */
	load_remove(x.sched, &t);
	x.sched->rq[0].curr = NULL;
	assert_int_equal(cfs->avg.load_avg, 1500);
	assert_int_equal(cfs->removed.nr, 1);
	load_update_cfs(x.sched, cfs);
	assert_int_equal(cfs->avg.load_avg, 1200);
	assert_int_equal(cfs->avg.load_sum, 1200 * 47000 - 300 * 18);
	assert_int_equal(cfs->avg.util_avg, 350);
	assert_int_equal(cfs->avg.util_sum, 350 * 47000 - 250 * 18);
	assert_int_equal(cfs->avg.runnable_avg, 400);
	assert_int_equal(cfs->avg.runnable_sum, 400 * 47000 - 500 * 18);
	assert_int_equal(cfs->removed.nr, 0);
	assert_true(cfs->propagate);
	assert_int_equal(cfs->prop_sum, -22959);
	fixture_free(&x);
}

static void some_history(struct stream *r, struct pelt *p, u64 at, u64 weight)
{
	*p = (struct pelt){.last = at >> 10 << 10,
			   .part = (u32)(at >> 10) % PELT_PERIOD,
			   .load_sum = stream_range(r, 0, PELT_MAX),
			   .util_sum = (u32)stream_range(r, 0, PELT_MAX * 1024ull),
			   .runnable_sum = stream_range(r, 0, PELT_MAX * 4096ull)};
	pelt_average(p, weight);
}

/* Which of two levels is out of step. */
enum step_case {
	OLD_QUEUE_0,
	OLD_ENTITY_0,
	OLD_QUEUE_1,
	OLD_ENTITY_1,
	OLD_0,
	PART_0,
	ALL
};

/* Two levels at a tick: as load_update_running() or as load_update() has it. */
struct levels {
	struct pelt queue[2], entity[2];
	u64 sum; /* of the group */
};

static void tick_levels(struct stream r, u32 n, bool running, struct levels *out)
{
	u64 then = NS_PER_SEC + stream_range(&r, 0, NS_PER_SEC),
	    old = then - (5ull << 20);
	u32 odd = (u32)stream_range(&r, 0, ALL);
	struct fixture x;
	struct task_group *g = setup(&x, 1);
	struct cfs_rq *q[2] = {g->cfs[0], &x.sched->rq[0].cfs};
	struct entity t = {.cfs = q[0], .runnable = 1};
	struct entity *e[2] = {&t, g->se[0]};
	struct load_span span = {.from = TIME_NEVER};

	x.engine.now = then + stream_range(&r, 0, 3 * NS_PER_MS);
	fair_set_weight(&t, 1024);
	e[1]->runnable = 3;
	q[0]->propagate = n % 7 == 0;
	q[0]->prop_sum = q[0]->propagate ? 1000 : 0;
	for (u32 i = 0; i < 2; i++) {
		bool both = odd == OLD_0 && i == 0;

		some_history(&r, &q[i]->avg, both || odd == 2 * i ? old : then, 1);
		some_history(&r, &e[i]->avg, both || odd == 2 * i + 1 ? old : then,
			     e[i]->weight);
		e[i]->on_rq = n % 11 != i;
		q[i]->curr = e[i];
		q[i]->weight = 3000;
		q[i]->h_nr = 3;
	}
	if (odd == PART_0) /* its clock has stood still for a while */
		q[0]->avg.part = t.avg.part = (t.avg.part + 77) % PELT_PERIOD;
	for (u32 i = 0; i < 2; i++) {
		if (running)
			load_update_running(x.sched, q[i], e[i], &span);
		else
			load_update(x.sched, q[i], e[i]);
		out->queue[i] = q[i]->avg;
		out->entity[i] = e[i]->avg;
		q[i]->curr = NULL;
	}
	out->sum = g->load_avg;
	fixture_free(&x);
}

/* In step or not, the same bits. */
static void test_update_running(void **state)
{
	struct stream root = stream_root(31);

	(void)state;
	for (u32 n = 0; n < 3000; n++) {
		struct levels want, got;

		tick_levels(stream_child(&root, n), n, false, &want);
		tick_levels(stream_child(&root, n), n, true, &got);
		assert_memory_equal(&want, &got, sizeof(want));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_propagate),
		cmocka_unit_test(test_propagate_nothing),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_h_load),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_runnable),
		cmocka_unit_test(test_new_task),
		cmocka_unit_test(test_update_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
