/* The C interface on the files of the repository: one run, twice, and what goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sibyl/sibyl.h"

static const struct sibyl_request plain = {
	.machine = "core:2 pu:2",
	.workload = "hogs4",
	.kernel = "linux-6.1",
	.duration_ns = 400000000,
	.seed = 7,
};

static int setup(void **state)
{
	struct sibyl *s;
	int err = sibyl_open(&s, SIBYL_SOURCE_DATA);

	*state = s;
	return err;
}

static int teardown(void **state)
{
	sibyl_close(*state);
	return 0;
}

/* The digest inside of a document. */
static void digest_of(const char *json, char out[17])
{
	const char *at = strstr(json, "\"digest\":\"");

	assert_non_null(at);
	assert_int_equal(sscanf(at, "\"digest\":\"%16[0-9a-f]\"", out), 1);
}

static void same_request_same_digest(void **state)
{
	char *json[2], digest[2][17];

	for (int i = 0; i < 2; i++) {
		assert_int_equal(sibyl_run(*state, &plain, &json[i]), SIBYL_OK);
		digest_of(json[i], digest[i]);
	}
	assert_string_equal(digest[0], digest[1]);
	assert_string_equal(sibyl_error(*state), "");
	sibyl_free(json[0]);
	sibyl_free(json[1]);
}

static void options_and_seeds_matter(void **state)
{
	struct sibyl_request req = plain;
	char *json, first[17], other[17];

	assert_int_equal(sibyl_run(*state, &req, &json), SIBYL_OK);
	digest_of(json, first);
	sibyl_free(json);
	req.seed = 8;
	assert_int_equal(sibyl_run(*state, &req, &json), SIBYL_OK);
	digest_of(json, other);
	sibyl_free(json);
	assert_string_not_equal(first, other);
	req = plain;
	req.kernel = "linux-6.1:smt=off";
	assert_int_equal(sibyl_run(*state, &req, &json), SIBYL_OK);
	digest_of(json, other);
	sibyl_free(json);
	assert_string_not_equal(first, other);
}

static void failures_say_what_is_wrong(void **state)
{
	static const char *const bad_param[] = {"nonsense"};
	struct sibyl_request req = plain;
	char *json;

	req.kernel = "linux-6.0";
	assert_int_equal(sibyl_run(*state, &req, &json), SIBYL_BAD_INPUT);
	assert_null(json);
	assert_non_null(strstr(sibyl_error(*state), "linux-6.1"));
	req.kernel = NULL;
	assert_int_equal(sibyl_run(*state, &req, &json), SIBYL_BAD_INPUT);
	req = plain;
	req.params = bad_param;
	req.nparams = 1;
	assert_int_equal(sibyl_run(*state, &req, &json), SIBYL_BAD_INPUT);
	/* the handle is still good */
	assert_int_equal(sibyl_run(*state, &plain, &json), SIBYL_OK);
	sibyl_free(json);
}

static void a_wrong_folder_is_reported(void **state)
{
	struct sibyl *s;

	(void)state;
	assert_int_equal(sibyl_open(&s, "/nonexistent"), SIBYL_BAD_INPUT);
	assert_non_null(strstr(sibyl_error(s), "/nonexistent"));
	sibyl_close(s);
	sibyl_close(NULL);
	sibyl_free(NULL);
	assert_true(strlen(sibyl_version()) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(same_request_same_digest, setup,
						teardown),
		cmocka_unit_test_setup_teardown(options_and_seeds_matter, setup,
						teardown),
		cmocka_unit_test_setup_teardown(failures_say_what_is_wrong, setup,
						teardown),
		cmocka_unit_test(a_wrong_folder_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
