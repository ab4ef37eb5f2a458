/*
 * Channels in a run: messages, who waits, who is woken. See channel.h.
 *
 * differs from Linux: a message is received whole and is one wake-up; TCP has no
 * acknowledgements, no segments of its own timing and no small-queue limit.
 */
#include "channel.h"

struct channels *channels_new(struct arena *a, const struct workload_plan *p)
{
	const struct decls *polls = &p->res.polls, *list = &p->res.channels;
	struct channels *cs = arena_new(a, struct channels);

	cs->poll = arena_array(a, struct poll_run, polls->total);
	cs->chan = arena_array(a, struct channel_run, list->total);
	pool_init(&cs->messages, a, sizeof(struct message));
	pool_init(&cs->packets, a, sizeof(struct packet));
	if (list->n)
		cs->softirq = arena_array(a, struct softirq, p->machine->ncpu);
	for (u32 i = 0; i < polls->n; i++)
		for (u32 k = 0; k < polls->d[i]->count; k++)
			cs->poll[polls->d[i]->first + k].decl =
				(const struct poll_decl *)(void *)polls->d[i];
	for (u32 i = 0; i < list->n; i++) {
		const struct channel_decl *d =
			(const struct channel_decl *)(void *)list->d[i];

		for (u32 k = 0; k < d->d.count; k++) {
			struct channel_run *ch = &cs->chan[d->d.first + k];

			ch->decl = d;
			ch->place = k;
			if (d->poll.decl)
				ch->poll = &cs->poll[ref_get_of(&d->poll, k)];
		}
	}
	return cs;
}

bool channel_has_room(const struct channel_run *ch, u64 size)
{
	return !ch->bytes || ch->bytes + size <= ch->decl->buffer;
}

/*
 * Free space at which a sleeping sender is woken: a pipe's as soon as there is room, a
 * socket's when a third (tcp) or half (unix, udp) of the buffer is free, so that it does
 * not come back for each message (sk_stream_is_writeable(), sock_writeable()).
 */
static bool wakes_writer(const struct channel_run *ch)
{
	u64 buffer = ch->decl->buffer;

	if (ch->decl->kind == CHAN_TCP)
		return ch->bytes <= buffer - buffer / 3;
	if (ch->decl->kind == CHAN_UNIX || ch->decl->kind == CHAN_UDP)
		return ch->bytes <= buffer / 2;
	return ch->bytes < buffer;
}

static void to_back(struct poll_run *p, struct channel_run *ch)
{
	ch->ready_next = NULL;
	if (p->first)
		p->last->ready_next = ch;
	else
		p->first = ch;
	p->last = ch;
}

static void make_ready(struct channel_run *ch)
{
	if (ch->ready)
		return;
	ch->ready = true;
	to_back(ch->poll, ch);
	ch->poll->nready++;
}

struct channel_run *poll_next(struct poll_run *p)
{
	struct channel_run *ch = p->first;

	p->first = ch->ready_next;
	if (ch->first != ch->last) {
		to_back(p, ch);
		return ch;
	}
	ch->ready = false;
	p->nready--;
	return ch;
}

/* One who spins goes on when the line has come over; one who sleeps is woken. */
static void notify(struct inst *by, struct channel_run *ch, struct waitq *spinners,
		   struct waitq *readers, bool sync)
{
	struct sched *s = by->run->sched;
	struct inst *t = waitq_pop(spinners);

	if (t) {
		sched_spin_end(s, t->task,
			       ledger_transfer(s, &ch->line, task_cpu(t->task)));
		return;
	}
	t = waitq_pop(readers);
	if (t)
		inst_wake(by, t, sync);
}

void channel_deliver(struct inst *by, struct channel_run *ch, struct message *m)
{
	m->next = NULL;
	if (ch->last)
		ch->last->next = m;
	else
		ch->first = m;
	ch->last = m;
	ch->bytes += m->size;
	ch->messages++;
	if (ch->poll) {
		make_ready(ch);
		notify(by, ch, &ch->poll->spinners, &ch->poll->readers,
		       ch->poll->decl->sync);
	} else {
		notify(by, ch, &ch->spinners, &ch->readers, ch->decl->sync);
	}
}

struct message *channel_take(struct inst *t, struct channel_run *ch)
{
	struct message *m = ch->first;
	struct inst *writer;

	if (!m)
		return NULL;
	ch->first = m->next;
	if (!ch->first)
		ch->last = NULL;
	ch->bytes -= m->size;
	if (waitq_empty(&ch->writers) || !wakes_writer(ch))
		return m;
	writer = waitq_pop(&ch->writers);
	inst_wake(t, writer, ch->decl->sync);
	return m;
}

u64 channel_cost(struct inst *t, struct channel_run *ch, u64 size)
{
	static const enum cost_id row[CHAN_KINDS] = {
		[CHAN_PIPE] = COST_PIPE, [CHAN_UNIX] = COST_UNIX,   [CHAN_TCP] = COST_TCP,
		[CHAN_UDP] = COST_UDP,	 [CHAN_FUTEX] = COST_FUTEX,
	};
	struct sched *s = t->run->sched;
	const struct machine *m = sched_machine(s);
	u64 ns = machine_cost(m, row[ch->decl->kind]);
	u64 line = ledger_transfer(s, &ch->line, task_cpu(t->task));

	ch->line.acquisitions++;
	if (ch->decl->kind == CHAN_FUTEX) {
		ns += line;
	} else {
		ns += mul_div(size, NS_PER_SEC, machine_cost(m, COST_COPY));
		ns += line * machine_cost(m, ch->decl->kind == CHAN_PIPE
						     ? COST_PIPE_LINES
						     : COST_MESSAGE_LINES);
	}
	return ns;
}
