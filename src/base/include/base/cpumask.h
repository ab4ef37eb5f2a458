/*
 * Sets of CPUs, sized by the possible CPUs of a machine. All masks of one machine have
 * the same number of words.
 */
#ifndef BASE_CPUMASK_H
#define BASE_CPUMASK_H

#include "base/arena.h"

struct cpumask {
	u32 nwords;
	u64 w[];
};

struct cpumask *cpumask_new(struct arena *a, u32 ncpu);

static inline void cpumask_copy(struct cpumask *to, const struct cpumask *from)
{
	for (u32 i = 0; i < to->nwords; i++)
		to->w[i] = from->w[i];
}

u32 cpumask_weight(const struct cpumask *m);
bool cpumask_equal(const struct cpumask *a, const struct cpumask *b);
/** "0-3,8" with the numbers of the set. */
void cpumask_format(const struct cpumask *m, char *buf, size_t size);

static inline void cpumask_set(struct cpumask *m, u32 cpu)
{
	m->w[cpu / 64] |= 1ull << (cpu % 64);
}

static inline void cpumask_clear(struct cpumask *m, u32 cpu)
{
	m->w[cpu / 64] &= ~(1ull << (cpu % 64));
}

static inline bool cpumask_has(const struct cpumask *m, u32 cpu)
{
	return m->w[cpu / 64] >> (cpu % 64) & 1;
}

static inline bool cpumask_empty(const struct cpumask *m)
{
	for (u32 i = 0; i < m->nwords; i++)
		if (m->w[i])
			return false;
	return true;
}

static inline bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	for (u32 i = 0; i < a->nwords; i++)
		if (a->w[i] & b->w[i])
			return true;
	return false;
}

static inline bool cpumask_subset(const struct cpumask *a, const struct cpumask *of)
{
	for (u32 i = 0; i < a->nwords; i++)
		if (a->w[i] & ~of->w[i])
			return false;
	return true;
}

#define CPU_NONE UINT32_MAX

/** First CPU of the set at or after `from`, or CPU_NONE. */
static inline u32 cpumask_next(const struct cpumask *m, u32 from)
{
	u32 i = from / 64;
	u64 w;

	if (i >= m->nwords)
		return CPU_NONE;
	w = m->w[i] & ~0ull << (from % 64);
	for (;;) {
		if (w)
			return i * 64 + (u32)__builtin_ctzll(w);
		if (++i == m->nwords)
			return CPU_NONE;
		w = m->w[i];
	}
}

/** As cpumask_next, in the intersection of two sets. */
static inline u32 cpumask_next_and(const struct cpumask *a, const struct cpumask *b,
				   u32 from)
{
	u32 i = from / 64;
	u64 w;

	if (i >= a->nwords)
		return CPU_NONE;
	w = a->w[i] & b->w[i] & ~0ull << (from % 64);
	for (;;) {
		if (w)
			return i * 64 + (u32)__builtin_ctzll(w);
		if (++i == a->nwords)
			return CPU_NONE;
		w = a->w[i] & b->w[i];
	}
}

static inline u32 cpumask_first(const struct cpumask *m)
{
	return cpumask_next(m, 0);
}

#define for_each_cpu(cpu, mask)                                  \
	for (u32 cpu = cpumask_next((mask), 0); cpu != CPU_NONE; \
	     cpu = cpumask_next((mask), cpu + 1))

#endif
