/* post: S gives a token to a semaphore and wakes the one that has slept longest. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.semaphores, "semaphore", &op_post,
			      "'post: SEMAPHORE'");
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct semaphore_run *s = &t->run->sync->semaphore[ref_get(t, op->data)];

	s->value++;
	line_atomic(t, &s->ledger);
	*next = STEP_AGAIN;
	if (s->sleepers.n)
		sleepers_wake_all(&s->sleepers, t, 1, next);
	return FLOW_YIELD;
}

const struct op_type op_post = {compile, step};
