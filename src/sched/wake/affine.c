/*
 * Near the waker or near where it ran before? wake_wide(), record_wakee(), wake_affine()
 * of Linux 6.1.
 */
#include "balance/capacity.h"
#include "internal.h"

static struct wakee *flips_of(struct rq *rq, struct task *waker)
{
	return waker ? &waker->wakee : &rq->idle_wakee;
}

/* A waker that turns to somebody else than last time flips; flips halve every second. */
void wake_record(struct sched *s, struct rq *this_rq, struct task *waker,
		 const struct task *t)
{
	struct wakee *w = flips_of(this_rq, waker);

	if (s->engine->now > w->decayed + NS_PER_SEC) {
		w->flips /= 2;
		w->decayed = s->engine->now;
	}
	if (w->last != t->pid) {
		w->last = t->pid;
		w->flips++;
	}
}

/* Both talk to many, and one to far more: an m:n relation that would not fit one cache.
 */
bool wake_wide(const struct sched *s, const struct rq *this_rq, const struct task *waker,
	       const struct task *t)
{
	u32 a = waker ? waker->wakee.flips : this_rq->idle_wakee.flips;
	u32 b = t->wakee.flips, hi = max_u32(a, b), lo = min_u32(a, b);
	u32 size = this_rq->llc ? this_rq->llc->size : 1;

	if (!s->feat[FEAT_WAKE_WIDE])
		return false;
	return lo >= size && hi >= lo * size;
}

static u32 affine_idle(struct sched *s, const struct rq *this_rq, u32 prev, bool sync)
{
	u32 this = this_rq->cpu;

	if (cpu_idle(s, this) && share_cache(s, this, prev)) {
		bool stay = cpu_idle(s, prev);

		count(s, stay ? DEC_WAKE_AFFINE_IDLE_PREV : DEC_WAKE_AFFINE_IDLE_THIS);
		return stay ? prev : this;
	}
	if (sync && this_rq->nr_running - this_rq->cfs.h_delayed == 1) {
		count(s, DEC_WAKE_AFFINE_SYNC);
		return this;
	}
	if (s->feat[FEAT_WA_PREV_IDLE] && cpu_idle(s, prev)) {
		count(s, DEC_WAKE_AFFINE_IDLE_PREV);
		return prev;
	}
	return CPU_NONE;
}

/*
 * Would this CPU with the wakee carry less than the previous one without it?
 *
 *   (load(this) + load(t)) * 100                 <  (load(prev) - load(t)) * bias
 *   bias = 100 + (imbalance_pct - 100) / 2
 *
 * A sync waker is about to leave, so its own load does not count. Each side counts per
 * what real-time tasks leave of its CPU.
 */
static bool affine_weight(struct sched *s, const struct task *t, const struct rq *this_rq,
			  const struct task *waker, bool sync, u32 prev,
			  const struct domain *sd)
{
	s64 here = (s64)placement_load(s, this_rq), there, load = (s64)task_h_load(s, t);
	s64 bias = s->feat[FEAT_WA_BIAS] ? 100 + (sd->imbalance_pct - 100) / 2 : 100;

	if (sync && waker) {
		if ((s64)task_h_load(s, waker) > here)
			return true;
		here -= (s64)task_h_load(s, waker);
	}
	here += load;
	there = (s64)placement_load(s, &s->rq[prev]) - load;
	if (s->rt) {
		here *= (s64)cpu_capacity(&s->rq[prev]);
		there *= (s64)cpu_capacity(this_rq);
	}
	return here * 100 < there * bias + sync;
}

u32 wake_affine(struct sched *s, struct task *t, struct rq *this_rq, struct task *waker,
		bool sync, const struct domain *sd)
{
	u32 prev = t->rq->cpu, cpu = CPU_NONE;

	if (s->feat[FEAT_WA_IDLE])
		cpu = affine_idle(s, this_rq, prev, sync);
	if (cpu != CPU_NONE)
		return cpu;
	if (s->feat[FEAT_WA_WEIGHT] &&
	    affine_weight(s, t, this_rq, waker, sync, prev, sd)) {
		count(s, DEC_WAKE_AFFINE_WEIGHT);
		return this_rq->cpu;
	}
	count(s, DEC_WAKE_AFFINE_PREV);
	return prev;
}
