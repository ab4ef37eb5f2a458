/*
 * sibyl explain --why: counter-experiments. Both runs again on machines on which one
 * mechanism takes no time, and B with one option after the other as A has it; what of the
 * difference in the metric is gone is set beside the share of the account. Differences
 * are ratios: ln(B / A). What mechanisms do together does not show.
 */
#include <math.h>
#include <string.h>

#include "cli.h"
#include "experiment/freeze.h"
#include "report/reasons.h"

/* Reasons with a smaller share are not frozen. */
#define LEAST_SHARE 0.02
/* The account is of time, the experiment of the outcome: within this they agree. */
#define AGREES 0.25

static int measure(struct cli *c, const struct run_spec *spec, const char *metric,
		   double *out)
{
	const struct run_options opt = {.stop = &c->stop};
	struct run_result r;

	*out = NAN;
	if (run_execute(&c->arena, spec, &opt, &r, &c->fail))
		return -1;
	for (u32 i = 0; i < r.nmetric; i++)
		if (!strcmp(r.metric[i].name, metric) && r.metric[i].has)
			*out = r.metric[i].value;
	return 0;
}

static const struct reason_share *share_of(const struct reasons *why, enum reason reason)
{
	for (u32 i = 0; i < why->n; i++)
		if (why->row[i].reason == reason)
			return &why->row[i];
	return NULL;
}

static double gone(const struct reasons *why, double a, double b)
{
	return 1 - log(b / a) / log(why->value[1] / why->value[0]);
}

static int freeze(struct cli *c, const struct run_spec *const spec[2],
		  const struct reasons *why, u32 which, struct counter_experiment *out)
{
	double value[2];

	for (u32 i = 0; i < 2; i++) {
		struct run_spec s = *spec[i];

		s.machine = freeze_machine(&c->arena, s.machine, which);
		if (measure(c, &s, why->metric, &value[i]))
			return -1;
	}
	out->what = freezes[which].what;
	out->gone = gone(why, value[0], value[1]);
	out->share = share_of(why, freezes[which].reason)->share;
	out->agrees = fabs(out->gone - out->share) <= AGREES;
	return 0;
}

static int options_back(struct cli *c, const struct run_spec *const spec[2],
			const struct reasons *why, struct counter_experiment *out, u32 *n)
{
	const char **kernel = arena_array(&c->arena, const char *, OPTION_COUNT + 1);
	u32 nkernel = cli_put_back(c, spec[1]->kernel, spec[0]->kernel, kernel);

	for (u32 i = 0; i < nkernel; i++) {
		struct run_spec s = *spec[1];
		double value;

		if (kernel_load(&c->arena, kernel[i], library_resolve_kernel, &c->library,
				&s.kernel, &c->fail) ||
		    measure(c, &s, why->metric, &value))
			return -1;
		out[*n].what =
			strrchr(kernel[i], strchr(s.kernel->name, ',') ? ',' : ':') + 1;
		out[*n].gone = gone(why, why->value[0], value);
		out[*n].share = NAN;
		(*n)++;
	}
	return 0;
}

int cli_why(struct cli *c, const struct run_spec *const spec[2],
	    const struct reasons *why, struct counter_experiment **out, u32 *n)
{
	*n = 0;
	*out = arena_array(&c->arena, struct counter_experiment,
			   freeze_count + OPTION_COUNT + 1);
	if (why->refusal || !(why->value[0] > 0) || !(why->value[1] > 0) ||
	    why->value[0] == why->value[1])
		return 0;
	for (u32 i = 0; i < freeze_count; i++) {
		const struct reason_share *s = share_of(why, freezes[i].reason);

		if (!s || fabs(s->share) < LEAST_SHARE)
			continue;
		if (freeze(c, spec, why, i, &(*out)[*n]))
			return -1;
		(*n)++;
	}
	return options_back(c, spec, why, *out, n);
}
