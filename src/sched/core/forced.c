/*
 * core.order = forced: while a thread is forced idle, the min_vruntime of its root queue
 * moves on with the clock. Tasks are compared at the root, ahead of their own queue's
 * min_vruntime, so that who has waited is behind it and goes first. The queue's
 * min_vruntime moves for all that use it: who wakes up there is placed ahead by as much,
 * which takes the credit away from him. Under eevdf, which has no such clock, nothing
 * moves.
 *
 * core.flag_idle: off credits the thread that picked instead of the one that idles: in
 * version 3 of the series the flag was set on the wrong queue, until August 2019.
 *
 * Corresponds to the forced idle accounting of the mails of July 2019 on version 3 of the
 * series, which allowances replaced (core/allowance.c).
 *
 * differs from Linux: credited at ticks, picks and switches of the core, not at each
 * update of a clock.
 */
#include "core/core.h"

void core_flag_forced(struct sched *s, struct rq *rq, bool over)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);
		bool forced = over && !sib->pick && sib->nr_running;

		if (!over)
			sib->credited = false;
		else if (forced)
			(s->feat[FEAT_CORE_FLAG_IDLE] ? sib : rq)->credited = true;
	}
}

void core_credit_forced(struct sched *s, const struct rq *rq, u64 ns)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);

		if (sib->credited && !s->eevdf)
			sib->cfs.min_vruntime += ns;
	}
}

bool core_less_forced(struct sched *s, const struct task *a, const struct task *b,
		      bool in_fi)
{
	const struct entity *x = &a->se, *y = &b->se;

	if (a->rq == b->rq)
		return core_less_queue(s, a, b, in_fi);
	while (x->parent)
		x = x->parent;
	while (y->parent)
		y = y->parent;
	return (s64)(x->vruntime - x->cfs->min_vruntime) >
	       (s64)(y->vruntime - y->cfs->min_vruntime);
}
