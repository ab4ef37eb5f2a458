/*
 * A CPU goes offline. What it was sent is taken first (wake list), throttled groups and
 * real-time tasks are let go, and then every queued task is pushed away in the order in
 * which the CPU would have run them; sleepers stay, and are placed elsewhere when they
 * wake up. Timers go to the heir. Corresponds to sched_cpu_deactivate(),
 * set_rq_offline(), unthrottle_offline_cfs_rqs(), balance_push(), select_fallback_rq(),
 * sched_cpu_dying(), hrtimers_dead_cpu() of Linux 6.1. All CPUs stand still for the cost
 * row hotplug.stop (take_cpu_down() in stop_machine()).
 *
 * differs from Linux: the heir is the online CPU of the lowest number, where Linux takes
 * the CPU that runs the hotplug; timers that it has inherited go back with the CPU.
 */
#include "core/core.h"
#include "fair/eevdf.h"
#include "hotplug/hotplug.h"
#include "stop.h"

/* What the running task had begun to pay for it pays for where it goes. */
static void take_along(struct sched *s, struct rq *rq, struct rq *dst)
{
	u64 now = s->engine->now, left = rq->run_from - min_u64(rq->run_from, now);

	if (!left)
		return;
	if (s->account)
		account_take_along(s, rq, dst);
	cpu_settle(s, dst);
	dst->run_from = max_u64(dst->run_from, now) + left;
	dst->rearm = true;
	cpu_rearm(s, dst);
}

static void push(struct sched *s, struct rq *rq, struct task *t)
{
	struct rq *dst = cpu_rq(s, cpu_fallback(s, t));
	bool near = s->machine->cpu[rq->cpu].node == s->machine->cpu[dst->cpu].node;

	count(s, near ? DEC_HOTPLUG_PUSHED : DEC_HOTPLUG_FAR);
	task_need_not_move(t);
	class_dequeue(s, rq, t);
	task_set_cpu(s, t, dst->cpu, rq->cpu);
	if (rq->curr == t)
		take_along(s, rq, dst);
	cpu_charge(s, rq, SYS_BALANCE, s->cost[COST_MIGRATE]);
	class_enqueue(s, dst, t);
	class_check_wakeup(s, dst, t, rq->cpu);
}

static struct task *best(struct sched *s, struct rq *rq)
{
	u32 prio = rt_highest(rq);

	return prio ? rq->rt->list[prio].first : s->ops.fair.peek(s, rq);
}

/* Tasks that sleep, but are queued until they have paid back (EEVDF), leave. */
static void end_delays(struct sched *s, const struct rq *rq)
{
	if (!s->eevdf)
		return;
	for (u32 i = 0; i < s->nr_tasks; i++)
		if (s->task[i] && s->task[i]->state == TASK_DELAYED &&
		    s->task[i]->rq == rq)
			eevdf_end_delay(s, s->task[i]);
}

static void push_all(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;

	if (t) {
		cpu_settle(s, rq);
		if (rq->cfs.curr)
			fair_put_now(s, rq, t);
		push(s, rq, t);
	}
	end_delays(s, rq);
	while ((t = best(s, rq)) != NULL)
		push(s, rq, t);
}

/* Groups have no limit on a CPU that goes: what was throttled can be pushed. */
static void unlimit(struct sched *s, struct rq *rq)
{
	if (rq->rt)
		rt_unlimit(s, rq);
	for (u32 i = 0; i < s->nlimited; i++) {
		struct cfs_limit *l = &s->limited[i]->cfs[rq->cpu]->limit;

		l->on = false;
		l->left = 1;
	}
	for (struct task_group *g = s->groups; g; g = g->all_next)
		if (g->cfs[rq->cpu]->limit.throttled)
			group_unthrottle(s, g->cfs[rq->cpu], rq->cpu);
}

static void hand_over_timers(struct sched *s, const struct rq *rq)
{
	struct rq *heir = cpu_rq(s, rq->heir);

	for (u32 i = 0; i < s->nlimited; i++)
		for (u32 k = 0; k < ARRAY_SIZE(s->limited[i]->bw->cpu); k++)
			if (s->limited[i]->bw->cpu[k] == rq->cpu)
				s->limited[i]->bw->cpu[k] = heir->cpu;
	if (rq->gov)
		governor_inherit(heir->gov, rq->gov);
	if (!s->rt)
		return;
	if (s->rt->timer_cpu == rq->cpu)
		s->rt->timer_cpu = heir->cpu;
	rt_push_passed_on(s, cpu_rq(s, rq->cpu), heir->cpu);
}

/* It idles, and now even that ends. */
static void leave_idle(struct sched *s, struct rq *rq)
{
	balance_nohz_exit(s, rq);
	idle_exit(s, rq);
	cpu_account(s, rq);
	tick_stop(s, rq);
	engine_cancel(s->engine, s->ev_done, rq->cpu);
	engine_cancel(s->engine, s->ev_ipi, rq->cpu);
	host_cpu(s, rq->cpu, false);
	rq->resched = 0;
	rq->ipi_work = 0;
	rq->rearm = rq->polling = false;
	rq->has_pick = rq->chosen = rq->forced_idle = rq->steal = false;
	rq->pick = NULL;
	if (s->account)
		account_drop(s, rq);
	rq->run_from = s->engine->now;
	rq->rate_frac = 0;
	rq->idle_stamp = s->engine->now;
}

/* take_cpu_down() runs while every other CPU spins with its interrupts off. */
static void stop_machine(struct sched *s)
{
	if (!s->cost[COST_HOTPLUG_STOP])
		return;
	for_each_cpu (cpu, s->online) {
		cpu_charge(s, cpu_rq(s, cpu), SYS_KERNEL, s->cost[COST_HOTPLUG_STOP]);
		cpu_rearm(s, cpu_rq(s, cpu));
	}
}

void hotplug_down(struct sched *s, struct rq *rq)
{
	touch(s, rq);
	stop_finish(s, rq);
	if (rq->wake_pending)
		wake_list_drain(s, rq);
	rq->online = false;
	cpumask_clear(s->online, rq->cpu);
	s->nr_online--;
	rq->heir = cpumask_first(s->online);
	unlimit(s, rq);
	push_all(s, rq);
	if (rq->rt)
		rt_unlimit(s, rq);
	if (rq->curr)
		cpu_vacate(s, rq);
	leave_idle(s, rq);
	hand_over_timers(s, rq);
	hotplug_core_changes(s, rq);
	hotplug_core_again(s, rq);
	stop_machine(s);
}
