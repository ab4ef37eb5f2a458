/*
 * unlock: NAME, the lock of that entry that was taken last, or NAME[INDEX]. Whoever is
 * next is told; what that costs is paid before the task goes on.
 */
#include "lock.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.locks, "lock", &op_unlock,
			      "'unlock: NAME'");
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct hold *h = lock_held(t, op->data, op);

	*next = h ? STEP_AGAIN : STEP_BLOCK;
	if (!h)
		return FLOW_HOLD;
	lock_release(t, h);
	return FLOW_YIELD;
}

const struct op_type op_unlock = {compile, step};
