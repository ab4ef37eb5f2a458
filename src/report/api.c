/* The C interface: see sibyl/sibyl.h. A handle is an arena, a data folder and a failure.
 */
#include "sibyl/sibyl.h"

#include <stdlib.h>
#include <string.h>

#include "report/request.h"

struct sibyl {
	struct arena arena; /* of the handle */
	struct library library;
	struct failure failure;
	char error[sizeof(((struct failure *)0)->what) + 320];
};

const char *sibyl_version(void)
{
	return SIBYL_VERSION;
}

static int failed(struct sibyl *s)
{
	fail_format(&s->failure, s->error, sizeof(s->error));
	return (int)s->failure.kind;
}

int sibyl_open(struct sibyl **out, const char *data_folder)
{
	struct sibyl *s = calloc(1, sizeof(*s));

	*out = s;
	if (!s)
		return SIBYL_IO_ERROR;
	arena_init(&s->arena);
	if (data_folder)
		data_folder = arena_strdup(&s->arena, data_folder);
	if (library_open(&s->arena, data_folder, NULL, &s->library, &s->failure))
		return failed(s);
	return SIBYL_OK;
}

void sibyl_close(struct sibyl *s)
{
	if (!s)
		return;
	arena_free(&s->arena);
	free(s);
}

static int params_to_axes(struct arena *a, const struct sibyl_request *req,
			  struct request *r, struct failure *f)
{
	struct axis *axis = arena_array(a, struct axis, req->nparams + 1);

	for (u32 i = 0; i < req->nparams; i++) {
		const char *eq = strchr(req->params[i], '=');

		if (!eq)
			return fail_set(f, FAIL_INPUT, NULL,
					"parameter '%.60s', expected name=value",
					req->params[i]);
		axis[i].name =
			arena_strndup(a, req->params[i], (size_t)(eq - req->params[i]));
		axis[i].value = arena_array(a, const char *, 1);
		axis[i].value[0] = arena_strdup(a, eq + 1);
		axis[i].n = 1;
	}
	r->axis = axis;
	r->naxis = req->nparams;
	return 0;
}

static int run_one(struct arena *a, struct sibyl *s, const struct sibyl_request *req,
		   struct text *out)
{
	const char *kernel = req->kernel;
	struct request r = {
		.machine = req->machine,
		.workload = req->workload,
		.kernel = &kernel,
		.nkernel = 1,
		.runs = 1,
		.duration = req->duration_ns,
		.seed = req->seed,
	};
	const struct run_options none = {0};
	struct run_result result;
	struct grid grid;

	if (!req->machine || !req->workload || !req->kernel)
		return fail_set(&s->failure, FAIL_INPUT, NULL,
				"a run needs a machine, a workload and a kernel");
	if (params_to_axes(a, req, &r, &s->failure) ||
	    request_plan(a, &s->library, &r, &grid, &s->failure) ||
	    run_execute(a, &grid.spec[0], &none, &result, &s->failure))
		return -1;
	run_json(&grid.spec[0], &result, true, out);
	return 0;
}

int sibyl_run(struct sibyl *s, const struct sibyl_request *req, char **json)
{
	struct text out = {0};
	struct arena a;
	int err;

	*json = NULL;
	s->error[0] = '\0';
	arena_init(&a);
	err = run_one(&a, s, req, &out);
	arena_free(&a);
	if (err) {
		text_free(&out);
		return failed(s);
	}
	*json = out.s;
	return SIBYL_OK;
}

const char *sibyl_error(const struct sibyl *s)
{
	return s ? s->error : "out of memory";
}

void sibyl_free(char *text)
{
	free(text);
}
