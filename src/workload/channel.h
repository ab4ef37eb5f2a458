/*
 * Channels: one direction of a pipe, of a socket pair, of a loopback connection. A
 * message is copied in by the sender and out by the receiver, each pays the row of its
 * kind and the copy. The buffer is bytes; who finds it full sleeps. Receivers sleep one
 * by one, on the channel itself or on the poll set (epoll) that watches it.
 *
 * tcp, udp: the sender's CPU also does the receive work of the network (softirq), then
 * wakes the receiver: loopback has no other CPU that would.
 *
 * Corresponds to pipe_write(), unix_stream_sendmsg(), tcp_sendmsg() and __do_softirq(),
 * ep_poll_callback(), futex_wake() of Linux 6.1.
 */
#ifndef WORKLOAD_CHANNEL_H
#define WORKLOAD_CHANNEL_H

#include "resources.h"
#include "sched/ledger.h"

enum channel_kind { CHAN_PIPE, CHAN_UNIX, CHAN_TCP, CHAN_UDP, CHAN_FUTEX, CHAN_KINDS };

struct channel_decl {
	struct decl d;
	enum channel_kind kind;
	u64 buffer;	 /* bytes */
	bool sync;	 /* the wake-up of a receiver says that the sender will sleep */
	bool drop;	 /* what does not fit is lost (udp) */
	struct ref poll; /* decl NULL = not watched */
};

struct poll_decl {
	struct decl d;
	bool sync;
};

extern const struct decl_type channel_decl_type, poll_decl_type;

/** A message that is under way. */
struct message {
	struct message *next;
	u64 size; /* bytes */
	u64 sent; /* when its sender began to send it */
};

struct poll_run;

struct channel_run {
	const struct channel_decl *decl;
	u32 place; /* in its entry */
	struct message *first, *last;
	u64 bytes, messages;
	u64 dropped;
	struct waitq readers, spinners, writers; /* spinners look at it on their CPUs */
	struct poll_run *poll;			 /* NULL = none watches it */
	struct channel_run *ready_next;		 /* of the poll set */
	bool ready;
	struct ledger line; /* its head: moves between sender and receiver */
};

/** An epoll set: channels that have messages, in the order in which they got them. */
struct poll_run {
	const struct poll_decl *decl;
	struct channel_run *first, *last; /* last means nothing without a first */
	u32 nready;
	struct waitq readers, spinners;
};

/** Receive work of the network that a CPU has left to its ksoftirqd. */
struct softirq {
	struct packet *first, *last;
	struct inst *daemon; /* NULL until it is needed */
	bool asleep;
};

struct packet {
	struct packet *next;
	struct channel_run *to;
	struct message *message;
	u64 ns; /* of receive work */
};

/** The channels of one run. */
struct channels {
	struct channel_run *chan;
	struct poll_run *poll;
	struct softirq *softirq; /* by CPU */
	struct pool messages, packets;
	u32 npackets; /* left to ksoftirqd */
};

/** All channels and polls of a run, in its arena. */
struct channels *channels_new(struct arena *a, const struct workload_plan *p);

/** Room for a message of that size: there is, or the channel is empty anyway. */
bool channel_has_room(const struct channel_run *ch, u64 size);

/** A message of the running task has arrived: queue it, wake who waits for it. */
void channel_deliver(struct inst *by, struct channel_run *ch, struct message *m);

/**
 * The first channel of a set that has one; it goes to the back if it has more messages
 * than the one that is taken next. Some channel must be ready.
 */
struct channel_run *poll_next(struct poll_run *p);

/** Take the first message; wakes a sender that waits for room. NULL = none. */
struct message *channel_take(struct inst *t, struct channel_run *ch);

/** What one end of a message costs: system call, copy, cache lines from the other end. */
u64 channel_cost(struct inst *t, struct channel_run *ch, u64 size);

/**
 * The receive work of the network for a message (tcp, udp): charged to the sender, or
 * left to ksoftirqd, which delivers the message then. Returns true if it was left.
 */
bool softirq_send(struct inst *t, struct channel_run *ch, struct message *m);

#endif
