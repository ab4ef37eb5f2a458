/*
 * The wait in front of every program (entry key `start`, file key `start-jitter`): a task
 * of the launcher starts its program at that time of the run, or at its fork if that is
 * later, plus a uniform share of the jitter, so that replicates of constant workloads
 * differ. Templates have no jitter: what they run is drawn or forked by others.
 */
#include "inst.h"

static enum flow begin(struct inst *t, u64 now)
{
	t->began = now;
	t->run->first_begin = min_u64(t->run->first_begin, now);
	return FLOW_NEXT;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct workload_run *r = t->run;
	u64 now = sched_now(r->sched), jitter = r->plan->jitter, at;

	if (t->phase++)
		return begin(t, now);
	at = max_u64(r->origin + op->value, now);
	if (op->index && jitter)
		at += stream_range(task_stream(t->task), 0, jitter);
	if (at == now)
		return begin(t, now); /* `due` stays the time of the fork */
	t->due = at;
	sched_sleep_until(r->sched, t->task, at);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}

const struct op_type op_start = {NULL, step};
