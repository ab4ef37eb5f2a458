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

static void read_cell(struct build *b, struct compare_table *t, u32 first,
		      struct compare_cell *cell)
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
	}
}

static u32 samples(const struct compare_cell *c, u32 runs, double *out)
{
	u32 n = 0;

	for (u32 r = 0; r < runs; r++)
		if (c->value[r].has)
			out[n++] = c->value[r].value;
	return n;
}

/* The rows of a cell; `room` for twice its samples. */
static void fill_rows(struct arena *a, const struct compare_request *req,
		      const struct compare_table *t, const struct compare_cell *base,
		      struct compare_cell *c, double *room)
{
	u32 nrow, n = samples(c, req->runs, room);
	const struct stat_row *row = stat_row_set(req->rows, &nrow);

	c->row = arena_array(a, double, nrow);
	c->pct = arena_array(a, double, nrow);
	for (u32 i = 0; i < nrow; i++) {
		c->row[i] = stat_row_value(&row[i], room, n, t->higher_better,
					   req->rule.mode, room + req->runs);
		c->pct[i] = stat_row_delta(&row[i], base->row[i], c->row[i],
					   t->higher_better, req->rule.mode);
	}
}

/* Pairs of one seed; none if all are equal: then the change was never exercised. */
static u32 pairs(const struct compare_cell *base, const struct compare_cell *c, u32 runs,
		 double *out)
{
	bool differ = false;
	u32 n = 0;

	for (u32 k = 0; k < runs; k++) {
		if (!c->value[k].has || !base->value[k].has)
			continue;
		out[n] = base->value[k].value;
		out[runs + n] = c->value[k].value;
		differ = differ || out[n] < out[runs + n] || out[n] > out[runs + n];
		n++;
	}
	return differ ? n : 0;
}

/* How far replicates with one seed move together: the mean of the cells' correlations. */
static double correlation_of(const struct compare_request *req,
			     const struct compare_table *t, double *room)
{
	double sum = 0, r;
	u32 cells = 0;

	for (u32 i = 0; i < req->nload * req->nkernel; i++) {
		const struct compare_cell *c = &t->cell[i];
		u32 n = pairs(c - i % req->nkernel, c, req->runs, room);

		r = stat_correlation(room, room + req->runs, n);
		if (isnan(r))
			continue;
		sum += r;
		cells++;
	}
	return cells ? sum / cells : NAN;
}

static void judge_table(struct arena *a, const struct compare_request *req,
			struct compare_table *t)
{
	u32 cells = req->nload * req->nkernel, n = 0;
	struct stat_cell **all = arena_array(a, struct stat_cell *, cells + 1);
	struct stat_rule rule = req->rule;

	t->least_detectable = t->most_detectable = NAN;
	for (u32 i = 0; i < cells; i++) {
		struct stat_cell *s = &t->cell[i].s;

		if (!(i % req->nkernel))
			continue;
		all[n++] = s;
		t->least_detectable = fmin(t->least_detectable, s->detectable);
		t->most_detectable = fmax(t->most_detectable, s->detectable);
	}
	rule.band = req->band[t->higher_better].band;
	stat_judge(all, n, &rule);
	t->stars = t->compared = 0;
	for (u32 i = 0; i < n; i++) {
		t->stars += all[i]->significant;
		if (!isnan(req->rule.mode == STAT_MMTESTS_2025 ? all[i]->mmtests_ratio
							       : all[i]->p))
			t->compared++;
	}
	t->expected_false =
		stat_expected_false((const struct stat_cell *const *)all, n, &req->rule);
}

void compare_fill(struct arena *a, const struct compare_request *req,
		  struct compare_table *t)
{
	double *base = arena_array(a, double, req->runs + 1);
	double *room = arena_array(a, double, 2 * (size_t)req->runs + 1);

	for (u32 i = 0; i < req->nload * req->nkernel; i++) {
		struct compare_cell *c = &t->cell[i], *first = c - i % req->nkernel;
		u32 nbase = samples(first, req->runs, base);
		u32 n = samples(c, req->runs, room);

		stat_compare(base, nbase, room, n, t->higher_better, &req->rule, &c->s);
		fill_rows(a, req, t, first, c, room);
		n = pairs(first, c, req->runs, room);
		c->s.p_paired = stat_paired_p(room, room + req->runs, n);
		if (c != first && !n && nbase > 1 && c->s.n > 1)
			c->s.p_paired = 1; /* equal, run by run */
	}
	t->correlation = correlation_of(req, t, room);
	judge_table(a, req, t);
}

static void read_table(struct build *b, struct compare_table *t)
{
	u32 cells = b->req->nload * b->req->nkernel;

	t->cell = arena_array(b->a, struct compare_cell, cells + 1);
	for (u32 i = 0; i < cells; i++)
		read_cell(b, t, i * b->req->runs, &t->cell[i]);
	compare_fill(b->a, b->req, t);
}

/* The same decisions in every run: whatever differs between the kernels never mattered.
 */
static bool same_decisions(const struct build *b, u32 kernel)
{
	u32 runs = b->req->runs;

	for (u32 i = 0; i < b->req->nload * runs; i++) {
		u32 base = i / runs * b->req->nkernel * runs + i % runs;
		u32 at = base + kernel * runs;

		if (!b->has[base] || !b->has[at] ||
		    b->run[base].digest != b->run[at].digest)
			return false;
	}
	return true;
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
		read_table(&b, t);
	}
	out->unexercised = arena_array(a, bool, req->nkernel);
	for (u32 k = 1; k < req->nkernel; k++)
		out->unexercised[k] = same_decisions(&b, k);
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
