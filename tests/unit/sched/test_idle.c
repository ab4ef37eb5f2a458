/*
 * Idle governors on sequences that were worked out by hand from their rules, and what a
 * CPU does with the answer: tick kept or stopped, polling, timers of its tasks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options_fn.h"
#include "sched_fixture.h"

#define US   NS_PER_US
#define MS   NS_PER_MS
#define TICK (4 * MS)

static struct idle_state states[] = {
	{.name = "POLL", .exit = 0, .residency = 0},
	{.name = "C1", .exit = 2 * US, .residency = 2 * US},
	{.name = "C1E", .exit = 10 * US, .residency = 20 * US},
	{.name = "C6", .exit = 133 * US, .residency = 600 * US},
};

static struct teo_bin bins[ARRAY_SIZE(states)];

/* A CPU that has learnt nothing, whose tick is 3 ms away and whose timer is `timer` away.
 */
static struct idle_gov fresh(u64 timer)
{
	struct idle_gov g = {.state = states, .nstate = ARRAY_SIZE(states), .tick = TICK};

	memset(bins, 0, sizeof(bins));
	g.teo.bin = bins;
	for (u32 i = 0; i < MENU_BUCKETS; i++)
		g.menu.factor[i] = MENU_UNITY;
	for (u32 i = 0; i < MENU_INTERVALS; i++)
		g.menu.interval[i] = 4000000; /* longer than any prediction */
	g.next_timer = timer;
	g.next_event = min_u64(timer, 3 * MS);
	return g;
}

static u32 ask(governor_fn *fn, struct idle_gov *g, bool *stop)
{
	g->chosen = fn(g, stop);
	return g->chosen;
}

static void ended(struct idle_gov *g, enum idle_end end, u64 residency)
{
	g->end = end;
	g->residency = residency;
}

static void test_typical(void **state)
{
	const u32 same[MENU_INTERVALS] = {100, 110, 90, 100, 105, 95, 100, 100};
	const u32 two_long[MENU_INTERVALS] = {300, 310, 9000, 290, 300, 305, 20000, 295};
	const u32 three_long[MENU_INTERVALS] = {300, 310,  9000,  290,
						300, 9500, 20000, 295};
	const u32 wild[MENU_INTERVALS] = {10, 500, 90, 2000, 40, 900, 5000, 300};

	(void)state;
	assert_int_equal(menu_typical(same, 5000), 100);
	/* the shortest one bounds nothing if the timer comes first */
	assert_int_equal(menu_typical(same, 90), UINT32_MAX);
	assert_int_equal(menu_typical(same, 91), 100);
	/* without the two longest: (300+310+290+300+305+295)/6 */
	assert_int_equal(menu_typical(two_long, 5000), 300);
	/* five are too few to drop more */
	assert_int_equal(menu_typical(three_long, 5000), UINT32_MAX);
	assert_int_equal(menu_typical(wild, 5000), UINT32_MAX);
}

static void test_menu_timer_bounds(void **state)
{
	struct idle_gov g;
	bool stop;

	(void)state;
	g = fresh(50 * MS);
	assert_int_equal(ask(governor_menu, &g, &stop), 3);
	assert_true(stop); /* 50 ms are more than a tick */
	g = fresh(700 * US);
	assert_int_equal(ask(governor_menu, &g, &stop), 3);
	assert_false(stop);
	g = fresh(599 * US);
	assert_int_equal(ask(governor_menu, &g, &stop), 2);
	g = fresh(19 * US);
	assert_int_equal(ask(governor_menu, &g, &stop), 1);
	/* less than the first state that sleeps is worth: it polls, and keeps the tick */
	g = fresh(US);
	assert_int_equal(ask(governor_menu, &g, &stop), 0);
	assert_false(stop);
}

/* 5 ms to the timer, woken after 1 ms: bucket 3, 8192 - 1024 + 1024 * (1 - 0.133) / 5. */
static void test_menu_factor(void **state)
{
	struct idle_gov g = fresh(5 * MS);
	bool stop;

	(void)state;
	assert_int_equal(ask(governor_menu, &g, &stop), 3);
	assert_int_equal(g.menu.bucket, 3);
	ended(&g, IDLE_END_WOKEN, MS);
	ask(governor_menu, &g, &stop);
	assert_int_equal(g.menu.factor[3], 8192 - 1024 + 1024 * (1000 - 133) / 5000);
	assert_int_equal(g.menu.interval[0], 867);
	/* the timer was right: factor -= factor / 8, += 1024 */
	ended(&g, IDLE_END_WOKEN, 6 * MS);
	ask(governor_menu, &g, &stop);
	assert_int_equal(g.menu.factor[3], 7345 - 7345 / 8 + 1024);
	/* shorter than twice the exit latency: half of it */
	ended(&g, IDLE_END_WOKEN, 200 * US);
	ask(governor_menu, &g, &stop);
	assert_int_equal(g.menu.interval[2], 100);
	/* the tick was kept in vain: 45 ms, at most the timer */
	ended(&g, IDLE_END_TICK, 3 * MS);
	ask(governor_menu, &g, &stop);
	assert_int_equal(g.menu.interval[3], 5000);
	/* a waiting device has buckets of its own, and asks for short exits: 5 ms / 21 */
	g.nr_iowait = 2;
	assert_int_equal(ask(governor_menu, &g, &stop), 3);
	assert_int_equal(g.menu.bucket, 9);
	g.nr_iowait = 4; /* 5 ms / 41 = 121 us */
	assert_int_equal(ask(governor_menu, &g, &stop), 2);
}

