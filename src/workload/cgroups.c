/*
 * `cgroups:` of a workload file: the cgroup hierarchy that its tasks run in.
 *
 *   cgroups:
 *     a: {weight: 100}             # cpu.weight, 1 to 10000; 100 = a nice 0 task
 *     b: {weight: 300, parent: a}  # a parent is declared before its children
 *     c: {cookie: yes}             # tagged for core scheduling: its tasks share a cookie
 */
#include <string.h>

#include "compile.h"

#define WEIGHT_MAX     10000u
#define WEIGHT_DEFAULT 100u
#define SHARES_OF_100  1024u

int find_cgroup(struct compiler *c, const struct ynode *n, u32 *out)
{
	const char **names = arena_array(c->a, const char *, c->ncgroup + 1), *near;

	if (y_expect(n, Y_SCALAR, c->f))
		return -1;
	for (u32 i = 0; i < c->ncgroup; i++) {
		names[i] = c->cgroup[i].name;
		if (strcmp(names[i], n->text))
			continue;
		*out = i;
		return 0;
	}
	near = nearest_name(n->text, names, c->ncgroup);
	return y_fail(n, c->f, "no cgroup '%.60s' so far, expected %s%s", n->text,
		      near ? near : "one of `cgroups:`", near ? "?" : "");
}

static int compile_one(struct compiler *c, const struct ynode *entry, struct cgroup *g)
{
	static const char *const keys[] = {"weight", "parent", "cookie", NULL};
	const struct ynode *weight, *parent, *cookie;
	u64 value = WEIGHT_DEFAULT;

	if (y_check_keys(entry, keys, c->f))
		return -1;
	weight = y_get(entry, "weight");
	parent = y_get(entry, "parent");
	cookie = y_get(entry, "cookie");
	if (cookie && y_bool(cookie, &g->cookie, c->f))
		return -1;
	g->name = entry->key;
	g->parent = CGROUP_ROOT;
	if (weight && expr_get(&c->env, weight, UNIT_COUNT, 1, WEIGHT_MAX, &value))
		return -1;
	g->shares = value * SHARES_OF_100 / 100;
	return parent ? find_cgroup(c, parent, &g->parent) : 0;
}

int compile_cgroups(struct compiler *c, const struct ynode *cgroups)
{
	if (!cgroups)
		return 0;
	if (y_expect(cgroups, Y_MAP, c->f))
		return -1;
	c->cgroup = arena_array(c->a, struct cgroup, cgroups->n + 1);
	y_for_each (entry, cgroups) {
		if (y_get(cgroups, entry->key) != entry)
			return y_fail_key(entry, c->f, "cgroup '%s' is given twice",
					  entry->key);
		if (compile_one(c, entry, &c->cgroup[c->ncgroup]))
			return -1;
		c->ncgroup++;
	}
	return 0;
}
