/*
 * Load averages, as the rest of the scheduler reads and moves them: the part of
 * internal.h that needs its structures. Units of 1024, see internal.h.
 */
#ifndef SCHED_LOAD_LOAD_H
#define SCHED_LOAD_LOAD_H

#include "internal.h"

/* load/attach.c */
void load_update(struct sched *s, struct cfs_rq *cfs, struct entity *se);
void load_update_cfs(struct sched *s, struct cfs_rq *cfs);

/** The span that the levels of a running task have in common: see load_update_running().
 */
struct load_span {
	u64 from; /* where it begins; TIME_NEVER = there is none yet */
	u32 from_part;
	struct pelt_span span;
};

/** load_update() of what runs, level by level at one instant; x->from TIME_NEVER first.
 */
void load_update_running(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			 struct load_span *x);

/** load_update() where somebody has mostly done it at this instant. */
static inline void load_update_again(struct sched *s, struct cfs_rq *cfs,
				     struct entity *se)
{
	u64 now = s->engine->now;

	if (now < cfs->avg.last + 1024 && now < se->avg.last + 1024 && !cfs->unsettled &&
	    !(se->own && se->own->propagate))
		return;
	load_update(s, cfs, se);
}

void load_attach(struct sched *s, struct cfs_rq *cfs, struct entity *se);
void load_join(struct sched *s, struct cfs_rq *cfs, struct entity *se, bool moved);
void load_detach(struct sched *s, struct cfs_rq *cfs, struct entity *se);
void load_remove(struct sched *s, struct task *t);
void load_init_task(struct sched *s, struct task *t);
void load_reweight(struct sched *s, struct entity *se, u64 old_weight);
void util_est_enqueue(struct sched *s, struct rq *rq, const struct task *t);
void util_est_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep);

static inline u64 cpu_load(const struct rq *rq)
{
	return rq->cfs.avg.load_avg;
}

/* load/blocked.c */
void load_update_rq(struct sched *s, struct rq *rq);
void load_catch_up(struct cfs_rq *cfs);
void load_fade_init(struct sched *s);

/* load/runnable.c */
u64 load_runnable(const struct sched *s, const struct rq *rq);

/** The load that placement compares: of all that was here lately, or of the queued. */
static inline u64 placement_load(const struct sched *s, const struct rq *rq)
{
	return s->feat[FEAT_RUNNABLE_LOAD] ? load_runnable(s, rq) : cpu_load(rq);
}

/** What a task is expected to use: task_util_est(), and what it uses now. */
static inline u64 task_util_est(const struct task *t)
{
	return max_u64(t->se.avg.util_avg, max_u32(t->util_est, t->util_ewma));
}

static inline u64 cpu_util(const struct rq *rq)
{
	u64 util = max_u64(rq->cfs.avg.util_avg, rq->cfs.util_est);

	return min_u64(util, 1024);
}

#endif
