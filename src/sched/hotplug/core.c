/*
 * Core scheduling, and what else the threads of a core share, when a thread comes or
 * goes. Corresponds to sched_core_cpu_starting(), sched_core_cpu_deactivate(),
 * sched_smt_present_inc() of Linux 6.1.
 *
 * differs from Linux: a cookie that was asked for while no core had two threads is kept
 * and means something once one has; Linux refuses it (ENODEV). The state of a core moves
 * to the thread with the lowest number when that comes, not only when its keeper goes.
 */
#include "core/core.h"
#include "hotplug/hotplug.h"

/* A core that had no thread online starts afresh. */
static void start_afresh(struct sched *s, u32 first)
{
	struct core_state *c = &s->core[first];

	c->task_seq++;
	c->cookie = 0;
	c->fi_count = 0;
	s->core_busy[first] = 0;
	s->core_from[first] = s->engine->now;
}

static void move_state(struct sched *s, u32 from, u32 to)
{
	s->core[to] = s->core[from];
	s->core[to].task_seq++; /* picks that were made for its threads are void */
	s->core_busy[to] = s->core_busy[from];
	s->core_from[to] = s->core_from[from];
	rate_core_moves(s, from, to);
}

/*
 * The CPU has just left the mask of online CPUs, or joined it. Until now core_first said
 * who stood for its core, itself if nobody did.
 */
void hotplug_core_changes(struct sched *s, const struct rq *rq)
{
	u32 old = rq->core_first;

	for (u32 i = 0; i < s->sib_n[old]; i++)
		cpu_account(s, core_sibling(s, cpu_rq(s, old), i));
	siblings_find(s);
	if (rq->core_first != old)
		move_state(s, old, rq->core_first);
	else if (rq->online && s->sib_n[old] == 1)
		start_afresh(s, old);
}

static bool has_threads(const struct sched *s)
{
	for_each_cpu (cpu, s->online)
		if (s->sib_n[cpu] > 1)
			return true;
	return false;
}

void hotplug_core_able(struct sched *s)
{
	if (s->core_able ||
	    !seam_choice(SEAM_CORE, s->kernel->seam[SEAM_CORE])->value.constant ||
	    !has_threads(s))
		return;
	s->core_able = s->queue_slow = true;
	s->core_ask |= s->feat[FEAT_CORE_SCAN_TAGGED];
	for (u32 i = 0; i < s->nr_tasks; i++)
		if (s->task[i] && s->task[i]->state == TASK_RUNNABLE)
			core_enqueue(s, s->task[i]->rq, s->task[i]);
	if (!s->core_users)
		return;
	core_turn_on(s);
	for_each_cpu (cpu, s->online)
		cpu_resched(s, cpu_rq(s, cpu), cpu);
}

void hotplug_core_again(struct sched *s, const struct rq *rq)
{
	u32 core = s->machine->cpu[rq->cpu].core;

	if (!s->core_on)
		return;
	for_each_cpu (cpu, s->online)
		if (s->machine->cpu[cpu].core == core)
			cpu_resched(s, cpu_rq(s, cpu), cpu);
}
