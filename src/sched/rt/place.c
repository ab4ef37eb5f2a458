/*
 * Where a real-time task wakes up, and whom it preempts. It stays where it was, unless a
 * task of at least its priority runs there, or one that cannot leave; then it goes to the
 * CPU of the lowest priority. Corresponds to select_task_rq_rt(),
 * check_preempt_curr_rt(), check_preempt_equal_prio(), task_woken_rt() of Linux 6.1.
 */
#include "rt/rt.h"

/* Would `curr` keep t waiting for longer than a push takes? */
static bool blocks(const struct task *curr, const struct task *t)
{
	return curr && curr->rt_prio &&
	       (curr->ncpus_allowed < 2 || curr->rt_prio >= t->rt_prio);
}

u32 rt_select(struct sched *s, struct task *t, u32 by)
{
	u32 cpu = t->rq->cpu, to;

	if (t->ncpus_allowed > 1 && blocks(t->rq->curr, t)) {
		to = rt_find_lowest(s, t, by);
		if (to != CPU_NONE && t->rt_prio > rt_highest(cpu_rq(s, to)))
			cpu = to;
	}
	if (!task_allowed(t, cpu) || !cpu_rq(s, cpu)->online)
		cpu = cpu_fallback(s, t);
	count(s, cpu == t->rq->cpu ? DEC_RT_STAYS : DEC_RT_LOWEST);
	return cpu;
}

/* Of two equals the one that can leave makes room for the one that cannot. */
static void equals(struct sched *s, struct rq *rq, struct task *t, u32 by)
{
	if (rq->curr->ncpus_allowed < 2 || !rt_has_lower(s, rq->curr))
		return;
	if (t->ncpus_allowed > 1 && rt_has_lower(s, t))
		return;
	rt_requeue(s, rq, t, true);
	cpu_resched(s, rq, by);
}

void rt_check_wakeup(struct sched *s, struct rq *rq, struct task *t, u32 by)
{
	if (!rq->curr) {
		count(s, DEC_PREEMPT_IDLE);
		cpu_resched(s, rq, by);
	} else if (t->rt_prio > rq->curr->rt_prio) {
		count(s, DEC_RT_PREEMPTS);
		cpu_resched(s, rq, by);
	} else {
		count(s, DEC_RT_WAITS);
		if (t->rt_prio == rq->curr->rt_prio && !rq->resched)
			equals(s, rq, t, by);
	}
}

void rt_woken(struct sched *s, struct rq *rq, struct task *t, u32 by)
{
	if (rq->curr != t && !rq->resched && t->ncpus_allowed > 1 && blocks(rq->curr, t))
		rt_push(s, rq, rq->curr, by);
}
