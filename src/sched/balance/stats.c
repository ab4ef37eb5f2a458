/* Statistics of groups: see balance/stats.h. */
#include "balance/stats.h"

struct cpu_sums stats_partial(const struct sched *s, const struct group *g,
			      const struct cpumask *only)
{
	struct cpu_sums sum = {.word = {0}};

	for (u32 cpu = cpumask_next_and(g->span, only, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, only, cpu + 1)) {
		const struct cpu_sums *c = &s->rq[cpu].own;

		for (u32 w = 0; w < ARRAY_SIZE(sum.word); w++)
			sum.word[w] += c->word[w];
	}
	return sum;
}
