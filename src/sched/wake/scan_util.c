/*
 * wake.scan = util: the periodic balancer leaves in nr_idle_scan how many CPUs are worth
 * looking at, given the utilisation of the cache domain (SIS_UTIL, Linux 6.0). At about
 * 85 % nothing is, not even for a whole core.
 */
#include "options_fn.h"
#include "wake/scan.h"

u32 scan_util(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
	      bool whole_cores)
{
	u32 budget = s->rq[target].llc->nr_idle_scan;

	if (!budget) {
		count(s, DEC_WAKE_NO_SCAN);
		return CPU_NONE;
	}
	return scan_domain(s, t, this_rq, target, whole_cores, budget);
}
