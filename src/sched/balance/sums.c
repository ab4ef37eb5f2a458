/*
 * Sums over groups of CPUs, so that a balancing pass costs as much as it has groups, not
 * as it has CPUs. A CPU whose numbers changed is marked dirty; before the sums are read
 * each dirty CPU adds the difference to the sums of the spans that contain it.
 *
 * The numbers are the same as those of a walk over the CPUs: sched_check() recounts them.
 */
#include <string.h>

#include "balance/stats.h"

struct cpu_sums sums_of_cpu(const struct sched *s, const struct rq *rq)
{
	struct cpu_sums c;

	c.load = rq->cfs.avg.load_avg;
	c.runnable = rq->cfs.avg.runnable_avg;
	c.util = (u32)cpu_util(rq);
	c.nr_running = rq->nr_running;
	c.idle = cpu_idle(s, rq->cpu);
	c.waiting = rq->nr_running > 1;
	return c;
}

static void sync_cpu(const struct sched *s, struct rq *rq)
{
	struct cpu_sums now = sums_of_cpu(s, rq);
	u64 d0 = now.word[0] - rq->own.word[0], d1 = now.word[1] - rq->own.word[1];
	u64 d2 = now.word[2] - rq->own.word[2], d3 = now.word[3] - rq->own.word[3];

	rq->own = now;
	rq->dirty = false;
	for (u32 i = 0; i < rq->nsums; i++) {
		u64 *word = rq->sums[i]->word;

		word[0] += d0;
		word[1] += d1;
		word[2] += d2;
		word[3] += d3;
	}
}

void sums_sync(struct sched *s)
{
	for (u32 i = 0; i < s->ndirty; i++)
		sync_cpu(s, cpu_rq(s, s->dirty[i]));
	s->ndirty = 0;
}

/* The spans are about to be built anew: sums_build() follows. */
void sums_forget(struct sched *s)
{
	sums_sync(s);
	for (u32 i = 0; i < s->ncpu; i++) {
		s->rq[i].nsums = 0;
		s->rq[i].own = (struct cpu_sums){0};
	}
}

struct known_span {
	const struct cpumask *span;
	struct cpu_sums *sums;
	struct known_span *next;
};

static struct cpu_sums *sums_of_span(struct sched *s, struct known_span **known,
				     const struct cpumask *span)
{
	struct known_span *k;

	for (k = *known; k; k = k->next)
		if (k->span == span)
			return k->sums;
	k = arena_new(s->domain_arena, struct known_span);
	k->span = span;
	k->sums = arena_new(s->domain_arena, struct cpu_sums);
	k->next = *known;
	*known = k;
	for_each_cpu (cpu, span)
		cpu_rq(s, cpu)->nsums++;
	return k->sums;
}

void sums_build(struct sched *s)
{
	struct known_span *known = NULL;

	for_each_cpu (cpu, s->online)
		for_each_domain (sd, cpu_rq(s, cpu)) {
			struct group *g = sd->groups;

			sd->sums = sums_of_span(s, &known, sd->span);
			do {
				sd->capacity += g->capacity;
				if (g->weight == 1)
					g->sums = &cpu_rq(s, cpumask_first(g->span))->own;
				else
					g->sums = sums_of_span(s, &known, g->span);
			} while (g = g->next, g != sd->groups);
		}
	for (u32 i = 0; i < s->ncpu; i++) {
		struct rq *rq = cpu_rq(s, i);

		rq->sums = arena_array(s->domain_arena, struct cpu_sums *, rq->nsums + 1);
		rq->nsums = 0;
		mark_dirty(s, rq);
	}
	for (const struct known_span *k = known; k; k = k->next)
		for_each_cpu (cpu, k->span)
			s->rq[cpu].sums[s->rq[cpu].nsums++] = k->sums;
}
