/*
 * The core-wide pick of version 3 of the series (29 May 2019) to version 8: class by
 * class, every thread proposes a task that goes with the best so far, or one that beats
 * it; then the others' picks are void and the class begins anew.
 *
 * Against an untagged best a tagged candidate wins a tie, and lone tasks of two threads
 * tie for ever (core.order: queue): tagged tasks displace untagged ones. core.stall_fix
 * turns ties round. Whoever loses is not heard again before the winner blocks: nothing
 * else asks for a pick (core.tick: off).
 *
 * core.strict and core.repick: off are the changes of 10 August 2019. Untagged is a
 * cookie like others; and the threads of who has been displaced idle, though they may
 * have tasks of the new cookie.
 *
 * A thread without tasks of a class, on a core that ran nothing tagged, does not ask the
 * others about that class: a real-time task may lose its CPU to a fair one (known of
 * these versions, gone in version 9).
 */
#include "core/core.h"

/* Real-time, fair. */
#define CLASSES 2u

struct pick {
	struct rq *rq; /* of the thread that picks */
	struct task *max;
	u64 cookie; /* of max */
	u32 restarts;
};

static struct task *best_of_class(struct sched *s, struct rq *sib, u32 class)
{
	return class == 0 ? rt_pick(sib) : s->ops.fair.peek(s, sib);
}

/* f is NULL for idle, which is below everything. */
static bool less(struct sched *s, const struct pick *p, const struct task *a,
		 const struct task *b)
{
	return !a || core_less(s, a, b, core_of_rq(s, p->rq)->in_fi);
}

static bool loses_against_untagged(struct sched *s, const struct pick *p,
				   const struct task *c)
{
	if (s->feat[FEAT_CORE_STALL_FIX])
		return !less(s, p, p->max, c);
	return less(s, p, c, p->max);
}

/* What a thread whose best of the class is c should run, NULL = idle. */
static struct task *choose(struct sched *s, const struct pick *p, struct rq *sib,
			   struct task *c)
{
	struct task *f;

	if (c->cookie == p->cookie)
		return c;
	if (s->feat[FEAT_CORE_STRICT]) {
		if (!p->max || less(s, p, p->max, c))
			return c;
		return p->cookie ? core_find(s, sib, p->cookie) : NULL;
	}
	if (!p->cookie)
		return p->max && loses_against_untagged(s, p, c) ? NULL : c;
	f = core_find(s, sib, p->cookie);
	if (less(s, p, f, c) && (!p->max || less(s, p, p->max, c)))
		return c;
	return f;
}

enum outcome { GO_ON, AGAIN, OVER };

/* One round over the threads that have no pick yet. */
static enum outcome choose_all(struct sched *s, struct pick *p, u32 class)
{
	const struct core_state *c = core_of_rq(s, p->rq);
	u32 n = s->sib_n[p->rq->cpu], at = core_index(s, p->rq);

	for (u32 k = 0; k < n; k++) {
		struct rq *sib = core_sibling(s, p->rq, (at + k) % n);
		struct task *t, *had = p->max;

		if (sib->chosen)
			continue;
		t = best_of_class(s, sib, class);
		if (!t && k == 0 && !c->multi && !had)
			return GO_ON;
		if (!t)
			continue;
		t = choose(s, p, sib, t);
		sib->chosen = true;
		sib->pick = t;
		if (!t || (had && t->cookie == p->cookie))
			continue;
		p->max = t;
		p->cookie = t->cookie;
		if (!had)
			continue;
		core_clear_others(s, p->rq, sib);
		return s->feat[FEAT_CORE_REPICK] && ++p->restarts <= 2 * n ? AGAIN : OVER;
	}
	return GO_ON;
}

struct task *core_pick_v3(struct sched *s, struct rq *rq)
{
	struct core_state *c = core_of_rq(s, rq);
	struct pick p = {.rq = rq};
	struct task *alone;
	u32 occupation;
	enum outcome o = GO_ON;

	if (core_begin(s, rq, &alone))
		return alone;
	core_clear_others(s, rq, NULL);
	for (u32 class = 0; class < CLASSES && o != OVER;) {
		o = choose_all(s, &p, class);
		if (o == GO_ON)
			class ++;
		else
			count(s, o == AGAIN ? DEC_CORE_RESTART : DEC_CORE_DISPLACED);
	}
	c->cookie = p.cookie;
	occupation = core_count_picks(s, rq);
	core_order_ends(s, rq);
	core_publish(s, rq, occupation);
	return rq->pick;
}
