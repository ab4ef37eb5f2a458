/*
 * Cells from the text of a mail: see experiment/printed.h. What is a cell is seen from
 * the right: a number and a percentage in brackets or asterisks. Leaves out headers of
 * two lines, whose columns are numbered instead, and rows that a mail program wrapped in
 * the middle of a cell.
 */
#include <stdlib.h>
#include <string.h>

#include "experiment/printed.h"

#define MOST_CELLS 64u

struct reading {
	struct arena *a;
	struct printed_cell *cell;
	u32 n, room, table;
	const char *header; /* the last line without cells that is not blank, or NULL */
	const char *name[MOST_CELLS];
	u32 names;
	bool begun; /* rows of a table were read since its header */
};

struct span {
	const char *from, *to;
};

/* A number as tables print them; returns what follows it, or NULL. */
static const char *number(const char *s)
{
	char *end;

	if (strspn(s, "+-.0123456789") == 0)
		return NULL;
	strtod(s, &end);
	return end == s ? NULL : end;
}

static const char *blanks(const char *s)
{
	return s + strspn(s, " ");
}

/* "12.3 (  -4.56%)" at s: its parts; returns what follows it, or NULL. */
static const char *cell_at(const char *s, struct span *value, struct span *pct,
			   bool *star)
{
	const char *at = number(s);
	char open;

	if (!at)
		return NULL;
	value->from = s;
	value->to = at;
	at = blanks(at);
	open = *at;
	if (open != '(' && open != '*')
		return NULL;
	pct->from = blanks(at + 1);
	at = number(pct->from);
	if (!at)
		return NULL;
	pct->to = at;
	if (*at != '%')
		return NULL;
	at = blanks(at + 1);
	if (*at != (open == '(' ? ')' : '*'))
		return NULL;
	*star = open == '*';
	return at + 1;
}

static const char *span_text(struct reading *r, const struct span *s)
{
	return arena_strndup(r->a, s->from, (size_t)(s->to - s->from));
}

/* Names of the header: two blanks or more are between them. */
static void split_header(struct reading *r)
{
	const char *s = r->header;

	r->names = 0;
	while (s && *(s = blanks(s)) && r->names < MOST_CELLS) {
		const char *end = strstr(s, "  ");
		struct span name = {s, end ? end : s + strlen(s)};

		while (name.to > name.from && name.to[-1] == ' ')
			name.to--;
		r->name[r->names++] = span_text(r, &name);
		s = name.to;
	}
}

/* A cell begins where a word begins. */
static bool word_begin(const char *line, const char *s)
{
	return s == line || s[-1] == ' ';
}

static bool no_cell(const char *s)
{
	return !strncmp(s, "n/a", 3) && (s[3] == ' ' || !s[3]);
}

static void add(struct reading *r, const struct printed_cell *c)
{
	if (r->n == r->room) {
		u32 room = r->room ? 2 * r->room : 64;
		struct printed_cell *more = arena_array(r->a, struct printed_cell, room);

		if (r->n)
			memcpy(more, r->cell, r->n * sizeof(*more));
		r->cell = more;
		r->room = room;
	}
	r->cell[r->n++] = *c;
}

struct row {
	struct printed_cell cell[MOST_CELLS];
	bool has[MOST_CELLS]; /* else the place says n/a */
	const char *begin[MOST_CELLS];
	u32 n;
};

static void find_cells(struct reading *r, const char *line, struct row *row)
{
	struct span value, pct;
	const char *after;
	bool star;

	row->n = 0;
	for (const char *s = line; *s && row->n < MOST_CELLS;) {
		if (!word_begin(line, s)) {
			s++;
		} else if ((after = cell_at(s, &value, &pct, &star))) {
			row->cell[row->n] =
				(struct printed_cell){.value = span_text(r, &value),
						      .pct = span_text(r, &pct),
						      .star = star};
			row->has[row->n] = true;
			row->begin[row->n++] = s;
			s = after;
		} else if (no_cell(s)) {
			row->has[row->n] = false;
			row->begin[row->n++] = s;
			s += 3;
		} else {
			s++;
		}
	}
}

static void take_row(struct reading *r, const char *line, const struct row *row)
{
	const char *label;
	u32 skip = 0;
	size_t len;

	if (!r->begun) {
		split_header(r);
		r->begun = true;
	}
	/* what is more than the header has is part of the label; prose is no header */
	if (r->names > 1 && row->n > r->names)
		skip = row->n - r->names;
	len = (size_t)(row->begin[skip] - line);
	while (len && line[len - 1] == ' ')
		len--;
	label = arena_strndup(r->a, line, len);
	for (u32 i = skip; i < row->n; i++) {
		struct printed_cell c = row->cell[i];

		if (!row->has[i])
			continue;
		c.table = r->table;
		c.label = label;
		c.column = r->names == row->n - skip
				   ? r->name[i - skip]
				   : arena_printf(r->a, "%u", i - skip + 1);
		add(r, &c);
	}
}

static void take_line(struct reading *r, const char *line)
{
	struct row row;
	bool any = false;

	find_cells(r, line, &row);
	for (u32 i = 0; i < row.n; i++)
		any = any || row.has[i];
	if (any) {
		take_row(r, line, &row);
		return;
	}
	if (!*blanks(line) || row.n)
		return;
	/* a line of text: the next row is of another table */
	r->table += r->begun;
	r->begun = false;
	r->header = line;
}

/* Without quoting, with blanks for tabs. */
static char *plain(struct arena *a, const char *s, size_t len)
{
	char *line = arena_strndup(a, s, len);
	char *at = line;

	while (*at == '>' || (at > line && *at == ' ' && at[1] == '>'))
		at++;
	if (at > line && *at == ' ')
		at++;
	for (char *c = at; *c; c++)
		if (*c == '\t' || *c == '\r')
			*c = ' ';
	return at;
}

int printed_read(struct arena *a, const char *text, size_t len, struct printed_cell **out,
		 u32 *n, struct failure *f)
{
	struct reading r = {.a = a};
	const char *s = text, *end = text + len;
	const char *held = "";

	if (memchr(text, '\0', len))
		return fail_set(f, FAIL_INPUT, NULL, "bytes of 0, expected text");
	while (s < end) {
		const char *eol = memchr(s, '\n', (size_t)(end - s));
		size_t size = (size_t)((eol ? eol : end) - s);
		const char *line = plain(a, s, size);
		size_t have = strlen(line);

		/* a soft break of quoted-printable goes on in the next line */
		if (have && line[have - 1] == '=' && eol) {
			held = arena_printf(a, "%s%.*s", held, (int)(have - 1), line);
		} else {
			take_line(&r, arena_printf(a, "%s%s", held, line));
			held = "";
		}
		s = eol ? eol + 1 : end;
	}
	*out = r.cell;
	*n = r.n;
	return 0;
}
