/*
 * A grid: machines x workload x parameter values x kernels x replicates, in fixed order,
 * and a pool of workers that runs it. Results are handed over in spec order whatever the
 * number of workers.
 *
 * Common random numbers: replicate r uses the same seed, a draw of (base seed, r), for
 * every kernel and every load. Kernels meet the same tasks with the same draws, and
 * adding a kernel, a load or more replicates changes no other cell.
 */
#ifndef EXPERIMENT_GRID_H
#define EXPERIMENT_GRID_H

#include "experiment/run.h"

/** One `-p name=v1,v2`. */
struct axis {
	const char *name;
	const char **value;
	u32 n;
};

struct grid_request {
	const char *machine; /* resolved path, "this" or a synthetic string */
	const char *machine_name;
	const char *workload; /* resolved path */
	const char **kernel;  /* "NAME[:option=value,...]" */
	u32 nkernel;
	const struct axis *axis;
	u32 naxis;
	u32 runs;     /* replicates of each cell */
	u64 duration; /* 0 = the workload's */
	u64 seed;     /* base: replicate r of every cell uses a seed of (seed, r) */
	kernel_resolve resolve;
	void *resolve_ctx;
};

#define GRID_MAX_RUNS 1000000u

/**
 * A cell of the load axis: one choice of every parameter. The last axis varies fastest.
 * Label: "clients=4 size=64"; the value alone ("4") if there is one axis; "" without.
 */
struct grid_load {
	const char *label;
	const struct workload_plan *plan;
};

struct grid {
	struct run_spec *spec; /* loads x kernels x replicates, replicate fastest */
	u32 nspec;
	struct grid_load *load;
	u32 nload, nkernel, runs;
	const char
		*axis_name; /* what labels are values of, if there is one axis; else "" */
	const struct machine *machine;
	const struct workload *workload;
	const struct kernel **kernel; /* nkernel of them */
};

/** Seed of a replicate: below 2^53, so that every JSON reader keeps it exact. */
u64 grid_seed(u64 base, u32 replicate);

/** Load and check everything; nothing has run when this fails. Strings are borrowed. */
int grid_plan(struct arena *a, const struct grid_request *req, struct grid *out,
	      struct failure *f);

static inline u32 grid_index(const struct grid *g, u32 load, u32 kernel, u32 replicate)
{
	return (load * g->nkernel + kernel) * g->runs + replicate;
}

struct grid_hooks {
	void *ctx;
	/** Already known? Called in spec order before the pool starts. */
	bool (*have)(void *ctx, const struct run_spec *spec);
	/** In spec order, one at a time, on the calling thread. */
	int (*done)(void *ctx, const struct run_spec *spec, const struct run_result *r,
		    struct failure *f);
	/** Progress: how many of how many are over. May be NULL. */
	void (*progress)(void *ctx, u32 done, u32 total);
};

/**
 * Run what is missing on `jobs` threads (0 counts as 1). *stop as in run_options.
 *
 * No more than `jobs` runs are begun and not yet handed over, so that a killed program
 * loses no more than that. The first failure in spec order, of a run or of done(), ends
 * the pool: runs after it are stopped and dropped. Interrupted, what is complete is still
 * handed over, and the answer is FAIL_INTERRUPTED.
 */
int grid_run(const struct grid *g, u32 jobs, volatile const int *stop,
	     const struct grid_hooks *hooks, struct failure *f);

#endif
