/*
 * The load of empty groups, which fade (load/blocked.c), against the direct computation:
 * the same queues under a scheduler where none fades since one group has a limit. Looks
 * at random times, two levels of groups, somebody who asks now and then; all sums and
 * averages are to be equal to the bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "internal.h"
#include "sched_fixture.h"

#define GROUPS	  4u /* a chain of two, two single ones */
#define PERIOD_NS (1024ull * 1024)

struct side {
	struct fixture x;
	struct task_group *g[GROUPS];
};

static enum step never(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	(void)t;
	return STEP_EXIT;
}

static void setup(struct side *d, bool direct)
{
	static const struct sched_client client = {.step = never};

	fixture_init(&d->x);
	fixture_machine(&d->x, 1, 1, 2, 1);
	fixture_kernel(&d->x, "");
	fixture_start(&d->x, &client, 1);
	for (u32 i = 0; i < GROUPS; i++)
		d->g[i] = sched_group_new(d->x.sched, i == 1 ? d->g[0] : NULL, "g",
					  512 + 100 * i);
	d->x.sched->limits = direct;
}

static struct pelt some_history(struct stream *r, u64 now, u64 weight)
{
	struct pelt p = {.last = now >> 10 << 10, .part = (u32)(now >> 10) % PELT_PERIOD};

	p.load_sum = stream_range(r, 0, PELT_MAX);
	p.util_sum = (u32)stream_range(r, 0, PELT_MAX * 1024ull);
	p.runnable_sum = stream_range(r, 0, PELT_MAX * 4096ull);
	pelt_average(&p, weight);
	return p;
}

/* A group's queue and entity have been used, and are empty now. */
static void use(struct side *d, u32 i, const struct pelt *q, const struct pelt *p)
{
	struct cfs_rq *own = d->g[i]->cfs[0];

	load_update_cfs(d->x.sched, own);
	own->avg = *q;
	d->g[i]->se[0]->avg = *p;
	group_publish(d->x.sched, own);
}

static void assert_same(const struct pelt *a, const struct pelt *b)
{
	assert_int_equal(a->last, b->last);
	assert_int_equal(a->part, b->part);
	assert_int_equal(a->load_sum, b->load_sum);
	assert_int_equal(a->runnable_sum, b->runnable_sum);
	assert_int_equal(a->util_sum, b->util_sum);
	assert_int_equal(a->load_avg, b->load_avg);
	assert_int_equal(a->runnable_avg, b->runnable_avg);
	assert_int_equal(a->util_avg, b->util_avg);
}

/* What every CPU may read at any time. */
static void assert_looks_same(struct side *fading, struct side *direct)
{
	for (u32 i = 0; i < GROUPS; i++) {
		const struct cfs_rq *a = fading->g[i]->cfs[0], *b = direct->g[i]->cfs[0];

		assert_int_equal(a->avg.load_sum, b->avg.load_sum);
		assert_int_equal(a->avg.load_avg, b->avg.load_avg);
		assert_int_equal(a->contrib, b->contrib);
		assert_int_equal(fading->g[i]->load_avg, direct->g[i]->load_avg);
	}
}

static void ask(struct side *d, u32 i)
{
	struct sched *s = d->x.sched;
	struct entity *se = d->g[i]->se[0];

	load_update_cfs(s, d->g[i]->cfs[0]);
	load_update(s, se->cfs, se);
}

static void look(struct side *d, u64 now)
{
	d->x.engine.now = now;
	load_update_rq(d->x.sched, cpu_rq(d->x.sched, 0));
}

/* Mostly about a tick; sometimes so long that the table of y^n ends, or 2016 periods. */
static u64 gap(struct stream *r)
{
	u64 kind = stream_range(r, 0, 99);

	if (kind == 0)
		return stream_range(r, 0, 3000 * PERIOD_NS);
	if (kind < 5)
		return stream_range(r, 0, 40 * PERIOD_NS);
	return stream_range(r, 0, 3 * PERIOD_NS);
}

/* Rarely asked: so rarely that the log runs full in between. */
static void compare(u64 seed, u64 one_in)
{
	struct stream r = stream_root(seed);
	struct side fading, direct;
	u64 now = 5 * NS_PER_SEC;
	u32 faded = 0;

	setup(&fading, false);
	setup(&direct, true);
	for (u32 n = 0; n < 5000; n++) {
		u32 i = (u32)stream_range(&r, 0, GROUPS - 1);

		now += gap(&r);
		look(&fading, now);
		look(&direct, now);
		assert_looks_same(&fading, &direct);
		if (stream_range(&r, 1, one_in) > 1)
			continue;
		faded += fading.g[i]->cfs[0]->fades;
		now += stream_range(&r, 0, PERIOD_NS);
		fading.x.engine.now = direct.x.engine.now = now;
		ask(&fading, i);
		ask(&direct, i);
		assert_same(&fading.g[i]->cfs[0]->avg, &direct.g[i]->cfs[0]->avg);
		assert_same(&fading.g[i]->se[0]->avg, &direct.g[i]->se[0]->avg);
		if (stream_u64(&r) & 1) {
			u64 weight = fading.g[i]->se[0]->weight;
			struct pelt q = some_history(&r, now, 1);
			struct pelt p = some_history(&r, now, weight);

			use(&fading, i, &q, &p);
			use(&direct, i, &q, &p);
		}
	}
	assert_true(faded > 0);
	fixture_free(&fading.x);
	fixture_free(&direct.x);
}

static void test_asked_often(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 5; seed++)
		compare(seed, 4);
}

static void test_asked_rarely(void **state)
{
	(void)state;
	for (u64 seed = 11; seed <= 15; seed++)
		compare(seed, 200);
}

/* Who slept there and wakes up elsewhere takes what the queue has as of the last look. */
static void test_leaves(void **state)
{
	struct stream r = stream_root(21);

	(void)state;
	for (u32 n = 0; n < 100; n++) {
		struct side side[2];
		struct task t[2];
		struct pelt q = some_history(&r, 5 * NS_PER_SEC, 1);
		struct pelt p = some_history(&r, 5 * NS_PER_SEC, 512);
		struct pelt own = some_history(&r, 5 * NS_PER_SEC, 1024);
		u64 end = 5 * NS_PER_SEC + stream_range(&r, 1, 20) * NS_PER_MS;

		for (u32 k = 0; k < 2; k++) {
			struct side *d = &side[k];

			setup(d, k == 1);
			d->x.engine.now = 5 * NS_PER_SEC;
			use(d, 2, &q, &p);
			t[k] = (struct task){.tg = d->g[2],
					     .se = {.cfs = d->g[2]->cfs[0], .avg = own}};
			fair_set_weight(&t[k].se, 1024);
			for (u64 at = 5 * NS_PER_SEC; at < end; at += 700000)
				look(d, at);
			d->x.engine.now = end;
			load_remove(d->x.sched, &t[k]);
			look(d, end + NS_PER_MS);
		}
		assert_same(&t[0].se.avg, &t[1].se.avg);
		assert_same(&side[0].g[2]->cfs[0]->avg, &side[1].g[2]->cfs[0]->avg);
		assert_same(&side[0].g[2]->se[0]->avg, &side[1].g[2]->se[0]->avg);
		assert_looks_same(&side[0], &side[1]);
		fixture_free(&side[0].x);
		fixture_free(&side[1].x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asked_often),
		cmocka_unit_test(test_asked_rarely),
		cmocka_unit_test(test_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
