/*
 * Statistics of replicates: see experiment/stats.h. Leaves out: correction for many
 * comparisons, rank tests and confidence intervals.
 */
#include "experiment/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

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

/*
 * Sample variance; needs n >= 2. Of equal values it is 0, not the square of what rounding
 * left in their mean: tables divide by it.
 */
static double variance(const double *v, u32 n)
{
	double mean = stat_amean(v, n), sum = 0;
	bool equal = true;

	for (u32 i = 0; i < n; i++) {
		sum += (v[i] - mean) * (v[i] - mean);
		equal &= !(v[i] < v[0]) && !(v[i] > v[0]);
	}
	return equal ? 0 : sum / (n - 1);
}

double stat_stddev(const double *v, u32 n)
{
	return n < 2 ? NAN : sqrt(variance(v, n));
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

double stat_welch_p(const double *a, u32 na, const double *b, u32 nb)
{
	double va, vb, se2, diff, df;

	if (na < 2 || nb < 2)
		return NAN;
	va = variance(a, na) / na;
	vb = variance(b, nb) / nb;
	se2 = va + vb;
	diff = fabs(stat_amean(a, na) - stat_amean(b, nb));
	if (isnan(se2) || isnan(diff))
		return NAN;
	if (!(se2 > 0))
		return diff > 0 ? 0 : 1;
	/* Welch-Satterthwaite degrees of freedom */
	df = se2 * se2 / (va * va / (na - 1) + vb * vb / (nb - 1));
	if (!(df > 0) || !isfinite(df))
		return NAN;
	return fmin(1, 2 * gsl_cdf_tdist_Q(diff / sqrt(se2), df));
}

void stat_compare(const double *base, u32 nbase, const double *v, u32 n,
		  bool higher_better, struct stat_cell *out)
{
	out->n = n;
	out->mean = stat_mean(v, n, higher_better);
	out->stddev = stat_stddev(v, n);
	out->coeffvar = stat_coeffvar(v, n);
	out->delta = stat_delta(stat_mean(base, nbase, higher_better), out->mean,
				higher_better);
	out->p = stat_welch_p(base, nbase, v, n);
	/* comparisons with NAN are false: what is missing is never significant */
	out->significant = out->p < STAT_ALPHA && fabs(out->delta) >= STAT_PRACTICAL;
}
