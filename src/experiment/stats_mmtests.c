/*
 * What mmtests calls significant, in its two eras, and its rows: see experiment/stats.h
 * and stat_rows.h. Written from a description of what its reporters print; cells of those
 * reporters are in the tests. Neither rule is a good one: the first stars one row in ten
 * where nothing changed, the second finds less the more samples there are.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/stat_rows.h"
#include "stats_parts.h"

/* 2018: deviation about the arithmetic mean; 0 where there is none. */
static double displayed_spread(const double *v, u32 n)
{
	return n < 2 ? 0 : stat_stddev(v, n);
}

double stat_mmtests_2018_p(const double *a, u32 na, const double *b, u32 nb,
			   bool higher_better)
{
	double sa = displayed_spread(a, na), sb = displayed_spread(b, nb);
	double diff =
		fabs(stat_mean(a, na, higher_better) - stat_mean(b, nb, higher_better));
	double se;

	if (!na || !nb || isnan(diff))
		return NAN;
	se = sqrt(sa * sa / na + sb * sb / nb);
	if (!(se > 0))
		return diff > 0 ? 0 : 1;
	/* Student's degrees of freedom, though the variances are not pooled */
	return fmin(1, 2 * gsl_cdf_tdist_Q(diff / se, na + nb - 2.0));
}

double stat_mmtests_2025_ratio(const double *a, u32 na, const double *b, u32 nb,
			       bool higher_better)
{
	double diff =
		fabs(stat_mean(a, na, higher_better) - stat_mean(b, nb, higher_better));
	double half, sa, sb;

	if (na < 2 || nb < 2 || isnan(diff))
		return NAN;
	sa = higher_better ? stat_hstddev(a, na) : stat_stddev(a, na);
	sb = higher_better ? stat_hstddev(b, nb) : stat_stddev(b, nb);
	/* a band of single samples: not divided by sqrt(n) */
	half = gsl_cdf_ugaussian_Pinv(0.975) * (sa + sb);
	if (!(half > 0))
		return diff > 1 ? INFINITY : 0;
	return diff / half;
}

static const struct stat_row rows_short[] = {
	{STAT_ROW_MEAN, 0}, {STAT_ROW_STDDEV, 0}, {STAT_ROW_COEFFVAR, 0}};

static const struct stat_row rows_classic[] = {
	{STAT_ROW_MIN, 0},	{STAT_ROW_MEAN, 0}, {STAT_ROW_STDDEV, 0},
	{STAT_ROW_COEFFVAR, 0}, {STAT_ROW_MAX, 0},  {STAT_ROW_BEST, 50},
	{STAT_ROW_BEST, 95},	{STAT_ROW_BEST, 99}};

static const struct stat_row rows_all[] = {
	{STAT_ROW_MIN, 0},	   {STAT_ROW_QUARTILE, 25},   {STAT_ROW_QUARTILE, 50},
	{STAT_ROW_QUARTILE, 75},   {STAT_ROW_PERCENTILE, 1},  {STAT_ROW_PERCENTILE, 5},
	{STAT_ROW_PERCENTILE, 10}, {STAT_ROW_PERCENTILE, 90}, {STAT_ROW_PERCENTILE, 95},
	{STAT_ROW_PERCENTILE, 99}, {STAT_ROW_MAX, 0},	      {STAT_ROW_MEAN, 0},
	{STAT_ROW_STDDEV, 0},	   {STAT_ROW_COEFFVAR, 0},    {STAT_ROW_BEST, 99},
	{STAT_ROW_BEST, 95},	   {STAT_ROW_BEST, 90},	      {STAT_ROW_BEST, 75},
	{STAT_ROW_BEST, 50},	   {STAT_ROW_BEST, 25}};

const char *stat_row_set_name(enum stat_row_set set)
{
	static const char *const names[STAT_ROW_SETS] = {"short", "classic", "all"};

	return names[set];
}

