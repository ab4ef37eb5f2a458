/*
 * The one loop. Virtual time is u64 ns. An event is a fixed slot (class, entity): setting
 * it again moves it. Order is total and a function of data only: (time, class, entity).
 * The engine knows nothing of CPUs or tasks; the layers above give the classes a meaning.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/arena.h"
#include "base/slots.h"
#include "engine/sink.h"

#define ENGINE_CLASSES 16
#define ENGINE_SINKS   6

typedef void (*engine_handler)(void *ctx, u32 entity);

struct engine_class {
	struct slots slots;
	engine_handler fn;
	void *ctx;
};

struct engine {
	u64 now;
	u64 events; /* handled so far */
	struct arena *arena;
	struct engine_class cls[ENGINE_CLASSES];
	u32 nclass;
	struct sink *sink[ENGINE_SINKS]; /* borrowed */
	u32 nsink;
};

void engine_init(struct engine *e, struct arena *a);

/** Add a class with room for `entities` slots; returns its number (0, 1, ...). */
u32 engine_class_add(struct engine *e, u32 entities, engine_handler fn, void *ctx);

/** Make room for more entities in a class (doubling, so the cost is amortised). */
void engine_class_reserve(struct engine *e, u32 cls, u32 entities);

/** Observers are called in the order in which they were added. */
void engine_sink_add(struct engine *e, struct sink *s);

static inline void engine_set(struct engine *e, u32 cls, u32 entity, u64 when)
{
	slots_set(&e->cls[cls].slots, entity, when);
}

static inline void engine_cancel(struct engine *e, u32 cls, u32 entity)
{
	slots_clear(&e->cls[cls].slots, entity);
}

static inline bool engine_pending(const struct engine *e, u32 cls, u32 entity)
{
	return slots_has(&e->cls[cls].slots, entity);
}

/** Time of a pending slot. */
static inline u64 engine_when(const struct engine *e, u32 cls, u32 entity)
{
	return e->cls[cls].slots.key[entity];
}

static inline void engine_emit(struct engine *e, const struct sim_event *ev)
{
	for (u32 i = 0; i < e->nsink; i++)
		e->sink[i]->event(e->sink[i], ev);
}

/**
 * Handle the next event if its time is not after `until`. Returns false, and sets the
 * clock to `until`, if there is none.
 */
bool engine_step(struct engine *e, u64 until);

#endif
