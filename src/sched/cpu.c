/*
 * One CPU: which task is on it, how far that task got, and when it stops.
 *
 * System time does not run as an event of its own: it pushes `run_from`, the time from
 * which the running task progresses again:
 *
 *      now                 run_from                       completion
 *   ----|====== system =======|------- task's work -----------|
 *
 * so that a cost that is charged while another is being paid simply adds up. The handlers
 * themselves are never split. Corresponds to __schedule() and the scheduler IPI.
 */
#include <stdarg.h>
#include <stdio.h>

#include "rt/rt.h"
#include "stop.h"

/* More steps than this at one instant mean that time stands still. */
#define STEPS_AT_ONCE 1000000u

void sched_break(struct sched *s, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	if (s->broken)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	s->broken = true;
	fail_set(&s->why, FAIL_CHECK, NULL, "at %llu ns: %s",
		 (unsigned long long)s->engine->now, what);
}

/* Idle, busy and same-core time up to now. */
void cpu_account(struct sched *s, struct rq *rq)
{
	u64 now = s->engine->now, d = now - rq->acct_from;
	u32 core = rq->core_first;
	u64 dc = now - s->core_from[core];

	rq->acct_from = now;
	s->core_from[core] = now;
	if (rq->curr)
		s->totals.busy_ns += d;
	else
		s->totals.idle_ns += d;
	if (s->core_on) {
		if (dc)
			core_account(s, rq, dc);
		if (!rq->curr && rq->forced_idle && rq->nr_running)
			s->totals.forced_idle_ns += d;
	}
	if (s->sib_n[rq->cpu] < 2 || !s->core_busy[core])
		return;
	if (s->core_busy[core] == s->sib_n[rq->cpu])
		s->totals.same_core_ns += dc;
	else
		s->totals.lone_ns += dc;
}

void cpu_settle_slow(struct sched *s, struct rq *rq)
{
	u64 now = s->engine->now, done = now - rq->run_from;
	struct task *t = rq->curr;
	bool counted;

	rq->run_from = now;
	if (!t)
		return;
	if (rq->rate != Q32_ONE) {
		u128 work = (u128)done * rq->rate + rq->rate_frac;

		done = (u64)(work >> 32);
		rq->rate_frac = (u32)work;
	}
	counted = t->has_step && !t->cpu_clock && t->remaining != WORK_FOREVER;
	if (counted) {
		done = min_u64(done, t->remaining);
		t->remaining -= done;
	}
	s->totals.work_ns += done;
}

/* When will the current step end? The step's own clock is its CPU time or its work. */
static void arm(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;
	u64 when = max_u64(rq->run_from, s->engine->now);

	if (t->has_step && t->remaining == WORK_FOREVER) {
		engine_cancel(s->engine, s->ev_done, rq->cpu);
		return;
	}
	if (t->has_step && t->cpu_clock) {
		u64 used = t->se.sum_exec + (s->engine->now - t->se.exec_start);
		u64 left = t->cpu_target > used ? t->cpu_target - used : 0;

		when = max_u64(when, s->engine->now + left);
	} else if (t->has_step) {
		when += rate_time_for(rq, t->remaining);
	}
	engine_set(s->engine, s->ev_done, rq->cpu, when);
}

static inline void charge(struct sched *s, struct rq *rq, enum sys_cause cause, u64 ns)
{
	s->totals.system_ns[cause] += ns;
	cpu_settle(s, rq);
	rq->run_from = max_u64(rq->run_from, s->engine->now) + ns;
	rq->rearm = true;
}

/*
 * Kernel code runs on the same core as its task's: a busy sibling and the clock slow it
 * as they slow the task. The cost rows are for a core alone at its nominal speed.
 *
 * differs from Linux: kernel code has the profile of the task that it runs for.
 */
static __attribute__((noinline)) void charge_slowed(struct sched *s, struct rq *rq,
						    enum sys_cause cause, u64 ns)
{
	bool slowed = rq->curr && rq->rate != Q32_ONE;

	if (slowed) {
		cpu_settle(s, rq); /* what is left of a ns of work belongs to the task */
		ns = rate_time_for(rq, ns);
	}
	if (s->account)
		account_charge(s, rq, cause, ns, slowed);
	charge(s, rq, cause, ns);
}

void cpu_charge(struct sched *s, struct rq *rq, enum sys_cause cause, u64 ns)
{
	if (!ns)
		return;
	if (s->charge_other)
		charge_slowed(s, rq, cause, ns);
	else
		charge(s, rq, cause, ns);
}

