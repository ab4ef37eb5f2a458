/* Reading values out of a YAML tree, with complaints that point: see base/yaml.h. */
#include "base/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_name[] = {
	[Y_SCALAR] = "a value",
	[Y_MAP] = "a map (key: value)",
	[Y_SEQ] = "a list (- item)",
};

const struct ynode *y_get(const struct ynode *map, const char *key)
{
	y_for_each (c, map)
		if (c->key && !strcmp(c->key, key))
			return c;
	return NULL;
}

const struct ynode *y_need(const struct ynode *map, const char *key, struct failure *f)
{
	const struct ynode *n = y_get(map, key);

	if (!n)
		y_fail(map, f, "no '%s', expected one", key);
	return n;
}

int y_fail(const struct ynode *n, struct failure *f, const char *fmt, ...)
{
	char what[sizeof(f->what)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return fail_input(f, n->file, n->line, n->col, "%s", what);
}

int y_fail_key(const struct ynode *n, struct failure *f, const char *fmt, ...)
{
	char what[sizeof(f->what)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return fail_input(f, n->file, n->key ? n->key_line : n->line,
			  n->key ? n->key_col : n->col, "%s", what);
}

int y_place(const struct ynode *n, struct failure *f)
{
	char what[sizeof(f->what)];

	if (f->line)
		return -1;
	if (f->file[0] && strcmp(f->file, "command line"))
		snprintf(what, sizeof(what), "%.200s: %.500s", f->file, f->what);
	else
		snprintf(what, sizeof(what), "%s", f->what);
	return y_fail(n, f, "%s", what);
}

int y_expect(const struct ynode *n, enum ykind kind, struct failure *f)
{
	if (n->kind == kind)
		return 0;
	if (n->kind == Y_SCALAR)
		return y_fail(n, f, "'%.40s', expected %s", n->text, kind_name[kind]);
	return y_fail(n, f, "%s, expected %s", kind_name[n->kind], kind_name[kind]);
}

int y_check_keys(const struct ynode *map, const char *const *keys, struct failure *f)
{
	size_t count = 0;

	if (y_expect(map, Y_MAP, f))
		return -1;
	while (keys[count])
		count++;
	y_for_each (c, map) {
		const char *near;
		size_t i = 0;

		while (i < count && strcmp(keys[i], c->key))
			i++;
		if (i < count) {
			if (y_get(map, c->key) != c)
				return y_fail_key(c, f, "'%s' is given twice", c->key);
			continue;
		}
		near = nearest_name(c->key, keys, count);
		if (near)
			return y_fail_key(c, f, "unknown key '%.60s', expected '%s'?",
					  c->key, near);
		return y_fail_key(c, f, "unknown key '%.60s', expected one of '%s'%s...",
				  c->key, keys[0], count > 1 ? ", " : "");
	}
	return 0;
}

int y_str(const struct ynode *n, const char **out, struct failure *f)
{
	if (y_expect(n, Y_SCALAR, f))
		return -1;
	*out = n->text;
	return 0;
}

int y_bool(const struct ynode *n, bool *out, struct failure *f)
{
	static const char *const words[] = {"off", "on", "false", "true", "no", "yes"};

	if (y_expect(n, Y_SCALAR, f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(n->text, words[i])) {
			*out = i & 1;
			return 0;
		}
	return y_fail(n, f, "'%.40s', expected on or off", n->text);
}

int y_value(const struct ynode *n, enum unit u, u64 lo, u64 hi, u64 *out,
	    struct failure *f)
{
	char a[40], b[40];

	if (y_expect(n, Y_SCALAR, f))
		return -1;
	if (unit_parse(n->text, u, out))
		return y_fail(n, f, "'%.40s', expected %s", n->text, unit_expected(u));
	if (*out >= lo && *out <= hi)
		return 0;
	unit_print(lo, u, a, sizeof(a));
	unit_print(hi, u, b, sizeof(b));
	return y_fail(n, f, "%.40s is out of range, expected %s to %s", n->text, a, b);
}

int y_int(const struct ynode *n, s64 lo, s64 hi, s64 *out, struct failure *f)
{
	char *end;

	if (y_expect(n, Y_SCALAR, f))
		return -1;
	*out = strtoll(n->text, &end, 10);
	if (*end || !*n->text)
		return y_fail(n, f, "'%.40s', expected a whole number", n->text);
	if (*out < lo || *out > hi)
		return y_fail(n, f, "%.40s is out of range, expected %lld to %lld",
			      n->text, (long long)lo, (long long)hi);
	return 0;
}

int y_choice(const struct ynode *n, const char *const *names, u32 count, u32 *out,
	     struct failure *f)
{
	const char *near;

	if (y_expect(n, Y_SCALAR, f))
		return -1;
	for (u32 i = 0; i < count; i++)
		if (!strcmp(n->text, names[i])) {
			*out = i;
			return 0;
		}
	near = nearest_name(n->text, names, count);
	return y_fail(n, f, "'%.40s', expected %s%s", n->text, near ? near : names[0],
		      near ? "?" : " or another choice");
}
