/*
 * What is contended has a ledger: a lock of a program, a lock of the scheduler, a cache
 * line that many CPUs write. It says from when on the thing is free, on which CPU it was
 * last, and counts who came, who waited and how long, and from how far it had to come.
 *
 *   start = max(now, free_at)     free_at = start + transfer + hold
 *
 * so that writers queue. The wait is charged to the caller, handlers are never split.
 * Times are ns. Costs of a transfer: rows `line.*` of the machine.
 */
#ifndef SCHED_LEDGER_H
#define SCHED_LEDGER_H

#include "sched/sched.h"

/** From where a cache line comes. */
enum line_distance {
	LINE_OWN,    /* it is here already */
	LINE_SMT,    /* a thread of the same core */
	LINE_LLC,    /* a core of the same last-level cache */
	LINE_SOCKET, /* another last-level cache of the node */
	LINE_NODE,   /* another node */
	LINE_DISTANCES
};

extern const char *const line_distance_name[LINE_DISTANCES];

/** All zero is a ledger that nobody has used. */
struct ledger {
	u64 free_at;
	u32 cpu; /* 1 + the CPU that had it last; 0 = none */
	u64 acquisitions, contended;
	u64 wait_ns; /* until it was had, asleep or on the CPU */
	u64 spin_ns; /* of these, on the CPU */
	u64 hold_ns;
	u64 transfers[LINE_DISTANCES];
};

enum line_distance sched_distance(const struct sched *s, u32 from, u32 to);

/** The line moves to `cpu`: counted; returns what that costs, ns. */
u64 ledger_transfer(const struct sched *s, struct ledger *l, u32 cpu);

/**
 * Use it from `at` on for `hold` ns, behind those that came before. Returns ns from `at`
 * until it is over: wait + transfer + hold.
 */
u64 ledger_use(const struct sched *s, struct ledger *l, u32 cpu, u64 at, u64 hold);

/** sum += l, ns and counts; for totals over an array of locks. */
void ledger_add(struct ledger *sum, const struct ledger *l);

/** From step(): what was charged so far ends then: `now` of the task's own doings. */
u64 sched_paid_until(const struct sched *s, const struct task *t);

#endif
