/*
 * Which tasks move: from the least recently run end of the queue, if they may and are not
 * cache hot, until the imbalance is used up. Corresponds to detach_tasks(),
 * can_migrate_task(), task_hot(), attach_tasks() of Linux 6.1.
 *
 * differs from Linux: a task whose dequeue is delayed (6.12) stays where it is; Linux
 * moves it if it balances load.
 */
#include "balance/env.h"

static bool hot(struct sched *s, const struct env *env, const struct task *t)
{
	const struct cfs_rq *cfs = t->se.cfs;
	int numa = -1;

	if (t->mem && (env->sd->flags & SD_NUMA))
		numa = numa_locality(s, t, env->src, env->dst, env->idle == CPU_IS_IDLE);
	if (numa >= 0)
		return numa;
	if (!s->feat[FEAT_CACHE_HOT])
		return false;
	if ((env->sd->flags & SD_SHARE_CAPACITY) && !s->feat[FEAT_HOT_SMT])
		return false;
	if (s->core_on && s->feat[FEAT_CORE_COOKIE_BALANCE] &&
	    !core_match(s, env->dst->cpu, t))
		return true;
	if (env->dst->nr_running && (cfs->next == &t->se || cfs->last == &t->se))
		return true;
	return (s64)(s->engine->now - t->se.exec_start) < (s64)s->migration_cost;
}

static void note_pinned(struct sched *s, struct env *env, const struct task *t)
{
	const struct cpumask *mine = env->sd->groups->balance;

	count(s, DEC_BALANCE_PINNED);
	env->some_pinned = true;
	if (env->idle == CPU_IS_NEWLY_IDLE || env->dst_pinned || env->active)
		return;
	for (u32 cpu = cpumask_next_and(mine, env->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(mine, env->cpus, cpu + 1)) {
		if (!task_allowed(t, cpu))
			continue;
		env->dst_pinned = true;
		env->new_dst = cpu;
		return;
	}
}

/* A throttled task stays; nobody is sent where its group is throttled. */
static bool throttled_pair(const struct env *env, const struct task *t)
{
	return task_throttled(t) || t->tg->cfs[env->dst->cpu]->limit.stopped;
}

static bool may_move(struct sched *s, struct env *env, const struct task *t)
{
	if (s->limits && throttled_pair(env, t))
		return false;
	if (!task_allowed(t, env->dst->cpu)) {
		note_pinned(s, env, t);
		return false;
	}
	/* counts as pinned: Linux had the test before the one that clears LBF_ALL_PINNED
	 */
	if (s->core_on && s->feat[FEAT_CORE_COOKIE_REFUSE] &&
	    !core_match(s, env->dst->cpu, t)) {
		count(s, DEC_BALANCE_COOKIE);
		return false;
	}
	env->all_pinned = false;
	if (env->src->curr == t && !env->active)
		return false;
	/* CPUs that balance at one tick do so side by side: all have looked before */
	if (t->balanced_at == s->engine->now + 1 && t->balanced_by != env->by) {
		count(s, DEC_BALANCE_TAKEN);
		return false;
	}
	/* what a SCHED_IDLE task has in a cache is not worth keeping */
	if (env->active || !hot(s, env, t) || t->policy == POLICY_IDLE)
		return true;
	if (env->sd->nr_failed > env->sd->cache_nice_tries) {
		if (env->sd->stat)
			pass_stat(env)->hot_gained++;
		return true;
	}
	count(s, DEC_BALANCE_HOT);
	return false;
}

static void take(struct sched *s, struct env *env, struct task *t)
{
	if (env->sd->stat)
		pass_stat(env)->gained++;
	fair_dequeue(s, env->src, t, false);
	task_set_cpu(s, t, env->dst->cpu, env->by);
	t->balanced_at = s->engine->now + 1;
	t->balanced_by = env->by;
	cpu_charge(s, cpu_rq(s, env->by), SYS_BALANCE, s->cost[COST_MIGRATE]);
	fair_enqueue(s, env->dst, t, false, true);
	if (env->idle == CPU_IS_NEWLY_IDLE && env->dst->cpu == env->by)
		return; /* it is about to pick */
	fair_check_wakeup(s, env->dst, t, false, env->by);
}

/* Enough of the imbalance left for this task? Each failure halves what it counts. */
static bool fits(struct sched *s, struct env *env, const struct task *t)
{
	u32 failed = min_u32(env->sd->nr_failed, 63);
	u64 size = 1;

	switch (env->kind) {
	case MOVE_LOAD:
		if (s->classic)
			return classic_fits(s, env, t);
		size = max_u64(task_h_load(s, t), 1);
		if (s->feat[FEAT_LB_MIN] && size < 16 && !env->sd->nr_failed)
			return false;
		break;
	case MOVE_UTIL:
		size = task_util_est(t);
		break;
	case MOVE_TASK:
		env->imbalance--;
		return true;
	}
	if ((s64)(size >> failed) > env->imbalance)
		return false;
	env->imbalance -= (s64)size;
	return true;
}

u32 balance_move(struct sched *s, struct env *env)
{
	u32 moved = 0;

	if (env->src->nr_running <= 1) {
		env->all_pinned = false;
		return 0;
	}
	while (env->imbalance > 0) {
		struct task *t = env->src->mru_last;

		if (!t || (env->idle != CPU_IS_BUSY && env->src->nr_running <= 1))
			break;
		if (++env->loop > env->loop_max)
			break;
		if (!may_move(s, env, t) || !fits(s, env, t)) {
			fair_mru_front(env->src, t);
			continue;
		}
		take(s, env, t);
		moved++;
		/* preemptible kernels keep the search of a newly idle CPU short */
		if (env->idle == CPU_IS_NEWLY_IDLE && s->preempt >= 2)
			break;
	}
	return moved;
}

bool balance_move_one(struct sched *s, struct env *env)
{
	for (struct task *t = env->src->mru_last; t; t = t->mru_prev) {
		if (!may_move(s, env, t))
			continue;
		take(s, env, t);
		return true;
	}
	return false;
}
