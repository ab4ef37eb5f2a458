/*
 * Tasks whose faults find each other's pages form a group, which is placed by the sum of
 * its members' counters. Corresponds to task_numa_group(), task_numa_free() of Linux 6.1.
 *
 * differs from Linux: groups are told apart by the order of their making where Linux
 * takes their addresses; pages shared between address spaces, which would join their
 * tasks too, are not modelled.
 */
#include <string.h>

#include "numa/balancing.h"

static u32 counters(const struct memory *m)
{
	return FAULTS_KINDS * 2 * m->nnode;
}

static struct numa_group *group_new(struct sched *s, const struct numa_task *nt)
{
	struct memory *m = s->memory;
	struct numa_group *g = pool_get(&m->groups);

	g->id = m->next_group++;
	g->tasks = 1;
	g->active_nodes = 1;
	g->faults = (u64 *)(void *)(g + 1);
	memcpy(g->faults, nt->faults, sizeof(u64) * counters(m));
	g->total = nt->total;
	return g;
}

static void leave(struct sched *s, struct numa_task *nt)
{
	struct numa_group *g = nt->group;

	for (u32 i = 0; i < counters(s->memory); i++)
		g->faults[i] -= nt->faults[i];
	g->total -= nt->total;
	nt->group = NULL;
	if (!--g->tasks)
		pool_put(&s->memory->groups, g);
}

static void enter(struct sched *s, struct numa_task *nt, struct numa_group *g)
{
	for (u32 i = 0; i < counters(s->memory); i++)
		g->faults[i] += nt->faults[i];
	g->total += nt->total;
	g->tasks++;
	nt->group = g;
}

/* The smaller group loses its members to the larger, one by one. */
void numa_join(struct sched *s, struct task *t, u32 cpu, u8 pid, bool *private)
{
	const struct task *other = cpu_rq(s, cpu)->curr;
	struct numa_task *nt = t->mem->numa;
	struct numa_group *theirs;

	if (!nt->group)
		nt->group = group_new(s, nt);
	if (!other || (u8)other->pid != pid || !numa_of(other))
		return;
	theirs = numa_of(other)->group;
	if (!theirs || theirs == nt->group || nt->group->tasks > theirs->tasks ||
	    (nt->group->tasks == theirs->tasks && nt->group->id > theirs->id))
		return;
	/* another process: its pid only looks the same */
	*private = other->mem->process != t->mem->process;
	if (*private)
		return;
	count(s, DEC_NUMA_JOIN);
	leave(s, nt);
	enter(s, nt, theirs);
}

void numa_leave_group(struct sched *s, struct task *t)
{
	if (t->mem->numa->group)
		leave(s, t->mem->numa);
}
