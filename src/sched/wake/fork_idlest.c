/*
 * fork.placement = idlest: the idlest group by its type. Corresponds to
 * find_idlest_group() of Linux 5.5 and later.
 */
#include "balance/stats.h"
#include "numa/memory.h"
#include "options_fn.h"
#include "wake/fork.h"

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

/* Before 5.18; a quarter: of the domain's CPUs, whatever the difference is. */
static bool stay_spare_old(const struct domain *sd, const struct group_stats *local,
			   const struct group_stats *best)
{
	u32 diff = local->idle > best->idle ? local->idle - best->idle
					    : best->idle - local->idle;

	if (sd->numa_rule == NUMA_QUARTER)
		return local->nr_running < sd->span_weight / 4;
	return !numa_imbalance_old(sd->numa_rule, diff, local->nr_running, 0);
}

/* A task with memory: to its preferred node if that is one of the two. */
static bool knows_node(const struct sched *s, const struct task *t, u32 this,
		       const struct group *idlest, bool *stay)
{
	u32 node = t->mem ? numa_preferred(t) : NODE_NONE;

	if (node == NODE_NONE)
		return false;
	*stay = cpu_node(s, this) == node;
	return *stay || cpu_node(s, cpumask_first(idlest->span)) == node;
}

static bool stay_spare(const struct domain *sd, const struct task *t,
		       const struct group *local_group, const struct group_stats *local,
		       const struct group_stats *best)
{
	if ((sd->flags & SD_NUMA) && sd->numa_rule != NUMA_LLCS) {
		if (stay_spare_old(sd, local, best))
			return true;
	} else if (sd->flags & SD_NUMA) {
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
	case GROUP_MISFIT:
	case GROUP_IMBALANCED:
		break;
	}
	return true;
}

static const struct group *idlest_group(struct sched *s, const struct domain *sd,
					const struct task *t, u32 this)
{
	struct group_stats st, local = {0}, best = {.type = GROUP_OVERLOADED};
	const struct group *idlest = NULL, *local_group = NULL, *g = sd->groups;
	struct cpu_sums c;
	bool stay;

	sums_sync(s);
	best.avg_load = UINT32_MAX;
	do {
		if (!cpumask_intersects(g->span, t->cpus) || !fork_cookie_fits(s, g, t))
			continue;
		c = *g->sums;
		if (at_exec(t) && cpumask_has(g->span, t->rq->cpu))
			fork_leave_out(s, t, &c);
		stats_fill(&st, &c, g, stats_type(&c, g, sd->imbalance_pct));
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
	if ((sd->flags & SD_NUMA) && local.type == GROUP_HAS_SPARE &&
	    best.type == GROUP_HAS_SPARE && knows_node(s, t, this, idlest, &stay))
		return stay ? NULL : idlest;
	return stay_local(sd, t, local_group, &local, &best) ? NULL : idlest;
}

u32 fork_idlest(struct sched *s, struct task *t, struct rq *this_rq)
{
	return fork_walk(s, t, this_rq, idlest_group);
}
