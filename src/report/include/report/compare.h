/*
 * The table that compares kernels: a finished model, built from the store alone, and
 * three ways to draw it. The first kernel is the baseline.
 *
 * Statistics of a cell: the mean is harmonic where higher is better (rates) and
 * arithmetic where lower is better (times); see experiment/stats.h. A percentage is
 * positive where the kernel is better than the baseline. A cell is never significant with
 * n = 1.
 *
 * Replicate r of every kernel has the same seed, so two columns are not independent. The
 * report says how far their replicates move together; Welch's test, which takes them as
 * independent, errs on the safe side where they do.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "experiment/stat_rows.h"
#include "store/store.h"

/** How much predictions err, as |ln ratio|, and where that is from; NULL = not known. */
struct model_band {
	double band;
	const char *source;
};

struct compare_request {
	const char *machine, *workload; /* as the user named them */
	const char *const *load;	/* labels of the rows */
	u32 nload;
	const char *const *kernel; /* columns */
	u32 nkernel;
	u32 runs; /* replicates asked for */
	/** Identities: index (load * nkernel + kernel) * runs + replicate. */
	const char *const *id;
	const char *load_name; /* what the labels are values of; "" = nothing */
	u64 seed;	       /* base seed, for the legend */
	u64 duration;	       /* ns simulated; 0 = to the end of a fixed work */
	struct stat_rule rule;
	enum stat_row_set rows;
	struct model_band
		band[2]; /* of lower and of higher is better; rule.band is not used */
	const char *runs_rule;	/* how the number of runs was chosen; NULL = given */
	const char *unmodelled; /* what it hinges on and the model lacks; NULL */
};

struct compare_value {
	const char *id;
	bool has;
	double value;
	u64 seed;
};

struct compare_cell {
	const struct compare_value *value; /* one a replicate */
	struct stat_cell s;		   /* NAN = n/a */
	double *row, *pct; /* of each row of the request; pct positive = better */
};

struct compare_table {
	const char *metric, *unit;
	bool higher_better;
	struct compare_cell *cell; /* load * nkernel + kernel */
	u32 stars, compared;
	double expected_false; /* of the stars; NAN = the rule does not say */
	double correlation;    /* of replicates with the baseline's; NAN = n/a */
	double least_detectable, most_detectable; /* percent; NAN = n/a */
};

struct compare_report {
	struct compare_request req;
	struct compare_table *table; /* one a metric */
	u32 ntable, main_table;
	/** Of each kernel: every run took the same decisions as the baseline's. */
	bool *unexercised;
	/** The first reason for what the table shows, one line; NULL = none is known. */
	const char *reason;
};

/** Read what is stored of the request; runs that are not there leave their place empty.
 */
int compare_build(struct arena *a, struct store *s, const struct compare_request *req,
		  struct compare_report *out, struct failure *f);

/** Statistics of a table from the values of its cells. */
void compare_fill(struct arena *a, const struct compare_request *req,
		  struct compare_table *t);

/** The table of a metric by name, or a failure with the nearest. */
int compare_metric(const struct compare_report *r, const char *metric, u32 *table,
		   struct failure *f);

/** Renderers append to out; text draws one metric, the others all. */
void compare_text(const struct compare_report *r, u32 table, struct text *out);
void compare_csv(const struct compare_report *r, struct text *out);
void compare_json(const struct compare_report *r, struct text *out);

#endif