/* The host takes the CPU away: as long as system time, at any clock. */
void cpu_steal(struct sched *s, struct rq *rq, u64 ns)
{
	if (s->account)
		account_charge(s, rq, SYS_STOLEN, ns, false);
	charge(s, rq, SYS_STOLEN, ns);
	cpu_rearm(s, rq);
}

/* Charges move the end of the running step: once a handler, however many there were. */
void cpu_rearm(struct sched *s, struct rq *rq)
{
	if (!rq->rearm)
		return;
	rq->rearm = false;
	if (rq->curr && engine_pending(s->engine, s->ev_done, rq->cpu))
		arm(s, rq);
}

/* Let a CPU look at its wake list and its need to reschedule. */
void cpu_kick(struct sched *s, struct rq *rq, u32 from)
{
	const struct machine_cpu *a = &s->machine->cpu[from];
	const struct machine_cpu *b = &s->machine->cpu[rq->cpu];
	u64 now = s->engine->now, sent = max_u64(now, cpu_rq(s, from)->run_from), when;
	enum cost_id cost = COST_WAKE_NODE;

	if (from == rq->cpu) {
		if (!rq->in_run)
			engine_set(s->engine, s->ev_ipi, rq->cpu,
				   max_u64(now, rq->run_from));
		return;
	}
	if (a->core == b->core)
		cost = COST_WAKE_SMT;
	else if (share_cache(s, from, rq->cpu))
		cost = COST_WAKE_LLC;
	else if (a->node == b->node)
		cost = COST_WAKE_SOCKET;
	when = sent + s->cost[cost] + rq->exit_latency;
	if (rq->polling)
		when = sent + governor_poll_notice(s, rq, from);
	if (engine_pending(s->engine, s->ev_ipi, rq->cpu) &&
	    engine_when(s->engine, s->ev_ipi, rq->cpu) <= when)
		return;
	engine_set(s->engine, s->ev_ipi, rq->cpu, when);
}

void cpu_resched(struct sched *s, struct rq *rq, u32 from)
{
	if (rq->resched == RESCHED_NOW)
		return;
	rq->resched = RESCHED_NOW;
	cpu_kick(s, rq, from);
}

/*
 * No IPI: at its next tick, or when it looks for another reason before that, as at the
 * end of a step (resched_curr_lazy() of Linux 6.13).
 */
void cpu_resched_at_tick(struct sched *s, struct rq *rq)
{
	u64 when = s->engine->now;

	if (rq->resched)
		return;
	rq->resched = RESCHED_LAZY;
	if (engine_pending(s->engine, s->ev_tick, rq->cpu))
		when = engine_when(s->engine, s->ev_tick, rq->cpu);
	if (!engine_pending(s->engine, s->ev_ipi, rq->cpu) ||
	    engine_when(s->engine, s->ev_ipi, rq->cpu) > when)
		engine_set(s->engine, s->ev_ipi, rq->cpu, when);
}

static void emit_switch(struct sched *s, const struct rq *rq, const struct task *prev,
			const struct task *next)
{
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = SIM_SWITCH,
		.place = rq->cpu,
		.who = next ? next->id : TASK_NONE,
		.other = prev ? prev->id : TASK_NONE,
	};

	if (prev && prev->state != TASK_RUNNABLE)
		ev.arg = prev->state == TASK_DEAD ? 2 : 1;
	engine_emit(s->engine, &ev);
}

/* A task that comes from elsewhere first loads what it needs. */
static void cold_start(struct sched *s, struct rq *rq, struct task *t)
{
	u64 ns = warm_cold_start(s, rq, t);

	if (!ns)
		return;
	s->totals.cold_ns += ns;
	if (s->account)
		account_cold(s, rq, ns);
	rq->run_from = max_u64(rq->run_from, s->engine->now) + ns;
}

static inline void set_next(struct sched *s, struct rq *rq, struct task *next)
{
	if (next->rt_prio)
		rt_run_next(s, rq, next);
	else
		fair_set_next(s, rq, next);
}

static __attribute__((noinline)) void left_cpu(struct sched *s, struct rq *rq,
					       struct task *t)
{
	if (t->watched & WATCHED_MEMORY)
		memory_left_cpu(s, rq, t);
	if (t->watched & WATCHED_CLIENT)
		s->client.off_cpu(s->client.ctx, s, t);
}

