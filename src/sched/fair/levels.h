/* What both disciplines do: the list that the balancer walks, levels of two tasks. */
#ifndef SCHED_FAIR_LEVELS_H
#define SCHED_FAIR_LEVELS_H

#include "internal.h"

static inline void mru_link_first(struct rq *rq, struct task *t)
{
	t->mru_prev = NULL;
	t->mru_next = rq->mru_first;
	if (rq->mru_first)
		rq->mru_first->mru_prev = t;
	else
		rq->mru_last = t;
	rq->mru_first = t;
}

static inline void mru_unlink(struct rq *rq, struct task *t)
{
	if (t->mru_prev)
		t->mru_prev->mru_next = t->mru_next;
	else
		rq->mru_first = t->mru_next;
	if (t->mru_next)
		t->mru_next->mru_prev = t->mru_prev;
	else
		rq->mru_last = t->mru_prev;
}

/* Up to the level where both are on one queue. */
static inline void fair_match_levels(struct entity **a, struct entity **b)
{
	u32 da = entity_depth(*a), db = entity_depth(*b);

	for (; da > db; da--)
		*a = (*a)->parent;
	for (; db > da; db--)
		*b = (*b)->parent;
	while ((*a)->cfs != (*b)->cfs) {
		*a = (*a)->parent;
		*b = (*b)->parent;
	}
}

#endif
