/*
 * What the model lacks and a comparison hinges on: declared in the data folder, see
 * there.
 */
#ifndef REPORT_UNMODELLED_H
#define REPORT_UNMODELLED_H

#include "experiment/grid.h"
#include "report/library.h"

#define UNMODELLED "not-modelled.yaml" /* in the data folder; may be absent */

/**
 * The first entry that applies to a grid: *why is "MECHANISM is not modelled: REASON", or
 * NULL if there is none. Entries without kernels that differ need two columns as well.
 */
int unmodelled_find(struct arena *a, const struct library *lib, const struct grid *g,
		    const char *workload, const char **why, struct failure *f);

#endif
