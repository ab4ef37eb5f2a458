/* Sets of CPUs: see base/cpumask.h. */
#include "base/cpumask.h"

#include <stdio.h>
#include <string.h>

struct cpumask *cpumask_new(struct arena *a, u32 ncpu)
{
	u32 words = (ncpu + 63) / 64;
	struct cpumask *m = arena_alloc(a, sizeof(*m) + sizeof(u64) * words);

	m->nwords = words;
	return m;
}

u32 cpumask_weight(const struct cpumask *m)
{
	u32 n = 0;

	for (u32 i = 0; i < m->nwords; i++)
		n += (u32)__builtin_popcountll(m->w[i]);
	return n;
}

bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	return !memcmp(a->w, b->w, sizeof(u64) * a->nwords);
}

void cpumask_format(const struct cpumask *m, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (u32 cpu = cpumask_first(m); cpu != CPU_NONE && at + 16 < size;) {
		u32 last = cpu;

		while (last + 1 < m->nwords * 64 && cpumask_has(m, last + 1))
			last++;
		at += (size_t)snprintf(buf + at, size - at,
				       last > cpu ? "%s%u-%u" : "%s%u", at ? "," : "",
				       cpu, last);
		cpu = cpumask_next(m, last + 1);
	}
}
