/* The comparison as CSV and JSON, every metric and every replicate: report/compare.h. */
#include <math.h>

#include "report/compare.h"
#include "verdict.h"

static void csv_cell(const struct compare_report *r, const struct compare_table *t,
		     u32 load, u32 kernel, struct text *out)
{
	const struct compare_cell *c = &t->cell[load * r->req.nkernel + kernel];

	for (u32 i = 0; i < r->req.runs; i++) {
		const struct compare_value *v = &c->value[i];

		text_csv(out, r->req.load[load]);
		text_char(out, ',');
		text_csv(out, r->req.kernel[kernel]);
		text_char(out, ',');
		text_csv(out, t->metric);
		text_char(out, ',');
		text_csv(out, t->unit);
		text_fmt(out, ",%s,%u,", t->higher_better ? "higher" : "lower", i);
		if (v->has)
			text_fmt(out, "%llu,%.9g,%s\n", (unsigned long long)v->seed,
				 v->value, v->id);
		else
			text_str(out, ",n/a,\n");
	}
}

void compare_csv(const struct compare_report *r, struct text *out)
{
	text_str(out, "load,kernel,metric,unit,better,replicate,seed,value,run\n");
	for (u32 m = 0; m < r->ntable; m++)
		for (u32 l = 0; l < r->req.nload; l++)
			for (u32 k = 0; k < r->req.nkernel; k++)
				csv_cell(r, &r->table[m], l, k, out);
}

void json_cell_tests(struct json *j, const struct stat_cell *s)
{
	json_num(j, "p", s->p);
	json_num(j, "p_adjusted", s->p_adjusted);
	json_num(j, "p_rank", s->p_rank);
	json_num(j, "p_paired", s->p_paired);
	json_num(j, "ratio", s->ratio);
	json_num(j, "ratio_lo", s->ratio_lo);
	json_num(j, "ratio_hi", s->ratio_hi);
	json_num(j, "detectable_pct", s->detectable);
	json_bool(j, "outside_noise", s->outside_noise);
	json_bool(j, "outside_model_band", s->outside_band);
}

static void json_rows(struct json *j, const struct compare_report *r,
		      const struct compare_table *t, const struct compare_cell *c)
{
	u32 n;
	const struct stat_row *row = stat_row_set(r->req.rows, &n);
	char name[16];

	if (r->req.rows == STAT_ROWS_SHORT)
		return; /* they have members of their own */
	json_open(j, "rows", '{');
	for (u32 i = 0; i < n; i++) {
		stat_row_name(&row[i], t->higher_better, r->req.rule.mode, name);
		json_num(j, name, c->row[i]);
	}
	json_close(j, '}');
}

static void json_cell(struct json *j, const struct compare_report *r,
		      const struct compare_table *t, u32 load, u32 kernel)
{
	const struct compare_cell *c = &t->cell[load * r->req.nkernel + kernel];

	json_open(j, NULL, '{');
	json_str(j, "load", r->req.load[load]);
	json_str(j, "kernel", r->req.kernel[kernel]);
	json_str(j, "metric", t->metric);
	json_str(j, "unit", t->unit);
	json_str(j, "better", t->higher_better ? "higher" : "lower");
	json_u64(j, "n", c->s.n);
	json_num(j, "mean", c->s.mean);
	json_num(j, "stddev", c->s.stddev);
	json_num(j, "pct", c->s.delta);
	json_bool(j, "significant", c->s.significant);
	json_cell_tests(j, &c->s);
	json_rows(j, r, t, c);
	json_open(j, "values", '[');
	for (u32 i = 0; i < r->req.runs; i++)
		json_num(j, NULL, c->value[i].has ? c->value[i].value : NAN);
	json_close(j, ']');
	json_open(j, "runs", '[');
	for (u32 i = 0; i < r->req.runs; i++)
		json_str(j, NULL, c->value[i].id);
	json_close(j, ']');
	json_close(j, '}');
}

void compare_json(const struct compare_report *r, struct text *out)
{
	bool main = r->ntable && r->table[r->main_table].higher_better;
	struct json j;

	json_init(&j, out);
	json_open(&j, NULL, '{');
	json_str(&j, "machine", r->req.machine);
	json_str(&j, "workload", r->req.workload);
	json_str(&j, "load", r->req.load_name);
	json_str(&j, "baseline", r->req.nkernel ? r->req.kernel[0] : NULL);
	json_str(&j, "metric", r->ntable ? r->table[r->main_table].metric : NULL);
	json_u64(&j, "runs", r->req.runs);
	json_u64(&j, "seed", r->req.seed);
	json_fixed(&j, "duration_s", r->req.duration, 9);
	json_str(&j, "stats", stat_mode_name(r->req.rule.mode));
	json_num(&j, "model_band",
		 r->req.band[main].source ? r->req.band[main].band : NAN);
	json_str(&j, "not_modelled", r->req.unmodelled);
	json_open(&j, "unexercised", '[');
	for (u32 k = 1; r->unexercised && k < r->req.nkernel; k++)
		if (r->unexercised[k])
			json_str(&j, NULL, r->req.kernel[k]);
	json_close(&j, ']');
	json_open(&j, "cells", '[');
	for (u32 m = 0; m < r->ntable; m++)
		for (u32 l = 0; l < r->req.nload; l++)
			for (u32 k = 0; k < r->req.nkernel; k++)
				json_cell(&j, r, &r->table[m], l, k);
	json_close(&j, ']');
	json_close(&j, '}');
	text_char(out, '\n');
}
