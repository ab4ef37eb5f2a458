/*
 * timer: an absolute periodic timer, as a loop around clock_nanosleep(TIMER_ABSTIME):
 *
 *   next += period;  if next is ahead: sleep until next;  else: next = now
 *
 * The first period starts when the program begins. A late task does not catch up.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"period", NULL};
	const struct ynode *n;
	struct op *op;
	u64 period;

	if (need_arg(c, arg, "'timer: {period: 8 ms}'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		n = y_need(arg, "period", c->f);
		if (!n)
			return -1;
		arg = n;
	}
	if (compile_time(c, arg, 1, &period))
		return -1;
	op = emit(c, &op_timer);
	op->value = period;
	op->index = compile_slot(c);
	/* a pass that comes late takes no time, but the next one then waits a period */
	c->takes_time = true;
	return 0;
}

/* The slot holds the last due time less the begin of the program. */
static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	u64 now = sched_now(t->run->sched);
	u64 *last = &t->slot[op->index];

	*last += op->value;
	t->due = t->began + *last;
	if (t->due <= now) {
		*last = now - t->began;
		return FLOW_NEXT;
	}
	sched_sleep_until(t->run->sched, t->task, t->due);
	*next = STEP_BLOCK;
	return FLOW_YIELD;
}

const struct op_type op_timer = {compile, step};
