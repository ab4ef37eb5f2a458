/*
 * Why do two runs differ in a metric? The time of the tasks that make the metric, by
 * thing counted or by event, is split by reason (sched/account.h) in both runs. What a
 * reason has more in one run than in the other is its share of the difference; shares add
 * up to 1.
 *
 *   rate, total   time of the tasks that count, per thing; with a fixed number of tasks
 *                 its relative change is that of 1 / rate
 *   span          time of the events that the metric measures, from their begin to their
 *                 end: all of them for a mean, those about it for a percentile
 *   elapsed       time of all tasks
 *
 * Where most of the difference is sleep, what the sleepers wait for is done by others:
 * then the time that all tasks of the workload run or wait is taken instead.
 */
#ifndef EXPERIMENT_REASONS_H
#define EXPERIMENT_REASONS_H

#include "experiment/run.h"

struct reason_share {
	enum reason reason;
	double ns[2]; /* per unit, in both runs */
	double share; /* of the difference; below 0: it works against it */
};

struct reasons {
	const char *metric, *unit, *per; /* "request", "unit" */
	bool higher_better;
	double value[2]; /* of the metric */
	double whole[2]; /* ns per unit */
	bool everybody;	 /* all tasks are looked at, without sleep */
	bool exact;	 /* the metric is the mean of what is looked at */
	bool events;	 /* the events of a span, with ranks from..to of them */
	double from, to;
	const char *refusal; /* why there are no shares; NULL = there are */
	struct reason_share *row;
	u32 n; /* largest share first; those of 0 are left out */
};

/** Time by reason per thing or event in both runs. */
struct reason_times {
	double ns[REASON_COUNT][2], whole[2];
};

/** Both results with an account of the same metric; everybody: see struct reasons. */
void reasons_times(const struct run_result r[2], bool everybody,
		   struct reason_times *out);

/** Both results with an account of the same metric. Lives in the arena. */
void reasons_build(struct arena *a, const struct run_result r[2], struct reasons *out);

#endif
