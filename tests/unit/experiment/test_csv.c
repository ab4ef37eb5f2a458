/* The reader of printed tables: quotes, line ends, and what it refuses, with its place.
 */
#include "csv.h"
#include "fixture.h"

static int parse(struct fixture *x, const char *text, struct csv *t)
{
	return csv_parse(&x->arena, "t.csv", text, strlen(text), t, &x->f);
}

static void plain_and_quoted(void **state)
{
	struct fixture *x = *state;
	struct csv t;
	u32 col;

	assert_int_equal(
		parse(x, "a,b,c\r\n1,\"two, \"\"2\"\"\",3\n\n\"x\ny\",,\"\"\n,,z", &t),
		0);
	assert_int_equal(t.cols, 3);
	assert_int_equal(t.rows, 3);
	assert_string_equal(csv_field(&t, 0, 1), "two, \"2\"");
	assert_string_equal(csv_field(&t, 0, 2), "3");
	assert_string_equal(csv_field(&t, 1, 0), "x\ny");
	assert_string_equal(csv_field(&t, 1, 1), "");
	assert_string_equal(csv_field(&t, 1, 2), "");
	assert_string_equal(csv_field(&t, 2, 2), "z");
	/* a field of two lines counts as two */
	assert_int_equal(t.line[0], 2);
	assert_int_equal(t.line[1], 4);
	assert_int_equal(t.line[2], 6);
	assert_int_equal(csv_column(&t, "c", &col, &x->f), 0);
	assert_int_equal(col, 2);
}

static void refused(struct fixture *x, const char *text, u32 line, const char *what)
{
	struct csv t;

	assert_int_equal(parse(x, text, &t), -1);
	assert_int_equal(x->f.line, line);
	if (!strstr(x->f.what, what))
		fail_msg("no '%s' in '%s'", what, x->f.what);
}

static void broken(void **state)
{
	struct fixture *x = *state;
	struct csv t;
	u32 col;

	refused(x, "", 1, "header");
	refused(x, "a,b\n1\n", 2, "1 fields, expected 2");
	refused(x, "a,b\n1,2,3\n", 2, "more fields");
	refused(x, "a,b\n1,\"2\n", 2, "quotes that do not end");
	refused(x, "a,b\n1,\"2\"x\n", 2, "behind closing quotes");
	refused(x, "a,b\n1,2\n\"", 3, "quotes that do not end");
	assert_int_equal(csv_parse(&x->arena, "t.csv", "a\0b", 3, &t, &x->f), -1);
	assert_int_equal(parse(x, "policy,value\n", &t), 0);
	assert_int_equal(csv_column(&t, "polcy", &col, &x->f), -1);
	assert_non_null(strstr(x->f.what, "policy"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(plain_and_quoted, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(broken, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
