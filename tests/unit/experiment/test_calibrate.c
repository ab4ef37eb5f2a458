/* Fitted values into data files: what is replaced, what stays, what is refused. */
#include "experiment/calibrate.h"
#include "fixture.h"

static const struct experiment_fit keep = {.machine = "smt.a.b.c", .unit = UNIT_RATIO};
static const struct experiment_fit tick = {.machine = "costs.tick", .unit = UNIT_TIME};
static const struct experiment_fit hold = {.machine = "frequency.hold",
					   .unit = UNIT_TIME};
static const struct experiment_fit cost = {.machine = "costs.switch", .unit = UNIT_TIME};
static const struct experiment_fit none = {.machine = "costs.exit", .unit = UNIT_TIME};

#define SOURCE "calibrated-on: x/y, 2020-01-02"

static char *after(struct fixture *x, const char *text, const struct experiment_fit *fit,
		   u64 value)
{
	const char *path = put_file(x, "m.yaml", text);
	char *now;
	size_t len;

	if (calibrate_write(&x->arena, fit, path, value, SOURCE, true, &x->f))
		fail_msg("%s", x->f.what);
	assert_int_equal(file_read(&x->arena, path, 1 << 20, &now, &len, &x->f), 0);
	return now;
}

/* Everything but `old` is as it was, and `by` stands there. */
static void only(struct fixture *x, const char *text, const char *now, const char *old,
		 const char *by)
{
	const char *where = strstr(text, old);

	assert_non_null(where);
	assert_string_equal(now, arena_printf(&x->arena, "%.*s%s%s", (int)(where - text),
					      text, by, where + strlen(old)));
}

/* What the file says about a place in it can be put there without the rest moving. */
static const char fine[] =
	"description: \"\xc3\xa4\" # stays\n"
	"costs:\n"
	"  source: \"estimate: e\"\n"
	"  switch: 2 us # stays\n"
	"  tick: {source: \"estimate: a\n"
	"    b\", value: 1 us}\n"
	"smt:\n"
	"  - {self: a, other: b.c, keep: 90 %, source: \"estimate: \\\"x\\\"\"} # stays\n"
	"  - {self: a, other: b, keep: 80 %, source: \"estimate: z\"}\n"
	"frequency: {hold: 2 ms, nominal: 2 GHz}\n";

static void value_and_source(void **state)
{
	struct fixture *x = *state;

	only(x, fine, after(x, fine, &keep, Q32_ONE / 2),
	     "90 %, source: \"estimate: \\\"x\\\"\"", "50.00 %, source: \"" SOURCE "\"");
	/* the source stands before the value, over two lines */
	only(x, fine, after(x, fine, &tick, 1500), "\"estimate: a\n    b\", value: 1 us",
	     "\"" SOURCE "\", value: 1.5 us");
}

static void comment_behind_the_line(void **state)
{
	struct fixture *x = *state;
	char *now = after(x, fine, &cost, 3000);

	only(x, fine, now, "2 us # stays", "3 us # stays # " SOURCE);
	/* a second time: the comment is not piled up */
	only(x, fine, after(x, now, &cost, 4000), "2 us # stays",
	     "4 us # stays # " SOURCE);
	only(x, fine, after(x, fine, &hold, 3 * NS_PER_MS), "2 ms, nominal: 2 GHz}",
	     "3 ms, nominal: 2 GHz} # " SOURCE);
}

static void refuses(void **state)
{
	struct fixture *x = *state;
	const struct experiment_fit wake = {.machine = "costs.wake", .unit = UNIT_TIME};
	const char *path = put_file(x, "m.yaml", fine), *block;
	char *now;
	size_t len;

	assert_int_equal(calibrate_write(&x->arena, &none, path, 1, SOURCE, true, &x->f),
			 -1);
	assert_non_null(strstr(x->f.what, "does not stand in this file"));
	assert_int_equal(
		calibrate_write(&x->arena, &tick, path, 1, "a \"b\"", true, &x->f), -1);
	/* without write nothing is written */
	assert_int_equal(
		calibrate_write(&x->arena, &tick, path, 1500, SOURCE, false, &x->f), 0);
	assert_int_equal(file_read(&x->arena, path, 1 << 20, &now, &len, &x->f), 0);
	assert_string_equal(now, fine);
	block = put_file(x, "b.yaml",
			 "costs:\n  wake:\n    value: 1 us\n    source: >-\n"
			 "      estimate: a\n");
	assert_int_equal(
		calibrate_write(&x->arena, &wake, block, 1500, SOURCE, true, &x->f), -1);
	assert_non_null(strstr(x->f.what, "cannot be replaced"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(value_and_source),
		TEST(comment_behind_the_line),
		TEST(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
