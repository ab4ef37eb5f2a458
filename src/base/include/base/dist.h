/*
 * Random durations without floating point: inverse distribution functions from fixed
 * tables (tools/gen_quantiles.py). Means and medians are in the unit of the caller.
 */
#ifndef BASE_DIST_H
#define BASE_DIST_H

#include "base/rng.h"

enum dist_kind { DIST_CONST, DIST_UNIFORM, DIST_EXP, DIST_LOGNORMAL, DIST_QUANTILES };

struct dist {
	enum dist_kind kind;
	u64 a;		      /* constant; low; mean; median */
	u64 b;		      /* high of a uniform */
	u64 sigma;	      /* lognormal: SD of the natural log, Q32 */
	const u64 *quantiles; /* n >= 2 values at equal steps of probability */
	u32 n;
};

/** One draw. Exponential: -ln(u) * mean. Lognormal: median * e^(sigma * z). */
u64 dist_draw(const struct dist *d, struct stream *s);

/** 2^x in Q32 for x in signed Q32; saturates at 2^31 and at 0. Relative error < 1e-5. */
u64 fix_exp2(s64 x);

/** log2(x / 2^64) of x > 0 as a positive Q32 number (0 for x near 2^64). */
u64 fix_neg_log2(u64 x);

/** Standard normal quantile for a uniform 64-bit draw, signed Q32. */
s64 fix_normal(u64 u);

#endif
