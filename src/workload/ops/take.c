/*
 * take: S takes one token of a semaphore and sleeps without one, as sem_wait(). A token
 * is not kept for the one that was woken for it: a newcomer may be faster.
 */
#include "sync.h"

enum { ENTERED, CALLED };

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.semaphores, "semaphore", &op_take,
			      "'take: SEMAPHORE'");
}

static enum flow take(struct inst *t, struct semaphore_run *s, enum step *next)
{
	s->value--;
	s->ledger.acquisitions++;
	line_atomic(t, &s->ledger);
	wait_end(t, sched_paid_until(t->run->sched, t->task));
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct ref *ref = op->data;
	struct semaphore_run *s;

	if (!t->phase)
		t->thing = ref_get(t, ref);
	s = &t->run->sync->semaphore[t->thing];
	if (t->queue == SYNC_SLEEPS) {
		/* in its system call, which looks at nothing but the queue */
		inst_block(t, ref->decl);
		*next = STEP_BLOCK;
		return FLOW_HOLD;
	}
	if (s->value)
		return take(t, s, next);
	t->phase = CALLED;
	wait_begin(t, &s->ledger);
	sleepers_add(&s->sleepers, t, next);
	return FLOW_HOLD;
}

const struct op_type op_take = {compile, step};
