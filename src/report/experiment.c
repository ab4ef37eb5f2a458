/* The model of an experiment: see report/experiment.h. Draws nothing. */
#include "report/score.h"

#include <math.h>
#include <string.h>

static int find_machine(void *ctx, struct arena *a, const char *name, const char **path,
			struct failure *f)
{
	return library_find(ctx, a, LIBRARY_MACHINE, name, path, f);
}

static int find_workload(void *ctx, struct arena *a, const char *name, const char **path,
			 struct failure *f)
{
	return library_find(ctx, a, LIBRARY_WORKLOAD, name, path, f);
}

/* A printed table is of its machine; a question may be asked of any. */
static int ask_of(struct arena *a, const char *machine, const struct experiment **x,
		  struct failure *f)
{
	struct experiment *other;

	if ((*x)->published)
		return fail_set(f, FAIL_INPUT, NULL,
				"the printed values of %.60s are of machine %.60s, "
				"expected no -m",
				(*x)->name, (*x)->machine);
	other = arena_new(a, struct experiment);
	*other = **x;
	other->machine = machine;
	*x = other;
	return 0;
}

int experiment_open(struct arena *a, struct library *lib,
		    const struct experiment_ask *ask, struct experiment_work *out,
		    struct failure *f)
{
	const char *path;

	memset(out, 0, sizeof(*out));
	if (library_find(lib, a, LIBRARY_EXPERIMENT, ask->name, &path, f) ||
	    experiment_load(a, path, ask->against, &out->x, f) ||
	    (ask->machine && ask_of(a, ask->machine, &out->x, f)) ||
	    score_band_read(a, lib, out->x->higher_better, out->x->name, &out->band, f))
		return -1;
	out->req = (struct experiment_request){
		.find_machine = find_machine,
		.find_workload = find_workload,
		.find_kernel = library_resolve_kernel,
		.ctx = lib,
		.runs = ask->full ? out->x->full_runs : out->x->runs,
		.duration = ask->full ? out->x->full_duration : out->x->duration,
		.seed = ask->seed,
		.fit = ask->fit,
	};
	out->rule = ask->rule;
	if (ask->runs)
		out->req.runs = ask->runs;
	if (ask->duration)
		out->req.duration = ask->duration;
	return experiment_plan(a, out->x, &out->req, &out->grid, &out->scale, f);
}

/* The same runs as a comparison whose rows are loads and whose columns are columns. */
static int compare(struct arena *a, struct store *s, const struct experiment_work *w,
		   struct compare_report *out, struct failure *f)
{
	const struct grid *g = &w->grid;
	const char **id = arena_array(a, const char *, g->nspec);
	const char **load = arena_array(a, const char *, g->nload);
	const char **column = arena_array(a, const char *, g->nkernel);
	const struct compare_request req = {
		.machine = w->x->machine,
		.workload = w->x->workload,
		.load = load,
		.nload = g->nload,
		.kernel = column,
		.nkernel = g->nkernel,
		.runs = g->runs,
		.id = id,
		.load_name = g->axis_name,
		.seed = w->req.seed,
		.rule = w->rule,
		.band = {w->band, w->band},
	};

	for (u32 i = 0; i < g->nspec; i++)
		id[i] = g->spec[i].id;
	for (u32 l = 0; l < g->nload; l++)
		load[l] = w->x->load[l].name;
	for (u32 k = 0; k < g->nkernel; k++)
		column[k] = w->x->column[k].name;
	return compare_build(a, s, &req, out, f);
}

int experiment_build(struct arena *a, struct store *s, const struct experiment_work *w,
		     struct experiment_report *out, struct failure *f)
{
	const struct experiment *x = w->x;
	const struct run_spec *first = &w->grid.spec[0];
	u32 cells = x->nload * x->ncolumn, table;

	memset(out, 0, sizeof(*out));
	out->x = x;
	out->unit = x->unit;
	out->runs = w->grid.runs;
	out->seed = w->req.seed;
	out->duration = plan_fixed_work(first->plan) ? 0 : first->duration;
	out->cell = arena_array(a, struct experiment_cell, cells);
	for (u32 i = 0; i < cells; i++) {
		out->cell[i].published = x->cell[i];
		out->cell[i].predicted = (struct stat_cell){
			.mean = NAN, .stddev = NAN, .coeffvar = NAN, .delta = NAN};
	}
	if (compare(a, s, w, &out->runs_of, f))
		return -1;
	if (!out->runs_of.ntable)
		return 0; /* nothing is stored yet */
	if (compare_metric(&out->runs_of, x->metric, &table, f))
		return -1;
	out->table = &out->runs_of.table[table];
	if (!*out->unit)
		out->unit = out->table->unit;
	for (u32 i = 0; i < cells; i++) {
		struct stat_cell *c = &out->cell[i].predicted;

		*c = out->table->cell[i].s;
		c->mean *= w->scale;
		c->stddev *= w->scale;
	}
	return 0;
}
