/* resume: TASK wakes the suspended instances of an entry, one after another. */
#include "sync.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	u32 group;

	if (need_arg(c, arg, "'resume: TASK'") || compile_task_name(c, arg, &group))
		return -1;
	emit(c, &op_resume)->index = group;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct sleepers *s = &t->run->sync->suspended[op->index];

	return sleepers_wake_all(s, t, s->n, next);
}

const struct op_type op_resume = {compile, step};
