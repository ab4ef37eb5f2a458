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
	struct waitq readers, writers;
	struct inst *spinner; /* looks at it on its CPU; others sleep */
	struct poll_run *poll;
	struct channel_run *ready_next; /* of the poll set */
	bool ready;
	struct ledger line; /* its head: moves between sender and receiver */
};

/** An epoll set: channels that have messages, in the order in which they got them. */
struct poll_run {
	const struct poll_decl *decl;
	struct channel_run *first, *last;
	struct waitq readers;
	struct inst *spinner;
};

/** All channels and polls of a run; in its arena. */
void channels_start(struct workload_run *r, struct arena *a);

/** Packets of one send that softirq handles before the rest is left to ksoftirqd. */
#define SOFTIRQ_RESTARTS 10u
/** Bytes of one packet: loopback sends what GSO gathers. */
#define PACKET_BYTES 65536u

#endif
