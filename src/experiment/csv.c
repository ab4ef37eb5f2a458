/*
 * A reader of comma separated values with quotes (RFC 4180). Leaves out other separators
 * and encodings: bytes are kept as they are.
 */
#include "csv.h"

#include <string.h>

#include "base/yaml.h"

struct reader {
	struct arena *a;
	const char *name, *at, *end;
	const char *bol; /* begin of the line */
	u32 line;
	bool last; /* the field read last ended its row */
};

static u32 column_of(const struct reader *r)
{
	return (u32)(r->at - r->bol) + 1;
}

/* A line end inside or behind a field. */
static void next_line(struct reader *r)
{
	r->line++;
	r->bol = r->at;
}

static int quoted(struct reader *r, char *buf, size_t *len, struct failure *f)
{
	u32 line = r->line, col = column_of(r);

	for (r->at++;; r->at++) {
		if (r->at == r->end)
			return fail_input(f, r->name, line, col,
					  "quotes that do not end, expected a '\"'");
		if (*r->at == '"') {
			if (r->at + 1 == r->end || r->at[1] != '"')
				break;
			r->at++;
		}
		buf[(*len)++] = *r->at;
		if (*r->at == '\n') {
			r->line++;
			r->bol = r->at + 1;
		}
	}
	r->at++;
	return 0;
}

static int read_field(struct reader *r, const char **out, struct failure *f)
{
	size_t len = 0;
	char *buf;

	if (r->at < r->end && *r->at == '"') {
		const char *stop = r->at + 1;

		while (stop < r->end && (*stop != '"' || (stop[1] == '"' && ++stop)))
			stop++;
		buf = arena_alloc(r->a, (size_t)(stop - r->at) + 1);
		if (quoted(r, buf, &len, f))
			return -1;
	} else {
		size_t n = strcspn(r->at, ",\r\n");

		buf = arena_strndup(r->a, r->at, n);
		len = n;
		r->at += n;
	}
	buf[len] = '\0';
	*out = buf;
	if (r->at < r->end && *r->at == '\r' && r->at[1] == '\n')
		r->at++;
	r->last = r->at == r->end || *r->at == '\n';
	if (!r->last && *r->at != ',')
		return fail_input(f, r->name, r->line, column_of(r),
				  "something behind closing quotes, expected a comma");
	if (r->at < r->end)
		r->at++;
	if (r->last)
		next_line(r);
	return 0;
}

static void skip_blank(struct reader *r)
{
	while (r->at < r->end && (*r->at == '\n' || *r->at == '\r')) {
		bool line = *r->at++ == '\n';

		if (line)
			next_line(r);
	}
}

static int header(struct reader *r, struct csv *t, struct failure *f)
{
	t->name = arena_array(r->a, const char *, CSV_MAX_COLS);
	skip_blank(r);
	if (r->at == r->end)
		return fail_input(f, r->name, 1, 1, "nothing in it, expected a header");
	for (r->last = false; !r->last; t->cols++) {
		if (t->cols == CSV_MAX_COLS)
			return fail_input(f, r->name, r->line, column_of(r),
					  "more than %u columns", CSV_MAX_COLS);
		if (read_field(r, &t->name[t->cols], f))
			return -1;
	}
	return 0;
}

static int read_row(struct reader *r, struct csv *t, struct failure *f)
{
	const char **row = &t->field[(size_t)t->rows * t->cols];
	u32 n = 0;

	t->line[t->rows] = r->line;
	for (r->last = false; !r->last; n++) {
		if (n == t->cols)
			return fail_input(f, r->name, r->line, column_of(r),
					  "more fields than the header's %u", t->cols);
		if (read_field(r, &row[n], f))
			return -1;
	}
	if (n != t->cols)
		return fail_input(f, r->name, t->line[t->rows], 1,
				  "%u fields, expected %u as in the header", n, t->cols);
	t->rows++;
	return 0;
}

int csv_parse(struct arena *a, const char *name, const char *text, size_t len,
	      struct csv *out, struct failure *f)
{
	struct reader r = {a, name, text, text + len, text, 1, false};
	u32 lines = 1;

	memset(out, 0, sizeof(*out));
	out->file = arena_strdup(a, name);
	if (memchr(text, '\0', len))
		return fail_input(f, name, 1, 1, "bytes of 0, expected text");
	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	if (header(&r, out, f))
		return -1;
	out->field = arena_array(a, const char *, (size_t)lines * out->cols);
	out->line = arena_array(a, u32, lines);
	for (skip_blank(&r); r.at < r.end; skip_blank(&r))
		if (read_row(&r, out, f))
			return -1;
	return 0;
}

int csv_load(struct arena *a, const char *path, struct csv *out, struct failure *f)
{
	char *text;
	size_t len;

	if (file_read(a, path, CSV_MAX_BYTES, &text, &len, f))
		return -1;
	return csv_parse(a, path, text, len, out, f);
}

int csv_column(const struct csv *t, const char *name, u32 *out, struct failure *f)
{
	const char *near;

	for (*out = 0; *out < t->cols; (*out)++)
		if (!strcmp(t->name[*out], name))
			return 0;
	near = nearest_name(name, t->name, t->cols);
	if (near)
		return fail_input(f, t->file, 1, 1, "no column '%s', but a '%.60s'", name,
				  near);
	return fail_input(f, t->file, 1, 1, "no column '%s', expected one", name);
}
