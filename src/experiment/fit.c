/*
 * What --calibrate may move: parameters of the workload and rows of the machine, each
 * with a range and a source, at most half as many as the baseline has printed cells.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment_file.h"

/* The unit that both ends of a range have. */
static int range_read(const struct ynode *n, struct experiment_fit *fit,
		      struct failure *f)
{
	static const enum unit units[] = {UNIT_COUNT, UNIT_RATIO, UNIT_TIME,
					  UNIT_BYTES, UNIT_FREQ,  UNIT_BANDWIDTH};
	const char *lo, *hi;

	fit->range = n;
	if (y_expect(n, Y_SEQ, f))
		return -1;
	if (n->n != 2)
		return y_fail(n, f, "%u values, expected [lowest, highest]", n->n);
	if (y_str(n->first, &lo, f) || y_str(n->first->next, &hi, f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		if (unit_parse(lo, units[i], &fit->lo) ||
		    unit_parse(hi, units[i], &fit->hi))
			continue;
		fit->unit = units[i];
		if (fit->lo < fit->hi)
			return 0;
		return y_fail(n, f, "an empty range, expected [lowest, highest]");
	}
	return y_fail(n, f, "'%.30s' and '%.30s' are not values of one unit", lo, hi);
}

static int fit_read(const struct ynode *c, struct experiment_fit *fit, struct failure *f)
{
	static const char *const keys[] = {"workload", "machine", "range", "source",
					   NULL};
	const struct ynode *w, *m, *range, *source;

	if (y_check_keys(c, keys, f))
		return -1;
	w = y_get(c, "workload");
	m = y_get(c, "machine");
	if (!w == !m)
		return y_fail(c, f,
			      "expected either 'workload: PARAMETER' or 'machine: ROW'");
	fit->node = w ? w : m;
	if (y_str(fit->node, w ? &fit->workload : &fit->machine, f) ||
	    !(range = y_need(c, "range", f)) || range_read(range, fit, f) ||
	    !(source = y_need(c, "source", f)))
		return -1;
	return source_read(source, &fit->source, f);
}

static u32 baseline_cells(const struct experiment *x)
{
	u32 n = 0;

	for (u32 l = 0; l < x->nload; l++)
		n += isnan(x->cell[l * x->ncolumn].value) ? 0 : 1;
	return n;
}

static int with_read(struct arena *a, const struct ynode *n, struct experiment *x,
		     struct failure *f)
{
	if (!n)
		return 0;
	if (y_expect(n, Y_SEQ, f))
		return -1;
	x->with = arena_array(a, const char *, n->n + 1);
	x->with_node = arena_array(a, const struct ynode *, n->n + 1);
	y_for_each (c, n) {
		x->with_node[x->nwith] = c;
		if (y_str(c, &x->with[x->nwith++], f))
			return -1;
	}
	return 0;
}

int fits_read(struct arena *a, const struct ynode *n, struct experiment *x,
	      struct failure *f)
{
	static const char *const keys[] = {"column", "with", "parameters", NULL};
	u32 cells = baseline_cells(x);
	const struct ynode *column, *list;
	const char *name;

	if (y_check_keys(n, keys, f) || !(column = y_need(n, "column", f)) ||
	    y_str(column, &name, f) || !(list = y_need(n, "parameters", f)) ||
	    y_expect(list, Y_SEQ, f))
		return -1;
	if (strcmp(name, x->column[0].name))
		return y_fail(column, f,
			      "column '%.60s', expected the baseline '%.60s': nothing is "
			      "fitted to what is predicted",
			      name, x->column[0].name);
	if (!list->n || list->n > cells / 2)
		return y_fail(list, f,
			      "%u parameters, expected 1 to %u: half as many as the "
			      "baseline has printed cells (%u)",
			      list->n, cells / 2, cells);
	x->fit = arena_array(a, struct experiment_fit, list->n);
	y_for_each (c, list)
		if (fit_read(c, &x->fit[x->nfit++], f))
			return -1;
	return with_read(a, y_get(n, "with"), x, f);
}

/* Cost row, SMT row or hold time that a name means; NULL = none. */
static u64 *row_of(struct machine *m, const char *name, enum unit *unit)
{
	*unit = UNIT_RATIO;
	for (u32 i = 0; !strncmp(name, "smt.", 4) && i < m->nsmt; i++) {
		const char *self = m->smt[i].self, *other = m->smt[i].other;
		size_t n = strlen(self);

		if (!strncmp(name + 4, self, n) && name[4 + n] == '.' &&
		    !strcmp(name + 5 + n, other))
			return &m->smt[i].keep;
	}
	for (u32 i = 0; !strncmp(name, "costs.", 6) && i < COST_COUNT; i++) {
		*unit = cost_rows[i].unit;
		if (!strcmp(name + 6, cost_rows[i].name))
			return &m->cost[i].value;
	}
	*unit = UNIT_TIME;
	return strcmp(name, "frequency.hold") ? NULL : &m->freq_hold;
}

const struct machine *fits_machine(struct arena *a, const struct experiment *x,
				   const struct machine *m, const u64 *value)
{
	struct machine *copy = arena_new(a, struct machine);
	enum unit unit;

	*copy = *m;
	copy->smt = arena_array(a, struct smt_row, m->nsmt + 1);
	if (m->nsmt)
		memcpy(copy->smt, m->smt, m->nsmt * sizeof(*m->smt));
	for (u32 i = 0; i < x->nfit; i++)
		if (x->fit[i].machine)
			*row_of(copy, x->fit[i].machine, &unit) = value[i];
	return copy;
}

const char *fit_text(struct arena *a, const struct experiment_fit *fit, u64 value)
{
	char buf[64];

	if (fit->unit == UNIT_RATIO)
		return arena_printf(a, "%.2f %%", 100 * (double)value / (double)Q32_ONE);
	unit_print(value, fit->unit, buf, sizeof(buf));
	return arena_strdup(a, buf);
}

/* "event=3.52 ms threads=36": the value of a name, up to the next one. */
static int param_now(const struct experiment_fit *fit, const char *params, u64 *out,
		     struct failure *f)
{
	size_t n = strlen(fit->workload);
	const char *at = params, *end;
	char value[64];

