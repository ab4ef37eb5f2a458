/*
 * A percentile that is taken of each interval of the measured window, as benchmarks
 * report it while they run; the metric is the mean of these.
 */
#ifndef WORKLOAD_REPORTS_H
#define WORKLOAD_REPORTS_H

#include "inst.h"

/** One for each metric of the plan that has `every`; none: nothing is allocated. */
void reports_init(struct workload_run *r, struct arena *a);
/** The measured window begins. */
void reports_reset(struct workload_run *r);
void reports_add(struct workload_run *r, u32 span, u64 now, u64 length);
/** Of a metric with `every`: sum over the *n intervals that are over by `now`, ns. */
u64 reports_sum(struct workload_run *r, const struct metric *m, u64 now, u64 *n);

/** A span of that length has ended. */
static inline void span_ended(struct workload_run *r, u32 span, u64 now, u64 length)
{
	hist_add(&r->span[span], length);
	if (r->reports)
		reports_add(r, span, now, length);
}

#endif
