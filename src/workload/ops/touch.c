/* touch: LINE, an atomic write to a shared cache line, behind those that came before. */
#include "line.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct ref *ref;

	if (need_arg(c, arg, "'touch: LINE'"))
		return -1;
	ref = compile_ref_new(c, arg, &c->res.lines, "line");
	if (!ref)
		return -1;
	emit(c, &op_touch)->data = ref; /* takes no time where its rows are 0 */
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct sched *s = t->run->sched;
	struct ledger *l = &t->run->lines[ref_get(t, op->data)];

	sched_charge(
		s, t->task, SYS_LOCK,
		ledger_use(s, l, task_cpu(t->task), sched_paid_until(s, t->task), 0));
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

const struct op_type op_touch = {compile, step};