/* Wake-ups every 100 us, whatever the timer says. */
static void test_menu_repeats(void **state)
{
	struct idle_gov g = fresh(500 * MS);
	bool stop;

	(void)state;
	assert_int_equal(ask(governor_menu, &g, &stop), 3);
	for (u32 i = 0; i < MENU_INTERVALS; i++) {
		u64 exit = g.state[g.chosen].exit;

		ended(&g, IDLE_END_WOKEN, max_u64(100 * US + exit, 2 * exit + 1));
		ask(governor_menu, &g, &stop);
	}
	assert_int_equal(g.chosen, 2);
	assert_false(stop);
	/* with the tick stopped nothing would end a mistake: the timer decides */
	g.tick_stopped = true;
	g.next_event = g.next_timer;
	assert_int_equal(ask(governor_menu, &g, &stop), 3);
}

static void test_menu_poll_for_io(void **state)
{
	struct idle_gov g = fresh(15 * US);
	bool stop;

	(void)state;
	g.nr_iowait = 1; /* 15 us / 11 is less than C1 takes to leave */
	assert_int_equal(ask(governor_menu, &g, &stop), 0);
	assert_false(stop);
	g.nr_iowait = 0;
	assert_int_equal(ask(governor_menu, &g, &stop), 1);
}

static void test_menu_kept_tick(void **state)
{
	struct idle_gov g = fresh(2 * MS);
	bool stop;

	(void)state;
	g.next_event = 100 * US; /* the tick comes before C6 has paid off */
	assert_int_equal(ask(governor_menu, &g, &stop), 2);
	assert_false(stop);
}

/* Five intercepts in C1E's bin outvote the timer; the middle of its bin is 310 us. */
static void test_teo(void **state)
{
	struct idle_gov g = fresh(50 * MS);
	bool stop;

	(void)state;
	assert_int_equal(ask(governor_teo, &g, &stop), 3);
	assert_true(stop);
	ended(&g, IDLE_END_WOKEN, 60 * MS);
	assert_int_equal(ask(governor_teo, &g, &stop), 3);
	assert_int_equal(bins[3].hits, 1024);
	/* 200 us less half of 133: one intercept of 1024 against a hit of 896 */
	ended(&g, IDLE_END_WOKEN, 200 * US);
	assert_int_equal(ask(governor_teo, &g, &stop), 2);
	assert_int_equal(bins[3].hits, 896);
	assert_int_equal(bins[2].intercepts, 1024);
	assert_int_equal(g.teo.total, 1920);
	assert_false(stop);
	/* a tick that was kept for nothing is a hit of the timer's bin */
	ended(&g, IDLE_END_TICK, 3 * MS);
	assert_int_equal(ask(governor_teo, &g, &stop), 3);
	assert_int_equal(bins[3].hits, 896 - 112 + 1024);
	for (u32 i = 0; i < 5; i++) {
		ended(&g, IDLE_END_WOKEN, 200 * US);
		ask(governor_teo, &g, &stop);
	}
	assert_int_equal(bins[2].recent, 6);
	assert_int_equal(g.chosen, 2);
	/* without a tick 310 us are too short to be trusted */
	g.tick_stopped = true;
	assert_int_equal(ask(governor_teo, &g, &stop), 3);
	g.tick_stopped = false;
	g.next_timer = US;
	assert_int_equal(ask(governor_teo, &g, &stop), 0);
}

/* C1 takes 2 us to leave, C1E 10 us: four idle times of more than twice that go deeper.
 */
