/*
 * A thread that is forced idle looks elsewhere for a task of its core's cookie: one that
 * waits, may run here, and whose core is not better filled than this one. Corresponds to
 * sched_core_balance(), steal_cookie_task(), try_steal_cookie() of Linux 5.14 (the series
 * has them from its first version on).
 */
#include "core/core.h"

static bool try_steal(struct sched *s, struct rq *dst, struct rq *src)
{
	u64 cookie = core_of_rq(s, dst)->cookie;
	struct task *t = cookie && !dst->curr ? core_find(s, src, cookie) : NULL;

	for (; t; t = core_find_next(t, cookie)) {
		if (t == src->curr || (src->has_pick && t == src->pick))
			continue;
		if (t->rt_prio && dst->rt->throttled)
			continue;
		if (!task_allowed(t, dst->cpu) || t->occupation > dst->idle_occupation)
			continue;
		count(s, DEC_CORE_STEAL);
		class_dequeue(s, src, t);
		task_set_cpu(s, t, dst->cpu, dst->cpu);
		cpu_charge(s, dst, SYS_CORE, s->cost[COST_MIGRATE]);
		class_enqueue(s, dst, t);
		cpu_resched(s, dst, dst->cpu);
		return true;
	}
	return false;
}

void core_steal(struct sched *s, struct rq *rq)
{
	rq->steal = false;
	for_each_domain (sd, rq) {
		u32 cpu = rq->cpu;

		for (u32 n = 1; n < sd->span_weight && !rq->resched; n++) {
			cpu = cpumask_next(sd->span, cpu + 1);
			if (cpu == CPU_NONE)
				cpu = cpumask_first(sd->span);
			if (try_steal(s, rq, cpu_rq(s, cpu)))
				return;
		}
	}
}
