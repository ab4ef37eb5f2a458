/*
 * The real-time class: SCHED_FIFO and SCHED_RR, above the fair class whatever the nice
 * values are. Each CPU has a list for every priority and a bitmap of the lists that are
 * not empty; the running task stays at the head of its list. (struct rt_rq, rt_prio_array
 * in Linux.)
 *
 * Nothing of this exists until the first task of the class does: rq->rt and s->rt are
 * NULL. A priority is that of sched_setscheduler(): 1 .. 99, more is more urgent; 0
 * stands for the fair class and for idle.
 */
#ifndef SCHED_RT_H
#define SCHED_RT_H

#include "internal.h"

#define RT_LEVELS 100u

struct rt_list {
	struct task *first, *last;
};

struct rt_rq {
	u64 bits[2]; /* lists that are not empty */
	struct rt_list list[RT_LEVELS];
	u32 nr;		/* tasks, the running one included */
	u32 migratory;	/* of these, may run on more than one CPU */
	u64 time;	/* ns run in this period, and what earlier ones left */
	bool throttled; /* has had its runtime: its tasks do not count as running */
	bool overloaded;
	u32 rotor;	 /* CPU that this one chose last from equals */
	u64 capacity;	 /* what is left to fair tasks: balance/capacity.c */
	struct pelt avg; /* of the time that its tasks run; up to now: rt_util() */
};

/* What the CPUs share. (struct root_domain, rt_bandwidth in Linux.) */
struct rt_sched {
	struct cpumask *over;	/* CPUs with tasks that others might take */
	struct cpumask *lowest; /* scratch */
	u32 nr_over;
	u32 timer_cpu; /* runs the period timer */
	bool timer_on;
	u32 asked;	     /* CPU that was asked to push, CPU_NONE = no round is on */
	u32 round, want;     /* requests seen by the round that is on; made */
	u64 runtime, period; /* ns */
	u32 slice;	     /* of SCHED_RR, ticks */
};

/** The class comes into being with the first task of it. */
void rt_use(struct sched *s);

/* rt/queue.c */
void rt_enqueue(struct sched *s, struct rq *rq, struct task *t, bool head);
/** The caller sets the new state, if it does not sleep. */
void rt_dequeue(struct sched *s, struct rq *rq, struct task *t);
/** The task to run, or NULL: none, or the CPU is throttled. */
struct task *rt_pick(const struct rq *rq);
void rt_requeue(struct sched *s, struct rq *rq, struct task *t, bool head);
void rt_set_next(struct sched *s, struct rq *rq, struct task *t);
/** From a pick: who waits now may be pushed. */
void rt_run_next(struct sched *s, struct rq *rq, struct task *t);
void rt_update_curr(struct sched *s, struct rq *rq);
void rt_tick(struct sched *s, struct rq *rq);
void rt_affinity_changes(struct sched *s, struct task *t, u32 ncpus);

/** How much of the CPU its tasks take, up to now, of 1024 (avg_rt.util_avg). */
u64 rt_util(const struct sched *s, const struct rq *rq);

/** Before its tasks are pushed away, and behind that: a CPU that leaves has no limit. */
void rt_unlimit(struct sched *s, struct rq *rq);

/* rt/place.c */
u32 rt_select(struct sched *s, struct task *t, u32 by);
void rt_check_wakeup(struct sched *s, struct rq *rq, struct task *t, u32 by);
/** After a wake-up that did not preempt: somebody else may take it. */
void rt_woken(struct sched *s, struct rq *rq, struct task *t, u32 by);

/* rt/push.c */
/** `curr` runs there, or is about to; `by` does it. */
void rt_push(struct sched *s, struct rq *rq, const struct task *curr, u32 by);
void rt_push_asked(struct sched *s, struct rq *rq);
void rt_pull(struct sched *s, struct rq *rq);
/** A CPU has left; `by` goes on with what it was asked for. */
void rt_push_passed_on(struct sched *s, struct rq *rq, u32 by);
/** Where t would preempt the lowest priority, CPU_NONE = nowhere; `by` looks. */
u32 rt_find_lowest(struct sched *s, const struct task *t, u32 by);
/** Is there a CPU of lower priority that t may use? (cpupri_find() without a mask.) */
bool rt_has_lower(struct sched *s, const struct task *t);

/** The highest priority that is queued, throttled or not; 0 = none. */
static inline u32 rt_highest(const struct rq *rq)
{
	const struct rt_rq *rt = rq->rt;

	if (!rt || !rt->nr)
		return 0;
	if (rt->bits[1])
		return 127 - (u32)__builtin_clzll(rt->bits[1]);
	return 63 - (u32)__builtin_clzll(rt->bits[0]);
}

/** Priority of what is on the CPU. */
static inline u32 rt_curr_prio(const struct rq *rq)
{
	return rq->curr ? rq->curr->rt_prio : 0;
}

/* For those who do not know the class of a task, off the hot path. */
static inline void class_enqueue(struct sched *s, struct rq *rq, struct task *t)
{
	if (t->rt_prio)
		rt_enqueue(s, rq, t, false);
	else
		fair_enqueue(s, rq, t, false, true);
}

static inline void class_dequeue(struct sched *s, struct rq *rq, struct task *t)
{
	if (t->rt_prio)
		rt_dequeue(s, rq, t);
	else
		fair_dequeue(s, rq, t, false);
}

static inline void class_check_wakeup(struct sched *s, struct rq *rq, struct task *t,
				      u32 by)
{
	if (t->rt_prio)
		rt_check_wakeup(s, rq, t, by);
	else
		fair_check_wakeup(s, rq, t, false, by);
}

#endif
