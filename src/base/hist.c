/* Log-linear histogram: see base/hist.h. */
#include "base/hist.h"

/*
 * value < 64:  bucket = value
 * otherwise:   o = floor(log2(value)) - 6;  bucket = 64 * (o + 1) + (value >> o) - 64
 */
u32 hist_bucket(u64 v)
{
	u32 o;

	if (v < HIST_STEPS)
		return (u32)v;
	o = 57u - (u32)__builtin_clzll(v);
	return HIST_STEPS * (o + 1) + (u32)((v >> o) - HIST_STEPS);
}

static u64 bucket_middle(u32 b)
{
	u32 o;

	if (b < HIST_STEPS)
		return b;
	o = b / HIST_STEPS - 1;
	return ((u64)(HIST_STEPS + b % HIST_STEPS) << o) + (o ? (1ull << o) / 2 : 0);
}

void hist_add(struct hist *h, u64 value)
{
	h->n++;
	h->sum += value;
	h->max = max_u64(h->max, value);
	h->bucket[hist_bucket(value)]++;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	into->n += from->n;
	into->sum += from->sum;
	into->max = max_u64(into->max, from->max);
	for (u32 i = 0; i < HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

u64 hist_quantile(const struct hist *h, u32 permyriad)
{
	u64 rank = mul_div(h->n, permyriad, 10000), seen = 0;

	if (rank >= h->n)
		return h->max;
	for (u32 i = 0; i < HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen > rank)
			return min_u64(bucket_middle(i), h->max);
	}
	return h->max;
}
