/*
 * The CPU of a wake-up: first near the waker or near the previous CPU, then an idle CPU
 * that shares a cache with that one. Corresponds to select_task_rq_fair() and
 * select_idle_sibling() of Linux 6.1.
 */
#include "internal.h"

bool core_idle(const struct sched *s, u32 cpu)
{
	for (u32 i = 0; i < s->sib_n[cpu]; i++)
		if (!cpu_idle(s, s->sib[s->sib_at[cpu] + i]))
			return false;
	return true;
}

static u32 idle_sibling_of(struct sched *s, const struct task *t, u32 prev, u32 *looked)
{
	for (u32 i = 0; i < s->sib_n[prev]; i++) {
		u32 cpu = s->sib[s->sib_at[prev] + i];

		if (cpu == prev || !task_allowed(t, cpu))
			continue;
		++*looked;
		if (cpu_idle(s, cpu))
			return cpu;
	}
	return CPU_NONE;
}

static u32 shortcuts(struct sched *s, struct task *t, u32 prev, u32 target)
{
	u32 recent = t->recent_cpu;

	if (cpu_idle(s, target)) {
		count(s, DEC_WAKE_TARGET_IDLE);
		return target;
	}
	if (prev != target && share_cache(s, prev, target) && cpu_idle(s, prev)) {
		count(s, DEC_WAKE_PREV_IDLE);
		return prev;
	}
	t->recent_cpu = prev;
	if (s->feat[FEAT_WAKE_RECENT] && recent != CPU_NONE && recent != prev &&
	    recent != target && share_cache(s, recent, target) && cpu_idle(s, recent) &&
	    task_allowed(t, recent)) {
		count(s, DEC_WAKE_RECENT_IDLE);
		return recent;
	}
	return CPU_NONE;
}

static u32 idle_sibling(struct sched *s, struct task *t, struct rq *this_rq, u32 target)
{
	struct llc_shared *llc = s->rq[target].llc;
	u32 prev = t->rq->cpu, cpu = shortcuts(s, t, prev, target), looked = 2;
	bool smt = s->sib_n[target] > 1, whole = false;

	if (cpu != CPU_NONE || !llc)
		goto out;
	if (smt) {
		whole = llc->has_idle_cores;
		if (!whole && s->feat[FEAT_WAKE_PREV_SMT] &&
		    share_cache(s, prev, target)) {
			cpu = idle_sibling_of(s, t, prev, &looked);
			if (cpu != CPU_NONE) {
				count(s, DEC_WAKE_IDLE_SMT);
				goto out;
			}
		}
	}
	cpu = s->ops.scan(s, t, this_rq, target, whole);
	if (cpu == CPU_NONE)
		count(s, DEC_WAKE_NO_IDLE);
out:
	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * looked);
	return cpu == CPU_NONE ? target : cpu;
}

/* The smallest domain of the waker that pulls wakees and contains the previous CPU. */
static const struct domain *affine_domain(const struct rq *this_rq, u32 prev)
{
	for_each_domain (sd, this_rq)
		if ((sd->flags & SD_WAKE_AFFINE) && cpumask_has(sd->span, prev))
			return sd;
	return NULL;
}

/* A CPU that is online and allowed, the wanted one if possible. */
static u32 allowed_or_other(struct sched *s, struct task *t, u32 cpu)
{
	if (task_allowed(t, cpu) && s->rq[cpu].online)
		return cpu;
	return cpu_fallback(s, t);
}

u32 wake_select(struct sched *s, struct task *t, struct rq *this_rq, struct task *waker,
		bool sync)
{
	u32 prev = t->rq->cpu, this = this_rq->cpu, target = prev;
	const struct domain *sd;

	if (t->ncpus_allowed == 1) {
		count(s, DEC_WAKE_ONE_CPU);
		return allowed_or_other(s, t, prev);
	}
	wake_record(s, this_rq, waker, t);
	if (wake_wide(s, this_rq, waker, t) || !task_allowed(t, this)) {
		count(s, DEC_WAKE_AFFINE_WIDE);
	} else if (this == prev) {
		count(s, DEC_WAKE_AFFINE_SAME);
	} else {
		sd = affine_domain(this_rq, prev);
		if (sd)
			target = wake_affine(s, t, this_rq, waker, sync, sd);
		else
			count(s, DEC_WAKE_FAR);
	}
	target = s->sibling_any ? wake_idle_sibling_any(s, t, this_rq, target)
				: idle_sibling(s, t, this_rq, target);
	return allowed_or_other(s, t, target);
}
