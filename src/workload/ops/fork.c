/*
 * fork: start instances of a template, one after another; each fork is paid before the
 * next. A child inherits policy, nice and affinity; its entry may change them. With
 * `wait: yes` the parent sleeps until all of its children are gone.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"task", "count", "wait", NULL};
	const struct ynode *task = arg, *count = NULL, *wait = NULL;
	bool waits = false;
	u64 n = 1;
	u32 group;
	struct op *op;

	if (need_arg(c, arg, "'fork: TASK' or 'fork: {task: TASK}'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		task = y_need(arg, "task", c->f);
		count = y_get(arg, "count");
		wait = y_get(arg, "wait");
	}
	if (!task || compile_template(c, task, &group) ||
	    (count && expr_get(&c->env, count, UNIT_COUNT, 0, TASKS_MAX, &n)) ||
	    (wait && y_bool(wait, &waits, c->f)))
		return -1;
	c->forked[group] = true;
	op = emit(c, &op_fork);
	op->value = n;
	op->index = group;
	return waits ? op_wait.compile(c, NULL) : 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	if (t->phase == 2 * op->value)
		return FLOW_NEXT;
	*next = STEP_AGAIN;
	if (t->phase++ % 2 == 0)
		sched_fork_pay(t->run->sched, t->task);
	else if (!inst_fork(t->run, t->task, t, op->index))
		*next = STEP_BLOCK;
	return FLOW_HOLD;
}

const struct op_type op_fork = {compile, step};
