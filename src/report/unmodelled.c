/* Reading and applying the list of what is not modelled: see report/unmodelled.h. */
#include "report/unmodelled.h"

#include <string.h>
#include <unistd.h>

#include "base/yaml.h"

struct asked {
	const struct grid *g;
	const char *workload;
	struct failure *f;
};

/* The recipe is in the chain "a < b < c" of a kernel. */
static bool inherits(const struct kernel *k, const char *recipe)
{
	size_t len = strlen(recipe);

	for (const char *at = k->chain; (at = strstr(at, recipe)); at += len)
		if ((at == k->chain || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

static bool some_inherit(const struct asked *q, const char *recipe)
{
	u32 n = 0;

	for (u32 k = 0; k < q->g->nkernel; k++)
		n += inherits(q->g->kernel[k], recipe);
	return n && n < q->g->nkernel;
}

/* The value of an option by name; false: there is none of that name. */
static bool option_of(const struct kernel *k, const char *name, u64 *out)
{
	for (u32 i = 0; i < FEAT_COUNT; i++) {
		*out = k->feat[i];
		if (!strcmp(feat_rows[i].name, name))
			return true;
	}
	for (u32 i = 0; i < TUN_COUNT; i++) {
		*out = k->tun[i];
		if (!strcmp(tun_rows[i].name, name))
			return true;
	}
	for (u32 i = 0; i < SEAM_COUNT; i++) {
		*out = k->seam[i];
		if (!strcmp(seam_rows[i].name, name))
			return true;
	}
	return false;
}

static int options_differ(const struct asked *q, const struct ynode *list, bool *out)
{
	*out = false;
	if (y_expect(list, Y_SEQ, q->f))
		return -1;
	y_for_each (n, list) {
		u64 first, other;

		if (y_expect(n, Y_SCALAR, q->f))
			return -1;
		if (!option_of(q->g->kernel[0], n->text, &first))
			return y_fail(n, q->f,
				      "no option '%.60s', expected one of a kernel",
				      n->text);
		for (u32 k = 1; k < q->g->nkernel; k++)
			*out |= option_of(q->g->kernel[k], n->text, &other) &&
				other != first;
	}
	return 0;
}

static int applies(const struct asked *q, const struct ynode *entry, bool *out)
{
	const struct ynode *kernel = y_get(entry, "kernel");
	const struct ynode *options = y_get(entry, "options");
	const struct ynode *workload = y_get(entry, "workload");
	const struct ynode *nodes = y_get(entry, "nodes"), *guest = y_get(entry, "guest");
	bool is_guest = q->g->machine->host_cpus > 0, want;
	u64 least;

	*out = q->g->nkernel > 1;
	if (kernel && !some_inherit(q, kernel->text))
		*out = false;
	if (workload && strcmp(workload->text, q->workload) != 0)
		*out = false;
	if (nodes && y_value(nodes, UNIT_COUNT, 1, MACHINE_MAX_NODES, &least, q->f))
		return -1;
	if (nodes && q->g->machine->nnode < least)
		*out = false;
	if (guest && y_bool(guest, &want, q->f))
		return -1;
	if (guest && want != is_guest)
		*out = false;
	if (options) {
		if (options_differ(q, options, &want))
			return -1;
		*out = *out && want;
	}
	return 0;
}

static int check_entry(const struct ynode *entry, struct failure *f)
{
	static const char *const keys[] = {"mechanism", "kernel", "options", "workload",
					   "nodes",	"guest",  "why",     NULL};
	static const char *const texts[] = {"mechanism", "kernel", "workload", "why"};

	if (y_check_keys(entry, keys, f) || !y_need(entry, "mechanism", f) ||
	    !y_need(entry, "why", f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct ynode *n = y_get(entry, texts[i]);

		if (n && y_expect(n, Y_SCALAR, f))
			return -1;
	}
	return 0;
}

int unmodelled_find(struct arena *a, const struct library *lib, const struct grid *g,
		    const char *workload, const char **why, struct failure *f)
{
	const struct asked q = {g, workload, f};
	const char *path = library_path(lib, a, UNMODELLED);
	const struct ynode *root;
	bool hit;

	*why = NULL;
	if (access(path, R_OK))
		return 0;
	if (yaml_load_file(a, path, &root, f) || y_expect(root, Y_SEQ, f))
		return -1;
	y_for_each (entry, root) {
		if (check_entry(entry, f) || applies(&q, entry, &hit))
			return -1;
		if (hit && !*why)
			*why = arena_printf(a, "%s is not modelled: %s",
					    y_get(entry, "mechanism")->text,
					    y_get(entry, "why")->text);
	}
	return 0;
}
