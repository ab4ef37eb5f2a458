/*
 * runtime: burn own CPU time, system time included, as a loop that reads
 * CLOCK_THREAD_CPUTIME_ID until it has advanced by so much.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct dist *dist;

	if (need_arg(c, arg, "'runtime: 1 ms'") || compile_dist(c, arg, &dist))
		return -1;
	c->takes_time = true;
	emit(c, &op_runtime)->dist = dist;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_CPU_TIME;
	task_set_amount(t->task, inst_draw(t, op));
	return FLOW_YIELD;
}

const struct op_type op_runtime = {compile, step};
