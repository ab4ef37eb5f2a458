/*
 * The walk that the scans share. Corresponds to select_idle_cpu() and select_idle_core()
 * of Linux 5.13 and later.
 */
#include "scan.h"

/* Is the core of `cpu` wholly idle? Remembers the first idle allowed CPU on the way. */
static inline __attribute__((always_inline)) bool
whole_core(struct sched *s, const struct task *t, u32 cpu, struct scan_walk *w)
{
	bool idle = true;

	for (u32 i = 0; i < s->sib_n[cpu]; i++) {
		u32 c = s->sib[s->sib_at[cpu] + i];

		w->looked++;
		if (!cpu_idle(s, c)) {
			idle = false;
			if (w->first_idle != CPU_NONE)
				break;
			if (!s->sched_idle || !cpu_sched_idle(s, c) ||
			    !task_allowed(t, c))
				continue;
			w->first_idle = c;
			break;
		}
		if (w->first_idle == CPU_NONE && task_allowed(t, c))
			w->first_idle = c;
	}
	return idle;
}

static inline __attribute__((always_inline)) u32 walk_cores(struct sched *s,
							    const struct task *t,
							    const struct cpumask *span,
							    u32 from, struct scan_walk *w)
{
	struct cpumask *left = s->scratch;
	u32 n = 0;

	for (u32 i = 0; i < left->nwords; i++) {
		left->w[i] = span->w[i] & t->cpus->w[i];
		n += (u32)__builtin_popcountll(left->w[i]);
	}
	while (n) {
		u32 cpu = cpumask_next(left, from);

		if (cpu == CPU_NONE) {
			from = 0;
			continue;
		}
		if (whole_core(s, t, cpu, w))
			return cpu;
		for (u32 i = 0; i < s->sib_n[cpu]; i++) {
			u32 c = s->sib[s->sib_at[cpu] + i];

			n -= cpumask_has(left, c);
			cpumask_clear(left, c);
		}
		from = cpu + 1;
	}
	return CPU_NONE;
}

static u32 walk_cpus(struct sched *s, const struct task *t, const struct cpumask *span,
		     u32 from, u32 budget, struct scan_walk *w)
{
	u32 cpu = cpumask_next_and(span, t->cpus, from), start = cpu;
	const bool any = s->sched_idle;

	if (cpu == CPU_NONE)
		cpu = start = cpumask_next_and(span, t->cpus, 0);
	while (cpu != CPU_NONE && w->looked < budget) {
		w->looked++;
		if ((cpu_idle(s, cpu) || (any && cpu_sched_idle(s, cpu))) &&
		    (!s->feat[FEAT_CORE_COOKIE_WAKE] || core_cpu_match(s, cpu, t)))
			return cpu;
		cpu = cpumask_next_and(span, t->cpus, cpu + 1);
		if (cpu == CPU_NONE)
			cpu = cpumask_next_and(span, t->cpus, 0);
		if (cpu == start)
			break;
	}
	return CPU_NONE;
}

u32 scan_cores(struct sched *s, const struct task *t, const struct cpumask *span,
	       u32 from, struct scan_walk *w)
{
	return walk_cores(s, t, span, from, w);
}

u32 scan_domain(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		bool whole_cores, u32 budget)
{
	const struct rq *rq = cpu_rq(s, target);
	struct scan_walk w = {.first_idle = CPU_NONE};
	u32 cpu;

	if (whole_cores) {
		cpu = walk_cores(s, t, rq->sd_llc->span, target + 1, &w);
		if (cpu != CPU_NONE) {
			count(s, DEC_WAKE_IDLE_CORE);
			goto out;
		}
		rq->llc->has_idle_cores = false;
		cpu = w.first_idle;
	} else {
		cpu = walk_cpus(s, t, rq->sd_llc->span, target + 1, budget, &w);
	}
	if (cpu != CPU_NONE)
		count(s, DEC_WAKE_IDLE_CPU);
out:
	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * w.looked);
	return cpu;
}
