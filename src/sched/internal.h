/*
 * The scheduler's own structures. Everything of one simulated kernel hangs off struct
 * sched: a guest is one more of these in the same process, so nothing is static.
 *
 * Times are ns; a jiffy is a tick period; loads are in units of 1024 = nice 0; capacity
 * and utilisation in units of 1024 = one logical CPU.
 */
#ifndef SCHED_INTERNAL_H
#define SCHED_INTERNAL_H

#include "base/failure.h"
#include "domain/domain.h"
#include "fair/cfs.h"
#include "idle/governor.h"
#include "sched/sched.h"

#define TASK_NONE	 UINT32_MAX
#define COMM_SIZE	 16
#define NICE_0_WEIGHT	 1024u
#define FAIR_IDLE_WEIGHT 3u
#define CPU_CAPACITY	 1024u /* of a CPU that fair tasks have for themselves */
#define WATCHED_CLIENT	 1u    /* task.watched */
#define WATCHED_MEMORY	 2u

enum task_state {
	TASK_NEW,      /* forked, not yet queued */
	TASK_RUNNABLE, /* on a queue, running or not */
	TASK_SLEEPING,
	TASK_RT_SLEEPING, /* the same, of the real-time class: it wakes up otherwise */
	TASK_WAKING,	  /* on a wake list, not yet queued */
	TASK_DELAYED,	  /* asleep, but queued until it has paid back its lag (EEVDF) */
	TASK_DEAD,
};

struct rt_rq;
struct rt_sched;
struct history;
struct account;
struct warm;
struct stopper;
struct fade_log;

struct task {
	struct entity se;
	struct task *mru_next, *mru_prev; /* rq.mru */
	struct task *wake_next;		  /* rq.wake_first */
	struct rq *rq;			  /* where it is or was last queued */
	struct task_group *tg;
	u32 util_est, util_ewma; /* at the last sleep; moving average */
	u32 balanced_by;	 /* the CPU whose balancing moved it last, */
	u64 balanced_at;	 /* and 1 + when */

	u32 profile;
	u32 move_to; /* with must_move: to this CPU, should it be allowed there */
	struct task_memory *mem; /* NULL = it uses no region */
	struct warm *warm;	 /* NULL = no working set, or it has not run */

	/* wake-ups */
	struct wakee wakee;
	u32 recent_cpu;

	/* what it is doing */
	enum task_state state;
	u64 remaining;	/* of the current step, ns; WORK_FOREVER */
	u64 amount;	/* set by the client for the next step */
	u64 cpu_target; /* STEP_CPU_TIME: sum_exec at which it ends */
	bool has_step, cpu_clock, exiting, must_move, timer_late, waking_moved;
	bool spinning, by_device;
	bool waits_lock; /* it sleeps on a lock; only accounting asks */
	u8 watched;	 /* WATCHED_*: who wants to know when it leaves its CPU */

	/* idle governors: the CPUs that count its timer, and its wait for a device */
	RB_ENTRY(task) timer_node;
	u64 timer_at;
	struct idle_gov *timer_gov, *io_gov; /* NULL = none */
	u64 stat_queued;		     /* schedstat: 1 + when it began to wait */

	/* core scheduling */
	RB_ENTRY(task) core_node; /* in rq.cookies */
	struct sched *core_sched; /* for the order of that tree */
	u64 cookie;		  /* 0 = untagged */
	u64 own_cookie;		  /* of prctl(), before that of its group; 0 = none */
	u32 tgid, pgid;		  /* process, process group */
	u64 forced_ns;		  /* time of others that it has forced idle */
	u32 occupation;		  /* busy threads when it was picked last */
	bool in_cookies;

	/* real-time class: see rt/rt.h */
	struct task *rt_next, *rt_prev;
	u32 rt_prio;  /* 1 .. 99; 0 = a fair task; 100 = a stopper */
	u32 rt_slice; /* of SCHED_RR, ticks left */

