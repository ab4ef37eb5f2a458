/*
 * Statistics of a group of CPUs and its type, from spare to overloaded: the common ground
 * of load balancing and fork placement. (sg_lb_stats, group_classify() in Linux 5.5 on.)
 */
#ifndef SCHED_BALANCE_STATS_H
#define SCHED_BALANCE_STATS_H

#include "internal.h"

enum group_type {
	GROUP_HAS_SPARE,
	GROUP_FULLY_BUSY,
	GROUP_MISFIT,	  /* a lone task suffers from real-time ones */
	GROUP_IMBALANCED, /* affinity kept a smaller domain from balancing */
	GROUP_OVERLOADED,
};

struct group_stats {
	u64 load, util, runnable, capacity, avg_load;
	u32 nr_running, idle, weight;
	enum group_type type;
};

/**
 * Sums over those CPUs of a group that are in `only`. sums_sync() must have run since the
 * last change.
 */
struct cpu_sums stats_partial(const struct sched *s, const struct group *g,
			      const struct cpumask *only);

static inline bool stats_overloaded(const struct cpu_sums *c, const struct group *g,
				    u64 pct)
{
	if (c->nr_running <= g->weight)
		return false;
	return g->capacity_100 < c->util * pct || g->capacity_pct < c->runnable * 100;
}

static inline bool stats_has_capacity(const struct cpu_sums *c, const struct group *g,
				      u64 pct)
{
	if (c->nr_running < g->weight)
		return true;
	return g->capacity_pct >= c->runnable * 100 && g->capacity_100 > c->util * pct;
}

/** The type of a group from its sums; pct is the domain's imbalance_pct. */
static inline enum group_type stats_type(const struct cpu_sums *c, const struct group *g,
					 u32 pct)
{
	if (stats_overloaded(c, g, pct))
		return GROUP_OVERLOADED;
	if (*g->imbalance)
		return GROUP_IMBALANCED;
	return stats_has_capacity(c, g, pct) ? GROUP_HAS_SPARE : GROUP_FULLY_BUSY;
}

/** All that decisions need but avg_load, which is not always wanted. */
static inline void stats_fill(struct group_stats *st, const struct cpu_sums *c,
			      const struct group *g, enum group_type type)
{
	*st = (struct group_stats){
		.load = c->load,
		.util = c->util,
		.runnable = c->runnable,
		.capacity = g->capacity,
		.nr_running = c->nr_running,
		.idle = c->idle,
		.weight = g->weight,
		.type = type,
	};
}

/** Load per capacity. */
static inline u64 stats_avg_load(const struct group_stats *st)
{
	return st->load * 1024 / st->capacity;
}

/* Values of the option balance.numa. */
enum numa_rule { NUMA_NONE, NUMA_PAIR, NUMA_QUARTER, NUMA_LLCS };

/**
 * May `running` tasks (the newcomer included) stay together on a node? Then the imbalance
 * counts as 0 (Linux 5.18's allow_numa_imbalance).
 */
static inline u64 numa_imbalance(u64 imbalance, u32 running, u32 allowed)
{
	return running <= allowed && imbalance <= 2 ? 0 : imbalance;
}

/**
 * The same before 5.18, with the tasks of one group only: a pair (5.6), or less than a
 * quarter of its CPUs and an imbalance of 2 at most (5.11).
 */
static inline u64 numa_imbalance_old(u32 rule, u64 imbalance, u32 running, u32 cpus)
{
	if (rule == NUMA_PAIR)
		return running <= 2 ? 0 : imbalance;
	if (rule == NUMA_QUARTER && running < cpus / 4 && imbalance <= 2)
		return 0;
	return imbalance;
}

#endif
