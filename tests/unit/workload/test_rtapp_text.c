/* JSON as people write it: what is blanked, and that nothing moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "rtapp.h"

static void becomes(const char *text, const char *want)
{
	struct failure f = {0};
	char buf[512];

	assert_int_equal(strlen(text), strlen(want));
	snprintf(buf, sizeof(buf), "%s", text);
	if (rtapp_text("f.json", buf, strlen(buf), &f))
		fail_msg("%s -> %u:%u: %s", text, f.line, f.col, f.what);
	assert_string_equal(buf, want);
}

static void refused(const char *text, u32 line, u32 col, const char *part)
{
	struct failure f = {0};
	char buf[512];

	snprintf(buf, sizeof(buf), "%s", text);
	if (!rtapp_text("f.json", buf, strlen(buf), &f))
		fail_msg("accepted: %s", text);
	if (f.line != line || f.col != col || !strstr(f.what, part))
		fail_msg("%s -> %u:%u: %s", text, f.line, f.col, f.what);
}

static void test_comments(void **state)
{
	(void)state;
	becomes("{\"a\": 1}", "{\"a\": 1}");
	becomes("/* one\ntwo */ {\"a\": 1}", "      \n       {\"a\": 1}");
	becomes("{ // note\n\"a\": 1}", "{        \n\"a\": 1}");
	becomes("{\t\"a\":\t1\r\n}", "{ \"a\": 1 \n}");
	/* not in a string */
	becomes("{\"a\": \"/* \\\" // */\"}", "{\"a\": \"/* \\\" // */\"}");
	becomes("{\"a\": 1} // end", "{\"a\": 1}       ");
	becomes("{\"a\": /**/ 1, /***/}", "{\"a\":      1,      }");
	becomes("\xef\xbb\xbf{}", "\xef\xbb\xbf{}");
}

/* A comment whose text was wrapped: the rest is taken with it if it cannot be JSON. */
static void test_wrapped(void **state)
{
	(void)state;
	becomes("{ // a long\nnote: it\n goes on\n\"a\": 1}",
		"{          \n        \n        \n\"a\": 1}");
	becomes("{ // why\n(see below)\n}", "{       \n           \n}");
	/* JSON is never taken */
	becomes("{\"a\": // yes\ntrue}", "{\"a\":       \ntrue}");
	becomes("{\"a\": // no\n-1}", "{\"a\":      \n-1}");
	becomes("{\"a\": // no\n\n[1]}", "{\"a\":      \n\n[1]}");
	/* nor what only looks like it: the reader will say what is wrong */
	becomes("{ // x\na: \"b\"}", "{     \na: \"b\"}");
	/* only a comment behind // goes on */
	refused("{ /* x */\nsee & there}", 2, 5, "not JSON");
}

static void test_refused(void **state)
{
	(void)state;
	refused("{\"a\": 1 /* no end", 1, 9, "a comment that does not end");
	refused("{\"a\": \"x\n\"}", 1, 7, "does not end on its line");
	refused("{\"a\": \"x", 1, 7, "does not end on its line");
	refused("{\n  \"a\": 'x'}", 2, 8, "not JSON");
	refused("{\"a\": 1} # yaml", 1, 10, "not JSON");
	refused("{\"a\": &b 1}", 1, 7, "not JSON");
	refused("{\"a\": 1 / 2}", 1, 9, "not JSON");
	refused("  \n tasks: 1", 2, 2, "not an rt-app file, expected '{'");
	refused("[]", 1, 1, "expected '{'");
	refused("", 1, 1, "expected '{'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
