/*
 * The scheduler of one simulated kernel on one machine: what the layers above see.
 *
 * The scheduler never learns about workload programs. When a task is on a CPU and has
 * nothing left to do, it asks its client what comes next (step); the client may call the
 * functions below from there. Times are ns, CPUs are numbered as in struct machine.
 */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include "base/arena.h"
#include "base/cpumask.h"
#include "base/rng.h"
#include "base/text.h"
#include "engine/engine.h"
#include "machine/machine.h"
#include "sched/kernel.h"
#include "sched/memory.h"

struct sched;
struct task;
struct task_group;

/** Event kinds for sinks: see events.def. */
enum sim_kind {
#define EVENT(id, name, hashed) SIM_##id,
#include "sched/events.def"
#undef EVENT
	SIM_KINDS
};

extern const char *const sim_kind_name[SIM_KINDS];
/** Codes for sink_digest_init(): fills SIM_KINDS words. */
void sim_kind_codes(u64 code[SIM_KINDS]);

/** Named reasons of every decision: see decisions.def. */
enum decision {
#define DECISION(id, name, doc) DEC_##id,
#include "sched/decisions.def"
#undef DECISION
	DEC_COUNT
};

struct decision_row {
	const char *name, *doc;
};

extern const struct decision_row decision_rows[DEC_COUNT];

/** Where system time goes. */
enum sys_cause {
	SYS_SWITCH,
	SYS_WAKE,
	SYS_SCAN,
	SYS_TICK,
	SYS_TIMER,
	SYS_BALANCE,
	SYS_FORK,
	SYS_EXIT,
	SYS_SYSCALL,
	SYS_CORE,      /* core-wide picks, what they print included */
	SYS_CORE_LOCK, /* waiting for the lock that the threads of a core share */
	SYS_MESSAGE,   /* sending and receiving, copies included */
	SYS_SOFTIRQ,   /* receive work of the network, on the sender's CPU */
	SYS_LOCK,      /* locks and shared lines, waits on the CPU included */
	SYS_IO,	       /* submitting requests and taking their interrupts */
	SYS_KERNEL,    /* what a program asks for by itself: faults, exec, ... */
	SYS_MEMORY,    /* first touches of pages, and what NUMA balancing does to them */
	SYS_STOLEN,    /* the host did not run a CPU that had a task */
	SYS_CAUSES
};

extern const char *const sys_cause_name[SYS_CAUSES];

/** An amount of STEP_WORK that never ends (and costs no event). */
#define WORK_FOREVER UINT64_MAX

/** What a task does next. */
enum step {
	STEP_WORK,     /* do t->amount ns of work (full speed, system time excluded) */
	STEP_CPU_TIME, /* use t->amount ns of its own CPU time (system time included) */
	/*
	 * Keep the CPU busy until sched_spin_end(), or for t->amount ns of work if that
	 * is not 0; whoever is asked again then calls sched_spin_end() for itself.
	 */
	STEP_SPIN,
	STEP_AGAIN,	      /* costs were charged: ask again once they are paid */
	STEP_BLOCK,	      /* sleep until somebody, or its timer, wakes it */
	STEP_BLOCK_THEN_WORK, /* the same, and then do t->amount ns of work */
	STEP_EXIT,
};

struct sched_client {
	void *ctx;
	enum step (*step)(void *ctx, struct sched *s, struct task *t);
	/** The task is gone: drop its program. May be NULL. */
	void (*exited)(void *ctx, struct sched *s, struct task *t);
	/** A task that is watched (task_watch()) has left its CPU. May be NULL. */
	void (*off_cpu)(void *ctx, struct sched *s, struct task *t);
};

/** What kind of code a task runs; its name is matched with the machine's SMT rows. */
struct profile_attr {
	const char *name;
	u32 licence; /* 0 scalar, 1 AVX2, 2 AVX-512: the column of the frequency bins */
	u64 memory;  /* Q32: share of its time that waits for memory at full speed */
	u64 working_set; /* bytes that it has to load again after a move; 0 = none */
	u64 bandwidth;	 /* bytes from memory in a second of work; 0 = not known */
};

/** The profile of tasks that have none: "integer", licence 0, no memory, no set. */
#define PROFILE_DEFAULT 0u

/** Policies: three of the fair class, two of the real-time class. */
enum task_policy {
	POLICY_OTHER,
	POLICY_BATCH, /* does not preempt by waking up */
	POLICY_IDLE,  /* weighs 3, yields to all others */
	POLICY_FIFO,  /* real-time: runs until it sleeps, yields or is preempted */
	POLICY_RR,    /* real-time: takes turns with those of its priority */
};

