/* Arena and typed free lists: see base/arena.h. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_ALIGN 16u
#define ARENA_CHUNK (64u * 1024u)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;
	_Alignas(ARENA_ALIGN) char data[];
};

void arena_init(struct arena *a)
{
	memset(a, 0, sizeof(*a));
}

void arena_init_in(struct arena *a, struct arena *parent)
{
	arena_init(a);
	a->parent = parent;
}

void arena_reset(struct arena *a)
{
	struct arena_chunk **link = &a->head;

	while (*link)
		link = &(*link)->next;
	*link = a->spare;
	a->spare = a->head;
	a->head = NULL;
	a->at = a->end = NULL;
}

void arena_free(struct arena *a)
{
	struct arena_chunk *c = a->head, *next;

	for (; c; c = next) {
		next = c->next;
		free(c);
	}
	arena_init(a);
}

/* The smallest that is large enough. */
static struct arena_chunk *take_spare(struct arena *a, size_t size)
{
	struct arena_chunk **best = NULL, *c;

	for (struct arena_chunk **link = &a->spare; *link; link = &(*link)->next)
		if ((*link)->size >= size && (!best || (*link)->size < (*best)->size))
			best = link;
	if (!best)
		return NULL;
	c = *best;
	*best = c->next;
	return c;
}

static struct arena_chunk *new_chunk(struct arena *a, size_t want)
{
	size_t bytes = sizeof(struct arena_chunk) + want;
	struct arena_chunk *c = a->parent ? arena_alloc(a->parent, bytes) : malloc(bytes);

	if (!c) {
		fputs("sibyl: out of memory\n", stderr);
		abort();
	}
	c->size = want;
	a->total += bytes;
	return c;
}

static void arena_grow(struct arena *a, size_t size)
{
	struct arena_chunk *c = take_spare(a, size);

	if (!c)
		c = new_chunk(a, size > ARENA_CHUNK ? size : ARENA_CHUNK);
	c->next = a->head;
	a->head = c;
	a->at = c->data;
	a->end = c->data + c->size;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (!a->at || size > (size_t)(a->end - a->at))
		arena_grow(a, size);
	p = a->at;
	a->at += size;
	memset(p, 0, size);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void pool_init(struct pool *p, struct arena *a, size_t size)
{
	p->arena = a;
	p->size = size < sizeof(void *) ? sizeof(void *) : size;
	p->free = NULL;
}

void *pool_get(struct pool *p)
{
	void *obj = p->free;

	if (!obj)
		return arena_alloc(p->arena, p->size);
	memcpy(&p->free, obj, sizeof(void *));
	memset(obj, 0, p->size);
	return obj;
}

void pool_put(struct pool *p, void *obj)
{
	memcpy(obj, &p->free, sizeof(void *));
	p->free = obj;
}
