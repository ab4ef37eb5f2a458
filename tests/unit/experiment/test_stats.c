/* Statistics: printed values of the field's reporters, hand-made cases, missing data. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "experiment/stat_rows.h"

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

/* A table of one cell. */
static void compare_by(const double *base, u32 nbase, const double *v, u32 n, bool higher,
		       enum stat_mode mode, struct stat_cell *out)
{
	const struct stat_rule rule = {.mode = mode, .practical = STAT_PRACTICAL};

	stat_compare(base, nbase, v, n, higher, &rule, out);
	stat_judge(&out, 1, &rule);
}

static void compare(const double *base, u32 nbase, const double *v, u32 n, bool higher,
		    struct stat_cell *out)
{
	compare_by(base, nbase, v, n, higher, STAT_WELCH, out);
}

static void row_is(enum stat_row_kind kind, u32 percent, enum stat_mode mode, bool higher,
		   const char *want_name, const double *v, u32 n, double want)
{
	const struct stat_row row = {kind, percent};
	double room[16];
	char name[16];

	stat_row_name(&row, higher, mode, name);
	assert_string_equal(name, want_name);
	near2(stat_row_value(&row, v, n, higher, mode, room), want);
}

static void higher_golden(void **state)
{
	const double a[] = {2200, 2300, 2340}, b[] = {1600, 1700, 1715};
	struct stat_cell c;

	(void)state;
	compare(a, 3, b, 3, true, &c);
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
	compare(a, 3, b, 3, true, &c);
	near2(stat_hmean(a, 3), 101.32);
	near2(c.mean, 107.32);
	near2(c.delta, 5.92);
	near2(c.stddev, 1.53);
	assert_true(c.significant);
	compare(a, 3, d, 3, true, &c);
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
	compare(a, 6, b, 3, false, &c);
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
	compare(a, 6, flat, 3, false, &c);
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
	compare(one, 1, two, 2, false, &c);
	assert_true(isnan(c.p));
	assert_false(c.significant);
	assert_true(c.delta == 0);
	compare(one, 1, other, 1, false, &c);
	assert_true(isnan(c.p));
	assert_false(c.significant);
	near2(c.delta, -20);
	compare(NULL, 0, two, 2, false, &c);
	assert_true(isnan(c.delta));
	assert_false(c.significant);
	compare(two, 2, NULL, 0, false, &c);
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
	compare(a, 3, b, 3, false, &c);
	assert_true(c.p < STAT_ALPHA);
	assert_false(c.significant);
	compare(a, 3, d, 3, false, &c);
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
	compare(a, 10, b, 10, false, &c);
	assert_true(isnan(stat_delta(stat_stddev(a, 10), c.stddev, false)));
}

/* What the field's reporters print for these samples, in either era. */
static const double g1[] = {2200, 2300, 2340}, g2[] = {1600, 1700, 1715};

static void rows_2018(void **state)
{
	const enum stat_mode mode = STAT_MMTESTS_2018;
	struct stat_cell c;

	(void)state;
	row_is(STAT_ROW_MIN, 0, mode, true, "Min", g1, 3, 2200);
	row_is(STAT_ROW_MAX, 0, mode, true, "Max", g1, 3, 2340);
	row_is(STAT_ROW_MEAN, 0, mode, true, "Hmean", g2, 3, 1670.08);
	row_is(STAT_ROW_STDDEV, 0, mode, true, "Stddev", g2, 3, 62.52);
	row_is(STAT_ROW_COEFFVAR, 0, mode, true, "CoeffVar", g2, 3, 3.74);
	row_is(STAT_ROW_BEST, 50, mode, true, "BHmean-50", g1, 3, 2340.00);
	row_is(STAT_ROW_BEST, 95, mode, true, "BHmean-95", g1, 3, 2319.83);
	row_is(STAT_ROW_BEST, 99, mode, true, "BHmean-99", g2, 3, 1707.47);
	compare_by(g1, 3, g2, 3, true, mode, &c);
	near4(c.p, 0.0004);
	assert_true(c.significant);
	near2(stat_delta(2319.83, 1707.47, true), -26.40);
}

