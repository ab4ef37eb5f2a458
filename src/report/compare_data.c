/* The comparison as CSV and JSON, every metric and every replicate: report/compare.h. */
#include <math.h>

#include "csv.h"
#include "report/compare.h"

static void csv_cell(const struct compare_report *r, const struct compare_table *t,
		     u32 load, u32 kernel, struct text *out)
{
	const struct compare_cell *c = &t->cell[load * r->req.nkernel + kernel];

	for (u32 i = 0; i < r->req.runs; i++) {
		const struct compare_value *v = &c->value[i];

		csv_put(out, r->req.load[load]);
		text_char(out, ',');
		csv_put(out, r->req.kernel[kernel]);
		text_char(out, ',');
		csv_put(out, t->metric);
		text_char(out, ',');
		csv_put(out, t->unit);
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
	json_num(j, "p", c->s.p);
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
	json_open(&j, "cells", '[');
	for (u32 m = 0; m < r->ntable; m++)
		for (u32 l = 0; l < r->req.nload; l++)
			for (u32 k = 0; k < r->req.nkernel; k++)
				json_cell(&j, r, &r->table[m], l, k);
	json_close(&j, ']');
	json_close(&j, '}');
	text_char(out, '\n');
}
