/*
 * Stars of tables whose truth is known: rarely where nothing differs, nearly always where
 * something does. The same with more tables: long_many_stars.c. Tolerance: the borders
 * are those that are promised; 400 tables have a standard error of 1.1 % at 5 %, and the
 * seed is fixed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/stars.h"

static void nothing_differs(void **state)
{
	struct stars s;

	(void)state;
	for (u32 n = 3; n <= 10; n += n == 3 ? 2 : 5) {
		stars_count(1, 400, n, 0, 0, &s);
		assert_true(s.bad <= 0.05 * 400);
		assert_true(s.bad > 0); /* the test must be able to fail */
	}
}

static void something_differs(void **state)
{
	struct stars s;

	(void)state;
	stars_count(2, 200, 5, 10, 4, &s);
	assert_true(s.found >= 0.85 * s.shifted);
	stars_count(3, 200, 5, 1, 4, &s);
	assert_true(s.found >= 0.85 * s.shifted);
	stars_count(4, 200, 10, 10, 2, &s);
	assert_true(s.found >= 0.90 * s.shifted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_differs),
		cmocka_unit_test(something_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
