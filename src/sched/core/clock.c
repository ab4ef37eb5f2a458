/*
 * core.clock: one min_vruntime for the root queues of a core's threads, so that their
 * root entities can be compared as they are. Queues of groups keep their own.
 *
 * max: it is the highest that any thread has come to, so never the lowest, as it would be
 * in one queue: tasks of a thread that is behind are owed the difference when it begins.
 * Enabling it late starves the others once (July 2019); core.clock_adjust shifts what is
 * queued to the clock then (version 6).
 *
 * leader: every thread reads that of the first, which its own updates alone move. A
 * thread whose tasks are ahead of it places sleepers and newcomers before them all the
 * same: their own queue would have them behind (versions 4 and 5, whose text says more
 * that cannot come true).
 *
 * A queue learns of the clock before it is used. The highest is the same whenever it is
 * looked for; of a thread that reads another's clock what runs is brought up to date
 * first, so that nothing moves its own between this and the use. EEVDF has none of this:
 * the series was over.
 */
#include "core/core.h"

static void read_first(struct sched *s, struct rq *rq)
{
	const struct rq *first = &s->rq[rq->core_first];

	if (rq == first)
		return;
	fair_update_curr(s, &rq->cfs);
	rq->cfs.min_vruntime = first->cfs.min_vruntime;
}

void core_clock_sync(struct sched *s, struct rq *rq)
{
	u64 clock;

	if (!s->core_on)
		return;
	if (s->core_clock == CLOCK_LEADER) {
		read_first(s, rq);
		return;
	}
	clock = s->rq[rq->core_first].cfs.min_vruntime;
	for (u32 i = 1; i < s->sib_n[rq->cpu]; i++) {
		u64 v = core_sibling(s, rq, i)->cfs.min_vruntime;

		if ((s64)(v - clock) > 0)
			clock = v;
	}
	if ((s64)(clock - rq->cfs.min_vruntime) > 0)
		rq->cfs.min_vruntime = clock;
}

/* All by as much, so that their order stays. */
static void shift(struct cfs_rq *cfs, u64 by)
{
	for (struct entity *se = cfs->leftmost; se; se = fair_next(se))
		se->vruntime += by;
	if (cfs->curr)
		cfs->curr->vruntime += by;
}

void core_clock_begins(struct sched *s)
{
	for_each_cpu (cpu, s->online) {
		struct rq *rq = cpu_rq(s, cpu);
		u64 before;

		fair_update_curr(s, &rq->cfs);
		before = rq->cfs.min_vruntime;
		core_clock_sync(s, rq);
		if (s->feat[FEAT_CORE_CLOCK_ADJUST])
			shift(&rq->cfs, rq->cfs.min_vruntime - before);
	}
}
