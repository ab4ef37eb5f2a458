/* exec: replaces the program of the process; what the new one does follows. */
#include "compile.h"
#include "inst.h"

/* Linux looks for an idler CPU first: what exec costs is paid where the task ends up. */
static enum flow place(struct inst *t, const struct op *op, enum step *next)
{
	(void)op;
	sched_exec(t->run->sched, t->task);
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

static const struct op_type op_exec_place = {NULL, place};

static int compile(struct compiler *c, const struct ynode *arg)
{
	if (no_arg(c, arg))
		return -1;
	emit(c, &op_exec_place);
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
