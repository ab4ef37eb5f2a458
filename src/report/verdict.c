/* What a table says on its stars: see verdict.h. Lines of at most 90 columns. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>

void verdict_percent(char out[32], double pct, const struct stat_cell *s)
{
	char mark = !s || !s->outside_noise ? '(' : s->significant ? '*' : '~';

	if (!isfinite(pct)) {
		snprintf(out, 32, "(    n/a )");
		return;
	}
	/* no "-0.00%" */
	snprintf(out, 32, "%c%7.2f%%%c", mark, fabs(pct) < 0.005 ? 0 : pct,
		 mark == '(' ? ')' : mark);
}

static void own(const struct compare_request *q, const struct compare_table *t,
		struct text *out)
{
	const struct model_band *band = &q->band[t->higher_better];

	text_fmt(out,
		 "*x%%* differs: %s t-test, p < %g adjusted over the %u cell%s of the "
		 "table\n(Benjamini-Hochberg), and by %g%% or more",
		 q->rule.mode == STAT_PAIRED ? "paired" : "Welch's", STAT_ALPHA,
		 t->compared, t->compared == 1 ? "" : "s", q->rule.practical);
	if (band->source)
		text_fmt(out,
			 ", and by more than the model errs:\nby %.1f%% (%s); "
			 "~x%%~ differs by less than that\n",
			 100 * (exp(band->band) - 1), band->source);
	else
		text_str(out,
			 ";\nhow much the model errs is not known (no scored table)\n");
}

void verdict_legend(const struct compare_request *q, const struct compare_table *t,
		    struct text *out)
{
	if (!t->compared) {
		text_str(out, "no cell can be called significant (that needs two columns "
			      "and n > 1)\n");
		return;
	}
	switch (q->rule.mode) {
	case STAT_MMTESTS_2018:
		text_str(out, "*x%* as in mmtests until November 2024: p < 0.1 with "
			      "n1+n2-2 degrees of freedom\n");
		break;
	case STAT_MMTESTS_2025:
		text_str(out, "*x%* as in mmtests since November 2024: bands of 1.96 SD "
			      "around the means do not touch\n");
		break;
	case STAT_WELCH:
	case STAT_PAIRED:
	case STAT_MODES:
		own(q, t, out);
		break;
	}
	text_fmt(out, "%u of %u cell%s starred, ", t->stars, t->compared,
		 t->compared == 1 ? "" : "s");
	if (isnan(t->expected_false))
		text_str(out, "the rule does not say how many of them by chance\n");
	else
		text_fmt(out, "at most %.2g expected by chance\n", t->expected_false);
}

void verdict_power(const struct compare_request *q, const struct compare_table *t,
		   struct text *out)
{
	if (!stat_own(q->rule.mode) || !t->compared)
		return;
	if (!isnan(t->least_detectable))
		text_fmt(out,
			 "minimum detectable change (power %g, one cell alone): %.2g%% "
			 "to %.2g%%\n",
			 STAT_POWER, t->least_detectable, t->most_detectable);
	text_str(out, "columns share their seeds");
	if (!isnan(t->correlation))
		text_fmt(out, ", correlation of their runs %+.2f", t->correlation);
	if (q->rule.mode == STAT_PAIRED)
		text_str(out, ": runs of one seed are a pair\n");
	else
		text_fmt(out, ": Welch's test takes %s\n",
			 isnan(t->correlation)	 ? "them as independent"
			 : t->correlation < -0.3 ? "it as 0 and is too bold here"
						 : "it as 0");
}

void verdict_remarks(const struct compare_report *r, struct text *out)
{
	if (r->reason)
		text_fmt(out, "reason: %s\n", r->reason);
	if (r->req.unmodelled)
		text_fmt(out, "beware: %s\n", r->req.unmodelled);
	for (u32 k = 1; r->unexercised && k < r->req.nkernel; k++)
		if (r->unexercised[k])
			text_fmt(out,
				 "%s: this grid never exercised the change\n(every run "
				 "took the decisions of the first column)\n",
				 r->req.kernel[k]);
}
