/* broadcast: C wakes all that wait now, one after another. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.conditions, "condition", &op_broadcast,
			      "'broadcast: CONDITION'");
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct condition_run *c;

	if (!t->phase)
		t->thing = ref_get(t, op->data);
	c = &t->run->sync->condition[t->thing];
	return sleepers_wake_all(&c->sleepers, t, c->sleepers.n, next);
}

const struct op_type op_broadcast = {compile, step};
