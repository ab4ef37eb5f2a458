/*
 * timer: an absolute periodic timer, as a loop around clock_nanosleep(TIMER_ABSTIME):
 *
 *   next += period;  if next is ahead: sleep until next;  else: next = now
 *
 * The first period starts when the program begins. A late task does not catch up, unless
 * `mode: absolute` leaves `next` where it is. `name: NAME` is one timer for all
 * operations of the instance that say so, `ref: NAME` one for all instances of the
 * workload: each of them adds its period to the common `next`. `wake: SPAN` records how
 * long after `next` the task ran, `missed: COUNTER` counts the times that it did not
 * sleep.
 */
#include <string.h>

#include "compile.h"
#include "reports.h"
#include "split.h"

struct timer {
	u32 index; /* slot of the instance, or number of a shared timer */
	bool shared, absolute, spans, counts;
	u32 span, counter;
};

static int read_ref(struct compiler *c, const struct ynode *own, const struct ynode *ref,
		    struct timer *t)
{
	const char *name;
	u32 i;

	if (own && ref)
		return y_fail_key(ref, c->f, "expected one of 'name' and 'ref'");
	if (ref) {
		if (compile_name(c, ref, &name))
			return -1;
		t->shared = true;
		t->index = name_index(c, &c->timers, name);
		return 0;
	}
	if (!own) {
		t->index = compile_slot(c);
		return 0;
	}
	if (compile_name(c, own, &name))
		return -1;
	i = c->own_timers.n;
	t->index = name_index(c, &c->own_timers, name);
	if (t->index == OWN_TIMERS)
		return y_fail(own, c->f, "more than %u named timers in one program",
			      OWN_TIMERS);
	if (t->index == i)
		c->own_slot[i] = compile_slot(c);
	t->index = c->own_slot[t->index];
	return 0;
}

static int read_timer(struct compiler *c, const struct ynode *arg, struct timer *t)
{
	static const char *const modes[] = {"relative", "absolute"};
	const struct ynode *mode = y_get(arg, "mode"), *wake = y_get(arg, "wake");
	const struct ynode *missed = y_get(arg, "missed");
	const char *name;
	u32 which = 0;

	if (read_ref(c, y_get(arg, "name"), y_get(arg, "ref"), t) ||
	    (mode && y_choice(mode, modes, 2, &which, c->f)))
		return -1;
	t->absolute = which;
	if (wake) {
		if (compile_name(c, wake, &name))
			return -1;
		t->spans = true;
		t->span = name_index(c, &c->spans, name);
	}
	if (missed) {
		if (compile_name(c, missed, &name))
			return -1;
		t->counts = true;
		t->counter = name_index(c, &c->counters, name);
	}
	return 0;
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"period", "name",   "ref", "mode",
					   "wake",   "missed", NULL};
	struct timer *t = arena_new(c->a, struct timer);
	const struct ynode *n = arg;
	struct op *op;
	u64 period;

	if (need_arg(c, arg, "'timer: {period: 8 ms}'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		n = y_need(arg, "period", c->f);
		if (!n || read_timer(c, arg, t))
			return -1;
	} else {
		t->index = compile_slot(c);
	}
	/* a named timer may be moved to the present by a period of 0 */
	if (compile_time(c, n, arg->kind != Y_MAP || arg->n == 1, &period))
		return -1;
	op = emit(c, &op_timer);
	op->value = period;
	op->data = t;
	/* a pass that comes late takes no time, but the next one then waits a period */
	c->takes_time |= period > 0;
	return 0;
}

/* The place of a timer holds its last due time plus one; 0: not used yet. */
static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct timer *timer = op->data;
	u64 now = sched_now(t->run->sched), *last;

	if (t->phase) {
		span_ended(t->run, timer->span, now, now - t->due);
		if (t->run->split) {
			split_begin(t->run->split, t, timer->span, t->due);
			split_end(t->run->split, t, timer->span);
		}
		return FLOW_NEXT;
	}
	last = timer->shared ? &t->run->timer[timer->index] : &t->slot[timer->index];
	t->due = (*last ? *last - 1 : t->began) + op->value;
	*last = t->due + 1;
	if (t->due <= now) {
		if (!timer->absolute)
			*last = now + 1;
		if (timer->counts)
			t->run->counter[timer->counter]++;
		return FLOW_NEXT;
	}
	sched_sleep_until(t->run->sched, t->task, t->due);
	*next = STEP_BLOCK;
	t->phase = timer->spans;
	return timer->spans ? FLOW_HOLD : FLOW_YIELD;
}

const struct op_type op_timer = {compile, step};
