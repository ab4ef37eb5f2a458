/*
 * The core-wide pick of version 2 of the series (23 April 2019), with its faults:
 *
 * Leak: a candidate of lower priority than the best so far is taken without a look at its
 * cookie, and choosing for an untagged best looks at none either, so that tagged and
 * untagged tasks run side by side.
 *
 * Starvation: priorities across CPUs are measured from each queue's own min_vruntime
 * (core.order: queue), so that ties go to whoever schedules.
 *
 * Its search turns to the wrong side of the tree of cookies: core.find (core/queue.c).
 *
 * Reconstructed from the mails of April and May 2019 on the series; bookkeeping of the
 * single- and multi-thread mode is the likelier of two readings.
 */
#include "core/core.h"

static struct task *choose(struct sched *s, struct rq *sib, const struct task *max)
{
	struct task *c = core_peek(s, sib), *f;

	if (!max || !max->cookie)
		return c;
	f = core_find(s, sib, max->cookie);
	if (!c)
		return f;
	if ((!f || core_less(s, f, c, false)) && core_less(s, max, c, false))
		return c;
	return f;
}

/* One round over the threads without a choice; false = start again. */
static bool choose_all(struct sched *s, struct rq *rq, struct task **max)
{
	u32 n = s->sib_n[rq->cpu], at = core_index(s, rq);

	for (u32 k = 0; k < n; k++) {
		struct rq *sib = core_sibling(s, rq, (at + k) % n);
		struct task *c, *had = *max;

		if (sib->chosen)
			continue;
		c = choose(s, sib, *max);
		sib->chosen = true;
		sib->pick = c;
		if (!c || (had && !core_less(s, had, c, false)))
			continue; /* trusted as it is: the leak */
		*max = c;
		if (!had || had->cookie == c->cookie)
			continue;
		core_clear_others(s, rq, sib);
		return false;
	}
	return true;
}

struct task *core_pick_v2(struct sched *s, struct rq *rq)
{
	struct core_state *c = core_of_rq(s, rq);
	struct task *max = NULL, *alone;
	u32 occupation, restarts = 0;

	if (core_begin(s, rq, &alone))
		return alone;
	core_clear_others(s, rq, NULL);
	/* max only rises, so that every restart has a higher one: as many as threads */
	while (!choose_all(s, rq, &max) && ++restarts <= s->sib_n[rq->cpu])
		count(s, DEC_CORE_RESTART);
	c->cookie = max ? max->cookie : 0;
	occupation = core_count_picks(s, rq);
	core_order_ends(s, rq);
	core_publish(s, rq, occupation);
	return rq->pick;
}