static void test_ladder(void **state)
{
	struct idle_gov g = fresh(US); /* the timer does not matter */
	bool stop = false;

	(void)state;
	assert_int_equal(ask(governor_ladder, &g, &stop), 1); /* never polls */
	assert_true(stop);
	/* 4 us is not more; at the first state there is no way back */
	ended(&g, IDLE_END_WOKEN, 4 * US);
	assert_int_equal(ask(governor_ladder, &g, &stop), 1);
	/* nothing was known the first time: shorter than the exit, and so a long one */
	for (u32 i = 2; i < 4; i++) {
		ended(&g, IDLE_END_WOKEN, 4 * US + 1);
		assert_int_equal(ask(governor_ladder, &g, &stop), 1);
	}
	ended(&g, IDLE_END_TICK, 4 * US + 1);
	assert_int_equal(ask(governor_ladder, &g, &stop), 2);
	/* 20 us keep it, less leads back at once, and the count begins anew */
	ended(&g, IDLE_END_WOKEN, 20 * US);
	assert_int_equal(ask(governor_ladder, &g, &stop), 2);
	ended(&g, IDLE_END_WOKEN, 20 * US - 1);
	assert_int_equal(ask(governor_ladder, &g, &stop), 1);
	for (u32 i = 1; i < 4; i++) {
		ended(&g, IDLE_END_WOKEN, MS);
		assert_int_equal(ask(governor_ladder, &g, &stop), 1);
	}
	for (u32 i = 0; i < 4; i++) {
		ended(&g, IDLE_END_WOKEN, MS);
		assert_int_equal(ask(governor_ladder, &g, &stop), 2);
	}
	ended(&g, IDLE_END_WOKEN, MS);
	assert_int_equal(ask(governor_ladder, &g, &stop), 3);
	/* the deepest one has nowhere to go */
	ended(&g, IDLE_END_WOKEN, 266 * US);
	assert_int_equal(ask(governor_ladder, &g, &stop), 3);
	ended(&g, IDLE_END_WOKEN, 265 * US);
	assert_int_equal(ask(governor_ladder, &g, &stop), 2);
}

/* Halts of 60 us and more make it poll, longer than 200 us poll less. */
static void test_haltpoll(void **state)
{
	struct idle_gov g = {.state = states, .nstate = 2, .tick = TICK};
	bool stop;

	(void)state;
	g.haltpoll = (struct haltpoll){.most = 200 * US, .start = 50 * US};
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 1);
	assert_true(stop);
	ended(&g, IDLE_END_WOKEN, 300 * US); /* too long to be worth while */
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 1);
	ended(&g, IDLE_END_WOKEN, 10 * US);
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 0);
	assert_false(stop);
	assert_int_equal(g.haltpoll.limit, 50 * US);
	/* found something: polls again; in vain: halts */
	ended(&g, IDLE_END_WOKEN, 20 * US);
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 0);
	ended(&g, IDLE_END_TICK, 20 * US);
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 0);
	ended(&g, IDLE_END_POLL_LIMIT, 50 * US);
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 1);
	assert_true(stop);
	assert_int_equal(g.haltpoll.limit, 50 * US);
	/* shorter than it polls: as it is; then 100, 200, at most 200; then half */
	ended(&g, IDLE_END_WOKEN, 50 * US);
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 0);
	assert_int_equal(g.haltpoll.limit, 50 * US);
	for (u32 i = 0; i < 3; i++) {
		g.chosen = 1;
		ended(&g, IDLE_END_WOKEN, 200 * US);
		ask(governor_haltpoll, &g, &stop);
		assert_int_equal(g.haltpoll.limit, min_u64(100 * US << i, 200 * US));
	}
	g.chosen = 1;
	ended(&g, IDLE_END_WOKEN, 200 * US + 1);
	assert_int_equal(ask(governor_haltpoll, &g, &stop), 0);
	assert_int_equal(g.haltpoll.limit, 100 * US);
	/* down to 0 in time, since a short halt would be needed to begin again */
	for (u32 i = 0; i < 17; i++) {
		g.chosen = 1;
		ended(&g, IDLE_END_WOKEN, MS);
		ask(governor_haltpoll, &g, &stop);
	}
	assert_int_equal(g.haltpoll.limit, 0);
	assert_int_equal(g.chosen, 1);
}

static void test_off(void **state)
{
	struct idle_gov g = fresh(US);
	bool stop;

	(void)state;
	assert_int_equal(ask(governor_off, &g, &stop), 1);
	g.state++;
	g.nstate--;
	assert_int_equal(ask(governor_off, &g, &stop), 0);
}

/* One task on one CPU: runs 1 ms, then sleeps for `nap` without timer slack. */
struct napper {
	u64 nap;
	bool runs;
};

static enum step nap(void *ctx, struct sched *s, struct task *t)
{
	struct napper *n = ctx;

	n->runs = !n->runs;
	task_set_amount(t, MS);
	if (n->runs)
		return STEP_WORK;
	sched_sleep_until(s, t, sched_now(s) + n->nap);
	return STEP_BLOCK;
}

static void start_with(struct fixture *x, struct napper *n, const char *options,
		       struct idle_state *idle, u32 nidle)
{
	struct sched_client client = {.ctx = n, .step = nap};
	struct task_attr attr = {.comm = "nap"};

