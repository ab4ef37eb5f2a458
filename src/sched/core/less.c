/*
 * Whose turn is it, across the threads of a core? Each CPU has a virtual time of its own,
 * so that vruntimes of two CPUs mean nothing beside each other. core.order:
 *
 * snapshot: both are measured from a snapshot of their queues' min_vruntime. It follows
 * outside forced idle and is frozen when an episode begins, so that the one that waits
 * gains on the one that runs, and they alternate. Where the tasks' groups meet, at every
 * level of groups. Corresponds to cfs_prio_less(), se_fi_update() of Linux 5.14.
 *
 * snapshot_root: the same of the root queues only (version 8 of the series, October
 * 2020).
 *
 * queue: both are measured from the min_vruntime of their own queue, as it is. With one
 * task on each queue both are 0, for ever (prio_less() of versions 2 and 3).
 *
 * root: vruntimes at the root as they are. They mean something beside each other if
 * core.clock is one for the core (version 4).
 *
 * allowance: between cookies only the threads' allowances count (core/allowance.c).
 *
 * forced: both are measured at the root from the min_vruntime of their own queue, which
 * forced idle moves on (core/forced.c).
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

static void snapshot_roots(struct sched *s, const struct rq *rq)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct cfs_rq *cfs = &core_sibling(s, rq, i)->cfs;

		cfs->min_fi = cfs->min_vruntime;
	}
}

void core_order_begins(struct sched *s, const struct rq *rq)
{
	if (s->core_order == ORDER_SNAPSHOT_ROOT && !core_of_rq(s, rq)->in_fi)
		snapshot_roots(s, rq);
}

void core_order_ends(struct sched *s, const struct rq *rq)
{
	const struct core_state *c = core_of_rq(s, rq);

	if (s->core_order == ORDER_SNAPSHOT_ROOT && !c->in_fi && c->fi_count)
		snapshot_roots(s, rq);
	if (s->core_order != ORDER_SNAPSHOT || (c->in_fi && c->fi_count))
		return;
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		const struct rq *sib = core_sibling(s, rq, i);

		if (sib->pick && !sib->pick->rt_prio)
			core_snapshot(&sib->pick->se, c->fi_seq, c->fi_count != 0);
	}
}

static const struct entity *root_of(const struct entity *se)
{
	while (se->parent)
		se = se->parent;
	return se;
}

/* Of one CPU: where both meet in one queue. */
static bool less_on_cpu(const struct task *a, const struct task *b)
{
	const struct entity *x = &a->se, *y = &b->se;

	core_match_groups(&x, &y);
	return (s64)(x->vruntime - y->vruntime) > 0;
}

bool core_less_snapshot(struct sched *s, const struct task *a, const struct task *b,
			bool in_fi)
{
	const struct entity *x = &a->se, *y = &b->se;
	u32 fi_seq = s->core[a->rq->core_first].fi_seq;

	core_match_groups(&x, &y);
	core_snapshot(x, fi_seq, in_fi);
	core_snapshot(y, fi_seq, in_fi);
	return (s64)(x->vruntime - x->cfs->min_fi) > (s64)(y->vruntime - y->cfs->min_fi);
}

bool core_less_snapshot_root(struct sched *s, const struct task *a, const struct task *b,
			     bool in_fi)
{
	const struct entity *x = root_of(&a->se), *y = root_of(&b->se);

	(void)s;
	(void)in_fi;
	if (a->rq == b->rq)
		return less_on_cpu(a, b);
	return (s64)(x->vruntime - x->cfs->min_fi) > (s64)(y->vruntime - y->cfs->min_fi);
}

/* Raw vruntimes on one CPU, though they may be of different queues: as it was. */
bool core_less_queue(struct sched *s, const struct task *a, const struct task *b,
		     bool in_fi)
{
	(void)s;
	(void)in_fi;
	if (a->rq == b->rq)
		return (s64)(a->se.vruntime - b->se.vruntime) > 0;
	return (s64)(a->se.vruntime - a->se.cfs->min_vruntime) >
	       (s64)(b->se.vruntime - b->se.cfs->min_vruntime);
}

bool core_less_root(struct sched *s, const struct task *a, const struct task *b,
		    bool in_fi)
{
	(void)s;
	(void)in_fi;
	if (a->rq == b->rq)
		return less_on_cpu(a, b);
	return (s64)(root_of(&a->se)->vruntime - root_of(&b->se)->vruntime) > 0;
}
