/*
 * policy: the policy of the task, as sched_setscheduler(0, SCHED_BATCH, ...); a real-time
 * policy comes with its priority.
 */
#include <string.h>

#include "compile.h"
#include "inst.h"

#define PRIORITY_SHIFT 8

static int need_priority(struct compiler *c, const struct ynode *arg, const char *name)
{
	return y_fail(arg, c->f,
		      "policy '%s' has no priority, expected {%s: 1} to {%s: 99}", name,
		      name, name);
}

/* {fifo: 50} or {rr: 1}. */
static int real_time(struct compiler *c, const struct ynode *arg, u64 *value)
{
	static const char *const keys[] = {"fifo", "rr", NULL};
	u32 policy;
	s64 priority;

	if (y_check_keys(arg, keys, c->f))
		return -1;
	if (arg->n != 1)
		return y_fail(arg, c->f, "expected one policy, as {fifo: 50}");
	policy = strcmp(arg->first->key, "rr") ? POLICY_FIFO : POLICY_RR;
	if (expr_signed(&c->env, arg->first, RT_PRIORITY_MIN, RT_PRIORITY_MAX, &priority))
		return -1;
	*value = policy | (u64)priority << PRIORITY_SHIFT;
	return 0;
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const names[] = {"other", "batch", "idle", "fifo", "rr"};
	u64 value = 0;
	u32 policy;

	if (need_arg(c, arg,
		     "'policy: other', 'batch', 'idle', '{fifo: 50}' or "
		     "'{rr: 50}'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (real_time(c, arg, &value))
			return -1;
	} else {
		if (y_choice(arg, names, ARRAY_SIZE(names), &policy, c->f))
			return -1;
		if (policy >= POLICY_FIFO)
			return need_priority(c, arg, names[policy]);
		value = policy;
	}
	emit(c, &op_policy)->value = value;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	*next = STEP_AGAIN;
	sched_set_policy(t->run->sched, t->task,
			 (enum task_policy)(op->value & ((1u << PRIORITY_SHIFT) - 1)),
			 (u32)(op->value >> PRIORITY_SHIFT));
	return FLOW_YIELD;
}

const struct op_type op_policy = {compile, step};
