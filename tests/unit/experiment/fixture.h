/* Temporary workload files and plans on the kernels of the data folder. */
#ifndef TEST_EXPERIMENT_FIXTURE_H
#define TEST_EXPERIMENT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "experiment/grid.h"

struct fixture {
	char dir[64];
	struct arena arena;
	struct failure f;
};

static inline int fixture_setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	snprintf(x->dir, sizeof(x->dir), "/tmp/sibyl-experiment-XXXXXX");
	if (!mkdtemp(x->dir))
		return -1;
	arena_init(&x->arena);
	*state = x;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	struct fixture *x = *state;
	char command[96];
	int rc;

	arena_free(&x->arena);
	snprintf(command, sizeof(command), "rm -rf %s", x->dir);
	rc = system(command);
	free(x);
	return rc;
}

static inline int find_kernel(void *ctx, struct arena *a, const char *name,
			      const char **path, struct failure *f)
{
	(void)ctx;
	*path = arena_printf(a, SIBYL_SOURCE_DATA "/kernels/%s.yaml", name);
	if (access(*path, R_OK))
		return fail_set(f, FAIL_INPUT, NULL, "unknown kernel '%s'", name);
	return 0;
}

static inline const char *put_file(struct fixture *x, const char *name, const char *text)
{
	const char *path = arena_printf(&x->arena, "%s/%s", x->dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

/* Tasks that run and sleep at random, beside hogs. */
#define MIXED_TEXT                                                         \
	"description: a test\n"                                            \
	"params:\n"                                                        \
	"  tasks: {default: 6, range: [1, 1000], help: number of tasks}\n" \
	"  hogs: {default: 2, range: [0, 1000], help: number of hogs}\n"   \
	"duration: 400 ms\n"                                               \
	"warmup: 100 ms\n"                                                 \
	"tasks:\n"                                                         \
	"  rs:\n"                                                          \
	"    count: $tasks\n"                                              \
	"    name: \"rs%d\"\n"                                             \
	"    program:\n"                                                   \
	"      - loop:\n"                                                  \
	"          - run: {exp: 1 ms}\n"                                   \
	"          - count: cycles\n"                                      \
	"          - sleep: {exp: 1 ms}\n"                                 \
	"  hog:\n"                                                         \
	"    count: $hogs\n"                                               \
	"    name: \"hog%d\"\n"                                            \
	"    program:\n"                                                   \
	"      - loop:\n"                                                  \
	"          - run: 1 ms\n"                                          \
	"metrics:\n"                                                       \
	"  cycles_per_s: {rate: cycles, unit: cycles/s, better: higher}\n"

/* A fixed amount of work. */
#define FIXED_TEXT                         \
	"description: a test\n"            \
	"fixed-work: yes\n"                \
	"duration: 10 s\n"                 \
	"tasks:\n"                         \
	"  worker:\n"                      \
	"    count: 4\n"                   \
	"    name: \"w%d\"\n"              \
	"    program:\n"                   \
	"      - loop:\n"                  \
	"          times: 20\n"            \
	"          do:\n"                  \
	"            - run: {exp: 1 ms}\n" \
	"            - sleep: 1 ms\n"      \
	"metrics:\n"                       \
	"  elapsed: {elapsed: yes, unit: s, better: lower}\n"

static inline struct grid_request request_of(const char *workload, const char **kernel,
					     u32 nkernel, u32 runs)
{
	return (struct grid_request){
		.machine = "core:2 pu:2",
		.machine_name = "small",
		.workload = workload,
		.kernel = kernel,
		.nkernel = nkernel,
		.runs = runs,
		.seed = 1,
		.resolve = find_kernel,
	};
}

static inline void must_plan(struct fixture *x, const struct grid_request *req,
			     struct grid *out)
{
	char line[1100];

	if (!grid_plan(&x->arena, req, out, &x->f))
		return;
	fail_format(&x->f, line, sizeof(line));
	fail_msg("%s", line);
}

#endif
