/*
 * No two threads of a core run tasks of different cookies, but for the time that an IPI
 * takes, under any recipe that promises it: six storms each. 500 are in
 * long_cookie_storms.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cookie_storm.h"

static void test_cookies_do_not_meet(void **state)
{
	struct recipes r;

	(void)state;
	recipes_find(&r);
	assert_true(r.n >= 16);
	for (u32 i = 0; i < r.n; i++) {
		struct cookie_totals sum = {0};

		for (u64 seed = 1; seed <= 6; seed++)
			cookie_storm(r.name[i], seed, 60, &sum);
		assert_int_equal(sum.leak, 0);
		/* and there was something to keep apart */
		if (!sum.forced || !sum.stolen || !sum.pending)
			fail_msg("%s: never forced idle, stolen or pending", r.name[i]);
		/* a sibling notices within microseconds: 5 % of the time at most */
		assert_true(sum.pending < sum.busy / 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cookies_do_not_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
