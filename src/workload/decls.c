/*
 * Declarations of shared things, and references to them by name and index. Only
 * bookkeeping of the file; what a kind of thing does is in its own file.
 */
#include <string.h>

#include "resources.h"

#define THINGS_MAX 1000000u
#define SIZE_LIMIT (1ull << 40) /* bytes of one message or request */

static int compile_one(struct compiler *c, const struct ynode *entry,
		       const struct decl_type *type, struct decls *out)
{
	const struct ynode *count = entry->kind == Y_MAP ? y_get(entry, "count") : NULL;
	const char *keys[16];
	struct decl *d = arena_alloc(c->a, type->size);
	u32 n = 0;
	u64 things = 1;

	for (; type->keys[n]; n++)
		keys[n] = type->keys[n];
	keys[n++] = "count";
	keys[n] = NULL;
	if (y_check_keys(entry, keys, c->f))
		return -1;
	if (count && expr_get(&c->env, count, UNIT_COUNT, 1, THINGS_MAX, &things))
		return -1;
	memset(d, 0, type->size);
	d->name = entry->key;
	d->at = entry;
	d->first = out->total;
	d->count = (u32)things;
	if (type->compile(c, entry, d))
		return -1;
	out->total += d->count;
	if (out->total > THINGS_MAX)
		return y_fail_key(entry, c->f, "more than %u %ss, expected fewer",
				  THINGS_MAX, type->what);
	out->d[out->n++] = d;
	return 0;
}

int compile_decls(struct compiler *c, const struct ynode *map,
		  const struct decl_type *type, struct decls *out)
{
	if (!map)
		return 0;
	if (y_expect(map, Y_MAP, c->f))
		return -1;
	out->d = arena_array(c->a, struct decl *, map->n + 1);
	y_for_each (entry, map) {
		if (y_get(map, entry->key) != entry)
			return y_fail_key(entry, c->f, "%s '%s' is given twice",
					  type->what, entry->key);
		if (strpbrk(entry->key, "[] ") || !*entry->key)
			return y_fail_key(entry, c->f,
					  "'%.60s', expected a name without brackets and "
					  "spaces",
					  entry->key);
		if (compile_one(c, entry, type, out))
			return -1;
	}
	return 0;
}

static int unknown(struct compiler *c, const struct ynode *n, const char *name,
		   const struct decls *list, const char *what)
{
	const char **names = arena_array(c->a, const char *, list->n + 1), *near;

	for (u32 i = 0; i < list->n; i++)
		names[i] = list->d[i]->name;
	near = nearest_name(name, names, list->n);
	return y_fail(n, c->f, "no %s '%.60s', expected %s%s", what, name,
		      near	? near
		      : list->n ? list->d[0]->name
				: "a declaration of it at the top of the file",
		      near ? "?" : "");
}

int compile_ref(struct compiler *c, const struct ynode *n, const struct decls *list,
		const char *what, struct ref *out)
{
	const char *text, *open;
	size_t len;

	if (compile_name(c, n, &text))
		return -1;
	open = strchr(text, '[');
	len = open ? (size_t)(open - text) : strlen(text);
	out->index = NULL;
	for (u32 i = 0; i < list->n; i++) {
		const struct decl *d = list->d[i];

		if (strlen(d->name) != len || memcmp(d->name, text, len))
			continue;
		out->decl = d;
		return open ? index_compile(c, n, open, &out->index) : 0;
	}
	return unknown(c, n, arena_strndup(c->a, text, len), list, what);
}

const struct ref *compile_ref_new(struct compiler *c, const struct ynode *n,
				  const struct decls *list, const char *what)
{
	struct ref *r = arena_new(c->a, struct ref);

	return compile_ref(c, n, list, what, r) ? NULL : r;
}

int compile_ref_op(struct compiler *c, const struct ynode *arg, const struct decls *list,
		   const char *what, const struct op_type *type, const char *example)
{
	const struct ref *ref;

	if (need_arg(c, arg, example))
		return -1;
	ref = compile_ref_new(c, arg, list, what);
	if (!ref)
		return -1;
	emit(c, type)->data = ref;
	return 0;
}

int compile_sized_ref(struct compiler *c, const struct ynode *arg, const char *key,
		      const struct decls *list, const char *what, u64 least,
		      struct sized_ref *out)
{
	const char *const keys[] = {key, "size", NULL};
	const struct ynode *name = arg, *size = NULL;

	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		name = y_need(arg, key, c->f);
		size = y_get(arg, "size");
	}
	if (!name || compile_ref(c, name, list, what, &out->ref))
		return -1;
	return size ? expr_get(&c->env, size, UNIT_BYTES, least, SIZE_LIMIT, &out->size)
		    : 0;
}

u32 ref_get(struct inst *t, const struct ref *r)
{
	if (!r->index)
		return r->decl->first;
	return r->decl->first +
	       (u32)(index_value(r->index, t, t->number, r->decl->count) %
		     r->decl->count);
}

u32 ref_get_of(const struct ref *r, u64 own)
{
	if (!r->index)
		return r->decl->first;
	return r->decl->first +
	       (u32)(index_value(r->index, NULL, own, r->decl->count) % r->decl->count);
}
