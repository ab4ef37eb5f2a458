/*
 * The comparison in the look of the field (mmtests tables of 2018 to 2024): a value, and
 * in brackets the percentage against the first column, in asterisks where it is
 * significant. It differs on purpose: missing is "n/a", n is shown, and a name is broken
 * for the header so that no letter is lost.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/compare.h"
#include "verdict.h"

#define VALUE_WIDTH 12
#define CELL_WIDTH  (VALUE_WIDTH + 1 + VERDICT_WIDTH) /* "value (  12.34%)" */

struct layout {
	u32 cell;   /* columns of a cell */
	u32 what;   /* "Hmean", "CoeffVar" */
	u32 load;   /* label of the row */
	int places; /* digits after the point */
};

/* Columns that UTF-8 takes on a terminal, one per code point. */
static u32 columns(const char *s, size_t len)
{
	u32 n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static void spaces(struct text *out, u32 n)
{
	while (n--)
		text_char(out, ' ');
}

static void left(struct text *out, const char *s, u32 width)
{
	u32 n = columns(s, strlen(s));

	text_str(out, s);
	spaces(out, n < width ? width - n : 0);
}

static void right(struct text *out, const char *s, size_t len, u32 width)
{
	u32 n = columns(s, len);

	spaces(out, n < width ? width - n : 0);
	text_put(out, s, len);
}

static void trim_line(struct text *out)
{
	while (out->len && out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	text_char(out, '\n');
}

/*
 * Where a name is broken over the two header lines: first letter of the second. With ad
 * hoc options anywhere in the table it is the options that go below; else it is what
 * follows the first dash, so that families of kernels line up.
 */
static const char *break_name(const char *name, bool options)
{
	const char *at = strchr(name, options ? ':' : '-');

	return at ? at + 1 : NULL;
}

static void header_line(const struct compare_report *r, const struct layout *l,
			bool options, u32 line, struct text *out)
{
	spaces(out, l->what + 1 + l->load);
	for (u32 k = 0; k < r->req.nkernel; k++) {
		const char *name = r->req.kernel[k], *below = break_name(name, options);
		const char *s = name;
		size_t len = strlen(name);

		if (below && !line)
			len = (size_t)(below - name - 1);
		else if (below)
			s = below;
		else if (line == (options ? 1u : 0u))
			s = ""; /* an unbroken name stands on one line only */
		text_char(out, ' ');
		right(out, s, s == name ? len : strlen(s), l->cell);
	}
	trim_line(out);
}

static bool any_options(const struct compare_report *r)
{
	for (u32 k = 0; k < r->req.nkernel; k++)
		if (strchr(r->req.kernel[k], ':'))
			return true;
	return false;
}

static u32 cell_width(const struct compare_report *r, bool options)
{
	u32 width = CELL_WIDTH;

	for (u32 k = 0; k < r->req.nkernel; k++) {
		const char *name = r->req.kernel[k], *below = break_name(name, options);

		if (!below) {
			width = max_u32(width, columns(name, strlen(name)));
			continue;
		}
		width = max_u32(width, columns(name, (size_t)(below - name - 1)));
		width = max_u32(width, columns(below, strlen(below)));
	}
	return width;
}

/* Two digits after the point, more where the numbers are small, at most six. */
static int places_of(const struct compare_report *r, const struct compare_table *t)
{
	double small = INFINITY;
	int places = 2;

	for (u32 i = 0; i < r->req.nload * r->req.nkernel; i++)
		if (fabs(t->cell[i].s.mean) > 0)
			small = fmin(small, fabs(t->cell[i].s.mean));
	for (; places < 6 && small < 10; places++)
		small *= 10;
	return places;
}

static void draw_cell(const struct compare_cell *c, const struct layout *l, u32 row,
		      bool mean, struct text *out)
{
	char text[96], change[32];
	int n;

	verdict_percent(change, c->pct[row], mean ? &c->s : NULL);
	if (!isfinite(c->row[row]))
		/* under the numbers, so that what stands in brackets stays in line */
		n = snprintf(text, sizeof(text), "n/a%*s", CELL_WIDTH - VALUE_WIDTH, "");
	else
		n = snprintf(text, sizeof(text), "%.*f %s", l->places, c->row[row],
			     change);
	text_char(out, ' ');
	right(out, text, (size_t)n, l->cell);
}

static void draw_rows(const struct compare_report *r, const struct compare_table *t,
		      const struct layout *l, u32 row, struct text *out)
{
	u32 nrow;
	const struct stat_row *rows = stat_row_set(r->req.rows, &nrow);
	char name[16];

	stat_row_name(&rows[row], t->higher_better, r->req.rule.mode, name);
	for (u32 i = 0; i < r->req.nload; i++) {
		left(out, name, l->what);
		text_char(out, ' ');
		left(out, r->req.load[i], l->load);
		for (u32 k = 0; k < r->req.nkernel; k++)
			draw_cell(&t->cell[i * r->req.nkernel + k], l, row,
				  rows[row].kind == STAT_ROW_MEAN, out);
		trim_line(out);
	}
}

/* "0.660 [0.521, 0.832]": mean over the baseline's, and its 95 % interval. */
static void ratio_text(const struct stat_cell *s, char *out, size_t size)
{
	if (isnan(s->ratio))
		snprintf(out, size, "n/a");
	else if (isnan(s->ratio_lo))
		snprintf(out, size, "%.3f [n/a]", s->ratio);
	else
		snprintf(out, size, "%.3f [%.3f, %.3f]", s->ratio, s->ratio_lo,
			 s->ratio_hi);
}

static void draw_tests(const struct compare_report *r, const struct compare_table *t,
		       const struct layout *l, bool rank, struct text *out)
{
	char text[96];

	for (u32 i = 0; i < r->req.nload * r->req.nkernel; i++) {
		const struct stat_cell *s = &t->cell[i].s;

		if (!(i % r->req.nkernel)) {
			left(out, rank ? "rank p" : "Ratio", l->what);
			text_char(out, ' ');
			left(out, r->req.load[i / r->req.nkernel], l->load);
			spaces(out, l->cell + 1);
			continue;
		}
		if (!rank)
			ratio_text(s, text, sizeof(text));
		else if (isnan(s->p_rank))
			snprintf(text, sizeof(text), "n/a");
		else
			snprintf(text, sizeof(text), "%.2g", s->p_rank);
		text_char(out, ' ');
		right(out, text, strlen(text), l->cell);
		if ((i + 1) % r->req.nkernel == 0)
			trim_line(out);
	}
}

static void legend(const struct compare_report *r, const struct compare_table *t,
		   struct text *out)
{
	u32 lo = UINT32_MAX, hi = 0;
	char span[64] = "to the end of the work";
	const struct compare_request *q = &r->req;

	for (u32 i = 0; i < q->nload * q->nkernel; i++) {
		lo = min_u32(lo, t->cell[i].s.n);
		hi = max_u32(hi, t->cell[i].s.n);
	}
	if (q->duration) {
		unit_print(q->duration, UNIT_TIME, span, sizeof(span));
		strncat(span, " simulated", sizeof(span) - strlen(span) - 1);
	}
	text_fmt(out, "\n%s in %s, %s is better; ", t->metric, t->unit,
		 t->higher_better ? "higher" : "lower");
	if (*q->load_name)
		text_fmt(out, "rows: %s; ", q->load_name);
	if (lo == hi)
		text_fmt(out, "n=%u runs a cell\n", lo);
	else
		text_fmt(out, "n=%u to %u runs a cell\n", lo, hi);
	if (q->runs_rule)
		text_fmt(out, "%s\n", q->runs_rule);
	text_fmt(out, "machine %s, workload %s, %s, seed %llu\n", q->machine, q->workload,
		 span, (unsigned long long)q->seed);
	text_fmt(out, "(x%%) against the first column, + is better%s\n",
		 stat_own(q->rule.mode) && t->compared
			 ? "; Ratio of arithmetic means [95% interval]"
			 : "");
	verdict_legend(q, t, out);
	verdict_power(q, t, out);
	verdict_remarks(r, out);
}

/* Which lines there are, and how wide what stands before the numbers is. */
struct plan {
	u32 nrow;
	bool spread, ratio, rank;
};

static void measure(const struct compare_report *r, const struct compare_table *t,
		    struct plan *p, struct layout *l)
{
	const struct stat_row *rows = stat_row_set(r->req.rows, &p->nrow);
	char name[16];

	for (u32 i = 0; i < r->req.nload * r->req.nkernel; i++) {
		p->spread = p->spread || t->cell[i].s.n > 1;
		p->rank = p->rank || !isnan(t->cell[i].s.p_rank);
	}
	p->ratio = t->compared && stat_own(r->req.rule.mode);
	p->rank = p->ratio && p->rank && r->req.nkernel > 1;
	if (!p->spread)
		p->nrow = 1;
	for (u32 i = 0; p->spread && i < p->nrow; i++) {
		stat_row_name(&rows[i], t->higher_better, r->req.rule.mode, name);
		l->what = max_u32(l->what, (u32)strlen(name));
	}
	for (u32 i = 0; i < r->req.nload; i++)
		l->load =
			max_u32(l->load, columns(r->req.load[i], strlen(r->req.load[i])));
}

/* The row of the means, the only one of a table without replicates. */
static u32 mean_row(const struct compare_report *r)
{
	u32 n, i = 0;
	const struct stat_row *rows = stat_row_set(r->req.rows, &n);

	while (rows[i].kind != STAT_ROW_MEAN)
		i++;
	return i;
}

void compare_text(const struct compare_report *r, u32 table, struct text *out)
{
	const struct compare_table *t = &r->table[table];
	bool options = any_options(r);
	struct layout l = {.cell = cell_width(r, options), .what = 5};
	struct plan p = {0};

	l.places = places_of(r, t);
	measure(r, t, &p, &l);
	header_line(r, &l, options, 0, out);
	header_line(r, &l, options, 1, out);
	for (u32 row = 0; row < p.nrow; row++)
		draw_rows(r, t, &l, p.spread ? row : mean_row(r), out);
	if (p.ratio)
		draw_tests(r, t, &l, false, out);
	if (p.rank)
		draw_tests(r, t, &l, true, out);
	legend(r, t, out);
}
