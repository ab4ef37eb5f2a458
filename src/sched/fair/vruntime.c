/*
 * Virtual runtime: what a task has had, divided by its weight. Placement of sleepers and
 * newcomers, slices. Corresponds to update_curr(), place_entity(), sched_slice(),
 * enqueue_entity(), dequeue_entity() of Linux 6.1 for a hierarchy of depth one.
 *
 * differs from Linux: no task groups, bandwidth control, SCHED_IDLE or SCHED_BATCH.
 */
#include "internal.h"

static inline u64 later(u64 a, u64 b)
{
	return (s64)(b - a) > 0 ? b : a;
}

static inline u64 earlier(u64 a, u64 b)
{
	return (s64)(b - a) < 0 ? b : a;
}

static void update_min(struct cfs_rq *cfs, const struct task *curr)
{
	u64 v = cfs->min_vruntime;

	if (curr && curr->state == TASK_RUNNABLE) {
		v = curr->vruntime;
		if (cfs->leftmost)
			v = earlier(v, cfs->leftmost->vruntime);
	} else if (cfs->leftmost) {
		v = cfs->leftmost->vruntime;
	}
	cfs->min_vruntime = later(cfs->min_vruntime, v);
}

void fair_update_curr(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;
	u64 delta;

	if (!t || t->rq != rq || s->engine->now <= t->exec_start)
		return;
	delta = s->engine->now - t->exec_start;
	t->exec_start = s->engine->now;
	t->sum_exec += delta;
	t->vruntime += fair_delta(delta, t);
	update_min(&rq->cfs, t);
}

/*
 * period = nr > nr_latency ? nr * min_gran : latency
 * slice  = period * weight / weight of the queue
 *
 * nr counts the task itself if it is not queued yet.
 */
u64 fair_slice(const struct sched *s, const struct rq *rq, const struct task *t)
{
	bool queued = t->state == TASK_RUNNABLE && t->rq == rq;
	u64 nr = s->feat[FEAT_ALT_PERIOD] ? rq->nr_running : rq->cfs.nr;
	u64 weight = rq->cfs.weight, slice;

	if (!queued) {
		nr++;
		weight += t->weight;
	}
	slice = nr > s->nr_latency ? nr * s->min_gran : s->latency;
	if (weight)
		slice = mul_div(slice, t->weight, weight);
	if (s->feat[FEAT_BASE_SLICE])
		slice = max_u64(slice, s->min_gran);
	return slice;
}

void fair_place(struct sched *s, struct rq *rq, struct task *t, bool initial)
{
	u64 v = rq->cfs.min_vruntime;

	if (initial) {
		if (s->feat[FEAT_START_DEBIT])
			v += fair_delta(fair_slice(s, rq, t), t);
	} else {
		v -= s->feat[FEAT_GENTLE_FAIR_SLEEPERS] ? s->latency / 2 : s->latency;
	}
	t->vruntime = later(t->vruntime, v);
}

static void mru_link_first(struct rq *rq, struct task *t)
{
	t->mru_prev = NULL;
	t->mru_next = rq->mru_first;
	if (rq->mru_first)
		rq->mru_first->mru_prev = t;
	else
		rq->mru_last = t;
	rq->mru_first = t;
}

static void mru_unlink(struct rq *rq, struct task *t)
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

static void account_add(struct rq *rq, struct task *t)
{
	rq->cfs.weight += t->weight;
	rq->cfs.nr++;
	rq->nr_running++;
	mru_link_first(rq, t);
}

static void account_sub(struct rq *rq, struct task *t)
{
	rq->cfs.weight -= t->weight;
	rq->cfs.nr--;
	rq->nr_running--;
	mru_unlink(rq, t);
}

/* wakeup: it slept here or elsewhere; moved: its vruntime is relative, it is not attached
 */
void fair_enqueue(struct sched *s, struct rq *rq, struct task *t, bool wakeup, bool moved)
{
	struct cfs_rq *cfs = &rq->cfs;

	touch(s, rq);
	fair_update_curr(s, rq);
	if (moved) {
		t->vruntime += cfs->min_vruntime;
		load_attach(s, rq, t);
	} else {
		load_update(s, rq, t);
	}
	if (wakeup)
		fair_place(s, rq, t, false);
	util_est_enqueue(s, rq, t);
	t->rq = rq;
	t->state = TASK_RUNNABLE;
	t->seq = ++rq->seq;
	account_add(rq, t);
	if (rq->nr_running > 1)
		s->overload = true;
	if (rq->curr != t)
		fair_tree_insert(cfs, t);
	update_min(cfs, rq->curr);
}

/* The caller sets the new state. Leaving for another CPU makes the vruntime relative. */
void fair_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep)
{
	struct cfs_rq *cfs = &rq->cfs;

	touch(s, rq);
	fair_update_curr(s, rq);
	load_update(s, rq, t);
	util_est_dequeue(s, rq, t, sleep);
	fair_clear_buddies(cfs, t);
	if (t->in_tree)
		fair_tree_remove(cfs, t);
	account_sub(rq, t);
	t->state = TASK_SLEEPING;
	if (!sleep) {
		load_detach(s, rq, t);
		t->vruntime -= cfs->min_vruntime;
	}
	update_min(cfs, rq->curr == t ? NULL : rq->curr);
}

/* A child: its parent's vruntime or a slice behind the queue, whichever is later. */
void fair_fork(struct sched *s, struct rq *rq, struct task *t)
{
	struct task *parent = rq->curr;

	fair_update_curr(s, rq);
	t->vruntime = parent ? parent->vruntime : rq->cfs.min_vruntime;
	fair_place(s, rq, t, true);
	if (s->feat[FEAT_CHILD_RUNS_FIRST] && parent &&
	    (s64)(parent->vruntime - t->vruntime) < 0) {
		u64 v = parent->vruntime;

		parent->vruntime = t->vruntime;
		t->vruntime = v;
		cpu_resched(s, rq, rq->cpu);
	}
	t->vruntime -= rq->cfs.min_vruntime;
}

void fair_put_prev(struct sched *s, struct rq *rq, struct task *t)
{
	touch(s, rq);
	if (t->state != TASK_RUNNABLE)
		return;
	fair_update_curr(s, rq);
	load_update(s, rq, t);
	fair_tree_insert(&rq->cfs, t);
}

void fair_set_next(struct sched *s, struct rq *rq, struct task *t)
{
	touch(s, rq);
	if (t->in_tree)
		fair_tree_remove(&rq->cfs, t);
	load_update(s, rq, t);
	t->exec_start = s->engine->now;
	t->prev_sum_exec = t->sum_exec;
	if (rq->mru_first != t) {
		mru_unlink(rq, t);
		mru_link_first(rq, t);
	}
}
