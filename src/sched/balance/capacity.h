/*
 * What real-time tasks leave of a CPU for fair ones. While there are no real-time tasks
 * every CPU has all of its capacity, and nobody pays for more than a test of s->rt.
 */
#ifndef SCHED_CAPACITY_H
#define SCHED_CAPACITY_H

#include "balance/env.h"
#include "rt/rt.h"

/** capacity_of(): as of the last time that the CPU balanced. */
static inline u64 cpu_capacity(const struct rq *rq)
{
	return rq->rt ? rq->rt->capacity : CPU_CAPACITY;
}

/** check_cpu_capacity(): so much is gone that it matters in this domain. */
static inline bool cpu_reduced(const struct rq *rq, const struct domain *sd)
{
	return cpu_capacity(rq) * sd->imbalance_pct < CPU_CAPACITY * 100;
}

/*
 * For kernels with real-time tasks only.
 */

/** At a pass: the capacity of the CPU's own group, and of the whole domain. */
void capacity_refresh(struct sched *s, const struct env *env);

/** The largest load of a lone fair task on a reduced CPU of the group; 0 = none. */
u64 capacity_misfit(const struct sched *s, const struct env *env, const struct group *g);

/** For MOVE_LOAD: the queue with most load for what it has. */
struct rq *capacity_busiest_rq(const struct sched *s, const struct env *env,
			       const struct group *g);

/** The lone fair task of env->src would have more of env->dst, which idles. */
bool capacity_wants_push(const struct env *env);

/** Fair tasks of a busy CPU suffer: somebody who idles is to look at it. */
bool capacity_wants_kick(const struct rq *rq);

#endif
