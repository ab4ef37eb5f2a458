/*
 * Load averages of entities and queues over the life of a task: queued, moved, blocked,
 * gone. A blocked task stays in the sums of its queue and decays there until it wakes up
 * elsewhere. What joins or leaves a group's queue is handed up to the group's entity, so
 * that the level above knows at once. Corresponds to update_load_avg(),
 * attach_entity_load_avg(), detach_entity_load_avg(), propagate_entity_load_avg(),
 * remove_entity_load_avg(), migrate_se_pelt_lag(), post_init_entity_util_avg() and
 * util_est_*() of Linux 6.1.
 *
 * differs from Linux: load sums are never cut to 32 bits, as Linux does on removal.
 */
#include "internal.h"
#include "load/span.h"

#define LEAST_DIVIDER (PELT_MAX - PELT_PERIOD)

static void sub_u64(u64 *from, u64 what)
{
	*from = *from > what ? *from - what : 0;
}

static void sub_u32(u32 *from, u32 what)
{
	*from = *from > what ? *from - what : 0;
}

/* a += d, but not below 0 */
static void add_s64(u64 *a, s64 d)
{
	*a = d < 0 && (u64)-d > *a ? 0 : *a + (u64)d;
}

/* Rounding must not leave an average without its sum. */
static void mend(struct pelt *q)
{
	q->load_sum = max_u64(q->load_sum, q->load_avg * LEAST_DIVIDER);
	q->util_sum = max_u32(q->util_sum, (u32)(q->util_avg * LEAST_DIVIDER));
	q->runnable_sum = max_u64(q->runnable_sum, q->runnable_avg * LEAST_DIVIDER);
}

static inline void queue_changed(struct sched *s, struct cfs_rq *cfs)
{
	if (cfs == &cfs->rq->cfs)
		mark_dirty(s, cfs->rq);
	else
		group_publish(s, cfs);
}

static void hand_up(struct cfs_rq *cfs, s64 sum)
{
	if (cfs == &cfs->rq->cfs)
		return;
	cfs->propagate = true;
	cfs->prop_sum += sum;
}

/* Who has left since the last update: see load_remove(). */
static void take_removed(struct sched *s, struct cfs_rq *cfs)
{
	struct removed r = cfs->removed;
	struct pelt *q = &cfs->avg;
	u64 divider = pelt_divider(q);
	u64 util_sum = q->util_sum;

	cfs->removed = (struct removed){0};
	sub_u64(&q->load_avg, r.load);
	sub_u64(&q->load_sum, r.load * divider);
	sub_u64(&q->util_avg, r.util);
	sub_u64(&util_sum, r.util * divider);
	q->util_sum = (u32)util_sum;
	sub_u64(&q->runnable_avg, r.runnable);
	sub_u64(&q->runnable_sum, r.runnable * divider);
	mend(q);
	/* runnable time stands for the load without its weight; rounds down */
	hand_up(cfs, -(s64)((r.runnable * divider + 1023) >> 10));
	queue_changed(s, cfs);
}

static __attribute__((noinline)) void settle(struct sched *s, struct cfs_rq *cfs)
{
	cfs->unsettled = false;
	if (cfs->fades)
		load_catch_up(cfs);
	if (cfs->removed.nr)
		take_removed(s, cfs);
}

void load_update_cfs(struct sched *s, struct cfs_rq *cfs)
{
	if (__builtin_expect(cfs->unsettled, false))
		settle(s, cfs);
	if (!pelt_advance(&cfs->avg, s->engine->now, cfs->weight, cfs->h_nr,
			  cfs->curr != NULL))
		return;
	pelt_average(&cfs->avg, 1);
	queue_changed(s, cfs);
}

/* An average that did not change leaves the sums as they are. */
static void propagate_util(struct cfs_rq *cfs, struct entity *se)
{
	struct pelt *q = &cfs->avg, *p = &se->avg;
	const struct pelt *own = &se->own->avg;
	u32 divider = pelt_divider(q);
	u64 sum = q->util_sum, runnable_sum;

	if (own->util_avg != p->util_avg) {
		u32 util_sum = (u32)(own->util_avg * divider);

		add_s64(&q->util_avg, (s64)(own->util_avg - p->util_avg));
		add_s64(&sum, (s64)util_sum - (s64)p->util_sum);
		q->util_sum = max_u32((u32)sum, (u32)(q->util_avg * LEAST_DIVIDER));
		p->util_avg = own->util_avg;
		p->util_sum = util_sum;
	}
	if (own->runnable_avg == p->runnable_avg)
		return;
	runnable_sum = own->runnable_avg * divider;
	add_s64(&q->runnable_avg, (s64)(own->runnable_avg - p->runnable_avg));
	add_s64(&q->runnable_sum, (s64)(runnable_sum - p->runnable_sum));
	q->runnable_sum = max_u64(q->runnable_sum, q->runnable_avg * LEAST_DIVIDER);
	p->runnable_avg = own->runnable_avg;
	p->runnable_sum = runnable_sum;
}

