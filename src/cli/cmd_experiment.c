/*
 * sibyl experiment NAME: predicted against published. The data folder holds no experiment
 * yet, so a name can only be unknown; this file leaves the experiments themselves out.
 */
#include "cli.h"

int cmd_experiment(struct cli *c, struct options *o)
{
	const char *path;

	if (library_find(&c->library, &c->arena, LIBRARY_EXPERIMENT, o->rest[0], &path,
			 &c->fail))
		return -1;
	return fail_set(&c->fail, FAIL_INPUT, path,
			"experiments cannot be run by version %s, expected a later one",
			SIBYL_VERSION);
}
