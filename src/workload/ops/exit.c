/*
 * exit: tell a parent that waits, then leave. The wake-up is paid by the one who leaves.
 * Children outlive their parent.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	if (no_arg(c, arg))
		return -1;
	c->over = true;
	emit(c, &op_exit);
	return 0;
}

static bool notify(struct inst *t)
{
	struct inst *p = t->parent;

	if (!p || p->serial != t->parent_serial)
		return false;
	p->kids--;
	if (!p->waiting)
		return false;
	p->waiting = false;
	sched_wake(t->run->sched, t->task, p->task, false);
	return true;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	(void)op;
	*next = STEP_EXIT;
	if (!t->phase++ && notify(t))
		*next = STEP_AGAIN;
	return FLOW_HOLD;
}

const struct op_type op_exit = {compile, step};
