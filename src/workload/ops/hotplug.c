/*
 * hotplug: {offline: CPUS}, {online: CPUS} or {smt: off}: the task asks for it and goes
 * on.
 *
 * differs from Linux: a write to /sys/devices/system/cpu/... returns when the CPU is gone
 * or there, some ms later; here that is at once.
 */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	struct hotplug_change *h = arena_new(c->a, struct hotplug_change);

	if (need_arg(c, arg, "'hotplug: {offline: 3}'") || compile_hotplug_op(c, arg, h))
		return -1;
	emit(c, &op_hotplug)->data = h;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct hotplug_change *h = op->data;
	struct sched *s = t->run->sched;

	sched_charge(s, t->task, SYS_SYSCALL,
		     machine_cost(sched_machine(s), COST_SYSCALL));
	sched_hotplug(s, sched_now(s), h->kind, h->cpus);
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

const struct op_type op_hotplug = {compile, step};
