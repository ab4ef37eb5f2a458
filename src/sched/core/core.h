/*
 * Core scheduling: the threads of a core run tasks of one cookie only (0 = untagged is a
 * cookie like any other; idle goes with all). One thread picks for the whole core; the
 * others find their pick cached, or stay idle though they have work: forced idle.
 *
 * Terms as in Linux 5.14: cookie, core pick, forced idle, occupation, steal.
 */
#ifndef SCHED_CORE_H
#define SCHED_CORE_H

#include "rt/rt.h"
#include "sched/ledger.h"

/* Shared by the threads of a core; by first CPU. */
struct core_state {
	u64 task_seq; /* moves with every enqueue, dequeue and full pick on the core */
	u64 pick_seq; /* task_seq of the last full pick */
	u64 cookie;   /* of that pick */
	u32 fi_count; /* threads that it forced idle */
	u32 fi_seq;   /* episodes of forced idle */
	u64 compares; /* priorities compared since the last pick was paid */
	struct ledger lock;
	bool in_fi; /* the pick began in one */
	bool multi; /* and looks at all threads whatever this one has */
};

/* s->core_order, s->core_clock, s->core_tick_rule: values in seams.def */
enum core_order {
	ORDER_AUTO,
	ORDER_SNAPSHOT,
	ORDER_SNAPSHOT_ROOT,
	ORDER_QUEUE,
	ORDER_ROOT,
	ORDER_ALLOWANCE,
	ORDER_FORCED,
};

enum core_clock { CLOCK_OWN, CLOCK_MAX, CLOCK_LEADER };

enum core_tick_rule { TICK_HALF, TICK_SLICE, TICK_KICK };

static inline struct core_state *core_of_rq(const struct sched *s, const struct rq *rq)
{
	return &s->core[rq->core_first];
}

static inline struct rq *core_sibling(const struct sched *s, const struct rq *rq, u32 i)
{
	return &s->rq[s->sib[s->sib_at[rq->cpu] + i]];
}

/* Which thread of its core is `rq`: core_sibling(s, rq, core_index(s, rq)) == rq. */
static inline u32 core_index(const struct sched *s, const struct rq *rq)
{
	u32 i = 0;

	while (core_sibling(s, rq, i) != rq)
		i++;
	return i;
}

/** First task of a cookie in the tree of a CPU, or NULL. */
struct task *core_find(const struct sched *s, const struct rq *rq, u64 cookie);
struct task *core_find_next(const struct task *t, u64 cookie);

/** The CPU has the lock of its core for so many ns, after those that came before. */
void core_lock_hold(struct sched *s, struct rq *rq, u64 hold);

/** System time of a pick for all threads of a core, what it prints included. */
void core_pick_charge(struct sched *s, struct rq *rq);

/** Best task of a CPU whatever its class and cookie. */
static inline struct task *core_peek(struct sched *s, struct rq *rq)
{
	struct task *t = rt_pick(rq);

	return t ? t : s->ops.fair.peek(s, rq);
}

/** Is a of lower priority than b, wherever they are? */
static inline bool core_less(struct sched *s, const struct task *a, const struct task *b,
			     bool in_fi)
{
	core_of_rq(s, a->rq)->compares++;
	if (a->rt_prio || b->rt_prio)
		return a->rt_prio < b->rt_prio;
	return s->ops.core_less(s, a, b, in_fi);
}

/** Where both fair tasks meet: entities of one task group, each on its own CPU. */
void core_match_groups(const struct entity **a, const struct entity **b);

/** Begin a pick: true if this thread's own best (*alone, NULL = none) is the answer. */
bool core_begin(struct sched *s, struct rq *rq, struct task **alone);

/** Make the picks known: occupation, reschedule of siblings whose pick is not running. */
void core_publish(struct sched *s, struct rq *rq, u32 occupation);

/** No thread but `keep` has a pick any more; NULL = none has. */
void core_clear_others(struct sched *s, struct rq *rq, const struct rq *keep);

/** Who has been chosen is chosen: count the busy threads (returned) and the forced idle.
 */
u32 core_count_picks(struct sched *s, struct rq *rq);

/** Before and after a pick: what the orders by snapshot remember. */
void core_order_begins(struct sched *s, const struct rq *rq);
void core_order_ends(struct sched *s, const struct rq *rq);

/** Time that threads of a core have run beside a forced idle one: their allowances. */
void core_use_allowance(struct sched *s, const struct rq *rq, u64 ns);

/** A pick of `rq` begins, or is over: which threads of the core are credited from now on.
 */
void core_flag_forced(struct sched *s, struct rq *rq, bool over);

/** Time up to now to the root queues of the threads that are credited. */
void core_credit_forced(struct sched *s, const struct rq *rq, u64 ns);

/** There is a cookie: core scheduling is on, where the machine has threads. */
void core_turn_on(struct sched *s);

/** Core scheduling begins: virtual times become those of a core-wide clock. */
void core_clock_begins(struct sched *s);

/* The variants: decide for every thread (rq->pick, NULL = idle), seen from `rq`, and
 * return its own pick; is the fair task `a` of lower priority than `b`, core-wide? */
core_pick_op core_pick_mainline, core_pick_v2, core_pick_v3;
core_less_op core_less_snapshot, core_less_snapshot_root, core_less_queue, core_less_root,
	core_less_allowance, core_less_forced;

#endif
