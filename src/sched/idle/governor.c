/*
 * What lies between the scheduler and an idle governor: the timers of each CPU, how an
 * idle time ended, the tick that is kept or stopped, and polling. Corresponds to
 * cpuidle_idle_call(), tick_nohz_get_sleep_length(), tick_nohz_idle_stop_tick(),
 * poll_idle() of Linux 6.1.
 *
 * Only kernels that have a choice come here: rq->gov is NULL where the machine has one
 * state (haltpoll brings its own) or the governor is off.
 *
 * differs from Linux: a CPU without a timer of a task expects the next one in 4 s, the
 * period of the watchdog's hrtimer, which itself never fires here; timers of the timer
 * wheel and RCU's needs are absent. A polling thread does not slow its siblings.
 */
#include "options_fn.h"
#include "sched/ledger.h"

#define NO_TIMER (4 * NS_PER_SEC)
/* Polling ends after the residency of the first state behind it that is at least this. */
#define POLL_AT_LEAST (10 * NS_PER_US)

static int timer_cmp(const struct task *a, const struct task *b)
{
	if (a->timer_at != b->timer_at)
		return a->timer_at < b->timer_at ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

RB_GENERATE_INTERNAL(timer_tree, task, timer_node, timer_cmp,
		     __attribute__((unused)) static)

void governor_init(struct sched *s)
{
	const struct machine *m = s->machine;
	u32 n = s->kernel->seam[SEAM_IDLE_GOVERNOR];
	governor_fn *fn = (governor_fn *)seam_choice(SEAM_IDLE_GOVERNOR, n)->value.fn;
	struct idle_gov first = {.state = m->idle, .nstate = m->nidle};
	bool stop;

	s->halt_exit = m->idle[governor_off(&first, &stop)].exit;
	if (fn == governor_haltpoll)
		haltpoll_init(s, &first);
	else if (m->nidle < 2 || fn == governor_off)
		return;
	s->ops.governor = fn;
	s->poll_limit = s->tick / 16;
	for (u32 i = m->nidle; --i;)
		if (m->idle[i].residency >= POLL_AT_LEAST)
			s->poll_limit = min_u64(s->tick / 16, m->idle[i].residency);
	for (u32 cpu = 0; cpu < s->ncpu; cpu++) {
		struct idle_gov *g = arena_new(s->arena, struct idle_gov);

		*g = first;
		g->tick = s->tick;
		RB_INIT(&g->timers);
		g->teo.bin = arena_array(s->arena, struct teo_bin, g->nstate);
		for (u32 i = 0; i < MENU_BUCKETS; i++)
			g->menu.factor[i] = MENU_UNITY;
		cpu_rq(s, cpu)->gov = g;
	}
}

void governor_timer_gone(struct task *t)
{
	if (!t->timer_gov)
		return;
	RB_REMOVE(timer_tree, &t->timer_gov->timers, t);
	t->timer_gov = NULL;
}

void governor_timer(struct task *t, u64 when)
{
	governor_timer_gone(t);
	t->timer_at = when;
	t->timer_gov = t->rq->gov;
	RB_INSERT(timer_tree, &t->timer_gov->timers, t);
}

/* A CPU is gone, and another one has its timers. */
void governor_inherit(struct idle_gov *heir, struct idle_gov *from)
{
	struct task *t;

	while ((t = RB_MIN(timer_tree, &from->timers)) != NULL) {
		RB_REMOVE(timer_tree, &from->timers, t);
		t->timer_gov = heir;
		RB_INSERT(timer_tree, &heir->timers, t);
	}
}

/* A task waits for a device, or no longer: it counts where it went to sleep. */
void governor_io(struct task *t, bool waits)
{
	governor_timer_gone(t); /* what it had of a timer has fired */
	if (waits == (t->io_gov != NULL))
		return;
	if (waits) {
		t->io_gov = t->rq->gov;
		t->io_gov->nr_iowait++;
	} else {
		t->io_gov->nr_iowait--;
		t->io_gov = NULL;
	}
}

/* When the first armed timer of this CPU fires. */
static u64 first_timer(const struct sched *s, struct idle_gov *g)
{
	struct task *t;

	while ((t = RB_MIN(timer_tree, &g->timers)) != NULL) {
		if (engine_pending(s->engine, s->ev_timer, t->id))
			return t->timer_at;
		governor_timer_gone(t); /* it has fired, or was cancelled */
	}
	return TIME_NEVER;
}

static void look_ahead(const struct sched *s, const struct rq *rq, struct idle_gov *g)
{
	u64 now = s->engine->now;
	u64 timer = min_u64(max_u64(first_timer(s, g), now), now + NO_TIMER);

	g->tick_stopped = !engine_pending(s->engine, s->ev_tick, rq->cpu);
	g->next_timer = g->next_event = timer - now;
	if (g->tick_stopped)
		return;
	g->next_event = min_u64(timer, engine_when(s->engine, s->ev_tick, rq->cpu)) - now;
	if (!s->feat[FEAT_NOHZ])
		g->next_timer = g->next_event;
}

/* The CPU is in this state from now on. */
static void enter(struct sched *s, struct rq *rq)
{
	struct idle_gov *g = rq->gov;

	rq->exit_latency = g->state[g->chosen].exit;
	rq->polling = state_polls(g, g->chosen);
	if (rq->polling)
		engine_set(s->engine, s->ev_poll, rq->cpu,
			   g->entered + (g->haltpoll.limit ? g->haltpoll.limit
							   : s->poll_limit));
}

void governor_end(struct sched *s, struct rq *rq, enum idle_end end)
{
	struct idle_gov *g = rq->gov;

	if (!g->inside)
		return;
	if (rq->polling)
		engine_cancel(s->engine, s->ev_poll, rq->cpu);
	rq->polling = false;
	g->inside = false;
	g->end = end;
	g->residency = s->engine->now - g->entered;
	/* the tick is handled at its own time: that it had to leave the state comes on
	 * top */
	if (end == IDLE_END_TICK)
		g->residency += g->state[g->chosen].exit;
}

void governor_choose(struct sched *s, struct rq *rq)
{
	struct idle_gov *g = rq->gov;
	bool stop_tick;

	if (g->inside && g->entered == s->engine->now) {
		enter(s, rq); /* interrupted before it began */
		return;
	}
	governor_end(s, rq, IDLE_END_WOKEN);
	look_ahead(s, rq, g);
	g->chosen = s->ops.governor(g, &stop_tick);
	g->inside = true;
	g->entered = s->engine->now;
	enter(s, rq);
	if (stop_tick || g->tick_stopped || !s->feat[FEAT_RETAIN_TICK])
		idle_stop_tick(s, rq);
}

void governor_poll_over(void *ctx, u32 cpu)
{
	struct sched *s = ctx;
	struct rq *rq = cpu_rq(s, cpu);

	governor_end(s, rq, IDLE_END_POLL_LIMIT);
	governor_choose(s, rq);
}

/* A CPU that polls sees the request as soon as it has the cache line: no IPI. */
u64 governor_poll_notice(const struct sched *s, const struct rq *rq, u32 from)
{
	struct ledger line = {.cpu = 1 + from};

	return ledger_transfer(s, &line, rq->cpu);
}
