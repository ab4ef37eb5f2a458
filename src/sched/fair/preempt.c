/*
 * Who runs next, and who makes whom stop. Corresponds to pick_next_entity(),
 * check_preempt_tick(), check_preempt_wakeup(), entity_tick() of Linux 6.1.
 */
#include "core/core.h"
#include "fair/levels.h"
#include "rt/rt.h"

/* Wakeup granularity in the virtual time of the one that wants to run. */
static u64 gran_of(const struct sched *s, const struct entity *se)
{
	return fair_delta(s->wakeup_gran, se);
}

/* 1: `se` should run rather than `curr`; 0: not by enough; -1: it is not even behind. */
static int should_preempt(const struct sched *s, const struct entity *curr,
			  const struct entity *se)
{
	s64 diff = (s64)(curr->vruntime - se->vruntime);

	if (diff <= 0)
		return -1;
	return diff > (s64)gran_of(s, se);
}

/* Who has yielded is passed over, if the next one is not too far behind. */
static __attribute__((noinline)) struct entity *
without_skip(struct sched *s, const struct cfs_rq *cfs, struct entity *left)
{
	struct entity *second;

	if (cfs->skip != left)
		return left;
	second = left == cfs->curr ? cfs->leftmost : fair_next(left);
	if (cfs->curr && cfs->curr->on_rq && left != cfs->curr &&
	    (!second || (s64)(cfs->curr->vruntime - second->vruntime) < 0))
		second = cfs->curr;
	if (!second || should_preempt(s, second, left) >= 1)
		return left;
	count(s, DEC_PICK_SKIP);
	return second;
}

static struct entity *pick_entity(struct sched *s, struct cfs_rq *cfs)
{
	struct entity *left = cfs->leftmost, *curr = cfs->curr, *se;

	/* a running entity is looked at only when its core picks for all threads */
	if (curr && curr->on_rq && (!left || (s64)(curr->vruntime - left->vruntime) < 0))
		left = curr;
	se = left;

	if (cfs->skip)
		se = without_skip(s, cfs, left);
	if (cfs->next && should_preempt(s, cfs->next, left) < 1)
		se = cfs->next;
	else if (cfs->last && should_preempt(s, cfs->last, left) < 1)
		se = cfs->last;
	if (se != left)
		count(s, DEC_PICK_BUDDY);
	return se;
}

/* Nobody is current: the previous task was put back. */
struct task *fair_pick(struct sched *s, struct rq *rq)
{
	struct cfs_rq *cfs = &rq->cfs;

	if (!cfs->nr)
		return NULL;
	for (;;) {
		struct entity *se = pick_entity(s, cfs);

		if (!se->own)
			return task_of(se);
		cfs = se->own;
	}
}

struct task *fair_peek(struct sched *s, struct rq *rq)
{
	struct cfs_rq *cfs = &rq->cfs;

	if (!cfs->nr)
		return NULL;
	for (;;) {
		struct entity *se;

		fair_update_curr(s, cfs);
		se = pick_entity(s, cfs);
		if (!se->own)
			return task_of(se);
		cfs = se->own;
	}
}

static inline void tick_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			       struct load_span *span)
{
	u64 slice, ran;

	fair_update_curr(s, cfs);
	load_update_running(s, cfs, se, span);
	if (se->own)
		group_reweight(s, se);
	if (cfs->nr < 2)
		return;
	slice = fair_slice(s, cfs, se);
	ran = se->sum_exec - se->prev_sum_exec;
	if (ran > slice) {
		count(s, DEC_PREEMPT_TICK_SLICE);
		fair_clear_buddies(cfs, se);
		cpu_resched(s, cfs->rq, cfs->rq->cpu);
		return;
	}
	if (ran < s->min_gran)
		return;
	/* virtual against real time, as Linux has it */
	if ((s64)(se->vruntime - cfs->leftmost->vruntime) > (s64)slice) {
		count(s, DEC_PREEMPT_TICK_VRUNTIME);
		cpu_resched(s, cfs->rq, cfs->rq->cpu);
	}
}

void fair_tick(struct sched *s, struct rq *rq)
{
	struct entity *se = &rq->curr->se;
	struct load_span span;

	span.from = TIME_NEVER;
	if (s->eevdf)
		eevdf_tick(s, rq);
	else
		for_each_entity(se) tick_entity(s, se->cfs, se, &span);
	if (s->limits)
		bandwidth_tick(s, rq);
	if (s->core_on)
		core_tick(s, rq);
}

