/*
 * Stoppers: what a task sees that asks to be elsewhere, and a CPU whose task is pushed
 * away; who waits meanwhile; and that there are none until one is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched_fixture.h"
#include "stop.h"

#define MS NS_PER_MS
#define US NS_PER_US

/* Works for a ms, asks to be on CPU 1, goes on for ever; or just sleeps and wakes up. */
struct program {
	bool worked, asked;
	u64 until; /* sleeps until then first; 0 = does not */
};

static enum step act(void *ctx, struct sched *s, struct task *t)
{
	struct program *p = task_program(t);
	struct cpumask *mask = ctx;
	struct failure f;

	if (p->until) {
		sched_sleep_until(s, t, p->until);
		p->until = 0;
		p->worked = p->asked = true;
		return STEP_BLOCK;
	}
	if (!p->worked) {
		p->worked = true;
		task_set_amount(t, MS);
		return STEP_WORK;
	}
	if (!p->asked) {
		p->asked = true;
		assert_int_equal(sched_set_affinity(s, t, mask, &f), 0);
		return STEP_AGAIN;
	}
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

/* What happened, in order. */
struct diary {
	struct sink sink;
	struct sim_event ev[64];
	u32 n;
};

static void note(struct sink *sink, const struct sim_event *ev)
{
	struct diary *d = (void *)((char *)sink - offsetof(struct diary, sink));

	if (d->n < ARRAY_SIZE(d->ev))
		d->ev[d->n++] = *ev;
}

struct scene {
	struct fixture x;
	struct diary diary;
	struct sched_client client;
};

static void setup(struct scene *c, u32 cores, u32 threads, const char *options)
{
	struct cpumask *one;

	memset(c, 0, sizeof(*c));
	fixture_init(&c->x);
	fixture_machine(&c->x, 1, 1, cores, threads);
	c->x.machine.cost[COST_SWITCH].value = 100 * US;
	fixture_kernel(&c->x, options);
	one = cpumask_new(&c->x.arena, cores * threads);
	cpumask_set(one, 1);
	c->client = (struct sched_client){.ctx = one, .step = act};
	fixture_start(&c->x, &c->client, 1);
	c->diary.sink.event = note;
	engine_sink_add(&c->x.engine, &c->diary.sink);
}

static struct task *spawn(struct scene *c, struct task_group *g, u32 prio, u64 until)
{
	struct program *p = arena_new(&c->x.arena, struct program);
	struct task_attr attr = {.comm = "t",
				 .tg = g,
				 .policy = prio ? POLICY_FIFO : POLICY_OTHER,
				 .rt_priority = prio,
				 .program = p};

