/* sibyl list: names with a line on each, straight from the data folder. */
#include <string.h>

#include "base/yaml.h"
#include "cli.h"

static const char *description(struct cli *c, const char *path)
{
	const struct ynode *top, *n;
	struct failure f;
	const char *s;

	if (yaml_load_file(&c->arena, path, &top, &f))
		return "(cannot be loaded: see 'sibyl check --all')";
	n = top->kind == Y_MAP ? y_get(top, "description") : NULL;
	if (!n || y_str(n, &s, &f))
		return "";
	return s;
}

static int list_files(struct cli *c, enum library_kind kind)
{
	const char *const *names;
	struct table t;
	u32 n;

	if (library_names(&c->library, &c->arena, kind, &names, &n, &c->fail))
		return -1;
	table_init(&t, 2, 0);
	for (u32 i = 0; i < n; i++) {
		const char *path;

		if (library_find(&c->library, &c->arena, kind, names[i], &path,
				 &c->fail)) {
			table_free(&t);
			return -1;
		}
		table_cell(&t, "%s", names[i]);
		table_cell(&t, "%s", description(c, path));
	}
	if (n)
		table_render(&t, &c->out, "");
	table_free(&t);
	if (kind == LIBRARY_MACHINE)
		text_str(&c->out, "and 'this', a file, or a topology such as "
				  "\"pack:2 core:4 pu:2\"\n");
	return 0;
}

int cmd_list(struct cli *c, struct options *o)
{
	const char *names[LIBRARY_KINDS + 2];

	for (enum library_kind k = 0; k < LIBRARY_KINDS; k++) {
		names[k] = library_folder(k);
		if (!strcmp(o->rest[0], names[k]))
			return list_files(c, k);
	}
	names[LIBRARY_KINDS] = "options";
	names[LIBRARY_KINDS + 1] = "operations";
	if (!strcmp(o->rest[0], "options"))
		kernel_list_options(&c->out);
	else if (!strcmp(o->rest[0], "operations"))
		workload_list_operations(&c->out);
	else
		return cli_unknown(c, "list", o->rest[0], names, ARRAY_SIZE(names));
	return 0;
}
