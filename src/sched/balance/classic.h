/*
 * Balancing by average load: what is compared, and the decisions as functions of it, so
 * that they can be tested with numbers. (struct sg_lb_stats and sd_lb_stats up to 5.4.)
 */
#ifndef SCHED_BALANCE_CLASSIC_H
#define SCHED_BALANCE_CLASSIC_H

#include "balance/env.h"

enum classic_type {
	CLASSIC_OTHER,
	CLASSIC_IMBALANCED, /* affinity kept a smaller domain from balancing */
	CLASSIC_OVERLOADED,
};

struct classic_group {
	u64 load, util, capacity;
	u64 avg_load, load_per_task;
	u32 nr_running; /* fair tasks */
	u32 idle, weight;
	bool no_capacity, imbalanced;
};

struct classic_stats {
	struct classic_group local, busiest;
	const struct group *busiest_group; /* NULL = none */
	u64 avg_load;			   /* of the domain */
};

enum classic_type classic_type(const struct classic_group *c);
/** Is there nothing to do? pct: imbalance_pct of the domain. */
bool classic_balanced(const struct classic_stats *cs, enum idle_kind idle, u32 pct);
/** Load to move if there is; 0 = nothing after all. May lower busiest.load_per_task. */
u64 classic_imbalance(struct classic_stats *cs);
/** The same for less than a task: the load of one if moving it pays, else `imbalance`. */
u64 classic_small_imbalance(const struct classic_stats *cs, u64 imbalance);

#endif
