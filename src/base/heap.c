/* Indexed 4-ary heap: see base/heap.h. */
#include "base/heap.h"

#include <string.h>

static inline bool before(const struct heap_item *a, const struct heap_item *b)
{
	return a->key < b->key || (a->key == b->key && a->slot < b->slot);
}

static inline void place(struct heap *h, u32 i, struct heap_item it)
{
	h->items[i] = it;
	h->where[it.slot] = i + 1;
}

static void sift_up(struct heap *h, u32 i, struct heap_item it)
{
	while (i) {
		u32 up = (i - 1) / 4;

		if (!before(&it, &h->items[up]))
			break;
		place(h, i, h->items[up]);
		i = up;
	}
	place(h, i, it);
}

static void sift_down(struct heap *h, u32 i, struct heap_item it)
{
	for (;;) {
		u32 child = 4 * i + 1, last = min_u32(child + 4, h->n), best = child;

		if (child >= h->n)
			break;
		for (u32 c = child + 1; c < last; c++)
			if (before(&h->items[c], &h->items[best]))
				best = c;
		if (!before(&h->items[best], &it))
			break;
		place(h, i, h->items[best]);
		i = best;
	}
	place(h, i, it);
}

void heap_init(struct heap *h, struct arena *a, u32 slots)
{
	h->items = arena_array(a, struct heap_item, slots ? slots : 1);
	h->where = arena_array(a, u32, slots ? slots : 1);
	h->n = 0;
	h->slots = slots;
}

void heap_grow(struct heap *h, struct arena *a, u32 slots)
{
	struct heap old = *h;

	if (slots <= h->slots)
		return;
	heap_init(h, a, slots);
	memcpy(h->items, old.items, sizeof(*h->items) * old.n);
	memcpy(h->where, old.where, sizeof(*h->where) * old.slots);
	h->n = old.n;
}

void heap_set(struct heap *h, u32 slot, u64 key)
{
	struct heap_item it = {.key = key, .slot = slot};
	u32 w = h->where[slot];

	if (!w) {
		sift_up(h, h->n++, it);
	} else if (key < h->items[w - 1].key) {
		sift_up(h, w - 1, it);
	} else if (key > h->items[w - 1].key) {
		sift_down(h, w - 1, it);
	}
}

void heap_remove(struct heap *h, u32 slot)
{
	u32 w = h->where[slot];
	struct heap_item last;

	if (!w)
		return;
	h->where[slot] = 0;
	last = h->items[--h->n];
	if (last.slot == slot)
		return;
	if (w > 1 && before(&last, &h->items[(w - 2) / 4]))
		sift_up(h, w - 1, last);
	else
		sift_down(h, w - 1, last);
}
