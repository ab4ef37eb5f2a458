/* From names to runs: see report/request.h. */
#include "report/request.h"

#include <string.h>

int request_plan(struct arena *a, struct library *lib, const struct request *req,
		 struct grid *out, struct failure *f)
{
	struct grid_request g = {
		.machine_name = req->machine,
		.kernel = req->kernel,
		.nkernel = req->nkernel,
		.axis = req->axis,
		.naxis = req->naxis,
		.runs = req->runs,
		.duration = req->duration,
		.seed = req->seed,
		.resolve = library_resolve_kernel,
		.resolve_ctx = lib,
	};

	if (library_find(lib, a, LIBRARY_MACHINE, req->machine, &g.machine, f) ||
	    library_find(lib, a, LIBRARY_WORKLOAD, req->workload, &g.workload, f) ||
	    grid_plan(a, &g, out, f))
		return -1;
	for (u32 i = 0; req->duration && i < out->nspec; i++) {
		if (plan_fixed_work(out->spec[i].plan))
			return fail_set(
				f, FAIL_INPUT, NULL,
				"-t: workload '%.60s' ends when its work is done, "
				"expected no duration",
				req->workload);
	}
	/* identities hash contents, never names; a name is kept to find the file again */
	for (u32 i = 0; i < out->nspec; i++)
		out->spec[i].workload_name = req->workload;
	return 0;
}

/* "name=value name=value" into parameters; a value may hold blanks, a name may not. */
static u32 split_params(struct arena *a, const char *text, struct param *out, u32 max)
{
	char *s = arena_strdup(a, text), *last = NULL;
	u32 n = 0;

	for (char *eq = strchr(s, '='); eq && n < max; eq = strchr(eq + 1, '=')) {
		char *name = eq;

		while (name > s && name[-1] != ' ')
			name--;
		if (name > s)
			name[-1] = '\0';
		*eq = '\0';
		last = eq + 1;
		out[n].name = name;
		out[n++].value = last;
	}
	return n;
}

int request_replay(struct arena *a, struct library *lib, const struct request *req,
		   const char *params, u32 replicate, struct run_spec *out,
		   struct failure *f)
{
	struct param list[64];
	const char *machine, *path;
	u32 n = split_params(a, params, list, ARRAY_SIZE(list));

	memset(out, 0, sizeof(*out));
	out->machine_name = req->machine;
	out->kernel_name = req->kernel[0];
	out->workload_name = req->workload;
	out->seed = req->seed;
	out->replicate = replicate;
	out->duration = req->duration;
	if (library_find(lib, a, LIBRARY_MACHINE, req->machine, &machine, f) ||
	    machine_load(a, machine, &out->machine, f) ||
	    kernel_load(a, req->kernel[0], library_resolve_kernel, lib, &out->kernel,
			f) ||
	    library_find(lib, a, LIBRARY_WORKLOAD, req->workload, &path, f) ||
	    workload_load(a, path, &out->workload, f) ||
	    workload_bind(a, out->workload, out->machine, list, n, &out->plan, f))
		return -1;
	return run_spec_finish(a, out, f);
}
