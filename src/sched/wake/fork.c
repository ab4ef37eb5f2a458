/*
 * What the choices of fork.placement share: from the largest domain that takes forks
 * downward, the idlest group, then the idlest CPU in it, then again one level lower from
 * there. Corresponds to find_idlest_cpu() and find_idlest_group_cpu() of Linux 6.1.
 */
#include "wake/fork.h"

bool fork_cookie_fits(const struct sched *s, const struct group *g, const struct task *t)
{
	if (!s->core_on || !s->feat[FEAT_CORE_COOKIE_FORK])
		return true;
	for (u32 cpu = cpumask_next_and(g->span, t->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, t->cpus, cpu + 1))
		if (core_match(s, cpu, t))
			return true;
	return false;
}

static u32 idlest_cpu(struct sched *s, const struct group *g, const struct task *t,
		      u32 this)
{
	u32 least = this, idle = CPU_NONE;
	u64 min_load = UINT64_MAX, min_exit = UINT64_MAX, newest = 0;

	if (g->weight == 1)
		return cpumask_first(g->span);
	for (u32 cpu = cpumask_next_and(g->span, t->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, t->cpus, cpu + 1)) {
		const struct rq *rq = &s->rq[cpu];

		if (s->feat[FEAT_CORE_COOKIE_FORK] && !core_match(s, cpu, t))
			continue;
		if (s->sched_idle && cpu_sched_idle(s, cpu)) {
			count(s, DEC_FORK_IDLE_CPU);
			return cpu;
		}
		if (cpu_idle(s, cpu)) {
			if (rq->exit_latency < min_exit ||
			    (rq->exit_latency == min_exit && rq->idle_since > newest)) {
				min_exit = rq->exit_latency;
				newest = rq->idle_since;
				idle = cpu;
			}
		} else if (idle == CPU_NONE) {
			u64 load = placement_load(s, rq);

			if (load < min_load) {
				min_load = load;
				least = cpu;
			}
		}
	}
	count(s, idle != CPU_NONE ? DEC_FORK_IDLE_CPU : DEC_FORK_LEAST_LOADED);
	return idle != CPU_NONE ? idle : least;
}

/* The largest domain of `cpu` below `weight` CPUs that takes forks. */
static const struct domain *fork_domain(const struct rq *rq, u32 weight)
{
	const struct domain *best = NULL;

	for_each_domain (sd, rq) {
		if (sd->span_weight >= weight || !(sd->flags & SD_FORK))
			break;
		best = sd;
	}
	return best;
}

u32 fork_walk(struct sched *s, struct task *t, struct rq *this_rq,
	      idlest_group_fn *idlest)
{
	const struct domain *sd = fork_domain(this_rq, UINT32_MAX);
	u32 cpu = this_rq->cpu;

	while (sd) {
		const struct group *g = idlest(s, sd, t, cpu);
		u32 next = cpu;

		cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * sd->span_weight);
		count(s, g ? DEC_FORK_AWAY : DEC_FORK_LOCAL);
		if (g)
			next = idlest_cpu(s, g, t, cpu);
		if (next == cpu) {
			sd = sd->child;
			continue;
		}
		cpu = next;
		sd = fork_domain(cpu_rq(s, cpu), sd->span_weight);
	}
	if (task_allowed(t, cpu) && cpu_rq(s, cpu)->online)
		return cpu;
	return cpu_fallback(s, t);
}