static void rows_2025(void **state)
{
	const enum stat_mode mode = STAT_MMTESTS_2025;
	const struct stat_row sd = {STAT_ROW_STDDEV, 0}, cv = {STAT_ROW_COEFFVAR, 0};
	double room[16], a, b;
	struct stat_cell c;

	(void)state;
	row_is(STAT_ROW_STDDEV, 0, mode, true, "HStddev", g1, 3, 59.58);
	row_is(STAT_ROW_STDDEV, 0, mode, true, "HStddev", g2, 3, 52.05);
	row_is(STAT_ROW_COEFFVAR, 0, mode, true, "HCoeffVar", g1, 3, 2.61);
	row_is(STAT_ROW_COEFFVAR, 0, mode, true, "HCoeffVar", g2, 3, 3.12);
	a = stat_row_value(&sd, g1, 3, true, mode, room);
	b = stat_row_value(&sd, g2, 3, true, mode, room);
	near2(stat_row_delta(&sd, a, b, true, mode), 12.63);
	a = stat_row_value(&cv, g1, 3, true, mode, room);
	b = stat_row_value(&cv, g2, 3, true, mode, room);
	near2(stat_row_delta(&cv, a, b, true, mode), -19.19);
	compare_by(g1, 3, g2, 3, true, mode, &c);
	near2(c.mmtests_ratio, 2.78);
	near2(c.delta, -26.70);
	assert_true(c.significant);
}

static void small_in_both_eras(void **state)
{
	const double a[] = {100, 101, 103}, b[] = {106, 107, 109}, d[] = {100, 104, 103};
	struct stat_cell c;

	(void)state;
	compare_by(a, 3, b, 3, true, STAT_MMTESTS_2018, &c);
	near4(c.p, 0.0086);
	near2(c.delta, 5.92);
	near2(c.stddev, 1.53);
	assert_true(c.significant);
	compare_by(a, 3, d, 3, true, STAT_MMTESTS_2018, &c);
	near4(c.p, 0.5442);
	near2(c.mean, 102.30);
	near2(c.delta, 0.97);
	assert_false(c.significant);
	compare_by(a, 3, b, 3, true, STAT_MMTESTS_2025, &c);
	assert_true(fabs(c.mmtests_ratio - 1.233) <= 0.0005);
	assert_true(c.significant);
	compare_by(a, 3, d, 3, true, STAT_MMTESTS_2025, &c);
	assert_false(c.significant);
}

static void lower_in_both_eras(void **state)
{
	const double a[] = {10, 11, 12, 10.5, 11.5, 12.5}, b[] = {14, 15, 16};
	const double flat[] = {9, 9, 9};
	const enum stat_mode mode = STAT_MMTESTS_2025;
	struct stat_cell c;

	(void)state;
	row_is(STAT_ROW_MEAN, 0, mode, false, "Amean", a, 6, 11.25);
	row_is(STAT_ROW_STDDEV, 0, mode, false, "Stddev", a, 6, 0.94);
	row_is(STAT_ROW_COEFFVAR, 0, mode, false, "CoeffVar", a, 6, 8.31);
	row_is(STAT_ROW_BEST, 95, mode, false, "BAmean-95", a, 6, 11.00);
	row_is(STAT_ROW_BEST, 95, mode, false, "BAmean-95", b, 3, 14.50);
	row_is(STAT_ROW_PERCENTILE, 95, mode, false, "Max-95", a, 6, 12.00);
	row_is(STAT_ROW_PERCENTILE, 95, mode, false, "Max-95", b, 3, 15.00);
	row_is(STAT_ROW_QUARTILE, 75, mode, false, "3rd-qrtle", a, 6, 11.50);
	compare_by(a, 6, b, 3, false, mode, &c);
	near2(c.mmtests_ratio, 0.99);
	near2(c.delta, -33.33);
	assert_false(c.significant);
	compare_by(a, 6, b, 3, false, STAT_MMTESTS_2018, &c);
	near4(c.p, 0.0010);
	assert_true(c.significant);
	compare_by(a, 6, flat, 3, false, mode, &c);
	near2(c.delta, 20.00);
	assert_true(c.significant);
}