	u32 id, pid;
	enum task_policy policy;
	enum kthread kthread;
	s32 nice;
	u32 group;
	u32 ncpus_allowed;
	u32 parked; /* a kernel thread: 1 + its CPU while that is offline; 0 = it is there
		     */
	struct cpumask *cpus;
	struct stream stream;
	void *program;
	char comm[COMM_SIZE];
};

static inline struct task *task_of(struct entity *se)
{
	return (struct task *)(void *)((char *)se - offsetof(struct task, se));
}

/** Groups above an entity. */
static inline u32 entity_depth(const struct entity *se)
{
	u32 d = 0;

	for (; se->parent; se = se->parent)
		d++;
	return d;
}

#define for_each_entity(e) for (; e; e = e->parent)

/* rq.resched */
enum resched {
	RESCHED_NOW = 1,
	RESCHED_LAZY = 2, /* at the next tick, unless somebody is in a hurry */
};

/* rq.ipi_work */
enum ipi_work {
	IPI_PUSH = 1 << 0,	/* active balance: work for the stopper */
	IPI_NOHZ = 1 << 1,	/* balance for the tickless CPUs */
	IPI_RT_PUSH = 1 << 2,	/* push real-time tasks that wait */
	IPI_NOHZ_NEXT = 1 << 3, /* look when the tickless CPUs are to balance next */
};

/* What the caches that a core has to itself have seen. */
struct warm_caches {
	struct pool tasks;
	u64 *loaded; /* bytes, by core */
	u64 size;    /* of one, bytes; 0 = not known */
};

struct rq {
	struct cfs_rq cfs;
	struct task *curr; /* NULL = idle */
	u32 cpu;
	u32 nr_running; /* running task included */
	u8 resched;	/* enum resched */
	bool online, wake_pending, nohz_idle, in_run;
	u8 ipi_work; /* what the scheduler IPI does beside its usual work */
	bool rearm;  /* charges moved the end of the running step */

	struct rt_rq *rt; /* NULL = there are no real-time tasks */

	/* core scheduling */
	struct cookie_tree cookies;
	struct task *pick; /* made for it by the last core-wide pick; NULL = idle */
	u64 core_seq;	   /* pick that it has consumed */
	u32 idle_occupation;
	bool has_pick, chosen, forced_idle, steal;
	bool credited; /* core.order: forced */
	s64 allowance; /* core.order: allowance, ns */

	bool polling; /* in the idle state that looks for work all the time */

	u64 rate;      /* work per time of the running task, Q32 */
	u32 rate_frac; /* of a ns of work, from the last settling */
	u64 run_from;  /* the running task progresses from here on */
	u64 acct_from; /* idle and busy time is accounted up to here */
	u64 looked;    /* load_update_rq() brought the queues of groups up to here */
	struct fade_log *fade_log;	     /* NULL = there are no groups */
	struct task *mru_first, *mru_last;   /* most recently run first */
	struct task *wake_first, *wake_last; /* wake list */
	struct wakee idle_wakee;	     /* of the idle task */

	/* idle */
	u64 idle_stamp; /* 0 = avg_idle is up to date */
	u64 idle_since; /* start of the current idle time */
	u64 avg_idle, max_idle_cost;
	u64 exit_latency;     /* of the state it sleeps in; 0 while busy */
	u32 heir;	      /* while offline: has its timers now */
	struct idle_gov *gov; /* NULL = there is nothing to choose from */
	u64 next_balance;     /* jiffies */

	struct domain *sd;     /* smallest; NULL = none */
	struct domain *sd_llc; /* largest that shares a cache; NULL = none */
	struct llc_shared *llc;
	u32 core_first;		/* CPU that stands for its core */
	u32 push_cpu;		/* IPI_PUSH: where to */
	struct cpu_sums own;	/* what was last added to the sums */
	struct cpu_sums **sums; /* those of the spans that contain this CPU */
	u32 nsums;
	bool dirty; /* `own` may be out of date */
	struct stream stream;
};

/* One decision function of each seam that is a function. */
typedef u32 scan_fn(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		    bool whole_cores);
typedef u32 fork_fn(struct sched *s, struct task *t, struct rq *this_rq);
typedef struct task *core_pick_op(struct sched *s, struct rq *rq);
typedef bool core_less_op(struct sched *s, const struct task *a, const struct task *b,
			  bool in_fi);

