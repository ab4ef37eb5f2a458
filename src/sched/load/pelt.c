/* Per-entity load tracking: see load/pelt.h. */
#include "load/pelt.h"

#include "pelt_table.h"

u64 pelt_decay(u64 value, u64 n)
{
	if (n > 32 * 63)
		return 0;
	if (n >= 32) {
		value >>= n / 32;
		n %= 32;
	}
	return mul_q32(value, pelt_y[n]);
}

/*
 * One span of 1024-ns units that crosses p period boundaries:
 *
 *     d1 finishes the old period, p - 1 full ones, d3 begins the new one
 *     sum' = sum * y^p + d1 * y^p + 1024 * (y^1 + ... + y^(p-1)) + d3
 *
 * The middle term is PELT_MAX - PELT_MAX * y^p - 1024, since PELT_MAX is the whole
 * series; with one boundary, as at every tick, it is 0.
 */
static u32 contribution(u64 periods, u32 d1, u32 d3)
{
	u32 c1, c2;

	if (periods == 1)
		return (u32)mul_q32(d1, pelt_y[1]) + d3;
	c1 = (u32)pelt_decay(d1, periods);
	c2 = PELT_MAX - (u32)pelt_decay(PELT_MAX, periods) - PELT_PERIOD;
	return c1 + c2 + d3;
}

static inline void add(struct pelt *p, u64 load, u64 runnable, bool running, u32 d)
{
	if (!load)
		return;
	p->load_sum += load * d;
	p->runnable_sum += (runnable * d) << 10;
	if (running)
		p->util_sum += d << 10;
}

static __attribute__((noinline)) bool advance_far(struct pelt *p, u64 delta, u64 load,
						  u64 runnable, bool running)
{
	u64 periods = (delta + p->part) / PELT_PERIOD;
	u32 d3 = (u32)((delta + p->part) % PELT_PERIOD);

	p->load_sum = pelt_decay(p->load_sum, periods);
	p->runnable_sum = pelt_decay(p->runnable_sum, periods);
	p->util_sum = (u32)pelt_decay(p->util_sum, periods);
	add(p, load, runnable, running, contribution(periods, PELT_PERIOD - p->part, d3));
	p->part = d3;
	return true;
}

/* One boundary or none is the rule. The rest is a call of its own, made last, so that
 * this function needs few registers. */
bool pelt_advance_slow(struct pelt *p, u64 now, u64 load, u64 runnable, bool running)
{
	u64 delta = (now - p->last) >> 10, end = delta + p->part;
	u32 d = (u32)delta, d3;

	p->last += delta << 10;
	if (end >= 2 * PELT_PERIOD)
		return advance_far(p, delta, load, runnable, running);
	if (end < PELT_PERIOD) {
		p->part = (u32)end;
		add(p, load, runnable, running, d);
		return false;
	}
	d3 = (u32)end - PELT_PERIOD;
	d = contribution(1, PELT_PERIOD - p->part, d3);
	p->load_sum = mul_q32(p->load_sum, pelt_y[1]);
	p->runnable_sum = mul_q32(p->runnable_sum, pelt_y[1]);
	p->util_sum = (u32)mul_q32(p->util_sum, pelt_y[1]);
	p->part = d3;
	add(p, load, runnable, running, d);
	return true;
}

void pelt_average(struct pelt *p, u64 load)
{
	u32 divider = pelt_divider(p);

	p->load_avg = load * p->load_sum / divider;
	p->runnable_avg = p->runnable_sum / divider;
	p->util_avg = p->util_sum / divider;
}
