/* post: S gives a token to a semaphore and wakes the one that has slept longest. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct ref *ref;

	if (need_arg(c, arg, "'post: SEMAPHORE'"))
		return -1;
	ref = compile_ref_new(c, arg, &c->res.semaphores, "semaphore");
	if (!ref)
		return -1;
	emit(c, &op_post)->data = ref;
	return 0;
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
