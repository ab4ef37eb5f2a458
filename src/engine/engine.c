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

	heap_init(&c->heap, e->arena, entities);
	c->fn = fn;
	c->ctx = ctx;
	return e->nclass++;
}

void engine_class_reserve(struct engine *e, u32 cls, u32 entities)
{
	struct heap *h = &e->cls[cls].heap;

	if (entities > h->slots)
		heap_grow(h, e->arena, max_u32(entities, h->slots * 2));
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
		const struct heap_item *top = heap_top(&e->cls[i].heap);

		if (top && top->key < when) {
			when = top->key;
			best = &e->cls[i];
		}
	}
	if (!best || when > until) {
		e->now = until;
		return false;
	}
	entity = heap_top(&best->heap)->slot;
	heap_remove(&best->heap, entity);
	e->now = when;
	e->events++;
	best->fn(best->ctx, entity);
	return true;
}
