/*
 * recv: CHANNEL, or {from: CHANNEL} or {poll: POLL}: takes one message, or sleeps until
 * there is one. `spin: yes` looks for it on the CPU and never sleeps, as an event loop
 * that does not block. A poll set gives the channel that has had a message for the
 * longest time; what it gave at one time is one epoll_wait.
 */
#include "channel.h"

struct recv_args {
	struct ref from;
	bool poll, spin;
};

enum { ENTERED, CHOSEN };

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"from", "poll", "spin", NULL};
	struct recv_args *a = arena_new(c->a, struct recv_args);
	const struct ynode *from = arg, *poll = NULL, *spin = NULL;

	if (need_arg(c, arg, "'recv: CHANNEL' or 'recv: {poll: POLL}'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		from = y_get(arg, "from");
		poll = y_get(arg, "poll");
		spin = y_get(arg, "spin");
		if (!from == !poll)
			return y_fail(arg, c->f, "expected one of 'from' and 'poll'");
	}
	a->poll = poll != NULL;
	if (compile_ref(c, poll ? poll : from, poll ? &c->res.polls : &c->res.channels,
			poll ? "poll" : "channel", &a->from) ||
	    (spin && y_bool(spin, &a->spin, c->f)))
		return -1;
	c->takes_time = true; /* but where the rows are 0: a run is bounded there */
	emit(c, &op_recv)->data = a;
	return 0;
}

static enum flow sleep_on(struct inst *t, struct waitq *spinners, struct waitq *readers,
			  const struct recv_args *a, enum step *next)
{
	waitq_add(a->spin ? spinners : readers, t);
	if (!a->spin)
		inst_block(t, a->from.decl);
	*next = a->spin ? STEP_SPIN : STEP_BLOCK;
	return FLOW_HOLD;
}

static enum flow pay(struct inst *t, struct channel_run *ch, struct message *m, u64 more,
		     enum step *next)
{
	t->from = ch->place;
	t->sent = m->sent;
	sched_charge(t->run->sched, t->task, SYS_MESSAGE,
		     channel_cost(t, ch, m->size) + more);
	pool_put(&t->run->channels->messages, m);
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

static enum flow step_poll(struct inst *t, const struct recv_args *a, enum step *next)
{
	struct poll_run *p = &t->run->channels->poll[ref_get(t, &a->from)];
	struct channel_run *ch;
	u64 more = 0;

	if (!p->nready) {
		t->events = 0;
		return sleep_on(t, &p->spinners, &p->readers, a, next);
	}
	if (!t->events) {
		more = machine_cost(sched_machine(t->run->sched), COST_EPOLL);
		t->events = p->nready;
	}
	t->events--;
	ch = poll_next(p);
	return pay(t, ch, channel_take(t, ch), more, next);
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct recv_args *a = op->data;
	struct channel_run *ch;
	struct message *m;

	if (a->poll)
		return step_poll(t, a, next);
	if (t->phase == ENTERED)
		t->target = ref_get(t, &a->from);
	t->phase = CHOSEN;
	ch = &t->run->channels->chan[t->target];
	m = channel_take(t, ch);
	if (!m)
		return sleep_on(t, &ch->spinners, &ch->readers, a, next);
	return pay(t, ch, m, 0, next);
}

const struct op_type op_recv = {compile, step};
