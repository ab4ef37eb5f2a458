/*
 * Means, deviations, and what a cell says against its baseline: see experiment/stats.h.
 * The tests themselves are in stats_test.c, the rules of mmtests in stats_mmtests.c.
 */
#include "experiment/stats.h"

#include <math.h>

#include "stats_parts.h"

double stat_amean(const double *v, u32 n)
{
	double sum = 0;

	for (u32 i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / n : NAN;
}

double stat_hmean(const double *v, u32 n)
{
	double sum = 0;

	for (u32 i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return NAN;
		sum += 1 / v[i];
	}
	return n ? n / sum : NAN;
}

double stat_mean(const double *v, u32 n, bool higher_better)
{
	return higher_better ? stat_hmean(v, n) : stat_amean(v, n);
}

bool stat_all_equal(const double *v, u32 n)
{
	for (u32 i = 1; i < n; i++)
		if (v[i] < v[0] || v[i] > v[0])
			return false;
	return true;
}

double stat_variance(const double *v, u32 n)
{
	double mean = stat_amean(v, n), sum = 0;

	if (stat_all_equal(v, n))
		return 0;
	for (u32 i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum / (n - 1);
}

double stat_stddev(const double *v, u32 n)
{
	return n < 2 ? NAN : sqrt(stat_variance(v, n));
}

double stat_hstddev(const double *v, u32 n)
{
	double h = stat_hmean(v, n), sum = 0;

	if (n < 2 || isnan(h))
		return NAN;
	if (stat_all_equal(v, n))
		return 0;
	for (u32 i = 0; i < n; i++)
		sum += (1 / v[i] - 1 / h) * (1 / v[i] - 1 / h);
	return sqrt(h * h * h * h * sum / n);
}

double stat_coeffvar(const double *v, u32 n)
{
	double mean = stat_amean(v, n);

	return fabs(mean) > 0 ? 100 * stat_stddev(v, n) / mean : NAN;
}

double stat_delta(double base, double value, bool higher_better)
{
	double pct;

	if (isnan(base) || isnan(value))
		return NAN;
	/* also keeps -0.00 % out of tables */
	if (!(base < value) && !(base > value))
		return 0;
	if (!(fabs(base) > 0))
		return NAN;
	pct = 100 * value / base - 100;
	return higher_better ? pct : -pct;
}

double stat_correlation(const double *a, const double *b, u32 n)
{
	double ma = stat_amean(a, n), mb = stat_amean(b, n), sum = 0, sd;

	if (n < 3)
		return NAN;
	for (u32 i = 0; i < n; i++)
		sum += (a[i] - ma) * (b[i] - mb);
	sd = stat_stddev(a, n) * stat_stddev(b, n);
	return sd > 0 ? fmax(-1, fmin(1, sum / (n - 1) / sd)) : NAN;
}

const char *stat_mode_name(enum stat_mode mode)
{
	static const char *const names[STAT_MODES] = {"welch", "paired", "mmtests-2018",
						      "mmtests-2025"};

	return names[mode];
}

double stat_alpha(enum stat_mode mode)
{
	return mode == STAT_MMTESTS_2018 ? 0.10 : STAT_ALPHA;
}

static double test_p(const double *base, u32 nbase, const double *v, u32 n,
		     bool higher_better, enum stat_mode mode)
{
	switch (mode) {
	case STAT_MMTESTS_2018:
		return stat_mmtests_2018_p(base, nbase, v, n, higher_better);
	case STAT_MMTESTS_2025:
		return NAN; /* a rule without a p */
	case STAT_PAIRED:
		return NAN; /* of pairs, which stat_judge() is given */
	case STAT_WELCH:
	case STAT_MODES:
		break;
	}
	return stat_welch_p(base, nbase, v, n);
}

void stat_compare(const double *base, u32 nbase, const double *v, u32 n,
		  bool higher_better, const struct stat_rule *rule, struct stat_cell *out)
{
	double base_mean = stat_amean(base, nbase);
	bool harmonic = rule->mode == STAT_MMTESTS_2025 && higher_better;

	*out = (struct stat_cell){.n = n, .p_paired = NAN};
	out->mean = stat_mean(v, n, higher_better);
	out->stddev = harmonic ? stat_hstddev(v, n) : stat_stddev(v, n);
	out->coeffvar = harmonic ? 100 * out->stddev / out->mean : stat_coeffvar(v, n);
	out->delta = stat_delta(stat_mean(base, nbase, higher_better), out->mean,
				higher_better);
	out->p = test_p(base, nbase, v, n, higher_better, rule->mode);
	out->p_adjusted = out->p;
	out->p_rank = nbase < STAT_RANK_MIN || n < STAT_RANK_MIN
			      ? NAN
			      : stat_rank_p(base, nbase, v, n);
	out->ratio = fabs(base_mean) > 0 ? stat_amean(v, n) / base_mean : NAN;
	stat_ratio_interval(base, nbase, v, n, &out->ratio_lo, &out->ratio_hi);
	out->detectable = stat_detectable(base, nbase, v, n);
	out->precision = stat_precision(v, n);
	out->mmtests_ratio = stat_mmtests_2025_ratio(base, nbase, v, n, higher_better);
}
