/*
 * The periodic tick of a busy CPU (of an idle one: idle.c): charge, load tracking,
 * preemption, balancing.
 *
 *   jiffy n begins at tick_phase + n * tick; with skewed ticks CPU c ticks c/(2n) of a
 *   tick later than CPU 0
 *
 * Corresponds to scheduler_tick() and tick_sched_timer() of Linux 6.1.
 */
#include "rt/rt.h"

static u64 skew(const struct sched *s, u32 cpu)
{
	return s->tick_skewed ? s->tick / 2 * cpu / s->ncpu : 0;
}

/* When the next tick of a CPU is due. */
u64 tick_due(const struct sched *s, const struct rq *rq)
{
	u64 first = s->tick_phase + skew(s, rq->cpu), now = s->engine->now;

	if (now >= first)
		first += ((now - first) / s->tick + 1) * s->tick;
	return first;
}

void tick_start(struct sched *s, struct rq *rq)
{
	if (!engine_pending(s->engine, s->ev_tick, rq->cpu))
		engine_set(s->engine, s->ev_tick, rq->cpu, tick_due(s, rq));
}

void tick_stop(struct sched *s, struct rq *rq)
{
	engine_cancel(s->engine, s->ev_tick, rq->cpu);
}

void tick_event(void *ctx, u32 cpu)
{
	struct sched *s = ctx;
	struct rq *rq = cpu_rq(s, cpu);

	s->totals.ticks++;
	engine_set(s->engine, s->ev_tick, cpu, s->engine->now + s->tick);
	cpu_charge(s, rq, SYS_TICK, s->cost[COST_TICK]);
	/* this CPU looks at its need to reschedule below, without an IPI */
	rq->in_run = true;
	if (rq->curr && rq->curr->rt_prio)
		rt_tick(s, rq);
	else if (rq->curr)
		fair_tick(s, rq);
	else
		idle_tick_begins(s, rq);
	balance_tick(s, rq);
	rq->in_run = false;
	if (rq->resched)
		cpu_run(s, rq);
	cpu_rearm(s, rq);
	if (!rq->curr)
		idle_tick_ends(s, rq);
}
