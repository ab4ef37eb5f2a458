/* count: one more of a counted thing; metrics make rates and totals of it. */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const char *name;

	if (need_arg(c, arg, "'count: NAME'") || compile_name(c, arg, &name))
		return -1;
	emit(c, &op_count)->index = name_index(c, &c->counters, name);
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	(void)next;
	t->run->counter[op->index]++;
	return FLOW_NEXT;
}

const struct op_type op_count = {compile, step};
