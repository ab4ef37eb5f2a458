/* The tournament tree against a plain array: order, moves, growth, the deferred pop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/slots.h"

#define N 37u

static u32 plain_top(const u64 *key, u32 n)
{
	u32 best = 0;

	for (u32 i = 1; i < n; i++)
		if (key[i] < key[best])
			best = i;
	return best;
}

static void test_against_plain(void **state)
{
	struct stream s = stream_root(1);
	struct arena a;
	struct slots t;
	u64 key[N];

	(void)state;
	arena_init(&a);
	slots_init(&t, &a, N);
	for (u32 i = 0; i < N; i++)
		key[i] = TIME_NEVER;
	for (u32 i = 0; i < 200000; i++) {
		u32 slot = (u32)stream_range(&s, 0, N - 1);
		/* few values, so that ties are common: the lower slot wins */
		u64 k = stream_range(&s, 0, 20);
		u32 top;

		if (k > 15) {
			slots_clear(&t, slot);
			key[slot] = TIME_NEVER;
		} else {
			slots_set(&t, slot, k);
			key[slot] = k;
		}
		top = plain_top(key, N);
		assert_int_equal(slots_top_key(&t), key[top]);
		if (key[top] != TIME_NEVER)
			assert_int_equal(slots_top(&t), top);
		assert_int_equal(slots_has(&t, slot), key[slot] != TIME_NEVER);
	}
	arena_free(&a);
}

/* Between taking the top and settling, anything may be set or cleared, itself included.
 */
static void test_take_and_settle(void **state)
{
	struct stream s = stream_root(2);
	struct arena a;
	struct slots t;
	u64 key[N];

	(void)state;
	arena_init(&a);
	slots_init(&t, &a, N);
	for (u32 i = 0; i < N; i++) {
		key[i] = stream_range(&s, 0, 50);
		slots_set(&t, i, key[i]);
	}
	for (u32 round = 0; round < 50000; round++) {
		u32 top = slots_top(&t);
		u32 changes = (u32)stream_range(&s, 0, 4);

		assert_int_equal(top, plain_top(key, N));
		slots_take_top(&t);
		key[top] = TIME_NEVER;
		while (changes--) {
			u32 slot = (u32)stream_range(&s, 0, N - 1);

			key[slot] = stream_range(&s, 0, 60);
			if (key[slot] > 55) {
				key[slot] = TIME_NEVER;
				slots_clear(&t, slot);
			} else {
				slots_set(&t, slot, key[slot]);
			}
		}
		slots_settle(&t);
		if (slots_top_key(&t) == TIME_NEVER) {
			key[round % N] = 1;
			slots_set(&t, round % N, 1);
		}
	}
	arena_free(&a);
}

static void test_grow_keeps(void **state)
{
	struct arena a;
	struct slots t;

	(void)state;
	arena_init(&a);
	slots_init(&t, &a, 3);
	slots_set(&t, 2, 7);
	slots_set(&t, 0, 9);
	slots_grow(&t, &a, 100);
	assert_int_equal(slots_top(&t), 2);
	slots_set(&t, 99, 1);
	assert_int_equal(slots_top(&t), 99);
	slots_clear(&t, 99);
	slots_clear(&t, 2);
	assert_int_equal(slots_top(&t), 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_plain),
		cmocka_unit_test(test_take_and_settle),
		cmocka_unit_test(test_grow_keeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
