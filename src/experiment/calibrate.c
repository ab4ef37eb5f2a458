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
	struct calibration_part *part;
	u32 npart;
	u32 jobs;
	volatile const int *stop;
	u64 *value; /* being tried */
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

/* The last try of a part is what `after` says. */
static int run_baseline(struct fitting *t, struct arena *a, struct calibration_part *p)
{
	struct experiment_request req = p->req;
	struct samples s = {.metric = p->x->metric};
	const struct grid_hooks hooks = {.ctx = &s, .have = have, .done = done};
	struct grid g;
	double scale;

	req.fit = t->value;
	req.fit_of = t->part[0].x;
	if (experiment_plan(a, p->x, &req, &g, &scale, t->f))
		return -1;
	s.value = arena_array(a, double, g.nspec);
	if (grid_run(&g, t->jobs, t->stop, &hooks, t->f))
		return -1;
	for (u32 l = 0; l < g.nload; l++) {
		p->after[l] = scale * stat_mean(s.value + l * g.runs, g.runs,
						p->x->higher_better);
		if (!(p->after[l] > 0))
			return y_fail(p->x->metric_node, t->f,
				      "no value above 0 for load '%.80s', expected one "
				      "to fit to",
				      p->x->load[l].name);
	}
	return 0;
}

static double error_of(const struct fitting *t)
{
	double sum = 0;
	u32 n = 0;

	for (u32 i = 0; i < t->npart; i++) {
		const struct calibration_part *p = &t->part[i];

		for (u32 l = 0; l < p->x->nload; l++) {
			if (!(p->published[l] > 0))
				continue;
			sum += pow(log(p->after[l] / p->published[l]), 2);
			n++;
		}
	}
	return n ? sqrt(sum / n) : BAD;
}

static double try_values(struct fitting *t)
{
	struct arena a;

	if (t->failed)
		return BAD;
	t->tries++;
	for (u32 i = 0; i < t->npart && !t->failed; i++) {
		arena_init(&a);
		t->failed = run_baseline(t, &a, &t->part[i]) != 0;
		arena_free(&a);
	}
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
	const struct experiment *x = t->part[0].x;

	for (u32 i = 0; i < x->nfit; i++)
		t->value[i] = inside(&x->fit[i], gsl_vector_get(at, i));
	return try_values(t);
}

/* The best point that the search finds goes to t->value. */
static void search(struct fitting *t, const u64 *start)
{
	const struct experiment *x = t->part[0].x;
	u32 n = x->nfit;
	gsl_vector *at = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
	gsl_multimin_fminimizer *s =
		gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
	gsl_multimin_function fn = {.f = objective, .n = n, .params = t};

	for (u32 i = 0; i < n; i++)
		gsl_vector_set(at, i, outside(&x->fit[i], start[i]));
	gsl_vector_set_all(step, STEP);
	gsl_multimin_fminimizer_set(s, &fn, at, step);
	while (!t->failed && t->tries < MAX_TRIES * n &&
	       gsl_multimin_fminimizer_size(s) > SMALL)
		if (gsl_multimin_fminimizer_iterate(s))
			break;
	for (u32 i = 0; i < n; i++)
		t->value[i] = inside(&x->fit[i], gsl_vector_get(s->x, i));
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

int calibrate_joins(const struct experiment *x, u32 i, const struct experiment *other,
		    struct failure *f)
{
	if (strcmp(x->machine, other->machine))
		return y_fail(x->with_node[i], f,
			      "%.60s is on %.60s, expected an experiment on %.60s",
			      other->name, other->machine, x->machine);
	for (u32 k = 0; k < x->nfit; k++)
		if (x->fit[k].workload && strcmp(x->workload, other->workload))
			return y_fail(x->with_node[i], f,
				      "%.60s runs %.60s, expected one that runs %.60s, "
				      "whose '%.60s' is fitted",
				      other->name, other->workload, x->workload,
				      x->fit[k].workload);
	return 0;
}

static void prepare(struct arena *a, const struct fitting *t)
{
	for (u32 i = 0; i < t->npart; i++) {
		struct calibration_part *p = &t->part[i];

		p->published = arena_array(a, double, p->x->nload);
		p->before = arena_array(a, double, p->x->nload);
		p->after = arena_array(a, double, p->x->nload);
		for (u32 l = 0; l < p->x->nload; l++)
			p->published[l] = p->x->cell[l * p->x->ncolumn].value;
	}
}

int calibrate(struct arena *a, struct calibration_part *part, u32 npart, u32 jobs,
	      volatile const int *stop, struct calibration *out, struct failure *f)
{
	struct fitting t = {part, npart, .jobs = jobs, .stop = stop, .f = f};
	const struct experiment *x = part[0].x;

	memset(out, 0, sizeof(*out));
	if (!x->nfit)
		return fail_set(f, FAIL_INPUT, x->file,
				"nothing to fit, expected a 'calibrate:' declaration");
	out->start = arena_array(a, u64, x->nfit);
	out->fitted = arena_array(a, u64, x->nfit);
	prepare(a, &t);
	if (starts(a, x, &part[0].req, out->start, f))
		return -1;
	t.value = out->fitted;
	memcpy(t.value, out->start, x->nfit * sizeof(*t.value));
	out->error_before = try_values(&t);
	for (u32 i = 0; i < npart; i++)
		memcpy(part[i].before, part[i].after,
		       part[i].x->nload * sizeof(*part[i].before));
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
