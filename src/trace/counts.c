/*
 * Counts of rounded values. Rounding keeps the order, so the rounded percentile is the
 * percentile of the rounded values: it is exact, and memory is bounded by the number of
 * distinct values that could be printed (a stay in us, a latency in 0.1 us).
 */
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

struct counts_slot {
	u64 value;
	u64 n; /* 0 = free */
};

static struct counts_slot *find(struct counts_slot *slot, u32 cap, u64 value)
{
	u32 i = (u32)((value * 0x9e3779b97f4a7c15ull) >> 32) & (cap - 1);

	while (slot[i].n && slot[i].value != value)
		i = (i + 1) & (cap - 1);
	return &slot[i];
}

static void grow(struct arena *a, struct counts *c)
{
	u32 cap = c->cap ? 2 * c->cap : 8;
	struct counts_slot *slot = arena_array(a, struct counts_slot, cap);

	for (u32 i = 0; i < c->cap; i++)
		if (c->slot[i].n)
			*find(slot, cap, c->slot[i].value) = c->slot[i];
	c->slot = slot;
	c->cap = cap;
}

static void add(struct arena *a, struct counts *c, u64 value, u64 n)
{
	struct counts_slot *s;

	if (2 * c->used >= c->cap)
		grow(a, c);
	s = find(c->slot, c->cap, value);
	c->used += !s->n;
	s->value = value;
	s->n += n;
	c->n += n;
}

void counts_add(struct arena *a, struct counts *c, u64 value)
{
	add(a, c, value, 1);
}

void counts_merge(struct arena *a, struct counts *into, const struct counts *from)
{
	for (u32 i = 0; i < from->cap; i++)
		if (from->slot[i].n)
			add(a, into, from->slot[i].value, from->slot[i].n);
}

static int by_value(const void *x, const void *y)
{
	u64 a = ((const struct counts_slot *)x)->value;
	u64 b = ((const struct counts_slot *)y)->value;

	return a < b ? -1 : a > b;
}

void counts_quantiles(struct arena *a, const struct counts *c, const double *q, u32 nq,
		      u64 *value)
{
	struct counts_slot *s = arena_array(a, struct counts_slot, c->used);
	u32 n = 0, at = 0;
	u64 below = 0;

	for (u32 i = 0; i < c->cap; i++)
		if (c->slot[i].n)
			s[n++] = c->slot[i];
	qsort(s, n, sizeof(*s), by_value);
	for (u32 i = 0; i < nq; i++) {
		u64 index = min_u64(c->n - 1, (u64)(q[i] * (double)c->n));

		while (below + s[at].n <= index)
			below += s[at++].n;
		value[i] = s[at].value;
	}
}
