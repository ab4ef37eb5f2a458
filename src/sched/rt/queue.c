/*
 * The queue of real-time tasks of a CPU, and how long they may run: rt.runtime of every
 * rt.period, then the CPU is throttled, whoever else waits or not, until the period timer
 * has paid off what is above. Corresponds to enqueue_task_rt(), update_curr_rt(),
 * task_tick_rt(), sched_rt_runtime_exceeded(), do_sched_rt_period_timer() of Linux 6.1.
 *
 * differs from Linux: real-time groups (CONFIG_RT_GROUP_SCHED), lending of runtime
 * between CPUs (RT_RUNTIME_SHARE, on before 5.10) and priority inheritance are left out,
 * and so is SCHED_DEADLINE.
 *
 * What they take of a CPU is tracked as Linux tracks it (update_rt_rq_load_avg()), and
 * subtracted from its capacity by balance/capacity.c.
 */
#include "rt/rt.h"

#include "core/core.h"
#include "stop.h"

static void link_head(struct rt_list *l, struct task *t)
{
	t->rt_prev = NULL;
	t->rt_next = l->first;
	if (l->first)
		l->first->rt_prev = t;
	else
		l->last = t;
	l->first = t;
}

static void link_tail(struct rt_list *l, struct task *t)
{
	t->rt_next = NULL;
	t->rt_prev = l->last;
	if (l->last)
		l->last->rt_next = t;
	else
		l->first = t;
	l->last = t;
}

static void list_add(struct rt_rq *rt, struct task *t, bool head)
{
	struct rt_list *l = &rt->list[t->rt_prio];

	if (head)
		link_head(l, t);
	else
		link_tail(l, t);
	rt->bits[t->rt_prio / 64] |= 1ull << t->rt_prio % 64;
}

static void list_del(struct rt_rq *rt, struct task *t)
{
	struct rt_list *l = &rt->list[t->rt_prio];

	if (t->rt_prev)
		t->rt_prev->rt_next = t->rt_next;
	else
		l->first = t->rt_next;
	if (t->rt_next)
		t->rt_next->rt_prev = t->rt_prev;
	else
		l->last = t->rt_prev;
	if (!l->first)
		rt->bits[t->rt_prio / 64] &= ~(1ull << t->rt_prio % 64);
}

static void note_overload(struct sched *s, struct rq *rq)
{
	struct rt_rq *rt = rq->rt;
	bool over = rt->nr > 1 && rt->migratory;

	if (over == rt->overloaded)
		return;
	rt->overloaded = over;
	if (over) {
		cpumask_set(s->rt->over, rq->cpu);
		s->rt->nr_over++;
	} else {
		cpumask_clear(s->rt->over, rq->cpu);
		s->rt->nr_over--;
	}
}

void rt_affinity_changes(struct sched *s, struct task *t, u32 ncpus)
{
	struct rt_rq *rt = t->rq->rt;

	rt->migratory -= t->ncpus_allowed > 1;
	rt->migratory += ncpus > 1;
	note_overload(s, t->rq);
}

static void start_period(struct sched *s, const struct rq *rq)
{
	if (s->rt->timer_on || s->rt->runtime >= s->rt->period)
		return;
	s->rt->timer_on = true;
	s->rt->timer_cpu = rq->cpu;
	engine_set(s->engine, s->ev_rt, 0, s->engine->now + s->rt->period);
}

void rt_enqueue(struct sched *s, struct rq *rq, struct task *t, bool head)
{
	struct rt_rq *rt = rq->rt;

	touch(s, rq);
	t->rq = rq;
	t->state = TASK_RUNNABLE;
	list_add(rt, t, head);
	rt->nr++;
	rt->migratory += t->ncpus_allowed > 1;
	note_overload(s, rq);
	if (!rt->throttled)
		rq->nr_running++;
	if (s->core_able)
		core_enqueue(s, rq, t);
	if (rq->nr_running > 1)
		s->overload = true;
	start_period(s, rq);
}

void rt_dequeue(struct sched *s, struct rq *rq, struct task *t)
{
	struct rt_rq *rt = rq->rt;

	touch(s, rq);
	rt_update_curr(s, rq);
	list_del(rt, t);
	rt->nr--;
	rt->migratory -= t->ncpus_allowed > 1;
	note_overload(s, rq);
	if (!rt->throttled)
		rq->nr_running--;
	t->state = TASK_RT_SLEEPING;
	if (s->core_able)
		core_dequeue(s, rq, t);
}

struct task *rt_pick(const struct rq *rq)
{
	const struct rt_rq *rt = rq->rt;

	if (!rt || !rt->nr || rt->throttled)
		return NULL;
	return rt->list[rt_highest(rq)].first;
}

void rt_requeue(struct sched *s, struct rq *rq, struct task *t, bool head)
{
	touch(s, rq);
	list_del(rq->rt, t);
	list_add(rq->rt, t, head);
}

/* It stays on its list. */
void rt_set_next(struct sched *s, struct rq *rq, struct task *t)
{
	touch(s, rq);
	load_update_cfs(s, &rq->cfs);
	t->se.exec_start = s->engine->now;
	t->se.prev_sum_exec = t->se.sum_exec;
}

