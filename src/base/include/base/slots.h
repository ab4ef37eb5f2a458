/*
 * Which of many fixed slots has the smallest key? A tournament tree: each inner node
 * holds the winner of its two children, so a change replays only the matches on the way
 * up, and stops where the slot lost before and loses again - setting a key far in the
 * future usually costs one match. No tombstones, no allocation after init.
 *
 *            w            key[w] <= key of every slot; of equal keys the
 *          /   \          lower slot wins, so the order (key, slot) is total
 *        w       x
 *       / \     / \
 *      0   1   2   3
 *
 * (For the sizes here it takes less than half of the instructions of a 4-ary heap with
 * an index: pops of a heap always walk to the bottom.)
 */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include "base/arena.h"

#define SLOT_NONE UINT32_MAX

struct slots {
	u64 *key;    /* by slot; TIME_NEVER = empty */
	u32 *winner; /* 1 .. cap - 1: inner nodes; cap .. 2 cap - 1: the slots themselves
		      */
	u32 cap;     /* a power of two */
	u32 taken;   /* slot whose matches are still to be replayed; SLOT_NONE = none */
};

/** Room for at least n slots, numbered from 0, all empty. */
void slots_init(struct slots *t, struct arena *a, u32 n);

/** Room for more slots (old memory stays in the arena: capacity at least doubles). */
void slots_grow(struct slots *t, struct arena *a, u32 n);

static inline void slots_replay(struct slots *t, u32 slot)
{
	for (u32 i = (t->cap + slot) >> 1; i; i >>= 1) {
		u32 l = t->winner[2 * i], r = t->winner[2 * i + 1];
		u32 w = t->key[r] < t->key[l] ? r : l, old = t->winner[i];

		t->winner[i] = w;
		if (w != slot && old != slot)
			break; /* it lost here, and it loses again: no match above changes
				*/
	}
}

/** key < TIME_NEVER. A slot that is set moves. */
static inline void slots_set(struct slots *t, u32 slot, u64 key)
{
	t->key[slot] = key;
	if (slot != t->taken)
		slots_replay(t, slot);
}

/** Fine if the slot is empty. */
static inline void slots_clear(struct slots *t, u32 slot)
{
	if (t->key[slot] == TIME_NEVER)
		return;
	t->key[slot] = TIME_NEVER;
	if (slot != t->taken)
		slots_replay(t, slot);
}

/**
 * Empty the top slot, and put its matches off until slots_settle(): what is taken is
 * often set again at once (a tick). Between the two, slots_top() means nothing; the keys
 * are right.
 */
static inline void slots_take_top(struct slots *t)
{
	t->taken = t->winner[1];
	t->key[t->taken] = TIME_NEVER;
}

/* Every match on the way up: others may have changed winners there meanwhile. */
static inline void slots_settle(struct slots *t)
{
	for (u32 i = (t->cap + t->taken) >> 1; i; i >>= 1) {
		u32 l = t->winner[2 * i], r = t->winner[2 * i + 1];

		t->winner[i] = t->key[r] < t->key[l] ? r : l;
	}
	t->taken = SLOT_NONE;
}

static inline bool slots_has(const struct slots *t, u32 slot)
{
	return t->key[slot] != TIME_NEVER;
}

/** The slot with the smallest key; meaningless if slots_top_key() is TIME_NEVER. */
static inline u32 slots_top(const struct slots *t)
{
	return t->winner[1];
}

static inline u64 slots_top_key(const struct slots *t)
{
	return t->key[t->winner[1]];
}

#endif
