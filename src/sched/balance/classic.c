/*
 * balance = classic: groups are compared by average load, the way Linux balanced up to
 * 5.4. Load is that of queued tasks (runnable_load_avg), not of sleepers. Corresponds to
 * update_sg_lb_stats(), update_sd_pick_busiest(), find_busiest_group(),
 * calculate_imbalance(), fix_small_imbalance(), find_busiest_queue() of Linux 4.20
 * to 5.4. Loads and capacities in units of 1024; avg_load is load * 1024 / capacity.
 *
 * differs from Linux: no misfit tasks or asymmetric packing.
 */
#include "balance/classic.h"

#include "balance/capacity.h"
#include "balance/history.h"

/* Only an overloaded group gives away tasks because of their number. */
static bool overloaded(const struct classic_group *c, u32 pct)
{
	return c->nr_running > c->weight && c->capacity * 100 < c->util * pct;
}

static bool has_capacity(const struct classic_group *c, u32 pct)
{
	return c->nr_running < c->weight || c->capacity * 100 > c->util * pct;
}

static void count_group(const struct sched *s, const struct env *env,
			const struct group *g, struct classic_group *c,
			struct cpu_sums *total)
{
	*c = (struct classic_group){.capacity = g->capacity, .weight = g->weight};
	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		const struct rq *rq = cpu_rq(s, cpu);

		c->load += s->history ? history_load(s, env, rq, g == env->sd->groups)
				      : load_runnable(s, rq);
		c->util += rq->own.util;
		c->nr_running += rq->cfs.h_nr;
		c->idle += rq->own.idle;
		total->waiting += rq->own.waiting;
	}
	total->load += c->load;
	total->util += (u32)c->util;
	c->avg_load = c->load * 1024 / c->capacity;
	c->load_per_task = c->nr_running ? c->load / c->nr_running : 0;
	c->no_capacity = overloaded(c, env->sd->imbalance_pct);
	c->imbalanced = *g->imbalance;
}

enum classic_type classic_type(const struct classic_group *c)
{
	if (c->no_capacity)
		return CLASSIC_OVERLOADED;
	return c->imbalanced ? CLASSIC_IMBALANCED : CLASSIC_OTHER;
}

/* The best so far begins as an ordinary group without load. */
static bool busier(const struct classic_group *c, const struct classic_group *best)
{
	if (classic_type(c) != classic_type(best))
		return classic_type(c) > classic_type(best);
	return c->avg_load > best->avg_load;
}

/*
 * Groups below prefer their tasks spread: whoever has two more than a local group with
 * room counts as overloaded.
 */
static void lower_capacity(const struct env *env, const struct classic_group *local,
			   struct classic_group *c)
{
	const struct domain *child = env->sd->child;

	if (child && (child->flags & SD_PREFER_SIBLING) &&
	    has_capacity(local, env->sd->imbalance_pct) &&
	    c->nr_running > local->nr_running + 1)
		c->no_capacity = true;
}

static void collect(struct sched *s, struct env *env, struct classic_stats *cs)
{
	const struct group *g = env->sd->groups;
	struct cpu_sums total = {.word = {0}};

	sums_sync(s);
	if (s->rt)
		capacity_refresh(s, env);
	/* the first group of the ring is the CPU's own */
	count_group(s, env, g, &cs->local, &total);
	while (g = g->next, g != env->sd->groups) {
		struct classic_group c;

		count_group(s, env, g, &c, &total);
		lower_capacity(env, &cs->local, &c);
		if (!busier(&c, &cs->busiest))
			continue;
		cs->busiest = c;
		cs->busiest_group = g;
	}
	cs->avg_load = total.load * 1024 / env->sd->capacity;
	balance_looked(s, env, &total);
}

/*
 * The difference is less than a task. Moving one is right if afterwards the other side is
 * not the heavier one by as much, with s = the load of a busiest task per capacity:
 *
 *   busiest + s >= local + n * s     n = 2, or 1 if tasks are lighter here
 */
static bool move_evens_out(const struct classic_group *local,
			   const struct classic_group *busiest)
{
	u64 s = busiest->load_per_task * 1024 / busiest->capacity;
	u64 n = local->nr_running && busiest->load_per_task > local->load_per_task ? 1
										   : 2;

	return busiest->avg_load + s >= local->avg_load + n * s;
}

/*
 * ... or if more capacity is in use afterwards. What a group uses of its capacity is its
 * load, but no more than that of one task.
 */
