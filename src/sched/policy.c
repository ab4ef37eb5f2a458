/*
 * Nice values, policies and the change from one class or group to the other: what a fair
 * task owns of its queue, virtual time and load, it takes along, relative, and hands back
 * when it returns. Corresponds to sched_move_task(), set_user_nice(),
 * __sched_setscheduler(), __setparam_fair() (6.12), switched_from_fair(),
 * switched_to_rt(), prio_changed_rt(), switched_from_rt(), switched_to_fair() of
 * Linux 6.1.
 */
#include "rt/rt.h"

static void reweight(struct sched *s, struct task *t)
{
	u64 old = t->se.weight, weight = fair_task_weight(t);
	struct rq *rq = t->rq;

	if (weight == old)
		return;
	if (t->rt_prio) {
		fair_set_weight(&t->se, weight); /* it is on no fair queue */
		return;
	}
	touch(s, rq);
	s->ops.fair.update_curr(s, t->se.cfs);
	load_update(s, t->se.cfs, &t->se);
	s->ops.fair.set_weight(s, &t->se, weight);
	if (t->state == TASK_RUNNABLE && rq->curr && rq->curr != t && weight > old)
		cpu_resched(s, rq, rq->cpu);
}

void sched_set_nice(struct sched *s, struct task *t, s32 nice)
{
	t->nice = nice;
	reweight(s, t);
}

/*
 * Its deadline stays: what is asked for counts from the next one on, as a queued task
 * keeps what is left of its deadline (PLACE_REL_DEADLINE). Groups above ask for the
 * shortest slice below them at once.
 */
void sched_set_slice(struct sched *s, struct task *t, u64 ns)
{
	struct entity *se = &t->se;

	if (!s->eevdf || !s->feat[FEAT_CUSTOM_SLICE] || t->rt_prio)
		return;
	se->custom_slice = ns != 0;
	se->slice = ns ? min_u64(max_u64(ns, SLICE_LEAST), SLICE_MOST) : s->base_slice;
	if (se->on_rq)
		eevdf_slice_set(s, t->rq, se);
}

static bool is_rt(enum task_policy policy)
{
	return policy == POLICY_FIFO || policy == POLICY_RR;
}

/* From the first SCHED_IDLE task on, placement has to look for their CPUs. */
void task_set_policy(struct sched *s, struct task *t, enum task_policy policy,
		     u32 rt_priority)
{
	t->policy = policy;
	t->se.idle = policy == POLICY_IDLE;
	s->wakeup_rules |= policy != POLICY_OTHER;
	t->rt_prio = 0;
	if (is_rt(policy)) {
		rt_use(s);
		t->rt_prio =
			max_u32(RT_PRIORITY_MIN, min_u32(rt_priority, RT_PRIORITY_MAX));
		t->rt_slice = s->rt->slice;
	}
	if (!t->se.idle || !s->feat[FEAT_SCHED_IDLE])
		return;
	s->sched_idle = s->sibling_any = true;
}

/* As if it woke up now; what EEVDF owes it is relative already. */
static void leave_vruntime(struct sched *s, struct task *t)
{
	struct cfs_rq *cfs = t->se.cfs;
	u64 floor;

	if (s->eevdf)
		return;
	if (s->core_clock && !t->se.parent)
		core_clock_sync(s, t->rq);
	fair_update_curr(s, cfs);
	floor = cfs->min_vruntime -
		(t->se.idle ? s->idle_sleeper_credit : s->sleeper_credit);
	if ((s64)(floor - t->se.vruntime) > 0)
		t->se.vruntime = floor;
	t->se.vruntime -= cfs->min_vruntime;
}

static void load_update_above(struct sched *s, struct task *t)
{
	for (struct entity *se = t->se.parent; se; se = se->parent)
		load_update(s, se->cfs, se);
}

/* It sleeps, and its queue keeps its load until now. */
static void leave_asleep(struct sched *s, struct task *t)
{
	leave_vruntime(s, t);
	load_detach(s, t->se.cfs, &t->se);
	load_update_above(s, t);
}

