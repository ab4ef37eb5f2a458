/*
 * io: DEVICE or {device: DEVICE, size: 4 KiB}: asks a device and sleeps until its
 * interrupt. Submitting costs a system call.
 */
#include "device.h"

struct io_args {
	struct ref device;
	u64 size; /* bytes */
};

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"device", "size", NULL};
	struct io_args *a = arena_new(c->a, struct io_args);
	const struct ynode *device = arg, *size = NULL;

	if (need_arg(c, arg, "'io: DEVICE' or 'io: {device: DEVICE, size: 4 KiB}'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		device = y_need(arg, "device", c->f);
		size = y_get(arg, "size");
	}
	a->size = 4096;
	if (!device || compile_ref(c, device, &c->res.devices, "device", &a->device) ||
	    (size && expr_get(&c->env, size, UNIT_BYTES, 0, 1ull << 40, &a->size)))
		return -1;
	c->takes_time = true; /* at least 1 ns of service */
	emit(c, &op_io)->data = a;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct io_args *a = op->data;
	struct sched *s = t->run->sched;
	struct device_run *dev;

	if (!t->phase) {
		t->phase = 1;
		sched_charge(s, t->task, SYS_IO,
			     machine_cost(sched_machine(s), COST_SYSCALL));
		*next = STEP_AGAIN;
		return FLOW_HOLD;
	}
	dev = &t->run->devices->dev[ref_get(t, &a->device)];
	sched_wait_io(s, t->task, device_request(t, dev, sched_now(s), a->size));
	*next = STEP_BLOCK;
	return FLOW_YIELD;
}

const struct op_type op_io = {compile, step};