/*
 * What joined is runnable time of the group, up to always; what left makes the group as
 * runnable as its tasks are on average. Never below the time that the group ran.
 */
static void propagate_load(struct cfs_rq *cfs, struct entity *se, s64 joined)
{
	struct pelt *q = &cfs->avg, *p = &se->avg;
	u32 divider = pelt_divider(q);
	u64 runnable, avg;

	if (!joined)
		return;
	if (joined > 0) {
		runnable = min_u64((u64)joined + p->load_sum, divider);
	} else {
		u64 mean = se->own->weight ? se->own->avg.load_sum / se->own->weight : 0;

		runnable = min_u64(p->load_sum, mean);
	}
	runnable = max_u64(runnable, p->util_sum >> 10);
	avg = se->weight * runnable / divider;
	if (avg == p->load_avg)
		return;
	add_s64(&q->load_avg, (s64)(avg - p->load_avg));
	add_s64(&q->load_sum, (s64)(se->weight * runnable - se->weight * p->load_sum));
	q->load_sum = max_u64(q->load_sum, q->load_avg * LEAST_DIVIDER);
	p->load_sum = runnable;
	p->load_avg = avg;
}

static void propagate(struct sched *s, struct cfs_rq *cfs, struct entity *se)
{
	s64 joined = se->own->prop_sum;

	se->own->propagate = false;
	se->own->prop_sum = 0;
	hand_up(cfs, joined);
	propagate_util(cfs, se);
	propagate_load(cfs, se, joined);
	queue_changed(s, cfs);
}

static inline bool pass_queue(struct cfs_rq *cfs, const struct pelt_span *x)
{
	return pelt_pass(&cfs->avg, x, cfs->weight, cfs->h_nr, cfs->curr != NULL);
}

static inline void entity_average(struct entity *se)
{
	pelt_average(&se->avg, se->weight);
}

/* The queue, and what is on it: mostly over the same span of time. */
void load_update(struct sched *s, struct cfs_rq *cfs, struct entity *se)
{
	u64 now = s->engine->now, runnable = se->on_rq ? se->runnable : 0;
	bool together = false, running = cfs->curr == se;

	if (__builtin_expect(cfs->unsettled, false))
		settle(s, cfs);
	if (now >= cfs->avg.last + 1024) {
		struct pelt_span x = pelt_span(&cfs->avg, now);

		together = pelt_together(&se->avg, &cfs->avg);
		if (together && pelt_pass(&se->avg, &x, se->on_rq, runnable, running))
			entity_average(se);
		if (pass_queue(cfs, &x)) {
			pelt_average(&cfs->avg, 1);
			queue_changed(s, cfs);
		}
	}
	if (!together && pelt_advance(&se->avg, now, se->on_rq, runnable, running))
		entity_average(se);
	if (se->own && se->own->propagate)
		propagate(s, cfs, se);
}

/* What load_update() does not find in most ticks. */
static inline bool out_of_step(const struct cfs_rq *cfs, const struct entity *se)
{
	return cfs->curr != se || !se->on_rq || cfs->unsettled ||
	       !pelt_together(&se->avg, &cfs->avg) || (se->own && se->own->propagate);
}

/* The levels of a task that just runs on were all brought up to date by the last tick. */
void load_update_running(struct sched *s, struct cfs_rq *cfs, struct entity *se,
			 struct load_span *x)
{
	if (__builtin_expect(out_of_step(cfs, se), false)) {
		load_update(s, cfs, se);
		return;
	}
	if (cfs->avg.last != x->from || cfs->avg.part != x->from_part) {
		if (s->engine->now < cfs->avg.last + 1024)
			return;
		x->from = cfs->avg.last;
		x->from_part = cfs->avg.part;
		x->span = pelt_span(&cfs->avg, s->engine->now);
	}
	if (pelt_pass_running(&se->avg, &x->span, 1, se->runnable))
		entity_average(se);
	if (pelt_pass_running(&cfs->avg, &x->span, cfs->weight, cfs->h_nr)) {
		pelt_average(&cfs->avg, 1);
		queue_changed(s, cfs);
	}
}

/* Sums of an entity from its averages, in the period of the queue that it joins. */
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

static inline __attribute__((always_inline)) void
attach(struct sched *s, struct cfs_rq *cfs, struct entity *se)
{
	struct pelt *q = &cfs->avg;

	load_update_cfs(s, cfs);
	resync(&se->avg, q, se->weight);
	q->load_avg += se->avg.load_avg;
	q->load_sum += se->weight * se->avg.load_sum;
	q->util_avg += se->avg.util_avg;
	q->util_sum += se->avg.util_sum;
	q->runnable_avg += se->avg.runnable_avg;
	q->runnable_sum += se->avg.runnable_sum;
	hand_up(cfs, (s64)se->avg.load_sum);
	queue_changed(s, cfs);
}

