/* Recipes: inheritance, origins, ad hoc options, and complaints with a place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched_fixture.h"

static char dir[] = "/tmp/sibyl-recipes-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.yaml", dir, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int load(struct arena *a, const char *what, const struct kernel **k,
		struct failure *f)
{
	return kernel_load(a, what, fixture_resolve, dir, k, f);
}

static void expect_failure(const char *what, u32 line, u32 col, const char *part)
{
	struct arena a;
	const struct kernel *k;
	struct failure f;

	arena_init(&a);
	assert_int_equal(load(&a, what, &k, &f), -1);
	assert_int_equal(f.kind, FAIL_INPUT);
	if (f.line != line || f.col != col || !strstr(f.what, part))
		fail_msg("%s: %u:%u: '%s', expected %u:%u: ...%s...", what, f.line, f.col,
			 f.what, line, col, part);
	arena_free(&a);
}

static void test_inheritance(void **state)
{
	struct arena a;
	const struct kernel *k, *base;
	struct failure f;
	struct text out = {0};

	(void)state;
	put("base",
	    "description: b\nsource: s\noptions:\n  hz: 100\n  wake.scan: none\n");
	put("child", "description: c\nsource: s\nbase: base\noptions:\n  hz: 1000\n");
	arena_init(&a);
	assert_int_equal(load(&a, "child", &k, &f), 0);
	assert_int_equal(k->tun[TUN_HZ], 1000);
	assert_string_equal(seam_choice(SEAM_WAKE_SCAN, k->seam[SEAM_WAKE_SCAN])->name,
			    "none");
	assert_string_equal(k->chain, "child < base");
	assert_int_equal(k->origin[FEAT_COUNT + TUN_HZ].line, 5);
	assert_string_equal(k->origin[0].file, "default");
	/* ad hoc, by the name that Linux gives it */
	assert_int_equal(load(&a, "child:WAKEUP_PREEMPTION=off,hz=300", &k, &f), 0);
	assert_false(k->feat[FEAT_WAKEUP_PREEMPTION]);
	assert_int_equal(k->tun[TUN_HZ], 300);
	assert_int_equal(load(&a, "base", &base, &f), 0);
	assert_int_equal(kernel_diff(base, k, &out), 2);
	assert_non_null(strstr(out.s, "hz: 100 in base, 300 in child"));
	text_free(&out);
	arena_free(&a);
}

static void test_failures(void **state)
{
	(void)state;
	put("typo", "description: d\nsource: s\noptions:\n  wake.scna: full\n");
	put("value", "description: d\nsource: s\noptions:\n  wake.scan: ful\n");
	put("unit", "description: d\nsource: s\noptions:\n  slice.latency: 6\n");
	put("range", "description: d\nsource: s\noptions:\n  hz: 20000\n");
	put("twice", "description: d\nsource: s\noptions:\n  hz: 100\n  hz: 250\n");
	put("a", "description: d\nsource: s\nbase: b\n");
	put("b", "description: d\nsource: s\nbase: a\n");
	put("orphan", "description: d\nsource: s\nbase: nowhere\n");
	put("nosource", "description: d\n");
	put("key", "description: d\nsource: s\noption: {}\n");
	expect_failure("typo", 4, 3, "expected 'wake.scan'?");
	expect_failure("value", 4, 14, "full?");
	expect_failure("unit", 4, 18, "with a unit");
	expect_failure("range", 4, 7, "50 to 10000");
	expect_failure("twice", 5, 3, "given twice");
	expect_failure("a", 3, 7, "inherits from itself");
	expect_failure("orphan", 0, 0, "cannot be opened");
	expect_failure("nosource", 1, 1, "no 'source'");
	expect_failure("key", 3, 1, "expected 'options'?");
	expect_failure("typo:hz", 4, 3, "wake.scan");
	put("fine", "description: d\nsource: s\n");
	expect_failure("fine:hz", 0, 0, "expected option=value");
	expect_failure("fine:hz=1", 0, 0, "option hz: 1 is out of range");
	expect_failure("fine:zh=1", 0, 0, "unknown option");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inheritance),
		cmocka_unit_test(test_failures),
	};

	if (!mkdtemp(dir))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