const struct stat_row *stat_row_set(enum stat_row_set set, u32 *n)
{
	if (set == STAT_ROWS_CLASSIC) {
		*n = ARRAY_SIZE(rows_classic);
		return rows_classic;
	}
	if (set == STAT_ROWS_ALL) {
		*n = ARRAY_SIZE(rows_all);
		return rows_all;
	}
	*n = ARRAY_SIZE(rows_short);
	return rows_short;
}

void stat_row_name(const struct stat_row *row, bool higher_better, enum stat_mode mode,
		   char name[16])
{
	static const char *const order[] = {"", "1st", "2nd", "3rd"};
	const char *mean = higher_better ? "Hmean" : "Amean";
	const char *h = higher_better && mode == STAT_MMTESTS_2025 ? "H" : "";

	switch (row->kind) {
	case STAT_ROW_MEAN:
		snprintf(name, 16, "%s", mean);
		break;
	case STAT_ROW_STDDEV:
		snprintf(name, 16, "%sStddev", h);
		break;
	case STAT_ROW_COEFFVAR:
		snprintf(name, 16, "%sCoeffVar", h);
		break;
	case STAT_ROW_MIN:
		snprintf(name, 16, "Min");
		break;
	case STAT_ROW_MAX:
		snprintf(name, 16, "Max");
		break;
	case STAT_ROW_BEST:
		snprintf(name, 16, "B%s-%u", mean, row->percent % 100);
		break;
	case STAT_ROW_PERCENTILE:
		snprintf(name, 16, "Max-%u", row->percent % 100);
		break;
	case STAT_ROW_QUARTILE:
		snprintf(name, 16, "%s-qrtle", order[row->percent / 25 % 4]);
		break;
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int descending(const void *a, const void *b)
{
	return ascending(b, a);
}

static double spread(const double *v, u32 n, bool harmonic)
{
	return harmonic ? stat_hstddev(v, n) : stat_stddev(v, n);
}

double stat_row_value(const struct stat_row *row, const double *v, u32 n,
		      bool higher_better, enum stat_mode mode, double *sorted)
{
	bool harmonic = higher_better && mode == STAT_MMTESTS_2025;
	u32 k = max_u32(1, n * row->percent / 100);

	if (!n)
		return NAN;
	for (u32 i = 0; i < n; i++)
		sorted[i] = v[i];
	qsort(sorted, n, sizeof(*sorted), higher_better ? descending : ascending);
	switch (row->kind) {
	case STAT_ROW_MEAN:
		return stat_mean(v, n, higher_better);
	case STAT_ROW_STDDEV:
		return spread(v, n, harmonic);
	case STAT_ROW_COEFFVAR:
		return harmonic ? 100 * spread(v, n, true) / stat_hmean(v, n)
				: stat_coeffvar(v, n);
	case STAT_ROW_MIN:
		return higher_better ? sorted[n - 1] : sorted[0];
	case STAT_ROW_MAX:
		return higher_better ? sorted[0] : sorted[n - 1];
	case STAT_ROW_BEST:
		return stat_mean(sorted, k, higher_better);
	case STAT_ROW_PERCENTILE:
	case STAT_ROW_QUARTILE:
		return sorted[k - 1];
	}
	return NAN;
}

double stat_row_delta(const struct stat_row *row, double base, double value,
		      bool higher_better, enum stat_mode mode)
{
	bool of_spread = row->kind == STAT_ROW_STDDEV || row->kind == STAT_ROW_COEFFVAR;
	bool higher = higher_better && !of_spread;

	if (stat_own(mode) || isnan(base) || isnan(value))
		return stat_delta(base, value, higher);
	/* mmtests: a collapse to zero is no change, and zero has a change of its own */
	if (higher && !(fabs(value) > 0))
		return 0;
	if (!(fabs(base) > 0) && fabs(value) > 0)
		return higher ? 100 : -99;
	return stat_delta(base, value, higher);
}