typedef u32 governor_fn(struct idle_gov *g, bool *stop_tick);
/*
 * What decides who runs among fair tasks, chosen by fair.pick: fair/queue.c or
 * fair/eevdf.c. Only what is not on the hot path, where a call through a pointer would
 * keep functions from being inlined; there s->eevdf is asked.
 */
struct fair_ops {
	struct task *(*peek)(struct sched *s, struct rq *rq); /* best, running included */
	void (*yield)(struct sched *s, struct rq *rq, struct task *t);
	void (*update_curr)(struct sched *s, struct cfs_rq *cfs);
	void (*set_weight)(struct sched *s, struct entity *se, u64 weight);
	u64 (*slice)(const struct sched *s, const struct cfs_rq *cfs,
		     const struct entity *se);
	int (*check_queue)(const struct sched *s, const struct cfs_rq *cfs,
			   struct failure *f);
};

extern const struct fair_ops fair_vruntime, fair_eevdf;

struct sched_ops {
	struct fair_ops fair;
	scan_fn *scan;
	fork_fn *fork;
	core_pick_op *core_pick;
	core_less_op *core_less;
	governor_fn *governor; /* NULL = no CPU has a choice */
};

struct sched {
	struct arena *arena, *domain_arena;
	struct engine *engine;
	const struct machine *machine;
	const struct kernel *kernel;
	struct sched_client client;
	struct sched_ops ops;
	struct stream stream;
	bool feat[FEAT_COUNT];
	u64 cost[COST_COUNT];

	u32 ncpu, nr_online;
	struct rq *rq;
	struct cpumask *possible, *online, *nohz_mask, *idle_mask, *scratch, *lb_mask;
	u32 *sib;	     /* online CPUs, those of a core together */
	u32 *sib_at, *sib_n; /* of each CPU: where its core's begin, how many */
	u32 nr_nohz;
	u64 nohz_next_balance;	 /* jiffies */
	bool nohz_stale;	 /* ... which may be too late: a CPU has gone tickless */
	struct history *history; /* by CPU; NULL = balance.load_bias is off */
	u32 ev_history;
	u64 next_blocked; /* ns: blocked load of tickless CPUs is decayed */
	bool overload;	  /* some queue had a waiting task at the last look */

	/* tunables, bound and scaled */
	u64 tick, tick_phase;
	u64 latency, min_gran, wakeup_gran, migration_cost, timer_slack;
	u64 slice_floor, idle_min_gran, sleeper_credit, idle_sleeper_credit;
	u64 base_slice;	   /* EEVDF */
	u64 publish_gap;   /* a queue tells its group of its load at most so often */
	u64 newidle_floor; /* shorter idle times are not worth a search */
	u64 halt_exit;	   /* exit latency of the idle state where there is no choice */
	u64 poll_limit;
	u32 nr_latency, nr_migrate, busy_factor, numa_rule;
	u32 preempt;
	bool balance_on, tick_skewed;
	bool classic;	   /* balance = classic */
	bool eevdf;	   /* fair.pick */
	bool wakeup_rules; /* policies, EEVDF, or none may preempt: not only vruntime
			    * decides
			    */
	bool sched_idle;   /* SCHED_IDLE tasks exist, and their CPUs count as idle */
	bool sibling_any;  /* wake-ups go through wake_idle_sibling_any() */
	bool limits;	   /* some group has a limit of CPU time */
	bool queue_slow;   /* queues of EEVDF, limits or cookies are to be kept */
	struct task_group *
		*limited; /* groups with a limit, in the order of their making */
	u32 nlimited, limited_cap;

	struct warm_caches *warm; /* NULL: nobody with a working set has run */
	struct rates *rates;	  /* NULL: every task runs at the nominal speed */
	struct account *account;  /* NULL: nobody asks where time goes */
	bool charge_other;	  /* one of the two is there */
	struct memory *memory;	  /* NULL: there is no region */
	struct profile_table *profiles;

	struct task_group root_group;
	struct task_group *groups; /* all but the root, newest first */

