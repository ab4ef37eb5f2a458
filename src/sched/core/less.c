/*
 * Whose turn is it, across the threads of a core? Each CPU has a virtual time of its own,
 * so that vruntimes of two CPUs mean nothing beside each other.
 *
 * mainline: both are measured from a snapshot of their queues' min_vruntime. It follows
 * outside forced idle and is frozen when an episode begins, so that the one that waits
 * gains on the one that runs, and they alternate.
 *
 * v2: both are measured from the min_vruntime of their own queue, as it is. With one task
 * on each queue both are 0, for ever.
 *
 * Corresponds to cfs_prio_less(), se_fi_update() of Linux 5.14, prio_less() of the second
 * version of the series (April 2019).
 */
#include "core/core.h"

void core_match_groups(const struct entity **a, const struct entity **b)
{
	u32 da = entity_depth(*a), db = entity_depth(*b);

	while ((*a)->cfs->tg != (*b)->cfs->tg) {
		u32 x = da, y = db;

		if (x >= y) {
			*a = (*a)->parent;
			da--;
		}
		if (x <= y) {
			*b = (*b)->parent;
			db--;
		}
	}
}

/* Each level upward, once an episode while it is frozen. */
void core_snapshot(const struct entity *se, u32 fi_seq, bool in_fi)
{
	for_each_entity(se)
	{
		struct cfs_rq *cfs = se->cfs;

		if (in_fi) {
			if (cfs->fi_mark == fi_seq)
				break;
			cfs->fi_mark = fi_seq;
		}
		cfs->min_fi = cfs->min_vruntime;
	}
}

bool core_less_mainline(struct sched *s, const struct task *a, const struct task *b,
			bool in_fi)
{
	const struct entity *x = &a->se, *y = &b->se;
	u32 fi_seq = s->core[a->rq->core_first].fi_seq;

	core_match_groups(&x, &y);
	core_snapshot(x, fi_seq, in_fi);
	core_snapshot(y, fi_seq, in_fi);
	return (s64)(x->vruntime - x->cfs->min_fi) > (s64)(y->vruntime - y->cfs->min_fi);
}

bool core_less_v2(struct sched *s, const struct task *a, const struct task *b, bool in_fi)
{
	(void)s;
	(void)in_fi;
	if (a->rq == b->rq)
		return (s64)(a->se.vruntime - b->se.vruntime) > 0;
	return (s64)(a->se.vruntime - a->se.cfs->min_vruntime) >
	       (s64)(b->se.vruntime - b->se.cfs->min_vruntime);
}
