/* Counter-experiments as text and JSON: see report/reasons.h. */
#include <math.h>

#include "report/reasons.h"

/* Of what is apart, so many parts are named. */
#define NAMED 4u

/* -0.0 is 0 */
static double whole(double part)
{
	return fabs(part) < 0.0005 ? 0 : 100 * part;
}

/* A part of the difference with its noise, which one pair does not have. */
static void percent(const struct counter_value *v, struct text *out)
{
	if (isnan(v->mean))
		text_fmt(out, "     %7s        ", "n/a");
	else if (isnan(v->error))
		text_fmt(out, "     %6.1f %%        ", whole(v->mean));
	else
		text_fmt(out, "     %6.1f %% +-%5.1f", whole(v->mean), 100 * v->error);
}

static void apart(const struct counter_experiment *e, struct text *out)
{
	text_fmt(out, "; accounted %.1f %%", whole(e->share.mean));
	if (isnan(e->apart.mean))
		return;
	if (e->verdict == COUNTER_AGREE) {
		text_str(out, ": they agree");
		return;
	}
	if (e->verdict == COUNTER_NOISE) {
		text_fmt(out, ": the noise of %.0f does not tell", 100 * e->apart.error);
		return;
	}
	text_fmt(out, ": %.1f %s, as with it change", 100 * fabs(e->apart.mean),
		 e->apart.mean > 0 ? "more" : "less");
	for (u32 i = 0; i < e->npart && i < NAMED; i++)
		text_fmt(out, "%s %s %+.1f", i ? "," : "", e->part[i].name,
			 100 * e->part[i].share);
}

static void together(const struct counter_together *t, struct text *out)
{
	if (t->n < 2)
		return;
	percent(&t->gone, out);
	text_fmt(out, "  %s at once; one by one they sum to %.1f %%", t->what,
		 whole(t->sum));
	if (!isnan(t->gone.mean))
		text_fmt(out, ", %+.1f is what they do together",
			 whole(t->gone.mean - t->sum));
	text_char(out, '\n');
}

void counter_text(const struct counter_answer *c, struct text *out)
{
	text_fmt(out, "\nOf the difference in the metric, gone if (%u pair%s of runs)\n",
		 c->pairs, c->pairs == 1 ? "" : "s");
	for (u32 i = 0; i < c->n; i++) {
		const struct counter_experiment *e = &c->row[i];

		percent(&e->gone, out);
		text_fmt(out, "  %s", e->what);
		if (!isnan(e->share.mean))
			apart(e, out);
		text_char(out, '\n');
	}
	if (!c->n)
		text_str(out, "     nothing that could be frozen or undone\n");
	together(&c->frozen, out);
	together(&c->undone, out);
}

static void json_value(struct json *j, const char *key, const char *error,
		       const struct counter_value *v)
{
	json_num(j, key, v->mean);
	json_num(j, error, v->error);
}

static void json_together(struct json *j, const char *key,
			  const struct counter_together *t)
{
	if (t->n < 2)
		return;
	json_open(j, key, '{');
	json_u64(j, "n", t->n);
	json_value(j, "gone", "gone_error", &t->gone);
	json_num(j, "sum", t->sum);
	json_num(j, "interaction", t->gone.mean - t->sum);
	json_close(j, '}');
}

static void json_row(struct json *j, const struct counter_experiment *e)
{
	json_open(j, NULL, '{');
	json_str(j, "what", e->what);
	json_value(j, "gone", "gone_error", &e->gone);
	if (!isnan(e->share.mean)) {
		json_value(j, "accounted", "accounted_error", &e->share);
		json_value(j, "apart", "apart_error", &e->apart);
		json_str(j, "verdict", counter_verdict_name(e->verdict));
		json_bool(j, "agrees", e->verdict == COUNTER_AGREE);
		json_open(j, "with_it", '[');
		for (u32 i = 0; i < e->npart; i++) {
			json_open(j, NULL, '{');
			json_str(j, "name", e->part[i].name);
			json_num(j, "share", e->part[i].share);
			json_close(j, '}');
		}
		json_close(j, ']');
	}
	json_close(j, '}');
}

void counter_json(const struct counter_answer *c, struct json *j)
{
	json_u64(j, "pairs", c->pairs);
	json_open(j, "counter_experiments", '[');
	for (u32 i = 0; i < c->n; i++)
		json_row(j, &c->row[i]);
	json_close(j, ']');
	json_together(j, "frozen_at_once", &c->frozen);
	json_together(j, "undone_at_once", &c->undone);
}
