/* Tournament tree over fixed slots: see base/slots.h. */
#include "base/slots.h"

#include <string.h>

void slots_init(struct slots *t, struct arena *a, u32 n)
{
	u32 cap = 2;

	while (cap < n)
		cap *= 2;
	t->cap = cap;
	t->taken = SLOT_NONE;
	t->key = arena_array(a, u64, cap);
	t->winner = arena_array(a, u32, 2 * cap);
	memset(t->key, 0xff, sizeof(u64) * cap);
	for (u32 i = 0; i < cap; i++)
		t->winner[cap + i] = i;
	for (u32 i = cap - 1; i; i--)
		t->winner[i] = t->winner[2 * i];
}

void slots_grow(struct slots *t, struct arena *a, u32 n)
{
	struct slots old = *t;

	if (n <= old.cap)
		return;
	slots_init(t, a, n);
	for (u32 i = 0; i < old.cap; i++)
		if (old.key[i] != TIME_NEVER)
			slots_set(t, i, old.key[i]);
	t->taken = old.taken;
}
