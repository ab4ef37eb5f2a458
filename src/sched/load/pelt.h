/*
 * Per-entity load tracking. Time is cut into periods of 1024 us (unit: 1024 ns); what
 * happened n periods ago counts y^n, y^32 = 1/2:
 *
 *      now                      the past
 *   |--d3--|-- 1024 us --|-- 1024 us --|--d1--|
 *    y^0         y^1           y^2       y^3
 *
 * Three sums are kept: time on the queue (load), weighted by the number queued (runnable)
 * and time on the CPU (util). Corresponds to kernel/sched/pelt.c of Linux 5.7 and later,
 * without frequency and capacity scaling.
 */
#ifndef SCHED_PELT_H
#define SCHED_PELT_H

#include "base/types.h"

#define PELT_PERIOD 1024u
#define PELT_MAX    47742u /* sum of a history that was always on */

struct pelt {
	u64 last; /* ns, a multiple of 1024 since it was attached */
	u64 load_sum, runnable_sum;
	u32 util_sum, part; /* part: how far the current period got, in 1024-ns units */
	u64 load_avg, runnable_avg, util_avg;
};

/* From the last update of a PELT to now, for several PELTs: see load/span.h. Units of
 * 1024 ns.
 */
struct pelt_span {
	u64 last;    /* of the PELT afterwards, ns */
	u64 periods; /* how many end in it */
	u32 part;    /* of the PELT afterwards */
	u32 worth;   /* what it adds to a sum that was on all the time */
};

/** value * y^n. Rounds as Linux does: down. */
u64 pelt_decay(u64 value, u64 n);

/** What a span is worth that ends `periods` > 0 of them: d1 before, d3 after. */
u32 pelt_contribution(u64 periods, u32 d1, u32 d3);

/**
 * Bring the sums up to `now`. load: weight that was queued; runnable: how many; running:
 * whether on the CPU. Returns true if a period boundary was crossed.
 */
bool pelt_advance_slow(struct pelt *p, u64 now, u64 load, u64 runnable, bool running);

static inline bool pelt_advance(struct pelt *p, u64 now, u64 load, u64 runnable,
				bool running)
{
	if (now < p->last + 1024)
		return false; /* often: several changes at one instant */
	return pelt_advance_slow(p, now, load, runnable, running);
}

static inline u32 pelt_divider(const struct pelt *p)
{
	return PELT_MAX - PELT_PERIOD + p->part;
}

/** Recompute the averages; load: factor of load_avg (1 for a queue, weight for a task).
 */
static inline void pelt_average(struct pelt *p, u64 load)
{
	u32 divider = pelt_divider(p);

	p->load_avg = load * p->load_sum / divider;
	p->runnable_avg = p->runnable_sum / divider;
	p->util_avg = p->util_sum / divider;
}

#endif
