/* As test_stars.c, with 10,000 tables, and the figures are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "property/stars.h"

#define TABLES 10000u

static void nothing_differs(void **state)
{
	struct stars s;

	(void)state;
	for (u32 n = 3; n <= 10; n += n == 3 ? 2 : 5) {
		stars_count(1, TABLES, n, 0, 0, &s);
		printf("n=%u, nothing differs: %.2f %% of tables, %.3f %% of cells\n", n,
		       100.0 * s.bad / TABLES, 100.0 * s.false_ / s.null);
		assert_true(s.bad <= 0.05 * TABLES);
	}
}

static double power(u32 n, u32 shifted, double shift)
{
	struct stars s;

	stars_count(2, TABLES, n, shifted, shift, &s);
	printf("n=%u, %g SD in %u of %u cells: %.1f %% found, %.2f %% of the rest starred\n",
	       n, shift, shifted, STARS_CELLS, 100.0 * s.found / s.shifted,
	       s.null ? 100.0 * s.false_ / s.null : 0);
	return (double)s.found / s.shifted;
}

static void something_differs(void **state)
{
	(void)state;
	assert_true(power(5, 1, 4) >= 0.85);
	assert_true(power(5, 10, 4) >= 0.85);
	assert_true(power(10, 10, 2) >= 0.90);
	assert_true(power(10, 20, 2) >= 0.90);
	/* the only change among twenty cells pays for the others: long_lone_change.c */
	assert_true(power(10, 1, 2) >= 0.75);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_differs),
		cmocka_unit_test(something_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
