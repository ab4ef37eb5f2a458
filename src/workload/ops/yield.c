/* yield: sched_yield(), once. Alone in a loop it takes no time where system calls do not.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	if (no_arg(c, arg))
		return -1;
	emit(c, &op_yield);
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	(void)op;
	sched_yield_cpu(t->run->sched, t->task);
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

const struct op_type op_yield = {compile, step};
