/*
 * sibyl check: loads data files and reports each that is broken. A file is a machine, a
 * kernel, a workload or an experiment by the folder it stands in; a .json anywhere else
 * is a workload of rt-app. Leaves out what only a run can show.
 */
#include <libgen.h>
#include <string.h>

#include "cli.h"
#include "report/experiment.h"

static int check_one(struct cli *c, enum library_kind kind, const char *path,
		     struct failure *f)
{
	const struct machine *m;
	const struct kernel *k;
	const struct workload *w;
	const struct experiment_ask ask = {.name = path, .seed = 1};
	struct calibration_part *part;
	struct experiment_work e;
	struct arena a;
	int err = 0;

	arena_init(&a);
	switch (kind) {
	case LIBRARY_MACHINE:
		err = machine_load(&a, path, &m, f);
		break;
	case LIBRARY_KERNEL:
		err = kernel_load(&a, path, library_resolve_kernel, &c->library, &k, f);
		break;
	case LIBRARY_WORKLOAD:
		err = workload_load(&a, path, &w, f);
		break;
	case LIBRARY_EXPERIMENT:
		/* with what it names: machine, workload, kernels, printed values */
		err = experiment_open(&a, &c->library, &ask, &e, f) ||
		      cli_calibration_parts(&a, &c->library, &ask, &e, &part, f);
		break;
	case LIBRARY_KINDS:
		break;
	}
	arena_free(&a);
	return err;
}

/* A file that is broken; the last one becomes the failure of the command. */
static void note(struct cli *c, const struct failure *f, u32 *broken)
{
	char line[1200];

	if ((*broken)++) {
		fail_format(&c->fail, line, sizeof(line));
		text_fmt(&c->out, "broken: %s\n", line);
	}
	c->fail = *f;
}

static int check_folder(struct cli *c, enum library_kind kind, u32 *checked, u32 *broken)
{
	const char *const *names, *path;
	struct failure f;
	u32 n;

	if (library_names(&c->library, &c->arena, kind, &names, &n, &c->fail))
		return -1;
	for (u32 i = 0; i < n; i++, (*checked)++)
		if (library_find(&c->library, &c->arena, kind, names[i], &path, &f) ||
		    check_one(c, kind, path, &f))
			note(c, &f, broken);
	return 0;
}

static bool is_json(const char *path)
{
	size_t len = strlen(path);

	return len > 5 && !strcmp(path + len - 5, ".json");
}

/* A path: its kind is the folder that it stands in. */
static int kind_of_path(struct cli *c, const char *path, enum library_kind *kind)
{
	const char *found;
	char *dir = dirname(arena_strdup(&c->arena, path));

	for (*kind = 0; *kind < LIBRARY_KINDS; (*kind)++)
		if (!strcmp(basename(dir), library_folder(*kind)))
			return library_find(&c->library, &c->arena, *kind, path, &found,
					    &c->fail);
	if (is_json(path)) {
		*kind = LIBRARY_WORKLOAD;
		return library_find(&c->library, &c->arena, *kind, path, &found,
				    &c->fail);
	}
	return fail_set(&c->fail, FAIL_INPUT, path,
			"cannot tell its kind, expected a file in a folder 'machines', "
			"'kernels', 'workloads' or 'experiments'");
}

/* A name: of the first kind that has it. */
static int kind_of_name(struct cli *c, const char *name, enum library_kind *kind,
			const char **path)
{
	struct failure f;

	for (*kind = 0; *kind < LIBRARY_KINDS; (*kind)++)
		if (!library_find(&c->library, &c->arena, *kind, name, path, &f))
			return 0;
	return fail_set(&c->fail, FAIL_INPUT, NULL,
			"no machine, kernel, workload or experiment '%.60s'", name);
}

static int find_any(struct cli *c, const char *what, enum library_kind *kind,
		    const char **path)
{
	*path = what;
	if (strchr(what, '/') || is_json(what))
		return kind_of_path(c, what, kind);
	return kind_of_name(c, what, kind, path);
}

static int check_listed(struct cli *c, struct options *o, u32 *checked, u32 *broken)
{
	for (u32 i = 0; i < o->nrest; i++, (*checked)++) {
		enum library_kind kind;
		struct failure f;
		const char *path;

		if (find_any(c, o->rest[i], &kind, &path))
			return -1;
		if (check_one(c, kind, path, &f))
			note(c, &f, broken);
	}
	return 0;
}

int cmd_check(struct cli *c, struct options *o)
{
	u32 checked = 0, broken = 0;

	if (check_listed(c, o, &checked, &broken))
		return -1;
	for (enum library_kind k = 0; (o->all || !o->nrest) && k < LIBRARY_KINDS; k++)
		if (check_folder(c, k, &checked, &broken))
			return -1;
	text_fmt(&c->out, "%u of %u files are fine\n", checked - broken, checked);
	return broken ? -1 : 0;
}
