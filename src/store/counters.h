/* The plain counters of a run: see counters.c. */
#ifndef STORE_COUNTERS_H
#define STORE_COUNTERS_H

#include "experiment/run.h"

#define STORE_COUNTERS 29

struct counter {
	const char *name, *unit; /* unit "" = a plain number */
	u32 scale;		 /* value / 10^scale is in the unit */
	u64 value;
};

void store_list_counters(const struct run_result *r, struct counter out[STORE_COUNTERS]);

#endif
