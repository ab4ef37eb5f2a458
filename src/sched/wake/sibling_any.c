/*
 * select_idle_sibling() with what select.c leaves out of the hot path: CPUs that run only
 * SCHED_IDLE tasks are as good as idle (5.4), and the recent CPU of a task is the one
 * from which it woke somebody last (to 5.13), and what a per-CPU kernel thread wakes
 * stays with it (5.6). Bound when a recipe or a task asks for it.
 */
#include "internal.h"

/* Of SCHED_IDLE, or below a group of cpu.idle. */
static bool task_idle(const struct task *t)
{
	bool idle = t->policy == POLICY_IDLE;

	for (const struct task_group *g = t->tg; g && !idle; g = g->parent)
		idle = g->idle;
	return idle;
}

/* Most recently run first: the first task that is not idle ends the walk. */
bool cpu_sched_idle(const struct sched *s, u32 cpu)
{
	const struct rq *rq = &s->rq[cpu];

	if (!rq->nr_running || !rq->online || rq->nr_running != rq->cfs.h_nr)
		return false;
	for (const struct task *t = rq->mru_first; t; t = t->mru_next)
		if (!task_throttled(t) && !task_idle(t))
			return false;
	return true;
}

static u32 recent(struct sched *s, struct task *t, u32 prev, u32 target)
{
	u32 cpu = t->recent_cpu;
	bool take = s->feat[FEAT_WAKE_RECENT] && cpu != CPU_NONE && cpu != prev &&
		    cpu != target && share_cache(s, cpu, target) && cpu_usable(s, cpu) &&
		    task_allowed(t, cpu);

	if (take || !s->feat[FEAT_WAKE_RECENT_WAKER])
		t->recent_cpu = prev;
	if (!take)
		return CPU_NONE;
	count(s, DEC_WAKE_RECENT_IDLE);
	return cpu;
}

static bool stacks(const struct sched *s, const struct task *t)
{
	if (t->kthread == KTHREAD_NO || !s->feat[FEAT_WAKE_KTHREAD])
		return false;
	return t->kthread == KTHREAD_CPU || s->feat[FEAT_WAKE_KTHREAD_SOFTIRQ];
}

/* From the first thread on for which the rule holds. */
void wake_use_kthread(struct sched *s, const struct task *t)
{
	s->sibling_any |= stacks(s, t);
}

/* As good as a sync wake-up: the thread has done its work and sleeps. */
static bool with_kthread(struct sched *s, const struct rq *this_rq, u32 prev)
{
	const struct task *curr = this_rq->curr;

	/* what an interrupt wakes, the interrupted task does not */
	return curr && stacks(s, curr) && this_rq->in_run && curr->ncpus_allowed == 1 &&
	       this_rq->cpu == prev && this_rq->nr_running <= 1;
}

static u32 prev_sibling(struct sched *s, const struct task *t, u32 prev, u32 target,
			u32 *looked)
{
	if (!s->feat[FEAT_WAKE_PREV_SMT] || !share_cache(s, prev, target))
		return CPU_NONE;
	for (u32 i = 0; i < s->sib_n[prev]; i++) {
		u32 cpu = s->sib[s->sib_at[prev] + i];

		if (cpu == prev || !task_allowed(t, cpu))
			continue;
		++*looked;
		if (!cpu_usable(s, cpu))
			continue;
		count(s, DEC_WAKE_IDLE_SMT);
		return cpu;
	}
	return CPU_NONE;
}

static u32 find(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		u32 *looked)
{
	const struct llc_shared *llc = s->rq[target].llc;
	u32 prev = t->rq->cpu, cpu;
	bool whole;

	if (cpu_usable(s, target)) {
		count(s, DEC_WAKE_TARGET_IDLE);
		return target;
	}
	if (prev != target && share_cache(s, prev, target) && cpu_usable(s, prev)) {
		count(s, DEC_WAKE_PREV_IDLE);
		return prev;
	}
	if (with_kthread(s, this_rq, prev)) {
		count(s, DEC_WAKE_KTHREAD);
		return prev;
	}
	cpu = recent(s, t, prev, target);
	if (cpu != CPU_NONE || !llc)
		return cpu;
	whole = s->sib_n[target] > 1 && llc->has_idle_cores;
	if (s->sib_n[target] > 1 && !whole)
		cpu = prev_sibling(s, t, prev, target, looked);
	if (cpu == CPU_NONE)
		cpu = s->ops.scan(s, t, this_rq, target, whole);
	if (cpu == CPU_NONE)
		count(s, DEC_WAKE_NO_IDLE);
	return cpu;
}

u32 wake_idle_sibling_any(struct sched *s, struct task *t, struct rq *this_rq, u32 target)
{
	struct task *curr = this_rq->curr;
	u32 looked = 2, cpu = find(s, t, this_rq, target, &looked);

	/* whoever is on the waking CPU, an interrupted task included */
	if (s->feat[FEAT_WAKE_RECENT_WAKER] && curr && task_allowed(t, this_rq->cpu) &&
	    !wake_wide(s, this_rq, curr, t))
		curr->recent_cpu = this_rq->cpu;
	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * looked);
	return cpu == CPU_NONE ? target : cpu;
}
