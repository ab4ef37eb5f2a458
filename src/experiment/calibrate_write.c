/*
 * Fitted values into data files: finds where a value stands, replaces these characters
 * and those of its source, and reads the result back before anything is written. Leaves
 * out values that a file takes over from another.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/calibrate.h"
#include "experiment_file.h"

struct place {
	const struct ynode *value, *source; /* source NULL: the row has none */
};

static const struct ynode *get(const struct ynode *map, const char *key)
{
	return map && map->kind == Y_MAP ? y_get(map, key) : NULL;
}

static bool is_text(const struct ynode *n, const char *text, size_t len)
{
	return n && n->kind == Y_SCALAR && strlen(n->text) == len &&
	       !strncmp(n->text, text, len);
}

static void smt_place(const struct ynode *rows, const char *name, struct place *p)
{
	if (!rows || rows->kind != Y_SEQ)
		return;
	y_for_each (row, rows) {
		const struct ynode *self = get(row, "self"), *other = get(row, "other");
		size_t n = self && self->kind == Y_SCALAR ? strlen(self->text) : 0;

		if (n && is_text(self, name, n) && name[n] == '.' &&
		    is_text(other, name + n + 1, strlen(name + n + 1))) {
			p->value = get(row, "keep");
			p->source = get(row, "source");
		}
	}
}

/* "NAME: value" or "NAME: {KEY: value, source: text}". */
static void row_place(const struct ynode *row, const char *key, struct place *p)
{
	p->value = row;
	if (!row || row->kind != Y_MAP)
		return;
	p->value = get(row, key);
	p->source = get(row, "source");
}

static void find(const struct ynode *root, const struct experiment_fit *fit,
		 struct place *p)
{
	const char *name = fit->machine;

	memset(p, 0, sizeof(*p));
	if (fit->workload) {
		row_place(get(get(root, "params"), fit->workload), "default", p);
		if (!p->value)
			p->value = get(get(root, "set"), fit->workload);
	} else if (!strncmp(name, "smt.", 4)) {
		smt_place(get(root, "smt"), name + 4, p);
	} else if (!strncmp(name, "costs.", 6)) {
		row_place(get(get(root, "costs"), name + 6), "value", p);
	} else {
		p->value = get(get(root, "frequency"), "hold");
	}
}

/* Byte of a place; columns count characters. */
static const char *at(const char *text, u32 line, u32 col)
{
	while (--line)
		text = strchr(text, '\n') + 1;
	for (; *text && col > 1; col--)
		for (text++; ((unsigned char)*text & 0xc0) == 0x80;)
			text++;
	return text;
}

/* The end of a scalar that begins at s; NULL if its form is not a simple one. */
static const char *end_of(const struct ynode *n, const char *s)
{
	size_t len = strlen(n->text);

	if (!n->quoted)
		return strncmp(s, n->text, len) ? NULL : s + len;
	if (*s != '"')
		return NULL;
	for (s++; *s && *s != '"'; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s ? s + 1 : NULL;
}

static void splice(struct text *out, const char *text, const char *from, const char *to,
		   const char *by)
{
	text_put(out, text, (size_t)(from - text));
	text_str(out, by);
	text_str(out, to);
}

/* Replace a scalar; text is replaced by a new one in the arena. */
static int replace(struct arena *a, const struct ynode *n, const char *by, char **text,
		   struct failure *f)
{
	const char *from = at(*text, n->line, n->col), *to = end_of(n, from);
	struct text out = {0};

	if (!to)
		return y_fail(n, f,
			      "cannot be replaced in this form, expected it on one line "
			      "or in double quotes");
	splice(&out, *text, from, to, by);
	*text = arena_strndup(a, out.s, out.len);
	text_free(&out);
	return 0;
}

/* A comment at the end of the line of a value; an earlier one of ours goes. */
static void comment(struct arena *a, const struct ynode *n, const char *source,
		    char **text)
{
	const char *line = at(*text, n->line, 1), *end = line + strcspn(line, "\n"),
		   *old = strstr(line, " # calibrated-on:");
	struct text out = {0};

	splice(&out, *text, old && old < end ? old : end, end,
	       arena_printf(a, " # %s", source));
	*text = arena_strndup(a, out.s, out.len);
	text_free(&out);
}

static int edit(struct arena *a, const struct experiment_fit *fit, const char *path,
		u64 value, const char *source, char **text, size_t len, struct failure *f)
{
	const struct ynode *root;
	struct place p;
	u64 now;

	if (yaml_load_text(a, path, *text, len, &root, f))
		return -1;
	find(root, fit, &p);
	if (!p.value || p.value->kind != Y_SCALAR)
		return fail_set(f, FAIL_INPUT, path,
				"'%.80s' does not stand in this file, expected it here "
				"for its value to be replaced",
				fit->workload ? fit->workload : fit->machine);
	/* from the end of the file, so that the other place stays where it is */
	if (!p.source)
		comment(a, p.value, source, text);
	else if (p.source->line > p.value->line ||
		 (p.source->line == p.value->line && p.source->col > p.value->col)) {
		if (replace(a, p.source, arena_printf(a, "\"%s\"", source), text, f))
			return -1;
		p.source = NULL;
	}
	if (replace(a, p.value, fit_text(a, fit, value), text, f) ||
	    (p.source &&
	     replace(a, p.source, arena_printf(a, "\"%s\"", source), text, f)))
		return -1;
	if (yaml_load_text(a, path, *text, strlen(*text), &root, f))
		return -1;
	find(root, fit, &p);
	if (!p.value || y_value(p.value, fit->unit, 0, UINT64_MAX, &now, f))
		return fail_set(f, FAIL_INPUT, path,
				"'%.80s' stands in a form that cannot be replaced",
				fit->workload ? fit->workload : fit->machine);
	return 0;
}

/* Through a file beside it, so that a full disk leaves the old one. */
static int put(struct arena *a, const char *path, const char *text, struct failure *f)
{
	const char *beside = arena_printf(a, "%s.new", path);
	FILE *file = fopen(beside, "we");
	bool bad = !file || fputs(text, file) < 0;

	if (file)
		bad |= fclose(file) != 0;
	if (!bad && !rename(beside, path))
		return 0;
	fail_set(f, FAIL_IO, path, "cannot be written: %s", strerror(errno));
	unlink(beside);
	return -1;
}

int calibrate_write(struct arena *a, const struct experiment_fit *fit, const char *path,
		    u64 value, const char *source, bool write, struct failure *f)
{
	char *text;
	size_t len;

	if (strpbrk(source, "\"\\\n"))
		return fail_set(f, FAIL_INPUT, path,
				"a source with quotes, expected plain text: %.100s",
				source);
	if (file_read(a, path, YAML_MAX_BYTES, &text, &len, f) ||
	    edit(a, fit, path, value, source, &text, len, f))
		return -1;
	return write ? put(a, path, text, f) : 0;
}
