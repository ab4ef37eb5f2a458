/*
 * Where time goes: every ns of every task between its fork and its exit, and every ns of
 * every CPU, is in exactly one state of reasons.def. An observer beside the scheduler: it
 * changes nothing, and without one a run pays nothing. Times in ns, of the measured
 * window.
 *
 * A slow ns of work is split by the terms of the rate (sched/rate.c)
 *
 *   time per work = ((1 - m) / f + m * M) / smt
 *
 *   full speed   (1 - m) / f_best + m       alone, memory at home, the machine's best
 * clock frequency    (1 - m) * (1 / f - 1 / f_best) memory       m * (M - 1) smt what is
 * left: 1 - smt of the time
 *
 * in this order: frequency and memory are sums, so that their order does not matter; SMT
 * multiplies both and takes what a sibling takes of the core as it runs. Each loss is
 * rounded to the nearest ns, the remainder is full speed. System time is slowed likewise:
 * what it costs at full speed goes to its cause, the rest to the losses.
 *
 * A wait that ends on a CPU that had been idle is "waking" since that CPU went idle, and
 * "run queue" before that.
 */
#ifndef SCHED_ACCOUNT_H
#define SCHED_ACCOUNT_H

#include "sched/sched.h"

enum reason {
#define REASON(id, name, place, class, sentence) REASON_##id,
#include "sched/reasons.def"
#undef REASON
	REASON_COUNT
};

enum reason_place { REASON_TASK, REASON_BOTH, REASON_CPU };
enum reason_class { REASON_ACTIVE, REASON_PASSIVE };

struct reason_row {
	const char *name, *sentence;
	enum reason_place place;
	enum reason_class class;
};

extern const struct reason_row reason_rows[REASON_COUNT];

/** Time by state; `sum` is counted apart: of tasks, how long they lived. */
struct account_row {
	u64 ns[REASON_COUNT];
	u64 sum;
};

struct account;

/**
 * Account for a scheduler: after sched_new(), before the first task. Lives in the arena.
 * alone: nobody else looks at the touched CPUs after each event. best_hz: the clock of
 * full speed, so that machines can be compared; 0 = the best one of this machine.
 */
struct account *account_new(struct arena *a, struct sched *s, u64 best_hz, bool alone);

/** The best clock of a machine, Hz; 0 = it has no frequency rows. */
u64 account_best(const struct machine *m);

/** After each event. */
void account_look(struct account *a);

/** Forget what was: the measured window begins. */
void account_restart(struct account *a);

/** Tasks of groups from this number on are accounted together. */
#define ACCOUNT_GROUPS (1u << 20)

/**
 * Up to now: tasks by 1 + task_group(), row 0 for those of no group; CPUs by memory node.
 * A row that nobody used is all 0; borrowed until the next call of this file.
 */
const struct account_row *account_tasks(struct account *a, u32 *groups);
const struct account_row *account_cpus(struct account *a, u32 *nodes);

/**
 * Keep time by task too: before the first one. Then account_mark() begins to count for a
 * task at a time that is now or has passed, and account_since_mark() says what it did
 * since; sum is how long that is. False: the mark is before its fork, or further back
 * than is remembered. A task has one mark.
 */
void account_by_task(struct account *a);
void account_mark(struct account *a, const struct task *t, u64 from);
bool account_since_mark(struct account *a, const struct task *t, struct account_row *out);

/**
 * Identities, exact to the ns: states of a task add up to its life, those of a CPU to the
 * window; what tasks and CPUs say of each other, and of the scheduler's own totals; each
 * task is in the state in which the scheduler has it. -1 and a failure.
 */
int account_check(struct account *a, struct failure *f);

#endif
