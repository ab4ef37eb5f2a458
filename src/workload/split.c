/*
 * What the events of one span consist of: the time of the task that has the event, from
 * its begin to its end, by state (sched/account.h). Sums are kept by length of the event,
 * in the buckets of the histogram that the metric is read from, so that a percentile is
 * split as the events about that percentile are, and not as all are.
 *
 * Leaves out what others do meanwhile: a task that waits for a reply sleeps. An event
 * that began further back than the account remembers, a timer that is many periods late,
 * is left out.
 */
#include "split.h"

#include <string.h>

struct bucket {
	struct account_row row;
	u64 n;
};

struct split {
	struct arena *arena;
	struct account *account;
	const struct metric *metric;
	struct bucket *bucket[HIST_BUCKETS]; /* NULL: no event of that length */
	u64 n;
};

void split_begin(struct split *s, const struct inst *t, u32 span, u64 from)
{
	if (span == s->metric->index)
		account_mark(s->account, t->task, from);
}

void split_end(struct split *s, const struct inst *t, u32 span)
{
	struct account_row row;
	struct bucket **at, *b;

	if (span != s->metric->index || !account_since_mark(s->account, t->task, &row))
		return;
	at = &s->bucket[hist_bucket(row.sum)];
	if (!*at)
		*at = arena_new(s->arena, struct bucket);
	b = *at;
	for (u32 i = 0; i < REASON_COUNT; i++)
		b->row.ns[i] += row.ns[i];
	b->row.sum += row.sum;
	b->n++;
	s->n++;
}

void split_reset(struct split *s)
{
	for (u32 i = 0; i < HIST_BUCKETS; i++)
		if (s->bucket[i])
			*s->bucket[i] = (struct bucket){0};
	s->n = 0;
}

bool workload_split(struct workload_run *r, struct account *account, u32 metric)
{
	const struct metric *m = &r->plan->metric[metric];

	if (m->kind != METRIC_SPAN || m->stat == SPAN_COUNT)
		return false;
	account_by_task(account);
	r->split = arena_new(r->arena, struct split);
	r->split->arena = r->arena;
	r->split->account = account;
	r->split->metric = m;
	return true;
}

/* Ranks from *lo up to *hi of n events. */
static void ranks(const struct split *s, u64 *lo, u64 *hi)
{
	u64 rank = mul_div(s->n, s->metric->permyriad, 10000);
	u64 half = (s->n - min_u64(rank, s->n)) / 2;

	*lo = 0;
	*hi = s->n;
	if (s->metric->stat == SPAN_MEAN)
		return;
	if (s->metric->stat == SPAN_MAX) {
		*lo = s->n - min_u64(s->n, 1);
		return;
	}
	/* at least the one event that is the percentile */
	rank = min_u64(rank, s->n - 1);
	*lo = rank - min_u64(rank, half);
	*hi = max_u64(rank + 1, min_u64(s->n, rank + half));
}

u64 workload_split_events(const struct workload_run *r, struct account_row *out,
			  double *from, double *to)
{
	const struct split *s = r->split;
	u64 lo, hi, seen = 0;

	*out = (struct account_row){0};
	if (!s || !s->n)
		return 0;
	ranks(s, &lo, &hi);
	*from = (double)lo / (double)s->n;
	*to = (double)hi / (double)s->n;
	for (u32 i = 0; i < HIST_BUCKETS && seen < hi; i++) {
		const struct bucket *b = s->bucket[i];
		u64 n = b ? b->n : 0, first = max_u64(seen, lo),
		    last = min_u64(seen + n, hi);

		seen += n;
		/* of a bucket that is cut, its share of the sums */
		for (u32 k = 0; n && last > first && k < REASON_COUNT; k++)
			out->ns[k] += mul_div(b->row.ns[k], last - first, n);
	}
	for (u32 k = 0; k < REASON_COUNT; k++)
		out->sum += out->ns[k];
	return hi - lo;
}
