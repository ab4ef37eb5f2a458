/* The one loop: total order on data, moves, sinks that only look. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "engine/engine.h"

struct log {
	struct engine *e;
	u64 hash;
	u64 last;
	u32 n, cls_last;
};

struct tagged {
	struct log *log;
	u32 cls;
};

static void handler(void *ctx, u32 entity)
{
	struct tagged *t = ctx;
	struct log *l = t->log;

	/* time never goes back; at one instant classes come in order */
	assert_true(l->e->now >= l->last);
	l->last = l->e->now;
	l->hash = (l->hash ^ l->e->now ^ (u64)t->cls << 40 ^ (u64)entity << 48) *
		  0x9e3779b97f4a7c15ull;
	l->n++;
	/* some events set others, at the same instant or later */
	if (l->n % 3 == 0)
		engine_set(l->e, 1 - t->cls, entity, l->e->now + l->n % 5);
}

static u64 run(bool backwards)
{
	struct stream s = stream_root(5);
	struct arena a;
	struct engine e;
	struct log log = {.e = &e};
	struct tagged t[2] = {{&log, 0}, {&log, 1}};
	u64 when[2][50];

	arena_init(&a);
	engine_init(&e, &a);
	for (u32 c = 0; c < 2; c++) {
		engine_class_add(&e, 50, handler, &t[c]);
		for (u32 i = 0; i < 50; i++)
			when[c][i] = stream_range(&s, 0, 30);
	}
	/* the order in which events were set must not show */
	for (u32 k = 0; k < 100; k++) {
		u32 j = backwards ? 99 - k : k;

		engine_set(&e, j / 50, j % 50, when[j / 50][j % 50]);
	}
	while (engine_step(&e, 1000))
		;
	assert_int_equal(e.now, 1000);
	assert_int_equal(e.events, log.n);
	arena_free(&a);
	return log.hash;
}

static void test_order_is_data(void **state)
{
	(void)state;
	assert_int_equal(run(false), run(true));
}

static void note(void *ctx, u32 entity)
{
	u32 *out = ctx;

	out[out[0]++ + 1] = entity;
}

static void test_ties(void **state)
{
	struct arena a;
	struct engine e;
	u32 seen[8] = {0};
	u32 c;

	(void)state;
	arena_init(&a);
	engine_init(&e, &a);
	c = engine_class_add(&e, 4, note, seen);
	engine_set(&e, c, 3, 10);
	engine_set(&e, c, 1, 10);
	engine_set(&e, c, 0, 20);
	engine_set(&e, c, 0, 10); /* moved */
	engine_set(&e, c, 2, 5);
	engine_cancel(&e, c, 2);
	assert_false(engine_pending(&e, c, 2));
	assert_int_equal(engine_when(&e, c, 3), 10);
	while (engine_step(&e, 100))
		;
	assert_int_equal(seen[0], 3);
	assert_int_equal(seen[1], 0);
	assert_int_equal(seen[2], 1);
	assert_int_equal(seen[3], 3);
	arena_free(&a);
}

static void test_digest_sink(void **state)
{
	u64 codes[2] = {sink_code("switch"), 0};
	struct sink_digest a, b;
	struct sim_event ev = {.time = 5, .kind = 0, .place = 1, .who = 2, .other = 3};
	struct sim_event silent = {.time = 9, .kind = 1};

	(void)state;
	sink_digest_init(&a, codes);
	sink_digest_init(&b, codes);
	a.sink.event(&a.sink, &ev);
	a.sink.event(&a.sink, &silent); /* kinds without a code are not hashed */
	b.sink.event(&b.sink, &ev);
	assert_int_equal(digest_value(&a.digest), digest_value(&b.digest));
	ev.who = 4;
	b.sink.event(&b.sink, &ev);
	assert_int_not_equal(digest_value(&a.digest), digest_value(&b.digest));
	/* the name counts, not the number */
	assert_int_not_equal(sink_code("switch"), sink_code("wakeup"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_is_data),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_digest_sink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