/* Copied into the pick, which shall not pay for the switch to a stopper. */
static inline __attribute__((always_inline)) void
switch_to(struct sched *s, struct rq *rq, struct task *prev, struct task *next)
{
	s->totals.switches++;
	emit_switch(s, rq, prev, next);
	if (!prev)
		idle_exit(s, rq);
	cpu_account(s, rq);
	s->core_busy[rq->core_first] =
		(u8)(s->core_busy[rq->core_first] - (prev != NULL) + (next != NULL));
	if (next)
		set_next(s, rq, next);
	else
		load_update_cfs(s, &rq->cfs);
	rq->curr = next;
	mark_dirty(s, rq);
	if (prev && prev->watched)
		left_cpu(s, rq, prev);
	if (!next) {
		engine_cancel(s->engine, s->ev_done, rq->cpu);
		rate_switched(s, rq, prev != NULL);
		idle_enter(s, rq);
		return;
	}
	if (!prev)
		tick_start(s, rq);
	rate_switched(s, rq, prev != NULL);
	cpu_charge(s, rq, SYS_SWITCH, s->cost[COST_SWITCH]);
	if (next->profile != PROFILE_DEFAULT)
		cold_start(s, rq, next);
}

static struct task *pick_by_class(struct sched *s, struct rq *rq)
{
	struct task *next = rt_pick(rq);

	if (next)
		return next;
	return s->eevdf ? s->ops.fair.peek(s, rq) : fair_pick(s, rq);
}

static struct task *pick_or_pull(struct sched *s, struct rq *rq)
{
	struct task *next = pick_by_class(s, rq);

	if (!next && balance_newidle(s, rq))
		next = pick_by_class(s, rq);
	return next;
}

/*
 * With EEVDF, real-time tasks, limits of CPU time, or tagged tasks.
 * (put_prev_task_balance(), pick_next_task().)
 */
static __attribute__((noinline)) struct task *pick_other(struct sched *s, struct rq *rq,
							 struct task *prev)
{
	struct task *next;

	if (prev && prev->rt_prio) {
		rt_update_curr(s, rq);
		/* it has left: others may have something for this CPU */
		if (s->rt && (prev->state != TASK_RUNNABLE || prev->rq != rq) &&
		    rt_highest(rq) < prev->rt_prio)
			rt_pull(s, rq);
	} else if (s->limits) {
		/* what ran out of CPU time with `prev` is not there any more */
		bandwidth_put(s, rq, prev);
	}
	next = s->core_on ? core_pick(s, rq) : pick_or_pull(s, rq);
	if (!next)
		touch(s, rq); /* forced idle: nothing else does */
	/* with EEVDF `prev` has not left yet, see fair_leave() */
	if (rq->cfs.curr && (!next || next->rt_prio))
		eevdf_put_prev(s, rq);
	return next;
}

static inline struct task *pick(struct sched *s, struct rq *rq)
{
	struct task *next = fair_pick(s, rq);

	if (!next && balance_newidle(s, rq))
		next = fair_pick(s, rq);
	return next;
}

/* Pick the next task. `prev` was put back already, or is gone. */
static void pick_and_switch(struct sched *s, struct rq *rq, struct task *prev)
{
	struct task *next = __builtin_expect(s->other_pick, false)
				    ? pick_other(s, rq, prev)
				    : pick(s, rq);

	rq->resched = false;
	if (next != prev) {
		switch_to(s, rq, prev, next);
		return;
	}
	if (next)
		set_next(s, rq, next); /* it goes on */
	if (s->stat)
		stat_no_switch(s, rq);
}

static void reschedule(struct sched *s, struct rq *rq)
{
	struct task *prev = rq->curr;

	cpu_settle(s, rq);
	if (prev && prev->must_move) {
		if (stop_move_running(s, rq))
			return;
	} else if (prev && rq->cfs.curr) {
		fair_leave(s, rq, prev); /* unless a push put it back */
	}
	pick_and_switch(s, rq, prev);
}

void cpu_switch(struct sched *s, struct rq *rq, struct task *prev, struct task *next)
{
	switch_to(s, rq, prev, next);
}

void cpu_pick(struct sched *s, struct rq *rq, struct task *prev)
{
	pick_and_switch(s, rq, prev);
}

/* What ran has been moved away, and nothing else is queued here. */
void cpu_vacate(struct sched *s, struct rq *rq)
{
	rq->in_run = true;
	reschedule(s, rq);
	rq->in_run = rq->rearm = false;
}

/* Its timer has no slack: hrtimer_nanosleep(). */
static __attribute__((noinline)) void block_rt(struct sched *s, struct rq *rq,
					       struct task *t)
{
	u64 when;

	rt_dequeue(s, rq, t);
	if (t->by_device || !engine_pending(s->engine, s->ev_timer, t->id))
		return;
	when = engine_when(s->engine, s->ev_timer, t->id) - s->timer_slack;
	engine_set(s->engine, s->ev_timer, t->id, max_u64(when, s->engine->now));
}

