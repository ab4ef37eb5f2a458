/* signal: C wakes the one that has waited longest; nothing happens without. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.conditions, "condition", &op_signal,
			      "'signal: CONDITION'");
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct condition_run *c = &t->run->sync->condition[ref_get(t, op->data)];

	return sleepers_wake_all(&c->sleepers, t, min_u32(c->sleepers.n, 1), next);
}

const struct op_type op_signal = {compile, step};
