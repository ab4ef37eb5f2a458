/*
 * `cgroups:` of a workload file: the cgroup hierarchy that its tasks run in.
 *
 *   cgroups:
 *     a: {weight: 100}             # cpu.weight, 1 to 10000; 100 = a nice 0 task
 *     b: {weight: 300, parent: a}  # a parent is declared before its children
 *     c: {cookie: yes}             # tagged for core scheduling: its tasks share a cookie
 *     f: {cookie: $tagged}         # the same if the parameter is 1
 *     d: {max: {quota: 50 ms, period: 100 ms, burst: 10 ms}}   # cpu.max, cpu.max.burst
 *     e: {idle: yes}               # cpu.idle
 */
#include <string.h>

#include "compile.h"

#define WEIGHT_MAX     10000u
#define WEIGHT_DEFAULT 100u
#define SHARES_OF_100  1024u
#define QUOTA_LEAST    NS_PER_MS
#define QUOTA_MOST     (1ull << 44) /* ns; about 5 hours, as Linux has it */
#define PERIOD_DEFAULT (100 * NS_PER_MS)

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

/* Within the bounds that Linux has for cpu.max and cpu.max.burst. */
static int compile_max(struct compiler *c, const struct ynode *max, struct cgroup *g)
{
	static const char *const keys[] = {"quota", "period", "burst", NULL};
	struct group_limit *l = &g->limit;
	const struct ynode *quota, *period, *burst;

	if (y_check_keys(max, keys, c->f))
		return -1;
	quota = y_need(max, "quota", c->f);
	period = y_get(max, "period");
	burst = y_get(max, "burst");
	l->period = PERIOD_DEFAULT;
	if (!quota ||
	    expr_get(&c->env, quota, UNIT_TIME, QUOTA_LEAST, QUOTA_MOST, &l->quota))
		return -1;
	if (period &&
	    expr_get(&c->env, period, UNIT_TIME, QUOTA_LEAST, NS_PER_SEC, &l->period))
		return -1;
	g->limited = true;
	return burst ? expr_get(&c->env, burst, UNIT_TIME, 0, l->quota, &l->burst) : 0;
}

/* yes, no, or an expression that is 1 or 0, so that a parameter can say it. */
static int compile_switch(struct compiler *c, const struct ynode *n, bool *out)
{
	u64 value;

	if (n->kind != Y_SCALAR || !strchr(n->text, '$'))
		return y_bool(n, out, c->f);
	if (expr_get(&c->env, n, UNIT_COUNT, 0, 1, &value))
		return -1;
	*out = value != 0;
	return 0;
}

/* What a cgroup is besides its weight and its place. */
static int compile_flags(struct compiler *c, const struct ynode *entry, struct cgroup *g)
{
	const struct ynode *cookie = y_get(entry, "cookie"), *idle = y_get(entry, "idle");
	const struct ynode *max = y_get(entry, "max");

	if (cookie && compile_switch(c, cookie, &g->cookie))
		return -1;
	if (idle && y_bool(idle, &g->idle, c->f))
		return -1;
	if (g->idle && y_get(entry, "weight"))
		return y_fail(y_get(entry, "weight"), c->f,
			      "a weight beside `idle: yes`, expected one of the two: an "
			      "idle cgroup weighs 3");
	return max ? compile_max(c, max, g) : 0;
}

static int compile_one(struct compiler *c, const struct ynode *entry, struct cgroup *g)
{
	static const char *const keys[] = {"weight", "parent", "cookie",
					   "idle",   "max",    NULL};
	const struct ynode *weight, *parent;
	u64 value = WEIGHT_DEFAULT;

	if (y_check_keys(entry, keys, c->f))
		return -1;
	weight = y_get(entry, "weight");
	parent = y_get(entry, "parent");
	if (compile_flags(c, entry, g))
		return -1;
	g->name = entry->key;
	g->parent = CGROUP_ROOT;
	if (weight && expr_get(&c->env, weight, UNIT_COUNT, 1, WEIGHT_MAX, &value))
		return -1;
	g->shares = value * SHARES_OF_100 / 100;
	return parent ? find_cgroup(c, parent, &g->parent) : 0;
}

/* NAME, or {name: NAME, if: $tagged}: there only if the expression is 1. */
int compile_cgroup_of(struct compiler *c, const struct ynode *n, u32 *out)
{
	static const char *const keys[] = {"name", "if", NULL};
	const struct ynode *name, *when;
	bool there;
	u32 group;

	if (n->kind != Y_MAP)
		return find_cgroup(c, n, out);
	if (y_check_keys(n, keys, c->f))
		return -1;
	name = y_need(n, "name", c->f);
	when = name ? y_need(n, "if", c->f) : NULL;
	if (!when || find_cgroup(c, name, &group) || compile_switch(c, when, &there))
		return -1;
	*out = there ? group : CGROUP_ROOT;
	return 0;
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
