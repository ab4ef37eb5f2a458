/*
 * The tree of a workload file as YAML again: what a translated rt-app file would look
 * like, to start a native one from. Parameters and comments of a native file are lost on
 * the way, so only its own text would do; for rt-app nothing is lost but the comments.
 */
#include <ctype.h>
#include <string.h>

#include "plan.h"

#define FLAT_KEYS 6u /* a map of no more values stands on one line */

/* A text that YAML reads as itself, also inside of brackets. */
static bool is_plain(const char *s)
{
	if (!isalnum((unsigned char)*s) && *s != '/')
		return *s == '-' && isdigit((unsigned char)s[1]);
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr(" _-./%", *s))
			return false;
	return s[-1] != ' ';
}

static void put_text(const char *s, struct text *out)
{
	if (is_plain(s)) {
		text_str(out, s);
		return;
	}
	text_char(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			text_char(out, '\\');
		if (iscntrl((unsigned char)*s))
			text_fmt(out, "\\x%02x", (unsigned char)*s);
		else
			text_char(out, *s);
	}
	text_char(out, '"');
}

static bool is_flat(const struct ynode *n)
{
	if (n->kind == Y_SCALAR)
		return true;
	if (n->n > FLAT_KEYS)
		return false;
	y_for_each (c, n)
		if (c->kind != Y_SCALAR)
			return false;
	return true;
}

static void put_flat(const struct ynode *n, struct text *out)
{
	const char *sep = "";

	if (n->kind == Y_SCALAR) {
		put_text(n->text, out);
		return;
	}
	text_char(out, n->kind == Y_MAP ? '{' : '[');
	y_for_each (c, n) {
		text_str(out, sep);
		if (c->key) {
			put_text(c->key, out);
			text_str(out, ": ");
		}
		put_flat(c, out);
		sep = ", ";
	}
	text_char(out, n->kind == Y_MAP ? '}' : ']');
}

static void put_block(const struct ynode *n, u32 indent, struct text *out);

/* "key: value", the value on lines of its own if it is long. */
static void put_pair(const struct ynode *c, u32 indent, struct text *out)
{
	put_text(c->key, out);
	text_char(out, ':');
	if (is_flat(c)) {
		text_char(out, ' ');
		put_flat(c, out);
		text_char(out, '\n');
		return;
	}
	text_char(out, '\n');
	put_block(c, indent + 2, out);
}

static void put_block(const struct ynode *n, u32 indent, struct text *out)
{
	y_for_each (c, n) {
		text_fmt(out, "%*s%s", (int)indent, "", n->kind == Y_SEQ ? "- " : "");
		if (c->key) {
			put_pair(c, indent, out);
		} else if (c->kind == Y_MAP && c->n == 1) {
			put_pair(c->first, indent + 2, out);
		} else {
			put_flat(c, out);
			text_char(out, '\n');
		}
	}
}

void workload_yaml(const struct workload *w, struct text *out)
{
	put_block(w->root, 0, out);
}
