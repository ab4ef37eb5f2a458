/*
 * fork.placement = idlest: from the largest domain that takes forks downward, the idlest
 * group, then the idlest CPU in it, then again one level lower from there. Corresponds to
 * find_idlest_cpu(), find_idlest_group(), find_idlest_group_cpu() of Linux 5.5 and later.
 *
 * differs from Linux: no preferred NUMA node yet.
 */
#include "balance/stats.h"
#include "options_fn.h"

/* Among groups that are not the local one. */
static bool idler(const struct group_stats *st, const struct group_stats *best)
{
	if (st->type != best->type)
		return st->type < best->type;
	if (st->type != GROUP_HAS_SPARE)
		return st->avg_load < best->avg_load;
	if (st->idle != best->idle)
		return st->idle > best->idle;
	return st->util < best->util;
}

static bool stay_loaded(const struct domain *sd, const struct group_stats *local,
			const struct group_stats *best)
{
	u64 imb = (u64)NICE_0_WEIGHT * (sd->imbalance_pct - 100) / 100;

	if ((sd->flags & SD_NUMA) && best->avg_load + imb >= local->avg_load)
		return true;
	if (best->avg_load >= local->avg_load + imb)
		return true;
	return 100 * local->avg_load <= sd->imbalance_pct * best->avg_load;
}

static bool stay_spare(const struct domain *sd, const struct task *t,
		       const struct group *local_group, const struct group_stats *local,
		       const struct group_stats *best)
{
	if (sd->flags & SD_NUMA) {
		u32 diff = local->idle > best->idle ? local->idle - best->idle
						    : best->idle - local->idle;
		u32 allowed = 0;

		for (u32 i = 0; i < t->cpus->nwords; i++)
			allowed += (u32)__builtin_popcountll(local_group->span->w[i] &
							     t->cpus->w[i]);
		allowed = min_u32(allowed, sd->imb_numa_nr);
		if (!numa_imbalance(diff, local->nr_running + 1, allowed))
			return true;
	}
	return local->idle >= best->idle;
}

static bool stay_local(const struct domain *sd, const struct task *t,
		       const struct group *local_group, const struct group_stats *local,
		       const struct group_stats *best)
{
	if (local->type != best->type)
		return local->type < best->type;
	switch (local->type) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY:
		return stay_loaded(sd, local, best);
	case GROUP_HAS_SPARE:
		return stay_spare(sd, t, local_group, local, best);
	case GROUP_IMBALANCED:
		break;
	}
	return true;
}

/* Has the group a core that would take the task's cookie? */
static bool cookie_fits(const struct sched *s, const struct group *g,
			const struct task *t)
{
	if (!s->core_on || !s->feat[FEAT_CORE_COOKIE_FORK])
		return true;
	for (u32 cpu = cpumask_next_and(g->span, t->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, t->cpus, cpu + 1))
		if (core_match(s, cpu, t))
			return true;
	return false;
}

static const struct group *idlest_group(struct sched *s, const struct domain *sd,
					const struct task *t, u32 this)
{
	struct group_stats st, local = {0}, best = {.type = GROUP_OVERLOADED};
	const struct group *idlest = NULL, *local_group = NULL, *g = sd->groups;

	sums_sync(s);
	best.avg_load = UINT32_MAX;
	do {
		if (!cpumask_intersects(g->span, t->cpus) || !cookie_fits(s, g, t))
			continue;
		stats_fill(&st, g->sums, g, stats_type(g->sums, g, sd->imbalance_pct));
		if (st.type != GROUP_HAS_SPARE)
			st.avg_load = stats_avg_load(&st);
		if (cpumask_has(g->span, this)) {
			local_group = g;
			local = st;
		} else if (idler(&st, &best)) {
			idlest = g;
			best = st;
		}
	} while (g = g->next, g != sd->groups);
	if (!idlest || !local_group)
		return idlest;
	return stay_local(sd, t, local_group, &local, &best) ? NULL : idlest;
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
		if (cpu_idle(s, cpu)) {
			if (rq->exit_latency < min_exit ||
			    (rq->exit_latency == min_exit && rq->idle_since > newest)) {
				min_exit = rq->exit_latency;
				newest = rq->idle_since;
				idle = cpu;
			}
		} else if (idle == CPU_NONE && cpu_load(rq) < min_load) {
			min_load = cpu_load(rq);
			least = cpu;
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

u32 fork_idlest(struct sched *s, struct task *t, struct rq *this_rq)
{
	const struct domain *sd = fork_domain(this_rq, UINT32_MAX);
	u32 cpu = this_rq->cpu;

	while (sd) {
		const struct group *g = idlest_group(s, sd, t, cpu);
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
	return cpumask_next_and(t->cpus, s->online, 0);
}
