/* Numbers with units: what parses, what does not, and the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/units.h"

static const struct {
	const char *text;
	enum unit unit;
	u64 value;
} good[] = {
	{"1.5 ms", UNIT_TIME, 1500000},
	{"250us", UNIT_TIME, 250000},
	{"0", UNIT_TIME, 0},
	{"2 min", UNIT_TIME, 120000000000ull},
	{"0.000000001 s", UNIT_TIME, 1},
	{"512 KiB", UNIT_BYTES, 524288},
	{"1.5 GiB", UNIT_BYTES, 1610612736},
	{"2.1 GHz", UNIT_FREQ, 2100000000},
	{"12 GB/s", UNIT_BANDWIDTH, 12000000000ull},
	{"42", UNIT_COUNT, 42},
	{"0.5", UNIT_RATIO, Q32_ONE / 2},
	{"50 %", UNIT_RATIO, Q32_ONE / 2},
};

static const struct {
	const char *text;
	enum unit unit;
} bad[] = {
	{"", UNIT_TIME},
	{"ms", UNIT_TIME},
	{"5", UNIT_TIME},
	{"5 KiB", UNIT_TIME},
	{"-1 ms", UNIT_TIME},
	{"1.", UNIT_TIME},
	{"1.2.3 ms", UNIT_TIME},
	{"1e3 ms", UNIT_TIME},
	{"1,5 ms", UNIT_TIME},
	{"5 ms x", UNIT_TIME},
	{"1.5", UNIT_COUNT},
	{"5 %", UNIT_COUNT},
	{"9999999999999999999 s", UNIT_TIME},
	{"99999999999999999 h", UNIT_TIME},
	{"5 kHz", UNIT_BYTES},
	{"0x10", UNIT_COUNT},
	{"nan", UNIT_RATIO},
};

static void test_parse(void **state)
{
	u64 v;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(unit_parse(good[i].text, good[i].unit, &v), 0);
		assert_int_equal(v, good[i].value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (!unit_parse(bad[i].text, bad[i].unit, &v))
			fail_msg("'%s' was taken", bad[i].text);
}

static void test_round_trip(void **state)
{
	static const u64 values[] = {
		0,	1, 999, 1000, 1500, 50000, 750000, 24000000, 3600000000000ull,
		1234567};
	char buf[64];
	u64 v;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		unit_print(values[i], UNIT_TIME, buf, sizeof(buf));
		assert_int_equal(unit_parse(buf, UNIT_TIME, &v), 0);
		assert_int_equal(v, values[i]);
	}
	unit_print(24000000, UNIT_TIME, buf, sizeof(buf));
	assert_string_equal(buf, "24 ms");
	unit_print(1500, UNIT_TIME, buf, sizeof(buf));
	assert_string_equal(buf, "1.5 us");
	unit_print(250, UNIT_COUNT, buf, sizeof(buf));
	assert_string_equal(buf, "250");
	unit_print(36700160, UNIT_BYTES, buf, sizeof(buf));
	assert_string_equal(buf, "35 MiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
