/*
 * The loads of a CPU over the last ticks, each of them slower to follow than the one
 * before. (cpu_load[] up to 5.2, for LB_BIAS.)
 */
#ifndef SCHED_BALANCE_HISTORY_H
#define SCHED_BALANCE_HISTORY_H

#include "balance/env.h"

#define HISTORIES 5u

struct history {
	u64 at[HISTORIES]; /* at[i] follows by 1/2^i a tick; at[0] is that of the last */
	u64 when;	   /* jiffies of the last update */
};

/** A tick with the given load, `passed` ticks after the last one (1: none was missed). */
void history_tick(struct history *h, u64 load, u64 passed);
/** Which of them balancing looks at: at[index - 1], or none with 0. */
u32 history_index(const struct domain *sd, enum idle_kind idle);
/**
 * The load of a CPU for balancing: of the local group the higher of now and then, of
 * others the lower, so that it takes a while until something moves.
 */
u64 history_load(const struct sched *s, const struct env *env, const struct rq *rq,
		 bool local);
/** Only if balance.load_bias is on; before the class of ticks is made. */
void history_init(struct sched *s);
void history_start(struct sched *s);
/** Somebody balances for an idle CPU without a tick: what it has missed is caught up. */
void history_idle(struct sched *s, const struct rq *rq);

#endif
