/*
 * What programs share and wait for: channels, locks, lines, devices. Each kind has a map
 * at the top of the file (`locks:`), each entry of it is one thing or an array of them
 * (`count:`). In a run the things of a kind are one array; an entry is a range of it.
 *
 *   declared   locks: {m: {kind: mutex, count: 4}}
 *   meant      lock: "m[own % 2]"
 */
#ifndef WORKLOAD_RESOURCES_H
#define WORKLOAD_RESOURCES_H

#include "compile.h"
#include "index.h"
#include "inst.h"
#include "sched/ledger.h"

/** First member of every declaration. */
struct decl {
	const char *name;
	u32 first, count; /* range of the kind's array in a run */
	const struct ynode *at;
};

/** How a kind of thing is declared. */
struct decl_type {
	const char *what;	 /* "lock", for complaints */
	const char *const *keys; /* beside `count` */
	size_t size;		 /* of its declaration, which begins with struct decl */
	/** Read the entry's own keys; `d` is zero but for its head. */
	int (*compile)(struct compiler *c, const struct ynode *entry, struct decl *d);
};

/** The entries of a map (NULL = none). */
int compile_decls(struct compiler *c, const struct ynode *map,
		  const struct decl_type *type, struct decls *out);

/** One of an entry's things, chosen anew each time. */
struct ref {
	const struct decl *decl;
	const struct index *index; /* NULL = the first */
};

/** NAME or NAME[INDEX] of a list; `what` for the complaint. */
int compile_ref(struct compiler *c, const struct ynode *n, const struct decls *list,
		const char *what, struct ref *out);

/** As compile_ref, in the arena: for op.data. */
const struct ref *compile_ref_new(struct compiler *c, const struct ynode *n,
				  const struct decls *list, const char *what);

/** An operation whose argument is a reference, its op.data. */
int compile_ref_op(struct compiler *c, const struct ynode *arg, const struct decls *list,
		   const char *what, const struct op_type *type, const char *example);

/** A thing and how many bytes: "NAME" or {key: NAME, size: 100 B}. */
struct sized_ref {
	struct ref ref;
	u64 size; /* bytes; as it was, if none is given */
};

int compile_sized_ref(struct compiler *c, const struct ynode *arg, const char *key,
		      const struct decls *list, const char *what, u64 least,
		      struct sized_ref *out);

/** The index in the array of the kind. */
u32 ref_get(struct inst *t, const struct ref *r);

/** The same for thing number `own` of an array, where there is no instance. */
u32 ref_get_of(const struct ref *r, u64 own);

/** Waiting instances, first come first served. */
static inline bool waitq_empty(const struct waitq *q)
{
	return !q->first;
}

void waitq_add(struct waitq *q, struct inst *t);
struct inst *waitq_pop(struct waitq *q);
void waitq_remove(struct waitq *q, struct inst *t);

/** Wake an instance that sleeps in FLOW_HOLD: its operation is asked again. */
void inst_wake(struct inst *waker, struct inst *t, bool sync);

/**
 * The instance is about to sleep (STEP_BLOCK comes next) and only another task can wake
 * it, with inst_wake(). `on` names what it waits for; may be NULL. Once all sleep so
 * there is nothing left that could happen: fixed work has failed.
 */
void inst_block(struct inst *t, const struct decl *on);

/** It waits for what the ledger counts, from now on; no effect if it does already. */
void wait_begin(struct inst *t, struct ledger *l);
/** It has it, from `at` on. */
void wait_end(struct inst *t, u64 at);

/** All locks, barriers and their like of a run; in its arena. */
void resources_start(struct workload_run *r, struct arena *a);

/** Waits and holds that go on are counted up to now. */
void resources_settle(struct workload_run *r);

/** Counted from now on. */
void resources_reset(struct workload_run *r);

/** A kind of thing that has a ledger for each. */
struct resource_kind {
	const char *what, *plural; /* "lock", "locks" */
	size_t decls;		   /* offset in struct resources */
	u32 nstat;		   /* how many of resource_stats make sense */
	struct ledger *(*ledger)(struct workload_run *r, u32 i);
};

extern const struct resource_kind resource_kinds[];
extern const u32 resource_kind_count;

/** What a ledger says, as metrics call it: RES_* */
enum resource_stat {
	RES_ACQUISITIONS,
	RES_CONTENDED,
	RES_WAIT,
	RES_SPIN,
	RES_HOLD,
	RES_STATS
};
extern const char *const resource_stats[RES_STATS];

/** Indexed by enum resource_stat; ns and counts. */
void resource_values(const struct ledger *l, u64 out[RES_STATS]);

const struct decls *resource_decls(const struct resources *res, u32 kind);

/** Sum over the things of an entry. */
void resource_sum(struct workload_run *r, u32 kind, const struct decl *d,
		  struct ledger *out);

#endif
