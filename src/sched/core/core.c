/*
 * Core scheduling: setting up, tagging, and the accounts of what it costs and promises.
 * Corresponds to sched_core_get(), sched_core_update_cookie() of Linux 5.14, cpu.tag of
 * the series before.
 */
#include "core/core.h"

enum { CORE_OFF, CORE_MAINLINE, CORE_V2 };

void core_init(struct sched *s)
{
	u64 kind = seam_choice(SEAM_CORE, s->kernel->seam[SEAM_CORE])->value.constant;

	s->core = arena_array(s->arena, struct core_state, s->ncpu);
	s->next_cookie = 1;
	s->ops.core_pick = kind == CORE_V2 ? core_pick_v2 : core_pick_mainline;
	s->ops.core_less = kind == CORE_V2 ? core_less_v2 : core_less_mainline;
	/* without threads there is nothing to schedule together (ENODEV) */
	for_each_cpu (cpu, s->online) {
		RB_INIT(&s->rq[cpu].cookies);
		s->core_able |= kind != CORE_OFF && s->sib_n[cpu] > 1;
	}
	s->queue_slow |= s->core_able;
}

u64 sched_cookie_new(struct sched *s)
{
	s->core_on = s->core_able;
	s->other_pick |= s->core_on;
	return s->next_cookie++;
}

void sched_group_tag(struct sched *s, struct task_group *g)
{
	if (!g->cookie)
		g->cookie = sched_cookie_new(s);
}

void sched_set_cookie(struct sched *s, struct task *t, u64 cookie)
{
	bool queued = t->state == TASK_RUNNABLE && s->core_able;
	struct rq *rq = t->rq;

	if (t->cookie == cookie)
		return;
	if (rq->curr == t)
		cpu_account(s, rq);
	if (queued)
		core_dequeue(s, rq, t);
	t->cookie = cookie;
	if (!queued)
		return;
	core_enqueue(s, rq, t);
	if (s->core_on && rq->curr == t)
		cpu_resched(s, rq, rq->cpu);
}

/*
 * Time up to now in which threads of a core ran tasks of different cookies: pending if
 * one of them is about to reschedule (its IPI is on the way), a leak otherwise.
 */
void core_account(struct sched *s, const struct rq *rq, u64 ns)
{
	const struct task *first = NULL;
	bool cross = false, pending = false;

	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		const struct rq *sib = core_sibling(s, rq, i);

		pending |= sib->resched;
		if (!sib->curr)
			continue;
		if (!first)
			first = sib->curr;
		cross |= sib->curr->cookie != first->cookie;
	}
	if (cross && pending)
		s->totals.cross_cookie_pending_ns += ns;
	else if (cross)
		s->totals.cross_cookie_leak_ns += ns;
}