static inline __attribute__((always_inline)) void block(struct sched *s, struct rq *rq)
{
	struct task *prev = rq->curr;

	if (prev->rt_prio) {
		block_rt(s, rq, prev);
	} else {
		fair_dequeue(s, rq, prev, true);
		fair_leave(s, rq, prev);
	}
	pick_and_switch(s, rq, prev);
}

/* The task has nothing left to do: ask the client. Returns false once time must pass. */
static bool next_step(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;

	if (t->exiting) {
		if (task_is_stopper(t)) {
			stop_step(s, rq);
			return true;
		}
		task_exit(s, rq);
		pick_and_switch(s, rq, t);
		task_free(s, t);
		return true;
	}
	t->amount = 0;
	switch (s->client.step(s->client.ctx, s, t)) {
	case STEP_WORK:
		t->has_step = true;
		t->cpu_clock = false;
		t->remaining = t->amount;
		return true;
	case STEP_SPIN:
		if (s->account)
			account_cpu(s, rq);
		t->has_step = t->spinning = true;
		t->cpu_clock = false;
		t->remaining = t->amount ? t->amount : WORK_FOREVER;
		return true;
	case STEP_CPU_TIME:
		t->has_step = true;
		t->cpu_clock = true;
		t->remaining = 0;
		t->cpu_target =
			t->se.sum_exec + (s->engine->now - t->se.exec_start) + t->amount;
		return true;
	case STEP_AGAIN:
		return true;
	case STEP_BLOCK_THEN_WORK:
		t->has_step = true;
		t->cpu_clock = false;
		t->remaining = t->amount;
		block(s, rq);
		return true;
	case STEP_BLOCK:
		block(s, rq);
		return true;
	case STEP_EXIT:
		t->exiting = true;
		cpu_charge(s, rq, SYS_EXIT, s->cost[COST_EXIT]);
		return true;
	}
	return true;
}

static bool step_ended(const struct sched *s, const struct task *t)
{
	if (t->remaining == WORK_FOREVER)
		return false;
	if (!t->cpu_clock)
		return t->remaining == 0;
	return t->se.sum_exec + (s->engine->now - t->se.exec_start) >= t->cpu_target;
}

void sched_spin_end(struct sched *s, struct task *t, u64 ns)
{
	struct rq *rq = t->rq;

	if (!t->spinning)
		return;
	if (rq->curr == t)
		cpu_settle(s, rq);
	if (s->account)
		account_cpu(s, rq);
	t->spinning = false;
	t->remaining = ns;
	if (rq->curr == t && !rq->in_run)
		arm(s, rq);
}

void cpu_run(struct sched *s, struct rq *rq)
{
	u32 guard = 0;

	rq->in_run = true;
	while (!s->broken) {
		struct task *t;

		if (rq->resched)
			reschedule(s, rq);
		t = rq->curr;
		if (!t) {
			if (rq->steal)
				core_steal(s, rq);
			if (rq->resched && ++guard <= STEPS_AT_ONCE)
				continue; /* it has stolen a task */
			break;
		}
		cpu_settle(s, rq);
		if (t->has_step && step_ended(s, t))
			t->has_step = false;
		if (t->has_step || rq->run_from > s->engine->now) {
			arm(s, rq);
			break;
		}
		if (++guard > STEPS_AT_ONCE)
			sched_break(
				s,
				"task %s goes through %u operations without time passing",
				t->comm, guard);
		else
			next_step(s, rq);
	}
	rq->in_run = false;
	rq->rearm = false;
}

void cpu_event_done(void *ctx, u32 cpu)
{
	struct sched *s = ctx;

	cpu_run(s, cpu_rq(s, cpu));
}

static __attribute__((noinline)) void ipi_work(struct sched *s, struct rq *rq)
{
	u8 work = rq->ipi_work;

	rq->ipi_work = 0;
	if (work & IPI_PUSH)
		stop_push_arrived(s, rq);
	if (work & (IPI_NOHZ | IPI_NOHZ_NEXT))
		balance_nohz(s, rq, work);
	if (work & IPI_RT_PUSH)
		rt_push_asked(s, rq);
}

/* The IPI: wake list, balancing on behalf of others, push of the running task. */
void cpu_event_ipi(void *ctx, u32 cpu)
{
	struct sched *s = ctx;
	struct rq *rq = cpu_rq(s, cpu);

	rq->exit_latency = 0;
	if (rq->wake_pending)
		wake_list_drain(s, rq);
	if (rq->ipi_work)
		ipi_work(s, rq);
	if (rq->resched)
		cpu_run(s, rq); /* arms what it leaves */
	else
		cpu_rearm(s, rq);
	if (!rq->curr)
		idle_choose(s, rq);
}
