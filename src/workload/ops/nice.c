/* nice: the nice value that the task gives itself, as setpriority(PRIO_PROCESS, 0, n). */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	s64 nice;

	if (need_arg(c, arg, "'nice: 5'") || expr_signed(&c->env, arg, -20, 19, &nice))
		return -1;
	emit(c, &op_nice)->value = (u64)(nice + 20);
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	sched_set_nice(t->run->sched, t->task, (s32)op->value - 20);
	return FLOW_YIELD;
}

const struct op_type op_nice = {compile, step};
