/*
 * exec: replaces the program of the process; what the new one does follows.
 *
 * differs from Linux: no balancing at exec.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	if (no_arg(c, arg))
		return -1;
	emit(c, &op_exec);
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct sched *s = t->run->sched;

	(void)op;
	sched_charge(s, t->task, SYS_KERNEL, machine_cost(sched_machine(s), COST_EXEC));
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

const struct op_type op_exec = {compile, step};
