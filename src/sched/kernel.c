/*
 * Loading a recipe: a chain of files, base first, then ad hoc options, each option set by
 * name. File:
 *
 *   description: one line
 *   source: what it is made from
 *   base: OTHER            # at most one
 *   options:
 *     wake.scan: util
 */
#include <stdio.h>
#include <string.h>

#include "base/yaml.h"
#include "sched/kernel.h"

#define MAX_CHAIN 32u

struct load {
	struct arena *arena;
	kernel_resolve resolve;
	void *ctx;
	struct kernel *k;
	const char *path[MAX_CHAIN]; /* from the asked-for recipe down to its root */
	const struct ynode *root[MAX_CHAIN];
	const char *name[MAX_CHAIN];
	u32 n;
	struct failure *f;
};

static void set_defaults(struct kernel *k)
{
	for (u32 i = 0; i < FEAT_COUNT; i++)
		k->feat[i] = feat_rows[i].def;
	for (u32 i = 0; i < TUN_COUNT; i++)
		k->tun[i] = tun_rows[i].def;
	for (u32 i = 0; i < SEAM_COUNT; i++)
		for (u32 n = 0; seam_choice(i, n); n++)
			if (!strcmp(seam_choice(i, n)->name, seam_rows[i].def))
				k->seam[i] = n;
	for (u32 i = 0; i < OPTION_COUNT; i++)
		k->origin[i] = (struct option_origin){.file = "default"};
}

/* An option answers to its own name and to the one that Linux gives it. */
static bool called(const char *key, const char *name, const char *linux_name)
{
	return !strcmp(key, name) || (*linux_name && !strcmp(key, linux_name));
}

static int set_choice(struct kernel *k, u32 seam, const struct ynode *v,
		      struct failure *f)
{
	const char *names[64];
	u32 n = 0;

	for (; n < ARRAY_SIZE(names) && seam_choice(seam, n); n++)
		names[n] = seam_choice(seam, n)->name;
	return y_choice(v, names, n, &k->seam[seam], f);
}

static int unknown(const struct ynode *v, struct failure *f)
{
	const char *names[OPTION_COUNT], *near;
	u32 n = 0;

	for (u32 i = 0; i < FEAT_COUNT; i++)
		names[n++] = feat_rows[i].name;
	for (u32 i = 0; i < TUN_COUNT; i++)
		names[n++] = tun_rows[i].name;
	for (u32 i = 0; i < SEAM_COUNT; i++)
		names[n++] = seam_rows[i].name;
	near = nearest_name(v->key, names, n);
	return y_fail_key(v, f, "unknown option '%.60s', expected %s%s%s", v->key,
			  near ? "'" : "one of `sibyl list options`", near ? near : "",
			  near ? "'?" : "");
}

static int set_option(struct kernel *k, const struct ynode *v, struct failure *f)
{
	struct option_origin from = {.file = v->file, .line = v->key_line};

	for (u32 i = 0; i < FEAT_COUNT; i++)
		if (called(v->key, feat_rows[i].name, feat_rows[i].linux_name)) {
			k->origin[i] = from;
			return y_bool(v, &k->feat[i], f);
		}
	for (u32 i = 0; i < TUN_COUNT; i++) {
		const struct tun_row *t = &tun_rows[i];

		if (!called(v->key, t->name, t->linux_name))
			continue;
		k->origin[FEAT_COUNT + i] = from;
		return y_value(v, t->unit, t->lo, t->hi, &k->tun[i], f);
	}
	for (u32 i = 0; i < SEAM_COUNT; i++)
		if (called(v->key, seam_rows[i].name, seam_rows[i].linux_name)) {
			k->origin[FEAT_COUNT + TUN_COUNT + i] = from;
			return set_choice(k, i, v, f);
		}
	return unknown(v, f);
}

