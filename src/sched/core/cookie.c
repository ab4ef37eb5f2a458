/*
 * The life of a cookie: who gets one, and when core scheduling is on.
 *
 * A task has the cookie that prctl() gave it, else that of its cgroup. Tagging a cgroup
 * (cpu.tag of versions 1 to 8) gives its tasks the identity of the group; who joins gets
 * it, who leaves loses it; groups below do not inherit it, unless core.tag_inherit says
 * so (the mails leave it open). prctl(PR_SCHED_CORE) creates a cookie for a thread, its
 * process or its process group, or passes one on; a child has its parent's.
 *
 * From the first task or group with a cookie until the last one is gone, cores pick for
 * all of their threads. Corresponds to sched_core_share_pid(),
 * sched_core_update_cookie(), sched_core_fork(), sched_core_get(), sched_core_put() of
 * Linux 5.14.
 *
 * differs from Linux: writing cpu.tag stopped the machine; here it takes no time. A task
 * with a cookie of both kinds has that of prctl() only, where version 9 combines them.
 */
#include <errno.h>

#include "core/core.h"
#include "stop.h"

void core_turn_on(struct sched *s)
{
	if (s->core_on || !s->core_able)
		return;
	stop_finish_all(s);
	s->core_on = s->core_ask = s->other_pick = true;
	if (s->core_clock)
		core_clock_begins(s);
}

/* What was picked for the threads, and who was forced idle, is void. */
static void turn_off(struct sched *s, u32 by)
{
	if (!s->core_on)
		return;
	for_each_cpu (cpu, s->online) {
		struct rq *rq = cpu_rq(s, cpu);
		struct core_state *c = core_of_rq(s, rq);

		cpu_account(s, rq);
		rq->has_pick = rq->forced_idle = rq->steal = false;
		c->cookie = 0;
		c->fi_count = 0;
		if (!rq->curr && rq->nr_running)
			cpu_resched(s, rq, by);
	}
	s->core_on = false;
	s->core_ask = s->core_able && s->feat[FEAT_CORE_SCAN_TAGGED];
}

static void get(struct sched *s)
{
	s->core_users++;
	core_turn_on(s);
}

static void put(struct sched *s, u32 by)
{
	if (!--s->core_users)
		turn_off(s, by);
}

u64 sched_cookie_new(struct sched *s)
{
	core_turn_on(s);
	return s->next_cookie++;
}

static u64 group_cookie(const struct sched *s, const struct task_group *g)
{
	while (!g->cookie && s->feat[FEAT_CORE_TAG_INHERIT] && g->parent)
		g = g->parent;
	return g->cookie;
}

static u64 cookie_for(const struct sched *s, const struct task *t)
{
	return t->own_cookie ? t->own_cookie : group_cookie(s, t->tg);
}

void core_task_begins(struct sched *s, struct task *t)
{
	t->cookie = cookie_for(s, t);
	if (t->cookie)
		get(s);
}

void core_task_ends(struct sched *s, const struct task *t)
{
	if (t->cookie)
		put(s, t->rq->cpu);
}

void core_update_cookie(struct sched *s, struct task *t)
{
	u64 cookie = cookie_for(s, t), old = t->cookie;
	bool queued = t->state == TASK_RUNNABLE && s->core_able;
	struct rq *rq = t->rq;

	if (old == cookie)
		return;
	if (cookie && !old)
		get(s);
	if (rq->curr == t)
		cpu_account(s, rq);
	if (queued)
		core_dequeue(s, rq, t);
	t->cookie = cookie;
	if (queued)
		core_enqueue(s, rq, t);
	if (queued && s->core_on && rq->curr == t)
		cpu_resched(s, rq, rq->cpu);
	if (old && !cookie)
		put(s, rq->cpu);
}

void sched_set_cookie(struct sched *s, struct task *t, u64 cookie)
{
	t->own_cookie = cookie;
	core_update_cookie(s, t);
}

void sched_group_tag(struct sched *s, struct task_group *g, bool on)
{
	if (on == (g->cookie != 0))
		return;
	if (on && !g->tag)
		g->tag = s->next_cookie++;
	if (on)
		get(s);
	g->cookie = on ? g->tag : 0;
	for (u32 i = 0; i < s->nr_tasks; i++)
		if (s->task[i] && s->task[i]->state != TASK_DEAD)
			core_update_cookie(s, s->task[i]);
	if (!on)
		put(s, cpumask_first(s->online));
}

static bool in_scope(const struct task *t, const struct task *of, enum core_scope scope)
{
	switch (scope) {
	case CORE_THREAD:
		return t == of;
	case CORE_PROCESS:
		return t->tgid == of->tgid;
	case CORE_PROCESS_GROUP:
		return t->pgid == of->pgid;
	}
	return false;
}

static void give(struct sched *s, const struct task *of, enum core_scope scope,
		 u64 cookie)
{
	for (u32 i = 0; i < s->nr_tasks; i++) {
		struct task *t = s->task[i];

		if (t && t->state != TASK_DEAD && in_scope(t, of, scope))
			sched_set_cookie(s, t, cookie);
	}
}

static struct task *find(const struct sched *s, struct task *self, u32 pid)
{
	if (!pid)
		return self;
	for (u32 i = 0; i < s->nr_tasks; i++)
		if (s->task[i] && s->task[i]->pid == pid &&
		    s->task[i]->state != TASK_DEAD)
			return s->task[i];
	return NULL;
}

int sched_core_share(struct sched *s, struct task *self, u32 op, u32 pid,
		     enum core_scope scope, u64 *cookie)
{
	struct task *t = find(s, self, pid);

	if (s->kernel->seam[SEAM_CORE] == 0)
		return -EINVAL;
	if (!s->core_able)
		return -ENODEV;
	if (op > CORE_SHARE_FROM || scope > CORE_PROCESS_GROUP ||
	    (op == CORE_GET) != (cookie != NULL))
		return -EINVAL;
	if ((op == CORE_GET || op == CORE_SHARE_FROM) && scope != CORE_THREAD)
		return -EINVAL;
	if (!t)
		return -ESRCH;
	if (op == CORE_GET)
		*cookie = t->cookie;
	else if (op == CORE_CREATE)
		give(s, t, scope, sched_cookie_new(s));
	else if (op == CORE_SHARE_TO)
		give(s, t, scope, self->cookie);
	else
		sched_set_cookie(s, self, t->cookie);
	return 0;
}
