/* broadcast: C wakes all that wait now, one after another. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct ref *ref;

	if (need_arg(c, arg, "'broadcast: CONDITION'"))
		return -1;
	ref = compile_ref_new(c, arg, &c->res.conditions, "condition");
	if (!ref)
		return -1;
	emit(c, &op_broadcast)->data = ref;
	return 0;
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
