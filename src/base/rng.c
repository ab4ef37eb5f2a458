/* Random streams: see base/rng.h. */
#include "base/rng.h"

#include <Random123/philox.h>

static u64 philox(u64 key, u64 counter, u64 lane)
{
	philox4x32_ctr_t c = {
		{(u32)counter, (u32)(counter >> 32), (u32)lane, (u32)(lane >> 32)}};
	philox4x32_key_t k = {{(u32)key, (u32)(key >> 32)}};
	philox4x32_ctr_t r = philox4x32(c, k);

	return (u64)r.v[0] | (u64)r.v[1] << 32;
}

/* Lanes keep keys of children apart from draws of the parent. */
enum { LANE_DRAW = 0, LANE_CHILD = 1, LANE_ROOT = 2 };

struct stream stream_root(u64 seed)
{
	return (struct stream){.key = philox(seed, 0, LANE_ROOT)};
}

struct stream stream_child(const struct stream *parent, u64 n)
{
	return (struct stream){.key = philox(parent->key, n, LANE_CHILD)};
}

u64 stream_u64(struct stream *s)
{
	return philox(s->key, s->next++, LANE_DRAW);
}

u64 stream_range(struct stream *s, u64 lo, u64 hi)
{
	u64 span = hi - lo + 1;

	if (!span)
		return stream_u64(s);
	return lo + (u64)(((u128)stream_u64(s) * span) >> 64);
}
