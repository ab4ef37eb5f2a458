/* M/M/1 and M/D/1 near saturation, where 2 % takes 16 million customers. */
#include "queues.h"

/* 1 ms / 0.95 is 1052.6 us: the load is that of the gap as written. */
#define GAP 1053u
#define RHO (1000.0 / GAP)

static void test_mm1(void **state)
{
	(void)state;
	mm1(0.8, 1250, 10000);
	mm1(RHO, GAP, 16000);
}

static void test_md1(void **state)
{
	(void)state;
	md1(0.8, 1250, 10000);
	md1(RHO, GAP, 16000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mm1),
		cmocka_unit_test(test_md1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
