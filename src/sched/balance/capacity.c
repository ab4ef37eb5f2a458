/*
 * The capacity of CPUs under real-time pressure, and what balancing makes of it: loads
 * are compared per capacity, and a fair task that is alone with real-time tasks goes to a
 * CPU that idles. Corresponds to scale_rt_capacity(), update_group_capacity(),
 * check_cpu_capacity(), sched_reduced_capacity(), the end of need_active_balance() of
 * Linux 6.1.
 *
 *   capacity(CPU)   = 1024 - utilisation by real-time tasks (PELT), at least 1
 *   capacity(group) = sum over its CPUs, each as of its own last pass
 *
 * differs from Linux: interrupts take nothing of the capacity (a tick of 1 us in 4 ms is
 * less than 1 of 1024), nor does heat; the groups of a NUMA ring are those of one CPU,
 * which looks at the CPUs of all of them whenever it balances.
 */
#include "balance/capacity.h"

static void refresh_cpu(const struct sched *s, struct rq *rq)
{
	u64 used = rt_util(s, rq);

	rq->rt->capacity = used < CPU_CAPACITY ? CPU_CAPACITY - used : 1;
}

static u64 sum_of_cpus(const struct sched *s, const struct cpumask *span)
{
	u64 sum = 0;

	for_each_cpu (cpu, span)
		sum += cpu_capacity(cpu_rq(s, cpu));
	return sum;
}

static u64 sum_of_ring(const struct domain *sd)
{
	const struct group *g = sd->groups;
	u64 sum = 0;

	do
		sum += g->capacity;
	while (g = g->next, g != sd->groups);
	return sum;
}

static void refresh_own(struct sched *s, const struct domain *sd)
{
	struct group *g = sd->groups;

	if (!sd->child) {
		refresh_cpu(s, cpu_rq(s, cpumask_first(g->span)));
		group_set_capacity(g, cpu_capacity(cpu_rq(s, cpumask_first(g->span))),
				   sd->imbalance_pct);
	} else if (sd->child->flags & SD_NUMA) {
		group_set_capacity(g, sum_of_cpus(s, g->span), sd->imbalance_pct);
	} else {
		group_set_capacity(g, sum_of_ring(sd->child), sd->imbalance_pct);
	}
}

void capacity_refresh(struct sched *s, const struct env *env)
{
	struct domain *sd = env->sd;
	struct group *g = sd->groups;
	u64 now = jiffies(s), most = max_u64(NS_PER_SEC * s->nr_online / 10 / s->tick, 1);

	/* newly idle CPUs are in a hurry */
	if (env->idle != CPU_IS_NEWLY_IDLE || now >= g->capacity_due) {
		u64 wait = sd->interval * NS_PER_MS / s->tick;

		g->capacity_due = now + min_u64(max_u64(wait, 1), most);
		refresh_own(s, sd);
	}
	if (sd->flags & SD_NUMA)
		for (g = g->next; g != sd->groups; g = g->next)
			group_set_capacity(g, sum_of_cpus(s, g->span), sd->imbalance_pct);
	sd->capacity = sum_of_ring(sd);
}

u64 capacity_misfit(const struct sched *s, const struct env *env, const struct group *g)
{
	u64 most = 0;

	if (env->idle == CPU_IS_BUSY || !s->feat[FEAT_REDUCED_CAPACITY])
		return 0;
	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		const struct rq *rq = cpu_rq(s, cpu);

		if (rq->cfs.h_nr == 1 && cpu_reduced(rq, env->sd))
			most = max_u64(most, cpu_load(rq));
	}
	return most;
}

/* A lone task that is too much to move stays, unless its CPU is reduced. */
static bool too_heavy(const struct sched *s, const struct env *env, const struct rq *rq,
		      u64 load)
{
	u32 nr = s->classic ? rq->nr_running : rq->cfs.h_nr;

	return nr == 1 && (s64)load > env->imbalance && !cpu_reduced(rq, env->sd);
}

struct rq *capacity_busiest_rq(const struct sched *s, const struct env *env,
			       const struct group *g)
{
	u64 most = 0, most_of = 1;
	struct rq *busiest = NULL;

	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		struct rq *rq = cpu_rq(s, cpu);
		u64 load = balance_load(s, rq);

		if (!rq->cfs.h_nr || too_heavy(s, env, rq, load) ||
		    load * most_of <= most * cpu_capacity(rq))
			continue;
		most = load;
		most_of = cpu_capacity(rq);
		busiest = rq;
	}
	return busiest;
}

bool capacity_wants_push(const struct env *env)
{
	return env->idle != CPU_IS_BUSY && env->src->cfs.h_nr == 1 &&
	       cpu_reduced(env->src, env->sd) &&
	       cpu_capacity(env->src) * env->sd->imbalance_pct <
		       cpu_capacity(env->dst) * 100;
}

bool capacity_wants_kick(const struct rq *rq)
{
	return rq->cfs.h_nr && rq->sd && cpu_reduced(rq, rq->sd);
}
