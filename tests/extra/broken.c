/* Deliberately broken choices: see broken.def. */
#include "options_fn.h"

u32 fork_blind(struct sched *s, struct task *t, struct rq *this_rq)
{
	(void)t;
	(void)this_rq;
	return cpumask_first(s->online);
}

/* Takes a task off the books of the target. */
u32 scan_lossy(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
	       bool whole_cores)
{
	struct rq *rq = cpu_rq(s, target);

	(void)t;
	(void)this_rq;
	(void)whole_cores;
	if (rq->cfs.weight > 100)
		rq->cfs.weight -= 100;
	return CPU_NONE;
}
