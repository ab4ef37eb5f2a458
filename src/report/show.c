/* One run in words, two runs side by side: see report/show.h. */
#include "report/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number the way a reader wants it: whole where it is whole, else six digits. */
static void number(struct table *t, double v)
{
	if (v == floor(v) && fabs(v) < 1e15)
		table_cell(t, "%.0f", v);
	else
		table_cell(t, "%.6g", v);
}

static void heading(const struct stored_run *r, struct text *out)
{
	char span[64];

	unit_print(r->duration, UNIT_TIME, span, sizeof(span));
	text_fmt(out, "run       %s\n", r->id);
	text_fmt(out, "machine   %s\n", r->machine);
	text_fmt(out, "kernel    %s\n", r->kernel);
	text_fmt(out, "workload  %s%s%s\n", r->workload, *r->params ? "  " : "",
		 r->params);
	text_fmt(out, "seed      %llu (replicate %u)\n", (unsigned long long)r->seed,
		 r->replicate);
	text_fmt(out, "duration  %s\n", span);
	text_fmt(out, "digest    %016llx\n", (unsigned long long)r->digest);
}

/* "cgroups.NAME.LAST": the name's length; -1 = another counter. */
static int cgroup_of(const struct stored_counter *c, const char *last)
{
	size_t head = strlen("cgroups."), n = strlen(c->name), tail = strlen(last);

	if (n <= head + tail || strncmp(c->name, "cgroups.", head) ||
	    strcmp(c->name + n - tail, last))
		return -1;
	return (int)(n - head - tail);
}

static double limit_number(const struct stored_counter *c, u32 n, const char *name,
			   int len, const char *last)
{
	for (u32 i = 0; i < n; i++)
		if (cgroup_of(&c[i], last) == len &&
		    !strncmp(c[i].name + strlen("cgroups."), name, (size_t)len))
			return c[i].value;
	return 0;
}

static void limit_row(struct table *t, const struct stored_counter *c, u32 n,
		      const char *name, int len)
{
	double periods = limit_number(c, n, name, len, ".periods");
	double hit = limit_number(c, n, name, len, ".throttled_periods");

	table_cell(t, "%.*s", len, name);
	table_cell(t, "%.6g ms in %.6g ms",
		   1e3 * limit_number(c, n, name, len, ".quota_s"),
		   1e3 * limit_number(c, n, name, len, ".period_s"));
	table_cell(t, "%.6g", limit_number(c, n, name, len, ".used_s"));
	table_cell(t, "%.0f", periods);
	table_cell(t, "%.0f", hit);
	if (periods > 0)
		table_cell(t, "%.1f%%", 100 * hit / periods);
	else
		table_cell(t, "n/a");
	table_cell(t, "%.6g", limit_number(c, n, name, len, ".throttled_s"));
}

/* What limits of CPU time did (cpu.stat), a line a cgroup. */
static void show_limits(const struct stored_counter *c, u32 n, struct text *out)
{
	static const char *const heads[] = {"cgroup",	  "cpu.max",   "used s",
					    "periods",	  "throttled", "of periods",
					    "throttled s"};
	struct table t;
	u32 rows = 0;

	table_init(&t, ARRAY_SIZE(heads), 0x7cu);
	for (u32 i = 0; i < ARRAY_SIZE(heads); i++)
		table_cell(&t, "%s", heads[i]);
	for (u32 i = 0; i < n; i++) {
		int len = cgroup_of(&c[i], ".quota_s");

		if (len < 0)
			continue;
		limit_row(&t, c, n, c[i].name + strlen("cgroups."), len);
		rows++;
	}
	if (rows) {
		text_str(out, "\nlimits of CPU time\n");
		table_render(&t, out, "  ");
	}
	table_free(&t);
}

int show_run(struct arena *a, struct store *s, const char *id, struct text *out,
	     struct failure *f)
{
	struct stored_counter *c;
	struct stored_run r;
	struct table t;
	u32 n;

	if (store_load(s, a, id, &r, f) || store_counters(s, a, r.id, &c, &n, f))
		return -1;
	heading(&r, out);
	text_str(out, "\nmetrics\n");
	table_init(&t, 4, 1u << 1);
	for (u32 i = 0; i < r.nmetric; i++) {
		const struct run_metric *m = &r.metric[i];

		table_cell(&t, "%s", m->name);
		if (m->has)
			number(&t, m->value);
		else
			table_cell(&t, "n/a");
		table_cell(&t, "%s", m->unit);
		table_cell(&t, "%s%s",
			   m->higher_better ? "higher is better" : "lower is better",
			   i == r.main_metric ? ", shown in tables" : "");
	}
	table_render(&t, out, "  ");
	table_free(&t);
	show_limits(c, n, out);
	text_str(out, "\ncounters (those that are not zero)\n");
	table_init(&t, 3, 1u << 1);
	for (u32 i = 0; i < n; i++) {
		if (c[i].value == 0)
			continue;
		table_cell(&t, "%s", c[i].name);
		number(&t, c[i].value);
		table_cell(&t, "%s", c[i].unit);
	}
	table_render(&t, out, "  ");
	table_free(&t);
	return 0;
}

