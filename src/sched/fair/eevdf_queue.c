/*
 * A task through the levels of its groups under EEVDF: enqueue, dequeue that may stop
 * half way and go on later, the change of the running task. Corresponds to
 * enqueue_task_fair(), dequeue_entities(), the end of pick_next_task_fair() of
 * Linux 6.12.
 *
 * A task whose dequeue is delayed counts as queued (rq->nr_running, cfs->nr), not as
 * runnable (cfs->h_nr, but cfs->h_delayed), and is not on the list that the balancer
 * walks. All counts end below a throttled queue, as the levels do.
 */
#include "fair/eevdf.h"

/* By how much the counts of each level change. */
struct change {
	s32 tasks, delayed;
};

/* Returns false if levels above do not see it. */
static bool count_level(struct cfs_rq *cfs, struct change by)
{
	cfs->h_nr += (u32)by.tasks;
	cfs->h_delayed += (u32)by.delayed;
	return !cfs->limit.throttled;
}

static void count_top(struct rq *rq, struct change by)
{
	rq->nr_running += (u32)(by.tasks + by.delayed);
}

/*
 * Levels that stay queued. slice: the shortest of the level below, which the group asks
 * for from now on; 0 = groups ask for the base slice.
 */
static void update_above(struct sched *s, struct rq *rq, struct entity *se,
			 struct change by, u64 slice)
{
	for_each_entity(se)
	{
		struct cfs_rq *cfs = se->cfs;

		load_update(s, cfs, se);
		eevdf_reweight_group(s, se);
		if (slice) {
			se->slice = slice;
			eevdf_slice_changed(se);
			slice = eevdf_min_slice(cfs);
		}
		if (!count_level(cfs, by))
			return;
	}
	count_top(rq, by);
}

static u64 group_slice(const struct sched *s, const struct cfs_rq *cfs)
{
	return s->feat[FEAT_GROUP_SLICE] ? eevdf_min_slice(cfs) : 0;
}

static void enqueue_levels(struct sched *s, struct rq *rq, struct entity *se,
			   bool initial, bool moved)
{
	const struct change by = {.tasks = 1};
	u64 slice = 0;

	for_each_entity(se)
	{
		if (se->on_rq) {
			if (se->delayed)
				eevdf_requeue(s, se);
			break;
		}
		if (slice) {
			se->slice = slice;
			se->custom_slice = true;
		}
		eevdf_enqueue_entity(s, se->cfs, se, initial, moved);
		if (s->limits)
			bandwidth_first(s, se->cfs);
		slice = group_slice(s, se->cfs);
		if (!count_level(se->cfs, by))
			return;
		initial = moved = false;
	}
	update_above(s, rq, se, by, slice);
}

/** A queued task asks for another slice; groups that are throttled hear of it later. */
void eevdf_slice_set(struct sched *s, struct rq *rq, struct entity *se)
{
	touch(s, rq);
	eevdf_slice_changed(se);
	for (; s->feat[FEAT_GROUP_SLICE] && se->parent; se = se->parent) {
		se->parent->slice = eevdf_min_slice(se->cfs);
		eevdf_slice_changed(se->parent);
		if (se->cfs->limit.throttled)
			break;
	}
}

/** The part of fair_enqueue() that the disciplines do not share. */
void eevdf_enqueue(struct sched *s, struct rq *rq, struct task *t, bool moved)
{
	enqueue_levels(s, rq, &t->se, t->state == TASK_NEW, moved);
	if (s->core_able)
		core_enqueue(s, rq, t);
}

/* Upwards until a level has others. Returns false if the task itself stays for now. */
static bool dequeue_levels(struct sched *s, struct rq *rq, struct entity *se,
			   struct change by, u32 how)
{
	const struct entity *first = se;
	bool sleep = how & DEQUEUE_SLEEP;
	u64 slice = 0;

