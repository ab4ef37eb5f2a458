/*
 * sibyl experiment --calibrate: fits the declared parameters to the baseline column, says
 * what became of them, and writes them where they are declared. That the places can be
 * written is checked before anything runs.
 */
#include <math.h>
#include <time.h>

#include "cli.h"
#include "experiment/calibrate.h"
#include "report/experiment.h"

static const char *source_of(struct cli *c, const struct experiment *x)
{
	time_t now = time(NULL);
	char date[16] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	return arena_printf(&c->arena, "calibrated-on: %s/%s, %s", x->name,
			    x->column[0].name, date);
}

static int write_all(struct cli *c, const struct experiment_work *w, const u64 *value,
		     bool write)
{
	const struct experiment *x = w->x;
	const char *source = source_of(c, x), *path;

	for (u32 i = 0; i < x->nfit; i++) {
		enum library_kind kind =
			x->fit[i].workload ? LIBRARY_WORKLOAD : LIBRARY_MACHINE;

		if (library_find(&c->library, &c->arena, kind,
				 kind == LIBRARY_WORKLOAD ? x->workload : x->machine,
				 &path, &c->fail) ||
		    calibrate_write(&c->arena, &x->fit[i], path,
				    value ? value[i] : x->fit[i].lo, source, write,
				    &c->fail))
			return -1;
		if (write)
			text_fmt(&c->out, "wrote %s\n", path);
	}
	return 0;
}

/* A value at an end of its range would have gone further: the model lacks something. */
static bool at_end(const struct experiment_fit *fit, u64 value)
{
	u64 edge = (fit->hi - fit->lo) / 50;

	return value < fit->lo + edge || value > fit->hi - edge;
}

static void parameters(struct cli *c, const struct experiment *x,
		       const struct calibration *k)
{
	struct table t;

	table_init(&t, 4, 1u << 1 | 1u << 2);
	table_cell(&t, "parameter");
	table_cell(&t, "before");
	table_cell(&t, "fitted");
	table_cell(&t, "range");
	for (u32 i = 0; i < x->nfit; i++) {
		const struct experiment_fit *fit = &x->fit[i];

		table_cell(&t, "%s", fit->workload ? fit->workload : fit->machine);
		table_cell(&t, "%s", calibrate_text(&c->arena, fit, k->start[i]));
		table_cell(&t, "%s", calibrate_text(&c->arena, fit, k->fitted[i]));
		table_cell(&t, "%s to %s%s", calibrate_text(&c->arena, fit, fit->lo),
			   calibrate_text(&c->arena, fit, fit->hi),
			   at_end(fit, k->fitted[i]) ? ", at its end" : "");
	}
	table_render(&t, &c->out, "");
	table_free(&t);
}

static void value(struct table *t, double v)
{
	if (isfinite(v))
		table_cell(t, "%.5g", v);
	else
		table_cell(t, "n/a");
}

static void residuals(struct cli *c, const struct calibration_part *p)
{
	const struct experiment *x = p->x;
	struct table t;

	table_init(&t, 5, 0x1e);
	table_cell(&t, "%s, %s", x->column[0].name, x->unit);
	table_cell(&t, "published");
	table_cell(&t, "before");
	table_cell(&t, "fitted");
	table_cell(&t, "off by");
	for (u32 l = 0; l < x->nload; l++) {
		double off = 100 * (p->after[l] / p->published[l] - 1);

		table_cell(&t, "%s", x->load[l].name);
		value(&t, p->published[l]);
		value(&t, p->before[l]);
		value(&t, p->after[l]);
		if (isfinite(off))
			table_cell(&t, "%+.1f %%", off);
		else
			table_cell(&t, "n/a");
	}
	text_char(&c->out, '\n');
	table_render(&t, &c->out, "");
	table_free(&t);
}

int cli_calibration_parts(struct arena *a, struct library *lib,
			  const struct experiment_ask *ask,
			  const struct experiment_work *w, struct calibration_part **out,
			  struct failure *f)
{
	const struct experiment *x = w->x;
	struct calibration_part *part;

	part = arena_array(a, struct calibration_part, 1 + x->nwith);
	part[0].x = x;
	part[0].req = w->req;
	for (u32 i = 0; i < x->nwith; i++) {
		struct experiment_ask other = *ask;
		struct experiment_work work;

		other.name = x->with[i];
		if (experiment_open(a, lib, &other, &work, f))
			return y_place(x->with_node[i], f);
		if (calibrate_joins(x, i, work.x, f))
			return -1;
		part[1 + i].x = work.x;
		part[1 + i].req = work.req;
	}
	*out = part;
	return 0;
}

int cli_calibrate(struct cli *c, const struct options *o,
		  const struct experiment_ask *ask, const struct experiment_work *w)
{
	u32 n = 1 + w->x->nwith;
	struct calibration_part *part;
	struct calibration k;

	if (write_all(c, w, NULL, false) ||
	    cli_calibration_parts(&c->arena, &c->library, ask, w, &part, &c->fail) ||
	    calibrate(&c->arena, part, n, o->jobs, &c->stop, &k, &c->fail))
		return -1;
	parameters(c, w->x, &k);
	for (u32 i = 0; i < n; i++)
		residuals(c, &part[i]);
	text_fmt(&c->out,
		 "\nerror (root mean square of ln predicted/published): %.4f before, "
		 "%.4f fitted, %u tries\n",
		 k.error_before, k.error_after, k.tries);
	if (k.error_after < k.error_before)
		return write_all(c, w, k.fitted, true);
	text_str(&c->out, "no better than before: nothing is written\n");
	return 0;
}
