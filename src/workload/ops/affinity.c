/* affinity: the CPUs that the task allows itself, as sched_setaffinity(0, ...). */
#include "compile.h"
#include "inst.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct cpumask *mask;

	if (need_arg(c, arg, "'affinity: 0-3'") || cpus_parse(&c->env, c->a, arg, &mask))
		return -1;
	emit(c, &op_affinity)->data = mask;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct failure f = {0};

	*next = STEP_AGAIN;
	t->cpus = op->data;
	if (sched_set_affinity(t->run->sched, t->task, t->cpus, &f)) {
		run_fail(t->run, op, "affinity: %s", f.what);
		*next = STEP_BLOCK;
	}
	return FLOW_YIELD;
}

const struct op_type op_affinity = {compile, step};
