/*
 * The pool behind grid_run(), with the function that executes a run as a parameter, so
 * that tests can put a stand-in there.
 */
#ifndef EXPERIMENT_POOL_H
#define EXPERIMENT_POOL_H

#include "experiment/grid.h"

typedef int (*pool_execute)(struct arena *a, const struct run_spec *spec,
			    const struct run_options *opt, struct run_result *out,
			    struct failure *f);

/** As grid_run(), on an array of specs. */
int pool_run(const struct run_spec *spec, u32 nspec, u32 jobs, volatile const int *stop,
	     const struct grid_hooks *hooks, pool_execute execute, struct failure *f);

#endif