	fixture_init(x);
	fixture_machine(x, 1, 1, 2, 1);
	x->machine.idle = idle;
	x->machine.nidle = nidle;
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
	for (u32 i = 0; i < MENU_INTERVALS; i++)
		x->sched->rq[0].gov->menu.interval[i] = 4000000;
	sched_spawn(x->sched, &attr, 0);
}

static void start(struct fixture *x, struct napper *n, const char *options)
{
	start_with(x, n, options, states, ARRAY_SIZE(states));
}

/* Until the task has slept for the first time. */
static struct rq *first_nap(struct fixture *x)
{
	struct rq *rq = cpu_rq(x->sched, 0);

	while (!rq->curr)
		assert_true(engine_step(&x->engine, 100 * MS));
	rq->gov->end = IDLE_END_NONE; /* that of the start has no length */
	while (rq->curr)
		assert_true(engine_step(&x->engine, 100 * MS));
	return rq;
}

static void test_cpu_knows_its_timer(void **state)
{
	struct napper n = {.nap = 300 * US};
	struct fixture x;
	struct rq *rq;

	(void)state;
	start(&x, &n, "  timer.slack: 0 ns\n  nohz.retain_tick: on\n");
	rq = first_nap(&x);
	/* what was charged before it slept has passed, or is part of the idle time */
	assert_in_range(rq->gov->next_timer, 250 * US, 300 * US);
	assert_int_equal(rq->gov->chosen, 2);
	assert_int_equal(rq->exit_latency, 10 * US);
	assert_true(engine_pending(&x.engine, x.sched->ev_tick, 0)); /* kept */
	fixture_free(&x);

	n.nap = 50 * MS;
	n.runs = false;
	start(&x, &n, "");
	rq = first_nap(&x);
	assert_int_equal(rq->gov->chosen, 3);
	assert_false(engine_pending(&x.engine, x.sched->ev_tick, 0)); /* stopped */
	assert_true(rq->nohz_idle);
	fixture_free(&x);
}

/* A polling CPU: no IPI, no exit latency, and it stops polling after a while. */
static void test_polling(void **state)
{
	struct napper n = {.nap = 50 * MS};
	struct fixture x;
	struct rq *rq;

	(void)state;
	start(&x, &n, "");
	rq = cpu_rq(x.sched, 1);
	assert_int_equal(x.sched->poll_limit, 20 * US);
	governor_end(x.sched, rq, IDLE_END_WOKEN);
	x.sched->ops.governor = governor_off;
	rq->gov->nstate = 1; /* leaves nothing but the first state ... */
	governor_choose(x.sched, rq);
	assert_false(rq->polling); /* ... which then counts as one that sleeps */
	rq->gov->nstate = ARRAY_SIZE(states);
	x.sched->ops.governor = governor_menu;
	rq->polling = true;
	cpu_kick(x.sched, rq, 0);
	assert_int_equal(engine_when(&x.engine, x.sched->ev_ipi, 1) -
				 max_u64(x.engine.now, cpu_rq(x.sched, 0)->run_from),
			 machine_cost(&x.machine, COST_LINE_LLC));
	governor_poll_over(x.sched, 1);
	assert_false(rq->polling);
	assert_true(rq->gov->chosen > 0);
	fixture_free(&x);
}

/* A machine with one state: haltpoll brings the one that polls, and ends it when due. */
static void test_haltpoll_driver(void **state)
{
	struct napper n = {.nap = 100 * US};
	struct fixture x;
	struct rq *rq;
	u64 began;

	(void)state;
	start_with(&x, &n, "  timer.slack: 0 ns\n  idle.governor: haltpoll\n", &states[1],
		   1);
	rq = cpu_rq(x.sched, 0);
	assert_int_equal(rq->gov->nstate, 2);
	assert_int_equal(rq->gov->state[1].exit, states[1].exit);
	while (!rq->gov->haltpoll.limit)
		assert_true(engine_step(&x.engine, 100 * MS));
	assert_int_equal(rq->gov->haltpoll.limit, 50 * US); /* the halt took 100 us */
	while (!rq->polling)
		assert_true(engine_step(&x.engine, 100 * MS));
	began = x.engine.now;
	assert_int_equal(rq->exit_latency, 0);
	assert_true(engine_pending(&x.engine, x.sched->ev_tick, 0));
	assert_int_equal(engine_when(&x.engine, x.sched->ev_poll, 0), began + 50 * US);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_typical),
		cmocka_unit_test(test_menu_timer_bounds),
		cmocka_unit_test(test_menu_factor),
		cmocka_unit_test(test_menu_repeats),
		cmocka_unit_test(test_menu_poll_for_io),
		cmocka_unit_test(test_menu_kept_tick),
		cmocka_unit_test(test_teo),
		cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_haltpoll),
		cmocka_unit_test(test_haltpoll_driver),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_cpu_knows_its_timer),
		cmocka_unit_test(test_polling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
