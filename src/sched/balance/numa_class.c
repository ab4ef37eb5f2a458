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

/* Whom a queue, or a group, has to give away. (enum fbq_type, the other way round) */
enum numa_class {
	NUMA_HOME,    /* only tasks that are on the node that they prefer */
	NUMA_AWAY,    /* tasks with a preferred node, some of them on another one */
	NUMA_REGULAR, /* tasks without one */
};

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

static enum numa_class class_of_group(const struct sched *s, const struct env *env,
				      const struct group *g)
{
	u32 running = 0, numa = 0, home = 0;

	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		running += cpu_rq(s, cpu)->cfs.h_nr;
		count_numa(s, cpu_rq(s, cpu), &numa, &home);
	}
	return class_of(running, numa, home);
}

/* What a queue has of what is to be moved, or 0: as balance_busiest_rq() and its like. */
static u64 has(const struct sched *s, const struct env *env, const struct rq *rq)
{
	u64 load;

	if (!rq->cfs.h_nr)
		return 0;
	if (env->kind == MOVE_TASK)
		return rq->cfs.h_nr;
	if (env->kind == MOVE_UTIL)
		return rq->cfs.h_nr > 1 ? cpu_util(rq) : 0;
	load = balance_load(s, rq);
	return rq->cfs.h_nr == 1 && (s64)load > env->imbalance ? 0 : load;
}

static enum numa_class class_of_rq(const struct sched *s, const struct rq *rq)
{
	u32 numa = 0, home = 0;

	count_numa(s, rq, &numa, &home);
	return class_of(rq->nr_running, numa, home);
}

struct rq *balance_numa_rq(struct sched *s, struct env *env, const struct group *g)
{
	struct rq *busiest = NULL;
	enum numa_class class;
	u64 most = 0;

	if (!(env->sd->flags & SD_NUMA))
		return env->src;
	class = class_of_group(s, env, g);
	if (class_of_rq(s, env->src) >= class)
		return env->src;
	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		struct rq *rq = cpu_rq(s, cpu);
		u64 have = has(s, env, rq);

		if (have <= most || class_of_rq(s, rq) < class)
			continue;
		most = have;
		busiest = rq;
	}
	return busiest;
}
