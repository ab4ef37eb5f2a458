/*
 * Identity of a run: everything that its numbers depend on, as one text. Names of files,
 * descriptions and sources are left out: the same content under another name is the same
 * run.
 */
#include "experiment/run.h"

#include <inttypes.h>
#include <string.h>

#include "base/digest.h"

/* The simulated time of a spec, its own or the plan's, must leave something to measure.
 */
static int check_duration(struct run_spec *spec, struct failure *f)
{
	u64 preset = plan_duration(spec->plan), warmup = plan_warmup(spec->plan);
	char have[32], need[32];

	if (!spec->duration)
		spec->duration = preset;
	if (plan_fixed_work(spec->plan) && spec->duration != preset)
		return fail_set(f, FAIL_INPUT, NULL,
				"workload %s ends when its work is done: it takes no "
				"duration (-t)",
				spec->workload_name);
	if (spec->duration > warmup)
		return 0;
	unit_print(spec->duration, UNIT_TIME, have, sizeof(have));
	unit_print(warmup, UNIT_TIME, need, sizeof(need));
	return fail_set(f, FAIL_INPUT, NULL,
			"duration %s (-t) leaves nothing to measure, expected more than "
			"the warm-up of workload %s, %s",
			have, spec->workload_name, need);
}

int run_spec_finish(struct arena *a, struct run_spec *spec, struct failure *f)
{
	struct text t = {0};
	const char *file;
	size_t len;

	if (check_duration(spec, f))
		return -1;
	text_fmt(&t, "sibyl semantics %d\n", SIBYL_SEMANTICS);
	text_str(&t, "machine\n");
	machine_canonical(spec->machine, &t);
	text_str(&t, "kernel\n");
	kernel_canonical(spec->kernel, &t);
	spec->params = plan_params(spec->plan);
	file = workload_text(spec->workload, &len);
	/* the length keeps the text unambiguous whatever the file holds */
	text_fmt(&t, "workload %zu bytes\n", len);
	text_put(&t, file, len);
	text_fmt(&t, "\nparameters %s\n", spec->params);
	text_fmt(&t, "duration %" PRIu64 "\n", spec->duration);
	/* last and alone on its line: the store keeps what replicates share once */
	text_fmt(&t, "seed %" PRIu64 "\n", spec->seed);
	digest_text(t.s, t.len, spec->id);
	spec->text = arena_strndup(a, t.s, t.len);
	text_free(&t);
	return 0;
}
