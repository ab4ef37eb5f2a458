/* `channels:` and `polls:` of a workload file. */
#include "channel.h"

#define CHANNEL_BYTES_MAX (1ull << 40)

/*
 * Default buffers: pipe 16 pages; sockets net.core.wmem_default; tcp what its window
 * grows to on loopback. Wake-ups: pipe and sockets say that the writer may sleep
 * (wake_up_interruptible_sync_poll()), a futex and epoll do not.
 */
static const struct {
	const char *name;
	u64 buffer;
	bool sync, drop;
} kinds[CHAN_KINDS] = {
	[CHAN_PIPE] = {"pipe", 65536, true, false},
	[CHAN_UNIX] = {"unix", 212992, true, false},
	[CHAN_TCP] = {"tcp", 2560 << 10, true, false},
	[CHAN_UDP] = {"udp", 212992, true, true},
	[CHAN_FUTEX] = {"futex", CHANNEL_BYTES_MAX, false, false},
};

static int compile_channel(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	struct channel_decl *ch = (struct channel_decl *)(void *)d;
	const struct ynode *kind = y_need(entry, "kind", c->f);
	const struct ynode *buffer = y_get(entry, "buffer");
	const struct ynode *sync = y_get(entry, "sync"), *poll = y_get(entry, "poll");
	const char *names[CHAN_KINDS];
	u32 k;

	for (u32 i = 0; i < CHAN_KINDS; i++)
		names[i] = kinds[i].name;
	if (!kind || y_choice(kind, names, CHAN_KINDS, &k, c->f))
		return -1;
	ch->kind = k;
	ch->buffer = kinds[k].buffer;
	ch->sync = kinds[k].sync;
	ch->drop = kinds[k].drop;
	if (buffer &&
	    expr_get(&c->env, buffer, UNIT_BYTES, 1, CHANNEL_BYTES_MAX, &ch->buffer))
		return -1;
	if (sync && y_bool(sync, &ch->sync, c->f))
		return -1;
	return poll ? compile_ref(c, poll, &c->res.polls, "poll", &ch->poll) : 0;
}

static int compile_poll(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	struct poll_decl *p = (struct poll_decl *)(void *)d;
	const struct ynode *sync = y_get(entry, "sync");

	return sync ? y_bool(sync, &p->sync, c->f) : 0;
}

const struct decl_type channel_decl_type = {
	.what = "channel",
	.keys = (const char *const[]){"kind", "buffer", "sync", "poll", NULL},
	.size = sizeof(struct channel_decl),
	.compile = compile_channel,
};

const struct decl_type poll_decl_type = {
	.what = "poll",
	.keys = (const char *const[]){"sync", NULL},
	.size = sizeof(struct poll_decl),
	.compile = compile_poll,
};
