/* run: a fixed amount of work. The scheduler keeps what is left over preemptions. */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct dist *dist = NULL;

	if (need_arg(c, arg, "'run: 1 ms' or 'run: forever'"))
		return -1;
	if (is_word(arg, "forever"))
		c->over = c->endless = true;
	else if (compile_dist(c, arg, &dist))
		return -1;
	c->takes_time = true;
	emit(c, &op_run)->dist = dist;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_WORK;
	task_set_amount(t->task, op->dist ? inst_draw(t, op) : WORK_FOREVER);
	return op->dist ? FLOW_YIELD : FLOW_HOLD;
}

const struct op_type op_run = {compile, step};
