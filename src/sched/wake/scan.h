/*
 * Searching a cache domain for an idle CPU: the choices of the option wake.scan. A scan
 * returns an idle CPU that the task may use, or CPU_NONE, and charges COST_SCAN to the
 * waker's CPU for each CPU that it looked at.
 */
#ifndef SCHED_SCAN_H
#define SCHED_SCAN_H

#include "internal.h"

/**
 * Look at the CPUs of the target's cache domain, wrapping, from the one after the target.
 * whole_cores: a wholly idle core wins, the first idle CPU is the fallback, and the hint
 * is cleared if there is none; budget: how many CPUs to look at otherwise.
 */
u32 scan_domain(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		bool whole_cores, u32 budget);

#endif
