/*
 * The online threads of each core, next to each other in one array. (cpu_smt_mask() in
 * Linux.) An offline CPU has none, but keeps to its core as long as another thread of it
 * is online: what a task has left in the caches is still there.
 */
#include "internal.h"

/* The online CPUs from `cpu` on that share its core. */
static u32 collect(struct sched *s, u32 cpu, u32 *to)
{
	const struct machine *m = s->machine;
	u32 n = 0;

	for (u32 i = cpumask_next(s->online, cpu); i != CPU_NONE;
	     i = cpumask_next(s->online, i + 1))
		if (m->cpu[i].core == m->cpu[cpu].core)
			to[n++] = i;
	return n;
}

void siblings_find(struct sched *s)
{
	u32 at = 0;

	for (u32 i = 0; i < s->ncpu; i++) {
		s->sib_n[i] = 0;
		s->rq[i].core_first = i;
	}
	for_each_cpu (cpu, s->online) {
		u32 n;

		if (s->sib_n[cpu])
			continue;
		n = collect(s, cpu, &s->sib[at]);
		for (u32 i = at; i < at + n; i++) {
			s->sib_at[s->sib[i]] = at;
			s->sib_n[s->sib[i]] = n;
			s->rq[s->sib[i]].core_first = cpu;
		}
		at += n;
	}
	for (u32 i = 0; i < s->ncpu; i++)
		for_each_cpu (cpu, s->online) {
			if (s->sib_n[i])
				break;
			if (s->machine->cpu[cpu].core != s->machine->cpu[i].core)
				continue;
			s->rq[i].core_first = s->rq[cpu].core_first;
			break;
		}
}
