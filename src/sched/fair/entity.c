/*
 * One queue of the fair class: virtual runtime is what an entity has had, divided by its
 * weight. Placement of sleepers and newcomers, slices. Corresponds to update_curr(),
 * place_entity(), sched_slice(), enqueue_entity(), dequeue_entity() of Linux 6.1.
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

static void update_min(struct cfs_rq *cfs)
{
	const struct entity *curr = cfs->curr;
	u64 v = cfs->min_vruntime;

	if (curr && curr->on_rq) {
		v = curr->vruntime;
		if (cfs->leftmost)
			v = earlier(v, cfs->leftmost->vruntime);
	} else if (cfs->leftmost) {
		v = cfs->leftmost->vruntime;
	}
	cfs->min_vruntime = later(cfs->min_vruntime, v);
}

void fair_update_curr(struct sched *s, struct cfs_rq *cfs)
{
	struct entity *se = cfs->curr;
	u64 delta;

	if (!se || s->engine->now <= se->exec_start)
		return;
	delta = s->engine->now - se->exec_start;
	se->exec_start = s->engine->now;
	se->sum_exec += delta;
	se->vruntime += fair_delta(delta, se);
	update_min(cfs);
}

/* Are all entities of a queue idle? (SCHED_IDLE, cpu.idle) */
static bool only_idle(const struct cfs_rq *cfs)
{
	const struct entity *se = cfs->leftmost;

	if (cfs->curr && cfs->curr->on_rq && !cfs->curr->idle)
		return false;
	while (se && se->idle)
		se = fair_next(se);
	return !se;
}

/*
 * period = nr > nr_latency ? nr * min_gran : latency
 * slice  = period * product over the levels of weight / weight of the queue
 *
 * nr counts the entity itself if it is not queued yet.
 */
static inline u64 share_of_period(const struct sched *s, const struct cfs_rq *cfs,
				  const struct entity *se)
{
	u64 nr = s->feat[FEAT_ALT_PERIOD] ? cfs->rq->cfs.h_nr : cfs->nr, slice;

	nr += !se->on_rq;
	slice = nr > s->nr_latency ? nr * s->min_gran : s->latency;
	for_each_entity(se)
	{
		u64 weight = se->cfs->weight + (se->on_rq ? 0 : se->weight);

		if (weight && weight != se->weight)
			slice = slice < 1ull << 40 && se->weight < 1ull << 24
					? slice * se->weight / weight
					: mul_div(slice, se->weight, weight);
	}
	return slice;
}

/* Beside others an idle entity has a shorter minimum. */
static __attribute__((noinline)) u64
idle_slice(const struct sched *s, const struct cfs_rq *cfs, const struct entity *se)
{
	u64 slice = share_of_period(s, cfs, se);

	if (s->slice_floor && s->feat[FEAT_IDLE_ENTITIES] && !only_idle(cfs))
		return max_u64(slice, s->idle_min_gran);
	return max_u64(slice, s->slice_floor);
}

u64 fair_slice(const struct sched *s, const struct cfs_rq *cfs, const struct entity *se)
{
	if (se->idle)
		return idle_slice(s, cfs, se);
	return max_u64(share_of_period(s, cfs, se), s->slice_floor);
}

static inline __attribute__((always_inline)) void
place(struct sched *s, struct cfs_rq *cfs, struct entity *se, bool initial)
{
	u64 v = cfs->min_vruntime;

	if (initial) {
		if (s->feat[FEAT_START_DEBIT])
			v += fair_delta(fair_slice(s, cfs, se), se);
	} else {
		v -= se->idle ? s->idle_sleeper_credit : s->sleeper_credit;
	}
	se->vruntime = later(se->vruntime, v);
}

void fair_place(struct sched *s, struct cfs_rq *cfs, struct entity *se, bool initial)
{
	place(s, cfs, se, initial);
}

/* wakeup: it slept; moved: its vruntime is relative, its load is not attached */
static __attribute__((always_inline)) inline void enqueue_entity(struct sched *s,
								 struct cfs_rq *cfs,
								 struct entity *se,
								 bool wakeup, bool moved)
{
	fair_update_curr(s, cfs);
	if (moved) {
		se->vruntime += cfs->min_vruntime;
		load_attach(s, cfs, se);
	} else {
		load_update(s, cfs, se);
	}
	if (se->own) {
		se->runnable = se->own->h_nr;
		group_reweight(s, se);
	} else {
		se->runnable = 1;
	}
	cfs->weight += se->weight;
	cfs->nr++;
	if (wakeup)
		place(s, cfs, se, false);
	se->on_rq = true;
	if (cfs->curr != se)
		fair_tree_insert(cfs, se);
	update_min(cfs);
}

void fair_enqueue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			 bool wakeup, bool moved)
{
	enqueue_entity(s, cfs, se, wakeup, moved);
}

u32 fair_enqueue_entity_slow(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			     bool wakeup, bool moved)
{
	enqueue_entity(s, cfs, se, wakeup, moved);
	return cfs->nr;
}

void fair_clear_buddies(struct cfs_rq *cfs, const struct entity *se)
{
	if (cfs->next == se)
		cfs->next = NULL;
	if (cfs->last == se)
		cfs->last = NULL;
	if (cfs->skip == se)
		cfs->skip = NULL;
}

/* Leaving for another CPU makes the vruntime relative. */
static __attribute__((always_inline)) inline void
dequeue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se, bool sleep)
{
	fair_update_curr(s, cfs);
	load_update(s, cfs, se);
	fair_clear_buddies(cfs, se);
	if (se->in_tree)
		fair_tree_remove(cfs, se);
	se->on_rq = false;
	cfs->weight -= se->weight;
	cfs->nr--;
	if (!sleep) {
		load_detach(s, cfs, se);
		se->vruntime -= cfs->min_vruntime;
	}
	if (se->own) {
		se->runnable = se->own->h_nr;
		group_reweight(s, se);
	}
	update_min(cfs);
}

void fair_dequeue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			 bool sleep)
{
	dequeue_entity(s, cfs, se, sleep);
}

u32 fair_dequeue_entity_slow(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			     bool sleep)
{
	dequeue_entity(s, cfs, se, sleep);
	return cfs->nr;
}
