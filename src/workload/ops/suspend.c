/*
 * suspend: sleeps until somebody resumes the task (ops/resume.c), as a condition variable
 * of its own. A resume that comes before is not remembered.
 */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	if (no_arg(c, arg))
		return -1;
	emit(c, &op_suspend);
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	(void)op;
	if (!t->phase++) {
		sleepers_add(&t->run->sync->suspended[t->group], t, next);
		return FLOW_HOLD;
	}
	if (t->queue == SYNC_GONE)
		return FLOW_NEXT;
	inst_block(t, NULL);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}

const struct op_type op_suspend = {compile, step};
