/*
 * The printed values of an experiment: one row of the file is one printed cell. A cell
 * that the file lacks stays NAN, but the first column and every load must be there,
 * except loads that say that they are not printed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "experiment/stats.h"
#include "experiment_file.h"

enum { MACHINE, WORKLOAD, METRIC, UNIT, HIGHER, LOAD, POLICY, VALUE, SPREAD, PCT, MARK };

static const char *const names[] = {
	"machine", "workload", "metric",	  "unit",      "higher_is_better", "load",
	"policy",  "value",    "stddev_or_blank", "pct_delta", "significant"};

struct reading {
	const struct csv *t;
	struct experiment *x;
	u32 col[ARRAY_SIZE(names)];
	u32 *line;	 /* of each cell; 0 = none */
	u32 rows;	 /* that are of this table */
	bool whole_file; /* every row is of this table */
};

static const char *get(const struct reading *r, u32 row, u32 which)
{
	return csv_field(r->t, row, r->col[which]);
}

/* "" is NAN; *percent: the number may be followed by a % and was. */
static int number(const struct reading *r, u32 row, u32 which, double *out, bool *percent,
		  struct failure *f)
{
	const char *s = get(r, row, which);
	char *end;

	*out = NAN;
	if (percent)
		*percent = false;
	if (!*s)
		return 0;
	*out = strtod(s, &end);
	if (percent && *end == '%') {
		*percent = true;
		end++;
	}
	if (end == s || *end || !isfinite(*out))
		return fail_input(f, r->t->file, r->t->line[row], 1,
				  "%s '%.40s', expected a number or nothing",
				  names[which], s);
	return 0;
}

static bool of_table(const struct reading *r, u32 row)
{
	const struct experiment *x = r->x;

	if (r->whole_file)
		return true;

	return !strcmp(get(r, row, METRIC), x->printed_metric) &&
	       (!x->only_machine || !strcmp(get(r, row, MACHINE), x->only_machine)) &&
	       (!x->only_workload || !strcmp(get(r, row, WORKLOAD), x->only_workload));
}

static int find_cell(const struct reading *r, u32 row, u32 *out)
{
	const struct experiment *x = r->x;

	for (u32 l = 0; l < x->nload; l++) {
		if (strcmp(get(r, row, LOAD), x->load[l].name))
			continue;
		for (u32 k = 0; k < x->ncolumn; k++) {
			if (strcmp(get(r, row, POLICY), x->column[k].name))
				continue;
			*out = l * x->ncolumn + k;
			return 0;
		}
	}
	return -1;
}

static int check_kind(const struct reading *r, u32 row, struct failure *f)
{
	const struct experiment *x = r->x;
	const char *unit = get(r, row, UNIT), *higher = get(r, row, HIGHER);

	if (strcmp(unit, x->unit) != 0 && x->against)
		r->x->other_unit = true;
	else if (strcmp(unit, x->unit) != 0)
		return y_fail(x->value_node, f, "unit '%.40s', but '%.40s' is printed",
			      x->unit, unit);
	if (*higher && (*higher == '1') != x->higher_better)
		return y_fail(x->value_node, f,
			      "'better: %s', but the printed values are the other way",
			      x->higher_better ? "higher" : "lower");
	return 0;
}

static int read_cell(struct reading *r, u32 row, u32 at, struct failure *f)
{
	struct published_cell *c = &r->x->cell[at];
	const char *mark = get(r, row, MARK);
	bool percent;

	if (check_kind(r, row, f))
		return -1;
	if (r->line[at])
		return fail_input(f, r->t->file, r->t->line[row], 1,
				  "this cell is in line %u already, expected one (say "
				  "'machine:' or 'workload:' under 'value:')",
				  r->line[at]);
	r->line[at] = r->t->line[row];
	if (number(r, row, VALUE, &c->value, NULL, f) ||
	    number(r, row, SPREAD, &c->stddev, &percent, f) ||
	    number(r, row, PCT, &c->pct, NULL, f))
		return -1;
	if (percent)
		c->stddev = c->value * c->stddev / 100;
	if (!r->x->spread)
		c->stddev = NAN;
	c->significant = *mark == '1' ? 1 : *mark == '0' ? 0 : -1;
	return 0;
}

/* What is not printed but follows: percentages, and 0 for the baseline. */
static void complete(struct experiment *x)
{
	for (u32 l = 0; l < x->nload; l++) {
		struct published_cell *row = &x->cell[l * x->ncolumn];

		for (u32 k = 0; k < x->ncolumn; k++)
			if (isnan(row[k].pct))
				row[k].pct = stat_delta(row[0].value, row[k].value,
							x->higher_better);
	}
}

