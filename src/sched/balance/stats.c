/* Statistics of groups: see balance/stats.h. */
#include "balance/stats.h"

#include <string.h>

void stats_collect(const struct sched *s, const struct group *g, const struct cpumask *span,
		   struct group_stats *st, bool *overload)
{
	memset(st, 0, sizeof(*st));
	for (u32 cpu = cpumask_next_and(g->span, span, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, span, cpu + 1)) {
		const struct rq *rq = &s->rq[cpu];

		st->load += rq->cfs.avg.load_avg;
		st->util += cpu_util(rq);
		st->runnable += rq->cfs.avg.runnable_avg;
		st->nr_running += rq->nr_running;
		st->idle += !rq->nr_running && cpu_idle(s, cpu);
		if (rq->nr_running > 1)
			*overload = true;
	}
	st->capacity = g->capacity;
	st->weight = g->weight;
}

static bool overloaded(const struct group_stats *st, u64 pct)
{
	if (st->nr_running <= st->weight)
		return false;
	return st->capacity * 100 < st->util * pct || st->capacity * pct < st->runnable * 100;
}

static bool has_capacity(const struct group_stats *st, u64 pct)
{
	if (st->nr_running < st->weight)
		return true;
	if (st->capacity * pct < st->runnable * 100)
		return false;
	return st->capacity * 100 > st->util * pct;
}

void stats_classify(struct group_stats *st, const struct group *g, u32 pct)
{
	if (overloaded(st, pct))
		st->type = GROUP_OVERLOADED;
	else if (*g->imbalance)
		st->type = GROUP_IMBALANCED;
	else if (!has_capacity(st, pct))
		st->type = GROUP_FULLY_BUSY;
	else
		st->type = GROUP_HAS_SPARE;
	st->avg_load = st->type == GROUP_OVERLOADED ? stats_avg_load(st) : 0;
}
