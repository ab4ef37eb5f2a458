/*
 * Sinks observe a simulation; they cannot change it. One record per outcome.
 */
#ifndef ENGINE_SINK_H
#define ENGINE_SINK_H

#include "base/digest.h"
#include "base/types.h"

/** What happened. `kind` indexes a table of the layer that emits. */
struct sim_event {
	u64 time;
	u32 kind;
	u32 place; /* CPU number in the machine's own order */
	u32 who;   /* task id */
	u32 other; /* second task id, or second place; ~0 = none */
	u64 arg;
};

struct sink {
	void (*event)(struct sink *self, const struct sim_event *ev);
};

/** Does nothing: the price of a sink and no more. */
void sink_null_init(struct sink *s);

/**
 * Decision digest: hashes time, place, who, other, arg and the *name* of the kind, so
 * that renumbering an enum does not move a digest.
 */
struct sink_digest {
	struct sink sink;
	const u64 *code; /* per kind; 0 = this kind is not hashed */
	struct digest digest;
};

void sink_digest_init(struct sink_digest *s, const u64 *code);

/** Stable code of an event name, never 0. */
u64 sink_code(const char *name);

#endif
