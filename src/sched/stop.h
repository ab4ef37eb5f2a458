/*
 * Stop work: what needs a CPU for itself for a moment, above every class. Its stopper
 * (migration/N) is a task of no queue, made when it is needed first. See stop.c.
 */
#ifndef SCHED_STOP_H
#define SCHED_STOP_H

#include "internal.h"

#define STOP_PRIORITY (RT_PRIORITY_MAX + 1) /* task.rt_prio of stoppers only */

static inline bool task_is_stopper(const struct task *t)
{
	return t->rt_prio == STOP_PRIORITY;
}

/** Active balance: the CPU's stopper is to push a task to rq->push_cpu. */
void stop_ask_push(struct sched *s, struct rq *rq, u32 by);

/** It has been asked for that, and has not done it. */
bool stop_pushes(const struct sched *s, const struct rq *rq);

/** The request has arrived at the CPU. */
void stop_push_arrived(struct sched *s, struct rq *rq);

/**
 * The running task must leave the CPU, and its stopper takes it away; or what runs is the
 * stopper, which nobody interrupts. False: the task has left without one, pick again.
 */
bool stop_move_running(struct sched *s, struct rq *rq);

/** The running stopper goes on: it works, then sleeps. */
void stop_step(struct sched *s, struct rq *rq);

/** All that is asked for is done at once: the CPU goes offline. */
void stop_finish(struct sched *s, struct rq *rq);

/** No stopper runs when core scheduling begins. */
void stop_finish_all(struct sched *s);

#endif
