/*
 * Accounting (stat/account.c) as the rest of the scheduler calls it: only if s->account
 * is there, before what it tells of happens. Part of internal.h.
 */
#ifndef SCHED_STAT_HOOKS_H
#define SCHED_STAT_HOOKS_H

#include "internal.h"

/** Of the time of a running task, Q32: what it loses, and to what. */
struct rate_split {
	u64 smt, memory, frequency;
};

/** How the present rate comes about; best: nominal over the clock of full speed, Q32. */
void rate_split(const struct sched *s, const struct rq *rq, u64 best,
		struct rate_split *out);

/** Up to now: the CPU is about to do something else. */
void account_cpu(struct sched *s, struct rq *rq);

/** It will pay ns, stretched by the present rate if `slowed`. */
void account_charge(struct sched *s, struct rq *rq, enum sys_cause cause, u64 ns,
		    bool slowed);
void account_cold(struct sched *s, struct rq *rq, u64 ns);

/** Its rate may change; it has changed who runs there already. */
void account_rate(struct sched *s, struct rq *rq);

/** On its way to the wake list of a CPU. */
void account_waking(struct sched *s, struct task *t);

/** A CPU goes: what it owes is paid by another; nobody pays the rest. */
void account_take_along(struct sched *s, struct rq *rq, struct rq *dst);
void account_drop(struct sched *s, struct rq *rq);

#endif
