/* One balancing pass: who pulls for whom, and how much. (struct lb_env in Linux.) */
#ifndef SCHED_BALANCE_ENV_H
#define SCHED_BALANCE_ENV_H

#include "balance/stats.h"

enum idle_kind { CPU_IS_IDLE, CPU_IS_BUSY, CPU_IS_NEWLY_IDLE };

enum move_kind { MOVE_LOAD, MOVE_UTIL, MOVE_TASK };

struct env {
	struct domain *sd;
	struct rq *dst, *src;
	struct cpumask *cpus; /* CPUs still looked at */
	bool partial;	      /* ... which are not all of the domain */
	enum idle_kind idle;
	enum move_kind kind;
	s64 imbalance;
	u32 loop, loop_max, new_dst;
	bool all_pinned, some_pinned, dst_pinned, active;
	u32 by; /* CPU that does the work and pays for it */
};

/** The busiest group and how much to move (env->kind, env->imbalance), or NULL. */
const struct group *balance_busiest_group(struct sched *s, struct env *env);
/** The queue of the group to take from, or NULL. */
struct rq *balance_busiest_rq(const struct sched *s, const struct env *env,
			      const struct group *g);
/**
 * With memory: env->src, or between nodes another one if that has only tasks that are
 * where their memory is, and others have not. NULL = there is none after all.
 */
__attribute__((noinline, cold)) struct rq *
balance_numa_rq(struct sched *s, struct env *env, const struct group *g);
/**
 * A pass has looked at the whole domain (or at what is left of it): what others want to
 * know of that, and its cost. total: sums of `util` and `waiting`.
 */
void balance_looked(struct sched *s, const struct env *env, const struct cpu_sums *total);
/** The same questions for balance = classic. */
const struct group *classic_busiest_group(struct sched *s, struct env *env);
struct rq *classic_busiest_rq(const struct sched *s, const struct env *env,
			      const struct group *g);
/** Enough of the imbalance left for this task? Then it is used. */
bool classic_fits(struct sched *s, struct env *env, const struct task *t);
/** Move tasks from env->src to env->dst; how many. */
u32 balance_move(struct sched *s, struct env *env);
/** One task whatever the imbalance, for the push of a running task. */
bool balance_move_one(struct sched *s, struct env *env);
/** One pass in one domain; returns how many tasks moved. *go_on: look at larger domains.
 */
u32 balance_domain(struct sched *s, struct env *env, bool *go_on);
/** All domains of a CPU that are due. */
void balance_due(struct sched *s, struct rq *rq, enum idle_kind idle, u32 by);
/** The averages of the tickless CPUs of a domain, as of now. */
__attribute__((noinline, cold)) void balance_refresh(struct sched *s,
						     const struct domain *sd);
void newidle_record(struct domain *sd, u32 success);
/** Returns true if the cost decayed (once a second). */
bool newidle_cost(struct sched *s, struct domain *sd, u64 cost, u32 success);

/** Where passes of this kind are counted, if env->sd->stat is there. */
static inline struct stat_pass *pass_stat(const struct env *env)
{
	return &env->sd->stat->pass[env->idle];
}

/** The load of a queue that balancing compares: of the queued, or of all that was here.
 */
static inline u64 balance_load(const struct sched *s, const struct rq *rq)
{
	return s->classic ? load_runnable(s, rq) : cpu_load(rq);
}

/** Time between two passes in jiffies. */
static inline u64 balance_interval(const struct domain *sd, bool busy)
{
	return busy ? sd->busy_jiffies : sd->idle_jiffies;
}

#endif
