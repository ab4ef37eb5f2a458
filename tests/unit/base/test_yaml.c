/* Data files: trees with marks, and complaints that point at their place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml.h"

static int load(struct arena *a, const char *text, const struct ynode **out,
		struct failure *f)
{
	return yaml_load_text(a, "t.yaml", text, strlen(text), out, f);
}

static void expect_failure(const char *text, u32 line, u32 col, const char *part)
{
	struct arena a;
	const struct ynode *root;
	struct failure f;

	arena_init(&a);
	assert_int_equal(load(&a, text, &root, &f), -1);
	assert_int_equal(f.kind, FAIL_INPUT);
	assert_int_equal(f.line, line);
	assert_int_equal(f.col, col);
	if (!strstr(f.what, part))
		fail_msg("'%s' does not say '%s'", f.what, part);
	arena_free(&a);
}

static void test_tree(void **state)
{
	struct arena a;
	const struct ynode *root, *list;
	struct failure f;

	(void)state;
	arena_init(&a);
	assert_int_equal(load(&a, "a: 1 ms\nb:\n  - x\n  - 'y z'\na: 2 ms\n", &root, &f),
			 0);
	assert_int_equal(root->n, 3);
	list = y_get(root, "b");
	assert_int_equal(list->kind, Y_SEQ);
	assert_string_equal(list->first->next->text, "y z");
	assert_true(list->first->next->quoted);
	assert_int_equal(list->first->next->line, 4);
	/* repeated keys are kept: whoever minds says so */
	assert_string_equal(root->first->next->next->text, "2 ms");
	arena_free(&a);
}

static void test_broken(void **state)
{
	char deep[400];

	(void)state;
	expect_failure("", 1, 1, "empty");
	expect_failure("a: [1, 2\n", 2, 1, "expected");
	expect_failure("a: &x 1\n", 1, 4, "anchors");
	expect_failure("a: !odd 1\n", 1, 4, "tags");
	expect_failure("a: !odd [1]\n", 1, 4, "tags");
	expect_failure("a: &x [1]\n", 1, 4, "anchors");
	expect_failure("a: 1\n---\nb: 2\n", 3, 1, "second document");
	expect_failure("\tb: 1\n", 1, 1, "cannot start");
	expect_failure("? [a]\n: 1\n", 1, 3, "plain word");
	memset(deep, '[', 200);
	deep[200] = '\0';
	expect_failure(deep, 1, 66, "nested more than 64");
	expect_failure("\xff\xfe\x00 bin", 1, 1, "");
}

static void test_keys(void **state)
{
	static const char *const keys[] = {"latency", "runs", NULL};
	struct arena a;
	const struct ynode *root;
	struct failure f;

	(void)state;
	arena_init(&a);
	load(&a, "runs: 1\nlatancy: 2\n", &root, &f);
	assert_int_equal(y_check_keys(root, keys, &f), -1);
	assert_int_equal(f.line, 2);
	assert_int_equal(f.col, 1);
	assert_non_null(strstr(f.what, "expected 'latency'"));
	load(&a, "runs: 1\nruns: 2\n", &root, &f);
	assert_int_equal(y_check_keys(root, keys, &f), -1);
	assert_non_null(strstr(f.what, "given twice"));
	load(&a, "- 1\n", &root, &f);
	assert_int_equal(y_check_keys(root, keys, &f), -1);
	assert_non_null(strstr(f.what, "expected a map"));
	arena_free(&a);
}

static void test_values(void **state)
{
	static const char *const names[] = {"idlest", "parent"};
	struct arena a;
	const struct ynode *root;
	struct failure f;
	u64 v;
	u32 choice;
	bool b;

	(void)state;
	arena_init(&a);
	load(&a, "t: 5 ms\nc: paren\nb: on\nw: 5\n", &root, &f);
	assert_int_equal(y_value(y_get(root, "t"), UNIT_TIME, 0, 10000000, &v, &f), 0);
	assert_int_equal(v, 5000000);
	assert_int_equal(y_value(y_get(root, "t"), UNIT_TIME, 0, 1000, &v, &f), -1);
	assert_non_null(strstr(f.what, "0 ns to 1 us"));
	assert_int_equal(y_value(y_get(root, "w"), UNIT_TIME, 0, 1000, &v, &f), -1);
	assert_non_null(strstr(f.what, "with a unit"));
	assert_int_equal(y_choice(y_get(root, "c"), names, 2, &choice, &f), -1);
	assert_non_null(strstr(f.what, "parent?"));
	assert_int_equal(y_bool(y_get(root, "b"), &b, &f), 0);
	assert_true(b);
	assert_null(y_need(root, "z", &f));
	assert_non_null(strstr(f.what, "no 'z'"));
	arena_free(&a);
}

static void test_files(void **state)
{
	struct arena a;
	struct failure f;
	const struct ynode *root;
	char path[] = "/tmp/sibyl-yaml-XXXXXX";
	FILE *out;

	(void)state;
	arena_init(&a);
	assert_int_equal(yaml_load_file(&a, "/nonexistent/x.yaml", &root, &f), -1);
	assert_non_null(strstr(f.what, "cannot be opened"));
	assert_int_equal(yaml_load_file(&a, "/tmp", &root, &f), -1);
	assert_non_null(strstr(f.what, "directory"));
	out = fdopen(mkstemp(path), "w");
	assert_non_null(out);
	fputs("a: '", out);
	for (u32 i = 0; i < 1000000; i++)
		fputc('x', out);
	fputs("'\n", out);
	fclose(out);
	assert_int_equal(yaml_load_file(&a, path, &root, &f), 0);
	assert_int_equal(strlen(root->first->text), 1000000);
	remove(path);
	arena_free(&a);
}

static void test_nearest(void **state)
{
	static const char *const names[] = {"linux-6.1", "linux-6.1.192", "hogs16"};

	(void)state;
	assert_string_equal(nearest_name("linux-6.2", names, 3), "linux-6.1");
	assert_string_equal(nearest_name("hosg16", names, 3), "hogs16");
	assert_null(nearest_name("memcached", names, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),  cmocka_unit_test(test_broken),
		cmocka_unit_test(test_keys),  cmocka_unit_test(test_values),
		cmocka_unit_test(test_files), cmocka_unit_test(test_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
