/*
 * Entering and leaving idle: hints for wake-ups, tickless idle, depth and exit latency.
 * Corresponds to set_next_task_idle(), __update_idle_core() and the cpuidle governor.
 *
 * differs from Linux: the depth is the deepest state whose target residency is not above
 * the moving average of this CPU's idle times; the menu and TEO governors also know the
 * next timer. State 0 of cpuidle, which polls and costs nothing to leave, is left out:
 * menu takes it only if it expects less than the exit latency of the first state behind
 * it, 1 or 2 us, and no idle time of the workload library is expected to be that short.
 */
#include "internal.h"

void idle_choose(struct sched *s, struct rq *rq)
{
	const struct machine *m = s->machine;
	u32 best = 0;

	for (u32 i = 1; i < m->nidle; i++)
		if (m->idle[i].residency <= rq->idle_guess)
			best = i;
	rq->exit_latency = rq->exit_of_depth = m->idle[best].exit;
}

/*
 * How long it was idle for the sake of being idle: waking up is not a part of it, else
 * two CPUs that wait for each other would keep each other in deep states (menu_update()).
 */
static u64 idle_length(const struct sched *s, const struct rq *rq)
{
	u64 len = s->engine->now - rq->idle_since;

	return len > 2 * rq->exit_of_depth ? len - rq->exit_of_depth : len / 2;
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

void idle_enter(struct sched *s, struct rq *rq)
{
	rq->idle_since = s->engine->now;
	cpumask_set(s->idle_mask, rq->cpu);
	hint_idle_core(s, rq);
	idle_choose(s, rq);
	if (!s->feat[FEAT_NOHZ])
		return;
	tick_stop(s, rq);
	balance_nohz_enter(s, rq);
}

void idle_exit(struct sched *s, struct rq *rq)
{
	u64 len = idle_length(s, rq);

	cpumask_clear(s->idle_mask, rq->cpu);
	rq->exit_latency = 0;
	if (len > rq->idle_guess)
		rq->idle_guess += (len - rq->idle_guess) / 8;
	else
		rq->idle_guess -= (rq->idle_guess - len) / 8;
}

/* At the first wake-up after going idle: avg_idle moves by an eighth, within its cap. */
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
