/*
 * Indexed 4-ary min-heap over fixed slots. A slot holds at most one key; setting it again
 * moves it in place, so there are no tombstones and nothing is allocated after init.
 *
 * Order is (key, slot number): total, and a function of data only.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/arena.h"

struct heap_item {
	u64 key;
	u32 slot;
};

struct heap {
	struct heap_item *items; /* 4-ary heap, n of them */
	u32 *where;              /* slot -> index + 1, 0 = not in the heap */
	u32 n, slots;
};

/** Room for `slots` slots, numbered from 0. */
void heap_init(struct heap *h, struct arena *a, u32 slots);

/** Enlarge to more slots (old memory stays in the arena: call with doubled sizes). */
void heap_grow(struct heap *h, struct arena *a, u32 slots);

void heap_set(struct heap *h, u32 slot, u64 key);
void heap_remove(struct heap *h, u32 slot); /* fine if absent */

static inline bool heap_has(const struct heap *h, u32 slot)
{
	return h->where[slot] != 0;
}

/** The key of a slot that is in the heap. */
static inline u64 heap_key(const struct heap *h, u32 slot)
{
	return h->items[h->where[slot] - 1].key;
}

/** Smallest item, or NULL. Borrowed until the heap changes. */
static inline const struct heap_item *heap_top(const struct heap *h)
{
	return h->n ? &h->items[0] : NULL;
}

#endif
