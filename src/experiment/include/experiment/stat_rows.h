/*
 * The rows of a table as mmtests names and defines them: order statistics count from the
 * best sample, so that "Max-95" is what 95 % of the samples reach whatever is better.
 */
#ifndef EXPERIMENT_STAT_ROWS_H
#define EXPERIMENT_STAT_ROWS_H

#include "experiment/stats.h"

enum stat_row_kind {
	STAT_ROW_MEAN,
	STAT_ROW_STDDEV,
	STAT_ROW_COEFFVAR,
	STAT_ROW_MIN,
	STAT_ROW_MAX,
	STAT_ROW_BEST,	     /* mean of the best `percent` of the samples */
	STAT_ROW_PERCENTILE, /* the sample that `percent` of them reach */
	STAT_ROW_QUARTILE    /* the same under another name */
};

struct stat_row {
	enum stat_row_kind kind;
	u32 percent;
};

/**
 * short: mean, Stddev, CoeffVar. classic: what mmtests prints for most benchmarks. all:
 * with quartiles, percentiles and more B rows.
 */
enum stat_row_set { STAT_ROWS_SHORT, STAT_ROWS_CLASSIC, STAT_ROWS_ALL, STAT_ROW_SETS };

const char *stat_row_set_name(enum stat_row_set set);
const struct stat_row *stat_row_set(enum stat_row_set set, u32 *n);

/** "Hmean", "BAmean-95", "2nd-qrtle"; long enough: 16 bytes. */
void stat_row_name(const struct stat_row *row, bool higher_better, enum stat_mode mode,
		   char name[16]);

/** Value of a row; v in any order, n samples, `sorted` room for n. NAN if there is none.
 */
double stat_row_value(const struct stat_row *row, const double *v, u32 n,
		      bool higher_better, enum stat_mode mode, double *sorted);

/**
 * Change of a row in percent, + = better; of a spread less is better. In the mmtests
 * modes a base or a value of 0 gives what mmtests prints for it.
 */
double stat_row_delta(const struct stat_row *row, double base, double value,
		      bool higher_better, enum stat_mode mode);

#endif
