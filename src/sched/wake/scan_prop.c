/*
 * wake.scan = prop: the budget is what the waker's CPU is idle on average, a 512th of it,
 * divided by the average cost of a look. Corresponds to select_idle_cpu() of Linux 5.12
 * and 5.13 with SIS_PROP. The hint of idle cores is cleared in the cache domain of the
 * waker, where a later kernel clears that of the target.
 *
 *              CPUs * avg_idle / 512
 *   budget = -------------------------, 4 at least; stops at the last one
 *              avg cost of a scan + 1
 */
#include "options_fn.h"
#include "wake/scan.h"

#define MIN_BUDGET 4u

u64 scan_prop_budget(const struct domain *target, u64 avg_idle, u64 scan_cost)
{
	u64 span = target->span_weight * (avg_idle / 512), cost = scan_cost + 1;

	return span > MIN_BUDGET * cost ? span / cost : MIN_BUDGET;
}

static bool usable(const struct sched *s, const struct task *t, u32 cpu)
{
	if (!cpu_usable(s, cpu))
		return false;
	return !s->feat[FEAT_CORE_COOKIE_WAKE] || core_cpu_match(s, cpu, t);
}

/* avg += (cost - avg) / 8 */
static void charge(struct sched *s, struct rq *this_rq, u32 looked, bool over)
{
	struct domain *sd = this_rq->sd_llc;
	u64 before = s->totals.system_ns[SYS_SCAN], cost;

	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * looked);
	cost = s->totals.system_ns[SYS_SCAN] - before;
	if (over)
		return; /* what was given up is not counted */
	if (cost > sd->scan_cost)
		sd->scan_cost += (cost - sd->scan_cost) / 8;
	else
		sd->scan_cost -= (sd->scan_cost - cost) / 8;
}

u32 scan_prop_cpus(struct sched *s, const struct task *t, struct rq *this_rq, u32 target,
		   bool forbidden_count)
{
	const struct domain *sd = s->rq[target].sd_llc;
	u64 budget = scan_prop_budget(sd, this_rq->avg_idle, this_rq->sd_llc->scan_cost);
	u32 looked = 0, cpu = target, found = CPU_NONE;
	bool over = false;

	for (u32 i = 0; i < sd->span_weight && found == CPU_NONE; i++) {
		bool allowed = task_allowed(t, cpu);

		if ((allowed || forbidden_count) && !--budget) {
			over = true;
			break;
		}
		looked += allowed;
		if (allowed && usable(s, t, cpu))
			found = cpu;
		cpu = cpumask_next(sd->span, cpu + 1);
		if (cpu == CPU_NONE)
			cpu = cpumask_first(sd->span);
	}
	charge(s, this_rq, looked, over);
	if (found != CPU_NONE)
		count(s, DEC_WAKE_IDLE_CPU);
	return found;
}

u32 scan_prop(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
	      bool whole_cores)
{
	struct scan_walk w = {.first_idle = CPU_NONE};
	u32 cpu;

	if (!this_rq->sd_llc)
		return CPU_NONE;
	if (!whole_cores)
		return scan_prop_cpus(s, t, this_rq, target, false);
	cpu = scan_cores(s, t, s->rq[target].sd_llc->span, target, &w);
	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * w.looked);
	if (cpu != CPU_NONE) {
		count(s, DEC_WAKE_IDLE_CORE);
		return cpu;
	}
	this_rq->llc->has_idle_cores = false;
	if (w.first_idle != CPU_NONE)
		count(s, DEC_WAKE_IDLE_CPU);
	return w.first_idle;
}
