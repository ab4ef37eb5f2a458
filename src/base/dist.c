/* Random durations from tables: see base/dist.h. */
#include "base/dist.h"

#include "quantile_tables.h"

#define LN2_Q32	  2977044472ull /* ln 2 */
#define LOG2E_Q32 6196328019ull /* log2 e */

/* Linear interpolation between table[i] and table[i + 1], frac in Q32. */
static u64 between(const u64 *table, u32 i, u64 frac)
{
	u64 lo = table[i], hi = table[i + 1];

	return hi >= lo ? lo + mul_q32(hi - lo, frac) : lo - mul_q32(lo - hi, frac);
}

/*
 * x = whole + frac; frac selects one of 256 steps, the rest is interpolated:
 *
 *   2^x = 2^whole * T[frac >> 24],  T in Q62
 */
u64 fix_exp2(s64 x)
{
	s64 whole = x >> 32;
	u64 frac = (u64)x & 0xffffffffull;
	u64 m = between(exp2_table, (u32)(frac >> 24), (frac & 0xffffffull) << 8);

	if (whole >= 31)
		return 1ull << 63;
	if (whole < -32)
		return 0;
	return m >> (30 - whole); /* Q62 -> Q32, times 2^whole */
}

/*
 *   x = 2^(63 - z) * (1 + m),  0 <= m < 1
 *   -log2(x / 2^64) = 1 + z - log2(1 + m)
 */
u64 fix_neg_log2(u64 x)
{
	u32 z = (u32)__builtin_clzll(x);
	u64 m = (x << z) << 1; /* fraction in Q64 */
	u64 l = between(log2_table, (u32)(m >> 56), (m << 8) >> 32);

	return ((u64)(z + 1) << 32) - l;
}

/*
 * The top bit is the sign; the other 63 are twice the tail probability:
 *
 *   p = v / 2^64, v in (0, 2^63)     octave k: 2^-(k+2) <= p < 2^-(k+1)
 *   normal_table[k * 65 + j] = z at p = 2^-(k+2) * (1 + j/64)
 */
s64 fix_normal(u64 u)
{
	u64 v = (u & ~(1ull << 63)) | 1;
	u32 k = (u32)__builtin_clzll(v) - 1;
	u64 m, z;

	if (k > 47) {
		k = 47;
		v = 1ull << 15;
	}
	m = (v << (k + 1)) << 1;
	z = between(normal_table + k * 65, (u32)(m >> 58), (m << 6) >> 32);
	return u >> 63 ? (s64)z : -(s64)z;
}

static u64 draw_lognormal(const struct dist *d, u64 u)
{
	s64 z = fix_normal(u);
	s64 x = (s64)(((s128)z * (s64)d->sigma) >> 32);

	x = (s64)(((s128)x * (s64)LOG2E_Q32) >> 32);
	return mul_q32(d->a, fix_exp2(x));
}

static u64 draw_quantiles(const struct dist *d, u64 u)
{
	u128 pos = (u128)u * (d->n - 1);

	return between(d->quantiles, (u32)(pos >> 64), (u64)pos >> 32);
}

u64 dist_draw(const struct dist *d, struct stream *s)
{
	switch (d->kind) {
	case DIST_UNIFORM:
		return stream_range(s, d->a, d->b);
	case DIST_EXP:
		return mul_q32(mul_q32(d->a, fix_neg_log2(stream_u64(s) | 1)), LN2_Q32);
	case DIST_LOGNORMAL:
		return draw_lognormal(d, stream_u64(s));
	case DIST_QUANTILES:
		return draw_quantiles(d, stream_u64(s));
	case DIST_CONST:
		break;
	}
	return d->a;
}
