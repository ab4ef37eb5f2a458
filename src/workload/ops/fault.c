/*
 * fault: N: touches N pages for the first time. The lock of the address space that a
 * fault takes for reading is named by the program: `lock: {lock: mmap, shared: yes}`
 * before it.
 */
#include "compile.h"
#include "inst.h"

#define PAGES_MAX 100000000u

static int compile(struct compiler *c, const struct ynode *arg)
{
	u64 pages;

	if (need_arg(c, arg, "'fault: 16'") ||
	    expr_get(&c->env, arg, UNIT_COUNT, 0, PAGES_MAX, &pages))
		return -1;
	emit(c, &op_fault)->value = pages;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct sched *s = t->run->sched;

	sched_charge(s, t->task, SYS_KERNEL,
		     op->value * machine_cost(sched_machine(s), COST_FAULT));
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

const struct op_type op_fault = {compile, step};
