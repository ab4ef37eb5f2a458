/*
 * The example of the data folder (example.yaml): what `compare` runs when it is not told.
 * Also what several commands share about names and outputs.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/yaml.h"
#include "cli.h"

int cli_need_names(struct cli *c, const struct options *o)
{
	const char *missing = !o->req.machine	 ? "-m MACHINE"
			      : !o->req.workload ? "-w WORKLOAD"
			      : !o->req.nkernel	 ? "-k KERNEL"
						 : NULL;

	if (!missing)
		return 0;
	return fail_set(&c->fail, FAIL_INPUT, NULL, "%s is missing, try 'sibyl %s -h'",
			missing, c->command->name);
}

int cli_output(struct cli *c, const char *path)
{
	FILE *f;
	bool bad;

	if (!path)
		return 0;
	f = fopen(path, "we");
	if (!f)
		return fail_set(&c->fail, FAIL_IO, path, "cannot be written: %s",
				strerror(errno));
	bad = fwrite(c->out.s ? c->out.s : "", 1, c->out.len, f) != c->out.len;
	if (fclose(f) || bad)
		return fail_set(&c->fail, FAIL_IO, path, "cannot be written: %s",
				strerror(errno));
	c->out.len = 0;
	return 0;
}

/* A scalar, or the items of a list. */
static int strings(struct cli *c, const struct ynode *n, const char ***out, u32 *count)
{
	u32 i = 0;

	if (n->kind == Y_SCALAR) {
		*out = arena_array(&c->arena, const char *, 1);
		*count = 1;
		return y_str(n, &(*out)[0], &c->fail);
	}
	if (y_expect(n, Y_SEQ, &c->fail))
		return -1;
	*out = arena_array(&c->arena, const char *, n->n + 1);
	*count = n->n;
	y_for_each (item, n)
		if (y_str(item, &(*out)[i++], &c->fail))
			return -1;
	return 0;
}

static int example_params(struct cli *c, const struct ynode *map, struct options *o)
{
	struct axis *axis = arena_array(&c->arena, struct axis, map->n + 1);
	u32 n = 0;

	if (y_expect(map, Y_MAP, &c->fail))
		return -1;
	y_for_each (p, map) {
		axis[n].name = p->key;
		if (strings(c, p, &axis[n].value, &axis[n].n))
			return -1;
		n++;
	}
	o->req.axis = axis;
	o->req.naxis = n;
	return 0;
}

/* What goes with the workload of the example. */
static int example_workload(struct cli *c, const struct ynode *top, struct options *o)
{
	const struct ynode *n;
	u64 v;

	n = y_need(top, "workload", &c->fail);
	if (!n || y_str(n, &o->req.workload, &c->fail))
		return -1;
	n = y_get(top, "params");
	if (n && !o->req.naxis && example_params(c, n, o))
		return -1;
	n = y_get(top, "duration");
	if (n && !o->req.duration &&
	    y_value(n, UNIT_TIME, 1, UINT64_MAX, &o->req.duration, &c->fail))
		return -1;
	n = y_get(top, "runs");
	if (n && !o->has_runs) {
		if (y_value(n, UNIT_COUNT, 1, 100000, &v, &c->fail))
			return -1;
		o->req.runs = (u32)v;
	}
	return 0;
}

int cli_example(struct cli *c, struct options *o, bool *all)
{
	static const char *const keys[] = {"description", "machine", "workload",
					   "kernels",	  "params",  "duration",
					   "runs",	  NULL};
	const struct ynode *top, *n;

	*all = !o->req.machine && !o->req.workload && !o->req.nkernel;
	if (o->req.machine && o->req.workload && o->req.nkernel)
		return 0;
	if (yaml_load_file(&c->arena,
			   library_path(&c->library, &c->arena, "example.yaml"), &top,
			   &c->fail) ||
	    y_check_keys(top, keys, &c->fail))
		return -1;
	n = y_need(top, "machine", &c->fail);
	if (!n || (!o->req.machine && y_str(n, &o->req.machine, &c->fail)))
		return -1;
	n = y_need(top, "kernels", &c->fail);
	if (!n || (!o->req.nkernel && strings(c, n, &o->req.kernel, &o->req.nkernel)))
		return -1;
	return o->req.workload ? 0 : example_workload(c, top, o);
}
