/*
 * Digests (XXH3 of the xxHash library). A decision digest is fed with numbers in a fixed
 * byte order, so it is the same on every machine.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/types.h"

/* Words that are hashed at once; the first is the value so far, so that they chain. */
#define DIGEST_BUFFER 1024

/** Running digest of records of 64-bit words. */
struct digest {
	u64 words; /* how many were fed */
	u32 fill;
	u64 buffer[DIGEST_BUFFER];
};

void digest_init(struct digest *d);
void digest_flush(struct digest *d);

static inline void digest_word(struct digest *d, u64 w)
{
	if (d->fill == DIGEST_BUFFER)
		digest_flush(d);
	d->buffer[d->fill++] = w;
}

/** Three words at once: one look at the room in the buffer. */
static inline void digest_words(struct digest *d, u64 a, u64 b, u64 c)
{
	if (d->fill + 3 > DIGEST_BUFFER)
		digest_flush(d);
	d->buffer[d->fill] = a;
	d->buffer[d->fill + 1] = b;
	d->buffer[d->fill + 2] = c;
	d->fill += 3;
}

/** Value so far (flushes). */
u64 digest_value(struct digest *d);

/** 128-bit identity of a text as 32 hexadecimal digits and a terminator. */
void digest_text(const char *text, size_t len, char out[33]);

#endif
