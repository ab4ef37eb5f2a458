/* untag: NAME writes 0 into cpu.tag of a cgroup. */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	u32 cgroup;

	if (need_arg(c, arg, "'untag: CGROUP'") || find_cgroup(c, arg, &cgroup))
		return -1;
	emit(c, &op_untag)->index = cgroup;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	sched_group_tag(t->run->sched, t->run->cgroup[op->index], false);
	return FLOW_YIELD;
}

const struct op_type op_untag = {compile, step};
