/*
 * Balancing between nodes leaves tasks alone that are where their memory is as long as
 * there are others: a group that has tasks without a preferred node gives away from
 * queues with such tasks only, one that has tasks on the wrong node from queues with
 * those. Corresponds to fbq_classify_group(), fbq_classify_rq() and their use in
 * find_busiest_queue() of Linux 3.13 and later; rq->nr_numa_running and
 * rq->nr_preferred_running are counted when somebody asks.
 */
#include "balance/env.h"
#include "numa/memory.h"

/* Fair tasks of a CPU that have a preferred node, and those that are on it. */
static void count_numa(const struct sched *s, const struct rq *rq, u32 *numa, u32 *home)
{
	u32 here = s->machine->cpu[rq->cpu].node;

	for (const struct task *t = rq->mru_first; t; t = t->mru_next) {
		u32 node = t->mem ? numa_preferred(t) : NODE_NONE;

		*numa += node != NODE_NONE;
		*home += node == here;
	}
}

static enum numa_class class_of(u32 running, u32 numa, u32 home)
{
	if (running > numa)
		return NUMA_REGULAR;
	return running > home ? NUMA_AWAY : NUMA_HOME;
}

void balance_class_group(const struct sched *s, struct env *env, const struct group *g)
{
	u32 running = 0, numa = 0, home = 0;

	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		running += cpu_rq(s, cpu)->cfs.h_nr;
		count_numa(s, cpu_rq(s, cpu), &numa, &home);
	}
	env->numa_class = (u8)class_of(running, numa, home);
}

bool balance_passed_over(const struct sched *s, const struct env *env,
			 const struct rq *rq)
{
	u32 numa = 0, home = 0;

	count_numa(s, rq, &numa, &home);
	return class_of(rq->nr_running, numa, home) < env->numa_class;
}
