/* The model of the comparison: see report/compare.h. Reads the store, draws nothing. */
#include "report/compare.h"

#include <math.h>
#include <string.h>

#include "base/yaml.h"

struct build {
	struct arena *a;
	const struct compare_request *req;
	struct stored_run *run; /* like req->id */
	bool *has;
};

static int load_runs(struct build *b, struct store *s, struct failure *f)
{
	u32 n = b->req->nload * b->req->nkernel * b->req->runs;

	b->run = arena_array(b->a, struct stored_run, n + 1);
	b->has = arena_array(b->a, bool, n + 1);
	for (u32 i = 0; i < n; i++) {
		if (!store_has(s, b->req->id[i]))
			continue;
		if (store_load(s, b->a, b->req->id[i], &b->run[i], f))
			return -1;
		b->has[i] = true;
	}
	return 0;
}

/* The metric of a run by name: two loads of one workload declare the same metrics. */
static const struct run_metric *metric_of(const struct stored_run *r, const char *name)
{
	for (u32 i = 0; i < r->nmetric; i++)
		if (!strcmp(r->metric[i].name, name))
			return &r->metric[i];
	return NULL;
}

static void fill_cell(struct build *b, struct compare_table *t, u32 first,
		      struct compare_cell *cell, double *sample)
{
	u32 runs = b->req->runs;
	struct compare_value *value = arena_array(b->a, struct compare_value, runs + 1);

	cell->value = value;
	for (u32 r = 0; r < runs; r++) {
		const struct run_metric *m = NULL;

		value[r].id = b->req->id[first + r];
		if (!b->has[first + r])
			continue;
		value[r].seed = b->run[first + r].seed;
		m = metric_of(&b->run[first + r], t->metric);
		if (!m || !m->has || !isfinite(m->value))
			continue;
		value[r].has = true;
		value[r].value = m->value;
		sample[cell->s.n++] = m->value;
	}
}

static void fill_table(struct build *b, struct compare_table *t)
{
	u32 nk = b->req->nkernel, runs = b->req->runs;
	double *sample = arena_array(b->a, double, (size_t)nk *runs + 1);

	t->cell = arena_array(b->a, struct compare_cell, b->req->nload * nk + 1);
	for (u32 l = 0; l < b->req->nload; l++) {
		struct compare_cell *row = &t->cell[l * nk], *base = row;

		for (u32 k = 0; k < nk; k++) {
			struct compare_cell *c = &row[k];
			double *v = sample + (size_t)k * runs;

			fill_cell(b, t, (l * nk + k) * runs, c, v);
			stat_compare(sample, base->s.n, v, c->s.n, t->higher_better,
				     &c->s);
			if (!k)
				c->s.significant = false;
			c->stddev_pct = stat_delta(base->s.stddev, c->s.stddev, false);
			c->coeffvar_pct =
				stat_delta(base->s.coeffvar, c->s.coeffvar, false);
		}
	}
}

int compare_build(struct arena *a, struct store *s, const struct compare_request *req,
		  struct compare_report *out, struct failure *f)
{
	struct build b = {.a = a, .req = req};
	u32 n = req->nload * req->nkernel * req->runs;
	const struct stored_run *first = NULL;

	memset(out, 0, sizeof(*out));
	out->req = *req;
	if (load_runs(&b, s, f))
		return -1;
	for (u32 i = 0; i < n && !first; i++)
		if (b.has[i])
			first = &b.run[i];
	if (!first)
		return 0; /* nothing yet: a report without tables */
	out->ntable = first->nmetric;
	out->main_table = first->main_metric;
	out->table = arena_array(a, struct compare_table, out->ntable + 1);
	for (u32 i = 0; i < out->ntable; i++) {
		struct compare_table *t = &out->table[i];

		t->metric = first->metric[i].name;
		t->unit = first->metric[i].unit;
		t->higher_better = first->metric[i].higher_better;
		fill_table(&b, t);
	}
	return 0;
}

int compare_metric(const struct compare_report *r, const char *metric, u32 *table,
		   struct failure *f)
{
	const char *names[64] = {NULL}, *near;
	u32 n = min_u32(r->ntable, ARRAY_SIZE(names));

	for (u32 i = 0; i < r->ntable; i++) {
		if (!strcmp(r->table[i].metric, metric)) {
			*table = i;
			return 0;
		}
	}
	for (u32 i = 0; i < n; i++)
		names[i] = r->table[i].metric;
	near = nearest_name(metric, names, n);
	if (near)
		return fail_set(f, FAIL_INPUT, NULL,
				"no metric '%.60s', did you mean '%s'?", metric, near);
	return fail_set(f, FAIL_INPUT, NULL, "no metric '%.60s', expected e.g. '%s'",
			metric, n ? names[0] : "");
}