	while (strncmp(at, fit->workload, n) || at[n] != '=') {
		at = strchr(at, ' ');
		if (!at++)
			return y_fail(fit->node, f, "no parameter '%.60s'",
				      fit->workload);
	}
	at += n + 1;
	end = strchr(at, '=');
	while (end && *end != ' ')
		end--;
	if (!end)
		end = at + strlen(at);
	snprintf(value, sizeof(value), "%.*s", (int)(end - at), at);
	if (unit_parse(value, fit->unit, out))
		return y_fail(fit->range, f, "the parameter is %s, expected its unit",
			      value);
	return 0;
}

int fit_now(const struct experiment_fit *fit, const struct grid *g, u64 *out,
	    struct failure *f)
{
	struct machine copy = *g->machine;
	enum unit unit;

	if (fit->workload)
		return param_now(fit, g->spec[0].params, out, f);
	*out = *row_of(&copy, fit->machine, &unit);
	return 0;
}

static int machine_fit(struct arena *a, const struct experiment_fit *fit,
		       const struct machine *m, struct failure *f)
{
	struct machine *copy = arena_new(a, struct machine);
	enum unit unit;

	*copy = *m;
	if (!row_of(copy, fit->machine, &unit))
		return y_fail(fit->node, f,
			      "machine %.40s has no row '%.60s', expected costs.ROW, "
			      "smt.SELF.OTHER or frequency.hold",
			      m->name, fit->machine);
	/* "1" is a count and a ratio: the row knows */
	if (unit != fit->unit)
		return y_fail(fit->range, f, "expected values of the row: %s",
			      unit_expected(unit));
	return 0;
}

static int workload_fit(struct arena *a, const struct experiment *x,
			const struct experiment_fit *fit, const struct grid *g,
			struct failure *f)
{
	const struct workload_plan *plan;
	const char *const *names, *near;
	u32 n;

	names = workload_params(g->workload, &n);
	for (u32 i = 0; i < n; i++) {
		const struct ynode *end = fit->range->first;

		if (strcmp(names[i], fit->workload))
			continue;
		for (u32 l = 0; l < x->nload; l++)
			if (x->load[l].params && y_get(x->load[l].params, names[i]))
				return y_fail(fit->node, f,
					      "'%.60s' is set by the loads, expected one "
					      "that is not",
					      names[i]);
		if (x->column[0].params && y_get(x->column[0].params, names[i]))
			return y_fail(fit->node, f,
				      "'%.60s' is set by the baseline, expected one that "
				      "is not",
				      names[i]);
		for (; end; end = end->next) {
			struct param p = {names[i], end->text};

			if (workload_bind(a, g->workload, g->machine, &p, 1, &plan, f)) {
				f->line = 0;
				f->file[0] = '\0';
				return y_place(end, f);
			}
		}
		return 0;
	}
	near = nearest_name(fit->workload, names, n);
	return y_fail(fit->node, f, "workload %.40s has no parameter '%.60s'%s%s%s",
		      x->workload, fit->workload, near ? ", did you mean '" : "",
		      near ? near : "", near ? "'?" : "");
}

int fits_check(struct arena *a, const struct experiment *x, const struct grid *g,
	       struct failure *f)
{
	for (u32 i = 0; i < x->nfit; i++)
		if (x->fit[i].workload ? workload_fit(a, x, &x->fit[i], g, f)
				       : machine_fit(a, &x->fit[i], g->machine, f))
			return -1;
	return 0;
}
