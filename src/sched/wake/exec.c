/*
 * exec: the best moment to move a task, since nothing of it is in a cache any more. The
 * walk is that of forks, with the task left out of what it is compared with; if another
 * CPU wins, the task leaves at once. Corresponds to sched_exec() and the *_without()
 * functions of Linux 6.1.
 *
 * differs from Linux: where the move comes too late it is not tried again.
 */
#include "wake/fork.h"

static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* cpu_load_without() and its like: the group has the task's CPU in it. */
void fork_leave_out(struct sched *s, const struct task *t, struct cpu_sums *c)
{
	c->load = less(c->load, task_h_load(s, t));
	c->runnable = less(c->runnable, t->se.avg.runnable_avg);
	c->util = (u32)less(c->util, task_util_est(t));
	c->nr_running--;
	c->idle += t->rq->nr_running == 1;
}

void sched_exec(struct sched *s, struct task *t)
{
	struct rq *rq = t->rq;
	u32 cpu;

	if (t->rt_prio || t->must_move)
		return;
	cpu = s->ops.fork(s, t, rq);
	if (cpu == rq->cpu) {
		count(s, DEC_EXEC_STAY);
		return;
	}
	count(s, DEC_EXEC_MOVE);
	t->move_to = cpu;
	task_must_move(s, t);
}
