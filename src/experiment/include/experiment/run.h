/*
 * One run: a machine, a kernel, a workload with its parameters, a seed. The canonical
 * text of a run (contents of its files, parameters, seed, version of the semantics) is
 * hashed to its identity: same identity, same numbers.
 */
#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include <stdio.h>

#include "base/arena.h"
#include "base/failure.h"
#include "machine/machine.h"
#include "sched/kernel.h"
#include "sched/sched.h"
#include "sched/account.h"
#include "sched/wasted.h"
#include "workload/workload.h"

/** Raised whenever a change moves a golden digest (a test demands it). */
#define SIBYL_SEMANTICS 11

struct run_spec {
	const char *machine_name, *kernel_name,
		*workload_name; /* as the user gave them */
	const struct machine *machine;
	const struct kernel *kernel;
	const struct workload *workload;
	const struct workload_plan *plan;
	u64 seed; /* of this replicate */
	u32 replicate;
	u64 duration;	    /* ns simulated with the warm-up; a cap for fixed work */
	const char *params; /* every parameter of the plan; filled in with text */
	const char *text;   /* canonical */
	char id[33];	    /* identity: hash of text */
};

/**
 * Fill params, text and id of a spec whose other members are set (duration 0 = the plan's
 * default). Fails for a duration of a fixed-work plan other than the plan's own, and for
 * one that does not outlast the warm-up.
 */
int run_spec_finish(struct arena *a, struct run_spec *spec, struct failure *f);

struct run_metric {
	const char *name, *unit;
	bool higher_better, has;
	double value;
};

struct run_group {
	const char *name;
	u64 cpu_ns;
};

/** What the programs share: a lock, a barrier, ... (an array of them is one). */
struct run_resource {
	const char *name, *kind; /* "m", "locks" */
	struct ledger ledger;
};

/** A cgroup with a limit of CPU time (cpu.max), and what that did: cpu.stat. */
struct run_limit {
	const char *name;
	struct group_limit limit;
	struct limit_stats stats;
};

/** Where time went, if it was asked for: sched/account.h. */
struct run_account {
	/* tasks: row 0 of no group (the launcher), then those of the plan; CPUs by node
	 */
	struct account_row *group, *node;
	u32 ngroup, nnode;
	/* of the metric that is asked for: the time of the tasks that make it */
	u32 metric;
	enum metric_basis basis;
	bool exact; /* see plan_metric_basis() */
	struct account_row made;
	u64 count; /* things or events; 0 = not counted */
	/*
	 * BASIS_EVENTS: the events that the metric measures, those with ranks from..to
	 * (workload_split_events()); 0 = none
	 */
	struct account_row event;
	u64 events;
	double from, to;
};

/** Name of row i of run_account.group. */
const char *run_account_name(const struct run_spec *spec, u32 i);

/** Numbers of one run over its measured window (totals of the whole run: digest, events).
 */
struct run_result {
	u64 window_ns; /* measured: sim_ns less the warm-up */
	u64 sim_ns;
	struct run_metric *metric;
	u32 nmetric, main_metric;
	struct run_group *group;
	u32 ngroup;
	struct run_resource *resource;
	u32 nresource;
	struct run_limit *limit;
	u32 nlimit;
	struct sched_totals totals;		    /* of the window */
	u64 wake_p50, wake_p95, wake_p99, wake_max; /* wake-up to running, ns */
	u64 wake_n;
	u64 forced_idle_ns, cross_cookie_leak_ns, cross_cookie_pending_ns;
	struct wasted wasted; /* if it was asked for */
	bool has_wasted;
	struct run_account account;
	bool has_account;
	u64 digest, events;
	u64 wall_ns, cpu_ns; /* of this process: not part of what must repeat */
};

/** One number of a shared thing, or of a cgroup with a limit. */
struct resource_number {
	const char *name; /* "wait_s" */
	const char *unit; /* "s" or "" */
	u32 scale;	  /* value / 10^scale is in the unit */
	u64 value;
};

#define RESOURCE_NUMBERS (5 + LINE_DISTANCES)

/** In the order in which they are shown. */
void run_resource_numbers(const struct run_resource *r,
			  struct resource_number out[RESOURCE_NUMBERS]);

#define LIMIT_NUMBERS 8

/** Likewise. */
void run_limit_numbers(const struct run_limit *l,
		       struct resource_number out[LIMIT_NUMBERS]);

/** Optional outputs and limits of a run. */
struct run_options {
	FILE *ftrace; /* trace-cmd report -t text of the whole run; NULL = none */
	struct text *schedstat; /* /proc/schedstat of its end; NULL = none */
	volatile const int
		*stop; /* nonzero: give up with FAIL_INTERRUPTED; may be NULL */
	volatile const int *halt;   /* a second such flag (the pool's own); may be NULL */
	bool check;		    /* recount touched queues after every event */
	bool wasted;		    /* watch for CPUs that idle while a task waits */
	bool account;		    /* where does time go? */
	const char *account_metric; /* NULL = the main one, also if there is none such */
	u64 best_hz;		    /* ... against this clock; 0 = the machine's best */
};

/**
 * Run a spec in an arena of its own; the result's arrays live in `a`, their strings
 * belong to the plan. Thread safe: no state outside its arguments. opt may be NULL. A
 * trace that cannot be written is FAIL_IO (the stream is flushed, not closed).
 */
int run_execute(struct arena *a, const struct run_spec *spec,
		const struct run_options *opt, struct run_result *out, struct failure *f);

/**
 * The JSON document of `sibyl run --json`, on one line without a line end (with_timing
 * adds wall_s and cpu_s). Appended to out.
 */
void run_json(const struct run_spec *spec, const struct run_result *r, bool with_timing,
	      struct text *out);

#endif
