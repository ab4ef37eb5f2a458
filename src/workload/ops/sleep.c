/*
 * sleep: for a duration from now (usleep, nanosleep), or until a time of the run. The
 * scheduler adds the timer slack. What entering the kernel costs is part of its switch.
 */
#include "compile.h"
#include "inst.h"

static int compile_until(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"until", NULL};
	u64 at;

	if (y_check_keys(arg, keys, c->f) || compile_time(c, arg->first, 0, &at))
		return -1;
	emit(c, &op_sleep)->value = at; /* may be past: takes no time then */
	return 0;
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct dist *dist;

	if (need_arg(c, arg, "'sleep: 2 ms' or 'sleep: {until: 1 s}'"))
		return -1;
	if (arg->kind == Y_MAP && y_get(arg, "until"))
		return compile_until(c, arg);
	if (compile_dist(c, arg, &dist))
		return -1;
	c->takes_time = true;
	emit(c, &op_sleep)->dist = dist;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	u64 now = sched_now(t->run->sched);

	t->due = op->dist ? now + inst_draw(t, op) : t->run->origin + op->value;
	if (t->due <= now)
		return FLOW_NEXT;
	sched_sleep_until(t->run->sched, t->task, t->due);
	*next = STEP_BLOCK;
	return FLOW_YIELD;
}

const struct op_type op_sleep = {compile, step};
