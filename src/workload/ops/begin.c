/*
 * begin: a marked latency span begins, now or (`from: due`) when the last sleep or timer
 * was to end (the fork, for a task that never slept), so that the wake-up is inside, or
 * (`from: message`) when the message that was received last was sent. A span that is open
 * begins anew.
 */
#include "compile.h"
#include "inst.h"
#include "split.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"span", "from", NULL};
	static const char *const from[] = {"now", "due", "message"};
	const struct ynode *span = arg, *when = NULL;
	const char *name;
	struct marked *m;
	u32 which = 0;
	struct op *op;

	if (need_arg(c, arg, "'begin: NAME'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		span = y_need(arg, "span", c->f);
		when = y_get(arg, "from");
	}
	if (!span || compile_name(c, span, &name) ||
	    (when && y_choice(when, from, ARRAY_SIZE(from), &which, c->f)))
		return -1;
	m = compile_span(c, name);
	if (!m)
		return -1;
	m->begun = span;
	op = emit(c, &op_begin);
	op->index = m->slot;
	op->target = m->span;
	op->value = which;
	return 0;
}

/* The slot holds the time plus one; 0 is "not open". */
static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	u64 from[] = {sched_now(t->run->sched), t->due, t->sent};

	(void)next;
	t->slot[op->index] = from[op->value] + 1;
	if (t->run->split)
		split_begin(t->run->split, t, op->target, from[op->value]);
	return FLOW_NEXT;
}

const struct op_type op_begin = {compile, step};
