/*
 * An experiment as text: for each load a block, in it a line for each column with the
 * prediction on the left and what was printed on the right, each with its percentage
 * against the first column in the form of report/compare.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/experiment.h"
#include "verdict.h"

#define INDENT 2

struct layout {
	u32 name;   /* widest column name */
	int places; /* digits after the point */
};

static u32 width_of(const char *s)
{
	u32 n = 0;

	/* one a code point */
	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static struct layout measure(const struct experiment_report *r)
{
	const struct experiment *x = r->x;
	struct layout l = {.name = 12, .places = 2};
	double small = INFINITY;

	for (u32 k = 0; k < x->ncolumn; k++)
		l.name = max_u32(l.name, width_of(x->column[k].name));
	for (u32 i = 0; i < x->nload * x->ncolumn; i++) {
		if (fabs(r->cell[i].predicted.mean) > 0)
			small = fmin(small, fabs(r->cell[i].predicted.mean));
		if (fabs(r->cell[i].published.value) > 0)
			small = fmin(small, fabs(r->cell[i].published.value));
	}
	for (; l.places < 6 && small < 10; l.places++)
		small *= 10;
	return l;
}

static void padded(struct text *out, const char *s, u32 width)
{
	u32 n = width_of(s);

	text_str(out, s);
	for (; n < width; n++)
		text_char(out, ' ');
}

static void number(struct text *out, double v, int places, int width)
{
	if (isfinite(v))
		text_fmt(out, " %*.*f", width, places, v);
	else
		text_fmt(out, " %*s", width, "n/a");
}

static void line(const struct experiment_report *r, const struct layout *l, u32 load,
		 u32 column, struct text *out)
{
	const struct experiment_cell *c = &r->cell[load * r->x->ncolumn + column];
	const struct stat_cell printed = {.significant = c->published.significant > 0,
					  .outside_noise = c->published.significant > 0};
	char change[32];

	text_fmt(out, "%*s", INDENT, "");
	padded(out, r->x->column[column].name, l->name);
	number(out, c->predicted.mean, l->places, 11);
	number(out, c->predicted.stddev, l->places, 9);
	verdict_percent(change, c->predicted.delta, &c->predicted);
	text_fmt(out, " %s", change);
	if (!r->x->published) {
		text_char(out, '\n');
		return;
	}
	text_str(out, " |");
	number(out, c->published.value, l->places, 11);
	number(out, c->published.stddev, l->places, 9);
	verdict_percent(change, c->published.pct, &printed);
	text_fmt(out, " %s\n", change);
}

static void legend(const struct experiment_report *r, struct text *out)
{
	const struct experiment *x = r->x;
	char span[64] = "to the end of the work";
	u32 lo = UINT32_MAX, hi = 0;

	for (u32 i = 0; i < x->nload * x->ncolumn; i++) {
		lo = min_u32(lo, r->cell[i].predicted.n);
		hi = max_u32(hi, r->cell[i].predicted.n);
	}
	if (r->duration) {
		unit_print(r->duration, UNIT_TIME, span, sizeof(span));
		strncat(span, " simulated", sizeof(span) - strlen(span) - 1);
	}
	text_fmt(out, "\nin %s, %s is better; ", r->unit,
		 x->higher_better ? "higher" : "lower");
	if (lo == hi)
		text_fmt(out, "n=%u runs a cell\n", lo);
	else
		text_fmt(out, "n=%u to %u runs a cell\n", lo, hi);
	if (r->runs_of.req.runs_rule)
		text_fmt(out, "%s\n", r->runs_of.req.runs_rule);
	text_fmt(out, "machine %s, workload %s, metric %s, %s, seed %llu\n", x->machine,
		 x->workload, x->metric, span, (unsigned long long)r->seed);
	text_fmt(out, "(x%%) against the first column, + is better%s:\n",
		 x->published ? "; published as its author marked it, predicted" : "");
	if (r->table) {
		verdict_legend(&r->runs_of.req, r->table, out);
		verdict_power(&r->runs_of.req, r->table, out);
		verdict_remarks(&r->runs_of, out);
	}
	if (x->published && !x->spread)
		text_str(out, "the printed deviations are within a run: they are not "
			      "shown\n");
	if (*x->note)
		text_fmt(out, "note: %s\n", x->note);
	text_fmt(out, "%s: %s\n", x->published ? "published" : "source", x->source);
}

void experiment_text(const struct experiment_report *r, struct text *out)
{
	const struct experiment *x = r->x;
	struct layout l = measure(r);

	text_fmt(out, "%s\n%s\n\n", x->table, x->printed_metric);
	text_fmt(out, "%*s", INDENT, "");
	padded(out, "", l.name);
	if (x->published)
		text_fmt(out, " %11s %9s %*s | %11s %9s\n", "predicted", "SD", 10, "",
			 "published", "SD");
	else
		text_fmt(out, " %11s %9s\n", "predicted", "SD");
	for (u32 i = 0; i < x->nload; i++) {
		text_fmt(out, "%s\n", x->load[i].name);
		for (u32 k = 0; k < x->ncolumn; k++)
			line(r, &l, i, k, out);
	}
	legend(r, out);
}
