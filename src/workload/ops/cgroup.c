/* cgroup: NAME: the task goes to that cgroup, as if it wrote itself into cgroup.threads.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	u32 cgroup;

	if (need_arg(c, arg, "'cgroup: NAME'") || find_cgroup(c, arg, &cgroup))
		return -1;
	emit(c, &op_cgroup)->index = cgroup;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	t->cgroup = op->index;
	sched_join_group(t->run->sched, t->task, t->run->cgroup[op->index]);
	return FLOW_YIELD;
}

const struct op_type op_cgroup = {compile, step};
