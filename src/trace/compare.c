/*
 * Two recordings side by side, with no model of anything: what each task name and each
 * group (leading letters of the name) got, ordered by how much it differs. Pids of one
 * name are taken together. A group of one name only would repeat it, and is left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"

enum metric {
	M_RUNNING,
	M_WAITING,
	M_SLICE,
	M_PREEMPTED,
	M_MIGRATIONS,
	M_MOVED,
	M_WAKE_P50 = M_MOVED + MOVES,
	M_WAKE_P95,
	METRICS
};

static const struct {
	const char *name, *unit;
} metrics[METRICS] = {
	{"running", "CPUs"},
	{"runnable, waiting", "CPUs"},
	{"slice p50", "ms"},
	{"preemptions", "/s"},
	{"migrations", "/s"},
	{"migrations inside a core", "/s"},
	{"migrations inside an LLC", "/s"},
	{"migrations inside a node", "/s"},
	{"migrations to another node", "/s"},
	{"wake-up p50", "us"},
	{"wake-up p95", "us"},
};

/* A name or a group in one recording. */
struct subject {
	char name[24];
	bool group;
	u32 names; /* in a group */
	double cpu, waiting;
	u64 preempted, migrations, moved[MOVES];
	struct counts slice, wake;
};

struct side {
	const struct trace_summary *s;
	struct subject *subject;
	u32 n;
};

struct row {
	const char *name;
	bool group;
	u32 metric;
	double value[2]; /* NAN: n/a */
	double apart;	 /* relative, 0 to 1 */
};

static struct subject *subject_of(struct side *side, const char *name, bool group)
{
	struct subject *s;

	/* names come sorted: the same one is near the end */
	for (u32 i = side->n; i--;)
		if (side->subject[i].group == group &&
		    !strcmp(side->subject[i].name, name))
			return &side->subject[i];
	s = &side->subject[side->n++];
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->group = group;
	return s;
}

static void add_task(struct arena *a, struct subject *s, const struct trace_task *t)
{
	s->cpu += t->cpu_s;
	s->waiting += t->waiting_s;
	s->preempted += t->preempted;
	s->migrations += t->migrations;
	for (u32 i = 0; i < MOVES; i++)
		s->moved[i] += t->moved[i];
	counts_merge(a, &s->slice, &t->slice);
	counts_merge(a, &s->wake, &t->wake);
}

static void gather(struct arena *a, const struct trace_summary *s, struct side *side)
{
	const char *last = "";

	side->s = s;
	side->subject = arena_array(a, struct subject, 2 * s->ntask + 1);
	side->n = 0;
	for (u32 i = 0; i < s->ntask; i++) {
		const struct trace_task *t = s->task[i];
		u32 len = trace_group(t->name);
		char group[24] = "";
		struct subject *g;

		if (!t->pid)
			continue;
		add_task(a, subject_of(side, t->name, false), t);
		memcpy(group, t->name, len);
		if (!len)
			continue;
		g = subject_of(side, group, true);
		g->names += strcmp(last, t->name) != 0;
		last = t->name;
		add_task(a, g, t);
	}
}

static double quantile(struct arena *a, const struct counts *c, double q, double unit)
{
	u64 v;

	if (!c->n)
		return NAN;
	counts_quantiles(a, c, &q, 1, &v);
	return (double)v / unit;
}

/* All metrics of a subject; s is NULL if the recording does not have it. */
static void values(struct arena *a, const struct trace_summary *sum,
		   const struct subject *s, double *v)
{
	double w = sum->window;
	struct subject none = {0};

	if (!s)
		s = &none;
	v[M_RUNNING] = s->cpu / w;
	v[M_WAITING] = sum->has_wakeups ? s->waiting / w : NAN;
	v[M_SLICE] = quantile(a, &s->slice, 0.5, 1000);
	v[M_PREEMPTED] = (double)s->preempted / w;
	v[M_MIGRATIONS] = (double)s->migrations / w;
	for (u32 i = 0; i < MOVES; i++)
		v[M_MOVED + i] = sum->has_distance ? (double)s->moved[i] / w : NAN;
	v[M_WAKE_P50] = quantile(a, &s->wake, 0.5, 10);
	v[M_WAKE_P95] = quantile(a, &s->wake, 0.95, 10);
}

static const struct subject *find(const struct side *side, const struct subject *like)
{
	for (u32 i = 0; i < side->n; i++)
		if (side->subject[i].group == like->group &&
		    !strcmp(side->subject[i].name, like->name))
			return &side->subject[i];
	return NULL;
}