/** Priorities of POLICY_FIFO and POLICY_RR: more is more urgent. */
#define RT_PRIORITY_MIN 1u
#define RT_PRIORITY_MAX 99u

/** A kernel thread that is bound to one CPU; what it wakes may stay with it. */
enum kthread {
	KTHREAD_NO,
	KTHREAD_CPU,	 /* it works, and wakes, in task context: kworker */
	KTHREAD_SOFTIRQ, /* in softirq context: ksoftirqd */
};

struct task_attr {
	const char *comm; /* copied up to 15 characters */
	enum task_policy policy;
	u32 rt_priority;	    /* 1..99 of POLICY_FIFO and POLICY_RR, else ignored */
	enum kthread kthread;	    /* `cpus` is one CPU then */
	s32 nice;		    /* -20..19 */
	const struct cpumask *cpus; /* NULL = all; copied */
	u32 group;		    /* number for accounting, chosen by the client */
	struct stream stream;	    /* the task's own draws */
	void *program;		    /* the client's */
	struct task_group *tg;	    /* NULL = the root */
	u32 profile;		    /* of sched_profile_add(); 0 = the default */
	u64 cookie;		    /* core scheduling; 0 = its parent's or its group's */
	bool thread;		    /* of its parent's process */
	bool leads_group;	    /* a process group of its own (setpgid(0, 0)) */
	const struct region_use *memory; /* what it uses; those of one process */
	u32 nmemory;			 /* at most REGIONS_OF_TASK; 0 = nothing */
	u64 slice;			 /* as of sched_set_slice(); 0 = the base slice */
};

/** Everything lives in the arena. The engine's classes are added here. */
struct sched *sched_new(struct arena *a, struct engine *e, const struct machine *m,
			const struct kernel *k, const struct sched_client *client,
			struct stream stream);

/**
 * A cgroup below `parent` (NULL = the root); shares: 1024 = the weight of a nice 0 task
 * (cpu.weight 100 is 1024). Call before its tasks are made.
 */
struct task_group *sched_group_new(struct sched *s, struct task_group *parent,
				   const char *name, u64 shares);

/**
 * The autogroup of a session, `nice` as /proc/PID/autogroup has it; NULL = the root,
 * where autogroups are off. As a group of sched_group_new() below the root.
 */
struct task_group *sched_session_new(struct sched *s, const char *name, s32 nice);

/** CPU time of a group in each period, all CPUs together (cpu.max, cpu.max.burst); ns. */
struct group_limit {
	u64 quota, period; /* at least 1 ms each; the period at most 1 s */
	u64 burst; /* of what was not used, at most `quota`; 0 = nothing is kept */
};

/** Limit a group. Call once, before its tasks are made; the limit is copied. */
void sched_group_limit(struct sched *s, struct task_group *g,
		       const struct group_limit *limit);

/** Make a group idle (cpu.idle): weight 3, yields to others. Before its tasks are made.
 */
void sched_group_idle(struct sched *s, struct task_group *g);

/** What a limit has done so far, as in cpu.stat; all 0 for a group without one. */
struct limit_stats {
	u64 periods,
		throttled_periods; /* that have ended; with throttled queues at the end */
	u64 throttles;		   /* how often a queue of the group was throttled */
	u64 throttled_ns;	   /* sum over the CPUs */
	u64 used_ns;		   /* CPU time of its fair tasks */
	u64 bursts;		   /* periods that used more than the quota */
};

void sched_limit_stats(const struct sched *s, const struct task_group *g,
		       struct limit_stats *out);

/**
 * Make a profile known before its tasks are made; returns its number. The same name again
 * returns the number that it has.
 */
u32 sched_profile_add(struct sched *s, const struct profile_attr *p);

/** A cookie that nobody has yet; from the first one on core scheduling is on. */
u64 sched_cookie_new(struct sched *s);

/**
 * Tag a group, or untag it (cpu.tag): its tasks, those that it has and those that come,
 * have the cookie that is the group's, unless they have one of their own.
 */
void sched_group_tag(struct sched *s, struct task_group *g, bool on);

/** A task goes to another group (cgroup.procs of one thread); NULL = the root. */
void sched_join_group(struct sched *s, struct task *t, struct task_group *g);