static void edges_of_the_eras(void **state)
{
	const struct stat_row mean = {STAT_ROW_MEAN, 0}, sd = {STAT_ROW_STDDEV, 0};
	const double one[] = {5}, other[] = {6}, nine[] = {9, 9}, more[] = {9.5, 9.5};
	struct stat_cell c;

	(void)state;
	/* one run against one: starred in the first era, never in the second */
	compare_by(one, 1, other, 1, false, STAT_MMTESTS_2018, &c);
	assert_true(c.significant);
	compare_by(one, 1, other, 1, false, STAT_MMTESTS_2025, &c);
	assert_false(c.significant);
	/* constants less than 1 apart */
	compare_by(nine, 2, more, 2, false, STAT_MMTESTS_2025, &c);
	assert_false(c.significant);
	assert_true(stat_row_delta(&mean, 5, 0, true, STAT_MMTESTS_2025) == 0);
	near2(stat_row_delta(&mean, 5, 0, true, STAT_WELCH), -100);
	near2(stat_row_delta(&mean, 0, 5, true, STAT_MMTESTS_2018), 100);
	near2(stat_row_delta(&sd, 0, 5, true, STAT_MMTESTS_2018), -99);
}

/* Exact: the counts are few enough to do by hand. */
static void rank_test(void **state)
{
	const double low[] = {1, 2, 3}, high[] = {4, 5, 6}, mixed[] = {2, 4, 9};
	const double ties[] = {1, 1, 2}, tied[] = {1, 2, 2}, same[] = {7, 7, 7};
	const double eight[] = {1, 2, 3, 4, 5, 6, 7, 8};
	const double above[] = {11, 12, 13, 14, 15, 16, 17, 18};
	struct stat_cell c;

	(void)state;
	/* 2 of the 20 orders are as extreme */
	assert_true(fabs(stat_rank_p(low, 3, high, 3) - 0.1) < 1e-12);
	/* ranks 1 2.5 4 against 2.5 5 6: sums of 7.5 or less, or 13.5 or more, 6 of 20 */
	assert_true(fabs(stat_rank_p(low, 3, mixed, 3) - 0.3) < 1e-12);
	/* 1 1 1 2 2 2: every choice but those of two or more of one kind: 20 of 20 */
	assert_true(fabs(stat_rank_p(ties, 3, tied, 3) - 1) < 1e-12);
	assert_true(fabs(stat_rank_p(same, 3, same, 3) - 1) < 1e-12);
	/* 2 of C(16, 8) */
	assert_true(fabs(stat_rank_p(eight, 8, above, 8) - 2 / 12870.0) < 1e-12);
	assert_true(isnan(stat_rank_p(eight, 0, above, 8)));
	compare(eight, 7, above, 8, false, &c);
	assert_true(isnan(c.p_rank));
	compare(eight, 8, above, 8, false, &c);
	assert_true(!isnan(c.p_rank));
}

static void adjusted(void **state)
{
	/* the example of the article, its first line: 15 p, of which 4 are rejected */
	double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
		      0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000, NAN};
	u32 rejected = 0;

	(void)state;
	stat_adjust(p, 16);
	for (u32 i = 0; i < 15; i++)
		rejected += p[i] <= 0.05;
	assert_int_equal(rejected, 4);
	near4(p[3], 0.0095 * 15 / 4);
	/* made monotone: 0.0278 * 15 / 6 is more than 0.0298 * 15 / 7 */
	near4(p[5], 0.0298 * 15 / 7);
	assert_true(isnan(p[15]));
}

