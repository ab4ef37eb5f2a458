/*
 * Runs of a workload text on a machine whose every cost row is 0, so that what comes out
 * can be laid beside a closed form of queueing theory. One CPU a core, one cache.
 */
#ifndef TESTS_CLOSED_FORM_H
#define TESTS_CLOSED_FORM_H

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

struct closed {
	struct arena arena;
	struct run_result result;
};

static inline const char *closed_file(struct arena *a, const char *text)
{
	char *path = arena_strdup(a, "/tmp/sibyl-closed-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

/* `rows` sets cost rows again, e.g. "  line.llc: 100 ns\n". */
static inline const char *closed_machine(struct arena *a, u32 cpus, const char *rows)
{
	struct text t = {0};
	const char *path;

	text_fmt(&t,
		 "description: nothing costs anything\nsource: \"estimate: none\"\n"
		 "topology: {synthetic: \"pack:1 core:%u pu:1\"}\ncosts:\n",
		 cpus);
	for (u32 i = 0; i < COST_COUNT; i++) {
		char key[64];

		snprintf(key, sizeof(key), "  %s:", cost_rows[i].name);
		if (rows && strstr(rows, key))
			continue;
		if (cost_rows[i].unit == UNIT_BANDWIDTH)
			text_fmt(&t,
				 "%s {value: 10000 GB/s, source: \"estimate: none\"}\n",
				 key);
		else
			text_fmt(&t, "%s {value: 0, source: \"estimate: none\"}\n", key);
	}
	if (rows)
		text_str(&t, rows);
	path = closed_file(a, t.s);
	text_free(&t);
	return path;
}

static inline void closed_must(int rc, const struct failure *f)
{
	char line[1100];

	if (!rc)
		return;
	fail_format(f, line, sizeof(line));
	fail_msg("%s", line);
}

static inline int closed_kernel(void *ctx, struct arena *a, const char *name,
				const char **path, struct failure *f)
{
	(void)ctx;
	(void)f;
	*path = arena_printf(a, SIBYL_SOURCE_DATA "/kernels/%s.yaml", name);
	return 0;
}

/** One run; free the arena when done. */
static inline void closed_run(struct closed *x, u32 cpus, const char *rows,
			      const char *workload, u64 seed)
{
	const char *kernel[] = {"linux-6.1:timer.slack=0"}, *machine, *file;
	struct grid_request req = {.machine_name = "closed",
				   .kernel = kernel,
				   .nkernel = 1,
				   .runs = 1,
				   .seed = seed,
				   .resolve = closed_kernel};
	struct failure f = {0};
	struct grid grid;

	memset(x, 0, sizeof(*x));
	arena_init(&x->arena);
	req.machine = machine = closed_machine(&x->arena, cpus, rows);
	req.workload = file = closed_file(&x->arena, workload);
	closed_must(grid_plan(&x->arena, &req, &grid, &f), &f);
	unlink(machine);
	unlink(file);
	closed_must(run_execute(&x->arena, &grid.spec[0], NULL, &x->result, &f), &f);
}

/** A declared metric of the run. */
static inline double closed_metric(const struct closed *x, const char *name)
{
	for (u32 i = 0; i < x->result.nmetric; i++)
		if (!strcmp(x->result.metric[i].name, name)) {
			assert_true(x->result.metric[i].has);
			return x->result.metric[i].value;
		}
	fail_msg("no metric %s", name);
	return 0;
}

/** Within `tolerance`, a ratio. */
static inline void assert_form(const char *what, double got, double want,
			       double tolerance)
{
	print_message("%s: %.6g, closed form %.6g (%+.2f %%)\n", what, got, want,
		      100 * (got / want - 1));
	if (!(got > want * (1 - tolerance) && got < want * (1 + tolerance)))
		fail_msg("%s: %.6g, closed form %.6g", what, got, want);
}

#endif
