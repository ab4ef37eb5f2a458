/*
 * What the rest of the scheduler calls in the fair class, whichever discipline it has:
 * the part of internal.h that needs its structures. Virtual times in ns of a nice 0 task.
 */
#ifndef SCHED_FAIR_FAIR_H
#define SCHED_FAIR_FAIR_H

#include "internal.h"

/* fair/entity.c: one queue */
void fair_update_curr(struct sched *s, struct cfs_rq *cfs);
void fair_enqueue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			 bool wakeup, bool moved);
void fair_dequeue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			 bool sleep);
/*
 * The same, for all but the one hot caller, into which the compiler then inlines them.
 * They return how many entities the queue has.
 */
u32 fair_enqueue_entity_slow(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			     bool wakeup, bool moved);
u32 fair_dequeue_entity_slow(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			     bool sleep);
void fair_place(struct sched *s, struct cfs_rq *cfs, struct entity *se, bool initial);
u64 fair_slice(const struct sched *s, const struct cfs_rq *cfs, const struct entity *se);
void fair_clear_buddies(struct cfs_rq *cfs, const struct entity *se);

/* fair/queue.c: a task through the levels */
void fair_enqueue(struct sched *s, struct rq *rq, struct task *t, bool wakeup,
		  bool moved);
void fair_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep);
void fair_fork(struct sched *s, struct rq *rq, struct task *t);
void fair_put_prev(struct sched *s, struct rq *rq, struct task *t);
void fair_put_now(struct sched *s, struct rq *rq, struct task *t);
void fair_set_next(struct sched *s, struct rq *rq, struct task *t);
void fair_mru_front(struct rq *rq, struct task *t);

/**
 * Before a pick: the running task goes back to the others. EEVDF looks at it where it is,
 * and puts it back when another one is picked.
 */
static inline void fair_leave(struct sched *s, struct rq *rq, struct task *t)
{
	if (!s->eevdf)
		fair_put_prev(s, rq, t);
}

/* fair/preempt.c */
struct task *fair_pick(struct sched *s, struct rq *rq);
struct task *fair_peek(struct sched *s, struct rq *rq);
void fair_check_wakeup(struct sched *s, struct rq *rq, struct task *t, bool fork,
		       u32 from);
void fair_tick(struct sched *s, struct rq *rq);
void fair_set_next_buddy(struct entity *se);
void fair_yield(struct sched *s, struct rq *rq, struct task *t);

/* fair/eevdf.c */
void eevdf_tick(struct sched *s, struct rq *rq);
void eevdf_check_wakeup(struct sched *s, struct rq *rq, struct task *t, u32 from);

/* fair/eevdf_queue.c */
void eevdf_enqueue(struct sched *s, struct rq *rq, struct task *t, bool moved);
void eevdf_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep);
void eevdf_put_prev(struct sched *s, struct rq *rq);
void eevdf_set_next(struct sched *s, struct rq *rq, struct task *t);
/* ... tasks whose dequeue waits (TASK_DELAYED) */
void eevdf_wake_delayed(struct sched *s, struct task *t);
void eevdf_end_delay(struct sched *s, struct task *t);
void eevdf_slice_set(struct sched *s, struct rq *rq, struct entity *se);

/* fair/weight.c, fair/tree.c */
void fair_set_weight(struct entity *se, u64 weight);
u32 fair_nice_weight(s32 nice);
u32 fair_task_weight(const struct task *t);
struct entity *fair_next(const struct entity *se);
void fair_tree_insert(struct cfs_rq *cfs, struct entity *se);
void fair_tree_remove(struct cfs_rq *cfs, struct entity *se);

/*
 * delta * 1024 / weight, through the reciprocal so that no division is on the hot path:
 *
 *   delta * 1024 * (2^32 / weight) >> 32
 */
static inline u64 fair_delta(u64 delta, const struct entity *se)
{
	if (se->weight == NICE_0_WEIGHT)
		return delta;
	return (u64)(((u128)delta * (NICE_0_WEIGHT * se->inv_weight)) >> 32);
}

#endif
