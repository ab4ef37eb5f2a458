/*
 * Searching a cache domain for an idle CPU: the choices of the option wake.scan. A scan
 * returns an idle CPU that the task may use, or CPU_NONE, and charges COST_SCAN to the
 * waker's CPU for each CPU that it looked at.
 */
#ifndef SCHED_SCAN_H
#define SCHED_SCAN_H

#include "internal.h"

struct scan_walk {
	u32 looked, first_idle; /* not CPU_NONE: no need to remember one */
};

/**
 * A wholly idle core of the span from a CPU on, wrapping, or CPU_NONE; remembers the
 * first idle CPU that the task may use. Uses s->scratch.
 */
u32 scan_cores(struct sched *s, const struct task *t, const struct cpumask *span,
	       u32 from, struct scan_walk *w);

/** How many CPUs SIS_PROP looks at, the one at which it stops included. */
u64 scan_prop_budget(const struct domain *target, u64 avg_idle, u64 scan_cost);

/**
 * The CPUs from the target on within that budget. forbidden_count: CPUs that the task may
 * not use take from the budget as well (to 5.11).
 */
u32 scan_prop_cpus(struct sched *s, const struct task *t, struct rq *this_rq, u32 target,
		   bool forbidden_count);

/**
 * Look at the CPUs of the target's cache domain, wrapping, from the one after the target.
 * whole_cores: a wholly idle core wins, the first idle CPU is the fallback, and the hint
 * is cleared if there is none; budget: how many CPUs to look at otherwise.
 */
u32 scan_domain(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		bool whole_cores, u32 budget);

#endif
