/*
 * Conversations against closed forms of queueing theory, at loads where a short run is
 * enough. Tolerance 2 %: the mean over n customers has a relative standard error of about
 * 2 / ((1 - rho) sqrt(n)), 1 % here; loads near 1 are in long_saturation.c.
 */
#include "queues.h"

static void test_mm1(void **state)
{
	(void)state;
	mm1(0.5, 2000, 400);
	mm1(0.8, 1250, 1250);
}

static void test_md1(void **state)
{
	(void)state;
	md1(0.5, 2000, 400);
	md1(0.8, 1250, 1250);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mm1),
		cmocka_unit_test(test_md1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
