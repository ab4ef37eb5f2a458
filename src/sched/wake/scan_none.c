/* wake.scan = none: no search. */
#include "options_fn.h"

u32 scan_none(struct sched *s, struct task *t, struct rq *this_rq, u32 target,
	      bool whole_cores)
{
	(void)t;
	(void)this_rq;
	(void)target;
	(void)whole_cores;
	count(s, DEC_WAKE_NO_SCAN);
	return CPU_NONE;
}
