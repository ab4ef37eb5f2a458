/* Per-entity load tracking: see load/pelt.h. */
#include "load/span.h"

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
static __attribute__((noinline)) u32 contribution_far(u64 periods, u32 d1, u32 d3)
{
	u32 c1 = (u32)pelt_decay(d1, periods);
	u32 c2 = PELT_MAX - (u32)pelt_decay(PELT_MAX, periods) - PELT_PERIOD;

	return c1 + c2 + d3;
}

u32 pelt_contribution(u64 periods, u32 d1, u32 d3)
{
	if (periods == 1)
		return (u32)mul_q32(d1, pelt_y[1]) + d3;
	return contribution_far(periods, d1, d3);
}

bool pelt_advance_slow(struct pelt *p, u64 now, u64 load, u64 runnable, bool running)
{
	struct pelt_span x = pelt_span(p, now);

	return pelt_pass(p, &x, load, runnable, running);
}
