/*
 * Tests, intervals and the stars of a table: see experiment/stats.h. Leaves out
 * resampling and tests of shape.
 *
 *   star = adjusted p < alpha  and  |change| >= practical  and  |ln ratio| > band
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/stats.h"
#include "stats_parts.h"

/* Variances of both means, and their degrees of freedom together. */
struct welch {
	double va, vb, diff, df;
};

/*
 * B. L. Welch, "The generalization of Student's problem when several different population
 * variances are involved", Biometrika 34 (1947); degrees of freedom by F. E.
 * Satterthwaite, Biometrics Bulletin 2 (1946). False: a side has no variance to know.
 */
static bool welch_of(const double *a, u32 na, const double *b, u32 nb, struct welch *w)
{
	double se2;

	if (na < 2 || nb < 2)
		return false;
	w->va = stat_variance(a, na) / na;
	w->vb = stat_variance(b, nb) / nb;
	w->diff = fabs(stat_amean(a, na) - stat_amean(b, nb));
	se2 = w->va + w->vb;
	w->df = se2 * se2 / (w->va * w->va / (na - 1) + w->vb * w->vb / (nb - 1));
	return isfinite(se2) && isfinite(w->diff);
}

double stat_welch_p(const double *a, u32 na, const double *b, u32 nb)
{
	struct welch w;

	if (!welch_of(a, na, b, nb, &w))
		return NAN;
	if (!(w.va + w.vb > 0))
		return w.diff > 0 ? 0 : 1;
	if (!(w.df > 0) || !isfinite(w.df))
		return NAN;
	return fmin(1, 2 * gsl_cdf_tdist_Q(w.diff / sqrt(w.va + w.vb), w.df));
}

/*
 * E. C. Fieller, "Some problems in interval estimation", J. Royal Statistical Society B
 *16 (1954): the ratios r for which the mean of v - r base is not significantly other than
 *0,
 *
 *	(m - r b)^2 <= t^2 (vm + r^2 vb)
 *
 * with t at Welch's degrees of freedom, so that r = 1 is Welch's test itself.
 */
void stat_ratio_interval(const double *base, u32 nbase, const double *v, u32 n,
			 double *lo, double *hi)
{
	double b = stat_amean(base, nbase), m = stat_amean(v, n), t2, a, root;
	struct welch w;

	*lo = *hi = NAN;
	if (!welch_of(base, nbase, v, n, &w) || !(fabs(b) > 0))
		return;
	if (!(w.va + w.vb > 0)) {
		*lo = *hi = m / b;
		return;
	}
	t2 = gsl_cdf_tdist_Qinv(STAT_ALPHA / 2, w.df);
	t2 *= t2;
	a = b * b - t2 * w.va;
	if (!(a > 0))
		return; /* the baseline may be 0: any ratio is possible */
	root = sqrt(fmax(0, m * m * b * b - a * (m * m - t2 * w.vb)));
	*lo = (m * b - root) / a;
	*hi = (m * b + root) / a;
}

/*
 * H. S. Bloom, "Minimum detectable effects", Evaluation Review 19 (1995): the sum of the
 * two quantiles of t, times the standard error of the difference.
 */
double stat_detectable(const double *base, u32 nbase, const double *v, u32 n)
{
	double mean = fabs(stat_amean(base, nbase));
	struct welch w;

	if (!welch_of(base, nbase, v, n, &w) || !(mean > 0))
		return NAN;
	if (!(w.va + w.vb > 0))
		return 0;
	return 100 * sqrt(w.va + w.vb) / mean *
	       (gsl_cdf_tdist_Qinv(STAT_ALPHA / 2, w.df) +
		gsl_cdf_tdist_Pinv(STAT_POWER, w.df));
}

double stat_precision(const double *v, u32 n)
{
	double mean = fabs(stat_amean(v, n)), sd = stat_stddev(v, n);

	if (n < 2 || !(mean > 0))
		return NAN;
	return 100 * sd / sqrt(n) * gsl_cdf_tdist_Qinv(STAT_ALPHA / 2, n - 1) / mean;
}

