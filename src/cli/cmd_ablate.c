/*
 * sibyl ablate: what does each part of a recipe do? The recipe, then the recipe with one
 * of its choices after the other as its base has it, then the base: a comparison like any
 * other. What two choices do together does not show.
 */
#include <string.h>

#include "cli.h"

/* "coresched-v3:hz=1000" is made from coresched-v3, and that from what its file names. */
static int find_base(struct cli *c, const struct kernel *k, const char **base)
{
	const char *colon = strchr(k->name, ':'), *up = strstr(k->chain, " < "), *end;

	if (colon) {
		*base = arena_strndup(&c->arena, k->name, (size_t)(colon - k->name));
		return 0;
	}
	if (!up)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"kernel '%.60s' has no base, expected a recipe with one, "
				"or the kernel to compare it with behind it",
				k->name);
	up += strlen(" < ");
	end = strstr(up, " < ");
	*base = arena_strndup(&c->arena, up, end ? (size_t)(end - up) : strlen(up));
	return 0;
}

static int load(struct cli *c, const char *name, const struct kernel **out)
{
	return kernel_load(&c->arena, name, library_resolve_kernel, &c->library, out,
			   &c->fail);
}

/* Both texts have a line "option=value" for every option, in the same order. */
u32 cli_put_back(struct cli *c, const struct kernel *k, const struct kernel *base,
		 const char **kernel)
{
	char sign = strchr(k->name, ':') ? ',' : ':';
	char *sa = NULL, *sb = NULL, *a, *b;
	struct text mine = {0}, its = {0};
	u32 n = 0;

	kernel_canonical(k, &mine);
	kernel_canonical(base, &its);
	a = strtok_r(arena_strdup(&c->arena, mine.s), "\n", &sa);
	b = strtok_r(arena_strdup(&c->arena, its.s), "\n", &sb);
	for (; a && b; a = strtok_r(NULL, "\n", &sa), b = strtok_r(NULL, "\n", &sb))
		if (strcmp(a, b))
			kernel[n++] = arena_printf(&c->arena, "%s%c%s", k->name, sign, b);
	text_free(&mine);
	text_free(&its);
	return n;
}

int cmd_ablate(struct cli *c, struct options *o)
{
	const char **kernel = arena_array(&c->arena, const char *, OPTION_COUNT + 2);
	const struct kernel *k, *base;
	const char *base_name = NULL;
	u32 n;

	if (load(c, o->rest[0], &k))
		return -1;
	if (o->nrest > 1)
		base_name = o->rest[1];
	else if (find_base(c, k, &base_name))
		return -1;
	if (load(c, base_name, &base))
		return -1;
	kernel[0] = o->rest[0];
	n = cli_put_back(c, k, base, kernel + 1);
	if (!n)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"kernel '%.60s' is as '%.60s' in every option, expected "
				"a difference",
				kernel[0], base_name);
	kernel[n + 1] = base_name;
	o->req.kernel = kernel;
	o->req.nkernel = n + 2;
	if (cmd_compare(c, o))
		return -1;
	if (o->format == FORMAT_TEXT)
		text_fmt(&c->out,
			 "\n%s with one choice at a time as %s has it; %s itself last.\n",
			 kernel[0], base_name, base_name);
	return 0;
}
