/* policy: the policy of the task, as sched_setscheduler(0, SCHED_BATCH, ...). */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const names[] = {"other", "batch", "idle"};
	u32 policy;

	if (need_arg(c, arg, "'policy: other', 'batch' or 'idle'") ||
	    y_choice(arg, names, ARRAY_SIZE(names), &policy, c->f))
		return -1;
	emit(c, &op_policy)->value = policy;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	sched_set_policy(t->run->sched, t->task, (enum task_policy)op->value);
	return FLOW_YIELD;
}

const struct op_type op_policy = {compile, step};
