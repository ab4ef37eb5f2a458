/*
 * What other files of the scheduler do for CPUs that come and go: the part of internal.h
 * that needs its structures.
 */
#ifndef SCHED_HOTPLUG_PARTS_H
#define SCHED_HOTPLUG_PARTS_H

#include "internal.h"

/** A CPU for a task that cannot be where it is or was: hotplug/fallback.c. */
u32 cpu_fallback(struct sched *s, struct task *t);

/** The threads of each core that are online: domain/siblings.c. */
void siblings_find(struct sched *s);

/** Tunables by the number of online CPUs: sched.c. */
void tunables_scale(struct sched *s);

/** What ran has been moved away, and nothing else is queued there: cpu.c. */
void cpu_vacate(struct sched *s, struct rq *rq);

/** Another thread stands for a core from now on: rate.c. */
void rate_core_moves(struct sched *s, u32 from, u32 to);

/** A CPU of a guest comes or goes: host.c. */
void host_cpu(struct sched *s, u32 cpu, bool up);

/** The spans are about to be built anew; sums_build() follows: balance/sums.c. */
void sums_forget(struct sched *s);

/** A CPU is gone, and another one has its timers: idle/governor.c. */
void governor_inherit(struct idle_gov *heir, struct idle_gov *from);

/** Where timers of an offline CPU go off. */
static inline struct rq *cpu_heir(const struct sched *s, struct rq *rq)
{
	while (!rq->online)
		rq = &s->rq[rq->heir];
	return rq;
}

#endif
