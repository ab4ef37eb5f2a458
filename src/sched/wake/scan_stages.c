/*
 * wake.scan = stages: three searches one after another, each from the target on: a wholly
 * idle core, an idle CPU within the budget of SIS_PROP, an idle thread of the target's
 * core. Corresponds to select_idle_core(), select_idle_cpu(), select_idle_smt() of Linux
 * 4.13 to 5.11.
 */
#include "options_fn.h"
#include "wake/scan.h"

static u32 stage_core(struct sched *s, const struct task *t, struct rq *this_rq,
		      u32 target)
{
	struct scan_walk w = {.first_idle = target}; /* it remembers no idle thread */
	u32 cpu = scan_cores(s, t, s->rq[target].sd_llc->span, target, &w);

	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * w.looked);
	if (cpu != CPU_NONE)
		count(s, DEC_WAKE_IDLE_CORE);
	else
		s->rq[target].llc->has_idle_cores = false;
	return cpu;
}

static u32 stage_sibling(struct sched *s, const struct task *t, struct rq *this_rq,
			 u32 target)
{
	u32 looked = 0, found = CPU_NONE;

	for (u32 i = 0; i < s->sib_n[target] && found == CPU_NONE; i++) {
		u32 cpu = s->sib[s->sib_at[target] + i];

		if (!task_allowed(t, cpu))
			continue;
		looked++;
		if (cpu_usable(s, cpu))
			found = cpu;
	}
	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * looked);
	if (found != CPU_NONE)
		count(s, DEC_WAKE_IDLE_SMT);
	return found;
}

u32 scan_stages(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		bool whole_cores)
{
	u32 cpu = whole_cores ? stage_core(s, t, this_rq, target) : CPU_NONE;

	if (cpu == CPU_NONE && this_rq->sd_llc)
		cpu = scan_prop_cpus(s, t, this_rq, target, true);
	if (cpu == CPU_NONE && s->sib_n[target] > 1)
		cpu = stage_sibling(s, t, this_rq, target);
	return cpu;
}
