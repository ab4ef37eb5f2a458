/*
 * exit: tell a parent that waits, then leave. The wake-up is paid by the one who leaves.
 * Children outlive their parent. Who leaves with a lock has made a mistake: nobody could
 * ever take it.
 */
#include "lock.h"

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
	inst_wake(t, p, false);
	return true;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_EXIT;
	if (t->holds) {
		run_fail(t->run, op, "a task leaves with lock '%s'",
			 t->holds->lock->decl->d.name);
		*next = STEP_BLOCK;
		return FLOW_HOLD;
	}
	if (!t->phase++ && notify(t))
		*next = STEP_AGAIN;
	return FLOW_HOLD;
}

const struct op_type op_exit = {compile, step};
