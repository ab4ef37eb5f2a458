/* sibyl kernel show|diff. */
#include <string.h>

#include "cli.h"

static int load(struct cli *c, const char *name, const struct kernel **out)
{
	return kernel_load(&c->arena, name, library_resolve_kernel, &c->library, out,
			   &c->fail);
}

int cmd_kernel(struct cli *c, struct options *o)
{
	static const char *const verbs[] = {"show", "diff"};
	const struct kernel *a, *b;
	bool diff = !strcmp(o->rest[0], "diff");

	if (!diff && strcmp(o->rest[0], "show"))
		return cli_unknown(c, "verb", o->rest[0], verbs, ARRAY_SIZE(verbs));
	if (o->nrest != (diff ? 3 : 2))
		return fail_set(&c->fail, FAIL_INPUT, NULL, "expected: sibyl kernel %s%s",
				o->rest[0], diff ? " KERNEL KERNEL" : " KERNEL");
	if (load(c, o->rest[1], &a) || (diff && load(c, o->rest[2], &b)))
		return -1;
	if (!diff)
		kernel_show(a, &c->out);
	else if (!kernel_diff(a, b, &c->out))
		text_str(&c->out, "no difference\n");
	return 0;
}
