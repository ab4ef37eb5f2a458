/* YAML to a tree of nodes, through libyaml's event parser: see base/yaml.h. */
#include "base/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

struct loader {
	struct arena *arena;
	const char *file;
	yaml_parser_t parser;
	u32 nodes;
	struct failure *f;
};

int file_read(struct arena *a, const char *path, size_t max, char **text, size_t *len,
	      struct failure *f)
{
	FILE *in = fopen(path, "rb");
	struct stat st;
	size_t cap = 65536, n = 0, got;
	char *buf;

	if (!in)
		return fail_input(f, path, 0, 0, "cannot be opened: %s", strerror(errno));
	if (!fstat(fileno(in), &st) && S_ISDIR(st.st_mode)) {
		fclose(in);
		return fail_input(f, path, 0, 0, "is a directory, expected a file");
	}
	if (!fstat(fileno(in), &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		cap = (size_t)st.st_size + 1;
	if (cap > max)
		cap = max;
	buf = arena_alloc(a, cap + 1);
	while ((got = fread(buf + n, 1, cap - n, in)) > 0) {
		n += got;
		if (n == cap && cap < max) {
			size_t bigger = cap * 2 < max ? cap * 2 : max;
			char *nb = arena_alloc(a, bigger + 1);

			memcpy(nb, buf, n);
			buf = nb;
			cap = bigger;
		}
	}
	got = (size_t)(fgetc(in) != EOF);
	if (ferror(in)) {
		fclose(in);
		return fail_set(f, FAIL_IO, path, "cannot be read: %s", strerror(errno));
	}
	fclose(in);
	if (got)
		return fail_input(f, path, 0, 0, "is larger than %zu bytes", max);
	buf[n] = '\0';
	*text = buf;
	*len = n;
	return 0;
}

static int parse_error(struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	const char *what = p->problem ? p->problem : "not YAML";

	if (p->error == YAML_READER_ERROR)
		return fail_input(l->f, l->file, 1, 1,
				  "%s at byte %zu, expected YAML text", what,
				  p->problem_offset);
	return fail_input(l->f, l->file, (u32)p->problem_mark.line + 1,
			  (u32)p->problem_mark.column + 1, "%s%s%s", what,
			  p->context ? " " : "", p->context ? p->context : "");
}

static int event_next(struct loader *l, yaml_event_t *ev)
{
	if (!yaml_parser_parse(&l->parser, ev))
		return parse_error(l);
	return 0;
}

static int event_fail(struct loader *l, yaml_event_t *ev, const char *what)
{
	u32 line = (u32)ev->start_mark.line + 1, col = (u32)ev->start_mark.column + 1;

	yaml_event_delete(ev);
	return fail_input(l->f, l->file, line, col, "%s", what);
}

static struct ynode *node_new(struct loader *l, const yaml_event_t *ev, enum ykind kind)
{
	struct ynode *n = arena_new(l->arena, struct ynode);

	n->kind = kind;
	n->file = l->file;
	n->line = (u32)ev->start_mark.line + 1;
	n->col = (u32)ev->start_mark.column + 1;
	return n;
}

static int node_from(struct loader *l, yaml_event_t *ev, u32 depth, struct ynode **out);

static int children(struct loader *l, struct ynode *parent, u32 depth)
{
	bool map = parent->kind == Y_MAP;
	struct ynode **tail = &parent->first;

	for (;;) {
		struct ynode *key = NULL, *val;
		yaml_event_t ev;

		if (event_next(l, &ev))
			return -1;
		if (ev.type == YAML_MAPPING_END_EVENT ||
		    ev.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&ev);
			return 0;
		}
		if (map) {
			if (ev.type != YAML_SCALAR_EVENT)
				return event_fail(l, &ev, "a key must be a plain word");
			if (node_from(l, &ev, depth, &key) || event_next(l, &ev))
				return -1;
		}
		if (node_from(l, &ev, depth + 1, &val))
			return -1;
		if (key) {
			val->key = key->text;
			val->key_line = key->line;
			val->key_col = key->col;
		}
		*tail = val;
		tail = &val->next;
		parent->n++;
	}
}

static int scalar_from(struct loader *l, yaml_event_t *ev, struct ynode **out)
{
	const char *text = (const char *)ev->data.scalar.value;
	size_t len = ev->data.scalar.length;

	if (ev->data.scalar.tag)
		return event_fail(l, ev,
				  "tags are not supported, expected the value itself");
	if (memchr(text, '\0', len))
		return event_fail(l, ev, "a zero byte in a text");
	*out = node_new(l, ev, Y_SCALAR);
	(*out)->text = arena_strndup(l->arena, text, len);
	(*out)->quoted = ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	yaml_event_delete(ev);
	return 0;
}

/* Takes the event over: it is deleted on every path. */
static int node_from(struct loader *l, yaml_event_t *ev, u32 depth, struct ynode **out)
{
	bool map = ev->type == YAML_MAPPING_START_EVENT;

	if (++l->nodes > YAML_MAX_NODES)
		return event_fail(l, ev, "too many values in one file");
	if (depth > YAML_MAX_DEPTH)
		return event_fail(l, ev, "nested more than 64 deep");
	if (ev->type == YAML_SCALAR_EVENT && !ev->data.scalar.anchor)
		return scalar_from(l, ev, out);
	if ((map && ev->data.mapping_start.tag) ||
	    (ev->type == YAML_SEQUENCE_START_EVENT && ev->data.sequence_start.tag))
		return event_fail(l, ev,
				  "tags are not supported, expected the value itself");
	if ((map && ev->data.mapping_start.anchor) ||
	    (ev->type == YAML_SEQUENCE_START_EVENT && ev->data.sequence_start.anchor))
		return event_fail(l, ev,
				  "anchors and aliases are not supported, "
				  "expected the value itself");
	if (!map && ev->type != YAML_SEQUENCE_START_EVENT)
		return event_fail(l, ev,
				  "anchors and aliases are not supported, "
				  "expected the value itself");
	*out = node_new(l, ev, map ? Y_MAP : Y_SEQ);
	yaml_event_delete(ev);
	return children(l, *out, depth);
}

static int load(struct loader *l, const struct ynode **out)
{
	yaml_event_t ev;
	struct ynode *root = NULL;

	for (;;) {
		yaml_event_type_t type;

		if (event_next(l, &ev))
			return -1;
		type = ev.type;
		if (type == YAML_STREAM_END_EVENT) {
			yaml_event_delete(&ev);
			break;
		}
		if (type == YAML_STREAM_START_EVENT ||
		    type == YAML_DOCUMENT_START_EVENT ||
		    type == YAML_DOCUMENT_END_EVENT) {
			yaml_event_delete(&ev);
			continue;
		}
		if (root)
			return event_fail(l, &ev, "a second document, expected one");
		if (node_from(l, &ev, 0, &root))
			return -1;
	}
	if (!root)
		return fail_input(l->f, l->file, 1, 1,
				  "the file is empty, expected a map");
	*out = root;
	return 0;
}

int yaml_load_text(struct arena *a, const char *name, const char *text, size_t len,
		   const struct ynode **out, struct failure *f)
{
	struct loader l = {.arena = a, .file = arena_strdup(a, name), .f = f};
	int rc;

	if (!yaml_parser_initialize(&l.parser))
		abort();
	yaml_parser_set_input_string(&l.parser, (const unsigned char *)text, len);
	rc = load(&l, out);
	yaml_parser_delete(&l.parser);
	return rc;
}

int yaml_load_file(struct arena *a, const char *path, const struct ynode **out,
		   struct failure *f)
{
	char *text;
	size_t len;

	if (file_read(a, path, YAML_MAX_BYTES, &text, &len, f))
		return -1;
	return yaml_load_text(a, path, text, len, out, f);
}
