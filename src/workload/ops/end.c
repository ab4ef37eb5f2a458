/* end: a marked latency span ends. Without a begin it counts nothing. */
#include "compile.h"
#include "reports.h"
#include "split.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const char *name;
	struct marked *m;
	struct op *op;

	if (need_arg(c, arg, "'end: NAME'") || compile_name(c, arg, &name))
		return -1;
	m = compile_span(c, name);
	if (!m)
		return -1;
	m->ended = arg;
	op = emit(c, &op_end);
	op->index = m->slot;
	op->target = m->span;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	u64 *open = &t->slot[op->index], now = sched_now(t->run->sched);

	(void)next;
	if (*open)
		span_ended(t->run, op->target, now, now + 1 - *open);
	if (*open && t->run->split)
		split_end(t->run->split, t, op->target);
	*open = 0;
	return FLOW_NEXT;
}

const struct op_type op_end = {compile, step};
