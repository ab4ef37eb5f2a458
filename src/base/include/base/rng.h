/*
 * Counter-based random streams (Philox4x32-10, Salmon et al., "Parallel random numbers:
 * as easy as 1, 2, 3", SC 2011; the Random123 library).
 *
 * Each entity has its own stream. A child's key is a function of its parent's key and of
 * its number among the siblings only, so that two kernels that fork the same tasks in
 * another order still meet the same tasks with the same draws.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/types.h"

struct stream {
	u64 key;  /* who */
	u64 next; /* how many draws were made */
};

/** The root stream of a run. */
struct stream stream_root(u64 seed);

/** The n-th child of a stream. Does not advance the parent. */
struct stream stream_child(const struct stream *parent, u64 n);

/** Uniform on 0..2^64-1. */
u64 stream_u64(struct stream *s);

/** Uniform on lo..hi inclusive (multiply-shift: bias below 2^-32 for spans below 2^32).
 */
u64 stream_range(struct stream *s, u64 lo, u64 hi);

#endif
