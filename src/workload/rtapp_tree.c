/* Nodes of the native tree of an rt-app file, and values with the types of JSON. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtapp.h"

static struct ynode *node(struct rtapp *r, const struct ynode *at, enum ykind kind)
{
	struct ynode *n = arena_new(r->a, struct ynode);

	n->kind = kind;
	n->file = at->file;
	n->line = at->line;
	n->col = at->col;
	n->key_line = at->key ? at->key_line : at->line;
	n->key_col = at->key ? at->key_col : at->col;
	return n;
}

struct branch rtapp_map(struct rtapp *r, const struct ynode *at)
{
	struct ynode *n = node(r, at, Y_MAP);

	return (struct branch){n, &n->first};
}

struct branch rtapp_list(struct rtapp *r, const struct ynode *at)
{
	struct ynode *n = node(r, at, Y_SEQ);

	return (struct branch){n, &n->first};
}

struct ynode *rtapp_word(struct rtapp *r, const struct ynode *at, const char *fmt, ...)
{
	struct ynode *n = node(r, at, Y_SCALAR);
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	n->text = arena_strdup(r->a, text);
	free(text);
	return n;
}

void rtapp_add(struct rtapp *r, struct branch *b, const char *key, struct ynode *child)
{
	if (key)
		child->key = arena_strdup(r->a, key);
	*b->tail = child;
	b->tail = &child->next;
	b->node->n++;
}

void rtapp_op(struct rtapp *r, struct branch *program, const struct ynode *at,
	      const char *name, struct ynode *arg)
{
	struct branch item;

	if (!arg) {
		rtapp_add(r, program, NULL, rtapp_word(r, at, "%s", name));
		return;
	}
	item = rtapp_map(r, at);
	rtapp_add(r, &item, name, arg);
	rtapp_add(r, program, NULL, item.node);
}

/* What a node is, in the words of JSON. */
static const char *what(const struct ynode *n)
{
	if (n->kind == Y_MAP)
		return "an object";
	if (n->kind == Y_SEQ)
		return "an array";
	if (n->quoted)
		return "a string";
	return *n->text ? n->text : "no value";
}

static int mismatch(struct rtapp *r, const struct ynode *n, const char *expected)
{
	if (n->key)
		return y_fail(n, r->f, "'%.60s' is %.60s, expected %s", n->key, what(n),
			      expected);
	return y_fail(n, r->f, "%.60s, expected %s", what(n), expected);
}

int rtapp_int(struct rtapp *r, const struct ynode *n, s64 lo, s64 hi, s64 *out)
{
	char *end;

	if (n->kind != Y_SCALAR || n->quoted || !*n->text)
		return mismatch(r, n, "an integer");
	errno = 0;
	*out = strtoll(n->text, &end, 10);
	if (*end)
		return mismatch(r, n, "an integer");
	if (errno || *out < lo || *out > hi)
		return y_fail(n, r->f, "%.40s is out of range, expected %lld to %lld",
			      n->text, (long long)lo, (long long)hi);
	return 0;
}

int rtapp_str(struct rtapp *r, const struct ynode *n, const char **out)
{
	if (n->kind != Y_SCALAR || !n->quoted)
		return mismatch(r, n, "a string");
	*out = n->text;
	return 0;
}

int rtapp_bool(struct rtapp *r, const struct ynode *n, bool *out)
{
	static const char *const words[] = {"false", "true"};

	for (u32 i = 0; n->kind == Y_SCALAR && !n->quoted && i < 2; i++)
		if (!strcasecmp(n->text, words[i])) {
			*out = i;
			return 0;
		}
	return mismatch(r, n, "true or false");
}

int rtapp_object(struct rtapp *r, const struct ynode *n)
{
	return n->kind == Y_MAP ? 0 : mismatch(r, n, "an object");
}

int rtapp_keys(struct rtapp *r, const struct ynode *map, const char *const *keys)
{
	return rtapp_object(r, map) ? -1 : y_check_keys(map, keys, r->f);
}