	for (; se; se = se->parent, how = DEQUEUE_SLEEP) {
		struct cfs_rq *cfs = se->cfs;

		if (!eevdf_dequeue_entity(s, cfs, se, how)) {
			if (se == first)
				return false;
			slice = group_slice(s, cfs);
			break;
		}
		if (s->limits)
			bandwidth_return(s, cfs);
		if (!count_level(cfs, by))
			return true;
		if (!cfs->nr)
			continue;
		slice = group_slice(s, cfs);
		se = se->parent;
		/* the group still has work: favour it, its cache is warm */
		if (sleep && !cfs->limit.stopped)
			fair_set_next_buddy(se);
		break;
	}
	update_above(s, rq, se, by, slice);
	return true;
}

/* A task that stays where it is: does it count as runnable? */
static void count_runnable(struct entity *se, s32 tasks)
{
	const struct change by = {.tasks = tasks, .delayed = -tasks};

	for_each_entity(se) if (!count_level(se->cfs, by)) return;
}

/** The same of fair_dequeue(). */
void eevdf_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep)
{
	u32 how = !sleep ? 0 : t->exiting ? DEQUEUE_SLEEP | DEQUEUE_NOW : DEQUEUE_SLEEP;

	if (!dequeue_levels(s, rq, &t->se, (struct change){.tasks = -1}, how)) {
		t->state = TASK_DELAYED;
		count_runnable(&t->se, -1);
	}
	if (s->core_able)
		core_dequeue(s, rq, t);
}

/** The delay of an entity is over: it leaves. */
void eevdf_finish(struct sched *s, struct rq *rq, struct entity *se)
{
	struct change by = {.delayed = se->own ? 0 : -1};

	touch(s, rq);
	dequeue_levels(s, rq, se, by, DEQUEUE_SLEEP | DEQUEUE_FINISH);
	if (!se->own)
		task_of(se)->state = TASK_SLEEPING;
}

void eevdf_end_delay(struct sched *s, struct task *t)
{
	eevdf_finish(s, t->rq, &t->se);
}

/* It wakes up where it is still queued. */
void eevdf_wake_delayed(struct sched *s, struct task *t)
{
	struct rq *rq = t->rq;

	touch(s, rq);
	util_est_enqueue(s, rq, t);
	eevdf_requeue(s, &t->se);
	t->state = TASK_RUNNABLE;
	count_runnable(&t->se, 1);
	mru_link_first(rq, t);
	if (s->core_able)
		core_enqueue(s, rq, t);
}

static bool among_levels(const struct entity *se, const struct entity *of)
{
	for_each_entity(of) if (of == se) return true;
	return false;
}

/* Levels of what runs go back into their trees, but for those of `stay`. */
static void put_levels(struct sched *s, struct rq *rq, const struct entity *stay)
{
	struct entity *se = rq->cfs.curr;

	while (se && se->own && se->own->curr)
		se = se->own->curr;
	for_each_entity(se) if (!among_levels(se, stay)) eevdf_put_entity(s, se);
}

/** A group is to be throttled while it is current: it and what is below are put back. */
void eevdf_put_below(struct sched *s, struct entity *group)
{
	struct entity *se = group, *up = group->parent;

	if (group->cfs->curr != group)
		return;
	while (se->own && se->own->curr)
		se = se->own->curr;
	for (; se != up; se = se->parent)
		eevdf_put_entity(s, se);
}

void eevdf_put_prev(struct sched *s, struct rq *rq)
{
	touch(s, rq);
	put_levels(s, rq, NULL);
}

/*
 * Only levels that change: the task itself, if it goes on, and groups that both are in
 * keep their slice, and whether it is protected.
 */
void eevdf_set_next(struct sched *s, struct rq *rq, struct task *t)
{
	struct entity *se = &t->se;

	touch(s, rq);
	put_levels(s, rq, se);
	for_each_entity(se) if (se->cfs->curr != se) eevdf_set_entity(s, se);
	fair_mru_front(rq, t);
	rq->resched = false; /* whoever left may have met a deadline just now */
}
