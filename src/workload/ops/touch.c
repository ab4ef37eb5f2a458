/* touch: LINE, an atomic write to a shared cache line, behind those that came before. */
#include "line.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	return compile_ref_op(c, arg, &c->res.lines, "line", &op_touch, "'touch: LINE'");
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
