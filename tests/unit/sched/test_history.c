/*
 * balance.load_bias: the loads of the last ticks, by hand, and which of them a domain
 * looks at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/history.h"
#include "sched_fixture.h"

static void expect(const struct history *h, u64 a, u64 b, u64 c, u64 d, u64 e)
{
	const u64 want[HISTORIES] = {a, b, c, d, e};

	for (u32 i = 0; i < HISTORIES; i++)
		assert_int_equal(h->at[i], want[i]);
}

static void test_ticks(void **state)
{
	struct history h = {{0}, 0};

	(void)state;
	/* rises, rounded up: (0 * 3 + 1024 + 3) / 4 = 256 */
	history_tick(&h, 1024, 1);
	expect(&h, 1024, 512, 256, 128, 64);
	history_tick(&h, 1024, 1);
	expect(&h, 1024, 768, 448, 240, 124);
	/* and falls: 448 * 3 / 4 = 336 */
	history_tick(&h, 0, 1);
	expect(&h, 0, 384, 336, 210, 116);
	/* idle for three ticks that nobody saw, then a fourth: 384 / 8 / 2 */
	history_tick(&h, 0, 4);
	expect(&h, 0, 24, 105, 122, 88);
	/* for ever */
	history_tick(&h, 0, 1000);
	expect(&h, 0, 0, 0, 0, 0);
}

/* What it had while nobody looked is where it was going. */
static void test_steady(void **state)
{
	struct history h = {{1024, 0, 0, 0, 0}, 0};

	(void)state;
	history_tick(&h, 1024, 1000);
	expect(&h, 1024, 1024, 1024, 1024, 1024);
}

static void test_index(void **state)
{
	static const struct {
		u32 flags, busy, idle;
	} v[] = {{SD_SHARE_CAPACITY | SD_SHARE_CACHE, 0, 0},
		 {SD_SHARE_CACHE, 2, 0},
		 {0, 2, 1},
		 {SD_NUMA, 3, 2}};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct domain sd = {.flags = v[i].flags};

		assert_int_equal(history_index(&sd, CPU_IS_BUSY), v[i].busy);
		assert_int_equal(history_index(&sd, CPU_IS_IDLE), v[i].idle);
		assert_int_equal(history_index(&sd, CPU_IS_NEWLY_IDLE), 0);
	}
}

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 1000 * NS_PER_SEC);
	return STEP_WORK;
}

/*
 * CPU 1 has run a hog for 4 ticks when CPU 0 looks: at the level that shares a cache and
 * with work of its own it takes the load of two ticks' mean, the lower, and of itself
 * the higher.
 */
static void test_loads(void **state)
{
	const struct sched_client client = {.step = forever};
	struct task_attr attr = {.comm = "hog"};
	struct env env = {.idle = CPU_IS_BUSY};
	struct fixture x;
	struct rq *rq;
	u64 now;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, "  balance: classic\n  balance.load_bias: on\n  hz: 1000\n");
	fixture_start(&x, &client, 1);
	rq = sched_spawn(x.sched, &attr, 1)->rq;
	while (engine_step(&x.engine, 4 * NS_PER_MS + x.sched->tick_phase))
		;
	env.sd = rq->sd;
	now = load_runnable(x.sched, rq);
	assert_in_range(x.sched->history[rq->cpu].at[1], now * 8 / 10, now - 1);
	assert_int_equal(history_load(x.sched, &env, rq, false),
			 x.sched->history[rq->cpu].at[1]);
	assert_int_equal(history_load(x.sched, &env, rq, true), now);
	env.idle = CPU_IS_NEWLY_IDLE;
	assert_int_equal(history_load(x.sched, &env, rq, false), now);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
