/*
 * Stop work: active balance and the move of a running task are done by a kernel thread of
 * the task's CPU that runs before everything else, migration/N. What ran is put back to
 * its queue and is a task like the others while the stopper works:
 *
 *      task            migration/N                 task, or another
 *   ----------|= switch =|= detach, attach =|= switch =|-----------
 *
 * Corresponds to stop_one_cpu(), stop_one_cpu_nowait(), cpu_stopper_thread(), the stop
 * class, and to where active_load_balance_cpu_stop() and migration_cpu_stop() run in
 * Linux 6.1. Who asks for its own move is preempted by the stopper, as on a kernel that
 * can be preempted where it may sleep (voluntary or full).
 *
 * A stopper is a task that stands in no queue. It comes into being when it is needed
 * first, so that until then nobody pays; its priority is one above those of real-time
 * tasks, and it is marked as one that must move and that exits, since both are asked for
 * off the hot path.
 *
 * differs from Linux: rq->nr_running does not count it, and it stays with those that stop
 * the whole machine (hotplug). With core scheduling on, its work is done by the interrupt
 * that asks for it, without a switch; threads beside it idle for it there.
 */
#include "stop.h"

#include <stdio.h>

#include "rt/rt.h"

enum { STOP_PUSH = 1, STOP_MOVE = 2 };

struct stopper {
	struct task *task;
	u8 work;
	bool woken;  /* it is about to run, or runs */
	u32 id, pid; /* STOP_MOVE: which task */
};

static struct stopper *stopper_of(const struct sched *s, const struct rq *rq)
{
	return s->stopper ? &s->stopper[rq->cpu] : NULL;
}

static struct stopper *stopper_get(struct sched *s, struct rq *rq)
{
	struct stopper *st;

	if (!s->stopper)
		s->stopper = arena_array(s->arena, struct stopper, s->ncpu);
	st = &s->stopper[rq->cpu];
	if (!st->task)
		st->task = task_new_stopper(s, rq);
	return st;
}

static void wake(struct sched *s, struct rq *rq, struct stopper *st, u32 by)
{
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = SIM_WAKEUP,
		.place = by,
		.who = st->task->id,
		.other = TASK_NONE,
		.arg = rq->cpu,
	};

	if (st->woken)
		return;
	st->woken = true;
	st->task->state = TASK_RUNNABLE;
	s->totals.wakeups++;
	engine_emit(s->engine, &ev);
	idle_update_avg(s, rq);
	if (s->stat)
		stat_wakeup(s, cpu_rq(s, by), rq->cpu, rq->cpu);
}

/*
 * What runs is put back, and the stopper takes the CPU. A push may have come before the
 * task could leave by itself: then both are to be done, in this order.
 */
static void begin(struct sched *s, struct rq *rq, struct stopper *st)
{
	struct task *prev = rq->curr;

	if (prev && prev->must_move) {
		st->work |= STOP_MOVE;
		st->id = prev->id;
		st->pid = prev->pid;
	}
	wake(s, rq, st, rq->cpu);
	count(s, DEC_STOP_RUN);
	cpu_settle(s, rq);
	if (prev && rq->cfs.curr)
		fair_put_now(s, rq, prev);
	else if (prev && prev->rt_prio)
		rt_update_curr(s, rq);
	if (s->limits && prev && !prev->rt_prio)
		bandwidth_put(s, rq, prev);
	cpu_switch(s, rq, prev, st->task);
}

void stop_ask_push(struct sched *s, struct rq *rq, u32 by)
{
	rq->ipi_work |= IPI_PUSH;
	/* as any wake-up, it is queued there if no cache is shared */
	if (!s->core_on && share_cache(s, by, rq->cpu))
		wake(s, rq, stopper_get(s, rq), by);
	cpu_kick(s, rq, by);
}

bool stop_pushes(const struct sched *s, const struct rq *rq)
{
	const struct stopper *st = stopper_of(s, rq);

	return (rq->ipi_work & IPI_PUSH) || (st && (st->work & STOP_PUSH));
}

/*
 * Without a switch: what runs becomes a task like the others for a moment. If the CPU has
 * been forced idle since it was asked, nothing runs, and what waits is pushed.
 */
static void push_at_once(struct sched *s, struct rq *rq)
{
	if (!rq->nr_running || !cpu_rq(s, rq->push_cpu)->online)
		return;
	cpu_settle(s, rq);
	if (rq->cfs.curr)
		fair_put_now(s, rq, rq->curr); /* a real-time task stays on its list */
	rq->resched = true;
	balance_push(s, rq);
}

void stop_push_arrived(struct sched *s, struct rq *rq)
{
	struct stopper *st = stopper_of(s, rq);

	if (s->core_on && !(st && st->woken)) {
		push_at_once(s, rq);
		return;
	}
	st = stopper_get(s, rq);
	st->work |= STOP_PUSH;
	if (s->core_on)
		stop_finish(s, rq);
	else if (rq->curr != st->task)
		begin(s, rq, st);
	rq->resched = true; /* the caller goes on with what runs now */
}

bool stop_move_running(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;

	if (task_is_stopper(t)) {
		rq->resched = false; /* it picks when it is done */
		return true;
	}
	if (s->core_on) {
		task_move_away(s, rq, t);
		return false;
	}
	begin(s, rq, stopper_get(s, rq));
	rq->resched = false;
	return true;
}

/* Somebody else may have taken it since, and it may even have left. */
static void move(struct sched *s, struct rq *rq, const struct stopper *st)
{
	struct task *t = sched_task(s, st->id);

	if (t && t->pid == st->pid)
		task_move_away(s, rq, t);
}

void stop_step(struct sched *s, struct rq *rq)
{
	struct stopper *st = stopper_of(s, rq);
	u8 work = st->work;

	st->work = 0;
	if (work & STOP_PUSH)
		balance_push(s, rq);
	if (work & STOP_MOVE)
		move(s, rq, st);
	if (work)
		return; /* it pays for that first */
	st->woken = false;
	st->task->state = TASK_RT_SLEEPING;
	cpu_pick(s, rq, st->task);
}

void stop_finish(struct sched *s, struct rq *rq)
{
	struct stopper *st = stopper_of(s, rq);
	bool in_run = rq->in_run;

	if (!st || !st->woken)
		return;
	if (rq->ipi_work & IPI_PUSH) {
		rq->ipi_work &= (u8)~IPI_PUSH;
		st->work |= STOP_PUSH;
	}
	rq->in_run = true;
	if (rq->curr != st->task)
		begin(s, rq, st);
	while (rq->curr == st->task)
		stop_step(s, rq);
	rq->in_run = in_run;
}

void stop_finish_all(struct sched *s)
{
	for (u32 i = 0; s->stopper && i < s->ncpu; i++) {
		struct rq *rq = cpu_rq(s, i);

		if (!rq->curr || rq->curr != s->stopper[i].task)
			continue;
		stop_finish(s, rq);
		rq->resched = true;
		cpu_kick(s, rq, i);
	}
}
