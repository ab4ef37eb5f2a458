/*
 * Load tracking against an independent reference that walks one period at a time, and
 * against the vectors of the kernel's documentation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "load/pelt.h"

#define Y_Q32 0xfa83b2daull /* 2^(-1/32) * (2^32 - 1), rounded down */

/* One sum, moved unit by unit of 1024 ns, decayed at every period boundary. */
struct reference {
	u64 sum;
	u32 part;
};

static void walk(struct reference *r, u64 units, u64 per_unit)
{
	while (units) {
		u32 room = PELT_PERIOD - r->part;
		u64 n = units < room ? units : room;

		r->sum += n * per_unit;
		r->part += (u32)n;
		units -= n;
		if (r->part == PELT_PERIOD) {
			/* what is in the sum now gets one period older */
			r->sum = (r->sum * Y_Q32) >> 32;
			r->part = 0;
		}
	}
}

static void test_bit_equal_period_by_period(void **state)
{
	struct stream s = stream_root(7);
	struct pelt p = {0};
	struct reference load = {0}, util = {0};
	u64 now = 0;

	(void)state;
	for (u32 i = 0; i < 1000000; i++) {
		/* at most one boundary in a step: both decay once, so both round once */
		u64 units = stream_range(&s, 0, PELT_PERIOD);
		bool queued = stream_u64(&s) & 1,
		     running = queued && (stream_u64(&s) & 1);
		u64 weight = queued ? stream_range(&s, 2, 5000) : 0;

		now += units << 10;
		/* the old sum decays apart from the new contribution in both */
		{
			u32 room = PELT_PERIOD - load.part;
			u64 first = units < room ? units : room;

			if (units >= room) {
				u64 old_l = (load.sum * Y_Q32) >> 32;
				u64 old_u = (util.sum * Y_Q32) >> 32;
				u64 c = ((first * Y_Q32) >> 32) + (units - first);

				load.sum = old_l + weight * c;
				util.sum = old_u + (running ? c << 10 : 0);
				load.part = util.part = (u32)(units - first);
			} else {
				walk(&load, units, weight);
				walk(&util, units, running ? 1024 : 0);
			}
		}
		pelt_advance(&p, now, weight, weight ? 1 : 0, running);
		assert_int_equal(p.load_sum, load.sum);
		assert_int_equal(p.util_sum, util.sum);
		assert_int_equal(p.part, load.part);
	}
}

static void test_long_gaps(void **state)
{
	struct stream s = stream_root(8);
	struct pelt p = {0};
	struct reference util = {0};
	u64 now = 0;

	(void)state;
	for (u32 i = 0; i < 100000; i++) {
		u64 units = stream_range(&s, 0, 40 * PELT_PERIOD);
		bool running = stream_u64(&s) & 1;
		s64 d;

		now += units << 10;
		walk(&util, units, running ? 1024 : 0);
		pelt_advance(&p, now, running, running, running);
		d = (s64)p.util_sum - (s64)util.sum;
		/*
		 * Linux decays a gap of n periods in one step and takes the middle of the
		 * series in closed form, with a maximum rounded to a whole number:
		 * walking loses up to one unit of 1024 a period, at most 32 in the long
		 * run, and the closed form differs by the rounding of the maximum (under
		 * one unit) at each gap.
		 */
		if (d < 0)
			d = -d;
		assert_true(d <= 34 * 1024);
		util.sum = p.util_sum; /* errors of earlier gaps are not carried on */
	}
}

static void test_known_values(void **state)
{
	static const u32 periods[] = {1, 4, 8, 16, 32, 64, 100};
	static const u32 want[] = {22, 85, 163, 300, 512, 769, 907};
	static const u32 decay[][2] = {{1, 1002}, {8, 861}, {32, 512}, {64, 256}};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(periods); i++) {
		struct pelt p = {0};

		for (u32 n = 1; n <= periods[i]; n++)
			pelt_advance(&p, (u64)n * PELT_PERIOD << 10, 1, 1, true);
		pelt_average(&p, 1024);
		/* the table is for whole periods; integer steps may be one off */
		assert_in_range(p.util_avg, want[i] - 1, want[i] + 1);
	}
	for (u32 i = 0; i < ARRAY_SIZE(decay); i++)
		assert_in_range(pelt_decay(1024, decay[i][0]), decay[i][1] - 1,
				decay[i][1]);
}

static void test_short_steps_do_not_lose_time(void **state)
{
	struct pelt a = {0}, b = {0};

	(void)state;
	/* below 1024 ns nothing happens, and nothing is forgotten */
	assert_false(pelt_advance(&a, 1023, 1, 1, true));
	assert_int_equal(a.last, 0);
	for (u64 t = 0; t <= 5000000; t += 300)
		pelt_advance(&a, t, 1, 1, true);
	pelt_advance(&b, 5000000 / 300 * 300, 1, 1, true);
	assert_int_equal(a.last, b.last);
	assert_int_equal(a.part, b.part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bit_equal_period_by_period),
		cmocka_unit_test(test_long_gaps),
		cmocka_unit_test(test_known_values),
		cmocka_unit_test(test_short_steps_do_not_lose_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
