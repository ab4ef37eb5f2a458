/*
 * Locks that programs share: see lock.c for how each kind behaves.
 */
#ifndef WORKLOAD_LOCK_H
#define WORKLOAD_LOCK_H

#include "resources.h"
#include "sched/ledger.h"

enum lock_kind { LOCK_MUTEX, LOCK_FUTEX, LOCK_SPIN, LOCK_RWSEM, LOCK_KINDS };

struct lock_decl {
	struct decl d;
	enum lock_kind kind;
	bool fair; /* spin: a ticket lock, strictly in order */
	bool spin; /* rwsem: writers spin while the owner runs */
};

extern const struct decl_type lock_decl_type;

struct lock_run {
	const struct lock_decl *decl;
	struct inst *owner; /* who has it alone */
	u32 readers;
	bool handoff; /* mutex: the first sleeper has woken up in vain */
	bool marked;  /* futex: its word says that somebody may sleep */
	struct waitq spinners, sleepers;
	struct ledger ledger;
};

/** A lock that an instance has. */
struct hold {
	struct hold *next; /* taken before this one */
	struct lock_run *lock;
	u64 since; /* TIME_NEVER = handed over, its new owner has not noticed yet */
	bool shared;
};

/** All locks of a run. */
struct locks {
	struct lock_run *lock;
	struct pool holds;
};

struct locks *locks_start(struct arena *a, const struct workload_plan *p);

struct ledger *lock_ledger(struct workload_run *r, u32 i);

/** Holds that go on are counted up to now. */
void locks_settle(struct workload_run *r, struct inst *t);

/** Take a lock, asked again until it is had (FLOW_HOLD); op for complaints. */
enum flow lock_take(struct inst *t, struct lock_run *lk, bool shared, const struct op *op,
		    enum step *next);

/** The lock that a reference means to its holder; NULL: not held, the run has failed. */
struct hold *lock_held(struct inst *t, const struct ref *ref, const struct op *op);

/** Let it go: whoever is next gets it or is woken. Charges the owner. */
void lock_release(struct inst *t, struct hold *h);

/** client.off_cpu */
void locks_off_cpu(void *ctx, struct sched *s, struct task *task);

/**
 * An atomic operation of the running task on the line of something that is shared:
 * behind those that came before, charged as SYS_LOCK.
 */
void line_atomic(struct inst *t, struct ledger *l);

/** System time of a system call of the futex kind. */
void futex_call(struct inst *t);

#endif
