/*
 * io: DEVICE or {device: DEVICE, size: 4 KiB}: asks a device and sleeps until its
 * interrupt. Submitting costs a system call.
 */
#include "device.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	struct sized_ref *a = arena_new(c->a, struct sized_ref);

	a->size = 4096;
	if (need_arg(c, arg, "'io: DEVICE' or 'io: {device: DEVICE, size: 4 KiB}'") ||
	    compile_sized_ref(c, arg, "device", &c->res.devices, "device", 0, a))
		return -1;
	c->takes_time = true; /* at least 1 ns of service */
	emit(c, &op_io)->data = a;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct sized_ref *a = op->data;
	struct sched *s = t->run->sched;
	struct device_run *dev;

	if (!t->phase) {
		t->phase = 1;
		sched_charge(s, t->task, SYS_IO,
			     machine_cost(sched_machine(s), COST_SYSCALL));
		*next = STEP_AGAIN;
		return FLOW_HOLD;
	}
	dev = &t->run->devices->dev[ref_get(t, &a->ref)];
	sched_wait_io(s, t->task, device_request(t, dev, sched_now(s), a->size));
	*next = STEP_BLOCK;
	return FLOW_YIELD;
}

const struct op_type op_io = {compile, step};