	p->until = until;
	return sched_spawn(c->x.sched, &attr, 0);
}

static void play(struct scene *c, u64 until)
{
	struct failure f;

	while (engine_step(&c->x.engine, until))
		if (sched_check(c->x.sched, &f))
			fail_msg("%s", f.what);
}

static u64 counted(const struct scene *c, enum decision d)
{
	return c->x.sched->totals.decisions[d];
}

/* The first event of a kind at or after `from`; *from is behind it then. */
static const struct sim_event *next(const struct scene *c, u32 *from, u32 kind)
{
	while (*from < c->diary.n)
		if (c->diary.ev[(*from)++].kind == kind)
			return &c->diary.ev[*from - 1];
	fail_msg("no event of kind %u", kind);
	return NULL;
}

/*
 *   0: t |= switch =| stopper: migrate |= ... =| idle
 *   1:                                     |= switch =| t
 */
static void moves_itself(const char *options, bool limited)
{
	const struct group_limit limit = {.quota = 50 * MS, .period = 100 * MS};
	const struct sim_event *a, *b, *m;
	struct task_group *g;
	struct scene c;
	struct task *t;
	u32 at, stopper;

	setup(&c, 2, 1, options);
	g = sched_group_new(c.x.sched, NULL, "g", 1024);
	if (limited)
		sched_group_limit(c.x.sched, g, &limit);
	t = spawn(&c, g, 0, 0);
	play(&c, MS);
	assert_null(c.x.sched->stopper);
	assert_int_equal(c.x.sched->nr_tasks, 1);
	at = c.diary.n;
	play(&c, 3 * MS);
	a = next(&c, &at, SIM_FORK); /* it is needed first now */
	stopper = a->who;
	assert_string_equal(task_comm(sched_task(c.x.sched, stopper)), "migration/0");
	a = next(&c, &at, SIM_WAKEUP);
	assert_int_equal(a->who, stopper);
	a = next(&c, &at, SIM_SWITCH);
	assert_int_equal(a->other, t->id);
	assert_int_equal(a->who, stopper);
	assert_int_equal(a->arg, 0); /* it would go on if it might */
	m = next(&c, &at, SIM_MIGRATE);
	assert_int_equal(m->who, t->id);
	assert_int_equal(m->place, 0);
	assert_int_equal(m->arg, 1);
	assert_int_equal(m->time - a->time, 100 * US); /* a switch later */
	b = next(&c, &at, SIM_SWITCH);
	assert_int_equal(b->other, stopper);
	assert_int_equal(b->who, TASK_NONE);
	assert_int_equal(b->arg, 1);
	a = next(&c, &at, SIM_SWITCH);
	assert_int_equal(a->place, 1);
	assert_int_equal(a->who, t->id);
	assert_int_equal(counted(&c, DEC_STOP_RUN), 1);
	assert_int_equal(counted(&c, DEC_AFFINITY_MOVE), 1);
	/* the other CPU's stopper is another task, made when needed, and kept */
	t->move_to = 0;
	cpumask_set(t->cpus, 0);
	task_must_move(c.x.sched, t);
	play(&c, 5 * MS);
	t->move_to = 1;
	task_must_move(c.x.sched, t);
	play(&c, 7 * MS);
	assert_int_equal(counted(&c, DEC_STOP_RUN), 3);
	assert_int_equal(c.x.sched->nr_tasks, 3);
	assert_int_equal(t->rq->cpu, 1);
	assert_int_equal(task_rt_priority(sched_task(c.x.sched, stopper)), 99);
	fixture_free(&c.x);
}

static void test_moves_itself(void **state)
{
	(void)state;
	moves_itself("", false);
	moves_itself("", true);
	moves_itself("  fair.pick: eevdf\n  place.lag: on\n", false);
	moves_itself("  fair.pick: eevdf\n  dequeue.delay: on\n", true);
	moves_itself("  rt.push_ipi: off\n", false);
}

/* Nobody preempts a stopper, however urgent he is; he runs when it is done. */
static void test_runs_before_all(void **state)
{
	const struct sim_event *a, *b;
	struct scene c;
	struct task *rt;
	u32 at;

	(void)state;
	setup(&c, 1, 2, "  timer.slack: 0 ns\n");
	spawn(&c, NULL, 0, 0);
	rt = spawn(&c, NULL, 99, 2 * MS);
	sched_group_new(c.x.sched, NULL, "unused", 1024);
	play(&c, MS);
	/* its CPU is taken from now on, for 100 us of the switch; it wakes up in these */
	while (!c.x.sched->stopper)
		assert_true(engine_step(&c.x.engine, 10 * MS));
	at = c.diary.n;
	engine_set(&c.x.engine, c.x.sched->ev_timer, rt->id, c.x.engine.now + 50 * US);
	cpumask_clear(rt->cpus, 1); /* nowhere else */
	rt->ncpus_allowed = 1;
	play(&c, 10 * MS);
	a = next(&c, &at, SIM_WAKEUP);
	assert_int_equal(a->who, rt->id);
	b = next(&c, &at, SIM_SWITCH);
	while (b->place != 0)
		b = next(&c, &at, SIM_SWITCH);
	assert_int_equal(b->who, rt->id);
	assert_true(task_is_stopper(sched_task(c.x.sched, b->other)));
	assert_true(b->time - a->time >= 50 * US);
	fixture_free(&c.x);
}

/* A CPU that goes while its stopper works: the task arrives all the same. */
static void test_hotplug(void **state)
{
	struct cpumask *first;
	struct scene c;
	struct task *t;

	(void)state;
	setup(&c, 2, 1, "");
	t = spawn(&c, NULL, 0, 0);
	first = cpumask_new(&c.x.arena, 2);
	cpumask_set(first, 0);
	while (!c.x.sched->stopper)
		assert_true(engine_step(&c.x.engine, 10 * MS));
	assert_true(task_is_stopper(cpu_rq(c.x.sched, 0)->curr));
	sched_hotplug(c.x.sched, c.x.engine.now + 20 * US, HOTPLUG_OFFLINE, first);
	sched_hotplug(c.x.sched, 5 * MS, HOTPLUG_ONLINE, first);
	play(&c, 10 * MS);
	assert_int_equal(t->rq->cpu, 1);
	assert_true(task_on_cpu(t));
	assert_int_equal(counted(&c, DEC_HOTPLUG_OFFLINE), 1);
	assert_int_equal(counted(&c, DEC_HOTPLUG_PUSHED), 0); /* it had gone before */
	assert_null(cpu_rq(c.x.sched, 0)->curr);
	fixture_free(&c.x);
}

/* With core scheduling on there is no switch to a stopper, but the task moves. */
static void test_core(void **state)
{
	struct scene c;
	struct task *t;

	(void)state;
	setup(&c, 1, 2, "  core: mainline\n");
	t = spawn(&c, NULL, 0, 0);
	sched_set_cookie(c.x.sched, t, sched_cookie_new(c.x.sched));
	play(&c, 10 * MS);
	assert_int_equal(t->rq->cpu, 1);
	assert_int_equal(counted(&c, DEC_STOP_RUN), 0);
	assert_null(c.x.sched->stopper);
	fixture_free(&c.x);

	/* it begins while one runs: that one is done at once */
	setup(&c, 1, 2, "  core: mainline\n");
	t = spawn(&c, NULL, 0, 0);
	while (!c.x.sched->stopper)
		assert_true(engine_step(&c.x.engine, 10 * MS));
	sched_set_cookie(c.x.sched, t, sched_cookie_new(c.x.sched));
	assert_int_equal(t->rq->cpu, 1);
	play(&c, 10 * MS);
	assert_true(task_on_cpu(t));
	fixture_free(&c.x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves_itself),
		cmocka_unit_test(test_runs_before_all),
		cmocka_unit_test(test_hotplug),
		cmocka_unit_test(test_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
