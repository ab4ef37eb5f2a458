/*
 * A CPU comes online: idle and empty, with limits again, its kernel threads at home. It
 * looks for work once the domains know it. Corresponds to sched_cpu_activate(),
 * set_rq_online(), update_runtime_enabled(), kthread_unpark(), and the newly idle balance
 * that follows the last hotplug thread.
 *
 * What it has learnt stays: avg_idle, the governor's history, blocked load of tasks that
 * went to sleep here, which decays when somebody looks.
 */
#include "core/core.h"
#include "hotplug/hotplug.h"

static void limit_again(struct sched *s, const struct rq *rq)
{
	for (u32 i = 0; i < s->nlimited; i++) {
		struct cfs_limit *l = &s->limited[i]->cfs[rq->cpu]->limit;

		l->on = true;
		l->seen = s->limited[i]->se[rq->cpu]->sum_exec;
	}
}

/* Kernel threads of this CPU belong to nobody else again. */
static void unpark(struct sched *s, const struct rq *rq)
{
	struct cpumask *home = s->scratch;
	struct failure f;

	for (u32 i = 0; i < home->nwords; i++)
		home->w[i] = 0;
	cpumask_set(home, rq->cpu);
	for (u32 i = 0; i < s->nr_tasks; i++) {
		struct task *t = s->task[i];

		if (!t || t->parked != 1 + rq->cpu || t->state == TASK_DEAD)
			continue;
		t->parked = 0;
		sched_set_affinity(s, t, home, &f);
	}
}

void hotplug_up(struct sched *s, struct rq *rq)
{
	touch(s, rq);
	rq->online = true;
	cpumask_set(s->online, rq->cpu);
	s->nr_online++;
	rq->acct_from = rq->run_from = s->engine->now;
	rq->core_seq = 0;
	hotplug_core_changes(s, rq);
	hotplug_core_able(s);
	limit_again(s, rq);
	host_cpu(s, rq->cpu, true);
	idle_enter(s, rq);
	if (!s->feat[FEAT_NOHZ])
		tick_start(s, rq);
	unpark(s, rq);
	cpu_resched(s, rq, rq->cpu);
	hotplug_core_again(s, rq);
}
