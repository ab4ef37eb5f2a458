/*
 * From an experiment to runs. Columns may have parameters of their own, so this is not
 * the plain product of grid_plan(); seeds and order are the same.
 */
#include <string.h>

#include "experiment_file.h"

struct planner {
	struct arena *a;
	const struct experiment *x;
	const struct experiment_request *req;
	struct grid *g;
	struct failure *f;
};

static int load_parts(struct planner *p)
{
	const struct experiment *x = p->x;
	const struct experiment_request *q = p->req;
	struct grid *g = p->g;
	const char *path;

	if (q->find_machine(q->ctx, p->a, x->machine, &path, p->f) ||
	    machine_load(p->a, path, &g->machine, p->f))
		return y_place(x->machine_node, p->f);
	if (q->find_workload(q->ctx, p->a, x->workload, &path, p->f) ||
	    workload_load(p->a, path, &g->workload, p->f))
		return y_place(x->workload_node, p->f);
	g->kernel = arena_array(p->a, const struct kernel *, g->nkernel);
	for (u32 k = 0; k < g->nkernel; k++)
		if (kernel_load(p->a, x->column[k].kernel, q->find_kernel, q->ctx,
				&g->kernel[k], p->f))
			return y_place(x->column[k].kernel_node, p->f);
	return 0;
}

static u32 add_params(const struct ynode *map, struct param *out, u32 n)
{
	if (map)
		y_for_each (c, map)
			out[n++] = (struct param){c->key, c->text};
	return n;
}

static const struct experiment *fit_owner(const struct planner *p)
{
	return p->req->fit_of ? p->req->fit_of : p->x;
}

/* The plan of one cell: parameters of its load, of its column, and what is fitted. */
static int bind_cell(struct planner *p, u32 load, u32 column,
		     const struct workload_plan **out)
{
	const struct experiment *x = p->x;
	const struct ynode *of_load = x->load[load].params;
	const struct ynode *of_column = x->column[column].params;
	const struct experiment *fits = fit_owner(p);
	u32 most = (of_load ? of_load->n : 0) + (of_column ? of_column->n : 0), n;
	struct param *param = arena_array(p->a, struct param, most + fits->nfit + 1);

	if (of_load && of_column)
		y_for_each (c, of_column)
			if (y_get(of_load, c->key))
				return y_fail_key(c, p->f,
						  "'%.60s' is set by the loads too",
						  c->key);
	n = add_params(of_column, param, add_params(of_load, param, 0));
	for (u32 i = 0; p->req->fit && i < fits->nfit; i++)
		if (fits->fit[i].workload)
			param[n++] = (struct param){
				fits->fit[i].workload,
				fit_text(p->a, &fits->fit[i], p->req->fit[i])};
	if (!workload_bind(p->a, p->g->workload, p->g->machine, param, n, out, p->f))
		return 0;
	/* the value stands in this file, not where the parameter is declared */
	p->f->line = 0;
	p->f->file[0] = '\0';
	return y_place(of_load ? of_load : x->load[load].node, p->f);
}

static int finish_cell(struct planner *p, u32 load, u32 column,
		       const struct workload_plan *plan)
{
	struct grid *g = p->g;

	for (u32 r = 0; r < g->runs; r++) {
		struct run_spec *s = &g->spec[grid_index(g, load, column, r)];

		s->machine_name = p->x->machine;
		s->kernel_name = p->x->column[column].kernel;
		s->workload_name = p->x->workload;
		s->machine = g->machine;
		s->kernel = g->kernel[column];
		s->workload = g->workload;
		s->plan = plan;
		s->replicate = r;
		s->seed = grid_seed(p->req->seed, r);
		s->duration = p->req->duration;
		if (run_spec_finish(p->a, s, p->f))
			return y_place(p->x->workload_node, p->f);
	}
	return 0;
}

static const struct metric_decl *metric_of(struct planner *p,
					   const struct workload_plan *plan)
{
	const char *names[64], *near;
	u32 n = 0;

	for (u32 i = 0; i < plan_metrics(plan); i++) {
		if (!strcmp(plan_metric(plan, i)->name, p->x->metric))
			return plan_metric(plan, i);
		if (n < ARRAY_SIZE(names))
			names[n++] = plan_metric(plan, i)->name;
	}
	near = nearest_name(p->x->metric, names, n);
	y_fail(p->x->metric_node, p->f, "workload %.40s has no metric '%.60s'%s%s%s",
	       p->x->workload, p->x->metric, near ? ", did you mean '" : ", expected '",
	       near ? near : names[0], near ? "'?" : "'");
	return NULL;
}

/* Nanoseconds of a unit of time, or 0. */
static double time_unit(const char *name)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, name))
			return units[i].ns;
	return 0;
}

static int check_metric(struct planner *p, const struct workload_plan *plan,
			double *scale)
{
	const struct metric_decl *m = metric_of(p, plan);
	double from, to;

	if (!m)
		return -1;
	if (m->higher_better != p->x->higher_better)
		return y_fail(p->x->metric_node, p->f,
			      "of '%.60s' the workload says that %s is better, expected "
			      "the same as in this file",
			      m->name, m->higher_better ? "higher" : "lower");
	*scale = p->x->scale;
	if (*scale > 0)
		return 0;
	*scale = 1;
	if (!*p->x->unit || !strcmp(m->unit, p->x->unit))
		return 0;
	from = time_unit(m->unit);
	to = time_unit(p->x->unit);
	if (!(from > 0) || !(to > 0))
		return y_fail(p->x->value_node, p->f,
			      "printed in '%.40s', predicted in '%.40s', expected a "
			      "'scale:'",
			      p->x->unit, m->unit);
	*scale = from / to;
	return 0;
}

static int measure(struct planner *p)
{
	struct grid *g = p->g;
	u64 total;

	memset(g, 0, sizeof(*g));
	g->axis_name = "load";
	g->nload = p->x->nload;
	g->nkernel = p->req->fit ? 1 : p->x->ncolumn;
	g->runs = p->req->runs;
	total = (u64)g->nload * g->nkernel * g->runs;
	if (!total || total > GRID_MAX_RUNS)
		return fail_set(p->f, FAIL_INPUT, NULL,
				"%llu runs, expected 1 to %u in all (-n)",
				(unsigned long long)total, GRID_MAX_RUNS);
	g->nspec = (u32)total;
	g->spec = arena_array(p->a, struct run_spec, g->nspec);
	g->load = arena_array(p->a, struct grid_load, g->nload);
	return 0;
}

int experiment_plan(struct arena *a, const struct experiment *x,
		    const struct experiment_request *req, struct grid *out, double *scale,
		    struct failure *f)
{
	struct planner p = {a, x, req, out, f};
	const struct workload_plan *plan;

	if (measure(&p) || load_parts(&p) || fits_check(a, x, out, f))
		return -1;
	if (req->fit)
		out->machine = fits_machine(a, fit_owner(&p), out->machine, req->fit);
	for (u32 l = 0; l < out->nload; l++) {
		out->load[l].label = x->load[l].name;
		for (u32 k = 0; k < out->nkernel; k++) {
			if (bind_cell(&p, l, k, &plan) ||
			    (!l && !k && check_metric(&p, plan, scale)) ||
			    finish_cell(&p, l, k, plan))
				return -1;
			if (!k)
				out->load[l].plan = plan;
		}
	}
	return 0;
}
