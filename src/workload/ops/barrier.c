/* barrier: B waits until as many as its parties have come. See ../sync.c. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.barriers, "barrier", &op_barrier,
			      "'barrier: NAME'");
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	if (!t->phase)
		t->thing = ref_get(t, op->data);
	return barrier_step(t, &t->run->sync->barrier[t->thing], next);
}

const struct op_type op_barrier = {compile, step};
