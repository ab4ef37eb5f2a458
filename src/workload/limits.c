/*
 * Limits of CPU time (cpu.max): what they did in the measured window, group by group, as
 * cpu.stat of a cgroup says it, and as metrics:
 *
 *   metrics:
 *     throttled: {cgroup: web, stat: throttled, unit: ms}
 *
 * Left out: burst_usec, the CPU time beyond the quota.
 */
#include "limits.h"

static const char *const stat_names[] = {
	[LIMIT_PERIODS] = "periods",
	[LIMIT_THROTTLED_PERIODS] = "throttled-periods",
	[LIMIT_THROTTLED_SHARE] = "throttled-share",
	[LIMIT_THROTTLES] = "throttles",
	[LIMIT_BURSTS] = "bursts",
	[LIMIT_THROTTLED] = "throttled",
	[LIMIT_USED] = "used",
};

static const struct {
	const char *name;
	u64 ns;
} units[] = {{"ns", 1}, {"us", NS_PER_US}, {"ms", NS_PER_MS}, {"s", NS_PER_SEC}};

static int time_unit(struct compiler *c, const struct ynode *unit, struct metric *m)
{
	const char *names[ARRAY_SIZE(units)];
	u32 i = ARRAY_SIZE(units) - 1;

	for (u32 k = 0; k < ARRAY_SIZE(units); k++)
		names[k] = units[k].name;
	if (unit && y_choice(unit, names, ARRAY_SIZE(units), &i, c->f))
		return -1;
	m->decl.unit = units[i].name;
	m->scale = units[i].ns;
	return 0;
}

static int share_unit(struct compiler *c, const struct ynode *unit, struct metric *m)
{
	static const char *const names[] = {"ratio", "%"};
	u32 i = 0;

	if (unit && y_choice(unit, names, ARRAY_SIZE(names), &i, c->f))
		return -1;
	m->decl.unit = names[i];
	m->scale = i ? 100 : 1;
	return 0;
}

int compile_limit_metric(struct compiler *c, const struct ynode *map,
			 const struct ynode *what, struct metric *m)
{
	const struct ynode *stat = y_need(map, "stat", c->f), *unit = y_get(map, "unit");

	if (find_cgroup(c, what, &m->index))
		return -1;
	if (!c->cgroup[m->index].limited)
		return y_fail(what, c->f,
			      "cgroup '%.60s' has no limit of CPU time, expected one "
			      "with 'max:'",
			      what->text);
	if (!stat || y_choice(stat, stat_names, LIMIT_STATS, &m->resource_stat, c->f))
		return -1;
	if (!y_get(map, "better"))
		m->decl.higher_better = m->resource_stat == LIMIT_USED;
	m->scale = 1;
	switch ((enum limit_stat)m->resource_stat) {
	case LIMIT_THROTTLED:
	case LIMIT_USED:
		return time_unit(c, unit, m);
	case LIMIT_THROTTLED_SHARE:
		return share_unit(c, unit, m);
	case LIMIT_PERIODS:
	case LIMIT_THROTTLED_PERIODS:
	case LIMIT_THROTTLES:
	case LIMIT_BURSTS:
	case LIMIT_STATS:
		break;
	}
	return 0;
}

void limits_reset(struct workload_run *r)
{
	for (u32 i = 0; i < r->plan->ncgroup; i++)
		sched_limit_stats(r->sched, r->cgroup[i], &r->limit_base[i]);
}

static void in_window(const struct workload_run *r, u32 cgroup, struct limit_stats *out)
{
	const struct limit_stats *base = &r->limit_base[cgroup];

	sched_limit_stats(r->sched, r->cgroup[cgroup], out);
	out->periods -= base->periods;
	out->throttled_periods -= base->throttled_periods;
	out->throttles -= base->throttles;
	out->throttled_ns -= base->throttled_ns;
	out->used_ns -= base->used_ns;
	out->bursts -= base->bursts;
}

bool limit_value(const struct workload_run *r, const struct metric *m, double *value)
{
	double scale = (double)m->scale;
	struct limit_stats st;

	in_window(r, m->index, &st);
	switch ((enum limit_stat)m->resource_stat) {
	case LIMIT_PERIODS:
		*value = (double)st.periods;
		return true;
	case LIMIT_THROTTLED_PERIODS:
		*value = (double)st.throttled_periods;
		return true;
	case LIMIT_THROTTLED_SHARE:
		if (st.periods)
			*value =
				(double)st.throttled_periods / (double)st.periods * scale;
		return st.periods > 0;
	case LIMIT_THROTTLES:
		*value = (double)st.throttles;
		return true;
	case LIMIT_BURSTS:
		*value = (double)st.bursts;
		return true;
	case LIMIT_THROTTLED:
		*value = (double)st.throttled_ns / scale;
		return true;
	case LIMIT_USED:
		*value = (double)st.used_ns / scale;
		return true;
	case LIMIT_STATS:
		break;
	}
	return false;
}

bool workload_limits(const struct workload_run *r, u32 i, const char **name,
		     struct group_limit *limit, struct limit_stats *stats)
{
	for (u32 g = 0; g < r->plan->ncgroup; g++) {
		if (!r->plan->cgroup[g].limited || i--)
			continue;
		*name = r->plan->cgroup[g].name;
		*limit = r->plan->cgroup[g].limit;
		in_window(r, g, stats);
		return true;
	}
	return false;
}
