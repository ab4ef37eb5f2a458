/*
 * Predicted beside published: a finished model of an experiment, built from the store and
 * from the experiment's printed values, and three ways to draw it. Statistics are those
 * of report/compare.h; percentages are positive where a column is better than the first.
 */
#ifndef REPORT_EXPERIMENT_H
#define REPORT_EXPERIMENT_H

#include "experiment/experiment.h"
#include "report/compare.h"
#include "report/library.h"

/** An experiment by name or path, checked, and its runs. */
struct experiment_ask {
	const char *name;
	const char *against; /* printed values of another file; NULL = its own */
	const char *machine; /* another than the file's: only without printed values */
	bool full;	     /* the long form of the file */
	u32 runs;	     /* 0 = the file's */
	u64 duration;	     /* ns; 0 = the file's */
	u64 seed;
	const u64 *fit; /* as in struct experiment_request */
	struct stat_rule rule;
};

struct experiment_work {
	const struct experiment *x;
	struct experiment_request req;
	struct grid grid;
	double scale; /* printed units in one of the workload's metric */
	struct stat_rule rule;
	struct model_band band;
};

int experiment_open(struct arena *a, struct library *lib,
		    const struct experiment_ask *ask, struct experiment_work *out,
		    struct failure *f);

struct experiment_cell {
	struct stat_cell predicted; /* in the printed unit; NAN = n/a */
	struct published_cell published;
};

struct experiment_report {
	const struct experiment *x;
	struct experiment_cell *cell; /* load * ncolumn + column */
	const char *unit; /* of the table; "" = not known: nothing is stored yet */
	u32 runs;
	u64 seed, duration;	       /* duration 0 = to the end of the work */
	struct compare_report runs_of; /* the same runs as a comparison */
	struct compare_table *table;   /* of the metric; NULL = nothing is stored yet */
};

/** Read what is stored of the runs; what is not there yet is n/a. */
int experiment_build(struct arena *a, struct store *s, const struct experiment_work *w,
		     struct experiment_report *out, struct failure *f);

/** Renderers append to out. */
void experiment_text(const struct experiment_report *r, struct text *out);
void experiment_csv(const struct experiment_report *r, struct text *out);
void experiment_json(const struct experiment_report *r, struct text *out);

#endif