static void leave(struct sched *s, struct task *t)
{
	struct rq *rq = t->rq;

	switch (t->state) {
	case TASK_RUNNABLE:
		class_dequeue(s, rq, t);
		if (rq->curr == t && rq->cfs.curr)
			fair_put_now(s, rq, t);
		t->state = TASK_RUNNABLE;
		return;
	case TASK_WAKING:
		if (!t->rt_prio && !t->waking_moved)
			leave_asleep(s, t);
		t->waking_moved = true;
		return;
	case TASK_DELAYED:
		eevdf_end_delay(s, t);
		leave_asleep(s, t);
		return;
	case TASK_SLEEPING:
		leave_asleep(s, t);
		return;
	case TASK_RT_SLEEPING:
	case TASK_NEW:
	case TASK_DEAD:
		return;
	}
}

/* It joins its queue and falls asleep there. */
static void join_asleep(struct sched *s, struct task *t)
{
	t->state = t->rt_prio ? TASK_RT_SLEEPING : TASK_SLEEPING;
	if (t->rt_prio)
		return;
	if (s->eevdf) { /* it might have to wait there */
		load_attach(s, t->se.cfs, &t->se);
		load_update_above(s, t);
		return;
	}
	fair_enqueue(s, t->rq, t, false, true);
	fair_dequeue(s, t->rq, t, true);
}

/* head: its priority fell, so that it is the first of its new equals. */
static void join(struct sched *s, struct task *t, bool head)
{
	struct rq *rq = t->rq;

	if (t->state == TASK_SLEEPING || t->state == TASK_RT_SLEEPING) {
		join_asleep(s, t);
	} else if (t->state == TASK_RUNNABLE && t->rt_prio) {
		rt_enqueue(s, rq, t, head);
		if (rq->curr == t)
			rt_set_next(s, rq, t);
	} else if (t->state == TASK_RUNNABLE) {
		fair_enqueue(s, rq, t, false, true);
		/* in a throttled group it may not go on: compare_again() */
		if (rq->curr == t && !task_throttled(t)) {
			u8 resched = rq->resched;

			fair_set_next(s, rq, t);
			rq->resched = resched;
		}
	}
}

/* It is queued, and its priority was `old`: who runs now? */
static void compare_again(struct sched *s, struct rq *rq, struct task *t, u32 old)
{
	u32 cpu = rq->cpu;

	if (rq->curr == t) {
		if (t->rt_prio < old && (t->rt_prio || !rq->rt->nr))
			rt_pull(s, rq);
		if (!t->rt_prio || rt_highest(rq) > t->rt_prio)
			cpu_resched(s, rq, cpu);
		return;
	}
	if (!t->rt_prio) {
		if (!rq->rt->nr)
			rt_pull(s, rq);
		fair_check_wakeup(s, rq, t, false, cpu);
		return;
	}
	if (t->rt_prio > rt_curr_prio(rq))
		cpu_resched(s, rq, cpu);
	else if (!old)
		rt_push(s, rq, rq->curr, cpu);
}

void sched_set_policy(struct sched *s, struct task *t, enum task_policy policy,
		      u32 rt_priority)
{
	u32 old = t->rt_prio;
	bool rt = is_rt(policy);

	if (!old && !rt) {
		task_set_policy(s, t, policy, 0);
		reweight(s, t);
		return;
	}
	rt_use(s);
	if (old == rt_priority && rt) {
		t->policy = policy;
		return;
	}
	if (t->state == TASK_RUNNABLE)
		touch(s, t->rq);
	leave(s, t);
	task_set_policy(s, t, policy, rt_priority);
	fair_set_weight(&t->se, fair_task_weight(t));
	join(s, t, t->rt_prio < old);
	if (t->state == TASK_RUNNABLE)
		compare_again(s, t->rq, t, old);
}

void sched_join_group(struct sched *s, struct task *t, struct task_group *g)
{
	struct rq *rq = t->rq;

	if (!g)
		g = &s->root_group;
	if (t->tg == g)
		return;
	if (t->state == TASK_RUNNABLE)
		touch(s, rq);
	leave(s, t);
	t->tg = g;
	group_set_task_rq(t, rq);
	join(s, t, false);
	core_update_cookie(s, t);
	if (t->state != TASK_RUNNABLE)
		return;
	if (rq->curr == t)
		cpu_resched(s, rq, rq->cpu);
	else
		class_check_wakeup(s, rq, t, rq->cpu);
}
