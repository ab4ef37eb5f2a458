/* What limits of CPU time (cpu.max) did in the measured window: limits.c. */
#ifndef WORKLOAD_LIMITS_H
#define WORKLOAD_LIMITS_H

#include "compile.h"
#include "inst.h"

/** `stat:` of a metric of a cgroup. */
enum limit_stat {
	LIMIT_PERIODS,
	LIMIT_THROTTLED_PERIODS,
	LIMIT_THROTTLED_SHARE,
	LIMIT_THROTTLES,
	LIMIT_BURSTS,
	LIMIT_THROTTLED,
	LIMIT_USED,
	LIMIT_STATS
};

/** {cgroup: NAME, stat: throttled}; `what` is NAME. */
int compile_limit_metric(struct compiler *c, const struct ynode *map,
			 const struct ynode *what, struct metric *m);

/** Counted from now on. */
void limits_reset(struct workload_run *r);

/** The value of a METRIC_LIMIT; false = there is none. */
bool limit_value(const struct workload_run *r, const struct metric *m, double *value);

#endif
