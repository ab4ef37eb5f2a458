/*
 * A task through the levels of its groups: a group is queued above as long as it has
 * tasks below. Corresponds to enqueue_task_fair(), dequeue_task_fair(), task_fork_fair(),
 * put_prev_task_fair(), set_next_task_fair() of Linux 6.1.
 */
#include "fair/levels.h"

/* The balancer looks from the other end. */
void fair_mru_front(struct rq *rq, struct task *t)
{
	if (rq->mru_first == t)
		return;
	mru_unlink(rq, t);
	mru_link_first(rq, t);
}

/*
 * Levels above the last one that was queued or dequeued: only their sums change. False if
 * one of them is throttled: the CPU does not count these tasks, nor do levels above.
 */
static inline bool update_above(struct sched *s, struct entity *se, s32 tasks, bool slow)
{
	for_each_entity(se)
	{
		struct cfs_rq *cfs = se->cfs;

		load_update(s, cfs, se);
		se->runnable = se->own->h_nr;
		group_reweight(s, se);
		cfs->h_nr += (u32)tasks;
		if (slow && cfs->limit.throttled)
			return false;
	}
	return true;
}

/* With EEVDF, limits or cookies: up to the first throttled queue only. */
static __attribute__((noinline)) void
enqueue_slow(struct sched *s, struct rq *rq, struct task *t, bool wakeup, bool moved)
{
	struct entity *se = &t->se;
	bool seen = true;

	if (s->eevdf) {
		eevdf_enqueue(s, rq, t, moved);
		return;
	}
	if (s->core_clock)
		core_clock_sync(s, rq);
	for (; seen && se && !se->on_rq; se = se->parent) {
		fair_enqueue_entity_slow(s, se->cfs, se, wakeup, moved);
		bandwidth_first(s, se->cfs);
		se->cfs->h_nr++;
		seen = !se->cfs->limit.throttled;
		wakeup = true;
		moved = false;
	}
	if (seen && update_above(s, se, 1, true))
		rq->nr_running++;
	if (s->core_able)
		core_enqueue(s, rq, t);
}

static inline void enqueue(struct sched *s, struct rq *rq, struct task *t, bool wakeup,
			   bool moved)
{
	struct entity *se = &t->se;

	for_each_entity(se)
	{
		if (se->on_rq)
			break;
		fair_enqueue_entity(s, se->cfs, se, wakeup, moved);
		se->cfs->h_nr++;
		wakeup = true; /* a group that had no tasks was asleep */
		moved = false;
	}
	update_above(s, se, 1, false);
	rq->nr_running++;
}

void fair_enqueue(struct sched *s, struct rq *rq, struct task *t, bool wakeup, bool moved)
{
	touch(s, rq);
	util_est_enqueue(s, rq, t);
	t->rq = rq;
	if (__builtin_expect(s->queue_slow, false))
		enqueue_slow(s, rq, t, wakeup, moved);
	else
		enqueue(s, rq, t, wakeup, moved);
	t->state = TASK_RUNNABLE;
	mru_link_first(rq, t);
	if (rq->nr_running > 1)
		s->overload = true;
}

static __attribute__((noinline)) void dequeue_slow(struct sched *s, struct rq *rq,
						   struct task *t, bool sleep)
{
	struct entity *se = &t->se;
	bool seen = true;

	if (s->eevdf) {
		eevdf_dequeue(s, rq, t, sleep);
		return;
	}
	if (s->core_clock)
		core_clock_sync(s, rq);
	for (bool gone = sleep; seen && se; se = se->parent, gone = true) {
		struct cfs_rq *cfs = se->cfs;

		fair_dequeue_entity_slow(s, cfs, se, gone);
		bandwidth_return(s, cfs);
		cfs->h_nr--;
		seen = !cfs->limit.throttled;
		if (!cfs->nr || !seen)
			continue;
		se = se->parent;
		if (sleep && !cfs->limit.stopped)
			fair_set_next_buddy(se);
		break;
	}
	if (seen && update_above(s, se, -1, true))
		rq->nr_running--;
	if (s->core_able)
		core_dequeue(s, rq, t);
}