void fair_set_next_buddy(struct entity *se)
{
	for_each_entity(se) if (se->on_rq) se->cfs->next = se;
}

void sched_yield_cpu(struct sched *s, struct task *t)
{
	struct rq *rq = t->rq;

	cpu_charge(s, rq, SYS_SYSCALL, s->cost[COST_SYSCALL]);
	if (s->stat)
		stat_yield(s, rq);
	if (rq->nr_running < 2)
		return;
	if (t->rt_prio) {
		rt_requeue(s, rq, t, false);
		rq->resched = true;
		return;
	}
	s->ops.fair.yield(s, rq, t);
	rq->resched = true;
}

/* Corresponds to yield_task_fair(). */
void fair_yield(struct sched *s, struct rq *rq, struct task *t)
{
	(void)rq;
	fair_clear_buddies(t->se.cfs, &t->se);
	fair_update_curr(s, t->se.cfs);
	for (struct entity *se = &t->se; se; se = se->parent)
		if (se->on_rq)
			se->cfs->skip = se;
}

static void set_last_buddy(struct entity *se)
{
	for_each_entity(se) if (se->on_rq) se->cfs->last = se;
}

/* Between groups of cpu.idle and others; false: they are equals. */
static bool idle_decides(struct sched *s, struct rq *rq, struct task *curr,
			 struct task *t, u32 from)
{
	struct entity *se = &curr->se, *pse = &t->se;

	fair_match_levels(&se, &pse);
	if (se->idle == pse->idle || !s->feat[FEAT_IDLE_ENTITIES])
		return false;
	if (pse->idle) {
		count(s, DEC_PREEMPT_POLICY_NOT);
		return true;
	}
	count(s, DEC_PREEMPT_POLICY);
	cpu_resched(s, rq, from);
	return true;
}

/*
 * What decides before virtual time does: classes and policies. Returns false if nothing
 * does.
 */
static __attribute__((noinline)) bool
rules_decide(struct sched *s, struct rq *rq, struct task *curr, struct task *t, u32 from)
{
	if (task_throttled(t))
		return true;
	if (curr->rt_prio) {
		count(s, DEC_RT_FAIR_WAITS);
		return true;
	}
	if (s->eevdf) {
		eevdf_check_wakeup(s, rq, t, from);
		return true;
	}
	if (curr->policy == POLICY_IDLE && t->policy != POLICY_IDLE) {
		count(s, DEC_PREEMPT_POLICY);
		cpu_resched(s, rq, from);
		return true;
	}
	if (t->policy == POLICY_OTHER)
		return !s->feat[FEAT_WAKEUP_PREEMPTION] ||
		       idle_decides(s, rq, curr, t, from);
	count(s, DEC_PREEMPT_POLICY_NOT);
	return true;
}

static __attribute__((noinline)) void check_running(struct sched *s, struct rq *rq,
						    struct task *t, bool fork, u32 from)
{
	struct task *curr = rq->curr;
	struct entity *se, *pse = &t->se;
	bool crowded, marked = false;

	crowded = curr->se.cfs->nr >= s->nr_latency;
	if (s->feat[FEAT_NEXT_BUDDY] && crowded && !fork && !pse->idle &&
	    !curr->rt_prio && !task_throttled(t)) {
		fair_set_next_buddy(pse);
		marked = true;
	}
	if (rq->resched)
		return;
	if (s->wakeup_rules && rules_decide(s, rq, curr, t, from))
		return;
	se = &curr->se;
	fair_match_levels(&se, &pse);
	fair_update_curr(s, se->cfs);
	if (should_preempt(s, se, pse) < 1) {
		count(s, DEC_PREEMPT_WAKEUP_NOT);
		return;
	}
	count(s, DEC_PREEMPT_WAKEUP);
	if (!marked)
		fair_set_next_buddy(pse);
	cpu_resched(s, rq, from);
	if (s->feat[FEAT_LAST_BUDDY] && crowded && !se->own)
		set_last_buddy(se);
}

/* Mostly the CPU is idle. */
void fair_check_wakeup(struct sched *s, struct rq *rq, struct task *t, bool fork,
		       u32 from)
{
	if (rq->curr) {
		check_running(s, rq, t, fork, from);
		return;
	}
	count(s, DEC_PREEMPT_IDLE);
	cpu_resched(s, rq, from);
}
