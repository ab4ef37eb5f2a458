/* Names of data files: found, listed, and not found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/library.h"

struct fixture {
	struct arena a;
	struct library lib;
	struct failure f;
	char dir[64];
};

static void touch(struct fixture *x, const char *name)
{
	char *path = arena_printf(&x->a, "%s/%s", x->dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fclose(f);
}

static int setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	arena_init(&x->a);
	strcpy(x->dir, "/tmp/sibyl-library-XXXXXX");
	assert_non_null(mkdtemp(x->dir));
	for (enum library_kind k = 0; k < LIBRARY_EXPERIMENT; k++)
		assert_int_equal(
			mkdir(arena_printf(&x->a, "%s/%s", x->dir, library_folder(k)),
			      0700),
			0);
	touch(x, "kernels/linux-b.yaml");
	touch(x, "kernels/linux-a.yaml");
	touch(x, "kernels/notes.txt");
	touch(x, "kernels/.hidden.yaml");
	assert_int_equal(library_open(&x->a, x->dir, NULL, &x->lib, &x->f), 0);
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;
	char *command = arena_printf(&x->a, "rm -rf '%s'", x->dir);
	int err = system(command); /* NOLINT: a fixed folder of this test */

	arena_free(&x->a);
	free(x);
	return err;
}

static void names_are_sorted_and_only_files_of_data(void **state)
{
	struct fixture *x = *state;
	const char *const *names;
	u32 n;

	assert_int_equal(library_names(&x->lib, &x->a, LIBRARY_KERNEL, &names, &n, &x->f),
			 0);
	assert_int_equal(n, 2);
	assert_string_equal(names[0], "linux-a");
	assert_string_equal(names[1], "linux-b");
	/* a folder that is not there holds nothing */
	assert_int_equal(
		library_names(&x->lib, &x->a, LIBRARY_EXPERIMENT, &names, &n, &x->f), 0);
	assert_int_equal(n, 0);
}

static void a_name_becomes_a_path(void **state)
{
	struct fixture *x = *state;
	const char *path;

	assert_int_equal(
		library_find(&x->lib, &x->a, LIBRARY_KERNEL, "linux-a", &path, &x->f), 0);
	assert_string_equal(path, arena_printf(&x->a, "%s/kernels/linux-a.yaml", x->dir));
	assert_int_equal(library_find(&x->lib, &x->a, LIBRARY_KERNEL, path, &path, &x->f),
			 0);
}

static void an_unknown_name_is_told_the_nearest(void **state)
{
	struct fixture *x = *state;
	const char *path;

	assert_int_equal(
		library_find(&x->lib, &x->a, LIBRARY_KERNEL, "linus-a", &path, &x->f),
		-1);
	assert_int_equal(x->f.kind, FAIL_INPUT);
	assert_non_null(strstr(x->f.what, "did you mean 'linux-a'"));
	assert_int_equal(
		library_find(&x->lib, &x->a, LIBRARY_EXPERIMENT, "x", &path, &x->f), -1);
	assert_non_null(strstr(x->f.what, "holds none"));
	assert_int_equal(library_find(&x->lib, &x->a, LIBRARY_KERNEL, "", &path, &x->f),
			 -1);
	assert_int_equal(
		library_find(&x->lib, &x->a, LIBRARY_KERNEL, x->dir, &path, &x->f), -1);
	assert_non_null(strstr(x->f.what, "directory"));
}

static void machines_may_be_described(void **state)
{
	struct fixture *x = *state;
	const char *path;

	assert_int_equal(
		library_find(&x->lib, &x->a, LIBRARY_MACHINE, "this", &path, &x->f), 0);
	assert_string_equal(path, "this");
	assert_int_equal(library_find(&x->lib, &x->a, LIBRARY_MACHINE, "core:4 pu:2",
				      &path, &x->f),
			 0);
	assert_string_equal(path, "core:4 pu:2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_are_sorted_and_only_files_of_data,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_name_becomes_a_path, setup, teardown),
		cmocka_unit_test_setup_teardown(an_unknown_name_is_told_the_nearest,
						setup, teardown),
		cmocka_unit_test_setup_teardown(machines_may_be_described, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
