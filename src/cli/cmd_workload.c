/* sibyl workload show. */
#include <string.h>

#include "cli.h"

int cmd_workload(struct cli *c, struct options *o)
{
	static const char *const verbs[] = {"show"};
	const struct workload *w;
	const char *path;

	if (strcmp(o->rest[0], "show"))
		return cli_unknown(c, "verb", o->rest[0], verbs, ARRAY_SIZE(verbs));
	if (library_find(&c->library, &c->arena, LIBRARY_WORKLOAD, o->rest[1], &path,
			 &c->fail) ||
	    workload_load(&c->arena, path, &w, &c->fail))
		return -1;
	if (o->yaml)
		workload_yaml(w, &c->out);
	else
		workload_show(w, &c->out);
	return 0;
}