void rt_run_next(struct sched *s, struct rq *rq, struct task *t)
{
	rt_set_next(s, rq, t);
	if (!s->core_on && !task_is_stopper(t))
		rt_push(s, rq, t, rq->cpu);
}

/* Picks that were made with, or without, these tasks are void. */
static void set_throttled(struct sched *s, struct rq *rq, bool on)
{
	rq->rt->throttled = on;
	rq->nr_running += on ? -rq->rt->nr : rq->rt->nr;
	if (s->core_able)
		core_of_rq(s, rq)->task_seq++;
	touch(s, rq);
}

void rt_unlimit(struct sched *s, struct rq *rq)
{
	if (rq->rt->throttled)
		set_throttled(s, rq, false);
	rq->rt->time = 0;
}

static void advance(struct pelt *p, u64 now, bool ran)
{
	if (pelt_advance(p, now, ran, ran, ran))
		pelt_average(p, 0);
}

/* Something else ran until the task began to. */
static void track(struct pelt *p, const struct task *t, u64 now)
{
	advance(p, t->se.exec_start, false);
	advance(p, now, true);
}

u64 rt_util(const struct sched *s, const struct rq *rq)
{
	struct pelt p = rq->rt->avg;
	const struct task *t = rq->curr;

	if (t && t->rt_prio && !task_is_stopper(t) && t->rq == rq)
		track(&p, t, s->engine->now);
	else
		advance(&p, s->engine->now, false);
	return p.util_avg;
}

void rt_update_curr(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;
	struct rt_rq *rt = rq->rt;
	u64 delta;

	/* a task that has just been moved away is still on the CPU */
	if (!t || !t->rt_prio || task_is_stopper(t) || t->rq != rq ||
	    s->engine->now <= t->se.exec_start)
		return;
	delta = s->engine->now - t->se.exec_start;
	track(&rt->avg, t, s->engine->now);
	t->se.exec_start = s->engine->now;
	t->se.sum_exec += delta;
	if (s->rt->runtime >= s->rt->period)
		return;
	rt->time += delta;
	if (rt->throttled || rt->time <= s->rt->runtime)
		return;
	count(s, DEC_RT_THROTTLED);
	set_throttled(s, rq, true);
	cpu_resched(s, rq, rq->cpu);
}

/* Only SCHED_RR takes turns, and only among equals. */
void rt_tick(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;

	rt_update_curr(s, rq);
	if (t->policy != POLICY_RR)
		return;
	if (t->rt_slice > 1) {
		t->rt_slice--;
		return;
	}
	t->rt_slice = s->rt->slice;
	if (!t->rt_next && !t->rt_prev)
		return;
	count(s, DEC_RT_ROUND_ROBIN);
	rt_requeue(s, rq, t, false);
	cpu_resched(s, rq, rq->cpu);
}

/* Returns whether the CPU needs another period. */
static bool pay_off(struct sched *s, struct rq *rq, u32 from)
{
	struct rt_rq *rt = rq->rt;

	rt->time -= min_u64(rt->time, s->rt->runtime);
	if (rt->throttled && rt->time < s->rt->runtime) {
		set_throttled(s, rq, false);
		if (rt_highest(rq) > rt_curr_prio(rq))
			cpu_resched(s, rq, from);
	}
	return rt->time || rt->nr;
}

static void event_period(void *ctx, u32 entity)
{
	struct sched *s = ctx;
	struct rq *rq = cpu_rq(s, s->rt->timer_cpu);

	s->rt->timer_on = false;
	for_each_cpu (cpu, s->online)
		s->rt->timer_on |= pay_off(s, cpu_rq(s, cpu), rq->cpu);
	cpu_charge(s, rq, SYS_TIMER, s->cost[COST_TIMER]);
	cpu_rearm(s, rq);
	if (!rq->curr && !rq->resched && !rq->wake_pending)
		idle_choose(s, rq);
	if (s->rt->timer_on)
		engine_set(s->engine, s->ev_rt, entity, s->engine->now + s->rt->period);
}

void rt_use(struct sched *s)
{
	struct rt_rq *rt;

	if (s->rt)
		return;
	s->rt = arena_new(s->arena, struct rt_sched);
	s->rt->over = cpumask_new(s->arena, s->ncpu);
	s->rt->lowest = cpumask_new(s->arena, s->ncpu);
	s->rt->asked = CPU_NONE;
	s->rt->runtime = s->kernel->tun[TUN_RT_RUNTIME];
	s->rt->period = s->kernel->tun[TUN_RT_PERIOD];
	s->rt->slice = (u32)max_u64(1, s->kernel->tun[TUN_RT_TIMESLICE] / s->tick);
	rt = arena_array(s->arena, struct rt_rq, s->ncpu);
	for (u32 i = 0; i < s->ncpu; i++) {
		rt[i].capacity = CPU_CAPACITY;
		s->rq[i].rt = &rt[i];
	}
	s->ev_rt = engine_class_add(s->engine, 1, event_period, s);
	s->wakeup_rules = s->other_pick = true;
}
