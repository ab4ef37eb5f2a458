/*
 * Planning a grid: everything is loaded, bound and hashed before anything runs. See
 * experiment/grid.h.
 */
#include "experiment/grid.h"

#include <string.h>

#include "pool.h"

u64 grid_seed(u64 base, u32 replicate)
{
	struct stream root = stream_root(base), child = stream_child(&root, replicate);

	return stream_u64(&child) >> 11;
}

int grid_run(const struct grid *g, u32 jobs, volatile const int *stop,
	     const struct grid_hooks *hooks, struct failure *f)
{
	return pool_run(g->spec, g->nspec, jobs, stop, hooks, run_execute, f);
}

static int check_axis(const struct grid_request *req, u32 i, struct failure *f)
{
	const struct axis *x = &req->axis[i];

	for (u32 j = 0; j < i; j++)
		if (!strcmp(req->axis[j].name, x->name))
			return fail_set(f, FAIL_INPUT, NULL,
					"parameter %s is given twice, expected one list "
					"of values",
					x->name);
	if (!x->n)
		return fail_set(f, FAIL_INPUT, NULL,
				"parameter %s has no value, expected %s=VALUE[,VALUE]",
				x->name, x->name);
	for (u32 v = 0; v < x->n; v++)
		for (u32 w = 0; w < v; w++)
			if (!strcmp(x->value[v], x->value[w]))
				return fail_set(f, FAIL_INPUT, NULL,
						"parameter %s has the value %s twice",
						x->name, x->value[v]);
	return 0;
}

/* Size of the grid; refuses what is empty or far beyond sense. */
static int measure(const struct grid_request *req, struct grid *g, struct failure *f)
{
	u64 loads = 1, total;

	if (!req->nkernel)
		return fail_set(f, FAIL_INPUT, NULL, "no kernel, expected at least one");
	if (!req->runs)
		return fail_set(f, FAIL_INPUT, NULL, "0 runs, expected at least 1 (-n)");
	for (u32 i = 0; i < req->naxis; i++) {
		if (check_axis(req, i, f))
			return -1;
		loads = min_u64(loads * req->axis[i].n, UINT32_MAX);
	}
	total = loads * min_u32(req->nkernel, GRID_MAX_RUNS + 1);
	total = min_u64(total, UINT32_MAX) * req->runs;
	if (total > GRID_MAX_RUNS)
		return fail_set(f, FAIL_INPUT, NULL,
				"too many runs: %llu loads x %u kernels x %u replicates, "
				"expected at most %u in all",
				(unsigned long long)loads, req->nkernel, req->runs,
				GRID_MAX_RUNS);
	g->nload = (u32)loads;
	g->nkernel = req->nkernel;
	g->runs = req->runs;
	g->nspec = (u32)total;
	return 0;
}

static int load_kernels(struct arena *a, const struct grid_request *req, struct grid *g,
			struct failure *f)
{
	g->kernel = arena_array(a, const struct kernel *, req->nkernel);
	for (u32 i = 0; i < req->nkernel; i++)
		if (kernel_load(a, req->kernel[i], req->resolve, req->resolve_ctx,
				&g->kernel[i], f))
			return -1;
	return 0;
}

/* The values of a load: the last axis varies fastest. */
static void choose(const struct grid_request *req, u32 load, struct param *param)
{
	for (u32 i = req->naxis; i-- > 0;) {
		const struct axis *x = &req->axis[i];

		param[i].name = x->name;
		param[i].value = x->value[load % x->n];
		load /= x->n;
	}
}

static const char *label_of(struct arena *a, const struct param *param, u32 n)
{
	const char *label = "";

	if (n == 1)
		return arena_strdup(a, param[0].value);
	for (u32 i = 0; i < n; i++)
		label = arena_printf(a, "%s%s%s=%s", label, i ? " " : "", param[i].name,
				     param[i].value);
	return label;
}

static int bind_loads(struct arena *a, const struct grid_request *req, struct grid *g,
		      struct failure *f)
{
	struct param *param = arena_array(a, struct param, req->naxis + 1);

	g->load = arena_array(a, struct grid_load, g->nload);
	for (u32 i = 0; i < g->nload; i++) {
		choose(req, i, param);
		g->load[i].label = label_of(a, param, req->naxis);
		if (workload_bind(a, g->workload, g->machine, param, req->naxis,
				  &g->load[i].plan, f))
			return -1;
	}
	return 0;
}

static int finish_specs(struct arena *a, const struct grid_request *req, struct grid *g,
			struct failure *f)
{
	g->spec = arena_array(a, struct run_spec, g->nspec);
	for (u32 i = 0; i < g->nspec; i++) {
		u32 kernel = i / g->runs % g->nkernel;
		struct run_spec *s = &g->spec[i];

		s->machine_name =
			req->machine_name ? req->machine_name : g->machine->name;
		s->kernel_name = req->kernel[kernel];
		s->workload_name = workload_name(g->workload);
		s->machine = g->machine;
		s->kernel = g->kernel[kernel];
		s->workload = g->workload;
		s->plan = g->load[i / g->runs / g->nkernel].plan;
		s->replicate = i % g->runs;
		s->seed = grid_seed(req->seed, s->replicate);
		s->duration = req->duration;
		if (run_spec_finish(a, s, f))
			return -1;
	}
	return 0;
}

int grid_plan(struct arena *a, const struct grid_request *req, struct grid *out,
	      struct failure *f)
{
	memset(out, 0, sizeof(*out));
	if (measure(req, out, f))
		return -1;
	out->axis_name = req->naxis == 1 ? req->axis[0].name : "";
	if (machine_load(a, req->machine, &out->machine, f) ||
	    load_kernels(a, req, out, f) ||
	    workload_load(a, req->workload, &out->workload, f) ||
	    bind_loads(a, req, out, f))
		return -1;
	return finish_specs(a, req, out, f);
}
