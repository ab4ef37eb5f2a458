/*
 * Nice levels: each step is 10 % of CPU between two equals, a factor of about 1.25 in
 * weight. The weights are Linux's (sched_prio_to_weight, a published interface constant).
 * SCHED_IDLE weighs 3 whatever its nice value is.
 */
#include "internal.h"

static const u32 nice_weight[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,	 1991,	1586,  1277,
	1024,  820,   655,   526,   423,   335,	  272,	 215,	172,   137,
	110,   87,    70,    56,    45,	   36,	  29,	 23,	18,    15,
};

u32 fair_nice_weight(s32 nice)
{
	return nice_weight[nice + 20];
}

u32 fair_task_weight(const struct task *t)
{
	return t->policy == POLICY_IDLE ? FAIR_IDLE_WEIGHT : fair_nice_weight(t->nice);
}

void fair_set_weight(struct entity *se, u64 weight)
{
	se->weight = weight;
	se->inv_weight = Q32_ONE / weight;
}