static int missing(const struct reading *r, const struct ynode *n, const char *what,
		   u32 which, const char *name, struct failure *f)
{
	const char *all[256] = {NULL}, *near;
	u32 count = 0;

	for (u32 i = 0; i < r->t->rows && count < ARRAY_SIZE(all); i++)
		if (of_table(r, i))
			all[count++] = get(r, i, which);
	near = nearest_name(name, all, count);
	if (near)
		return y_fail(n, f, "no printed %s '%.100s', did you mean '%.100s'?",
			      what, name, near);
	return y_fail(n, f, "no printed %s '%.100s', expected e.g. '%.100s'", what, name,
		      count ? all[0] : "");
}

static int check_names(const struct reading *r, struct failure *f)
{
	const struct experiment *x = r->x;
	bool base = false;

	for (u32 l = 0; l < x->nload; l++) {
		bool any = false;

		for (u32 k = 0; k < x->ncolumn; k++)
			any = any || r->line[l * x->ncolumn + k];
		base = base || r->line[l * x->ncolumn];
		if (any && x->load[l].unprinted)
			return y_fail(x->load[l].node, f,
				      "load '%.60s' is printed, expected it without "
				      "'printed: no'",
				      x->load[l].name);
		if (!any && !x->load[l].unprinted)
			return missing(r, x->load[l].node, "load", LOAD, x->load[l].name,
				       f);
	}
	if (!base)
		return missing(r, x->column[0].node, "column", POLICY, x->column[0].name,
			       f);
	return 0;
}

/* Against another file: at least one cell and its baseline. */
static int check_any(const struct reading *r, struct failure *f)
{
	const struct experiment *x = r->x;

	for (u32 i = 0; i < x->nload * x->ncolumn; i++)
		if (i % x->ncolumn && r->line[i])
			return 0;
	return fail_input(
		f, r->t->file, 1, 1,
		"no cell with a load and a policy of experiment %.60s, expected "
		"e.g. load '%.80s' and policy '%.60s'",
		x->name, x->load[0].name, x->column[x->ncolumn - 1].name);
}

/* A file of one metric and one unit needs no choice of rows. */
static bool one_metric(const struct reading *r)
{
	for (u32 i = 1; i < r->t->rows; i++)
		if (strcmp(get(r, i, METRIC), get(r, 0, METRIC)) != 0 ||
		    strcmp(get(r, i, UNIT), get(r, 0, UNIT)) != 0)
			return false;
	return r->t->rows > 0;
}

/* Rows that are of this table; against another file all of them, if none says so. */
static u32 choose_rows(struct reading *r)
{
	u32 n = 0;

	for (u32 i = 0; i < r->t->rows; i++)
		n += of_table(r, i);
	if (n || !r->x->against || !one_metric(r))
		return n;
	r->whole_file = true;
	return r->t->rows;
}

static void add_stray(struct reading *r, u32 row)
{
	struct experiment *x = r->x;

	x->stray[x->nstray++] =
		(struct experiment_stray){get(r, row, LOAD), get(r, row, POLICY)};
}

static int no_metric(const struct reading *r, struct failure *f)
{
	const struct ynode *at = y_get(r->x->value_node, "metric");
	const char *all[256] = {NULL}, *near;
	u32 count = 0;

	for (u32 i = 0; i < r->t->rows && count < ARRAY_SIZE(all); i++)
		all[count++] = get(r, i, METRIC);
	near = nearest_name(r->x->printed_metric, all, count);
	return y_fail(at ? at : r->x->value_node, f,
		      "no printed value of metric '%.100s'%s%.100s%s",
		      r->x->printed_metric, near ? ", did you mean '" : "",
		      near ? near : "", near ? "'?" : ", expected one of the file");
}

void published_none(struct arena *a, struct experiment *x)
{
	u32 cells = x->nload * x->ncolumn;

	x->cell = arena_array(a, struct published_cell, cells);
	for (u32 i = 0; i < cells; i++)
		x->cell[i] = (struct published_cell){NAN, NAN, NAN, -1};
}

int published_read(struct arena *a, struct experiment *x, struct failure *f)
{
	u32 cells = x->nload * x->ncolumn, at;
	struct csv t;
	struct reading r = {.t = &t, .x = x, .line = arena_array(a, u32, cells)};

	published_none(a, x);
	if (csv_load(a, x->published, &t, f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (csv_column(&t, names[i], &r.col[i], f))
			return -1;
	r.rows = choose_rows(&r);
	if (!r.rows)
		return no_metric(&r, f);
	x->stray = arena_array(a, struct experiment_stray, r.rows);
	for (u32 i = 0; i < t.rows; i++) {
		if (!of_table(&r, i))
			continue;
		if (find_cell(&r, i, &at))
			add_stray(&r, i);
		else if (read_cell(&r, i, at, f))
			return -1;
	}
	if (!x->against && check_names(&r, f))
		return -1;
	if (x->against && check_any(&r, f))
		return -1;
	complete(x);
	return 0;
}
