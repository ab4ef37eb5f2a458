/*
 * The core-wide pick of Linux 5.14 to 6.1, and what all variants share: the cached pick,
 * publishing, forced idle. Corresponds to pick_next_task() with CONFIG_SCHED_CORE.
 */
#include "core/core.h"

void core_publish(struct sched *s, struct rq *rq, u32 occupation)
{
	struct core_state *c = core_of_rq(s, rq);

	core_pick_charge(s, rq); /* and then the siblings are told */
	if (s->core_order == ORDER_FORCED)
		core_flag_forced(s, rq, true);
	c->pick_seq = c->task_seq;
	rq->core_seq = c->pick_seq;
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);

		if (sib->pick)
			sib->pick->occupation = occupation;
		else
			sib->idle_occupation = occupation;
		sib->has_pick = sib != rq && sib->curr != sib->pick;
		if (sib->has_pick)
			cpu_resched(s, sib, rq->cpu);
	}
}

/* Every thread proposes its best; the best of these names the cookie. */
static struct task *propose(struct sched *s, struct rq *rq, bool in_fi)
{
	u32 n = s->sib_n[rq->cpu], at = core_index(s, rq);
	struct task *max = NULL;

	for (u32 k = 0; k < n; k++) {
		struct rq *sib = core_sibling(s, rq, (at + k) % n);

		sib->pick = core_peek(s, sib);
		if (sib->pick && (!max || core_less(s, max, sib->pick, in_fi)))
			max = sib->pick;
	}
	return max;
}

/* Everybody else finds a task of that cookie, or idles. */
static void make_compatible(struct sched *s, struct rq *rq)
{
	const struct core_state *c = core_of_rq(s, rq);

	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);

		if (sib->pick && sib->pick->cookie != c->cookie)
			sib->pick = c->cookie ? core_find(s, sib, c->cookie) : NULL;
	}
}

/*
 * Forget the last pick of the core. A core that ran untagged tasks only, with no thread
 * forced idle, need not be asked: if this thread's best is untagged, or none, it is the
 * answer (*alone) and the siblings are left as they are. core.mode_forced: off asks for
 * the cookie alone, as version 2 may have; then who has been forced idle by untagged
 * tasks waits until the thread beside it runs out of them.
 */
bool core_begin(struct sched *s, struct rq *rq, struct task **alone)
{
	struct core_state *c = core_of_rq(s, rq);

	c->in_fi = c->fi_count != 0;
	c->multi = c->cookie || (c->in_fi && s->feat[FEAT_CORE_MODE_FORCED]);
	c->cookie = 0;
	c->fi_count = 0;
	c->task_seq++;
	core_order_begins(s, rq);
	if (s->core_order == ORDER_FORCED)
		core_flag_forced(s, rq, false);
	if (c->multi)
		return false;
	*alone = core_peek(s, rq);
	if (*alone && (*alone)->cookie)
		return false;
	rq->has_pick = false;
	count(s, DEC_CORE_SINGLE);
	core_lock_hold(s, rq, s->cost[COST_CORE_LOCK]);
	return true;
}

void core_clear_others(struct sched *s, struct rq *rq, const struct rq *keep)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);

		if (sib == keep)
			continue;
		sib->pick = NULL;
		sib->chosen = false;
	}
}

u32 core_count_picks(struct sched *s, struct rq *rq)
{
	struct core_state *c = core_of_rq(s, rq);
	u32 occupation = 0;

	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		const struct rq *sib = core_sibling(s, rq, i);

		if (sib->pick) {
			occupation++;
		} else if (sib->nr_running) {
			c->fi_count++;
			c->fi_seq += !c->in_fi;
		}
	}
	return occupation;
}

struct task *core_pick_mainline(struct sched *s, struct rq *rq)
{
	struct core_state *c = core_of_rq(s, rq);
	struct task *max, *alone;
	u32 occupation;

	if (core_begin(s, rq, &alone)) {
		if (alone && !alone->rt_prio && s->core_order == ORDER_SNAPSHOT)
			core_snapshot(&alone->se, c->fi_seq, false);
		return alone;
	}
	max = propose(s, rq, c->in_fi);
	c->cookie = max ? max->cookie : 0;
	make_compatible(s, rq);
	occupation = core_count_picks(s, rq);
	core_order_ends(s, rq);
	core_publish(s, rq, occupation);
	return rq->pick;
}

/*
 * What goes on begins another slice, at every level of groups: the last one was put back
 * and is set anew. (Without core scheduling, and from 6.12 on with it, whoever is picked
 * again keeps its slice.)
 */
static void new_slice(struct sched *s, struct task *t)
{
	struct entity *se = &t->se;

	if (!s->eevdf && !t->rt_prio)
		for_each_entity(se) se->cfs->put = NULL;
}

/* The pick that another thread made for this one, or a new one for the core. */
struct task *core_pick(struct sched *s, struct rq *rq)
{
	struct core_state *c = core_of_rq(s, rq);
	struct task *t;

	cpu_account(s, rq); /* what was, before flags and picks change */
	if (s->core_clock)
		core_clock_sync(s, rq);
	if (c->pick_seq == c->task_seq && c->pick_seq != rq->core_seq && rq->has_pick &&
	    !(rq->pick && task_throttled(rq->pick))) {
		rq->core_seq = c->pick_seq;
		rq->has_pick = false;
		count(s, DEC_CORE_CACHED);
		core_lock_hold(s, rq, s->cost[COST_CORE_LOCK]);
		t = rq->pick;
	} else {
		if (!rq->nr_running)
			balance_newidle(s, rq);
		t = s->ops.core_pick(s, rq);
	}
	if (t)
		new_slice(s, t);
	rq->forced_idle = !t && rq->nr_running;
	if (rq->forced_idle) {
		count(s, DEC_CORE_FORCED_IDLE);
		rq->steal = c->cookie != 0;
	}
	return t;
}

/* All threads idle: any cookie is welcome; else it must be the core's. */
bool core_match(const struct sched *s, u32 cpu, const struct task *t)
{
	return !s->core_on || (s->feat[FEAT_CORE_MATCH_IDLE] && core_idle(s, cpu)) ||
	       s->core[s->rq[cpu].core_first].cookie == t->cookie;
}

static bool scan_takes(const struct sched *s, u32 cpu, const struct task *t)
{
	if (s->feat[FEAT_CORE_SCAN_IDLE])
		return core_match(s, cpu, t);
	return s->core_on && s->core[s->rq[cpu].core_first].cookie == t->cookie;
}

bool core_cpu_match(const struct sched *s, u32 cpu, const struct task *t)
{
	return !s->core_ask || scan_takes(s, cpu, t);
}

bool core_numa_match(const struct sched *s, u32 cpu, const struct task *t)
{
	return !s->feat[FEAT_CORE_COOKIE_NUMA] || core_match(s, cpu, t);
}
