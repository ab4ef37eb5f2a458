/* fork.placement = parent: a child starts on its parent's CPU if it may. */
#include "options_fn.h"

u32 fork_parent(struct sched *s, struct task *t, struct rq *this_rq)
{
	count(s, DEC_FORK_PARENT);
	if (task_allowed(t, this_rq->cpu))
		return this_rq->cpu;
	return cpu_fallback(s, t);
}
