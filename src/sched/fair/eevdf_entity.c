/*
 * One queue of EEVDF: the running entity pays, meets its deadline and gets the next one;
 * joining and leaving, at once or once what it owes is paid back. Corresponds to
 * update_curr(), update_deadline(), did_preempt_short(), enqueue_entity(),
 * dequeue_entity(), requeue_delayed_entity(), put_prev_entity(), set_next_entity() of
 * Linux 6.6 to 6.12.
 *
 * differs from Linux: if another CPU finds that the running task has met its deadline,
 * its IPI costs no time.
 */
#include "fair/eevdf.h"

/* It has had what it asked for: the next request begins. */
static bool renew_deadline(const struct sched *s, struct entity *se)
{
	if ((s64)(se->vruntime - se->deadline) < 0)
		return false;
	if (!se->custom_slice)
		se->slice = s->base_slice;
	se->deadline = se->vruntime + fair_delta(se->slice, se);
	return true;
}

/* Somebody ended the protection of its slice, and it is owed nothing any more. */
static bool lost_claim(const struct sched *s, const struct cfs_rq *cfs,
		       const struct entity *se)
{
	return s->feat[FEAT_PREEMPT_SHORT] && !eevdf_protected(se) &&
	       !eevdf_eligible(cfs, se->vruntime);
}

void eevdf_update_curr(struct sched *s, struct cfs_rq *cfs)
{
	struct entity *se = cfs->curr;
	bool ended;
	u64 delta;

	if (!se || s->engine->now <= se->exec_start)
		return;
	delta = s->engine->now - se->exec_start;
	se->exec_start = s->engine->now;
	se->sum_exec += delta;
	se->vruntime += fair_delta(delta, se);
	ended = renew_deadline(s, se);
	if (ended && s->feat[FEAT_ZERO_AVERAGE])
		eevdf_follow_average(s, cfs);
	eevdf_update_zero(s, cfs);
	if (cfs->nr == 1 || (!ended && !lost_claim(s, cfs, se)))
		return;
	if (!cfs->rq->resched)
		count(s, ended ? DEC_PREEMPT_SLICE_END : DEC_PREEMPT_INELIGIBLE);
	cpu_resched(s, cfs->rq, cfs->rq->cpu);
	fair_clear_buddies(cfs, se);
}

/* With delayed dequeue a group that has just become empty keeps its weight. */
void eevdf_reweight_group(struct sched *s, struct entity *se)
{
	se->runnable = se->own->h_nr;
	if (se->own->weight || !s->feat[FEAT_DELAY_DEQUEUE])
		group_reweight(s, se);
}

/* initial: it is new; moved: it comes from another CPU, its load is not attached */
void eevdf_enqueue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			  bool initial, bool moved)
{
	eevdf_update_curr(s, cfs);
	load_join(s, cfs, se, moved);
	if (se->own)
		eevdf_reweight_group(s, se);
	else
		se->runnable = 1;
	eevdf_place(s, cfs, se, initial);
	cfs->weight += se->weight;
	cfs->nr++;
	se->on_rq = true;
	if (cfs->curr != se) /* else it has left at this instant, and is back */
		eevdf_insert(cfs, se);
}

static bool must_wait(const struct sched *s, const struct cfs_rq *cfs,
		      const struct entity *se, u32 how)
{
	return s->feat[FEAT_DELAY_DEQUEUE] && how == DEQUEUE_SLEEP &&
	       !eevdf_eligible(cfs, se->vruntime);
}

/**
 * Returns false if it stays for now (se->delayed): it owes time, and competes on without
 * running until the others have had as much.
 */
bool eevdf_dequeue_entity(struct sched *s, struct cfs_rq *cfs, struct entity *se, u32 how)
{
	eevdf_update_curr(s, cfs);
	fair_clear_buddies(cfs, se);
	load_update(s, cfs, se);
	if (must_wait(s, cfs, se, how)) {
		count(s, DEC_DEQUEUE_DELAYED);
		se->delayed = true;
		se->runnable = 0;
		return false;
	}
	se->vlag = eevdf_lag(s, eevdf_follow_average(s, cfs), se);
	if (s->feat[FEAT_PLACE_REL] && !how) {
		se->deadline -= se->vruntime;
		se->rel_deadline = true;
	}
	if (se->in_tree)
		eevdf_remove(cfs, se);
	se->on_rq = false;
	cfs->weight -= se->weight;
	cfs->nr--;
	if (!how)
		load_detach(s, cfs, se);
	if (se->own)
		eevdf_reweight_group(s, se);
	if (how & DEQUEUE_FINISH) {
		count(s, DEC_DEQUEUE_LATE);
		se->delayed = false;
		if (s->feat[FEAT_DELAY_ZERO] && se->vlag > 0)
			se->vlag = 0;
	}
	eevdf_update_zero(s, cfs);
	return true;
}

/* A delayed entity has something to do again. What it is owed by now is forgotten. */
void eevdf_requeue(struct sched *s, struct entity *se)
{
	struct cfs_rq *cfs = se->cfs;
	bool waits = se->in_tree;

	if (s->feat[FEAT_DELAY_ZERO] &&
	    eevdf_lag(s, eevdf_follow_average(s, cfs), se) > 0) {
		if (waits)
			eevdf_remove(cfs, se);
		cfs->nr--;
		se->vlag = 0;
		eevdf_place(s, cfs, se, false);
		cfs->nr++;
		if (waits)
			eevdf_insert(cfs, se);
	}
	load_update(s, cfs, se);
	se->delayed = false;
	se->runnable = se->own ? se->own->h_nr : 1;
}

void eevdf_put_entity(struct sched *s, struct entity *se)
{
	struct cfs_rq *cfs = se->cfs;

	if (se->on_rq) {
		eevdf_update_curr(s, cfs);
		eevdf_insert(cfs, se);
		load_update(s, cfs, se);
	}
	cfs->curr = NULL;
}

void eevdf_set_entity(struct sched *s, struct entity *se)
{
	struct cfs_rq *cfs = se->cfs;

	fair_clear_buddies(cfs, se);
	eevdf_remove(cfs, se);
	load_update(s, cfs, se);
	se->protect = se->deadline;
	cfs->curr = se;
	se->exec_start = s->engine->now;
	se->prev_sum_exec = se->sum_exec;
}
