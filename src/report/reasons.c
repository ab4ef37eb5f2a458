/* Reasons of a difference as text and JSON: see report/reasons.h. */
#include "report/reasons.h"

#include <math.h>

#define SENTENCES   3u
#define LEAST_NAMED (-0.0005) /* what works against it and is not 0.0 % */
/* One reason that is so many times the difference: others undo most of it. */
#define CANCELS 2.0

/* A time in the unit that suits it. */
static void span(struct text *out, double ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	u32 i = 0;

	while (i + 1 < ARRAY_SIZE(units) && fabs(ns) < units[i].ns)
		i++;
	text_fmt(out, "%.4g %s", ns / units[i].ns, units[i].name);
}

static void sentence(const struct reasons *r, u32 i, struct text *out)
{
	const struct reason_share *s = &r->row[i];

	text_fmt(out, "  %u. %6.1f %%  %s: ", i + 1, 100 * s->share,
		 reason_rows[s->reason].sentence);
	span(out, s->ns[0]);
	text_str(out, " in A, ");
	span(out, s->ns[1]);
	text_fmt(out, " in B, per %s\n", r->per);
}

static void others(const struct reasons *r, struct text *out)
{
	double rest = 0, against = 0;
	bool named = false;

	for (u32 i = SENTENCES; i < r->n; i++) {
		rest += r->row[i].share > 0 ? r->row[i].share : 0;
		against += r->row[i].share < 0 ? r->row[i].share : 0;
		named = named || r->row[i].share < LEAST_NAMED;
	}
	text_fmt(out, "     %6.1f %%  all others\n", 100 * rest);
	if (!named)
		return;
	text_fmt(out, "     %6.1f %%  what works against it:", 100 * against);
	for (u32 i = r->n; i-- > SENTENCES && r->row[i].share < LEAST_NAMED;)
		text_fmt(out, " %s %.1f %%", reason_rows[r->row[i].reason].name,
			 100 * r->row[i].share);
	text_char(out, '\n');
}

void reasons_text(const struct reasons *r, struct text *out)
{
	text_fmt(out, "%s: %.6g in A, %.6g in B %s, %s is better\n", r->metric,
		 r->value[0], r->value[1], r->unit,
		 r->higher_better ? "higher" : "lower");
	if (r->refusal) {
		text_fmt(out, "No reasons: %s.\n", r->refusal);
		return;
	}
	if (r->events && !r->exact && !r->everybody)
		text_fmt(out, "The events between percentiles %.4g and %.4g take ",
			 100 * r->from, 100 * r->to);
	else
		text_fmt(out, "%s ",
			 r->everybody ? "All tasks run or wait"
			 : r->events  ? "Its events take"
				      : "The tasks that make it take");
	span(out, r->whole[0]);
	text_fmt(out, " per %s in A, ", r->per);
	span(out, r->whole[1]);
	text_str(out, " in B. Of the difference:\n");
	for (u32 i = 0; i < r->n && i < SENTENCES; i++)
		sentence(r, i, out);
	others(r, out);
	if (r->everybody)
		text_str(out, "Sleep is left out: it is what others do that is slept "
			      "for.\n");
	if (!r->exact && r->everybody)
		text_str(out, "These are means over all events; the metric is not a "
			      "mean.\n");
}

void reasons_first(const struct reasons *r, struct text *out)
{
	if (r->refusal)
		text_fmt(out, "no reason: %s", r->refusal);
	else if (r->row[0].share > CANCELS)
		text_fmt(out, "reasons nearly cancel out: %s; against it %s",
			 reason_rows[r->row[0].reason].sentence,
			 reason_rows[r->row[r->n - 1].reason].sentence);
	else
		text_fmt(out, "%.0f %% of the difference: %s", 100 * r->row[0].share,
			 reason_rows[r->row[0].reason].sentence);
}

static void pair(struct json *j, const char *key, const double v[2])
{
	json_open(j, key, '[');
	json_num(j, NULL, v[0]);
	json_num(j, NULL, v[1]);
	json_close(j, ']');
}

void reasons_json(const struct reasons *r, struct json *j, const char *key)
{
	json_open(j, key, '{');
	json_str(j, "metric", r->metric);
	json_str(j, "unit", r->unit);
	pair(j, "value", r->value);
	json_str(j, "refusal", r->refusal);
	if (!r->refusal) {
		json_str(j, "of",
			 r->everybody ? "all tasks, awake"
			 : r->events  ? "its events"
				      : "its tasks");
		if (r->events && !r->everybody) {
			json_open(j, "ranks", '[');
			json_num(j, NULL, r->from);
			json_num(j, NULL, r->to);
			json_close(j, ']');
		}
		json_str(j, "per", r->per);
		pair(j, "whole_ns", r->whole);
		json_open(j, "reasons", '[');
		for (u32 i = 0; i < r->n; i++) {
			const struct reason_share *s = &r->row[i];

			json_open(j, NULL, '{');
			json_str(j, "name", reason_rows[s->reason].name);
			json_str(j, "sentence", reason_rows[s->reason].sentence);
			pair(j, "ns", s->ns);
			json_num(j, "share", s->share);
			json_close(j, '}');
		}
		json_close(j, ']');
	}
	json_close(j, '}');
}
