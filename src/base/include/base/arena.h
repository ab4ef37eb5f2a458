/*
 * Arena: memory that is given back all at once. One per run, one per loaded file set.
 * Not thread safe; a run never shares its arena.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/types.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *head;
	char *at, *end;
	size_t total;		   /* bytes taken from the system, or from the parent */
	struct arena *parent;	   /* NULL = the system */
	struct arena_chunk *spare; /* of arena_reset() */
};

void arena_init(struct arena *a);

/** An arena inside another: it goes with its parent, and is never freed by itself. */
void arena_init_in(struct arena *a, struct arena *parent);

/**
 * Forget everything, but keep the memory for what comes next: what is built anew now and
 * then, in about the same size, needs no more memory than the largest.
 */
void arena_reset(struct arena *a);

/** Give everything back. The arena can be used again. */
void arena_free(struct arena *a);

/**
 * size bytes, zeroed, aligned for any type. Out of memory ends the process: a simulation
 * has no state worth saving that is not in the store already.
 */
void *arena_alloc(struct arena *a, size_t size);

/** Copy of a string, or of its first n bytes (terminated). */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);

/** printf into the arena. */
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define arena_new(a, type)	((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))

/*
 * Typed free list: objects of one size, recycled inside an arena, so that millions of
 * forks need no more memory than the tasks alive at once.
 */
struct pool {
	struct arena *arena;
	size_t size;
	void *free; /* singly linked through the first word */
};

void pool_init(struct pool *p, struct arena *a, size_t size);
void *pool_get(struct pool *p); /* zeroed */
void pool_put(struct pool *p, void *obj);

#endif