static u32 rows_of(struct arena *a, const struct side *side, const struct subject *x,
		   const struct subject *y, struct row *row)
{
	const struct subject *some = x ? x : y;
	double v[2][METRICS];
	u32 n = 0;

	if (some->group && (!x || x->names < 2) && (!y || y->names < 2))
		return 0;
	values(a, side[0].s, x, v[0]);
	values(a, side[1].s, y, v[1]);
	for (u32 m = 0; m < METRICS; m++) {
		double p = v[0][m], q = v[1][m];
		struct row r = {some->name, some->group, m, {p, q}, 0};

		if (isnan(p) && isnan(q))
			continue;
		if (!isnan(p) && !isnan(q) && p != q)
			r.apart = fabs(p - q) / fmax(p, q);
		row[n++] = r;
	}
	return n;
}

/* Largest difference first; then groups, names and metrics in order. */
static int by_difference(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int d;

	if (a->apart != b->apart)
		return a->apart > b->apart ? -1 : 1;
	if (a->group != b->group)
		return a->group ? -1 : 1;
	d = strcmp(a->name, b->name);
	return d ? d : (int)a->metric - (int)b->metric;
}

static bool differs(const struct row *r)
{
	return r->apart > 0 || isnan(r->value[0]) != isnan(r->value[1]);
}

static void value_cell(struct table *t, double v)
{
	if (isnan(v))
		table_cell(t, "n/a");
	else
		table_cell(t, "%.4g", v);
}

static void draw(const struct row *row, u32 n, struct text *out)
{
	u32 differing = 0;
	struct table t;

	for (u32 i = 0; i < n; i++)
		differing += differs(&row[i]);
	if (!differing) {
		text_fmt(out, "\nAll %u values are equal.\n", n);
		return;
	}
	text_fmt(out, "\n%u of %u values differ, largest relative difference first:\n\n",
		 differing, n);
	table_init(&t, 6, 1u << 2 | 1u << 3 | 1u << 5);
	table_cell(&t, "who");
	table_cell(&t, "what");
	table_cell(&t, "A");
	table_cell(&t, "B");
	table_cell(&t, "%s", "");
	table_cell(&t, "change");
	for (u32 i = 0; i < n; i++) {
		const struct row *r = &row[i];

		if (!differs(r))
			continue;
		table_cell(&t, "%s%s", r->name, r->group ? "*" : "");
		table_cell(&t, "%s", metrics[r->metric].name);
		value_cell(&t, r->value[0]);
		value_cell(&t, r->value[1]);
		table_cell(&t, "%s", metrics[r->metric].unit);
		if (r->value[0] > 0 && r->apart > 0)
			table_cell(&t, "%+.1f%%", 100 * (r->value[1] / r->value[0] - 1));
		else
			table_cell(&t, "%s", "");
	}
	table_render(&t, out, "  ");
	table_free(&t);
	text_str(out, "\nNAME* is the group of all tasks whose names begin with these "
		      "letters.\n");
}

static void draw_json(const struct trace_summary *s[2], const char *const name[2],
		      const struct row *row, u32 n, struct text *out)
{
	static const char *const side[] = {"a", "b"};
	struct json j;

	json_init(&j, out);
	json_open(&j, NULL, '{');
	for (u32 i = 0; i < 2; i++) {
		json_open(&j, side[i], '{');
		json_str(&j, "file", name[i]);
		json_num(&j, "window_s", s[i]->window);
		json_u64(&j, "cpus", s[i]->cpus);
		json_u64(&j, "lost_events", s[i]->lost);
		json_close(&j, '}');
	}
	json_open(&j, "values", '[');
	for (u32 i = 0; i < n; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, row[i].group ? "group" : "task", row[i].name);
		json_str(&j, "metric", metrics[row[i].metric].name);
		json_str(&j, "unit", metrics[row[i].metric].unit);
		json_num(&j, "a", row[i].value[0]);
		json_num(&j, "b", row[i].value[1]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	text_char(out, '\n');
}

void trace_compare(struct arena *a, const struct trace_summary *s[2],
		   const char *const name[2], bool json, struct text *out)
{
	struct side side[2];
	struct row *row;
	u32 n = 0;

	gather(a, s[0], &side[0]);
	gather(a, s[1], &side[1]);
	row = arena_array(a, struct row, (side[0].n + side[1].n) * METRICS + 1);
	for (u32 i = 0; i < side[0].n; i++) {
		const struct subject *x = &side[0].subject[i];

		n += rows_of(a, side, x, find(&side[1], x), row + n);
	}
	for (u32 i = 0; i < side[1].n; i++)
		if (!find(&side[0], &side[1].subject[i]))
			n += rows_of(a, side, NULL, &side[1].subject[i], row + n);
	qsort(row, n, sizeof(*row), by_difference);
	if (json) {
		draw_json(s, name, row, n, out);
		return;
	}
	for (u32 i = 0; i < 2; i++)
		text_fmt(out, "%c  %s: %.4f s on %u CPUs\n", "AB"[i], name[i],
			 s[i] -> window, s[i] -> cpus);
	draw(row, n, out);
}
