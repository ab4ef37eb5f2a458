/*
 * CPU bandwidth of a task group (cpu.max): so much CPU time in each period, for all CPUs
 * together. Times are ns.
 */
#ifndef SCHED_BANDWIDTH_H
#define SCHED_BANDWIDTH_H

#include "base/types.h"

struct cfs_rq;

/* The pool of a group, and its two timers. */
struct bandwidth {
	u64 quota, period, burst;
	u64 pool, snap; /* what is left of the period; what there was at its start */
	u64 next;	/* when the period timer is due, to the ns of its grid */
	u64 expires;	/* end of the period, for slices that expire */
	u32 seq;	/* number of the period, likewise */
	u32 id;		/* its slots in the event class: 2 * id, and 2 * id + 1 */
	u32 cpu[2];	/* where the timers run: period, slack */
	bool late[2];	/* that CPU was asleep and is coming */
	bool active;	/* the period timer runs */
	bool idle;	/* nothing was asked for since the last refill */
	bool slack;	/* the slack timer runs */
	struct cfs_rq *first, *last; /* throttled queues, first come first served */
	u64 periods, throttled_periods, throttles, throttled_ns, bursts;
};

/* What one queue has of it. */
struct cfs_limit {
	u64 seen; /* CPU time of the group's entity that is accounted */
	s64 left; /* ns of CPU time before it must ask; below 0 = in debt */
	u64 expires;
	u32 seq;
	u32 stopped; /* throttled queues from here up: its load tracking clock stands */
	u64 stopped_at, since; /* of the clock; of its own throttling */
	u64 shift;	       /* of the clocks, while they are put on */
	struct cfs_rq *next;   /* in bandwidth.first */
	bool on;	       /* the group has a limit */
	bool throttled;	       /* out of it: the group's entity is not queued */
};

#endif
