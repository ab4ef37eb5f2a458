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
 * series.
 */
static u32 contribution(u64 periods, u32 d1, u32 d3)
{
	u32 c1, c2;

	/* one boundary, as at every tick: the middle term is 0 */
	if (periods == 1)
		return (u32)mul_q32(d1, pelt_y[1]) + d3;
	c1 = (u32)pelt_decay(d1, periods);
	c2 = PELT_MAX - (u32)pelt_decay(PELT_MAX, periods) - PELT_PERIOD;
	return c1 + c2 + d3;
}

static inline void decay_sums(struct pelt *p, u64 periods)
{
	u64 y;

	if (periods >= 32) {
		p->load_sum = pelt_decay(p->load_sum, periods);
		p->runnable_sum = pelt_decay(p->runnable_sum, periods);
		p->util_sum = (u32)pelt_decay(p->util_sum, periods);
		return;
	}
	y = pelt_y[periods];
	p->load_sum = mul_q32(p->load_sum, y);
	p->runnable_sum = mul_q32(p->runnable_sum, y);
	p->util_sum = (u32)mul_q32(p->util_sum, y);
}

bool pelt_advance_slow(struct pelt *p, u64 now, u64 load, u64 runnable, bool running)
{
	u64 delta, periods;
	u32 d;

	delta = (now - p->last) >> 10;
	p->last += delta << 10;
	if (!load) {
		runnable = 0;
		running = false;
	}
	d = (u32)min_u64(delta, UINT32_MAX);
	delta += p->part;
	periods = delta / PELT_PERIOD;
	if (periods) {
		u32 d3 = (u32)(delta % PELT_PERIOD);

		decay_sums(p, periods);
		if (load)
			d = contribution(periods, PELT_PERIOD - p->part, d3);
		p->part = d3;
	} else {
		p->part = (u32)delta;
	}
	if (load)
		p->load_sum += load * d;
	p->runnable_sum += (runnable * d) << 10;
	if (running)
		p->util_sum += d << 10;
	return periods != 0;
}

void pelt_average(struct pelt *p, u64 load)
{
	u32 divider = pelt_divider(p);

	p->load_avg = load * p->load_sum / divider;
	p->runnable_avg = p->runnable_sum / divider;
	p->util_avg = p->util_sum / divider;
}
