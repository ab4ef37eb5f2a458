/*
 * The score of experiments: a finished model, and three ways to draw it. What the figures
 * are: experiment/score.h.
 */
#ifndef REPORT_SCORE_H
#define REPORT_SCORE_H

#include "experiment/score.h"
#include "report/experiment.h"

struct score_entry {
	const struct experiment *x;
	struct score_table table; /* its cells are in the order of the experiment */
	struct score score[SCORE_MODELS];
	enum score_proof proves;
	u32 *worst;  /* indices of table.cell, largest error first, then what has none */
	double band; /* of the predictions, as ln; NAN = not known */
	const char **run; /* the first run of load * ncolumn + column: for `explain` */
};

struct score_report {
	struct score_entry *entry;
	u32 n;
	struct score total[SCORE_MODELS];
	struct score_intervals interval;
};

/** The score of one experiment from its report and its runs. */
void score_entry_build(struct arena *a, const struct experiment_work *w,
		       const struct experiment_report *r, struct score_entry *out);

/** Totals and intervals of n entries, which are kept. */
void score_report_build(struct arena *a, struct score_entry *entry, u32 n,
			struct score_report *out);

/**
 * The band of predictions from the scored cells of the data folder, without the table
 * `leave`. No scored tables: band 0, source NULL.
 */
#define SCORED_CELLS "experiments/scored.csv" /* in the data folder */

int score_band_read(struct arena *a, const struct library *lib, bool higher_better,
		    const char *leave, struct model_band *out, struct failure *f);

/** "rate" or "time": tables of one kind lend each other their errors. */
const char *score_kind(bool higher_better);

/** Under an experiment: a line a model. Renderers append to out. */
void score_entry_text(const struct score_entry *e, struct text *out);

void score_text(const struct score_report *r, struct text *out);
void score_csv(const struct score_report *r, struct text *out);
void score_json(const struct score_report *r, struct text *out);

/** Of one table, a member of an object. */
void score_entry_json(struct json *j, const char *key, const struct score_entry *e);

#endif
