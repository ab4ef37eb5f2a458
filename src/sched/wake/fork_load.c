/*
 * fork.placement = load: the group of least load per capacity. What is queued decides,
 * with a margin; near ties go by the load that includes sleepers. Corresponds to
 * find_idlest_group() of Linux 4.20 to 5.4. At exec the largest spare capacity of one CPU
 * decides first, as long as the task fits into it twice.
 *
 *   margin = 1024 * (imbalance_pct - 100) / 100
 *   scale  = 100 + (imbalance_pct - 100) / 2
 */
#include "balance/capacity.h"
#include "options_fn.h"
#include "wake/fork.h"

struct loads {
	u64 queued, average; /* per capacity */
	u64 spare;	     /* at exec: of the CPU that has most */
};

/* capacity_spare_without() */
static u64 spare(const struct rq *rq, const struct task *t)
{
	u64 util = cpu_util(rq), own = 0;

	if (rq == t->rq)
		own = task_util_est(t);
	util = util > own ? util - own : 0;
	return cpu_capacity(rq) - min_u64(util, cpu_capacity(rq));
}

static struct loads group_loads(struct sched *s, const struct group *g,
				const struct task *t)
{
	struct loads l = {0};

	for_each_cpu (cpu, g->span) {
		l.queued += placement_load(s, cpu_rq(s, cpu));
		l.average += cpu_load(cpu_rq(s, cpu));
		if (at_exec(t))
			l.spare = max_u64(l.spare, spare(cpu_rq(s, cpu), t));
	}
	l.queued = l.queued * 1024 / g->capacity;
	l.average = l.average * 1024 / g->capacity;
	return l;
}

static bool lighter(const struct loads *l, const struct loads *best, u64 margin,
		    u64 scale)
{
	if (best->queued > l->queued + margin)
		return true;
	return l->queued < best->queued + margin &&
	       100 * best->average > scale * l->average;
}

static bool stay_local(const struct domain *sd, const struct loads *local,
		       const struct loads *best, u64 margin, u64 scale)
{
	if ((sd->flags & SD_NUMA) && best->queued + margin >= local->queued)
		return true;
	if (best->queued > local->queued + margin)
		return true;
	return local->queued < best->queued + margin &&
	       100 * local->average < scale * best->average;
}

static const struct group *least_loaded(struct sched *s, const struct domain *sd,
					const struct task *t, u32 this)
{
	u64 margin = (u64)NICE_0_WEIGHT * (sd->imbalance_pct - 100) / 100;
	u64 scale = 100 + (sd->imbalance_pct - 100) / 2;
	/* far from the end of the range, so that sums do not wrap */
	const u64 none = UINT64_MAX / 1024;
	struct loads local = {none, none, 0}, best = {none, none, 0};
	const struct group *idlest = NULL, *spare_group = NULL, *g = sd->groups;
	u64 most_spare = 0;

	do {
		struct loads l;

		if (!cpumask_intersects(g->span, t->cpus) || !fork_cookie_fits(s, g, t))
			continue;
		l = group_loads(s, g, t);
		if (l.spare > most_spare && !cpumask_has(g->span, this)) {
			most_spare = l.spare;
			spare_group = g;
		}
		if (cpumask_has(g->span, this)) {
			local = l;
		} else if (!idlest || lighter(&l, &best, margin, scale)) {
			/* the queued load of a near tie that has won is not taken over */
			if (!idlest || best.queued > l.queued + margin)
				best.queued = l.queued;
			best.average = l.average;
			idlest = g;
		}
	} while (g = g->next, g != sd->groups);
	if (at_exec(t)) {
		u64 half = t->se.avg.util_avg / 2;

		if (local.spare > half && scale * local.spare > 100 * most_spare)
			return NULL;
		if (most_spare > half)
			return spare_group;
	}
	if (!idlest || stay_local(sd, &local, &best, margin, scale))
		return NULL;
	return idlest;
}

u32 fork_load(struct sched *s, struct task *t, struct rq *this_rq)
{
	return fork_walk(s, t, this_rq, least_loaded);
}
