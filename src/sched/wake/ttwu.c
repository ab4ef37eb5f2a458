/*
 * Delivering a wake-up: choose a CPU, queue the task there or hand it to that CPU's wake
 * list, preempt. Corresponds to try_to_wake_up(), ttwu_queue(), sched_ttwu_pending(),
 * wake_up_new_task(), set_task_cpu() of Linux 6.1.
 */
#include "rt/rt.h"

void task_set_cpu(struct sched *s, struct task *t, u32 cpu, u32 by)
{
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = SIM_MIGRATE,
		.place = by,
		.who = t->id,
		.other = t->rq->cpu,
		.arg = cpu,
	};

	s->totals.migrations++;
	engine_emit(s->engine, &ev);
	t->se.exec_start = 0;
	group_set_task_rq(t, cpu_rq(s, cpu));
}

/* Copied into the paths of both classes: the fair one shall not pay for a call. */
static inline __attribute__((always_inline)) void
emit_wakeup(struct sched *s, const struct task *t, u32 by, u32 kind)
{
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = kind,
		.place = by,
		.who = t->id,
		.other = TASK_NONE,
		.arg = t->rq->cpu,
	};

	engine_emit(s->engine, &ev);
}

/* Queue it where it belongs; `by` executes this. */
static void activate(struct sched *s, struct task *t, bool moved, u32 by)
{
	struct rq *rq = t->rq;

	fair_enqueue(s, rq, t, true, moved);
	emit_wakeup(s, t, by, SIM_WAKEUP);
	fair_check_wakeup(s, rq, t, false, by);
	idle_update_avg(s, rq);
}

/* The same for a real-time task: it has no virtual time, and no load on a fair queue. */
static __attribute__((noinline)) void activate_rt(struct sched *s, struct task *t, u32 by)
{
	struct rq *rq = t->rq;

	rt_enqueue(s, rq, t, false);
	emit_wakeup(s, t, by, SIM_WAKEUP);
	rt_check_wakeup(s, rq, t, by);
	rt_woken(s, rq, t, by);
	idle_update_avg(s, rq);
}

static bool use_wake_list(const struct sched *s, const struct rq *rq, u32 this_cpu)
{
	if (!s->feat[FEAT_TTWU_QUEUE] || rq->cpu == this_cpu)
		return false;
	if (!share_cache(s, this_cpu, rq->cpu))
		return true;
	return s->feat[FEAT_TTWU_QUEUE_IDLE] && !rq->nr_running;
}

static void wake_list_add(struct sched *s, struct rq *rq, struct task *t, u32 by)
{
	if (s->account)
		account_waking(s, t);
	t->wake_next = NULL;
	if (rq->wake_last)
		rq->wake_last->wake_next = t;
	else
		rq->wake_first = t;
	rq->wake_last = t;
	rq->wake_pending = true;
	mark_dirty(s, rq);
	t->state = TASK_WAKING;
	cpu_kick(s, rq, by);
}

void wake_list_drain(struct sched *s, struct rq *rq)
{
	struct task *t = rq->wake_first;

	rq->wake_first = rq->wake_last = NULL;
	rq->wake_pending = false;
	mark_dirty(s, rq);
	while (t) {
		struct task *next = t->wake_next;

		if (t->rt_prio)
			activate_rt(s, t, rq->cpu);
		else
			activate(s, t, t->waking_moved, rq->cpu);
		t = next;
	}
}

static __attribute__((noinline)) void wake_rt(struct sched *s, struct task *t,
					      struct rq *this_rq)
{
	u32 cpu;

	s->totals.wakeups++;
	cpu_charge(s, this_rq, SYS_WAKE, s->cost[COST_WAKE]);
	cpu = rt_select(s, t, this_rq->cpu);
	if (s->stat)
		stat_wakeup(s, this_rq, t->rq->cpu, cpu);
	t->waking_moved = true; /* should it wake up as a fair task after all */
	if (cpu != t->rq->cpu)
		task_set_cpu(s, t, cpu, this_rq->cpu);
	if (use_wake_list(s, t->rq, this_rq->cpu)) {
		count(s, DEC_WAKE_REMOTE);
		wake_list_add(s, t->rq, t, this_rq->cpu);
		return;
	}
	count(s, DEC_WAKE_LOCAL);
	activate_rt(s, t, this_rq->cpu);
}

/* It never left its queue (ttwu_runnable()): no CPU is chosen. */
static __attribute__((noinline)) void wake_delayed(struct sched *s, struct task *t,
						   struct rq *this_rq)
{
	s->totals.wakeups++;
	count(s, DEC_WAKE_DELAYED);
	cpu_charge(s, this_rq, SYS_WAKE, s->cost[COST_WAKE]);
	if (s->stat)
		stat_wakeup(s, this_rq, t->rq->cpu, t->rq->cpu);
	eevdf_wake_delayed(s, t);
	fair_check_wakeup(s, t->rq, t, false, this_rq->cpu);
	emit_wakeup(s, t, this_rq->cpu, SIM_WAKEUP);
}

void wake_task(struct sched *s, struct task *t, struct rq *this_rq, struct task *waker,
	       bool sync)
{
	struct rq *old = t->rq;
	u32 cpu;

	if (t->state != TASK_SLEEPING) {
		if (t->state == TASK_RT_SLEEPING)
			wake_rt(s, t, this_rq);
		else if (t->state == TASK_DELAYED)
			wake_delayed(s, t, this_rq);
		return;
	}
	s->totals.wakeups++;
	cpu_charge(s, this_rq, SYS_WAKE, s->cost[COST_WAKE]);
	cpu = wake_select(s, t, this_rq, waker, sync);
	t->waking_moved = cpu != old->cpu;
	if (t->waking_moved) {
		if (s->core_clock && !t->se.parent)
			core_clock_sync(s, old);
		t->se.vruntime -= t->se.cfs->min_vruntime;
		load_remove(s, t);
		task_set_cpu(s, t, cpu, this_rq->cpu);
	}
	if (s->stat)
		stat_wakeup(s, this_rq, old->cpu, cpu);
	if (use_wake_list(s, t->rq, this_rq->cpu)) {
		count(s, DEC_WAKE_REMOTE);
		wake_list_add(s, t->rq, t, this_rq->cpu);
		return;
	}
	count(s, DEC_WAKE_LOCAL);
	activate(s, t, t->waking_moved, this_rq->cpu);
}

static void new_rt(struct sched *s, struct task *t, struct rq *this_rq)
{
	u32 by = this_rq->cpu;

	group_set_task_rq(t, cpu_rq(s, rt_select(s, t, by)));
	t->se.avg.load_avg = t->se.weight;
	rt_enqueue(s, t->rq, t, false);
	emit_wakeup(s, t, by, SIM_WAKEUP_NEW);
	rt_check_wakeup(s, t->rq, t, by);
	rt_woken(s, t->rq, t, by);
}

/*
 * A CPU that a fork takes out of idle does not look at its avg_idle: the next wake-up on
 * it will, and counts what ran meanwhile as idle time.
 */
void wake_new(struct sched *s, struct task *t, struct rq *this_rq)
{
	u32 cpu;

	if (t->rt_prio) {
		new_rt(s, t, this_rq);
		return;
	}
	cpu = s->ops.fork(s, t, this_rq);
	group_set_task_rq(t, cpu_rq(s, cpu));
	load_init_task(s, t);
	fair_enqueue(s, t->rq, t, false, true);
	emit_wakeup(s, t, this_rq->cpu, SIM_WAKEUP_NEW);
	fair_check_wakeup(s, t->rq, t, true, this_rq->cpu);
}
