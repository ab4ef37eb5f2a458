/* The JSON of a summary, in the order, spacing and digits of tests/oracle/summarise.py.
 */
#include <stdio.h>
#include <string.h>

#include "event.h"

/* A decimal without trailing zeros, but with one digit after the point. */
static void put_decimal(struct text *out, char *s)
{
	size_t n = strlen(s);

	while (n > 2 && s[n - 1] == '0' && s[n - 2] != '.')
		n--;
	text_put(out, s, n);
}

static void put_double(struct text *out, const char *key, double v, u32 places)
{
	char buf[400];

	snprintf(buf, sizeof(buf), "%.*f", (int)places, v);
	text_fmt(out, "%s", key);
	put_decimal(out, buf);
}

static void put_scaled(struct text *out, const char *key, u64 v, u32 places)
{
	char buf[64];
	u64 unit = places == 1 ? 10 : 1000;

	snprintf(buf, sizeof(buf), "%llu.%0*llu", (unsigned long long)(v / unit),
		 (int)places, (unsigned long long)(v % unit));
	text_fmt(out, "%s", key);
	put_decimal(out, buf);
}

/* "p50": ... of q[i]; a q of 1 is the maximum. Nothing was counted: null. */
static void put_counts(struct arena *a, struct text *out, const struct counts *c,
		       const double *q, const char *const *key, u32 n, u32 places)
{
	u64 value[4] = {0};

	if (c->n)
		counts_quantiles(a, c, q, n, value);
	for (u32 i = 0; i < n; i++) {
		if (c->n)
			put_scaled(out, key[i], value[i], places);
		else
			text_fmt(out, "%snull", key[i]);
	}
}

/* As json.dumps() has a string of ASCII. */
static void put_name(struct text *out, const struct trace_task *t)
{
	text_char(out, '"');
	for (const char *p = t->name; *p; p++) {
		if (*p == '"' || *p == '\\')
			text_char(out, '\\');
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)
			text_fmt(out, "\\u%04x", (unsigned)(unsigned char)*p);
		else
			text_char(out, *p);
	}
	if (t->shared)
		text_fmt(out, "/%u", t->pid);
	text_str(out, "\": ");
}

static void put_task(struct arena *a, struct text *out, const struct trace_task *t,
		     double window)
{
	static const double slice_q[] = {0.5, 0.95, 1}, wake_q[] = {0.5, 0.95, 0.99, 1};
	static const char *const slice_key[] = {
		"\"p50\": ", ", \"p95\": ", ", \"max\": "};
	static const char *const wake_key[] = {
		", \"p50\": ", ", \"p95\": ", ", \"p99\": ", ", \"max\": "};

	put_name(out, t);
	put_double(out, "{\"cpu_s\": ", t->cpu_s, 4);
	put_double(out, ", \"share\": ", t->cpu_s / window, 3);
	text_fmt(out, ", \"runs\": %llu, \"preempted\": %llu, \"migrations\": %llu",
		 (unsigned long long)t->runs, (unsigned long long)t->preempted,
		 (unsigned long long)t->migrations);
	text_str(out, ", \"slice_ms\": {");
	put_counts(a, out, &t->slice, slice_q, slice_key, 3, 3);
	text_fmt(out, "}, \"wake_us\": {\"n\": %llu", (unsigned long long)t->wake.n);
	put_counts(a, out, &t->wake, wake_q, wake_key, 4, 1);
	text_str(out, "}}");
}

void trace_json(const struct trace_summary *s, struct text *out)
{
	struct arena a;

	arena_init(&a);
	put_double(out, "{\"window_s\": ", s->window, 4);
	text_fmt(out, ", \"switches\": %llu, \"migrations\": %llu, \"wakeups\": %llu",
		 (unsigned long long)s->switches, (unsigned long long)s->migrations,
		 (unsigned long long)s->wakeups);
	put_double(out, ", \"same_core_s\": ", s->same, 4);
	put_double(out, ", \"cross_core_s\": ", s->cross, 4);
	put_double(out, ", \"lone_s\": ", s->lone, 4);
	text_str(out, ", \"cpus\": [");
	for (u32 i = 0; i < s->cpus; i++)
		put_double(out, i ? ", " : "", s->busy[i] / s->window, 3);
	text_str(out, "], \"tasks\": {");
	for (u32 i = 0; i < s->ntask; i++) {
		text_str(out, i ? ", " : "");
		put_task(&a, out, s->task[i], s->window);
	}
	text_char(out, '}');
	if (s->lost || s->lost_more)
		text_fmt(out, ", \"lost_events\": %llu", (unsigned long long)s->lost);
	text_str(out, "}\n");
	arena_free(&a);
}
