/* wake.scan = full: every CPU of the cache domain. */
#include "options_fn.h"
#include "wake/scan.h"

u32 scan_full(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
	      bool whole_cores)
{
	return scan_domain(s, t, this_rq, target, whole_cores, UINT32_MAX);
}
