/*
 * The tagged runnable tasks of a CPU, by cookie and then by priority as it was when they
 * were queued: the tree is not sorted again as vruntimes move, and the running task stays
 * in it. Corresponds to sched_core_enqueue(), sched_core_dequeue(), sched_core_find() of
 * Linux 5.14 and later.
 */
#include "core/core.h"

/* Higher priority to the left; of equals the newcomer to the right. */
static int compare(const struct task *a, const struct task *b)
{
	struct sched *s = a->core_sched;

	if (a->cookie != b->cookie)
		return a->cookie < b->cookie ? -1 : 1;
	if (a == b)
		return 0;
	return core_less(s, b, a, s->core[a->rq->core_first].fi_count != 0) ? -1 : 1;
}

RB_GENERATE_INTERNAL(cookie_tree, task, core_node, compare,
		     __attribute__((unused)) static)

void core_enqueue(struct sched *s, struct rq *rq, struct task *t)
{
	core_of_rq(s, rq)->task_seq++;
	core_lock_hold(s, rq, s->cost[COST_CORE_LOCK]);
	if (!t->cookie)
		return;
	t->core_sched = s;
	RB_INSERT(cookie_tree, &rq->cookies, t);
	t->in_cookies = true;
}

/* sleep: it does not come back at once (as it does when only its place changes). */
void core_dequeue(struct sched *s, struct rq *rq, struct task *t)
{
	struct core_state *c = core_of_rq(s, rq);

	c->task_seq++;
	core_lock_hold(s, rq, s->cost[COST_CORE_LOCK]);
	if (t->in_cookies) {
		RB_REMOVE(cookie_tree, &rq->cookies, t);
		t->in_cookies = false;
	}
	/* the last task of a thread that is forced idle is gone: end the episode */
	if (!rq->nr_running && c->fi_count && !rq->curr && rq->online)
		cpu_resched(s, rq, rq->cpu);
}

/* Throttled: its group, or the real-time tasks of its CPU. */
static bool may_not_run(const struct task *t)
{
	return t->rt_prio ? t->rq->rt->throttled : task_throttled(t);
}

/*
 * Without core.find it turns to the wrong side at a task of another cookie, as the series
 * did before its third version: where the tasks of a CPU have two cookies, only those at
 * the root of the tree are found, and the thread idles.
 */
struct task *core_find(const struct sched *s, const struct rq *rq, u64 cookie)
{
	struct task *t = RB_ROOT(&rq->cookies), *best = NULL;
	bool right = s->feat[FEAT_CORE_FIND];

	while (t) {
		bool greater = t->cookie != cookie && (t->cookie < cookie) == right;

		if (t->cookie == cookie)
			best = t;
		t = greater ? RB_RIGHT(t, core_node) : RB_LEFT(t, core_node);
	}
	return best && may_not_run(best) ? core_find_next(best, cookie) : best;
}

/* Throttled tasks stay in the tree; nobody may take them. */
struct task *core_find_next(const struct task *t, u64 cookie)
{
	struct task *next = (struct task *)(uintptr_t)t;

	do {
		next = RB_NEXT(cookie_tree, NULL, next);
	} while (next && next->cookie == cookie && may_not_run(next));
	return next && next->cookie == cookie ? next : NULL;
}
