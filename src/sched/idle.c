/*
 * Entering and leaving idle: hints for wake-ups, the tick of an idle CPU, exit latency,
 * avg_idle. Corresponds to set_next_task_idle(), __update_idle_core(), do_idle() and
 * the use of idle_stamp in ttwu_do_wakeup(). How deep it sleeps: idle/.
 */
#include "internal.h"

/* An interrupt left it idle: it sleeps again. */
void idle_choose(struct sched *s, struct rq *rq)
{
	if (rq->gov)
		governor_choose(s, rq);
	else
		rq->exit_latency = s->halt_exit;
}

void idle_stop_tick(struct sched *s, struct rq *rq)
{
	if (!s->feat[FEAT_NOHZ])
		return;
	tick_stop(s, rq);
	balance_nohz_enter(s, rq);
}

/* The hint says only that there is a wholly idle core somewhere in the cache domain. */
static void hint_idle_core(struct sched *s, struct rq *rq)
{
	if (!rq->llc || rq->llc->has_idle_cores || s->sib_n[rq->cpu] < 2)
		return;
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		u32 cpu = s->sib[s->sib_at[rq->cpu] + i];

		if (cpu != rq->cpu && !cpu_idle(s, cpu))
			return;
	}
	rq->llc->has_idle_cores = true;
}

/*
 * Where there is no choice of states, a tick that runs goes on until it has found the CPU
 * idle: the idle loop stops it after it has seen it.
 */
void idle_enter(struct sched *s, struct rq *rq)
{
	rq->idle_since = s->engine->now;
	cpumask_set(s->idle_mask, rq->cpu);
	hint_idle_core(s, rq);
	if (rq->gov) {
		governor_choose(s, rq);
		return;
	}
	rq->exit_latency = s->halt_exit;
	if (s->feat[FEAT_RETAIN_TICK] && engine_pending(s->engine, s->ev_tick, rq->cpu))
		return;
	idle_stop_tick(s, rq);
}

void idle_exit(struct sched *s, struct rq *rq)
{
	cpumask_clear(s->idle_mask, rq->cpu);
	rq->exit_latency = 0;
	if (rq->gov)
		governor_end(s, rq, IDLE_END_WOKEN);
}

void idle_tick_begins(struct sched *s, struct rq *rq)
{
	if (rq->gov)
		governor_end(s, rq, IDLE_END_TICK);
}

/* The tick has pulled nothing, or what ran has slept at once. */
void idle_tick_ends(struct sched *s, struct rq *rq)
{
	if (rq->gov)
		governor_choose(s, rq);
	else
		idle_stop_tick(s, rq);
}

/*
 * At the first wake-up after going idle, forks aside: avg_idle moves by an eighth, within
 * its cap.
 */
void idle_update_avg(struct sched *s, struct rq *rq)
{
	u64 len, cap = 2 * rq->max_idle_cost;

	if (!rq->idle_stamp)
		return;
	len = s->engine->now - rq->idle_stamp;
	if (len > rq->avg_idle)
		rq->avg_idle += (len - rq->avg_idle) / 8;
	else
		rq->avg_idle -= (rq->avg_idle - len) / 8;
	rq->avg_idle = min_u64(rq->avg_idle, cap);
	rq->idle_stamp = 0;
}
