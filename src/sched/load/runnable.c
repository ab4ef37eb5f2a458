/*
 * The load of the queued tasks of a CPU, as of now: what Linux up to 5.4 compares, where
 * later kernels also count what sleeps. Added up when somebody asks, so that kernels that
 * do not ask pay nothing. (runnable_load_avg.)
 *
 * differs from Linux: a task of a group counts as of its last update, not as of now.
 */
#include "internal.h"

u64 load_runnable(struct sched *s, const struct rq *rq)
{
	u64 sum = 0;

	for (const struct task *t = rq->mru_first; t; t = t->mru_next) {
		struct pelt avg = t->se.avg;

		if (task_throttled(t))
			continue;
		if (t->se.parent) {
			sum += task_h_load(s, t);
			continue;
		}
		if (pelt_advance(&avg, s->engine->now, 1, 1, rq->curr == t))
			pelt_average(&avg, t->se.weight);
		sum += avg.load_avg;
	}
	return sum;
}