void load_attach(struct sched *s, struct cfs_rq *cfs, struct entity *se)
{
	attach(s, cfs, se);
}

/* For EEVDF: a copy of its own, so that the other one is inlined where it is called. */
void load_join(struct sched *s, struct cfs_rq *cfs, struct entity *se, bool moved)
{
	if (moved)
		attach(s, cfs, se);
	else
		load_update(s, cfs, se);
}

void load_detach(struct sched *s, struct cfs_rq *cfs, struct entity *se)
{
	struct pelt *q = &cfs->avg;

	load_update_again(s, cfs, se);
	sub_u64(&q->load_avg, se->avg.load_avg);
	sub_u64(&q->load_sum, se->weight * se->avg.load_sum);
	sub_u64(&q->util_avg, se->avg.util_avg);
	sub_u32(&q->util_sum, se->avg.util_sum);
	sub_u64(&q->runnable_avg, se->avg.runnable_avg);
	sub_u64(&q->runnable_sum, se->avg.runnable_sum);
	mend(q);
	hand_up(cfs, -(s64)se->avg.load_sum);
	queue_changed(s, cfs);
}

/* What it had while it slept, up to `when`. */
static void decay(struct entity *se, u64 when)
{
	if (pelt_advance(&se->avg, when, 0, 0, false))
		pelt_average(&se->avg, se->weight);
}

/*
 * A task that is not queued leaves for good. Its queue is told, and learns of it at its
 * next update. The task's averages are as old as that of the queue; if the CPU is idle
 * they are brought up to now, since the queue may be long out of date.
 */
void load_remove(struct sched *s, struct task *t)
{
	struct cfs_rq *cfs = t->se.cfs;

	if (cfs->fades)
		load_catch_up(cfs);
	/* nothing has happened since: only how far its period got */
	pelt_advance(&cfs->avg, cfs->rq->looked, 0, 0, false);
	decay(&t->se, cfs->avg.last);
	cfs->unsettled = true;
	cfs->removed.nr++;
	cfs->removed.load += t->se.avg.load_avg;
	cfs->removed.util += t->se.avg.util_avg;
	cfs->removed.runnable += t->se.avg.runnable_avg;
	if (!cfs->rq->curr)
		decay(&t->se, s->engine->now);
}

/*
 * A new task is heavy until it shows otherwise; its utilisation is half of what is free,
 * unless its queue is hardly used beside its load. fair_enqueue() attaches it.
 */
void load_init_task(struct sched *s, struct task *t)
{
	struct cfs_rq *cfs = t->se.cfs;
	const struct pelt *q = &cfs->avg;
	struct pelt *p = &t->se.avg;
	u64 cap;

	load_update_cfs(s, cfs);
	cap = (1024 - min_u64(1024, q->util_avg)) / 2;
	p->load_avg = t->se.weight;
	p->util_avg = 0;
	if (cap) {
		p->util_avg = cap;
		if (q->util_avg) {
			/* Linux takes the weight times 1024 here (until 6.9) */
			p->util_avg =
				q->util_avg * t->se.weight * 1024 / (q->load_avg + 1);
			p->util_avg = min_u64(p->util_avg, cap);
		}
	}
	p->runnable_avg = p->util_avg;
}

/* The weight of an attached entity has changed from old_weight. */
void load_reweight(struct sched *s, struct entity *se, u64 old_weight)
{
	struct pelt *q = &se->cfs->avg;
	u64 old_load = se->avg.load_avg, old_sum = old_weight * se->avg.load_sum;

	se->avg.load_avg = se->weight * se->avg.load_sum / pelt_divider(&se->avg);
	sub_u64(&q->load_avg, old_load);
	sub_u64(&q->load_sum, old_sum);
	q->load_sum = max_u64(q->load_sum, q->load_avg * LEAST_DIVIDER);
	q->load_avg += se->avg.load_avg;
	q->load_sum += se->weight * se->avg.load_sum;
	queue_changed(s, se->cfs);
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
	u32 util = (u32)t->se.avg.util_avg;

	if (!s->feat[FEAT_UTIL_EST])
		return;
	sub_u32(&rq->cfs.util_est, est(t));
	if (!sleep)
		return;
	/* ewma += (util - ewma) / 4, but rises at once */
	t->util_est = util;
	if (t->util_ewma < util)
		t->util_ewma += s->feat[FEAT_UTIL_EST_FASTUP] ? util - t->util_ewma
							      : (util - t->util_ewma) / 4;
	else
		t->util_ewma -= (t->util_ewma - util) / 4;
}
