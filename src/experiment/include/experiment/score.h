/*
 * How good predictions are: measures over the cells of a table and over tables, the same
 * of models that know nothing, and the band of error that a new prediction carries.
 *
 * Everything is in ln of the ratio to the baseline column, turned so that above 0 is
 * better: it treats rates and times alike, and twice as bad like half as good.
 *
 *   error of a cell     |ln(predicted ratio / published ratio)|, times 100 where printed
 *   significant cell    the author marked it; without marks: the printed values are
 *                       further apart than sqrt(SD^2 + SD^2), or 2 % where no deviation
 *                       between runs is printed
 *   skill               1 - median error / that of the null model
 *   balanced accuracy   mean of the hit rates on gains and on losses; NAN if only one of
 *                       them was published
 */
#ifndef EXPERIMENT_SCORE_H
#define EXPERIMENT_SCORE_H

#include "experiment/experiment.h"

#define SCORE_NOISE 2.0 /* percent: significant where nothing else tells */

enum score_model {
	SCORE_PREDICTED,
	SCORE_NULL,	/* nothing ever changes */
	SCORE_CONSTANT, /* the best constant, chosen with the published values in hand */
	SCORE_SIGN,	/* always better or always worse, whichever is right more often */
	SCORE_NAIVE,	/* cores times the known gain of SMT, at min(tasks, CPUs) */
	SCORE_MODELS
};

/** "predicted", "null", "constant", "sign", "naive". */
const char *score_model_name(enum score_model model);

/** A printed cell that is not of the baseline column. NAN = not known. */
struct score_cell {
	u32 load, column;
	double predicted, published, naive; /* ln of the ratio, > 0 is better */
	bool significant;
};

struct score_table {
	const char *name, *kind; /* kind: what may be compared with it */
	struct score_cell *cell;
	u32 n;
	double residual; /* RMS of ln(predicted / published) of the baseline column */
};

/** Measures; NAN = n/a. Errors and residuals are as fractions, not times 100. */
struct score {
	u32 tables, cells, significant, gains, losses, gain_hits, loss_hits;
	double sign, balanced, spearman, median, p90, skill, residual;
};

/** ln of the ratio to the baseline of a published cell. */
double score_published(const struct published_cell *base, const struct published_cell *c,
		       bool higher_better);

/** The published cell counts as different from its baseline: see above. */
bool score_significant(const struct published_cell *base, const struct published_cell *c);

/**
 * The naive model: throughput of `tasks` endless tasks on a machine whose siblings keep
 * what its rows say, one task on each core first.
 */
double score_capacity(const struct machine *m, bool smt, u32 tasks);

/** Score of a model on n tables together. Rank correlation: the mean of the tables'. */
void score_of(const struct score_table *table, u32 n, enum score_model model,
	      struct score *out);

/** What a table shows that a constant does not. */
enum score_proof {
	SCORE_PROVES_NOTHING,
	SCORE_PROVES_SIGN,
	SCORE_PROVES_SIZE,
	SCORE_PROVES_BOTH
};

/**
 * sign: more right signs than a constant sign has. size: a smaller median error than the
 * best constant's.
 */
enum score_proof score_proves(const struct score_table *table);
const char *score_proof_name(enum score_proof proof);

/** 95 % intervals of the measures of the predictions, by resampling tables. */
struct score_interval {
	double lo, hi; /* NAN: fewer than two tables */
};

struct score_intervals {
	struct score_interval sign, balanced, spearman, median, skill;
};

#define SCORE_RESAMPLES 2000u

/** The stream of the resampling is fixed: the same tables give the same interval. */
void score_resample(const struct score_table *table, u32 n, struct score_intervals *out);

/**
 * The band of a prediction: the 90th percentile of the errors on other tables. Table
 * `leave` (by name; NULL = none) never counts, so that a table is not judged by itself.
 * Tables of its kind if there are SCORE_BAND_TABLES of them, else all tables; *tables and
 * *of_kind say what it was. NAN if there is none.
 */
#define SCORE_BAND_TABLES 3u
double score_band(const struct score_table *table, u32 n, const char *kind,
		  const char *leave, u32 *tables, bool *of_kind);

/**
 * The scored cells of earlier tables, from the CSV that `sibyl score --format csv`
 * prints: what bands are made of. No file: no tables.
 */
int score_read(struct arena *a, const char *path, const struct score_table **out, u32 *n,
	       struct failure *f);

#endif
