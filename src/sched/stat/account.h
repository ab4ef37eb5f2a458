/* What account.c and account_check.c share; see sched/account.h. */
#ifndef SCHED_STAT_ACCOUNT_H
#define SCHED_STAT_ACCOUNT_H

#include "internal.h"
#include "sched/account.h"

/* System time that is charged and not yet paid, first in first out. */
struct account_due {
	u64 ns;
	enum reason reason;
};

struct account_cpu {
	u64 from; /* accounted up to here */
	struct account_due *due;
	u32 first, n, cap; /* due[first .. n) */
	struct rate_split split;
	u64 idle_since;
	bool forced, offline;
};

struct account_task {
	u64 from;	   /* accounted up to here */
	enum reason state; /* REASON_FULL: on a CPU, which accounts for it */
	bool alive;
};

struct account {
	struct sched *s;
	struct sink sink;
	struct arena *arena;
	struct account_cpu *cpu;
	struct account_task *task; /* by id */
	struct account_row *group, *node;
	u32 ntask, ngroup, nnode;
	u64 best;		     /* nominal over the clock of full speed, Q32 */
	u64 began;		     /* the window, ns */
	u64 with_task, without_task; /* CPU time: by whether there was one */
	struct sched_totals before;
	bool alone;
	bool by_task; /* account_task.c */
	struct account_own **own;
	u32 nown;
};

/* Everybody's time up to now. */
void account_all(struct account *a);

/* One task's time up to now, on its CPU or off it. */
void account_task_now(struct account *a, const struct task *t);

/* By task, if a->by_task: it is forked; it did something for so long. */
void account_born(struct account *a, u32 id);
void account_note(struct account *a, u32 id, enum reason r, u64 ns);

/* The state of a task that is on no CPU, as the scheduler has it. */
enum reason account_state(const struct task *t);

#endif