static bool move_uses_more(const struct classic_group *local,
			   const struct classic_group *busiest)
{
	u64 s = busiest->load_per_task * 1024 / busiest->capacity, now, then = 0, joins;

	now = busiest->capacity * min_u64(busiest->load_per_task, busiest->avg_load) +
	      local->capacity * min_u64(local->load_per_task, local->avg_load);
	if (busiest->avg_load > s)
		then = busiest->capacity *
		       min_u64(busiest->load_per_task, busiest->avg_load - s);
	joins = min_u64(busiest->avg_load * busiest->capacity,
			busiest->load_per_task * 1024) /
		local->capacity;
	then += local->capacity * min_u64(local->load_per_task, local->avg_load + joins);
	return then / 1024 > now / 1024;
}

u64 classic_small_imbalance(const struct classic_stats *cs, u64 imbalance)
{
	const struct classic_group *local = &cs->local, *busiest = &cs->busiest;

	if (move_evens_out(local, busiest) || move_uses_more(local, busiest))
		return busiest->load_per_task;
	return imbalance;
}

/* No more is taken than what leaves a task for each of its CPUs. */
static u64 load_above_capacity(const struct classic_group *c)
{
	u64 tasks = (u64)c->nr_running * 1024;

	if (tasks <= c->capacity)
		return UINT64_MAX;
	return (tasks - c->capacity) * NICE_0_WEIGHT / c->capacity;
}

u64 classic_imbalance(struct classic_stats *cs)
{
	struct classic_group *local = &cs->local, *busiest = &cs->busiest;
	u64 pull, imbalance;

	if (classic_type(busiest) == CLASSIC_IMBALANCED)
		busiest->load_per_task = min_u64(busiest->load_per_task, cs->avg_load);
	if (busiest->avg_load <= cs->avg_load || local->avg_load >= cs->avg_load)
		return classic_small_imbalance(cs, 0);
	pull = busiest->avg_load - cs->avg_load;
	if (busiest->no_capacity && local->no_capacity)
		pull = min_u64(pull, load_above_capacity(busiest));
	imbalance = min_u64(pull * busiest->capacity,
			    (cs->avg_load - local->avg_load) * local->capacity) /
		    1024;
	if (imbalance < busiest->load_per_task)
		return classic_small_imbalance(cs, imbalance);
	return imbalance;
}

bool classic_balanced(const struct classic_stats *cs, enum idle_kind idle, u32 pct)
{
	const struct classic_group *local = &cs->local, *busiest = &cs->busiest;

	if (!busiest->nr_running)
		return true;
	if (classic_type(busiest) == CLASSIC_IMBALANCED)
		return false;
	/* for an idle CPU the number of tasks counts, whatever their weights */
	if (idle != CPU_IS_BUSY && has_capacity(local, pct) && busiest->no_capacity)
		return false;
	if (local->avg_load >= busiest->avg_load || local->avg_load >= cs->avg_load)
		return true;
	if (idle == CPU_IS_IDLE)
		return !busiest->no_capacity && local->idle <= busiest->idle + 1;
	return 100 * busiest->avg_load <= pct * local->avg_load;
}

const struct group *classic_busiest_group(struct sched *s, struct env *env)
{
	struct classic_stats cs = {.avg_load = 0};

	collect(s, env, &cs);
	env->kind = MOVE_LOAD;
	if (!cs.busiest_group || classic_balanced(&cs, env->idle, env->sd->imbalance_pct))
		return NULL;
	env->imbalance = (s64)classic_imbalance(&cs);
	return env->imbalance ? cs.busiest_group : NULL;
}

/* A task that is alone and more than what is to be moved is of no use. */
struct rq *classic_busiest_rq(const struct sched *s, const struct env *env,
			      const struct group *g)
{
	struct rq *busiest = NULL;
	u64 most = 0;

	if (s->rt)
		return capacity_busiest_rq(s, env, g);

	for (u32 cpu = cpumask_next_and(g->span, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(g->span, env->cpus, cpu + 1)) {
		struct rq *rq = cpu_rq(s, cpu);
		u64 load = load_runnable(s, rq);

		if (rq->nr_running == 1 && load > (u64)env->imbalance)
			continue;
		if (load > most) {
			most = load;
			busiest = rq;
		}
	}
	return busiest;
}

bool classic_fits(struct sched *s, struct env *env, const struct task *t)
{
	u64 load = task_h_load(s, t);

	if (s->feat[FEAT_LB_MIN] && load < 16 && !env->sd->nr_failed)
		return false;
	if ((s64)(load / 2) > env->imbalance)
		return false;
	env->imbalance -= (s64)load;
	return true;
}
