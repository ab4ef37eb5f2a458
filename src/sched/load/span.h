/*
 * One span of time for several PELTs. What is on a queue and the queue itself are mostly
 * brought up to date together, so that they have the same span: it is taken apart once.
 * (Linux does it for each: ___update_load_sum(), accumulate_sum().) Time in units of
 * 1024 ns unless said otherwise.
 */
#ifndef SCHED_SPAN_H
#define SCHED_SPAN_H

#include "load/pelt.h"
#include "load/pelt_table.h"

/** Two PELTs have the same span. */
static inline bool pelt_together(const struct pelt *a, const struct pelt *b)
{
	return a->last == b->last && a->part == b->part;
}

/** now: not before p->last + 1024 ns. */
static inline struct pelt_span pelt_span(const struct pelt *p, u64 now)
{
	u64 delta = (now - p->last) >> 10, end = delta + p->part;
	struct pelt_span x = {
		.last = p->last + (delta << 10),
		.periods = end / PELT_PERIOD,
		.part = (u32)end % PELT_PERIOD,
		.worth = (u32)delta,
	};

	if (x.periods)
		x.worth = pelt_contribution(x.periods, PELT_PERIOD - p->part, x.part);
	return x;
}

/* sum * y^n, n > 0 */
static inline void pelt_shrink(struct pelt *p, u64 n)
{
	if (n < ARRAY_SIZE(pelt_y)) {
		u64 y = pelt_y[n];

		p->load_sum = mul_q32(p->load_sum, y);
		p->runnable_sum = mul_q32(p->runnable_sum, y);
		p->util_sum = (u32)mul_q32(p->util_sum, y);
		return;
	}
	p->load_sum = pelt_decay(p->load_sum, n);
	p->runnable_sum = pelt_decay(p->runnable_sum, n);
	p->util_sum = (u32)pelt_decay(p->util_sum, n);
}

/** A PELT goes over its span; arguments and result as those of pelt_advance(). */
static inline bool pelt_pass(struct pelt *p, const struct pelt_span *x, u64 load,
			     u64 runnable, bool running)
{
	p->last = x->last;
	p->part = x->part;
	if (x->periods)
		pelt_shrink(p, x->periods);
	if (load) {
		p->load_sum += load * x->worth;
		p->runnable_sum += (runnable * x->worth) << 10;
		if (running)
			p->util_sum += x->worth << 10;
	}
	return x->periods != 0;
}

/** pelt_pass() of what runs, and so has some load. */
static inline bool pelt_pass_running(struct pelt *p, const struct pelt_span *x, u64 load,
				     u64 runnable)
{
	p->last = x->last;
	p->part = x->part;
	if (x->periods)
		pelt_shrink(p, x->periods);
	p->load_sum += load * x->worth;
	p->runnable_sum += (runnable * x->worth) << 10;
	p->util_sum += x->worth << 10;
	return x->periods != 0;
}

#endif
