/*
 * What `sysbench --report-interval` and its like print: a percentile of the events that
 * ended in each interval. A mean of these weighs a second with few, late events like one
 * with many, where the percentile of the whole window does not see them at all.
 *
 * Left out: an interval in which no event ended (some programs print 0 for it), and one
 * that the end of the run cuts.
 */
#include "reports.h"

#include <string.h>

struct reports {
	const struct metric *metric;
	u64 end; /* of the interval in work */
	u64 n;	 /* intervals that are over and had events */
	u64 sum; /* of their percentiles, ns */
	struct hist now;
};

void reports_init(struct workload_run *r, struct arena *a)
{
	u32 n = 0;

	for (u32 i = 0; i < r->plan->nmetric; i++)
		n += r->plan->metric[i].every != 0;
	if (!n)
		return;
	r->reports = arena_array(a, struct reports, n);
	for (u32 i = 0; i < r->plan->nmetric; i++) {
		const struct metric *m = &r->plan->metric[i];

		if (m->every)
			r->reports[r->nreport++] =
				(struct reports){.metric = m, .end = m->every};
	}
}

void reports_reset(struct workload_run *r)
{
	for (u32 i = 0; i < r->nreport; i++) {
		struct reports *p = &r->reports[i];

		p->end = sched_now(r->sched) + p->metric->every;
		p->n = p->sum = 0;
		memset(&p->now, 0, sizeof(p->now));
	}
}

/* An event at the end of an interval is of the next one. */
static void close_until(struct reports *p, u64 now)
{
	u64 every = p->metric->every;

	if (now < p->end)
		return;
	if (p->now.n) {
		p->sum += hist_quantile(&p->now, p->metric->permyriad);
		p->n++;
		memset(&p->now, 0, sizeof(p->now));
	}
	p->end += ((now - p->end) / every + 1) * every;
}

void reports_add(struct workload_run *r, u32 span, u64 now, u64 length)
{
	for (u32 i = 0; i < r->nreport; i++) {
		struct reports *p = &r->reports[i];

		if (p->metric->index != span)
			continue;
		close_until(p, now);
		hist_add(&p->now, length);
	}
}

u64 reports_sum(struct workload_run *r, const struct metric *m, u64 now, u64 *n)
{
	for (u32 i = 0; i < r->nreport; i++) {
		if (r->reports[i].metric != m)
			continue;
		close_until(&r->reports[i], now);
		*n = r->reports[i].n;
		return r->reports[i].sum;
	}
	*n = 0;
	return 0;
}
