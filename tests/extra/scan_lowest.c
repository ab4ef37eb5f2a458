/*
 * wake.scan = lowest: always look from the first CPU of the cache domain on, so that work
 * packs on the low CPUs and the high ones can sleep deeply. Looks at every CPU until one
 * is idle; no whole cores.
 */
#include "options_fn.h"

u32 scan_lowest(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
		bool whole_cores)
{
	const struct cpumask *span = s->rq[target].sd_llc->span;
	u32 looked = 0, cpu;

	(void)whole_cores;
	for (cpu = cpumask_next_and(span, t->cpus, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(span, t->cpus, cpu + 1)) {
		looked++;
		if (cpu_idle(s, cpu))
			break;
	}
	cpu_charge(s, this_rq, SYS_SCAN, s->cost[COST_SCAN] * looked);
	if (cpu != CPU_NONE)
		count(s, DEC_WAKE_IDLE_CPU);
	return cpu;
}
