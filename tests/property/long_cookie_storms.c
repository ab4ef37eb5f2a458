/*
 * The same as test_cookies.c with 500 random workloads on as many random topologies: each
 * is played under three of the recipes, in turn, so that every one of them is met often.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cookie_storm.h"

#define WORKLOADS 500u

static void test_500_workloads(void **state)
{
	struct cookie_totals sum = {0};
	struct recipes r;

	(void)state;
	recipes_find(&r);
	assert_true(r.n >= 16);
	for (u64 seed = 100; seed < 100 + WORKLOADS; seed++)
		for (u32 k = 0; k < 3; k++)
			cookie_storm(r.name[(seed * 3 + k) % r.n], seed, 200, &sum);
	assert_int_equal(sum.leak, 0);
	print_message("busy %llu ms, forced idle %llu ms, pending %llu us, stolen %llu\n",
		      (unsigned long long)(sum.busy / NS_PER_MS),
		      (unsigned long long)(sum.forced / NS_PER_MS),
		      (unsigned long long)(sum.pending / NS_PER_US),
		      (unsigned long long)sum.stolen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_500_workloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
