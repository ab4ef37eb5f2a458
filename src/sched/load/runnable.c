/*
 * The load of the queued tasks of a CPU, as of now: what Linux up to 5.4 compares, where
 * later kernels also count what sleeps. Added up when somebody asks, so that kernels that
 * do not ask pay nothing. A group counts with its own load, less what belongs to its
 * sleepers:
 *
 *   runnable of a group = its load_avg * runnable of its queue / load of its queue
 *
 * (runnable_load_avg; calc_group_runnable().)
 *
 * differs from Linux: the load of a group counts as of its last update, not as of now.
 */
#include "internal.h"

static u64 runnable_of_queue(const struct sched *s, const struct cfs_rq *cfs);

static u64 runnable_of(const struct sched *s, const struct entity *se)
{
	const struct cfs_rq *own = se->own;
	u64 queued, load;

	if (!own) {
		struct pelt avg = se->avg;

		if (pelt_advance(&avg, s->engine->now, 1, 1, se == se->cfs->curr))
			pelt_average(&avg, se->weight);
		return avg.load_avg;
	}
	queued = max_u64(own->weight, runnable_of_queue(s, own));
	load = max_u64(own->weight, own->avg.load_avg);
	if (!load)
		return 0;
	return se->avg.load_avg * min_u64(queued, load) / load;
}

/* The tree of either discipline. */
static u64 runnable_of_queue(const struct sched *s, const struct cfs_rq *cfs)
{
	u64 sum = 0;

	for (const struct entity *se = cfs->leftmost; se; se = fair_next(se))
		if (!se->delayed)
			sum += runnable_of(s, se);
	if (cfs->curr && cfs->curr->on_rq)
		sum += runnable_of(s, cfs->curr);
	return sum;
}

u64 load_runnable(const struct sched *s, const struct rq *rq)
{
	return rq->mru_first ? runnable_of_queue(s, &rq->cfs) : 0;
}
