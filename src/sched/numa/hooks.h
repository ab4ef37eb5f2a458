/*
 * Memory and NUMA balancing as the rest of the scheduler calls them: only if s->memory is
 * there, or for tasks with memory. Part of internal.h.
 */
#ifndef SCHED_NUMA_HOOKS_H
#define SCHED_NUMA_HOOKS_H

#include "internal.h"

/** Memory comes into being with the first region. */
void memory_use(struct sched *s);

/** A task that uses regions is made, is gone. */
void memory_attach(struct sched *s, struct task *t, const struct task_attr *attr);
void memory_detach(struct sched *s, struct task *t);

/** Another task, or none, runs on rq; t has left it. */
void memory_switched(struct sched *s, struct rq *rq);
void memory_left_cpu(struct sched *s, struct rq *rq, struct task *t);

/** Charge what the running task owes for pages. */
void memory_pay(struct sched *s, struct rq *rq, struct task *t);

/** How much longer t waits for memory there than with all pages at home, Q32. */
u64 memory_slow(const struct sched *s, const struct rq *rq, const struct task *t);

/** The node that most of its faults are on, or UINT16_MAX; only for a task with memory.
 */
u32 numa_preferred(const struct task *t);
/** A task with memory was forked by another one: a thread has the node of its maker. */
void numa_forked(const struct task *parent, struct task *t);
/** With s->memory: is the task on its way that a swap sends to the idle CPU? */
bool numa_swapping(const struct sched *s, const struct rq *rq);

/**
 * What load balancing is to think of a move to another node: 1 = it is bad, 0 = it is
 * good, -1 = nothing. `idle`: the CPU that would get the task is idle and balances by the
 * clock.
 */
int numa_locality(struct sched *s, const struct task *t, const struct rq *src,
		  const struct rq *dst, bool idle);

int memory_check(const struct sched *s, struct failure *f);

#endif
