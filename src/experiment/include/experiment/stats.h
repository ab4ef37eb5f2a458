/*
 * Statistics of a few replicates, as scheduler developers print them. Doubles, summed in
 * the order in which the samples are given, so that the result depends on nothing else.
 *
 *   stat_compare()  samples of a cell and of its baseline -> numbers, and how certain
 *   stat_judge()    the cells of one table -> which of them differ (the stars)
 *
 * What cannot be computed is NAN; a table prints it as n/a. Rows that a table shows:
 * experiment/stat_rows.h. Sources of the rules are named where they are computed.
 */
#ifndef EXPERIMENT_STATS_H
#define EXPERIMENT_STATS_H

#include "base/types.h"

/**
 * Who decides on a star. The default is Welch's test; paired is the t test of the
 * differences between runs of one seed; the others do what mmtests printed in its two
 * eras (2018: until November 2024; 2025: since then), for comparison only.
 */
enum stat_mode {
	STAT_WELCH,
	STAT_PAIRED,
	STAT_MMTESTS_2018,
	STAT_MMTESTS_2025,
	STAT_MODES
};

/** Not a mode of mmtests: p values are adjusted and thresholds apply. */
static inline bool stat_own(enum stat_mode mode)
{
	return mode == STAT_WELCH || mode == STAT_PAIRED;
}

struct stat_rule {
	enum stat_mode mode;
	double practical; /* percent that matter; of our own modes */
	double band;	  /* error of the model, |ln ratio|; 0 = none; likewise */
};

#define STAT_ALPHA     0.05 /* adjusted p below this, and ... */
#define STAT_PRACTICAL 1.0  /* ... at least this many percent, unless asked otherwise */
#define STAT_POWER     0.80 /* of the minimum detectable change */
#define STAT_RANK_MIN  8u   /* samples on each side from which the rank test is shown */

/** "welch", "paired", "mmtests-2018", "mmtests-2025". */
const char *stat_mode_name(enum stat_mode mode);

/** The level of a rule: 0.05, or 0.10 as mmtests had until 2024. */
double stat_alpha(enum stat_mode mode);

/** sum / n; NAN for no samples. */
double stat_amean(const double *v, u32 n);

/** n / sum(1 / x); NAN for no samples or a sample that is not above 0. */
double stat_hmean(const double *v, u32 n);

/** The mean that a table shows: harmonic if higher is better, else arithmetic. */
double stat_mean(const double *v, u32 n, bool higher_better);

/** Sample standard deviation about the arithmetic mean (divisor n - 1); NAN for n < 2. */
double stat_stddev(const double *v, u32 n);

/** Deviation of a harmonic mean H by the delta method: sqrt(H^4/n sum((1/x - 1/H)^2)). */
double stat_hstddev(const double *v, u32 n);

/** 100 * SD / arithmetic mean (whichever mean is shown); NAN for n < 2 or a mean of 0. */
double stat_coeffvar(const double *v, u32 n);

/**
 * Change in percent, positive = better: 100 * value / base - 100 if higher is better,
 * else its negative. Equal values give 0 (two zeros too); NAN if either is NAN or only
 * the base is 0.
 */
double stat_delta(double base, double value, bool higher_better);

/**
 * Welch's test, two-sided p of equal arithmetic means. NAN if a side has fewer than two
 * samples. Without any spread on both sides: 1 if the means are equal, else 0.
 */
double stat_welch_p(const double *a, u32 na, const double *b, u32 nb);

/**
 * 95 % interval of mean(v) / mean(base), arithmetic means. It excludes 1 exactly when
 * Welch's p is below 0.05. Both NAN if there is none (n < 2, or a baseline whose mean is
 * not certainly other than 0).
 */
void stat_ratio_interval(const double *base, u32 nbase, const double *v, u32 n,
			 double *lo, double *hi);

/**
 * Mann and Whitney's test: two-sided p of equal distributions, exact whatever the ties.
 * NAN if a side is empty or both together have more than STAT_RANK_MAX samples.
 */
#define STAT_RANK_MAX 120u
double stat_rank_p(const double *a, u32 na, const double *b, u32 nb);

/**
 * Change of a mean, in percent of the baseline's, that Welch's test at STAT_ALPHA would
 * find in STAT_POWER of all repetitions, for the spread and the numbers at hand.
 */
double stat_detectable(const double *base, u32 nbase, const double *v, u32 n);

/** Student's test of the differences of n pairs, two-sided p; NAN for n < 2. */
double stat_paired_p(const double *a, const double *b, u32 n);

/** Correlation of pairs (Pearson); NAN for fewer than 3 or without spread. */
double stat_correlation(const double *a, const double *b, u32 n);

/** mmtests until November 2024: p of its two-sample test on the displayed means. */
double stat_mmtests_2018_p(const double *a, u32 na, const double *b, u32 nb,
			   bool higher_better);

/**
 * mmtests since November 2024: distance of the displayed means over the sum of the half
 * widths of their spread bands, above 1 = starred; NAN if a side has fewer than two
 * samples. Without spread: INFINITY if the means are more than 1 apart, else 0.
 */
double stat_mmtests_2025_ratio(const double *a, u32 na, const double *b, u32 nb,
			       bool higher_better);

/** Half of the 95 % interval of the mean by Student, in percent of the mean; NAN: n < 2.
 */
double stat_precision(const double *v, u32 n);

/** One cell of a table against its baseline. */
struct stat_cell {
	u32 n;
	double mean, stddev, coeffvar; /* stddev, coeffvar: as the mode shows them */
	double delta;	   /* percent, positive = better; NAN without a baseline */
	double p;	   /* of the mode's test; NAN if not testable */
	double p_adjusted; /* after stat_judge(); = p in the modes that adjust nothing */
	double p_rank;	   /* Mann and Whitney */
	double p_paired;   /* set by whoever knows the pairs; STAT_PAIRED needs it */
	double ratio, ratio_lo, ratio_hi; /* of arithmetic means */
	double detectable;		  /* percent */
	double precision;		  /* percent */
	double mmtests_ratio;		  /* only STAT_MMTESTS_2025 */
	bool outside_noise; /* differs beyond the spread of the replicates */
	bool outside_band;  /* ... beyond the error of the model */
	bool significant;   /* a star: all of it */
};

/** Samples of one cell; the baseline may be NULL with nbase 0. */
void stat_compare(const double *base, u32 nbase, const double *v, u32 n,
		  bool higher_better, const struct stat_rule *rule,
		  struct stat_cell *out);

/**
 * Decide on the cells of one table together: n pointers to its cells that are not of the
 * baseline column. Fills p_adjusted, outside_noise, outside_band, significant.
 */
void stat_judge(struct stat_cell *const *cell, u32 n, const struct stat_rule *rule);

/**
 * How many stars of a table are expected to be false: with adjusted p a share alpha of
 * the stars at most, else alpha of all compared cells. 2025 has no such figure: NAN.
 */
double stat_expected_false(const struct stat_cell *const *cell, u32 n,
			   const struct stat_rule *rule);

/**
 * Adjust p for many comparisons (Benjamini and Hochberg) in place; NANs stay and do not
 * count.
 */
void stat_adjust(double *p, u32 n);

#endif
