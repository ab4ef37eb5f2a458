/* Statistics: printed values of the field's reporters, hand-made cases, missing data. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "experiment/stats.h"

/* Golden values are printed with two places, so half of the last place is the limit. */
static void near2(double got, double want)
{
	if (!(fabs(got - want) <= 0.005 + 1e-9))
		fail_msg("got %.6f, expected %.2f", got, want);
}

static void near4(double got, double want)
{
	if (!(fabs(got - want) <= 0.00005 + 1e-9))
		fail_msg("got %.6f, expected %.4f", got, want);
}

static void higher_golden(void **state)
{
	const double a[] = {2200, 2300, 2340}, b[] = {1600, 1700, 1715};
	struct stat_cell c;

	(void)state;
	stat_compare(a, 3, b, 3, true, &c);
	near2(stat_mean(a, 3, true), 2278.46);
	near2(c.mean, 1670.08);
	near2(c.delta, -26.70);
	near2(stat_stddev(a, 3), 72.11);
	near2(c.stddev, 62.52);
	near2(stat_coeffvar(a, 3), 3.16);
	near2(c.coeffvar, 3.74);
	near2(stat_delta(stat_stddev(a, 3), c.stddev, false), 13.30);
	near2(stat_delta(stat_coeffvar(a, 3), c.coeffvar, false), -18.24);
	assert_true(c.significant);
	assert_int_equal(c.n, 3);
}

static void higher_small(void **state)
{
	const double a[] = {100, 101, 103}, b[] = {106, 107, 109}, d[] = {100, 104, 103};
	struct stat_cell c;

	(void)state;
	stat_compare(a, 3, b, 3, true, &c);
	near2(stat_hmean(a, 3), 101.32);
	near2(c.mean, 107.32);
	near2(c.delta, 5.92);
	near2(c.stddev, 1.53);
	assert_true(c.significant);
	stat_compare(a, 3, d, 3, true, &c);
	near2(c.mean, 102.30);
	near2(c.delta, 0.97);
	assert_false(c.significant);
}

static void lower_golden(void **state)
{
	const double a[] = {10, 11, 12, 10.5, 11.5, 12.5}, b[] = {14, 15, 16};
	const double flat[] = {9, 9, 9};
	struct stat_cell c;

	(void)state;
	stat_compare(a, 6, b, 3, false, &c);
	near2(stat_amean(a, 6), 11.25);
	near2(c.mean, 15.00);
	near2(c.delta, -33.33);
	near2(stat_stddev(a, 6), 0.94);
	near2(c.stddev, 1.00);
	near2(stat_delta(stat_stddev(a, 6), c.stddev, false), -6.90);
	near2(stat_coeffvar(a, 6), 8.31);
	near2(c.coeffvar, 6.67);
	near4(c.p, 0.0063);
	assert_true(c.significant);
	stat_compare(a, 6, flat, 3, false, &c);
	near2(c.delta, 20.00);
	assert_true(c.significant);
}

static void missing(void **state)
{
	const double one[] = {5}, two[] = {5, 5}, other[] = {6, 6}, zero[] = {0, 1};
	struct stat_cell c;

	(void)state;
	assert_true(isnan(stat_amean(NULL, 0)));
	assert_true(isnan(stat_hmean(zero, 2)));
	assert_true(isnan(stat_stddev(one, 1)));
	stat_compare(one, 1, two, 2, false, &c);
	assert_true(isnan(c.p));
	assert_false(c.significant);
	assert_true(c.delta == 0);
	stat_compare(one, 1, other, 1, false, &c);
	assert_true(isnan(c.p));
	assert_false(c.significant);
	near2(c.delta, -20);
	stat_compare(NULL, 0, two, 2, false, &c);
	assert_true(isnan(c.delta));
	assert_false(c.significant);
	stat_compare(two, 2, NULL, 0, false, &c);
	assert_true(isnan(c.mean) && isnan(c.delta));
	assert_int_equal(c.n, 0);
	/* no spread at all: equal is equal, different is different */
	assert_true(stat_welch_p(two, 2, two, 2) == 1);
	assert_true(stat_welch_p(two, 2, other, 2) == 0);
}

static void deltas(void **state)
{
	(void)state;
	assert_true(stat_delta(0, 0, true) == 0);
	assert_false(signbit(stat_delta(3, 3, false)));
	assert_true(isnan(stat_delta(0, 1, true)));
	near2(stat_delta(50, 0, true), -100);
	near2(stat_delta(50, 0, false), 100);
	near2(stat_delta(50, 100, true), 100);
	near2(stat_delta(50, 100, false), -100);
}

static void practical_threshold(void **state)
{
	/* certain, but too small to matter; and just large enough */
	const double a[] = {1000, 1000.1, 999.9}, b[] = {1009, 1009.1, 1008.9};
	const double d[] = {1011, 1011.1, 1010.9};
	struct stat_cell c;

	(void)state;
	stat_compare(a, 3, b, 3, false, &c);
	assert_true(c.p < STAT_ALPHA);
	assert_false(c.significant);
	stat_compare(a, 3, d, 3, false, &c);
	assert_true(c.significant);
}

/* Ten times this sum to another value than ten of it: the mean is off by rounding. */
static void equal_values(void **state)
{
	double a[10], b[10];
	struct stat_cell c;

	(void)state;
	for (int i = 0; i < 10; i++) {
		a[i] = 12.386;
		b[i] = 12.386 + i % 2;
	}
	assert_true(stat_stddev(a, 10) <= 0);
	stat_compare(a, 10, b, 10, false, &c);
	assert_true(isnan(stat_delta(stat_stddev(a, 10), c.stddev, false)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(higher_golden), cmocka_unit_test(higher_small),
		cmocka_unit_test(lower_golden),	 cmocka_unit_test(missing),
		cmocka_unit_test(deltas),	 cmocka_unit_test(practical_threshold),
		cmocka_unit_test(equal_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