/** Give a task a cookie of its own; 0 = none: it has that of its group. */
void sched_set_cookie(struct sched *s, struct task *t, u64 cookie);

/** prctl(PR_SCHED_CORE, ...): numbers of Linux. */
enum core_share { CORE_GET, CORE_CREATE, CORE_SHARE_TO, CORE_SHARE_FROM };
enum core_scope { CORE_THREAD, CORE_PROCESS, CORE_PROCESS_GROUP };

/**
 * From step() of `self`. GET: *cookie is that of `pid` (0 = self), 0 = none; CREATE: a
 * new one for `pid`'s scope; SHARE_TO: self's for `pid`'s scope; SHARE_FROM: that of
 * `pid` for self. Only GET has a `cookie`, else it is NULL. Returns 0 or, negative,
 * EINVAL (no such operation or scope, or the kernel has no core scheduling), ENODEV (no
 * threads), ESRCH.
 */
int sched_core_share(struct sched *s, struct task *self, u32 op, u32 pid,
		     enum core_scope scope, u64 *cookie);

/** Start ticks; call once, after sched_new, before the loop. */
void sched_start(struct sched *s);

/** A first task, placed on `cpu` (the first online CPU at or after it). */
struct task *sched_spawn(struct sched *s, const struct task_attr *attr, u32 cpu);

/**
 * From step(): the running task pays for a fork. Return STEP_AGAIN next, and then call
 * sched_fork(): the child appears once the fork is paid, as wake_up_new_task() comes at
 * the end of kernel_clone().
 */
void sched_fork_pay(struct sched *s, struct task *parent);

/** From step(): a child of the running task, placed and queued. */
struct task *sched_fork(struct sched *s, struct task *parent,
			const struct task_attr *attr);

/**
 * From step(): arm the task's own timer; return STEP_BLOCK next. Adds the timer slack,
 * which real-time tasks do not have.
 */
void sched_sleep_until(struct sched *s, struct task *t, u64 when);

/**
 * From step(): the task will be woken at `when` by the interrupt of a device, on the CPU
 * where it is now; return STEP_BLOCK next. No timer slack.
 */
void sched_wait_io(struct sched *s, struct task *t, u64 when);

/**
 * A task that spins (STEP_SPIN) has seen what it waits for: it goes on after `ns` more of
 * its time on a CPU. Nothing happens if it does not spin.
 */
void sched_spin_end(struct sched *s, struct task *t, u64 ns);

/** From step(): sched_yield(): others of the queue first, if that is not too unfair. */
void sched_yield_cpu(struct sched *s, struct task *t);

/** Somebody wants to know when the task leaves its CPU (client.off_cpu). */
void task_watch(struct task *t, bool on);

/** The task is about to sleep on a lock: told to those who account for its time. */
void task_waits_for_lock(struct task *t);

/** On a CPU right now; the CPU where it is or was last. */
bool task_on_cpu(const struct task *t);
u32 task_cpu(const struct task *t);

/** From step(): wake another task. `sync`: the waker is about to sleep. */
void sched_wake(struct sched *s, struct task *waker, struct task *t, bool sync);

/** From step(): system time of the running task. */
void sched_charge(struct sched *s, struct task *t, enum sys_cause cause, u64 ns);

/** Has no effect while the policy is POLICY_IDLE, POLICY_FIFO or POLICY_RR. */
void sched_set_nice(struct sched *s, struct task *t, s32 nice);

/** What Linux cuts a slice to that is asked for, ns. */
#define SLICE_LEAST (100 * NS_PER_US)
#define SLICE_MOST  (100 * NS_PER_MS)

/**
 * The slice that a fair task asks for from its next deadline on, ns: SLICE_LEAST to
 * SLICE_MOST, 0 = the base slice (sched_attr.sched_runtime). No effect where slice.custom
 * is off (before 6.12), fair.pick is not eevdf, or on a real-time task. Children have it
 * if they are forked with it.
 */
void sched_set_slice(struct sched *s, struct task *t, u64 ns);

/** rt_priority: 1..99 of POLICY_FIFO and POLICY_RR, ignored for the others. */
void sched_set_policy(struct sched *s, struct task *t, enum task_policy policy,
		      u32 rt_priority);

/** A running task replaces its program: the scheduler may move it to an idler CPU. */
void sched_exec(struct sched *s, struct task *t);

/**
 * Allowed CPUs of a task; fails if none of them is online. A running task that is not
 * allowed where it is moves at once.
 */
