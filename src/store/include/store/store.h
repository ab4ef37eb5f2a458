/*
 * Results in SQLite. Append only: a run is stored once, under its identity, in one
 * transaction; a killed program loses at most the runs that were running. What must be
 * equal between two executions (`run`, `metric`, ...) is apart from what may differ
 * (`timing`).
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "experiment/run.h"

struct store; /* opaque; close with store_close */

/**
 * Open or create. A file of a later schema, of another program, or not a database is
 * FAIL_INPUT; what the system refuses is FAIL_IO. A file without write permission opens
 * for reading. Two programs may use one file at once. Not thread safe.
 */
int store_open(struct store **out, const char *path, struct failure *f);
void store_close(struct store *s);

/** A run with this identity is stored. */
bool store_has(struct store *s, const char *id);

/** Append a run; a run that is already there is left alone. */
int store_append(struct store *s, const struct run_spec *spec, const struct run_result *r,
		 struct failure *f);

/**
 * A named set of runs in table order, so that `show last` and tables can find them.
 * Saving replaces a set of that name; its runs must be stored.
 */
struct store_cell {
	const char *load, *kernel;
	const char *run_id;
	u32 replicate;
};

int store_set_save(struct store *s, const char *name, const char *machine,
		   const char *workload, const struct store_cell *cells, u32 n,
		   struct failure *f);

/** A set, read back in the same order; FAIL_INPUT if there is none of that name. */
struct stored_set {
	const char *machine, *workload;
	struct store_cell *cell;
	u32 n;
};

int store_set_load(struct store *s, struct arena *a, const char *name,
		   struct stored_set *out, struct failure *f);

/** One stored run, read back. Strings live in the arena. */
struct stored_run {
	const char *id, *text, *json; /* canonical text; document without timing */
	const char *machine, *kernel, *workload, *params;
	u64 seed, duration, digest;
	u32 replicate;
	struct run_metric *metric;
	u32 nmetric, main_metric;
};

/**
 * By identity, by an unambiguous prefix of at least 4 digits, or "last". A failure names
 * how many runs match.
 */
int store_load(struct store *s, struct arena *a, const char *id, struct stored_run *out,
	       struct failure *f);

/**
 * Every counter of a run by name, in a fixed order, for `explain`: plain counters (named
 * as in run_json(), wake_us.p50), system_s.CAUSE, decisions.REASON, groups.NAME.cpu_s,
 * metrics.NAME. Unit "" = a plain number. id as in store_load().
 */
struct stored_counter {
	const char *name, *unit;
	double value;
};

int store_counters(struct store *s, struct arena *a, const char *id,
		   struct stored_counter **out, u32 *n, struct failure *f);

#endif
