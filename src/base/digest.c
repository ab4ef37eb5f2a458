/* Digests: see base/digest.h. */
#include "base/digest.h"

#include <endian.h>
#include <stdio.h>
#include <xxhash.h>

void digest_init(struct digest *d)
{
	d->buffer[0] = 0;
	d->words = 0;
	d->fill = 1;
}

void digest_flush(struct digest *d)
{
	for (u32 i = 0; i < d->fill; i++)
		d->buffer[i] = htole64(d->buffer[i]);
	d->words += d->fill - 1;
	d->buffer[0] = XXH3_64bits(d->buffer, sizeof(u64) * d->fill);
	d->fill = 1;
}

u64 digest_value(struct digest *d)
{
	if (d->fill > 1)
		digest_flush(d);
	return d->buffer[0];
}

void digest_text(const char *text, size_t len, char out[33])
{
	XXH128_hash_t h = XXH3_128bits(text, len);

	snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high64,
		 (unsigned long long)h.low64);
}