int sched_set_affinity(struct sched *s, struct task *t, const struct cpumask *cpus,
		       struct failure *f);

/** What happens to CPUs while a machine runs. */
enum hotplug_kind {
	HOTPLUG_OFFLINE, /* one after the other; the last one of a machine stays */
	HOTPLUG_ONLINE,	 /* not second threads of a core while SMT is off */
	HOTPLUG_SMT_OFF, /* all but the first thread of each core go offline */
	HOTPLUG_SMT_ON,	 /* all CPUs come online */
};

/**
 * CPUs come or go at `when`, at once if that has passed; requests for one instant in the
 * order in which they were made. CPUs that are where they are wanted are left alone.
 * `cpus` is copied; the SMT kinds do not look at it (NULL). May be called from step():
 * what is asked for happens once step() has returned.
 */
void sched_hotplug(struct sched *s, u64 when, enum hotplug_kind kind,
		   const struct cpumask *cpus);

/** The CPUs that are online now; borrowed. */
const struct cpumask *sched_online(const struct sched *s);

/* Borrowed views. */
u64 sched_now(const struct sched *s);
const struct machine *sched_machine(const struct sched *s);
const struct kernel *sched_kernel(const struct sched *s);
struct task *sched_task(const struct sched *s, u32 id); /* NULL if gone */

u32 task_id(const struct task *t);  /* dense, recycled */
u32 task_pid(const struct task *t); /* unique, in fork order, from 1 */
const char *task_comm(const struct task *t);
void task_set_comm(struct task *t, const char *comm);
s32 task_nice(const struct task *t);
u64 task_slice(const struct task *t); /* asked for, ns; 0 = none */
enum task_policy task_policy(const struct task *t);
u32 task_rt_priority(const struct task *t); /* 0 = not of the real-time class */
u32 task_group(const struct task *t);
void *task_program(const struct task *t);
struct stream *task_stream(struct task *t);
/** Ask of the amount of the step that comes next: set before returning from step(). */
void task_set_amount(struct task *t, u64 ns);
/** Core scheduling: CPU time of siblings that were forced idle beside the task, its share
 * (core_forceidle_sum), ns, up to the last pick or switch of its core. */
u64 task_forced_idle(const struct task *t);
/** CPU time used so far, ns, up to now. */
u64 task_cpu_time(const struct sched *s, const struct task *t);

/** Totals, up to now. Arrays are indexed by enum. */
struct sched_totals {
	u64 switches, migrations, wakeups, forks, exits, ticks;
	u64 decisions[DEC_COUNT];
	u64 system_ns[SYS_CAUSES];
	u64 idle_ns;	     /* CPU time without a task, online CPUs */
	u64 busy_ns;	     /* CPU time with a task on (system time included) */
	u64 work_ns;	     /* work done by tasks */
	u64 same_core_ns;    /* CPU-seconds with every thread of a core busy (SMT only) */
	u64 lone_ns;	     /* with one thread of a core busy and another idle */
	u64 cold_ns;	     /* spent on loading working sets again after a move */
	u64 memory_local_ns; /* CPU time of tasks with regions, by where their pages */
	u64 memory_remote_ns; /* ... were; system time for pages is in neither */
	u64 numa_faults_local, numa_faults_remote; /* hinting faults, pages of 4 KiB */
	u64 numa_pages_moved;			   /* likewise */
	u64 forced_idle_ns; /* CPU time idle with tasks queued, for the core's cookie */
	u64 throttles;	    /* of queues of groups with a limit of CPU time */
	u64 throttled_ns;   /* sum over these queues, empty ones included */
	u64 cross_cookie_leak_ns;    /* core time with tasks of different cookies */
	u64 cross_cookie_pending_ns; /* the same, until a sibling has noticed its IPI */
};

void sched_totals(struct sched *s, struct sched_totals *out);

/** Count for /proc/schedstat; call once, before sched_start(). Changes no decision. */
void sched_stat_on(struct sched *s);

/** The text of /proc/schedstat now, if sched_stat_on() was called. Appended to out. */
void sched_stat_text(const struct sched *s, struct text *out);

/**
 * Recount every queue, weight, load sum and mask from the tasks. On a difference: -1 and
 * a failure that names the invariant, the CPU or task, and the options that differ from
 * linux defaults.
 */
int sched_check(struct sched *s, struct failure *f);

/** Check the queues touched by the last event (cheap); a full check every 1,024 events.
 */
int sched_check_touched(struct sched *s, struct failure *f);

#endif
