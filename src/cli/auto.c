/*
 * -n auto: how many runs. The rule looks at the spread of each cell by itself and never
 * at a difference between columns or its p: stopping when something becomes significant
 * would make stars of chance. All cells of a table get the same number of runs, which
 * depends on their values alone and not on what a database already holds.
 *
 *   5, 8, 12, 18, 27, 40 runs, until the 95 % interval of every mean is within +-2 % (or
 *   what was asked for) of it
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/compare.h"

#define AUTO_PERCENT 2.0
#define AUTO_FIRST   5u
#define AUTO_MOST    40u

int cli_auto_parse(struct cli *c, const char *text, struct options *o)
{
	const char *arg = text + strlen("auto");
	char *end = NULL;

	o->auto_percent = AUTO_PERCENT;
	if (*arg == ':')
		o->auto_percent = strtod(arg + 1, &end);
	if ((*arg && *arg != ':') || (end && (end == arg + 1 || (*end && *end != '%'))) ||
	    !(o->auto_percent > 0 && o->auto_percent <= 100))
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"-n '%.40s', expected a number of runs, auto, or "
				"auto:PERCENT, e.g. auto:1",
				text);
	o->req.runs = AUTO_FIRST;
	o->has_runs = true;
	return 0;
}

bool cli_auto_more(struct cli *c, struct options *o, const struct compare_report *r,
		   const struct compare_table *t)
{
	double widest = 0;

	for (u32 i = 0; t && i < r->req.nload * r->req.nkernel; i++)
		widest = fmax(widest, t->cell[i].s.precision);
	o->runs_rule = arena_printf(
		&c->arena,
		"n by -n auto: more runs until every mean is known within %g%% (95%% "
		"interval), now %.2g%%%s",
		o->auto_percent, widest,
		widest > o->auto_percent ? ";\nthe most runs that it takes" : "");
	if (!t || !(widest > o->auto_percent) || o->req.runs >= AUTO_MOST)
		return false;
	o->req.runs = min_u32(AUTO_MOST, (o->req.runs * 3 + 1) / 2);
	return true;
}