/* "Student", "The probable error of a mean", Biometrika 6 (1908). */
double stat_paired_p(const double *a, const double *b, u32 n)
{
	double mean = 0, square = 0;
	bool equal = true;

	if (n < 2)
		return NAN;
	for (u32 i = 0; i < n; i++) {
		double d = a[i] - b[i], first = a[0] - b[0];

		mean += d / n;
		equal = equal && !(d < first) && !(d > first);
	}
	/* of equal differences the spread is 0, not what rounding leaves */
	if (equal)
		return fabs(a[0] - b[0]) > 0 ? 0 : 1;
	for (u32 i = 0; i < n; i++)
		square += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
	return fmin(1,
		    2 * gsl_cdf_tdist_Q(fabs(mean) / sqrt(square / (n - 1) / n), n - 1));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Twice the rank of each sample, ties sharing the mean of theirs: whole numbers. */
static void double_ranks(const double *all, double *sorted, u32 n, u32 *rank)
{
	for (u32 i = 0; i < n; i++)
		sorted[i] = all[i];
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (u32 i = 0; i < n; i++) {
		u32 below = 0, same = 0;

		for (u32 j = 0; j < n; j++) {
			below += sorted[j] < all[i];
			same += !(sorted[j] < all[i]) && !(sorted[j] > all[i]);
		}
		rank[i] = 2 * below + same + 1;
	}
}

/*
 * In how many ways k of the n samples have a rank sum of s, as a share of all ways: the
 * shift algorithm of B. Streitberg and J. Roehmel (Statistical Software Newsletter 12,
 * 1986), which needs no approximation for ties. way[k * width + s].
 */
static void count_ways(const u32 *rank, u32 n, u32 k, u32 width, double *way)
{
	way[0] = 1;
	for (u32 i = 0; i < n; i++)
		for (u32 j = min_u32(i + 1, k); j > 0; j--)
			for (u32 s = width - 1; s >= rank[i]; s--)
				way[j * width + s] += way[(j - 1) * width + s - rank[i]];
}

/* H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947). */
double stat_rank_p(const double *a, u32 na, const double *b, u32 nb)
{
	u32 n = na + nb, width = n * (n + 1) + 1, sum = 0;
	double all[STAT_RANK_MAX], sorted[STAT_RANK_MAX], far = 0, total = 0, mean;
	u32 rank[STAT_RANK_MAX];
	double *way;

	if (!na || !nb || n > STAT_RANK_MAX)
		return NAN;
	way = calloc((size_t)(na + 1) * width, sizeof(*way));
	if (!way)
		return NAN;
	for (u32 i = 0; i < n; i++)
		all[i] = i < na ? a[i] : b[i - na];
	double_ranks(all, sorted, n, rank);
	for (u32 i = 0; i < na; i++)
		sum += rank[i];
	count_ways(rank, n, na, width, way);
	/* the mean of twice the sum of na ranks; half of it may be no whole number */
	mean = na * (n + 1.0);
	for (u32 s = 0; s < width; s++) {
		double ways = way[(size_t)na * width + s];

		total += ways;
		if (fabs(s - mean) >= fabs(sum - mean))
			far += ways;
	}
	free(way);
	return far / total;
}

/*
 * Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. Royal
 * Statistical Society B 57 (1995): p times m over its rank, made monotone from the
 * largest on. Neighbouring loads and columns with one baseline depend on each other
 * positively, which the procedure bears (Benjamini and Yekutieli, Annals of Statistics
 * 29, 2001).
 */
void stat_adjust(double *p, u32 n)
{
	double least = 1;
	u32 m = 0, left;
	bool *done;

	for (u32 i = 0; i < n; i++)
		m += isnan(p[i]) ? 0 : 1;
	done = calloc((size_t)n + 1, sizeof(*done));
	if (!done)
		abort();
	for (left = m; left; left--) {
		u32 at = n;

		for (u32 i = 0; i < n; i++)
			if (!done[i] && !isnan(p[i]) && (at == n || p[i] > p[at]))
				at = i;
		done[at] = true;
		least = fmin(least, p[at] * m / left);
		p[at] = least;
	}
	free(done);
}

static bool differs(const struct stat_cell *c, const struct stat_rule *rule)
{
	/* comparisons with NAN are false: what is missing is never significant */
	if (rule->mode == STAT_MMTESTS_2025)
		return c->mmtests_ratio > 1;
	if (rule->mode == STAT_MMTESTS_2018)
		return c->p_adjusted < stat_alpha(rule->mode);
	return c->p_adjusted < STAT_ALPHA && fabs(c->delta) >= rule->practical;
}

void stat_judge(struct stat_cell *const *cell, u32 n, const struct stat_rule *rule)
{
	double *p = calloc((size_t)n + 1, sizeof(*p));

	if (!p)
		abort();
	for (u32 i = 0; i < n; i++) {
		if (rule->mode == STAT_PAIRED)
			cell[i]->p = cell[i]->p_paired;
		p[i] = cell[i]->p;
	}
	if (stat_own(rule->mode))
		stat_adjust(p, n);
	for (u32 i = 0; i < n; i++) {
		struct stat_cell *c = cell[i];

		c->p_adjusted = p[i];
		c->outside_noise = differs(c, rule);
		c->outside_band = !stat_own(rule->mode) || !(rule->band > 0) ||
				  fabs(log(c->ratio)) > rule->band;
		c->significant = c->outside_noise && c->outside_band;
	}
	free(p);
}

double stat_expected_false(const struct stat_cell *const *cell, u32 n,
			   const struct stat_rule *rule)
{
	u32 compared = 0, stars = 0;

	for (u32 i = 0; i < n; i++) {
		compared += isnan(cell[i]->p) ? 0 : 1;
		stars += cell[i]->outside_noise;
	}
	if (rule->mode == STAT_MMTESTS_2025)
		return NAN;
	return stat_alpha(rule->mode) *
	       (rule->mode == STAT_MMTESTS_2018 ? compared : stars);
}
