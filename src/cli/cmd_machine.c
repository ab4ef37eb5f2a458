/* sibyl machine show|draw|import. */
#include <string.h>

#include "cli.h"

/* "/a/b/box-2s.xml" -> "box-2s". */
static const char *stem(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return arena_strndup(a, name, dot > name ? (size_t)(dot - name) : strlen(name));
}

int cmd_machine(struct cli *c, struct options *o)
{
	static const char *const verbs[] = {"show", "draw", "import"};
	const char *verb = o->rest[0], *what = o->rest[1], *path;
	const struct machine *m;

	if (!strcmp(verb, "import")) {
		const char *name = o->name ? o->name : stem(&c->arena, what);

		if (machine_import(&c->arena, what, o->numactl, name, &c->out, &c->fail))
			return -1;
		return cli_output(c, o->output);
	}
	if (strcmp(verb, "show") && strcmp(verb, "draw"))
		return cli_unknown(c, "verb", verb, verbs, ARRAY_SIZE(verbs));
	if (library_find(&c->library, &c->arena, LIBRARY_MACHINE, what, &path,
			 &c->fail) ||
	    machine_load(&c->arena, path, &m, &c->fail))
		return -1;
	(strcmp(verb, "show") ? machine_draw : machine_show)(m, &c->out);
	return cli_output(c, o->output);
}
