/* An experiment as CSV and JSON, a row or an object for each cell: report/experiment.h.
 */
#include <math.h>

#include "report/experiment.h"
#include "verdict.h"

static const char *better(const struct experiment *x)
{
	return x->higher_better ? "higher" : "lower";
}

static void csv_number(struct text *out, double v)
{
	text_char(out, ',');
	if (isfinite(v))
		text_fmt(out, "%.9g", v);
}

static void csv_cell(const struct experiment_report *r, u32 load, u32 column,
		     struct text *out)
{
	const struct experiment *x = r->x;
	const struct experiment_cell *c = &r->cell[load * x->ncolumn + column];
	const char *const name[] = {x->printed_metric,
				    r->unit,
				    better(x),
				    x->load[load].name,
				    x->column[column].name,
				    x->column[column].kernel};

	for (u32 i = 0; i < ARRAY_SIZE(name); i++) {
		if (i)
			text_char(out, ',');
		text_csv(out, name[i]);
	}
	csv_number(out, c->predicted.mean);
	csv_number(out, c->predicted.stddev);
	text_fmt(out, ",%u", c->predicted.n);
	csv_number(out, c->predicted.delta);
	text_fmt(out, ",%d", c->predicted.significant);
	csv_number(out, c->published.value);
	csv_number(out, c->published.stddev);
	csv_number(out, c->published.pct);
	text_char(out, ',');
	if (c->published.significant >= 0)
		text_fmt(out, "%d", c->published.significant);
	text_char(out, '\n');
}

void experiment_csv(const struct experiment_report *r, struct text *out)
{
	text_str(out, "metric,unit,better,load,column,kernel,mean,stddev,n,pct,"
		      "significant,published,published_stddev,published_pct,"
		      "published_significant\n");
	for (u32 l = 0; l < r->x->nload; l++)
		for (u32 k = 0; k < r->x->ncolumn; k++)
			csv_cell(r, l, k, out);
}

static void json_cell(struct json *j, const struct experiment_report *r, u32 load,
		      u32 column)
{
	const struct experiment *x = r->x;
	const struct experiment_cell *c = &r->cell[load * x->ncolumn + column];

	json_open(j, NULL, '{');
	json_str(j, "table", x->table);
	json_str(j, "metric", x->printed_metric);
	json_str(j, "unit", r->unit);
	json_str(j, "load", x->load[load].name);
	json_str(j, "column", x->column[column].name);
	json_str(j, "kernel", x->column[column].kernel);
	json_str(j, "baseline", x->column[0].name);
	json_str(j, "better", better(x));
	json_open(j, "predicted", '{');
	json_num(j, "mean", c->predicted.mean);
	json_num(j, "stddev", c->predicted.stddev);
	json_u64(j, "n", c->predicted.n);
	json_num(j, "pct", c->predicted.delta);
	json_bool(j, "significant", c->predicted.significant);
	json_close(j, '}');
	json_open(j, "published", '{');
	json_num(j, "value", c->published.value);
	json_num(j, "stddev", c->published.stddev);
	json_num(j, "pct", c->published.pct);
	if (c->published.significant >= 0)
		json_bool(j, "significant", c->published.significant > 0);
	else
		json_str(j, "significant", NULL);
	json_close(j, '}');
	json_close(j, '}');
}

void experiment_json(const struct experiment_report *r, struct text *out)
{
	struct json j;

	json_init(&j, out);
	json_open(&j, NULL, '{');
	json_str(&j, "experiment", r->x->name);
	json_open(&j, "cells", '[');
	for (u32 l = 0; l < r->x->nload; l++)
		for (u32 k = 0; k < r->x->ncolumn; k++)
			json_cell(&j, r, l, k);
	json_close(&j, ']');
	json_close(&j, '}');
	text_char(out, '\n');
}
