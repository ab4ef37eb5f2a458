/*
 * Random draws against the formulas in floating point (a test may use it), and the
 * moments of large samples: tolerances are five standard errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/dist.h"

#define DRAWS 400000

static void test_exp2(void **state)
{
	(void)state;
	for (double x = -20; x < 30; x += 0.0137) {
		double want = exp2(x), have = (double)fix_exp2((s64)(x * 4294967296.0));

		have /= 4294967296.0;
		/* the table is interpolated: 1e-6; small values have few bits left */
		assert_true(fabs(have - want) <= want * 2e-6 + 3e-10);
	}
}

static void test_neg_log2(void **state)
{
	struct stream s = stream_root(3);

	(void)state;
	for (u32 i = 0; i < 10000; i++) {
		u64 x = stream_u64(&s) >> (i % 60) | 1;
		double want = 64 - log2((double)x);

		assert_true(fabs((double)fix_neg_log2(x) / 4294967296.0 - want) < 5e-6);
	}
}

static void test_normal(void **state)
{
	/* quantiles of the standard normal: 97.5 %, 99.9 %, one in a million */
	static const double p[] = {0.025, 0.001, 1e-6};
	static const double z[] = {1.959964, 3.090232, 4.753424};

	(void)state;
	for (u32 i = 0; i < 3; i++) {
		u64 tail = (u64)(p[i] * 18446744073709551616.0);

		/* interpolation inside an octave of 64 steps: below 1e-4 */
		assert_true(fabs((double)fix_normal(tail | 1ull << 63) / 4294967296.0 -
				 z[i]) < 1e-4);
		assert_true(fabs((double)fix_normal(tail) / 4294967296.0 + z[i]) < 1e-4);
	}
}

static double mean_of(const struct dist *d, double *sd)
{
	struct stream s = stream_root(11);
	double sum = 0, sq = 0;

	for (u32 i = 0; i < DRAWS; i++) {
		double x = (double)dist_draw(d, &s);

		sum += x;
		sq += x * x;
	}
	sum /= DRAWS;
	*sd = sqrt(sq / DRAWS - sum * sum);
	return sum;
}

static void test_moments(void **state)
{
	struct dist e = {.kind = DIST_EXP, .a = 1000000};
	struct dist l = {.kind = DIST_LOGNORMAL, .a = 1000000, .sigma = Q32_ONE / 2};
	struct dist u = {.kind = DIST_UNIFORM, .a = 100, .b = 299};
	double sd, m = mean_of(&e, &sd), root = sqrt(DRAWS);

	(void)state;
	assert_true(fabs(m - 1e6) < 5e6 / root);
	assert_true(fabs(sd - 1e6) < 1e4);
	m = mean_of(&l, &sd);
	/* median * exp(sigma^2 / 2) */
	assert_true(fabs(m - 1e6 * exp(0.125)) < 5 * sd / root);
	m = mean_of(&u, &sd);
	assert_true(fabs(m - 199.5) < 5 * sd / root);
}

static void test_quantile_list(void **state)
{
	static const u64 q[] = {10, 20, 40, 80};
	struct dist d = {.kind = DIST_QUANTILES, .quantiles = q, .n = 4};
	double sd, m = mean_of(&d, &sd);

	(void)state;
	/* three equally likely pieces with means 15, 30 and 60, less the rounding down */
	assert_true(m > 34.3 && m < 35.1);
}

static void test_streams(void **state)
{
	struct stream root = stream_root(1), a = stream_child(&root, 0);
	struct stream b = stream_child(&root, 1), again;
	u64 first = stream_u64(&a);

	(void)state;
	assert_int_not_equal(first, stream_u64(&b));
	/* a child does not depend on what its parent drew */
	stream_u64(&root);
	again = stream_child(&root, 0);
	assert_int_equal(first, stream_u64(&again));
	/* fixed forever: Philox4x32-10 */
	assert_int_equal(stream_root(1).key, stream_root(1).key);
	for (u32 i = 0; i < 1000; i++)
		assert_in_range(stream_range(&a, 5, 9), 5, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exp2),	      cmocka_unit_test(test_neg_log2),
		cmocka_unit_test(test_normal),	      cmocka_unit_test(test_moments),
		cmocka_unit_test(test_quantile_list), cmocka_unit_test(test_streams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
