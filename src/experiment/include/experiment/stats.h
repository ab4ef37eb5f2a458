/*
 * Statistics of a few replicates, as scheduler developers print them. Doubles, summed in
 * the order in which the samples are given, so that the result depends on nothing else.
 *
 * What cannot be computed is NAN; a table prints it as n/a.
 */
#ifndef EXPERIMENT_STATS_H
#define EXPERIMENT_STATS_H

#include "base/types.h"

/** sum / n; NAN for no samples. */
double stat_amean(const double *v, u32 n);

/** n / sum(1 / x); NAN for no samples or a sample that is not above 0. */
double stat_hmean(const double *v, u32 n);

/** The mean that a table shows: harmonic if higher is better, else arithmetic. */
double stat_mean(const double *v, u32 n, bool higher_better);

/** Sample standard deviation about the arithmetic mean (divisor n - 1); NAN for n < 2. */
double stat_stddev(const double *v, u32 n);

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

/** A difference that is both unlikely by chance and large enough to matter. */
#define STAT_ALPHA     0.05 /* Welch p below this, and ... */
#define STAT_PRACTICAL 1.0  /* ... at least this many percent */

/** One cell of a table against its baseline. */
struct stat_cell {
	u32 n;
	double mean, stddev, coeffvar;
	double delta; /* percent, positive = better; NAN without a baseline */
	double p;     /* NAN if not testable */
	bool significant;
};

/** Samples of one cell; the baseline may be NULL with nbase 0. */
void stat_compare(const double *base, u32 nbase, const double *v, u32 n,
		  bool higher_better, struct stat_cell *out);

#endif
