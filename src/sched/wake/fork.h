/* Placement of forked tasks: the walk that the choices of fork.placement share. */
#ifndef SCHED_FORK_H
#define SCHED_FORK_H

#include "internal.h"

/** The group of a domain where a task should go, NULL = stay in that of `this`. */
typedef const struct group *idlest_group_fn(struct sched *s, const struct domain *sd,
					    const struct task *t, u32 this);

u32 fork_walk(struct sched *s, struct task *t, struct rq *this_rq,
	      idlest_group_fn *idlest);

/** A task that is running now is placed anew: takes it out of the sums of its CPU's
 * group. */
void fork_leave_out(struct sched *s, const struct task *t, struct cpu_sums *c);

/** Is it about exec, where the task stands on a queue already? */
static inline bool at_exec(const struct task *t)
{
	return t->state == TASK_RUNNABLE;
}

/** Has the group a core that would take the task's cookie? */
bool fork_cookie_fits(const struct sched *s, const struct group *g, const struct task *t);

#endif