	/* tasks */
	struct pool tasks;
	struct task **task;    /* by id */
	struct cpumask **mask; /* by id: affinity, used again with the id */
	u32 task_cap, nr_tasks;
	u32 *free_id;
	u32 nr_free;
	u32 next_pid;

	/* engine classes */
	u32 ev_done, ev_timer, ev_tick, ev_ipi, ev_rate, ev_limit, ev_rt, ev_poll;

	struct sched_totals totals;
	struct rt_sched *rt; /* NULL = there are no real-time tasks */
	bool other_pick; /* EEVDF, cores, limits, real-time tasks: not only the tree picks
			  */
	struct sched_stat *stat; /* NULL = nobody wants /proc/schedstat */
	u32 schedstat_version;
	struct core_state *core; /* by first CPU */
	bool core_able;		 /* the kernel has core scheduling, the machine threads */
	bool core_on;		 /* and some task or group is tagged */
	bool core_ask;		 /* the scan for an idle CPU asks core_cpu_match() */
	u8 core_order, core_clock, core_tick_rule; /* core/core.h */
	u64 next_cookie;
	u32 core_users; /* tasks and groups with a cookie */

	u8 *core_busy;	/* busy threads of each core */
	u64 *core_from; /* accounted up to here */
	u32 *touched;	/* CPUs touched by the last event */
	u32 ntouched;
	u32 *dirty; /* CPUs whose sums are out of date */
	u32 ndirty;
	u64 checks;
	bool broken;
	struct failure why;
	struct stopper *stopper; /* by CPU; NULL = none has been needed */
	struct host *host;	 /* NULL = bare metal */
	struct hotplug *hotplug; /* NULL = no CPU comes or goes */
};

static inline struct rq *cpu_rq(const struct sched *s, u32 cpu)
{
	return &s->rq[cpu];
}

static inline void count(struct sched *s, enum decision d)
{
	s->totals.decisions[d]++;
}

/** idle_cpu() of Linux: nothing runs, nothing is queued, no wake-up is on its way. */
static inline bool cpu_idle(const struct sched *s, u32 cpu)
{
	const struct rq *rq = &s->rq[cpu];

	return !rq->curr && !rq->nr_running && !rq->wake_pending && rq->online;
}

static inline bool share_cache(const struct sched *s, u32 a, u32 b)
{
	return a == b || (s->rq[a].llc && s->rq[a].llc == s->rq[b].llc);
}

static inline u64 jiffies(const struct sched *s)
{
	return (s->engine->now + s->tick - s->tick_phase) / s->tick;
}

static inline bool task_allowed(const struct task *t, u32 cpu)
{
	return cpumask_has(t->cpus, cpu);
}

/** What the groups know of this CPU has changed. */
static inline void mark_dirty(struct sched *s, struct rq *rq)
{
	if (rq->dirty)
		return;
	rq->dirty = true;
	s->dirty[s->ndirty++] = rq->cpu;
}

static inline void touch(struct sched *s, struct rq *rq)
{
	mark_dirty(s, rq);
	if (s->touched && s->ntouched < s->ncpu)
		s->touched[s->ntouched++] = rq->cpu;
}

