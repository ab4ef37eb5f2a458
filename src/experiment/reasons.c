/* The difference of two runs by reason: see experiment/reasons.h. */
#include "experiment/reasons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Less than this of the whole is no difference to speak of. */
#define LEAST 1e-4

static struct account_row everybody(const struct run_account *a)
{
	struct account_row sum = {0};

	/* row 0 is the launcher */
	for (u32 g = 1; g < a->ngroup; g++)
		for (u32 i = 0; i < REASON_COUNT; i++)
			sum.ns[i] += a->group[g].ns[i];
	return sum;
}

/* Time and how many things or events it is of. */
static double times_of(const struct run_account *a, bool all, struct account_row *row)
{
	bool event = !all && a->basis == BASIS_EVENTS;

	*row = all ? everybody(a) : event ? a->event : a->made;
	return event ? (double)a->events : a->count ? (double)a->count : 1;
}

void reasons_times(const struct run_result r[2], bool all, struct reason_times *out)
{
	*out = (struct reason_times){0};
	for (u32 k = 0; k < 2; k++) {
		const struct run_account *a = &r[k].account;
		struct account_row row;
		double per = times_of(a, all, &row);

		for (u32 i = 0; i < REASON_COUNT; i++) {
			if (all && reason_rows[i].class != REASON_ACTIVE)
				continue;
			out->ns[i][k] = (double)row.ns[i] / per;
			out->whole[k] += out->ns[i][k];
		}
	}
}

/* What both runs took per unit; returns the part of the difference that is sleep. */
static double split(const struct run_result r[2], struct reasons *out)
{
	struct reason_times t;
	double sleep = 0;

	reasons_times(r, out->everybody, &t);
	for (u32 i = 0; i < REASON_COUNT; i++) {
		out->row[i].reason = i;
		for (u32 k = 0; k < 2; k++)
			out->row[i].ns[k] = t.ns[i][k];
		if (reason_rows[i].class == REASON_PASSIVE)
			sleep += t.ns[i][1] - t.ns[i][0];
	}
	out->whole[0] = t.whole[0];
	out->whole[1] = t.whole[1];
	return sleep / (t.whole[1] - t.whole[0]);
}

static int by_share(const void *pa, const void *pb)
{
	const struct reason_share *a = pa, *b = pb;

	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	return a->reason < b->reason ? -1 : 1;
}

static const char *refuse(const struct run_result r[2])
{
	const struct run_account *a = &r[0].account, *b = &r[1].account;
	const struct run_metric *ma = &r[0].metric[a->metric];
	const struct run_metric *mb = &r[1].metric[b->metric];

	if (a->basis != b->basis || strcmp(ma->name, mb->name))
		return "the runs do not measure the same thing";
	if (a->basis == BASIS_NONE || a->basis == BASIS_CPU)
		return "the metric is not a time that tasks take: it is not attributed";
	if (!ma->has || !mb->has)
		return "a run has no value of it";
	if (a->basis == BASIS_EVENTS)
		return a->events && b->events ? NULL : "a run has no event of it";
	if (!a->made.sum || !b->made.sum)
		return "no program counts it: it is not attributed";
	if (a->basis != BASIS_WORK && (!a->count || !b->count))
		return "a run has counted nothing";
	return NULL;
}

void reasons_build(struct arena *a, const struct run_result r[2], struct reasons *out)
{
	const struct run_metric *m = &r[0].metric[r[0].account.metric];
	double diff;

	*out = (struct reasons){
		.metric = m->name,
		.unit = m->unit,
		.higher_better = m->higher_better,
		.exact = r[0].account.exact,
		.events = r[0].account.basis == BASIS_EVENTS,
		.from = r[0].account.from,
		.to = r[0].account.to,
		.refusal = refuse(r),
	};
	for (u32 k = 0; k < 2; k++)
		out->value[k] = r[k].metric[r[k].account.metric].value;
	if (out->refusal)
		return;
	out->per = r[0].account.basis == BASIS_EVENTS  ? "event"
		   : r[0].account.basis == BASIS_UNITS ? "unit"
						       : "run";
	out->row = arena_array(a, struct reason_share, REASON_COUNT);
	if (split(r, out) > 0.5) {
		out->everybody = true;
		split(r, out);
	}
	diff = out->whole[1] - out->whole[0];
	if (fabs(diff) <= LEAST * out->whole[0]) {
		out->refusal = "there is no difference to explain";
		return;
	}
	for (u32 i = 0; i < REASON_COUNT; i++)
		out->row[i].share = (out->row[i].ns[1] - out->row[i].ns[0]) / diff;
	qsort(out->row, REASON_COUNT, sizeof(*out->row), by_share);
	for (u32 i = 0; i < REASON_COUNT; i++)
		if (out->row[i].ns[0] != 0 || out->row[i].ns[1] != 0)
			out->row[out->n++] = out->row[i];
}
