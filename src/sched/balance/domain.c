/*
 * One balancing pass in one domain. Corresponds to load_balance(), should_we_balance(),
 * need_active_balance() of Linux 6.1.
 */
#include "balance/capacity.h"
#include "stop.h"

#define MAX_PINNED_INTERVAL 512u /* ms */

/* Newly idle: always; else the first idle CPU of the local group, else its first CPU. */
static bool should_balance(const struct sched *s, const struct env *env)
{
	const struct cpumask *mine = env->sd->groups->balance;
	u32 first = CPU_NONE;

	if (!cpumask_has(env->cpus, env->dst->cpu))
		return false;
	if (env->idle == CPU_IS_NEWLY_IDLE)
		return !env->dst->nr_running && !env->dst->wake_pending;
	for (u32 cpu = cpumask_next_and(mine, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(mine, env->cpus, cpu + 1)) {
		if (first == CPU_NONE)
			first = cpu;
		if (cpu_idle(s, cpu))
			return cpu == env->dst->cpu;
	}
	return first == env->dst->cpu;
}

/* The lone fair task of a CPU that real-time tasks use goes at once. */
static bool pushes_at_once(const struct sched *s, const struct env *env)
{
	return s->rt && s->feat[FEAT_ACTIVE_BALANCE] && capacity_wants_push(env);
}

/* Tasks alone on their CPUs cannot be pulled: push one after repeated failures. */
static bool wants_push(const struct sched *s, const struct env *env)
{
	if (pushes_at_once(s, env))
		return true;
	return env->sd->nr_failed > env->sd->cache_nice_tries + 2 &&
	       s->feat[FEAT_ACTIVE_BALANCE] &&
	       (env->kind == MOVE_TASK || s->feat[FEAT_ACTIVE_ANY]);
}

static bool start_push(struct sched *s, struct env *env)
{
	struct rq *src = env->src;

	if (stop_pushes(s, src))
		return false;
	src->push_cpu = env->dst->cpu;
	stop_ask_push(s, src, env->by);
	return true;
}

static u32 settled(const struct sched *s, struct env *env, bool pinned)
{
	struct domain *sd = env->sd;

	if (env->idle == CPU_IS_NEWLY_IDLE)
		return 0;
	if ((pinned && sd->interval < MAX_PINNED_INTERVAL) ||
	    sd->interval < sd->max_interval)
		domain_set_interval(s, sd, sd->interval * 2);
	return 0;
}

/* For schedstat; `looked`: it did look for a busiest queue, and there was none. */
static __attribute__((noinline)) void note_balanced(const struct env *env, bool looked)
{
	struct stat_pass *stat = pass_stat(env);

	stat->count++;
	stat->balanced++;
	/* a busiest group comes with an imbalance */
	if (looked && !env->imbalance)
		stat->no_group++;
	else if (looked && !env->src)
		stat->no_queue++;
}

static u32 nothing_to_do(struct sched *s, struct env *env, enum decision why)
{
	struct domain *parent = env->sd->parent;

	count(s, why);
	if (env->sd->stat)
		note_balanced(env, why == DEC_BALANCE_BALANCED);
	if (parent && !env->all_pinned)
		*parent->groups->imbalance = false;
	env->sd->nr_failed = 0;
	return settled(s, env, env->all_pinned);
}

static u32 pull(struct sched *s, struct env *env)
{
	u32 moved = 0;

	env->loop = 0;
	env->loop_max = min_u32(s->nr_migrate, env->src->nr_running);
	for (;;) {
		moved += balance_move(s, env);
		if (!env->dst_pinned || env->imbalance <= 0)
			return moved;
		/* another CPU of the group may take what this one may not */
		cpumask_clear(env->cpus, env->dst->cpu);
		env->partial = true;
		env->dst = cpu_rq(s, env->new_dst);
		env->dst_pinned = false;
		env->loop = 0;
	}
}

/*
 * Up to 5.11: after a push what is cache hot may move once more, the next push takes two
 * more failures, and the domain backs off.
 */
static u32 pushed_old(struct sched *s, struct env *env, bool pushed)
{
	struct domain *sd = env->sd;

	if (wants_push(s, env))
		sd->nr_failed = sd->cache_nice_tries + 1;
	if (!pushed || pushes_at_once(s, env))
		domain_set_interval(s, sd, sd->min_interval);
	else if (sd->interval < sd->max_interval)
		domain_set_interval(s, sd, sd->interval * 2);
	return 0;
}

static u32 failed(struct sched *s, struct env *env)
{
	struct domain *sd = env->sd;
	bool pushed = false;

	count(s, DEC_BALANCE_FAILED);
	if (sd->stat) {
		pass_stat(env)->count++;
		pass_stat(env)->failed++;
	}
	if (env->idle != CPU_IS_NEWLY_IDLE)
		sd->nr_failed++;
	if (wants_push(s, env)) {
		/* of a CPU that idles, by force as well, the idle task is pinned to it */
		if (!env->src->curr || !task_allowed(env->src->curr, env->dst->cpu))
			return settled(s, env, env->all_pinned);
		pushed = start_push(s, env);
	}
	if (s->feat[FEAT_ACTIVE_ANY])
		return pushed_old(s, env, pushed);
	if (!pushed || wants_push(s, env))
		domain_set_interval(s, sd, sd->min_interval);
	return 0;
}

static struct rq *busiest_rq(struct sched *s, struct env *env, const struct group *g)
{
	return s->classic ? classic_busiest_rq(s, env, g) : balance_busiest_rq(s, env, g);
}

u32 balance_domain(struct sched *s, struct env *env, bool *go_on)
{
	struct domain *sd = env->sd;
	u32 moved = 0;

	env->cpus = s->lb_mask;
	cpumask_copy(env->cpus, sd->span);
	for (;;) {
		const struct group *g;

		if (!should_balance(s, env)) {
			*go_on = false;
			return nothing_to_do(s, env, DEC_BALANCE_NOT_ME);
		}
		g = s->classic ? classic_busiest_group(s, env)
			       : balance_busiest_group(s, env);
		env->src = g ? busiest_rq(s, env, g) : NULL;
		if (__builtin_expect(s->memory != NULL, false) && env->src)
			env->src = balance_numa_rq(s, env, g);
		if (!env->src || env->src == env->dst)
			return nothing_to_do(s, env, DEC_BALANCE_BALANCED);
		if (sd->stat)
			pass_stat(env)->imbalance += (u64)env->imbalance;
		env->all_pinned = true;
		if (env->src->nr_running <= 1)
			break;
		moved = pull(s, env);
		if (sd->parent && env->some_pinned && env->imbalance > 0)
			*sd->parent->groups->imbalance = true;
		if (!env->all_pinned)
			break;
		cpumask_clear(env->cpus, env->src->cpu);
		env->partial = true;
		env->imbalance = 0;
		if (cpumask_subset(env->cpus, sd->groups->balance)) {
			sd->nr_failed = 0;
			if (sd->stat)
				note_balanced(env, false);
			return settled(s, env, true);
		}
	}
	if (!moved)
		return failed(s, env);
	count(s, DEC_BALANCE_MOVED);
	if (sd->stat)
		pass_stat(env)->count++;
	sd->nr_failed = 0;
	domain_set_interval(s, sd, sd->min_interval);
	return moved;
}
