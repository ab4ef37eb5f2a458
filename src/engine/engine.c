/* The one loop: see engine/engine.h. */
#include "engine/engine.h"

#include <string.h>

void engine_init(struct engine *e, struct arena *a)
{
	memset(e, 0, sizeof(*e));
	e->arena = a;
}

u32 engine_class_add(struct engine *e, u32 entities, engine_handler fn, void *ctx)
{
	struct engine_class *c = &e->cls[e->nclass];

	slots_init(&c->slots, e->arena, entities);
	c->fn = fn;
	c->ctx = ctx;
	return e->nclass++;
}

void engine_class_reserve(struct engine *e, u32 cls, u32 entities)
{
	slots_grow(&e->cls[cls].slots, e->arena, entities);
}

void engine_sink_add(struct engine *e, struct sink *s)
{
	if (e->nsink < ENGINE_SINKS)
		e->sink[e->nsink++] = s;
}

bool engine_step(struct engine *e, u64 until)
{
	struct engine_class *best = NULL;
	u64 when = TIME_NEVER;
	u32 entity;

	for (u32 i = 0; i < e->nclass; i++) {
		u64 key = slots_top_key(&e->cls[i].slots);

		if (key < when) {
			when = key;
			best = &e->cls[i];
		}
	}
	if (!best || when > until) {
		e->now = until;
		return false;
	}
	entity = slots_top(&best->slots);
	slots_take_top(&best->slots);
	e->now = when;
	e->events++;
	best->fn(best->ctx, entity);
	slots_settle(&best->slots);
	return true;
}
