/* Digests: see base/digest.h. */
#include "base/digest.h"

#include <endian.h>
#include <stdio.h>
#include <xxhash.h>

void digest_init(struct digest *d)
{
	d->acc = 0;
	d->words = 0;
	d->fill = 0;
}

void digest_flush(struct digest *d)
{
	for (u32 i = 0; i < d->fill; i++)
		d->buffer[i] = htole64(d->buffer[i]);
	d->acc = XXH3_64bits_withSeed(d->buffer, sizeof(u64) * d->fill, d->acc);
	d->words += d->fill;
	d->fill = 0;
}

u64 digest_value(struct digest *d)
{
	if (d->fill)
		digest_flush(d);
	return d->acc;
}

void digest_text(const char *text, size_t len, char out[33])
{
	XXH128_hash_t h = XXH3_128bits(text, len);

	snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high64,
		 (unsigned long long)h.low64);
}