int show_run_json(struct arena *a, struct store *s, const char *id, struct text *out,
		  struct failure *f)
{
	struct stored_run r;

	if (store_load(s, a, id, &r, f))
		return -1;
	text_str(out, r.json);
	if (!out->len || out->s[out->len - 1] != '\n')
		text_char(out, '\n');
	return 0;
}

struct difference {
	const char *name, *unit;
	double a, b;
	double rel; /* |a - b| / max(|a|, |b|) */
	u32 order;
};

static double size_of(const struct difference *d)
{
	return fmax(fabs(d->a), fabs(d->b));
}

/* Largest relative difference first; of equal ones (new, gone) the larger number. */
static int by_size(const void *x, const void *y)
{
	const struct difference *a = x, *b = y;

	if (a->rel > b->rel || a->rel < b->rel)
		return a->rel > b->rel ? -1 : 1;
	if (size_of(a) > size_of(b) || size_of(a) < size_of(b))
		return size_of(a) > size_of(b) ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static const struct stored_counter *counter(const struct stored_counter *c, u32 n,
					    const char *name)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(c[i].name, name))
			return &c[i];
	return NULL;
}

static u32 differences(const struct stored_counter *a, u32 na,
		       const struct stored_counter *b, u32 nb, struct difference *out)
{
	u32 n = 0;

	for (u32 i = 0; i < na + nb; i++) {
		const struct stored_counter *c = i < na ? &a[i] : &b[i - na];
		const struct stored_counter *in_a = i < na ? c : counter(a, na, c->name);
		const struct stored_counter *in_b = i < na ? counter(b, nb, c->name) : c;
		struct difference d = {.name = c->name, .unit = c->unit, .order = i};

		if (i >= na && in_a)
			continue;
		d.a = in_a ? in_a->value : 0;
		d.b = in_b ? in_b->value : 0;
		if (!(d.a < d.b || d.a > d.b))
			continue;
		d.rel = fabs(d.a - d.b) / size_of(&d);
		out[n++] = d;
	}
	qsort(out, n, sizeof(*out), by_size);
	return n;
}

static void draw_differences(const struct difference *d, u32 n, struct text *out)
{
	struct table t;

	table_init(&t, 5, 1u << 1 | 1u << 2 | 1u << 3);
	table_cell(&t, "counter");
	table_cell(&t, "A");
	table_cell(&t, "B");
	table_cell(&t, "change");
	table_cell(&t, "unit");
	for (u32 i = 0; i < n; i++) {
		table_cell(&t, "%s", d[i].name);
		number(&t, d[i].a);
		number(&t, d[i].b);
		if (d[i].a == 0)
			table_cell(&t, "new");
		else
			table_cell(&t, "%+.1f%%", 100 * (d[i].b - d[i].a) / fabs(d[i].a));
		table_cell(&t, "%s", d[i].unit);
	}
	table_render(&t, out, "");
	table_free(&t);
}

static void name_run(char which, const struct stored_run *r, struct text *out)
{
	text_fmt(out, "%c  %.8s  %s, %s%s%s, %s, seed %llu\n", which, r->id, r->machine,
		 r->workload, *r->params ? " " : "", r->params, r->kernel,
		 (unsigned long long)r->seed);
}

int explain_runs(struct arena *a, struct store *s, const char *id_a, const char *id_b,
		 const char *why, struct text *out, struct failure *f)
{
	struct stored_counter *ca, *cb;
	struct stored_run ra, rb;
	struct difference *d;
	u32 na, nb, n;

	if (store_load(s, a, id_a, &ra, f) || store_load(s, a, id_b, &rb, f) ||
	    store_counters(s, a, ra.id, &ca, &na, f) ||
	    store_counters(s, a, rb.id, &cb, &nb, f))
		return -1;
	d = arena_array(a, struct difference, na + nb + 1);
	n = differences(ca, na, cb, nb, d);
	name_run('A', &ra, out);
	name_run('B', &rb, out);
	text_str(out, why);
	if (!n) {
		text_fmt(out, "\nAll %u counters are equal; digests %s.\n", na,
			 ra.digest == rb.digest ? "too" : "differ");
		return 0;
	}
	text_fmt(out,
		 "\n%u of %u counters differ, largest relative difference first:\n\n", n,
		 max_u32(na, nb));
	draw_differences(d, n, out);
	return 0;
}
