/*
 * From names to runs: what both the command and the C interface ask of the layers below.
 */
#ifndef REPORT_REQUEST_H
#define REPORT_REQUEST_H

#include "experiment/grid.h"
#include "report/library.h"

/** What a user asks for; names as given. */
struct request {
	const char *machine, *workload;
	const char **kernel;
	u32 nkernel;
	const struct axis *axis;
	u32 naxis;
	u32 runs;
	u64 duration; /* ns; 0 = the workload's */
	u64 seed;
};

/**
 * Resolve the names, load and check everything, and lay out the runs. A duration for a
 * workload of fixed work is a failure.
 */
int request_plan(struct arena *a, struct library *lib, const struct request *req,
		 struct grid *out, struct failure *f);

/**
 * One run from the exact seed of a replicate, as a store remembers it; params is the text
 * of plan_params().
 */
int request_replay(struct arena *a, struct library *lib, const struct request *req,
		   const char *params, u32 replicate, struct run_spec *out,
		   struct failure *f);

#endif
