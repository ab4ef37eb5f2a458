/*
 * The tick of a CPU whose core schedules together: a lone task has no slice of its own,
 * so that a sibling that it forces idle could wait until it blocks. core.tick_rule:
 *
 * half: it reschedules after half a slice if a sibling is forced idle. Corresponds to
 * task_tick_core() of Linux 5.14 (version 6 of the series has it first).
 *
 * slice: it reschedules after a slice, whether somebody waits or not; the slice is that
 * of its entity at the root (August 2019).
 *
 * kick: the siblings that are forced idle reschedule (version 4).
 */
#include "core/core.h"

static u64 ran(const struct entity *se)
{
	return se->sum_exec - se->prev_sum_exec;
}

static void kick_siblings(struct sched *s, const struct rq *rq)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);

		if (sib == rq || !sib->forced_idle || !sib->nr_running || sib->curr)
			continue;
		count(s, DEC_CORE_TICK);
		cpu_resched(s, sib, rq->cpu);
	}
}

static bool slice_over(struct sched *s, const struct entity *se)
{
	if (s->core_tick_rule == TICK_HALF)
		return 2 * ran(se) > s->ops.fair.slice(s, se->cfs, se);
	while (se->parent)
		se = se->parent;
	return ran(se) > s->ops.fair.slice(s, se->cfs, se);
}

void core_tick(struct sched *s, struct rq *rq)
{
	core_lock_hold(s, rq, s->cost[COST_CORE_LOCK]);
	if (s->core_clock)
		core_clock_sync(s, rq);
	if (s->core_order == ORDER_ALLOWANCE || s->core_order == ORDER_FORCED)
		cpu_account(s, rq);
	if (!s->feat[FEAT_CORE_TICK] || rq->cfs.nr != 1)
		return;
	if (s->core_tick_rule != TICK_SLICE && !core_of_rq(s, rq)->fi_count)
		return;
	if (!slice_over(s, &rq->curr->se))
		return;
	if (s->core_tick_rule == TICK_KICK) {
		kick_siblings(s, rq);
		return;
	}
	count(s, DEC_CORE_TICK);
	cpu_resched(s, rq, rq->cpu);
}