static int apply(struct kernel *k, const struct ynode *options, struct failure *f)
{
	if (y_expect(options, Y_MAP, f))
		return -1;
	y_for_each (v, options) {
		if (y_get(options, v->key) != v)
			return y_fail_key(v, f, "'%s' is given twice", v->key);
		if (set_option(k, v, f))
			return -1;
	}
	return 0;
}

static int load_chain(struct load *l, const char *name)
{
	static const char *const keys[] = {"description", "source", "base", "options",
					   NULL};
	const struct ynode *base = NULL;
	const char *path;

	for (;;) {
		struct failure *f = l->f;

		if (l->resolve(l->ctx, l->arena, name, &path, f)) {
			if (!base)
				return -1;
			char why[sizeof(f->what)];

			snprintf(why, sizeof(why), "%s", f->what);
			return y_fail(base, f, "base: %s", why);
		}
		for (u32 i = 0; i < l->n; i++)
			if (base && !strcmp(path, l->path[i]))
				return y_fail(base, f,
					      "'%.60s' inherits from itself, expected "
					      "a chain that ends",
					      name);
		if (l->n == MAX_CHAIN)
			return y_fail(base, f, "more than %u bases", MAX_CHAIN);
		l->path[l->n] = path;
		l->name[l->n] = name;
		if (yaml_load_file(l->arena, path, &l->root[l->n], f) ||
		    y_check_keys(l->root[l->n], keys, f))
			return -1;
		base = y_get(l->root[l->n++], "base");
		if (!base)
			return 0;
		if (y_str(base, &name, f))
			return -1;
	}
}

static int texts(struct load *l)
{
	const struct ynode *root = l->root[0];
	const struct ynode *d = y_need(root, "description", l->f);
	const struct ynode *s = y_need(root, "source", l->f);

	if (!d || !s || y_str(d, &l->k->description, l->f) ||
	    y_str(s, &l->k->source, l->f))
		return -1;
	l->k->file = l->path[0];
	l->k->chain = l->name[0];
	for (u32 i = 1; i < l->n; i++)
		l->k->chain = arena_printf(l->arena, "%s < %s", l->k->chain, l->name[i]);
	return 0;
}

/* "a=1,b=2" -> a small YAML map, so that ad hoc options are read as those in files. */
static int apply_ad_hoc(struct load *l, const char *list)
{
	char *copy = arena_strdup(l->arena, list), *save = NULL;

	for (char *p = strtok_r(copy, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
		char *eq = strchr(p, '=');
		struct ynode v = {.kind = Y_SCALAR, .file = "command line"};

		if (!eq || eq == p || !eq[1])
			return fail_input(l->f, "command line", 0, 0,
					  "'%.60s', expected option=value", p);
		*eq = '\0';
		v.key = p;
		v.text = eq + 1;
		if (set_option(l->k, &v, l->f)) {
			char why[sizeof(l->f->what)];

			snprintf(why, sizeof(why), "%s", l->f->what);
			return fail_input(l->f, "command line", 0, 0, "option %.60s: %s",
					  p, why);
		}
	}
	return 0;
}

int kernel_load(struct arena *a, const char *what, kernel_resolve resolve, void *ctx,
		const struct kernel **out, struct failure *f)
{
	struct load l = {.arena = a, .resolve = resolve, .ctx = ctx, .f = f};
	const char *colon = strchr(what, ':');
	const char *name = colon ? arena_strndup(a, what, (size_t)(colon - what)) : what;

	l.k = arena_new(a, struct kernel);
	l.k->name = arena_strdup(a, what);
	set_defaults(l.k);
	if (load_chain(&l, arena_strdup(a, name)) || texts(&l))
		return -1;
	for (u32 i = l.n; i-- > 0;) {
		const struct ynode *options = y_get(l.root[i], "options");

		if (options && apply(l.k, options, f))
			return -1;
	}
	if (colon && apply_ad_hoc(&l, colon + 1))
		return -1;
	*out = l.k;
	return 0;
}
