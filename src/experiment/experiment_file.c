/*
 * Reading an experiment file: see experiment/experiment.h and docs/experiments.md. Leaves
 * out what needs other files than the printed values: that comes with the plan.
 */
#include "experiment_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DURATION (3600ull * NS_PER_SEC)
#define MAX_RUNS     100000u

int source_read(const struct ynode *n, const char **out, struct failure *f)
{
	static const char *const starts[] = {
		"measured:", "documented:", "calibrated-on:", "estimate:"};

	if (y_str(n, out, f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t len = strlen(starts[i]);

		if (!strncmp(*out, starts[i], len) &&
		    (*out)[len + strspn(*out + len, " ")])
			return 0;
	}
	return y_fail(n, f,
		      "source '%.40s' is of no kind, expected 'measured: ...', "
		      "'documented: ...', 'calibrated-on: EXPERIMENT/COLUMN' or "
		      "'estimate: ...'",
		      *out);
}

static int need_str(const struct ynode *map, const char *key, const char **out,
		    const struct ynode **node, struct failure *f)
{
	const struct ynode *n = y_need(map, key, f);

	if (!n || y_str(n, out, f))
		return -1;
	if (!**out)
		return y_fail(n, f, "'%s' is empty, expected a text", key);
	if (node)
		*node = n;
	return 0;
}

static int opt_str(const struct ynode *map, const char *key, const char **out,
		   struct failure *f)
{
	const struct ynode *n = y_get(map, key);

	return n ? y_str(n, out, f) : 0;
}

static int params_read(const struct ynode *entry, const struct ynode **out,
		       struct failure *f)
{
	const struct ynode *n = y_get(entry, "params");

	*out = n;
	if (!n)
		return 0;
	if (y_expect(n, Y_MAP, f))
		return -1;
	y_for_each (p, n)
		if (y_expect(p, Y_SCALAR, f))
			return -1;
	return 0;
}

static int columns_read(struct arena *a, const struct ynode *root, struct experiment *x,
			struct failure *f)
{
	static const char *const keys[] = {"name", "kernel", "params", NULL};
	const struct ynode *n = y_need(root, "columns", f);

	if (!n || y_expect(n, Y_SEQ, f))
		return -1;
	if (!n->n)
		return y_fail(n, f, "no column, expected at least the baseline");
	x->column = arena_array(a, struct experiment_column, n->n);
	y_for_each (c, n) {
		struct experiment_column *k = &x->column[x->ncolumn];

		if (y_check_keys(c, keys, f) ||
		    need_str(c, "name", &k->name, &k->node, f) ||
		    need_str(c, "kernel", &k->kernel, &k->kernel_node, f) ||
		    params_read(c, &k->params, f))
			return -1;
		for (u32 i = 0; i < x->ncolumn; i++)
			if (!strcmp(x->column[i].name, k->name))
				return y_fail(k->node, f, "column '%.60s' is there twice",
					      k->name);
		x->ncolumn++;
	}
	return 0;
}

static int loads_read(struct arena *a, const struct ynode *root, struct experiment *x,
		      struct failure *f)
{
	static const char *const keys[] = {"name", "params", "printed", NULL};
	const struct ynode *n = y_need(root, "loads", f);
	bool printed;

	if (!n || y_expect(n, Y_SEQ, f))
		return -1;
	if (!n->n)
		return y_fail(n, f, "no load, expected at least one");
	x->load = arena_array(a, struct experiment_load, n->n);
	y_for_each (c, n) {
		struct experiment_load *l = &x->load[x->nload];
		const struct ynode *p;

		l->node = y_need(c, "name", f);
		if (!l->node || y_check_keys(c, keys, f) || y_str(l->node, &l->name, f) ||
		    params_read(c, &l->params, f))
			return -1;
		p = y_get(c, "printed");
		printed = true;
		if (p && y_bool(p, &printed, f))
			return -1;
		l->unprinted = !printed;
		for (u32 i = 0; i < x->nload; i++)
			if (!strcmp(x->load[i].name, l->name))
				return y_fail(l->node, f, "load '%.60s' is there twice",
					      l->name);
		x->nload++;
	}
	return 0;
}

/* How long and how often: of the file, and of its `full:` part. */
static int length_read(const struct ynode *map, u64 *duration, u32 *runs,
		       struct failure *f)
{
	const struct ynode *n = y_get(map, "duration");
	u64 v;

	if (n && y_value(n, UNIT_TIME, 1, MAX_DURATION, duration, f))
		return -1;
	n = y_get(map, "runs");
	if (!n)
		return 0;
	if (y_value(n, UNIT_COUNT, 1, MAX_RUNS, &v, f))
		return -1;
	*runs = (u32)v;
	return 0;
}

static int lengths_read(const struct ynode *root, struct experiment *x, struct failure *f)
{
	static const char *const keys[] = {"duration", "runs", NULL};
	const struct ynode *full = y_get(root, "full");

	x->runs = 5;
	if (length_read(root, &x->duration, &x->runs, f))
		return -1;
	x->full_duration = x->duration;
	x->full_runs = x->runs;
	if (!full)
		return 0;
	if (y_check_keys(full, keys, f))
		return -1;
	return length_read(full, &x->full_duration, &x->full_runs, f);
}

/* Without printed values nothing may be said of them. */
static int nothing_printed(const struct ynode *root, struct failure *f)
{
	static const char *const keys[] = {"value", "calibrate", "suspect"};

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (y_get(root, keys[i]))
			return y_fail_key(y_get(root, keys[i]), f,
					  "'%s' is about printed values, expected "
					  "'published:' too",
					  keys[i]);
	return 0;
}

/* Which printed values are meant, and how they compare with the metric. */
static int value_read(const struct ynode *root, struct experiment *x, struct failure *f)
{
	static const char *const keys[] = {"metric", "unit",   "machine", "workload",
					   "scale",  "stddev", NULL};
	static const char *const spreads[] = {"between-runs", "within-run"};
	const struct ynode *n, *scale, *spread;
	u32 which = 0;
	char *end;

	x->value_node = x->metric_node;
	x->printed_metric = x->metric;
	x->unit = "";
	if (!x->published)
		return nothing_printed(root, f);
	n = y_need(root, "value", f);
	x->value_node = n;
	if (!n || y_check_keys(n, keys, f) ||
	    need_str(n, "metric", &x->printed_metric, NULL, f) ||
	    need_str(n, "unit", &x->unit, NULL, f) ||
	    opt_str(n, "machine", &x->only_machine, f) ||
	    opt_str(n, "workload", &x->only_workload, f))
		return -1;
	scale = y_get(n, "scale");
	spread = y_get(n, "stddev");
	if (spread && y_choice(spread, spreads, ARRAY_SIZE(spreads), &which, f))
		return -1;
	x->spread = which == 0;
	if (!scale)
		return 0;
	if (y_expect(scale, Y_SCALAR, f))
		return -1;
	x->scale = strtod(scale->text, &end);
	if (*end || !(x->scale > 0) || x->scale > 1e18)
		return y_fail(scale, f,
			      "scale '%.40s', expected a number above 0: printed units "
			      "in one unit of the workload's metric",
			      scale->text);
	return 0;
}

static int head_read(struct arena *a, const struct ynode *root, struct experiment *x,
		     struct failure *f)
{
	static const char *const better[] = {"lower", "higher"};
	const struct ynode *n, *published = y_get(root, "published");
	u32 which;

	x->note = "";
	if (need_str(root, "description", &x->description, NULL, f) ||
	    need_str(root, "source", &x->source, NULL, f) ||
	    need_str(root, "table", &x->table, NULL, f) ||
	    opt_str(root, "note", &x->note, f) ||
	    need_str(root, "machine", &x->machine, &x->machine_node, f) ||
	    need_str(root, "workload", &x->workload, &x->workload_node, f) ||
	    need_str(root, "metric", &x->metric, &x->metric_node, f) ||
	    (published && need_str(root, "published", &x->published, NULL, f)))
		return -1;
	n = y_need(root, "better", f);
	if (!n || y_choice(n, better, ARRAY_SIZE(better), &which, f))
		return -1;
	x->higher_better = which == 1;
	if (!published)
		return 0;
	if (*x->published == '/')
		return y_fail(published, f,
			      "'%.80s', expected a path relative to this file",
			      x->published);
	if (strrchr(x->file, '/'))
		x->published =
			arena_printf(a, "%.*s/%s", (int)(strrchr(x->file, '/') - x->file),
				     x->file, x->published);
	return 0;
}

static const char *name_of(struct arena *a, const char *path)
{
	const char *base = strrchr(path, '/'), *dot;

	base = base ? base + 1 : path;
	dot = strrchr(base, '.');
	return arena_strndup(a, base, dot > base ? (size_t)(dot - base) : strlen(base));
}

/* One entry of `suspect:`: a column, or one cell of it. */
static int suspect_read(const struct ynode *c, struct experiment *x, struct failure *f)
{
	static const char *const keys[] = {"column", "load", "why", NULL};
	const char *column, *load = NULL, *why;
	const struct ynode *n;
	bool any = false;

	if (y_check_keys(c, keys, f) || need_str(c, "column", &column, &n, f) ||
	    need_str(c, "why", &why, NULL, f) || opt_str(c, "load", &load, f))
		return -1;
	for (u32 i = 0; i < x->nload * x->ncolumn; i++) {
		if (strcmp(x->column[i % x->ncolumn].name, column) != 0 ||
		    (load && strcmp(x->load[i / x->ncolumn].name, load) != 0))
			continue;
		x->suspect[i] = why;
		any = true;
	}
	if (!any)
		return y_fail(n, f, "no cell of column '%.60s'%s%.60s%s, expected one",
			      column, load ? " and load '" : "", load ? load : "",
			      load ? "'" : "");
	return 0;
}

static int suspects_read(struct arena *a, const struct ynode *root, struct experiment *x,
			 struct failure *f)
{
	const struct ynode *n = y_get(root, "suspect");

	x->suspect = arena_array(a, const char *, x->nload * x->ncolumn);
	if (!n)
		return 0;
	if (y_expect(n, Y_SEQ, f))
		return -1;
	y_for_each (c, n)
		if (suspect_read(c, x, f))
			return -1;
	return 0;
}

int experiment_load(struct arena *a, const char *path, const char *against,
		    const struct experiment **out, struct failure *f)
{
	static const char *const keys[] = {
		"description", "source",    "machine", "workload",  "metric",  "table",
		"note",	       "published", "value",   "columns",   "loads",   "better",
		"duration",    "runs",	    "full",    "calibrate", "suspect", NULL};
	struct experiment *x = arena_new(a, struct experiment);
	const struct ynode *root, *fit, *n;

	x->file = arena_strdup(a, path);
	x->name = name_of(a, path);
	if (yaml_load_file(a, path, &root, f) || y_check_keys(root, keys, f) ||
	    head_read(a, root, x, f) || value_read(root, x, f) ||
	    columns_read(a, root, x, f) || loads_read(a, root, x, f) ||
	    lengths_read(root, x, f) || suspects_read(a, root, x, f))
		return -1;
	n = y_get(root, "published");
	if (against) {
		x->against = true;
		x->published = arena_strdup(a, against);
		if (published_read(a, x, f))
			return -1;
		*out = x;
		return 0;
	}
	if (!n)
		published_none(a, x);
	else if (published_read(a, x, f))
		return y_place(n, f);
	fit = y_get(root, "calibrate");
	if (fit && fits_read(a, fit, x, f))
		return -1;
	*out = x;
	return 0;
}
