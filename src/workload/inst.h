/*
 * A plan in one simulation: instances of tasks, their places in their programs, and the
 * counters that become metrics. Times are ns of virtual time. No floating point.
 */
#ifndef WORKLOAD_INST_H
#define WORKLOAD_INST_H

#include "plan.h"

struct decl;
struct hold;
struct ledger;
struct lock_run;
struct locks;
struct sync;
struct channels;
struct devices;
struct message;
struct split;

/** Waiting instances, first come first served: resources.h. */
struct waitq {
	struct inst *first, *last;
};

/** A task that runs a program. Recycled: `serial` tells two lives apart. */
struct inst {
	struct inst *next; /* of the living; first, because a pool links through it */
	struct inst **link;
	u64 serial; /* 0 = not alive */
	struct workload_run *run;
	struct task *task;
	const struct program *program;
	u32 group;
	u32 pc;
	u64 phase; /* of the operation in work; 0 when it is entered */
	u32 depth; /* loops around it */
	u64 left[LOOP_DEPTH], pass[LOOP_DEPTH]; /* of counted loops: to go, done */
	u64 number;		/* of this instance within its group, from 0 */
	u32 target;		/* channel of the send or recv in work */
	struct message *packet; /* of the send in work */
	u64 began_send;
	u64 sent;   /* when the message that was received last had been sent */
	u32 events; /* of the last epoll_wait, not yet handled */
	u32 from;   /* place in its entry of the channel that was received from last */
	struct inst *wait_next, *wait_prev; /* of the queue that it waits in */
	u32 queue;			    /* which one; 0 = none */
	u32 thing;			    /* index of what is waited for or released */
	bool blocked;			    /* asleep until another task wakes it */
	const struct decl *blocked_on;	    /* NULL = not a named thing */
	struct ledger *waits_on;	    /* NULL = waits for nothing that counts it */
	u64 wait_from, wait_cpu;	    /* since then, with so much CPU time used */
	struct lock_run *lock, *relock;	    /* is being taken; after a condition */
	bool lock_shared, spun, watching;   /* lock.c */
	u32 watches;
	struct hold *holds;	    /* locks that it has */
	u64 began;		    /* when the program began, after `start` */
	u64 due;		    /* when the last sleep or timer was to end */
	const struct cpumask *cpus; /* allowed; NULL = all. A child inherits it */
	u32 session; /* number of the plan; 0 = none. A child inherits it */
	u32 cgroup;  /* index; CGROUP_ROOT. A child inherits it */
	struct inst *parent;
	u64 parent_serial;
	u64 children; /* forked so far: numbers their streams */
	u32 kids;     /* alive */
	bool waiting; /* in `wait` */
	u64 slot[];
};

struct group_run {
	struct stream stream;
	u64 started;	/* instances so far: numbers their names */
	u64 exited_cpu; /* ns */
	u64 cpu_base;	/* at the begin of the measured window */
	struct waitq suspended;
};

struct workload_run {
	const struct workload_plan *plan;
	struct sched *sched; /* of the call in work */
	struct stream stream;
	struct pool pool;
	struct inst *alive;
	u32 nalive, nblocked;
	u64 serial;
	struct group_run *group;
	struct task_group **cgroup;	/* by index of the plan */
	struct limit_stats *limit_base; /* likewise: at the begin of the window */
	u64 *cookie;		     /* the scheduler's, by number of the plan less 1 */
	struct task_group **session; /* likewise; NULL = the root */
	u32 *profile;		     /* the scheduler's numbers, by index of the plan */
	u64 *counter;
	u64 *timer; /* shared timers: last due time plus one, 0 = not used yet */
	struct hist *span;
	struct reports *reports; /* NULL: no metric is by intervals */
	u32 nreport;
	struct split *split; /* NULL: nobody asks what the events of a span consist of */
	struct locks *locks;
	struct sync *sync;
	struct ledger *lines;
	struct channels *channels;
	struct devices *devices;
	struct arena *arena;
	/* launcher */
	struct task *launcher;
	u32 next_group, next_number;
	bool fork_paid; /* of the next task */
	bool launched;
	u64 origin;	  /* time 0 of the run */
	u64 measure_from; /* begin of the measured window */
	u64 first_begin;  /* of a program, TIME_NEVER = none yet */
	u64 last_exit;
	/* operations at one instant: bounded, so that no program can hang a run */
	u64 instant, ops;
	bool failed, over;
	struct failure failure;
};

/** Operations at one instant of virtual time, over all tasks. */
#define OPS_MAX 4000000u

/**
 * Fork a child of `parent` (an instance, or NULL for the launcher's own task). NULL: too
 * many tasks, the run has failed.
 */
struct task *inst_fork(struct workload_run *r, struct task *by, struct inst *parent,
		       u32 group);

/** A draw of an operation's distribution, at least 1 ns: time always passes. */
u64 inst_draw(struct inst *t, const struct op *op);

/** Ask the scheduler for the plan's changes of CPUs; time 0 of the run is `origin`. */
void hotplug_start(struct sched *s, const struct workload_plan *p, u64 origin);

/** Has every task come to wait for another for ever? Then the run fails. */
void run_check_deadlock(struct workload_run *r);

/** The run cannot go on: every task stops, workload_check() says why. */
void run_fail(struct workload_run *r, const struct op *op, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
