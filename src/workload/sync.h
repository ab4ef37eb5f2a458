/*
 * Conditions, semaphores, barriers, and tasks that suspend themselves: see sync.c.
 */
#ifndef WORKLOAD_SYNC_H
#define WORKLOAD_SYNC_H

#include "lock.h"

struct semaphore_decl {
	struct decl d;
	u64 value; /* tokens at the start */
};

struct barrier_decl {
	struct decl d;
	u64 parties;
	u64 spin; /* ns of work that an arrival looks before it sleeps */
};

extern const struct decl_type condition_decl_type, semaphore_decl_type, barrier_decl_type;

/** Sleepers of a futex. */
struct sleepers {
	struct waitq q;
	u32 n;
};

struct condition_run {
	struct sleepers sleepers;
	struct ledger ledger;
};

struct semaphore_run {
	u64 value;
	struct sleepers sleepers;
	struct ledger ledger;
};

struct barrier_run {
	const struct barrier_decl *decl;
	u64 arrived;
	struct waitq spinners;
	struct sleepers sleepers, leaving; /* of this round; released, not yet woken */
	struct ledger ledger;
};

struct sync {
	struct condition_run *condition;
	struct semaphore_run *semaphore;
	struct barrier_run *barrier;
	struct sleepers *suspended; /* by group */
};

struct sync *sync_start(struct arena *a, const struct workload_plan *p);

struct ledger *condition_ledger(struct workload_run *r, u32 i);
struct ledger *semaphore_ledger(struct workload_run *r, u32 i);
struct ledger *barrier_ledger(struct workload_run *r, u32 i);

/** Where an instance of sync.c stands: inst.queue. */
enum { SYNC_GONE, SYNC_SLEEPS, SYNC_SPINS };

/** To the end of the queue; the system call is charged, STEP_AGAIN comes next. */
void sleepers_add(struct sleepers *s, struct inst *t, enum step *next);

/** Let the first go. False: there is none. */
bool sleepers_wake(struct sleepers *s, struct inst *waker);

/**
 * From a step: wake `n` of them or as many as there are, each paid before the next.
 * t->phase must be 0 first and counts from then on.
 */
enum flow sleepers_wake_all(struct sleepers *s, struct inst *t, u32 n, enum step *next);

/** Arrive, wait, or release all: asked again until it is over. */
enum flow barrier_step(struct inst *t, struct barrier_run *b, enum step *next);

#endif
