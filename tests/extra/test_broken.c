/* A broken option is caught by the recount and named in the failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/storm.h"

static void expect_caught(const char *options, const char *name, const char *what)
{
	struct storm st;
	struct failure f;
	bool caught = false;

	memset(&st, 0, sizeof(st));
	fixture_init(&st.x);
	fixture_machine(&st.x, 1, 1, 4, 2);
	fixture_kernel(&st.x, options);
	storm_start(&st, 1, 24);
	while (!caught && engine_step(&st.x.engine, 300 * NS_PER_MS))
		caught = sched_check_touched(st.x.sched, &f) != 0;
	assert_true(caught);
	if (!strstr(f.what, name) || !strstr(f.what, what))
		fail_msg("'%s' does not name '%s' and '%s'", f.what, name, what);
	fixture_free(&st.x);
}

static void test_caught_and_named(void **state)
{
	(void)state;
	expect_caught("  fork.placement: blind\n", "fork.placement=blind", "permission");
	expect_caught("  wake.scan: lossy\n", "wake.scan=lossy", "queue weight");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caught_and_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
