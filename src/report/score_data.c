/* Scores as CSV (a row a cell: what model bands are made of) and as JSON. */
#include <math.h>

#include "report/score.h"

static void csv_number(struct text *out, double v)
{
	text_char(out, ',');
	/* -0.0 is 0 */
	if (isfinite(v))
		text_fmt(out, "%.6f", fabs(v) < 5e-7 ? 0 : v);
}

void score_csv(const struct score_report *r, struct text *out)
{
	text_str(out, "experiment,kind,load,column,predicted_ln,published_ln,naive_ln,"
		      "significant,suspect\n");
	for (u32 i = 0; i < r->n; i++) {
		const struct score_entry *e = &r->entry[i];
		const struct experiment *x = e->x;

		for (u32 k = 0; k < e->table.n; k++) {
			const struct score_cell *c = &e->table.cell[k];
			const char *why = x->suspect[c->load * x->ncolumn + c->column];

			text_csv(out, x->name);
			text_fmt(out, ",%s,", e->table.kind);
			text_csv(out, x->load[c->load].name);
			text_char(out, ',');
			text_csv(out, x->column[c->column].name);
			csv_number(out, c->predicted);
			csv_number(out, c->published);
			csv_number(out, c->naive);
			text_fmt(out, ",%d,", c->significant);
			text_csv(out, why ? why : "");
			text_char(out, '\n');
		}
	}
}

static void measures(struct json *j, const struct score *s)
{
	json_u64(j, "cells", s->cells);
	json_u64(j, "significant", s->significant);
	json_num(j, "sign", s->sign);
	json_num(j, "balanced_accuracy", s->balanced);
	json_u64(j, "gains", s->gains);
	json_u64(j, "gain_hits", s->gain_hits);
	json_u64(j, "losses", s->losses);
	json_u64(j, "loss_hits", s->loss_hits);
	json_num(j, "spearman", s->spearman);
	json_num(j, "median_error", 100 * s->median);
	json_num(j, "p90_error", 100 * s->p90);
	json_num(j, "skill", s->skill);
}

static void others(struct json *j, const struct score *s)
{
	json_open(j, "models", '{');
	for (u32 m = SCORE_NULL; m < SCORE_MODELS; m++) {
		json_open(j, score_model_name((enum score_model)m), '{');
		measures(j, &s[m]);
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void cell(struct json *j, const struct score_entry *e, const struct score_cell *c)
{
	const struct experiment *x = e->x;

	json_open(j, NULL, '{');
	json_str(j, "load", x->load[c->load].name);
	json_str(j, "column", x->column[c->column].name);
	json_num(j, "error", 100 * fabs(c->predicted - c->published));
	json_num(j, "predicted_ln", c->predicted);
	json_num(j, "published_ln", c->published);
	json_num(j, "naive_ln", c->naive);
	json_bool(j, "significant", c->significant);
	json_str(j, "suspect", x->suspect[c->load * x->ncolumn + c->column]);
	/* what `sibyl explain` is to be given: the first column's, and this one's */
	json_open(j, "runs", '[');
	json_str(j, NULL, e->run[c->load * x->ncolumn]);
	json_str(j, NULL, e->run[c->load * x->ncolumn + c->column]);
	json_close(j, ']');
	json_close(j, '}');
}

void score_entry_json(struct json *j, const char *key, const struct score_entry *e)
{
	const struct experiment *x = e->x;

	json_open(j, key, '{');
	json_str(j, "experiment", x->name);
	json_str(j, "table", x->table);
	json_str(j, "kind", e->table.kind);
	json_str(j, "metric", x->metric);
	measures(j, &e->score[SCORE_PREDICTED]);
	json_num(j, "calibration_residual", 100 * e->table.residual);
	json_num(j, "model_band", e->band);
	json_str(j, "proves", score_proof_name(e->proves));
	others(j, e->score);
	json_open(j, "worst_first", '[');
	for (u32 i = 0; i < e->table.n; i++)
		cell(j, e, &e->table.cell[e->worst[i]]);
	json_close(j, ']');
	json_open(j, "without_a_place", '[');
	for (u32 i = 0; i < x->nstray; i++) {
		json_open(j, NULL, '{');
		json_str(j, "load", x->stray[i].load);
		json_str(j, "column", x->stray[i].column);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void bounds(struct json *j, const char *key, const struct score_interval *i,
		   double scale)
{
	json_open(j, key, '[');
	json_num(j, NULL, scale * i->lo);
	json_num(j, NULL, scale * i->hi);
	json_close(j, ']');
}

void score_json(const struct score_report *r, struct text *out)
{
	struct json j;

	json_init(&j, out);
	json_open(&j, NULL, '{');
	json_open(&j, "tables", '[');
	for (u32 i = 0; i < r->n; i++)
		score_entry_json(&j, NULL, &r->entry[i]);
	json_close(&j, ']');
	json_open(&j, "total", '{');
	json_u64(&j, "tables", r->n);
	measures(&j, &r->total[SCORE_PREDICTED]);
	json_num(&j, "calibration_residual", 100 * r->total[SCORE_PREDICTED].residual);
	others(&j, r->total);
	json_open(&j, "interval", '{');
	bounds(&j, "sign", &r->interval.sign, 1);
	bounds(&j, "balanced_accuracy", &r->interval.balanced, 1);
	bounds(&j, "spearman", &r->interval.spearman, 1);
	bounds(&j, "median_error", &r->interval.median, 100);
	bounds(&j, "skill", &r->interval.skill, 1);
	json_close(&j, '}');
	json_close(&j, '}');
	json_close(&j, '}');
	text_char(out, '\n');
}
