/*
 * Who runs next, and who makes whom stop. Corresponds to pick_next_entity(),
 * check_preempt_tick(), check_preempt_wakeup(), entity_tick() of Linux 6.1.
 *
 * differs from Linux: no skip buddy, since there is no yield yet.
 */
#include "internal.h"

/* Wakeup granularity in the virtual time of the one that wants to run. */
static u64 gran_of(const struct sched *s, const struct task *t)
{
	return fair_delta(s->wakeup_gran, t);
}

/* 1: `t` should run rather than `curr`; 0: not by enough; -1: it is not even behind. */
static int should_preempt(const struct sched *s, const struct task *curr,
			  const struct task *t)
{
	s64 diff = (s64)(curr->vruntime - t->vruntime);

	if (diff <= 0)
		return -1;
	return diff > (s64)gran_of(s, t);
}

struct task *fair_pick(struct sched *s, struct rq *rq)
{
	struct cfs_rq *cfs = &rq->cfs;
	struct task *left = cfs->leftmost, *t = left;

	if (!left)
		return NULL;
	if (cfs->next && should_preempt(s, cfs->next, left) < 1)
		t = cfs->next;
	else if (cfs->last && should_preempt(s, cfs->last, left) < 1)
		t = cfs->last;
	if (t != left)
		count(s, DEC_PICK_BUDDY);
	fair_clear_buddies(cfs, t);
	return t;
}

void fair_clear_buddies(struct cfs_rq *cfs, const struct task *t)
{
	if (cfs->next == t)
		cfs->next = NULL;
	if (cfs->last == t)
		cfs->last = NULL;
}

void fair_tick(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;
	u64 slice, ran;

	fair_update_curr(s, rq);
	load_update(s, rq, t);
	if (rq->cfs.nr < 2)
		return;
	slice = fair_slice(s, rq, t);
	ran = t->sum_exec - t->prev_sum_exec;
	if (ran > slice) {
		count(s, DEC_PREEMPT_TICK_SLICE);
		fair_clear_buddies(&rq->cfs, t);
		cpu_resched(s, rq, rq->cpu);
		return;
	}
	if (ran < s->min_gran)
		return;
	/* virtual against real time, as Linux has it */
	if ((s64)(t->vruntime - rq->cfs.leftmost->vruntime) > (s64)slice) {
		count(s, DEC_PREEMPT_TICK_VRUNTIME);
		cpu_resched(s, rq, rq->cpu);
	}
}

void fair_check_wakeup(struct sched *s, struct rq *rq, struct task *t, bool fork,
		       u32 from)
{
	struct cfs_rq *cfs = &rq->cfs;
	struct task *curr = rq->curr;

	if (!curr) {
		count(s, DEC_PREEMPT_IDLE);
		cpu_resched(s, rq, from);
		return;
	}
	if (s->feat[FEAT_NEXT_BUDDY] && cfs->nr >= s->nr_latency && !fork)
		cfs->next = t;
	if (rq->resched || !s->feat[FEAT_WAKEUP_PREEMPTION])
		return;
	fair_update_curr(s, rq);
	if (should_preempt(s, curr, t) < 1) {
		count(s, DEC_PREEMPT_WAKEUP_NOT);
		return;
	}
	count(s, DEC_PREEMPT_WAKEUP);
	cfs->next = t;
	cpu_resched(s, rq, from);
	if (s->feat[FEAT_LAST_BUDDY] && cfs->nr >= s->nr_latency)
		cfs->last = curr;
}
