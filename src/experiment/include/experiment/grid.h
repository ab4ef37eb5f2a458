/*
 * A grid: machines x workload x parameter values x kernels x replicates, in fixed order,
 * and a pool of workers that runs it. Results are handed over in spec order whatever the
 * number of workers.
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
	const char *machine;     /* resolved path, "this" or a synthetic string */
	const char *machine_name;
	const char *workload;    /* resolved path */
	const char **kernel;     /* "NAME[:option=value,...]" */
	u32 nkernel;
	const struct axis *axis;
	u32 naxis;
	u32 runs;     /* replicates of each cell */
	u64 duration; /* 0 = the workload's */
	u64 seed;     /* base: replicate r of every cell uses a seed of (seed, r) */
	kernel_resolve resolve;
	void *resolve_ctx;
};

/** A cell of the load axis: one choice of every parameter. */
struct grid_load {
	const char *label; /* "clients=4 size=64", or "clients=4" printed as "4" if one axis */
};

struct grid {
	struct run_spec *spec; /* loads x kernels x replicates, replicate fastest */
	u32 nspec;
	struct grid_load *load;
	u32 nload, nkernel, runs;
};

/** Load and check everything; nothing has run when this fails. */
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

/** Run what is missing on `jobs` threads. *stop as in run_options. */
int grid_run(const struct grid *g, u32 jobs, volatile const int *stop,
	     const struct grid_hooks *hooks, struct failure *f);

#endif
