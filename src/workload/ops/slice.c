/*
 * slice: the slice that the task asks for, as sched_setattr() with a sched_runtime for a
 * fair policy (Linux 6.12); 0 = the base slice again. The range is the one to which Linux
 * cuts what is asked for: here another value is a mistake. Kernels without slice.custom
 * ignore it, as Linux before 6.12 does.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	u64 ns;

	if (need_arg(c, arg, "'slice: 3 ms'") || compile_time(c, arg, 0, &ns))
		return -1;
	if (ns && (ns < SLICE_LEAST || ns > SLICE_MOST))
		return y_fail(arg, c->f,
			      "'%.40s' is out of range, expected 100 us to 100 ms, or 0 "
			      "for the base slice of the kernel",
			      arg->text);
	emit(c, &op_slice)->value = ns;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	sched_set_slice(t->run->sched, t->task, op->value);
	return FLOW_YIELD;
}

const struct op_type op_slice = {compile, step};
