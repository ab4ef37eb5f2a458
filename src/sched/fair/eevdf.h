/*
 * EEVDF, the fair class of Linux 6.6 and later: earliest eligible virtual deadline first.
 *
 * Every entity asks for a slice r of CPU time. In virtual time, which runs for a task of
 * weight w by 1024 / w a ns, entity i has had v_i, and all have had on average
 *
 *                  sum w_i v_i
 *             V = -------------,     lag_i = w_i (V - v_i),     sum lag_i = 0
 *                    sum w_i
 *
 * It is owed time, or eligible, while v_i <= V. Its deadline is where its v_i will be
 * once it has had its slice: d_i = v_i + r_i / w_i when the slice begins.
 *
 *      v_i          V                    d_i
 *   ----|-----------|---------------------|-------->   eligible, deadline d_i
 *
 * V is kept as two sums over the tree, with virtual times counted from a point v0 near by
 * so that products stay small: V = v0 + sum w_i (v_i - v0) / sum w_i.
 */
#ifndef SCHED_FAIR_EEVDF_H
#define SCHED_FAIR_EEVDF_H

#include "fair/levels.h"

/* How an entity leaves its queue. */
enum {
	DEQUEUE_SLEEP = 1,  /* it has nothing to do, and may be delayed */
	DEQUEUE_NOW = 2,    /* ... but must not be: it is dead */
	DEQUEUE_FINISH = 4, /* the delay is over */
};

static inline s64 eevdf_key(const struct cfs_rq *cfs, u64 vruntime)
{
	return (s64)(vruntime - cfs->min_vruntime);
}

static inline struct entity *eevdf_running(const struct cfs_rq *cfs)
{
	return cfs->curr && cfs->curr->on_rq ? cfs->curr : NULL;
}

static inline bool eevdf_before(const struct entity *a, const struct entity *b)
{
	return (s64)(a->deadline - b->deadline) < 0;
}

/** Is its slice safe from wakees? From the pick to the deadline that it had then. */
static inline bool eevdf_protected(const struct entity *se)
{
	return se->protect == se->deadline;
}

static inline void eevdf_end_protection(struct entity *se)
{
	se->protect = se->deadline + 1;
}

/* fair/eevdf_tree.c: entities that wait, by deadline; knows the least vruntime below each
 */
void eevdf_insert(struct cfs_rq *cfs, struct entity *se);
void eevdf_remove(struct cfs_rq *cfs, struct entity *se);
/** The slice of an entity in the tree has changed. */
void eevdf_slice_changed(struct entity *se);
/** Of those in the tree that are eligible, the one of earliest deadline; NULL = none. */
struct entity *eevdf_earliest(const struct cfs_rq *cfs);
/** Shortest slice of a queue, the running entity's included; UINT64_MAX = empty. */
u64 eevdf_min_slice(const struct cfs_rq *cfs);

/* fair/eevdf_lag.c: what is owed */
u64 eevdf_average(const struct cfs_rq *cfs);
u64 eevdf_follow_average(const struct sched *s, struct cfs_rq *cfs);
bool eevdf_eligible(const struct cfs_rq *cfs, u64 vruntime);
s64 eevdf_lag(const struct sched *s, u64 average, const struct entity *se);
void eevdf_place(const struct sched *s, struct cfs_rq *cfs, struct entity *se,
		 bool initial);
void eevdf_set_weight(struct sched *s, struct entity *se, u64 weight);
void eevdf_move_zero(struct cfs_rq *cfs, u64 to);
void eevdf_update_zero(const struct sched *s, struct cfs_rq *cfs);

/* fair/eevdf_entity.c: one queue */
void eevdf_update_curr(struct sched *s, struct cfs_rq *cfs);
void eevdf_enqueue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			  bool initial, bool moved);
bool eevdf_dequeue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			  u32 how);
void eevdf_requeue(struct sched *s, struct entity *se);
void eevdf_put_entity(struct sched *s, struct entity *se);
void eevdf_set_entity(struct sched *s, struct entity *se);
void eevdf_reweight_group(struct sched *s, struct entity *se);

/* fair/eevdf_queue.c: a task through the levels */
void eevdf_put_below(struct sched *s, struct entity *group);
void eevdf_finish(struct sched *s, struct rq *rq, struct entity *se);

/* fair/eevdf_check.c */
int eevdf_check_queue(const struct sched *s, const struct cfs_rq *cfs, struct failure *f);

#endif
