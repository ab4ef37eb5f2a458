/*
 * send: {to: CHANNEL, size: 100 B}. The sender pays its end, tcp and udp also the receive
 * work of the network; then the message is there and a waiting receiver is woken. A full
 * buffer puts the sender to sleep, or (udp) drops the message.
 */
#include "channel.h"

enum { ENTERED, PAID, SOFTIRQ };

static int compile(struct compiler *c, const struct ynode *arg)
{
	struct sized_ref *a = arena_new(c->a, struct sized_ref);

	a->size = 1;
	if (need_arg(c, arg, "'send: CHANNEL' or 'send: {to: CHANNEL, size: 100 B}'") ||
	    compile_sized_ref(c, arg, "to", &c->res.channels, "channel", 1, a))
		return -1;
	c->takes_time = true; /* but where the rows are 0: a run is bounded there */
	emit(c, &op_send)->data = a;
	return 0;
}

static enum flow wait_for_room(struct inst *t, struct channel_run *ch, enum step *next)
{
	waitq_add(&ch->writers, t);
	inst_block(t, &ch->decl->d);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}

static enum flow enter(struct inst *t, const struct sized_ref *a, struct channel_run *ch,
		       enum step *next)
{
	if (!ch->decl->drop && !channel_has_room(ch, a->size))
		return wait_for_room(t, ch, next);
	t->began_send = sched_now(t->run->sched);
	sched_charge(t->run->sched, t->task, SYS_MESSAGE, channel_cost(t, ch, a->size));
	t->phase = PAID;
	*next = STEP_AGAIN;
	return FLOW_HOLD;
}

static struct message *message_new(struct inst *t, u64 size)
{
	struct message *m = pool_get(&t->run->channels->messages);

	*m = (struct message){.size = size, .sent = t->began_send};
	return m;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct sized_ref *a = op->data;
	bool network;
	struct channel_run *ch;

	if (t->phase == ENTERED)
		t->target = ref_get(t, &a->ref);
	ch = &t->run->channels->chan[t->target];
	network = ch->decl->kind == CHAN_TCP || ch->decl->kind == CHAN_UDP;
	if (t->phase == ENTERED)
		return enter(t, a, ch, next);
	if (!channel_has_room(ch, a->size) && ch->decl->drop) {
		ch->dropped++;
		return FLOW_NEXT;
	}
	if (t->phase == PAID && network) {
		struct message *m = message_new(t, a->size);

		t->phase = SOFTIRQ;
		t->packet = m;
		if (softirq_send(t, ch, m))
			return FLOW_NEXT;
		*next = STEP_AGAIN;
		return FLOW_HOLD;
	}
	channel_deliver(t, ch, network ? t->packet : message_new(t, a->size));
	*next = STEP_AGAIN; /* the wake-up is paid before anything else happens */
	return FLOW_YIELD;
}

const struct op_type op_send = {compile, step};
