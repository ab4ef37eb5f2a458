/*
 * EEVDF: who runs next, and who makes whom stop. Corresponds to pick_eevdf(),
 * pick_task_fair(), check_preempt_wakeup_fair(), entity_tick(), yield_task_fair() of
 * Linux 6.6 to 6.12.
 */
#include "fair/eevdf.h"

/*
 * The earliest deadline of those who are owed time. The running entity, while it is one
 * of them, keeps the CPU up to the deadline that it was picked for.
 */
static struct entity *earliest_eligible(struct sched *s, const struct cfs_rq *cfs)
{
	struct entity *curr = eevdf_running(cfs), *best;

	if (cfs->nr == 1)
		return curr ? curr : cfs->leftmost;
	if (curr && !eevdf_eligible(cfs, curr->vruntime))
		curr = NULL;
	if (curr && s->feat[FEAT_RUN_TO_PARITY] && eevdf_protected(curr))
		return curr;
	best = eevdf_earliest(cfs);
	if (!best || (curr && eevdf_before(curr, best)))
		best = curr;
	return best;
}

static struct entity *pick_entity(struct sched *s, const struct cfs_rq *cfs)
{
	bool buddies = s->feat[FEAT_PICK_BUDDY] || s->feat[FEAT_NEXT_BUDDY];

	if (buddies && cfs->next && eevdf_eligible(cfs, cfs->next->vruntime)) {
		count(s, DEC_PICK_BUDDY);
		return cfs->next;
	}
	return earliest_eligible(s, cfs);
}

/* What runs is looked at where it is; delayed entities whose turn it is leave. */
static struct task *pick(struct sched *s, struct rq *rq)
{
	struct cfs_rq *cfs = &rq->cfs;

	while (cfs->nr) {
		struct entity *se;

		eevdf_update_curr(s, cfs);
		se = pick_entity(s, cfs);
		if (se->delayed) {
			eevdf_finish(s, rq, se);
			cfs = &rq->cfs;
		} else if (!se->own) {
			return task_of(se);
		} else {
			cfs = se->own;
		}
	}
	return NULL;
}

void eevdf_tick(struct sched *s, struct rq *rq)
{
	struct entity *se = &rq->curr->se;

	for_each_entity(se)
	{
		eevdf_update_curr(s, se->cfs);
		load_update(s, se->cfs, se);
		if (se->own)
			eevdf_reweight_group(s, se);
		if (s->feat[FEAT_ZERO_AVERAGE])
			eevdf_follow_average(s, se->cfs);
	}
}

/* Has the wakee a shorter slice, and a claim that is better than the running one's? */
static bool shorter(const struct sched *s, const struct cfs_rq *cfs,
		    const struct entity *curr, const struct entity *wakee)
{
	if (!s->feat[FEAT_PREEMPT_SHORT] || wakee->slice >= curr->slice)
		return false;
	if (!eevdf_eligible(cfs, wakee->vruntime))
		return false;
	return eevdf_before(wakee, curr) || !eevdf_eligible(cfs, curr->vruntime);
}

/* preempt: lazy. differs from Linux: a timer of that CPU does not notice it either. */
static void preempt(struct sched *s, struct rq *rq, u32 from)
{
	if (s->preempt == 3 && from != rq->cpu)
		cpu_resched_at_tick(s, rq);
	else
		cpu_resched(s, rq, from);
}

/* Policies decide before deadlines do. Returns false if they do not. */
static bool policies_decide(struct sched *s, struct rq *rq, struct entity *curr,
			    const struct entity *wakee, const struct task *t, u32 from)
{
	if (curr->idle && !wakee->idle) {
		if (s->feat[FEAT_PREEMPT_SHORT])
			eevdf_end_protection(curr);
		count(s, DEC_PREEMPT_POLICY);
		preempt(s, rq, from);
		return true;
	}
	if (curr->idle == wakee->idle && t->policy == POLICY_OTHER)
		return false;
	count(s, DEC_PREEMPT_POLICY_NOT);
	return true;
}

/**
 * The last part of fair_check_wakeup(): somebody runs, and need not stop yet.
 */
void eevdf_check_wakeup(struct sched *s, struct rq *rq, struct task *t, u32 from)
{
	struct entity *se = &rq->curr->se, *wakee = &t->se;

	if (!s->feat[FEAT_WAKEUP_PREEMPTION])
		return;
	fair_match_levels(&se, &wakee);
	if (policies_decide(s, rq, se, wakee, t, from))
		return;
	eevdf_update_curr(s, se->cfs);
	if (eevdf_protected(se) && shorter(s, se->cfs, se, wakee)) {
		count(s, DEC_PREEMPT_SHORT);
		eevdf_end_protection(se);
	}
	if (earliest_eligible(s, se->cfs) != wakee) {
		count(s, DEC_PREEMPT_WAKEUP_NOT);
		return;
	}
	count(s, DEC_PREEMPT_DEADLINE);
	preempt(s, rq, from);
}

/*
 * The deadline moves by a slice; from 6.12.y on, if it is owed time, it also gives up
 * what is left of this one.
 */
static void yield(struct sched *s, struct rq *rq, struct task *t)
{
	struct entity *se = &t->se;

	(void)rq;
	fair_clear_buddies(se->cfs, se);
	eevdf_update_curr(s, se->cfs);
	if (s->feat[FEAT_YIELD_FORFEIT]) {
		if (!eevdf_eligible(se->cfs, se->vruntime))
			return;
		se->vruntime = se->deadline;
	}
	se->deadline += fair_delta(se->slice, se);
}

static u64 slice(const struct sched *s, const struct cfs_rq *cfs, const struct entity *se)
{
	(void)s;
	(void)cfs;
	return se->slice;
}

const struct fair_ops fair_eevdf = {
	.peek = pick,
	.yield = yield,
	.update_curr = eevdf_update_curr,
	.set_weight = eevdf_set_weight,
	.slice = slice,
	.check_queue = eevdf_check_queue,
};
