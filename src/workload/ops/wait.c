/*
 * wait: until every child is gone, as a loop around wait(2) does: each child that leaves
 * meanwhile wakes the parent (ops/exit.c), which looks and sleeps again.
 */
#include "resources.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	if (no_arg(c, arg))
		return -1;
	emit(c, &op_wait); /* takes no time without children */
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	(void)op;
	if (!t->kids)
		return FLOW_NEXT;
	t->waiting = true;
	inst_block(t, NULL);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}

const struct op_type op_wait = {compile, step};
