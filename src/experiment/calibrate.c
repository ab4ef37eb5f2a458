/*
 * The fit: Nelder-Mead (GSL) on parameters that a logistic curve keeps inside their
 * ranges. The error is the root mean square of ln(predicted / published) over the loads,
 * so that loads of different size count alike.
 */
#include "experiment/calibrate.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

#include "experiment/stats.h"
#include "experiment_file.h"

#define MAX_TRIES  60u	/* of each parameter */
#define STEP	   1.0	/* first simplex, on the logistic scale */
#define SMALL	   0.02 /* simplex that ends the search, likewise */
#define BAD	   1e6	/* error of what cannot be computed: GSL wants a number */
#define START_EDGE 0.02 /* a start at an end of its range would not move */

struct fitting {
	const struct experiment *x;
	const struct experiment_request *req;
	u32 jobs;
	volatile const int *stop;
	u64 *value;	   /* being tried */
	double *predicted; /* of each load */
	u32 tries;
	bool failed;
	struct failure *f;
};

/* Samples of the metric as they come, in spec order: load by load. */
struct samples {
	const char *metric;
	double *value;
	u32 n;
};

static bool have(void *ctx, const struct run_spec *spec)
{
	(void)ctx;
	(void)spec;
	return false;
}

static int done(void *ctx, const struct run_spec *spec, const struct run_result *r,
		struct failure *f)
{
	struct samples *s = ctx;

	(void)spec;
	(void)f;
	s->value[s->n] = NAN;
	for (u32 i = 0; i < r->nmetric; i++)
		if (!strcmp(r->metric[i].name, s->metric) && r->metric[i].has)
			s->value[s->n] = r->metric[i].value;
	s->n++;
	return 0;
}

static int run_baseline(struct fitting *t, struct arena *a)
{
	struct experiment_request req = *t->req;
	struct samples s = {.metric = t->x->metric};
	const struct grid_hooks hooks = {.ctx = &s, .have = have, .done = done};
	struct grid g;
	double scale;

	req.fit = t->value;
	if (experiment_plan(a, t->x, &req, &g, &scale, t->f))
		return -1;
	s.value = arena_array(a, double, g.nspec);
	if (grid_run(&g, t->jobs, t->stop, &hooks, t->f))
		return -1;
	for (u32 l = 0; l < g.nload; l++) {
		t->predicted[l] = scale * stat_mean(s.value + l * g.runs, g.runs,
						    t->x->higher_better);
		if (!(t->predicted[l] > 0))
			return y_fail(t->x->metric_node, t->f,
				      "no value above 0 for load '%.80s', expected one "
				      "to fit to",
				      t->x->load[l].name);
	}
	return 0;
}

static double error_of(const struct fitting *t)
{
	double sum = 0;
	u32 n = 0;

	for (u32 l = 0; l < t->x->nload; l++) {
		double want = t->x->cell[l * t->x->ncolumn].value;

		if (!(want > 0))
			continue;
		sum += pow(log(t->predicted[l] / want), 2);
		n++;
	}
	return n ? sqrt(sum / n) : BAD;
}

static double try_values(struct fitting *t)
{
	struct arena a;

	if (t->failed)
		return BAD;
	arena_init(&a);
	t->tries++;
	t->failed = run_baseline(t, &a) != 0;
	arena_free(&a);
	return t->failed ? BAD : error_of(t);
}

/* Four digits: more is not known, and a file should be readable. */
static u64 rounded(const struct experiment_fit *fit, double v)
{
	double digit = pow(10, fmax(0, floor(log10(fmax(v, 1))) - 3));

	if (fit->unit == UNIT_RATIO)
		digit = (double)Q32_ONE / 10000;
	v = fmin(fmax(round(v / digit) * digit, (double)fit->lo), (double)fit->hi);
	return (u64)v;
}

static u64 inside(const struct experiment_fit *fit, double x)
{
	double part = 1 / (1 + exp(-x));

	return rounded(fit, (double)fit->lo + part * (double)(fit->hi - fit->lo));
}

static double outside(const struct experiment_fit *fit, u64 value)
{
	double part = ((double)value - (double)fit->lo) / (double)(fit->hi - fit->lo);

	part = fmin(fmax(part, START_EDGE), 1 - START_EDGE);
	return log(part / (1 - part));
}

static double objective(const gsl_vector *at, void *ctx)
{
	struct fitting *t = ctx;

	for (u32 i = 0; i < t->x->nfit; i++)
		t->value[i] = inside(&t->x->fit[i], gsl_vector_get(at, i));
	return try_values(t);
}

/* The best point that the search finds goes to t->value. */
static void search(struct fitting *t, const u64 *start)
{
	u32 n = t->x->nfit;
	gsl_vector *at = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
	gsl_multimin_fminimizer *s =
		gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
	gsl_multimin_function fn = {.f = objective, .n = n, .params = t};

	for (u32 i = 0; i < n; i++)
		gsl_vector_set(at, i, outside(&t->x->fit[i], start[i]));
	gsl_vector_set_all(step, STEP);
	gsl_multimin_fminimizer_set(s, &fn, at, step);
	while (!t->failed && t->tries < MAX_TRIES * n &&
	       gsl_multimin_fminimizer_size(s) > SMALL)
		if (gsl_multimin_fminimizer_iterate(s))
			break;
	for (u32 i = 0; i < n; i++)
		t->value[i] = inside(&t->x->fit[i], gsl_vector_get(s->x, i));
	gsl_multimin_fminimizer_free(s);
	gsl_vector_free(step);
	gsl_vector_free(at);
}

static int starts(struct arena *a, const struct experiment *x,
		  const struct experiment_request *req, u64 *start, struct failure *f)
{
	struct grid g;
	double scale;

	if (experiment_plan(a, x, req, &g, &scale, f))
		return -1;
	for (u32 i = 0; i < x->nfit; i++)
		if (fit_now(&x->fit[i], &g, &start[i], f))
			return -1;
	return 0;
}

int calibrate(struct arena *a, const struct experiment *x,
	      const struct experiment_request *req, u32 jobs, volatile const int *stop,
	      struct calibration *out, struct failure *f)
{
	struct fitting t = {.x = x, .req = req, .jobs = jobs, .stop = stop, .f = f};

	memset(out, 0, sizeof(*out));
	if (!x->nfit)
		return fail_set(f, FAIL_INPUT, x->file,
				"nothing to fit, expected a 'calibrate:' declaration");
	out->start = arena_array(a, u64, x->nfit);
	out->fitted = arena_array(a, u64, x->nfit);
	out->published = arena_array(a, double, x->nload);
	out->before = arena_array(a, double, x->nload);
	out->after = arena_array(a, double, x->nload);
	for (u32 l = 0; l < x->nload; l++)
		out->published[l] = x->cell[l * x->ncolumn].value;
	if (starts(a, x, req, out->start, f))
		return -1;
	t.value = out->fitted;
	memcpy(t.value, out->start, x->nfit * sizeof(*t.value));
	t.predicted = out->before;
	out->error_before = try_values(&t);
	t.predicted = out->after;
	if (!t.failed)
		search(&t, out->start);
	out->error_after = try_values(&t);
	out->tries = t.tries;
	return t.failed ? -1 : 0;
}

const char *calibrate_text(struct arena *a, const struct experiment_fit *fit, u64 value)
{
	return fit_text(a, fit, value);
}
