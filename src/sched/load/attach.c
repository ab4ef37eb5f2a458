/*
 * Load averages of tasks and queues over the life of a task: queued, moved, blocked,
 * gone. A blocked task stays in the sums of its queue and decays there until it wakes up
 * elsewhere. Corresponds to update_load_avg(), attach_entity_load_avg(),
 * detach_entity_load_avg(), post_init_entity_util_avg() and util_est_*() of Linux 6.1.
 *
 * differs from Linux: a task that wakes up elsewhere leaves its old queue at once, not at
 * the next update of that queue (removed_load).
 */
#include "internal.h"

static void sub_u64(u64 *from, u64 what)
{
	*from = *from > what ? *from - what : 0;
}

static void sub_u32(u32 *from, u32 what)
{
	*from = *from > what ? *from - what : 0;
}

void load_update_rq(struct sched *s, struct rq *rq)
{
	struct cfs_rq *cfs = &rq->cfs;

	if (!pelt_advance(&cfs->avg, s->engine->now, cfs->weight, cfs->nr,
			  rq->curr != NULL))
		return;
	pelt_average(&cfs->avg, 1);
	mark_dirty(s, rq);
}

void load_update(struct sched *s, struct rq *rq, struct task *t)
{
	bool queued = t->state == TASK_RUNNABLE;

	if (pelt_advance(&t->avg, s->engine->now, queued, queued, rq->curr == t))
		pelt_average(&t->avg, t->weight);
	load_update_rq(s, rq);
}

/* Sums of a task from its averages, in the period of the queue that it joins. */
static void resync(struct pelt *p, const struct pelt *with, u64 weight)
{
	u32 divider;

	p->last = with->last;
	p->part = with->part;
	divider = pelt_divider(with);
	p->util_sum = (u32)(p->util_avg * divider);
	p->runnable_sum = p->runnable_avg * divider;
	p->load_sum = p->load_avg * divider;
	p->load_sum = weight < p->load_sum ? p->load_sum / weight : 1;
}

void load_attach(struct sched *s, struct rq *rq, struct task *t)
{
	struct pelt *q = &rq->cfs.avg;

	mark_dirty(s, rq);
	load_update_rq(s, rq);
	resync(&t->avg, q, t->weight);
	q->load_avg += t->avg.load_avg;
	q->load_sum += t->weight * t->avg.load_sum;
	q->util_avg += t->avg.util_avg;
	q->util_sum += t->avg.util_sum;
	q->runnable_avg += t->avg.runnable_avg;
	q->runnable_sum += t->avg.runnable_sum;
}

void load_detach(struct sched *s, struct rq *rq, struct task *t)
{
	struct pelt *q = &rq->cfs.avg;
	u64 least = PELT_MAX - PELT_PERIOD;

	mark_dirty(s, rq);
	load_update(s, rq, t);
	sub_u64(&q->load_avg, t->avg.load_avg);
	sub_u64(&q->load_sum, t->weight * t->avg.load_sum);
	sub_u64(&q->util_avg, t->avg.util_avg);
	sub_u32(&q->util_sum, t->avg.util_sum);
	sub_u64(&q->runnable_avg, t->avg.runnable_avg);
	sub_u64(&q->runnable_sum, t->avg.runnable_sum);
	/* rounding must not leave an average without its sum */
	q->load_sum = max_u64(q->load_sum, q->load_avg * least);
	q->util_sum = max_u32(q->util_sum, (u32)(q->util_avg * least));
	q->runnable_sum = max_u64(q->runnable_sum, q->runnable_avg * least);
}

/*
 * A new task is heavy until it shows otherwise; its utilisation is that of its queue per
 * unit of load, at most half of what is free.
 */
void load_init_task(struct sched *s, struct rq *rq, struct task *t)
{
	struct pelt *q = &rq->cfs.avg;
	struct pelt *p = &t->avg;
	u64 cap;

	load_update_rq(s, rq);
	cap = (1024 - min_u64(1024, q->util_avg)) / 2;
	p->load_avg = t->weight;
	p->util_avg = 0;
	if (cap) {
		p->util_avg = cap;
		if (q->util_avg) {
			p->util_avg = q->util_avg * t->weight / (q->load_avg + 1);
			p->util_avg = min_u64(p->util_avg, cap);
		}
	}
	p->runnable_avg = p->util_avg;
	load_attach(s, rq, t);
}

void load_reweight(struct sched *s, struct task *t, u64 old_weight)
{
	struct rq *rq = t->rq;
	struct pelt *q = &rq->cfs.avg;
	u64 old_load = t->avg.load_avg, old_sum = old_weight * t->avg.load_sum;

	mark_dirty(s, rq);
	pelt_average(&t->avg, t->weight);
	sub_u64(&q->load_avg, old_load);
	sub_u64(&q->load_sum, old_sum);
	q->load_avg += t->avg.load_avg;
	q->load_sum += t->weight * t->avg.load_sum;
}

static u32 est(const struct task *t)
{
	return max_u32(t->util_est, t->util_ewma);
}

void util_est_enqueue(struct sched *s, struct rq *rq, const struct task *t)
{
	if (s->feat[FEAT_UTIL_EST])
		rq->cfs.util_est += est(t);
}

void util_est_dequeue(struct sched *s, struct rq *rq, struct task *t, bool sleep)
{
	u32 util = (u32)t->avg.util_avg;

	if (!s->feat[FEAT_UTIL_EST])
		return;
	sub_u32(&rq->cfs.util_est, est(t));
	if (!sleep)
		return;
	/* ewma += (util - ewma) / 4, but rises at once */
	t->util_est = util;
	if (t->util_ewma < util)
		t->util_ewma = util;
	else
		t->util_ewma -= (t->util_ewma - util) / 4;
}
