/*
 * Values of metrics: integer counters become numbers here, once, after the simulation, in
 * the order of the file. The only floating point of this layer.
 */
#include "limits.h"
#include "reports.h"
#include "resources.h"
#include "split.h"

#include <string.h>

static u64 group_total(const struct workload_run *r, const struct sched *s, u32 group)
{
	u64 ns = r->group[group].exited_cpu;

	for (const struct inst *t = r->alive; t; t = t->next)
		if (t->group == group)
			ns += task_cpu_time(s, t->task);
	return ns;
}

void workload_measure_from_now(struct workload_run *r, struct sched *s)
{
	for (u32 g = 0; g < r->plan->ngroup; g++)
		r->group[g].cpu_base = group_total(r, s, g);
	memset(r->counter, 0, sizeof(*r->counter) * r->plan->ncounter);
	memset(r->span, 0, sizeof(*r->span) * r->plan->nspan);
	if (r->split)
		split_reset(r->split);
	r->sched = s;
	reports_reset(r);
	resources_reset(r);
	limits_reset(r);
	r->measure_from = sched_now(s);
}

u64 workload_group_cpu(const struct workload_run *r, const struct sched *s, u32 group)
{
	return group_total(r, s, group) - r->group[group].cpu_base;
}

static double share_base(const struct workload_run *r, const struct sched *s,
			 const struct metric *m, u64 window)
{
	const struct machine *machine = sched_machine(s);
	u64 online = 0, all = 0;

	if (m->of == OF_CPUS) {
		for (u32 i = 0; i < machine->ncpu; i++)
			online += machine->cpu[i].online;
		return (double)window * (double)online;
	}
	if (m->of != OF_ALL)
		return (double)workload_group_cpu(r, s, m->of);
	for (u32 g = 0; g < r->plan->ngroup; g++)
		all += workload_group_cpu(r, s, g);
	return (double)all;
}

/* The mean of the percentiles of its intervals. */
static bool reported_value(struct workload_run *r, const struct metric *m, double *value)
{
	u64 n, sum = reports_sum(r, m, sched_now(r->sched), &n);

	if (!n)
		return false;
	*value = (double)sum / (double)n / (double)m->scale;
	return true;
}

static bool span_value(struct workload_run *r, const struct metric *m, double *value)
{
	const struct hist *h = &r->span[m->index];
	double scale = (double)m->scale;

	if (m->every)
		return reported_value(r, m, value);
	*value = (double)h->n;
	if (m->stat == SPAN_COUNT)
		return true;
	if (!h->n)
		return false;
	if (m->stat == SPAN_MEAN)
		*value = (double)h->sum / (double)h->n / scale;
	else if (m->stat == SPAN_MAX)
		*value = (double)h->max / scale;
	else
		*value = (double)hist_quantile(h, m->permyriad) / scale;
	return true;
}

u64 workload_metric_count(const struct workload_run *r, u32 metric)
{
	const struct metric *m = &r->plan->metric[metric];

	if (m->kind == METRIC_SPAN)
		return r->span[m->index].n;
	if (m->kind == METRIC_RATE || m->kind == METRIC_TOTAL)
		return r->counter[m->index];
	return 0;
}

static bool resource_value(struct workload_run *r, const struct metric *m, double *value)
{
	struct ledger sum;
	u64 stat[RES_STATS];

	resource_sum(r, m->index, resource_decls(&r->plan->res, m->index)->d[m->of],
		     &sum);
	resource_values(&sum, stat);
	*value = (double)stat[m->resource_stat] / (double)m->scale;
	return true;
}

static bool metric_value(struct workload_run *r, const struct sched *s,
			 const struct metric *m, double *value)
{
	u64 window = sched_now(s) - r->measure_from;
	double base, counted;

	switch (m->kind) {
	case METRIC_RATE:
		counted = (double)r->counter[m->index] / (double)m->scale;
		*value = counted * 1e9 / (double)window;
		return window > 0;
	case METRIC_TOTAL:
		*value = (double)r->counter[m->index] / (double)m->scale;
		return true;
	case METRIC_SPAN:
		return span_value(r, m, value);
	case METRIC_ELAPSED:
		*value = (double)(r->last_exit - r->first_begin) / (double)m->scale;
		return r->launched && !r->nalive;
	case METRIC_SHARE:
		base = share_base(r, s, m, window);
		*value = (double)workload_group_cpu(r, s, m->index) / base *
			 (double)m->scale;
		return base > 0;
	case METRIC_CPU:
		*value = (double)workload_group_cpu(r, s, m->index) / (double)m->scale;
		return true;
	case METRIC_RESOURCE:
		return resource_value(r, m, value);
	case METRIC_LIMIT:
		return limit_value(r, m, value);
	}
	return false;
}

void workload_metrics(struct workload_run *r, struct sched *s, double *value, bool *has)
{
	r->sched = s;
	resources_settle(r);
	for (u32 i = 0; i < r->plan->nmetric; i++) {
		value[i] = 0;
		has[i] = !r->failed && metric_value(r, s, &r->plan->metric[i], &value[i]);
		if (!has[i])
			value[i] = 0;
	}
}
