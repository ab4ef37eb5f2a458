/*
 * Devices: requests wait in one queue for one of `parallel` places, each takes its
 * service time. A journal is a device whose requests share commits: who comes while one
 * is under way waits for the next, together with all others.
 *
 *   disk      end = max(now, first free place) + service
 *   journal   end of the commit after the one that runs now
 *
 * Since both are first come first served, the end is known when a request is made.
 * Corresponds to blk-mq and jbd2/xfs log forces of Linux only as queues.
 */
#ifndef WORKLOAD_DEVICE_H
#define WORKLOAD_DEVICE_H

#include "resources.h"
#include "sched/ledger.h"

struct device_decl {
	struct decl d;
	const struct dist *service; /* NULL = 0 */
	u64 bandwidth;		    /* bytes/s of a place; 0 = size costs nothing */
	u32 parallel;
	bool journal;
};

extern const struct decl_type device_decl_type;

struct device_run {
	const struct device_decl *decl;
	u64 *free_at;	   /* of each place */
	u64 end, next_end; /* journal: of the running and of the next commit; 0 = none */
	struct ledger ledger; /* acquisitions = requests, wait = queue, hold = service */
};

struct devices {
	struct device_run *dev;
};

struct devices *devices_new(struct arena *a, const struct workload_plan *p);

/** A request of `size` bytes at `now`; returns when it is done, ns. */
u64 device_request(struct inst *t, struct device_run *dev, u64 now, u64 size);

#endif
