/*
 * Printed cells from CSV, to CSV and to text: see experiment/printed.h. Reading text:
 * printed_read.c.
 */
#include "experiment/printed.h"

#include <string.h>

#include "csv.h"

#define FIELDS 13u

static const char *const names[FIELDS] = {
	"source",	    "machine",	 "workload",   "metric",	  "unit",
	"higher_is_better", "load",	 "policy",     "baseline_policy", "value",
	"stddev_or_blank",  "pct_delta", "significant"};

static const char **field_of(struct printed_row *r, u32 i)
{
	const char **const to[FIELDS] = {
		&r->source, &r->machine, &r->workload, &r->metric,   &r->unit,
		&r->higher, &r->load,	 &r->policy,   &r->baseline, &r->value,
		&r->spread, &r->pct,	 &r->mark};

	return to[i];
}

static int rows_of(struct arena *a, const struct csv *t, struct printed_row **out, u32 *n,
		   struct failure *f)
{
	u32 col[FIELDS];

	for (u32 i = 0; i < FIELDS; i++)
		if (csv_column(t, names[i], &col[i], f))
			return -1;
	*n = t->rows;
	*out = arena_array(a, struct printed_row, t->rows + 1);
	for (u32 r = 0; r < t->rows; r++)
		for (u32 i = 0; i < FIELDS; i++)
			*field_of(&(*out)[r], i) = csv_field(t, r, col[i]);
	return 0;
}

int printed_load(struct arena *a, const char *path, struct printed_row **out, u32 *n,
		 struct failure *f)
{
	struct csv t;

	return csv_load(a, path, &t, f) || rows_of(a, &t, out, n, f) ? -1 : 0;
}

int printed_parse(struct arena *a, const char *name, const char *text, size_t len,
		  struct printed_row **out, u32 *n, struct failure *f)
{
	struct csv t;

	return csv_parse(a, name, text, len, &t, f) || rows_of(a, &t, out, n, f) ? -1 : 0;
}

void printed_csv(const struct printed_row *row, u32 n, struct text *out)
{
	for (u32 i = 0; i < FIELDS; i++)
		text_fmt(out, "%s%s", i ? "," : "", names[i]);
	text_char(out, '\n');
	for (u32 r = 0; r < n; r++) {
		struct printed_row copy = row[r];

		for (u32 i = 0; i < FIELDS; i++) {
			if (i)
				text_char(out, ',');
			text_csv(out, *field_of(&copy, i));
		}
		text_char(out, '\n');
	}
}

/* One table being laid out: its loads and policies in the order of their rows. */
struct layout {
	const struct printed_row *row; /* of the file */
	const u32 *member;	       /* rows of this table */
	u32 n;
	const char **load, **policy;
	u32 nload, npolicy;
};

static bool same_table(const struct printed_row *a, const struct printed_row *b)
{
	return !strcmp(a->source, b->source) && !strcmp(a->machine, b->machine) &&
	       !strcmp(a->workload, b->workload) && !strcmp(a->metric, b->metric) &&
	       !strcmp(a->unit, b->unit) && !strcmp(a->baseline, b->baseline);
}

static void add_name(const char **all, u32 *n, const char *name)
{
	for (u32 i = 0; i < *n; i++)
		if (!strcmp(all[i], name))
			return;
	all[(*n)++] = name;
}

static u32 width_of(const char *s)
{
	u32 n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void pad(struct text *out, const char *s, u32 width, bool right)
{
	u32 n = width_of(s), gap = n < width ? width - n : 0;

	if (!right)
		text_str(out, s);
	while (gap--)
		text_char(out, ' ');
	if (right)
		text_str(out, s);
}

static const struct printed_row *find(const struct layout *l, u32 load, u32 policy)
{
	for (u32 i = 0; i < l->n; i++) {
		const struct printed_row *r = &l->row[l->member[i]];

		if (!strcmp(r->load, l->load[load]) &&
		    !strcmp(r->policy, l->policy[policy]))
			return r;
	}
	return NULL;
}

static const char *cell_text(struct arena *a, const struct printed_row *r)
{
	bool star = r && !strcmp(r->mark, "1");

	if (!r)
		return "n/a";
	return arena_printf(a, "%s %c%7s%%%c", r->value, star ? '*' : '(', r->pct,
			    star ? '*' : ')');
}

static void draw(struct arena *a, const struct layout *l, struct text *out)
{
	u32 first = 0, width = 0;

	for (u32 i = 0; i < l->nload; i++)
		first = max_u32(first, width_of(l->load[i]));
	for (u32 i = 0; i < l->npolicy; i++) {
		width = max_u32(width, width_of(l->policy[i]));
		for (u32 k = 0; k < l->nload; k++)
			width = max_u32(width, width_of(cell_text(a, find(l, k, i))));
	}
	pad(out, "", first, false);
	for (u32 i = 0; i < l->npolicy; i++) {
		text_str(out, "  ");
		pad(out, l->policy[i], width, true);
	}
	text_char(out, '\n');
	for (u32 k = 0; k < l->nload; k++) {
		pad(out, l->load[k], first, false);
		for (u32 i = 0; i < l->npolicy; i++) {
			text_str(out, "  ");
			pad(out, cell_text(a, find(l, k, i)), width, true);
		}
		text_char(out, '\n');
	}
}

void printed_text(struct arena *a, const struct printed_row *row, u32 n, struct text *out)
{
	bool *done = arena_array(a, bool, n + 1);
	u32 *member = arena_array(a, u32, n + 1);

	for (u32 i = 0; i < n; i++)
		done[i] = !*row[i].value || !*row[i].pct;
	for (u32 i = 0; i < n; i++) {
		struct layout l = {.row = row, .member = member};

		if (done[i])
			continue;
		l.load = arena_array(a, const char *, n);
		l.policy = arena_array(a, const char *, n);
		for (u32 k = i; k < n; k++) {
			if (done[k] || !same_table(&row[i], &row[k]))
				continue;
			done[k] = true;
			member[l.n++] = k;
			add_name(l.load, &l.nload, row[k].load);
			add_name(l.policy, &l.npolicy, row[k].policy);
		}
		draw(a, &l, out);
		text_char(out, '\n');
	}
}
