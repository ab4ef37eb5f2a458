/* barrier: B waits until as many as its parties have come. See ../sync.c. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct ref *ref;

	if (need_arg(c, arg, "'barrier: NAME'"))
		return -1;
	ref = compile_ref_new(c, arg, &c->res.barriers, "barrier");
	if (!ref)
		return -1;
	emit(c, &op_barrier)->data = ref;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	if (!t->phase)
		t->thing = ref_get(t, op->data);
	return barrier_step(t, &t->run->sync->barrier[t->thing], next);
}

const struct op_type op_barrier = {compile, step};
