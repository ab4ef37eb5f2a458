/* system: DURATION: time in the kernel on the task's own behalf. */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct dist *dist;

	if (need_arg(c, arg, "'system: 2 us'") || compile_dist(c, arg, &dist))
		return -1;
	c->takes_time = true;
	emit(c, &op_system)->dist = dist;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	sched_charge(t->run->sched, t->task, SYS_KERNEL, inst_draw(t, op));
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

const struct op_type op_system = {compile, step};
