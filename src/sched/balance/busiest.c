/*
 * Is there an imbalance, of what kind, and how large? Corresponds to
 * update_sd_lb_stats(), update_sd_pick_busiest(), find_busiest_group(),
 * calculate_imbalance(), find_busiest_queue(), update_idle_cpu_scan() of Linux 6.1.
 *
 * differs from Linux: no misfit tasks but those of capacity.c, asymmetric packing or
 * energy model, and a group that has real-time tasks only may hide another one.
 */
#include "balance/capacity.h"

struct domain_stats {
	struct group_stats local, busiest;
	const struct group *busiest_group;
	u64 load, capacity, avg_load;
	u64 misfit; /* GROUP_MISFIT: load that is to leave the busiest group */
	bool prefer_sibling;
};

/* The busiest group so far. */
struct candidate {
	const struct group *group;
	struct cpu_sums sums;
	enum group_type type;
	u64 avg_load; /* overloaded groups */
	u64 misfit;   /* see capacity_misfit() */
};

static inline bool busier(enum group_type type, const struct cpu_sums *c, u64 avg_load,
			  u64 misfit, const struct candidate *best)
{
	if (type != best->type)
		return type > best->type;
	switch (type) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY:
		return avg_load > best->avg_load;
	case GROUP_MISFIT:
		return misfit >= best->misfit;
	case GROUP_IMBALANCED:
		return false;
	case GROUP_HAS_SPARE:
		break;
	}
	if (c->idle != best->sums.idle)
		return c->idle < best->sums.idle;
	return c->nr_running > best->sums.nr_running;
}

/*
 * How many CPUs a wake-up may look at, the fewer the busier the cache domain is:
 *
 *   x = sum of utilisation / CPUs          0 .. 1024
 *   y = 1024 - x^2 * pct^2 / (10000 * 1024)
 *   n = CPUs * y / 1024                    0 at about 1024 * 100 / pct
 */
static void set_scan_budget(const struct env *env, u64 sum_util)
{
	struct llc_shared *llc = env->dst->llc;
	u64 x, y, pct = env->sd->imbalance_pct;

	if (env->idle == CPU_IS_NEWLY_IDLE || !llc || env->sd->span_weight != llc->size)
		return;
	x = sum_util / llc->size;
	y = 1024 - min_u64(1024, x * x * pct * pct / (10000 * 1024));
	llc->nr_idle_scan = (u32)(llc->size * y / 1024);
}

static inline void looked(struct sched *s, const struct env *env,
			  const struct cpu_sums *total)
{
	if (!env->sd->parent)
		s->overload = total->waiting != 0;
	set_scan_budget(env, total->util);
	cpu_charge(s, cpu_rq(s, env->by), SYS_BALANCE,
		   s->cost[COST_BALANCE] * env->sd->span_weight);
}

void balance_looked(struct sched *s, const struct env *env, const struct cpu_sums *total)
{
	looked(s, env, total);
}

static inline u64 avg_load_of(const struct cpu_sums *c, const struct group *g,
			      enum group_type type)
{
	return type == GROUP_OVERLOADED ? c->load * 1024 / g->capacity : 0;
}

/* What fits nowhere else may be the reason why a group is busy. */
static inline enum group_type type_of(const struct cpu_sums *c, const struct group *g,
				      u32 pct, u64 misfit)
{
	enum group_type type = stats_type(c, g, pct);

	return misfit && type < GROUP_MISFIT ? GROUP_MISFIT : type;
}

static inline void consider(struct candidate *best, const struct group *g,
			    const struct cpu_sums *c, u32 pct, u64 misfit)
{
	enum group_type type;
	u64 avg_load;

	if (!c->nr_running)
		return;
	/* without more tasks than CPUs a group is not overloaded, so it cannot win */
	if (best->type == GROUP_OVERLOADED && c->nr_running <= g->weight)
		return;
	type = type_of(c, g, pct, misfit);
	avg_load = avg_load_of(c, g, type);
	if (!busier(type, c, avg_load, misfit, best))
		return;
	best->group = g;
	best->sums = *c;
	best->type = type;
	best->avg_load = avg_load;
	best->misfit = misfit;
}

static void fill_local(struct domain_stats *ds, const struct group *g,
		       const struct cpu_sums *c, u32 pct, u64 misfit)
{
	enum group_type type = type_of(c, g, pct, misfit);

	stats_fill(&ds->local, c, g, type);
	ds->local.avg_load = avg_load_of(c, g, type);
}

/*
 * Some CPUs of the domain are left out (a second pass of balance_domain()), or not all of
 * their capacity is there.
 */
