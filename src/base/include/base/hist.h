/*
 * Log-linear histogram of u64 values: 64 steps to the octave, so that a percentile is
 * exact below 128 and within 1/64 (1.6 %) above. Memory is fixed.
 */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include "base/types.h"

#define HIST_STEPS   64u
#define HIST_OCTAVES 58u
#define HIST_BUCKETS (HIST_STEPS * (HIST_OCTAVES + 1))

struct hist {
	u64 n, max;
	u128 sum;
	u64 bucket[HIST_BUCKETS];
};

/** Where a value is counted, below HIST_BUCKETS. */
u32 hist_bucket(u64 value);

void hist_add(struct hist *h, u64 value);
void hist_merge(struct hist *into, const struct hist *from);

/**
 * Value at `permyriad`/10000 of the sorted values (index floor(q * n), as
 * oracle/tools/summarise.py takes it); the middle of its bucket, never above the
 * maximum. 0 if empty.
 */
u64 hist_quantile(const struct hist *h, u32 permyriad);

#endif
