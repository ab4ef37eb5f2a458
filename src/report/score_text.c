/*
 * Scores as text. Errors are 100 times |ln ratio|, which is nearly percent; signs are
 * counted on significant cells only.
 */
#include <math.h>
#include <stdio.h>

#include "report/score.h"

static void percent_cell(struct table *t, double v)
{
	if (isnan(v))
		table_cell(t, "n/a");
	else
		table_cell(t, "%.0f%%", 100 * v);
}

static void error_cell(struct table *t, double v)
{
	if (isnan(v))
		table_cell(t, "n/a");
	else
		table_cell(t, "%.1f", 100 * v);
}

static void ratio_cell(struct table *t, double v)
{
	if (isnan(v))
		table_cell(t, "n/a");
	else
		table_cell(t, "%+.2f", v);
}

static void models(const struct score *s, struct text *out)
{
	static const char *const head[] = {"",	     "signs",	 "gains",
					   "losses", "balanced", "rank",
					   "median", "p90",	 "skill"};
	struct table t;

	table_init(&t, ARRAY_SIZE(head), 0x1fe);
	for (u32 i = 0; i < ARRAY_SIZE(head); i++)
		table_cell(&t, "%s", head[i]);
	for (u32 m = 0; m < SCORE_MODELS; m++) {
		const struct score *k = &s[m];

		table_cell(&t, "%s", score_model_name((enum score_model)m));
		table_cell(&t, "%u/%u", k->gain_hits + k->loss_hits, k->significant);
		table_cell(&t, "%u/%u", k->gain_hits, k->gains);
		table_cell(&t, "%u/%u", k->loss_hits, k->losses);
		percent_cell(&t, k->balanced);
		ratio_cell(&t, k->spearman);
		error_cell(&t, k->median);
		error_cell(&t, k->p90);
		ratio_cell(&t, k->skill);
	}
	table_render(&t, out, "  ");
	table_free(&t);
}

static void verdict(const struct score_entry *e, struct text *out)
{
	if (e->proves == SCORE_PROVES_NOTHING)
		text_str(out, "  a constant does as well: this table proves nothing\n");
	else if (e->proves != SCORE_PROVES_BOTH)
		text_fmt(out, "  better than a constant in %s only\n",
			 score_proof_name(e->proves));
}

void score_entry_text(const struct score_entry *e, struct text *out)
{
	const struct score *s = &e->score[SCORE_PREDICTED];

	text_fmt(out,
		 "score of %u cells, %u of them significant; error is 100 |ln ratio|",
		 s->cells, s->significant);
	if (!isnan(e->table.residual))
		text_fmt(out, "; first column off by %.1f", 100 * e->table.residual);
	text_char(out, '\n');
	models(e->score, out);
	verdict(e, out);
}

static void ln_cell(struct table *t, double v)
{
	if (isnan(v))
		table_cell(t, "n/a");
	else
		table_cell(t, "%+.1f", fabs(v) < 0.0005 ? 0 : 100 * v);
}

/* Every cell, the worst first. */
static void cells(const struct score_entry *e, struct text *out)
{
	const struct experiment *x = e->x;
	struct table t;

	table_init(&t, 6, 0x7);
	table_cell(&t, "error");
	table_cell(&t, "predicted");
	table_cell(&t, "published");
	table_cell(&t, "column");
	table_cell(&t, "load");
	table_cell(&t, "%s", "");
	for (u32 i = 0; i < e->table.n; i++) {
		const struct score_cell *c = &e->table.cell[e->worst[i]];
		const char *why = x->suspect[c->load * x->ncolumn + c->column];

		error_cell(&t, fabs(c->predicted - c->published));
		ln_cell(&t, c->predicted);
		ln_cell(&t, c->published);
		table_cell(&t, "%s", x->column[c->column].name);
		table_cell(&t, "%s", x->load[c->load].name);
		table_cell(&t, "%s%s%s",
			   c->significant ? (c->published > 0) == (c->predicted > 0)
						    ? ""
						    : "wrong sign"
					  : "not significant",
			   why ? "; suspect: " : "", why ? why : "");
	}
	table_render(&t, out, "  ");
	table_free(&t);
	if (x->nstray)
		text_fmt(
			out,
			"  %u printed cell%s without a place in the experiment, e.g. load "
			"'%s', column '%s'\n",
			x->nstray, x->nstray == 1 ? "" : "s", x->stray[0].load,
			x->stray[0].column);
}

static void interval_line(const char *name, double v, const struct score_interval *i,
			  double scale, const char *unit, struct text *out)
{
	text_fmt(out, "  %-17s", name);
	if (isnan(v))
		text_str(out, " n/a\n");
	else if (isnan(i->lo))
		text_fmt(out, " %.*f%s\n", scale > 1 ? 1 : 2, scale * v, unit);
	else
		text_fmt(out, " %.*f%s [%.*f, %.*f]\n", scale > 1 ? 1 : 2, scale * v,
			 unit, scale > 1 ? 1 : 2, scale * i->lo, scale > 1 ? 1 : 2,
			 scale * i->hi);
}

static void total(const struct score_report *r, struct text *out)
{
	const struct score *s = &r->total[SCORE_PREDICTED];

	text_fmt(out, "total of %u table%s, %u cells, %u of them significant\n", r->n,
		 r->n == 1 ? "" : "s", s->cells, s->significant);
	models(r->total, out);
	text_fmt(out, "  95%% interval by drawing tables anew (%s):\n",
		 r->n < 2   ? "n/a, that needs two"
		 : r->n < 6 ? "few tables: a lower bound of what is not known"
			    : "of 2000 draws");
	interval_line("signs", s->sign, &r->interval.sign, 100, " %", out);
	interval_line("balanced accuracy", s->balanced, &r->interval.balanced, 100, " %",
		      out);
	interval_line("rank correlation", s->spearman, &r->interval.spearman, 1, "", out);
	interval_line("median error", s->median, &r->interval.median, 100, "", out);
	interval_line("skill", s->skill, &r->interval.skill, 1, "", out);
}

void score_text(const struct score_report *r, struct text *out)
{
	for (u32 i = 0; i < r->n; i++) {
		const struct score_entry *e = &r->entry[i];

		text_fmt(out, "%s: %s\n", e->x->name, e->x->table);
		score_entry_text(e, out);
		text_str(out, "  cells, worst first; 100 ln ratio, + is better\n");
		cells(e, out);
		text_char(out, '\n');
	}
	total(r, out);
}
