/* Which tasks make a metric: those whose programs count the thing or end the span. */
#include "plan.h"

static bool has_op(const struct program *p, const struct op_type *type, bool target,
		   u32 index)
{
	for (u32 i = 0; i < p->nop; i++)
		if (p->op[i].type == type &&
		    (target ? p->op[i].target : p->op[i].index) == index)
			return true;
	return false;
}

enum metric_basis plan_metric_basis(const struct workload_plan *p, u32 metric,
				    bool *maker, bool *exact)
{
	const struct metric *m = &p->metric[metric];

	*exact = true;
	for (u32 g = 0; g < p->ngroup; g++)
		maker[g] = false;
	switch (m->kind) {
	case METRIC_RATE:
	case METRIC_TOTAL:
		for (u32 g = 0; g < p->ngroup; g++)
			maker[g] =
				has_op(&p->group[g].program, &op_count, false, m->index);
		return BASIS_UNITS;
	case METRIC_SPAN:
		for (u32 g = 0; g < p->ngroup; g++)
			maker[g] = has_op(&p->group[g].program, &op_end, true, m->index);
		*exact = m->stat == SPAN_MEAN;
		return m->stat == SPAN_COUNT ? BASIS_NONE : BASIS_EVENTS;
	case METRIC_ELAPSED:
		for (u32 g = 0; g < p->ngroup; g++)
			maker[g] = true;
		return BASIS_WORK;
	case METRIC_SHARE:
	case METRIC_CPU:
		maker[m->index] = true;
		return BASIS_CPU;
	case METRIC_RESOURCE:
	case METRIC_LIMIT:
		return BASIS_NONE;
	}
	return BASIS_NONE;
}
