/* tag: NAME writes 1 into cpu.tag of a cgroup (core scheduling, versions 1 to 8). */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	u32 cgroup;

	if (need_arg(c, arg, "'tag: CGROUP'") || find_cgroup(c, arg, &cgroup))
		return -1;
	emit(c, &op_tag)->index = cgroup;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	sched_group_tag(t->run->sched, t->run->cgroup[op->index], true);
	return FLOW_YIELD;
}

const struct op_type op_tag = {compile, step};
