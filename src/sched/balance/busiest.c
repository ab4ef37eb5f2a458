/*
 * Is there an imbalance, of what kind, and how large? Corresponds to update_sd_lb_stats(),
 * update_sd_pick_busiest(), find_busiest_group(), calculate_imbalance(),
 * find_busiest_queue(), update_idle_cpu_scan() of Linux 6.1.
 *
 * differs from Linux: no misfit tasks, asymmetric packing, energy model or NUMA classes of
 * queues.
 */
#include "balance/env.h"

struct domain_stats {
	struct group_stats local, busiest;
	const struct group *busiest_group;
	u64 load, capacity, util, avg_load;
	bool prefer_sibling;
};

static bool busier(const struct group_stats *st, const struct group_stats *best)
{
	if (!st->nr_running)
		return false;
	if (st->type != best->type)
		return st->type > best->type;
	switch (st->type) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY:
		return st->avg_load > best->avg_load;
	case GROUP_IMBALANCED:
		return false;
	case GROUP_HAS_SPARE:
		break;
	}
	if (st->idle != best->idle)
		return st->idle < best->idle;
	return st->nr_running > best->nr_running;
}

/*
 * How many CPUs a wake-up may look at, the fewer the busier the cache domain is:
 *
 *   x = sum of utilisation / CPUs          0 .. 1024
 *   y = 1024 - x^2 * pct^2 / (10000 * 1024)
 *   n = CPUs * y / 1024                    0 at about 1024 * 100 / pct
 */
static void set_scan_budget(struct sched *s, const struct env *env, u64 sum_util)
{
	struct llc_shared *llc = env->dst->llc;
	u64 x, y, pct = env->sd->imbalance_pct;

	(void)s;
	if (env->idle == CPU_IS_NEWLY_IDLE || !llc || env->sd->span_weight != llc->size)
		return;
	x = sum_util / llc->size;
	y = 1024 - min_u64(1024, x * x * pct * pct / (10000 * 1024));
	llc->nr_idle_scan = (u32)(llc->size * y / 1024);
}

static void collect(struct sched *s, struct env *env, struct domain_stats *ds)
{
	const struct group *g = env->sd->groups;
	struct group_stats st;
	bool overload = false;
	u32 looked = 0;

	ds->busiest.idle = UINT32_MAX;
	do {
		bool local = cpumask_has(g->span, env->dst->cpu);

		stats_collect(s, g, env->cpus, &st, &overload);
		stats_classify(&st, g, env->sd->imbalance_pct);
		if (local) {
			ds->local = st;
		} else if (busier(&st, &ds->busiest)) {
			ds->busiest = st;
			ds->busiest_group = g;
		}
		ds->load += st.load;
		ds->capacity += st.capacity;
		ds->util += st.util;
		looked += g->weight;
	} while (g = g->next, g != env->sd->groups);
	ds->prefer_sibling = env->sd->child && (env->sd->child->flags & SD_PREFER_SIBLING);
	if (!env->sd->parent)
		s->overload = overload;
	set_scan_budget(s, env, ds->util);
	cpu_charge(s, cpu_rq(s, env->by), SYS_BALANCE, s->cost[COST_BALANCE] * looked);
}

static bool loads_balanced(const struct env *env, struct domain_stats *ds)
{
	u64 local = ds->local.avg_load, busiest = ds->busiest.avg_load;

	if (local >= busiest)
		return true;
	ds->avg_load = ds->load * 1024 / ds->capacity;
	if (local >= ds->avg_load)
		return true;
	return 100 * busiest <= env->sd->imbalance_pct * local;
}

static bool balanced(const struct env *env, struct domain_stats *ds)
{
	const struct group_stats *local = &ds->local, *busiest = &ds->busiest;

	if (busiest->type == GROUP_IMBALANCED)
		return false;
	if (local->type > busiest->type)
		return true;
	if (local->type == GROUP_OVERLOADED && loads_balanced(env, ds))
		return true;
	if (ds->prefer_sibling && local->type == GROUP_HAS_SPARE &&
	    busiest->nr_running > local->nr_running + 1)
		return false;
	if (busiest->type == GROUP_OVERLOADED)
		return false;
	if (env->idle == CPU_IS_BUSY)
		return true;
	if (busiest->weight > 1 && local->idle <= busiest->idle + 1)
		return true;
	return busiest->nr_running == 1;
}

static void spare_imbalance(struct env *env, const struct domain_stats *ds)
{
	const struct group_stats *local = &ds->local, *busiest = &ds->busiest;
	u64 n;

	if (busiest->type > GROUP_FULLY_BUSY && !(env->sd->flags & SD_SHARE_CACHE)) {
		env->kind = MOVE_UTIL;
		env->imbalance = (s64)(max_u64(local->capacity, local->util) - local->util);
		if (env->idle != CPU_IS_BUSY && !env->imbalance) {
			env->kind = MOVE_TASK;
			env->imbalance = 1;
		}
		return;
	}
	env->kind = MOVE_TASK;
	if (busiest->weight == 1 || ds->prefer_sibling)
		n = busiest->nr_running > local->nr_running
			    ? busiest->nr_running - local->nr_running
			    : 0;
	else
		n = local->idle > busiest->idle ? local->idle - busiest->idle : 0;
	if (env->sd->flags & SD_NUMA)
		n = numa_imbalance(n, local->nr_running + 1, env->sd->imb_numa_nr);
	env->imbalance = (s64)(n / 2);
}

static void size_imbalance(struct env *env, struct domain_stats *ds)
{
	struct group_stats *local = &ds->local, *busiest = &ds->busiest;
	u64 from, to;

	env->imbalance = 0;
	if (busiest->type == GROUP_IMBALANCED) {
		env->kind = MOVE_TASK;
		env->imbalance = 1;
		return;
	}
	if (local->type == GROUP_HAS_SPARE) {
		spare_imbalance(env, ds);
		return;
	}
	env->kind = MOVE_LOAD;
	if (local->type < GROUP_OVERLOADED) {
		local->avg_load = stats_avg_load(local);
		if (local->avg_load >= busiest->avg_load)
			return;
		ds->avg_load = ds->load * 1024 / ds->capacity;
		if (local->avg_load >= ds->avg_load)
			return;
	}
	if (busiest->avg_load <= ds->avg_load)
		return;
	from = (busiest->avg_load - ds->avg_load) * busiest->capacity;
	to = (ds->avg_load - local->avg_load) * local->capacity;
	env->imbalance = (s64)(min_u64(from, to) / 1024);
}

const struct group *balance_busiest_group(struct sched *s, struct env *env)
{
	struct domain_stats ds = {.busiest.type = GROUP_HAS_SPARE};

	collect(s, env, &ds);
	if (!ds.busiest_group || balanced(env, &ds))
		return NULL;
	size_imbalance(env, &ds);
	return env->imbalance ? ds.busiest_group : NULL;
}

struct rq *balance_busiest_rq(const struct sched *s, const struct env *env,
			      const struct group *g)
{
	u64 most = 0;
	struct rq *busiest = NULL;

	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		struct rq *rq = cpu_rq(s, cpu);
		u64 have = 0;

		if (!rq->nr_running)
			continue;
		switch (env->kind) {
		case MOVE_LOAD:
			have = cpu_load(rq);
			if (rq->nr_running == 1 && (s64)have > env->imbalance)
				continue;
			break;
		case MOVE_UTIL:
			if (rq->nr_running > 1)
				have = cpu_util(rq);
			break;
		case MOVE_TASK:
			have = rq->nr_running;
			break;
		}
		if (have > most) {
			most = have;
			busiest = rq;
		}
	}
	return busiest;
}