static inline void dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep)
{
	struct entity *se = &t->se;

	for (bool gone = sleep; se; se = se->parent, gone = true) {
		fair_dequeue_entity(s, se->cfs, se, gone);
		se->cfs->h_nr--;
		if (!se->cfs->nr)
			continue;
		se = se->parent;
		/* the group still has work: favour it, its cache is warm */
		if (sleep)
			fair_set_next_buddy(se);
		break;
	}
	update_above(s, se, -1, false);
	rq->nr_running--;
}

/* The caller sets the new state, but for a task whose dequeue waits. */
void fair_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep)
{
	touch(s, rq);
	util_est_dequeue(s, rq, t, sleep);
	t->state = TASK_SLEEPING;
	if (__builtin_expect(s->queue_slow, false))
		dequeue_slow(s, rq, t, sleep);
	else
		dequeue(s, rq, t, sleep);
	mru_unlink(rq, t);
}

/* A child: its parent's vruntime or a slice behind the queue, whichever is later. */
void fair_fork(struct sched *s, struct rq *rq, struct task *t)
{
	struct cfs_rq *cfs = t->se.cfs;
	struct entity *parent = cfs->curr;

	if (s->eevdf)
		return; /* it is placed when it is queued */
	if (s->core_clock)
		core_clock_sync(s, rq);
	fair_update_curr(s, cfs);
	t->se.vruntime = parent ? parent->vruntime : cfs->min_vruntime;
	fair_place(s, cfs, &t->se, true);
	if (s->feat[FEAT_CHILD_RUNS_FIRST] && parent &&
	    (s64)(parent->vruntime - t->se.vruntime) < 0) {
		u64 v = parent->vruntime;

		parent->vruntime = t->se.vruntime;
		t->se.vruntime = v;
		cpu_resched(s, rq, rq->cpu);
	}
	t->se.vruntime -= cfs->min_vruntime;
}

static void put_entity(struct sched *s, struct entity *se)
{
	struct cfs_rq *cfs = se->cfs;

	if (se->on_rq) {
		fair_update_curr(s, cfs);
		load_update_again(s, cfs, se);
		fair_tree_insert(cfs, se);
		cfs->put = se;
		cfs->put_at = s->engine->now;
	}
	cfs->curr = NULL;
}

/*
 * An entity that goes on - the task itself, or a group whose other task is next - keeps
 * the start of its slice.
 */
static void set_entity(struct sched *s, struct entity *se)
{
	struct cfs_rq *cfs = se->cfs;
	u64 now = s->engine->now;

	fair_clear_buddies(cfs, se);
	fair_tree_remove(cfs, se);
	load_update_again(s, cfs, se);
	cfs->curr = se;
	se->exec_start = now;
	if (cfs->put != se || cfs->put_at != now)
		se->prev_sum_exec = se->sum_exec;
}

/*
 * Every level of the running task goes back into its tree, but for those that are no
 * longer queued.
 */
void fair_put_prev(struct sched *s, struct rq *rq, struct task *t)
{
	struct entity *se = &t->se;

	(void)rq;
	/* whoever puts it back touches the queue: what follows dequeues, or picks */
	for_each_entity(se) put_entity(s, se);
}

/* The same under both disciplines, whatever is picked next. */
void fair_put_now(struct sched *s, struct rq *rq, struct task *t)
{
	if (s->eevdf)
		eevdf_put_prev(s, rq);
	else
		fair_put_prev(s, rq, t);
}

/* The task's levels leave their trees: it runs. */
void fair_set_next(struct sched *s, struct rq *rq, struct task *t)
{
	struct entity *se = &t->se;

	if (s->eevdf) {
		eevdf_set_next(s, rq, t);
		return;
	}
	touch(s, rq);
	for_each_entity(se) set_entity(s, se);
	fair_mru_front(rq, t);
}

const struct fair_ops fair_vruntime = {
	.peek = fair_peek,
	.yield = fair_yield,
	.update_curr = fair_update_curr,
	.set_weight = group_entity_weight,
	.slice = fair_slice,
	.check_queue = check_vruntime_queue,
};