/* The interval and the test say the same, also close to the border. */
static void interval_is_the_test(void **state)
{
	const double a[] = {100, 104, 96, 101};
	double b[4], lo, hi, wide[] = {-1, 1, 3};

	(void)state;
	for (int i = 0; i < 200; i++) {
		for (int k = 0; k < 4; k++)
			b[k] = a[3 - k] * (1 + k * 0.002) + 0.1 * (i - 100);
		stat_ratio_interval(a, 4, b, 4, &lo, &hi);
		assert_true(lo < hi);
		assert_true((lo > 1 || hi < 1) == (stat_welch_p(a, 4, b, 4) < 0.05));
	}
	stat_ratio_interval(wide, 3, a, 4, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
}

static void what_n_allows(void **state)
{
	const double a[] = {99, 101, 100}, b[] = {99, 101, 100}, one[] = {5};

	(void)state;
	/* t(4) of 0.975 is 2.776, of 0.8 is 0.941; the error is sqrt(2/3) of 1 % */
	near2(stat_detectable(a, 3, b, 3), (2.7764 + 0.9410) * sqrt(2 / 3.0));
	/* t(2) of 0.975 is 4.303 */
	near2(stat_precision(a, 3), 4.3027 / sqrt(3));
	assert_true(isnan(stat_detectable(a, 3, one, 1)));
	assert_true(isnan(stat_precision(one, 1)));
	near2(stat_correlation(a, b, 3), 1);
	assert_true(isnan(stat_correlation(a, b, 2)));
	/* differences 1, 2, 3: t = 2 sqrt(3) with 2 degrees, p = 0.0742 by table */
	near4(stat_paired_p((const double[]){1, 5, 2}, (const double[]){2, 7, 5}, 3),
	      0.0742);
	assert_true(isnan(stat_paired_p(a, b, 1)));
	assert_true(stat_paired_p(a, b, 3) >= 1);
}

static void a_table_is_judged_together(void **state)
{
	const double base[] = {100, 101, 99, 100}, v[] = {102, 103.5, 101, 102.4};
	const struct stat_rule rule = {.practical = 1};
	struct stat_cell cell[20], *all[20];
	const struct stat_cell *const *const_all = (const struct stat_cell *const *)all;

	(void)state;
	for (u32 i = 0; i < 20; i++) {
		stat_compare(base, 4, i ? base : v, 4, false, &rule, &cell[i]);
		all[i] = &cell[i];
	}
	/* p is 0.02: enough alone, not the best of twenty */
	assert_true(cell[0].p < 0.05 && cell[0].p > 0.05 / 20);
	stat_judge(all, 1, &rule);
	assert_true(cell[0].significant);
	near4(stat_expected_false(const_all, 1, &rule), 0.05);
	stat_judge(all, 20, &rule);
	assert_false(cell[0].significant);
	near4(cell[0].p_adjusted, 20 * cell[0].p);
	near4(stat_expected_false(const_all, 20, &rule), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(higher_golden),
		cmocka_unit_test(higher_small),
		cmocka_unit_test(lower_golden),
		cmocka_unit_test(missing),
		cmocka_unit_test(deltas),
		cmocka_unit_test(practical_threshold),
		cmocka_unit_test(equal_values),
		cmocka_unit_test(rows_2018),
		cmocka_unit_test(rows_2025),
		cmocka_unit_test(small_in_both_eras),
		cmocka_unit_test(lower_in_both_eras),
		cmocka_unit_test(edges_of_the_eras),
		cmocka_unit_test(rank_test),
		cmocka_unit_test(adjusted),
		cmocka_unit_test(interval_is_the_test),
		cmocka_unit_test(what_n_allows),
		cmocka_unit_test(a_table_is_judged_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
