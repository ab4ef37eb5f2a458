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
	GROUP_IMBALANCED, /* affinity kept a smaller domain from balancing */
	GROUP_OVERLOADED,
};

struct group_stats {
	u64 load, util, runnable, capacity, avg_load;
	u32 nr_running, idle, weight;
	enum group_type type;
};

/** Sum up the CPUs of `span`; sets *overload if a queue has a waiting task. */
void stats_collect(const struct sched *s, const struct group *g, const struct cpumask *span,
		   struct group_stats *st, bool *overload);

/** Decide the type from the sums; pct is the domain's imbalance_pct. */
void stats_classify(struct group_stats *st, const struct group *g, u32 pct);

/** Load per capacity. */
static inline u64 stats_avg_load(const struct group_stats *st)
{
	return st->load * 1024 / st->capacity;
}

/**
 * May `running` tasks (the newcomer included) stay together on a node? Then the imbalance
 * counts as 0 (Linux 5.18's allow_numa_imbalance).
 */
static inline u64 numa_imbalance(u64 imbalance, u32 running, u32 allowed)
{
	return running <= allowed && imbalance <= 2 ? 0 : imbalance;
}

#endif