static void collect_partial(const struct sched *s, const struct env *env,
			    struct domain_stats *ds, struct candidate *best,
			    struct cpu_sums *total)
{
	const struct group *g = env->sd->groups;

	do {
		struct cpu_sums c = stats_partial(s, g, env->cpus);
		u64 misfit = s->rt ? capacity_misfit(s, env, g) : 0;

		if (cpumask_has(g->span, env->dst->cpu))
			fill_local(ds, g, &c, env->sd->imbalance_pct, misfit);
		else
			consider(best, g, &c, env->sd->imbalance_pct, misfit);
		for (u32 w = 0; w < ARRAY_SIZE(c.word); w++)
			total->word[w] += c.word[w];
	} while (g = g->next, g != env->sd->groups);
}

static void collect(struct sched *s, struct env *env, struct domain_stats *ds)
{
	const struct domain *sd = env->sd;
	const struct group *g = sd->groups;
	struct candidate best = {.type = GROUP_HAS_SPARE};
	struct cpu_sums part = {.word = {0}};
	const struct cpu_sums *total = sd->sums;

	best.sums.idle = UINT32_MAX;
	sums_sync(s);
	if (s->rt)
		capacity_refresh(s, env);
	if (env->partial || s->rt) {
		total = &part;
		collect_partial(s, env, ds, &best, &part);
	} else {
		/* the first group of the ring is the CPU's own */
		fill_local(ds, g, g->sums, sd->imbalance_pct, 0);
		while (g = g->next, g != sd->groups)
			consider(&best, g, g->sums, sd->imbalance_pct, 0);
	}
	ds->busiest_group = best.group;
	if (best.group)
		stats_fill(&ds->busiest, &best.sums, best.group, best.type);
	ds->busiest.avg_load = best.avg_load;
	ds->misfit = best.misfit;
	ds->load = total->load;
	ds->capacity = sd->capacity;
	ds->prefer_sibling = sd->child && (sd->child->flags & SD_PREFER_SIBLING);
	looked(s, env, total);
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

	if (busiest->type == GROUP_IMBALANCED || busiest->type == GROUP_MISFIT)
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
		env->imbalance =
			(s64)(max_u64(local->capacity, local->util) - local->util);
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
	if (!(env->sd->flags & SD_NUMA))
		n /= 2;
	else if (env->sd->numa_rule == NUMA_LLCS)
		n = numa_imbalance(n, local->nr_running + 1, env->sd->imb_numa_nr) / 2;
	else
		n = numa_imbalance_old(env->sd->numa_rule, n / 2, busiest->nr_running,
				       busiest->weight);
	env->imbalance = (s64)n;
}

static void size_imbalance(struct env *env, struct domain_stats *ds)
{
	struct group_stats *local = &ds->local, *busiest = &ds->busiest;
	u64 from, to;

	env->imbalance = 0;
	if (busiest->type == GROUP_MISFIT) {
		env->kind = MOVE_LOAD;
		env->imbalance = (s64)ds->misfit;
		return;
	}
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
	struct domain_stats ds = {0};

	collect(s, env, &ds);
	if (!ds.busiest_group || balanced(env, &ds))
		return NULL;
	size_imbalance(env, &ds);
	return env->imbalance ? ds.busiest_group : NULL;
}

/* How much a queue has of what is to be moved; 0 = nothing can be taken from it. */
static inline u64 to_take(const struct env *env, const struct rq *rq)
{
	u64 have = 0;

	switch (env->kind) {
	case MOVE_LOAD:
		have = cpu_load(rq);
		if (rq->cfs.h_nr == 1 && (s64)have > env->imbalance)
			return 0;
		break;
	case MOVE_UTIL:
		if (rq->cfs.h_nr > 1)
			have = cpu_util(rq);
		break;
	case MOVE_TASK:
		have = rq->cfs.h_nr;
		break;
	}
	return have;
}

struct rq *balance_busiest_rq(const struct sched *s, const struct env *env,
			      const struct group *g)
{
	u64 most = 0;
	struct rq *busiest = NULL;

	if (s->rt && env->kind == MOVE_LOAD)
		return capacity_busiest_rq(s, env, g);

	for (u32 i = 0; i < g->span->nwords; i++) {
		u64 left = g->span->w[i] & env->cpus->w[i];

		for (; left; left &= left - 1) {
			struct rq *rq = cpu_rq(s, i * 64 + (u32)__builtin_ctzll(left));
			u64 have = rq->cfs.h_nr ? to_take(env, rq) : 0;

			if (have > most) {
				most = have;
				busiest = rq;
			}
		}
	}
	return busiest;
}
