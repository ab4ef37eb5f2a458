/*
 * Runs with an account of time: of two specs for `explain`, and of the cell of a table
 * that differs most, for the line under the table.
 */
#include "cli.h"

#include <math.h>

#include "report/compare.h"
#include "report/reasons.h"

int cli_account(struct cli *c, const struct run_spec *const spec[2], const char *metric,
		struct run_result r[2])
{
	struct run_options opt = {
		.stop = &c->stop, .account = true, .account_metric = metric};

	/* both against the better one of their best clocks */
	for (u32 i = 0; i < 2; i++)
		opt.best_hz = max_u64(opt.best_hz, account_best(spec[i]->machine));
	for (u32 i = 0; i < 2; i++)
		if (run_execute(&c->arena, spec[i], &opt, &r[i], &c->fail))
			return -1;
	return 0;
}

/* The cell that differs most from the first column; 0 = none does. */
static u32 widest(const struct compare_report *r, const struct compare_table *t)
{
	double most = 0;
	u32 at = 0;

	for (u32 i = 0; i < r->req.nload * r->req.nkernel; i++) {
		double d = fabs(t->cell[i].s.delta);

		if (i % r->req.nkernel && isfinite(d) && d > most) {
			most = d;
			at = i;
		}
	}
	return at;
}

int cli_first_reason(struct cli *c, const struct grid *g, const struct compare_table *t,
		     struct compare_report *r)
{
	u32 cell = t ? widest(r, t) : 0, load = cell / r->req.nkernel,
	    kernel = cell % r->req.nkernel;
	const struct run_spec *const spec[2] = {
		&g->spec[grid_index(g, load, 0, 0)],
		&g->spec[grid_index(g, load, kernel, 0)],
	};
	const char *name = r->req.load_name ? r->req.load_name : "";
	struct text line = {0};
	struct run_result result[2];
	struct reasons why;

	if (!cell)
		return 0;
	if (cli_account(c, spec, t->metric, result)) /* interrupted: the table is there */
		return c->fail.kind == FAIL_INTERRUPTED ? 0 : -1;
	reasons_build(&c->arena, result, &why);
	if (why.refusal)
		return 0;
	text_str(&line, r->req.kernel[kernel]);
	if (*r->req.load[load])
		text_fmt(&line, ", %s%s%s", name, *name ? "=" : "", r->req.load[load]);
	text_str(&line, ": ");
	reasons_first(&why, &line);
	r->reason = arena_strdup(&c->arena, line.s);
	text_free(&line);
	return 0;
}