/* cpu.c: who runs, and how far it got */
void cpu_run(struct sched *s, struct rq *rq);
void cpu_switch(struct sched *s, struct rq *rq, struct task *prev, struct task *next);
void cpu_pick(struct sched *s, struct rq *rq, struct task *prev);
void cpu_charge(struct sched *s, struct rq *rq, enum sys_cause cause, u64 ns);
void cpu_steal(struct sched *s, struct rq *rq, u64 ns);
void cpu_settle_slow(struct sched *s, struct rq *rq);
void cpu_rearm(struct sched *s, struct rq *rq);
void cpu_resched(struct sched *s, struct rq *rq, u32 from);
void cpu_resched_at_tick(struct sched *s, struct rq *rq);
void cpu_kick(struct sched *s, struct rq *rq, u32 from);
void cpu_event_done(void *ctx, u32 cpu);
void cpu_event_ipi(void *ctx, u32 cpu);
void cpu_account(struct sched *s, struct rq *rq);
void sched_break(struct sched *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** The work of the running task up to now. */
static inline void cpu_settle(struct sched *s, struct rq *rq)
{
	if (s->engine->now > rq->run_from)
		cpu_settle_slow(s, rq);
}

/* check.c */
int check_wrong(const struct sched *s, struct failure *f, const char *what, u32 cpu,
		u64 have, u64 want);
int check_vruntime_queue(const struct sched *s, const struct cfs_rq *cfs,
			 struct failure *f);

/* rate.c: how fast does a task run right now? */
void rate_init(struct sched *s);
void rate_switched(struct sched *s, struct rq *rq, bool was_busy);
u64 rate_time_for(const struct rq *rq, u64 work);
void rate_refresh(struct sched *s, struct rq *rq);
void rate_use(struct sched *s);
const struct profile_attr *rate_profile(const struct sched *s, u32 profile);

/* warm.c: what a task finds in the caches of a core that it comes to */
u64 warm_cold_start(struct sched *s, const struct rq *rq, struct task *t);
void warm_free(struct sched *s, struct task *t);

/* host.c: a guest's CPUs are stopped in turn */
void host_init(struct sched *s);
void host_start(struct sched *s);
void host_event_timer(void *ctx, u32 id);
void host_event_tick(void *ctx, u32 cpu);
void host_event_ipi(void *ctx, u32 cpu);

/* tick.c */
void tick_event(void *ctx, u32 cpu);
void tick_start(struct sched *s, struct rq *rq);
void tick_stop(struct sched *s, struct rq *rq);
u64 tick_due(const struct sched *s, const struct rq *rq);

/* idle.c */
void idle_enter(struct sched *s, struct rq *rq);
void idle_exit(struct sched *s, struct rq *rq);
void idle_choose(struct sched *s, struct rq *rq);
void idle_stop_tick(struct sched *s, struct rq *rq);
void idle_tick_begins(struct sched *s, struct rq *rq);
void idle_tick_ends(struct sched *s, struct rq *rq);
void idle_update_avg(struct sched *s, struct rq *rq);

/* stat/schedstat.c: only if s->stat */
void stat_wakeup(struct sched *s, const struct rq *this_rq, u32 prev, u32 target);
void stat_no_switch(struct sched *s, const struct rq *rq);
void stat_yield(struct sched *s, const struct rq *rq);

/* idle/governor.c: only if there is something to choose from */
void governor_init(struct sched *s);
void haltpoll_init(struct sched *s, struct idle_gov *g); /* idle/haltpoll.c */
void governor_choose(struct sched *s, struct rq *rq);
void governor_end(struct sched *s, struct rq *rq, enum idle_end end);
void governor_poll_over(void *ctx, u32 cpu);
u64 governor_poll_notice(const struct sched *s, const struct rq *rq, u32 from);
void governor_timer(struct task *t, u64 when);
void governor_timer_gone(struct task *t);
void governor_io(struct task *t, bool waits);

/* task.c */
void task_event_timer(void *ctx, u32 id);
void task_exit(struct sched *s, struct rq *rq);
void task_free(struct sched *s, struct task *t);
void task_move_away(struct sched *s, struct rq *rq, struct task *t);
struct task *task_new_stopper(struct sched *s, struct rq *rq);
void task_must_move(struct sched *s, struct task *t);

/** Whoever wanted it elsewhere: it has been moved, or may stay. */
static inline void task_need_not_move(struct task *t)
{
	t->must_move = false;
	t->move_to = CPU_NONE;
}

/* policy.c */
void task_set_policy(struct sched *s, struct task *t, enum task_policy policy,
		     u32 rt_priority);

#include "fair/fair.h"
#include "stat/hooks.h"
#include "load/load.h"
#include "numa/hooks.h"

/* group/group.c */
void group_init_queue(struct cfs_rq *cfs, struct rq *rq, struct task_group *tg);
void group_set_task_rq(struct task *t, struct rq *rq);
void group_publish(const struct sched *s, struct cfs_rq *cfs);
void group_reweight(struct sched *s, struct entity *se);
void group_entity_weight(struct sched *s, struct entity *se, u64 weight);
u64 task_h_load(struct sched *s, const struct task *t);

/* group/bandwidth.c, group/throttle.c */
void bandwidth_account(struct sched *s, struct cfs_rq *cfs);
void bandwidth_use(struct sched *s, struct cfs_rq *cfs, u64 ran);
void bandwidth_tick(struct sched *s, const struct rq *rq);
void bandwidth_return(struct sched *s, struct cfs_rq *cfs);
bool bandwidth_spared(struct sched *s, struct cfs_rq *cfs);
void bandwidth_first(struct sched *s, struct cfs_rq *cfs);
void bandwidth_put(struct sched *s, struct rq *rq, const struct task *prev);
void group_unthrottle(struct sched *s, struct cfs_rq *cfs, u32 by);

/** Its queue, or one above, is throttled: the CPU does not see it. */
static inline bool task_throttled(const struct task *t)
{
	return !t->rt_prio && t->se.cfs->limit.stopped != 0;
}

/* core/ */
void core_init(struct sched *s);
void core_task_begins(struct sched *s, struct task *t);
void core_task_ends(struct sched *s, const struct task *t);
void core_update_cookie(struct sched *s, struct task *t);
struct task *core_pick(struct sched *s, struct rq *rq);
void core_enqueue(struct sched *s, struct rq *rq, struct task *t);
void core_dequeue(struct sched *s, struct rq *rq, struct task *t);
void core_tick(struct sched *s, struct rq *rq);
void core_steal(struct sched *s, struct rq *rq);
void core_snapshot(const struct entity *se, u32 fi_seq, bool in_fi);
bool core_match(const struct sched *s, u32 cpu, const struct task *t);
bool core_cpu_match(const struct sched *s, u32 cpu, const struct task *t);
bool core_numa_match(const struct sched *s, u32 cpu, const struct task *t);
void core_clock_sync(struct sched *s, struct rq *rq);
void core_account(struct sched *s, const struct rq *rq, u64 ns);

/* wake/ */
void wake_task(struct sched *s, struct task *t, struct rq *this_rq, struct task *waker,
	       bool sync);
void wake_new(struct sched *s, struct task *t, struct rq *this_rq);
void wake_list_drain(struct sched *s, struct rq *rq);
u32 wake_select(struct sched *s, struct task *t, struct rq *this_rq, struct task *waker,
		bool sync);
bool wake_wide(const struct sched *s, const struct rq *this_rq, const struct task *waker,
	       const struct task *t);
void wake_record(struct sched *s, struct rq *this_rq, struct task *waker,
		 const struct task *t);
u32 wake_affine(struct sched *s, struct task *t, struct rq *this_rq, struct task *waker,
		bool sync, const struct domain *sd);
u32 wake_idle_sibling_any(struct sched *s, struct task *t, struct rq *this_rq,
			  u32 target);
void wake_use_kthread(struct sched *s, const struct task *t);
bool cpu_sched_idle(const struct sched *s, u32 cpu);

/** Idle, or as good as idle: it runs only SCHED_IDLE tasks. */
static inline bool cpu_usable(const struct sched *s, u32 cpu)
{
	return cpu_idle(s, cpu) || (s->sched_idle && cpu_sched_idle(s, cpu));
}

bool core_idle(const struct sched *s, u32 cpu);
void task_set_cpu(struct sched *s, struct task *t, u32 cpu, u32 by);

/* balance/ */
void sums_build(struct sched *s);
void sums_sync(struct sched *s);
struct cpu_sums sums_of_cpu(const struct sched *s, const struct rq *rq);
void balance_tick(struct sched *s, struct rq *rq);
bool balance_newidle(struct sched *s, struct rq *rq);
void balance_nohz(struct sched *s, struct rq *rq, u8 work);
void balance_nohz_kick(struct sched *s, struct rq *rq);
void balance_push(struct sched *s, struct rq *rq);
void balance_nohz_enter(struct sched *s, struct rq *rq);
void balance_nohz_exit(struct sched *s, struct rq *rq);

#include "hotplug/parts.h"

#endif
