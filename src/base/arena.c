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

void arena_free(struct arena *a)
{
	struct arena_chunk *c = a->head, *next;

	for (; c; c = next) {
		next = c->next;
		free(c);
	}
	arena_init(a);
}

static void arena_grow(struct arena *a, size_t size)
{
	size_t want = size > ARENA_CHUNK ? size : ARENA_CHUNK;
	struct arena_chunk *c = malloc(sizeof(*c) + want);

	if (!c) {
		fputs("sibyl: out of memory\n", stderr);
		abort();
	}
	c->size = want;
	c->next = a->head;
	a->head = c;
	a->at = c->data;
	a->end = c->data + want;
	a->total += sizeof(*c) + want;
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
