/* Sinks: see engine/sink.h. */
#include "engine/sink.h"

#include <string.h>
#include <xxhash.h>

static void null_event(struct sink *self, const struct sim_event *ev)
{
	(void)self;
	(void)ev;
}

void sink_null_init(struct sink *s)
{
	s->event = null_event;
}

static void digest_event(struct sink *self, const struct sim_event *ev)
{
	struct sink_digest *s = (struct sink_digest *)self;
	u64 code = s->code[ev->kind];

	if (!code)
		return;
	digest_words(&s->digest, ev->time, (u64)ev->place << 32 | ev->who,
		     code ^ ev->other ^ ev->arg << 32);
}

void sink_digest_init(struct sink_digest *s, const u64 *code)
{
	s->sink.event = digest_event;
	s->code = code;
	digest_init(&s->digest);
}

u64 sink_code(const char *name)
{
	u64 h = XXH3_64bits(name, strlen(name));

	return h ? h : 1;
}
