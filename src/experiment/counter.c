/* Counter-experiments as numbers: see experiment/counter.h. */
#include "experiment/counter.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/stats.h"

/* What is beside the reasons. */
enum { PART_PACE = REASON_COUNT, PART_METRIC, PARTS };

/* ln(B / A) of the metric. */
static double ratio_of(const struct counter_pair *p)
{
	double v[2];

	for (u32 k = 0; k < 2; k++) {
		const struct run_metric *m = &p->r[k].metric[p->r[k].account.metric];

		if (!m->has || !(m->value > 0))
			return NAN;
		v[k] = m->value;
	}
	return log(v[1] / v[0]);
}

/*
 * The ratio of two sums over pairs, and how far each pair is from it: W. G. Cochran,
 * "Sampling Techniques" (1977), 6.3. Pairs whose difference is small say little about
 * what goes of it; a mean of their ratios would let them say most.
 */
static double ratio_of_sums(const double *x, const double *of, u32 n, double *residual)
{
	double sum = n * stat_amean(x, n), whole = n * stat_amean(of, n);

	for (u32 i = 0; i < n; i++)
		residual[i] = (x[i] - sum / whole * of[i]) / (whole / n);
	return sum / whole;
}

static double error_of(const double *residual, u32 n)
{
	double square = 0;

	if (n < 2)
		return NAN;
	for (u32 i = 0; i < n; i++)
		square += residual[i] * residual[i];
	return sqrt(square / (n - 1) / n) * gsl_cdf_tdist_Qinv(STAT_ALPHA / 2, n - 1);
}

static struct counter_value gone_of(const struct counter_pair *plain,
				    const struct counter_pair *changed, u32 n, double *x,
				    double *of, double *residual)
{
	struct counter_value v;

	for (u32 i = 0; i < n; i++) {
		of[i] = ratio_of(&plain[i]);
		x[i] = of[i] - ratio_of(&changed[i]);
	}
	v.mean = ratio_of_sums(x, of, n, residual);
	v.error = error_of(residual, n);
	return v;
}

struct counter_value counter_gone(struct arena *a, const struct counter_pair *plain,
				  const struct counter_pair *changed, u32 n)
{
	double *v = arena_array(a, double, 3 * (size_t)n);

	return gone_of(plain, changed, n, v, v + n, v + 2 * (size_t)n);
}

/* Sums over the pairs: the whole difference, the frozen reason's, and all parts. */
struct sums {
	double diff, left, ln, ln_left, part[PARTS];
};

/* One pair to the sums; its difference and what of it the reason has. */
static void add_pair(const struct reasons *why, enum reason reason,
		     const struct counter_pair *plain, const struct counter_pair *frozen,
		     struct sums *sum, double *diff, double *own)
{
	struct reason_times was, is;

	reasons_times(plain->r, why->everybody, &was);
	reasons_times(frozen->r, why->everybody, &is);
	*diff = was.whole[1] - was.whole[0];
	*own = was.ns[reason][1] - was.ns[reason][0];
	sum->diff += *diff;
	sum->left += is.whole[1] - is.whole[0];
	sum->ln += log(was.whole[1] / was.whole[0]);
	sum->ln_left += log(is.whole[1] / is.whole[0]);
	for (u32 i = 0; i < REASON_COUNT; i++)
		sum->part[i] += was.ns[i][1] - was.ns[i][0] - is.ns[i][1] + is.ns[i][0];
	sum->part[reason] -= *own;
}

static int by_size(const void *pa, const void *pb)
{
	double a = fabs(((const struct counter_part *)pa)->share);
	double b = fabs(((const struct counter_part *)pb)->share);

	return (a < b) - (a > b);
}

static void parts(struct arena *a, struct sums *sum, struct counter_experiment *out)
{
	double linear = 1 - sum->left / sum->diff, ratio = 1 - sum->ln_left / sum->ln;

	out->part = arena_array(a, struct counter_part, PARTS);
	out->npart = 0;
	for (u32 k = 0; k < REASON_COUNT; k++)
		sum->part[k] /= sum->diff;
	sum->part[PART_PACE] = ratio - linear;
	sum->part[PART_METRIC] = out->gone.mean - ratio;
	for (u32 k = 0; k < PARTS; k++)
		if (fabs(sum->part[k]) >= COUNTER_LEAST / 2)
			out->part[out->npart++] = (struct counter_part){
				k == PART_PACE	   ? "pace"
				: k == PART_METRIC ? "metric"
						   : reason_rows[k].name,
				sum->part[k]};
	qsort(out->part, out->npart, sizeof(*out->part), by_size);
}

static enum counter_verdict verdict(const struct counter_experiment *e)
{
	double apart = fabs(e->apart.mean);

	if (apart <= COUNTER_LEAST)
		return COUNTER_AGREE;
	if (isnan(e->apart.error) || !(apart <= e->apart.error))
		return COUNTER_APART;
	/* noise that would hide the whole share shows no agreement */
	return e->apart.error < fabs(e->share.mean) ? COUNTER_AGREE : COUNTER_NOISE;
}

const char *counter_verdict_name(enum counter_verdict v)
{
	static const char *const names[] = {"agree", "apart", "noise"};

	return names[v];
}

void counter_build(struct arena *a, const struct reasons *why, enum reason reason,
		   const struct counter_pair *plain, const struct counter_pair *frozen,
		   u32 n, struct counter_experiment *out)
{
	double *v = arena_array(a, double, 6 * (size_t)n), *x = v, *of = v + n,
	       *gone = of + n, *own = gone + n, *diff = own + n, *share = diff + n;
	struct sums sum = {0};

	out->gone = gone_of(plain, frozen, n, x, of, gone);
	for (u32 i = 0; i < n; i++)
		add_pair(why, reason, &plain[i], &frozen[i], &sum, &diff[i], &own[i]);
	out->share.mean = ratio_of_sums(own, diff, n, share);
	out->share.error = error_of(share, n);
	for (u32 i = 0; i < n; i++)
		gone[i] -= share[i];
	out->apart.mean = out->gone.mean - out->share.mean;
	out->apart.error = error_of(gone, n);
	parts(a, &sum, out);
	out->verdict = verdict(out);
}
