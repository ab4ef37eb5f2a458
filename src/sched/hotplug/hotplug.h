/*
 * CPUs that go offline and come online while the machine runs.
 *
 * A request is an event of its own, so that nobody holds a domain or a queue of a CPU
 * when it goes. Each CPU is taken down or brought up by itself; then the domains are
 * built anew, once for the whole request.
 */
#ifndef SCHED_HOTPLUG_H
#define SCHED_HOTPLUG_H

#include "internal.h"

struct hotplug_request {
	struct hotplug_request *next; /* later, or of the same time and asked for later */
	u64 when;
	enum hotplug_kind kind;
	struct cpumask *cpus; /* kept while the request is on the free list */
};

struct hotplug {
	u32 ev; /* engine class: one slot, the first request */
	struct hotplug_request *first, *free;
	struct arena mem;     /* of domains that were built after the first change */
	struct cpumask *mask; /* scratch */
	bool smt_off;	      /* /sys/devices/system/cpu/smt/control */
};

/** hotplug/down.c: a CPU gives away all that it has; it is not the last one. */
void hotplug_down(struct sched *s, struct rq *rq);
/** hotplug/up.c: a CPU comes back, idle and empty. */
void hotplug_up(struct sched *s, struct rq *rq);

/* hotplug/core.c: what the threads of a core share moves with who stands for it */
void hotplug_core_changes(struct sched *s, const struct rq *rq);
/** Cookies come to mean something once a core has a second thread. */
void hotplug_core_able(struct sched *s);
/** Whose sibling has left, or come, has to pick again. */
void hotplug_core_again(struct sched *s, const struct rq *rq);

/** hotplug/rebuild.c: domains, sums and tunables of the CPUs that are online now. */
void hotplug_rebuild(struct sched *s);

#endif
