/* Text, JSON, tables, histograms, digests, failures, CPU sets, arenas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/cpumask.h"
#include "base/digest.h"
#include "base/failure.h"
#include "base/hist.h"
#include "base/rng.h"
#include "base/text.h"

static void test_fixed(void **state)
{
	struct text t = {0};

	(void)state;
	text_fixed(&t, 1234567890, 9, 3);
	text_char(&t, ' ');
	text_fixed(&t, 1999999, 6, 2);
	text_char(&t, ' ');
	text_fixed(&t, 5, 0, 2);
	text_char(&t, ' ');
	text_fixed(&t, 42, 9, 0);
	assert_string_equal(t.s, "1.235 2.00 5.00 0");
	text_free(&t);
}

static void test_json(void **state)
{
	struct text t = {0};
	struct json j;

	(void)state;
	json_init(&j, &t);
	json_open(&j, NULL, '{');
	json_str(&j, "a\"b", "x\n\x01y");
	json_open(&j, "list", '[');
	json_u64(&j, NULL, 1);
	json_bool(&j, NULL, false);
	json_num(&j, NULL, 0.5);
	json_str(&j, NULL, NULL);
	json_close(&j, ']');
	json_fixed(&j, "s", 1500000000, 9);
	json_fixed(&j, "z", 0, 9);
	json_close(&j, '}');
	assert_string_equal(t.s,
			    "{\"a\\\"b\":\"x\\n\\u0001y\",\"list\":[1,false,0.5,null],"
			    "\"s\":1.5,\"z\":0}");
	text_free(&t);
}

static void test_table(void **state)
{
	struct text out = {0};
	struct table t;

	(void)state;
	table_init(&t, 3, 2);
	table_cell(&t, "name");
	table_cell(&t, "n");
	table_cell(&t, "%s", "");
	table_cell(&t, "\xc3\xa4");
	table_cell(&t, "100");
	table_cell(&t, "x");
	table_render(&t, &out, "  ");
	assert_string_equal(out.s, "  name    n\n  \xc3\xa4     100  x\n");
	table_free(&t);
	text_free(&out);
}

static void test_hist(void **state)
{
	static struct hist h;
	struct stream s = stream_root(4);

	(void)state;
	memset(&h, 0, sizeof(h));
	assert_int_equal(hist_quantile(&h, 5000), 0);
	for (u64 i = 0; i < 100; i++)
		hist_add(&h, i);
	assert_int_equal(hist_quantile(&h, 5000), 50);
	assert_int_equal(hist_quantile(&h, 0), 0);
	assert_int_equal(hist_quantile(&h, 10000), 99);
	memset(&h, 0, sizeof(h));
	for (u32 i = 0; i < 100000; i++)
		hist_add(&h, stream_range(&s, 0, 1000000));
	/* a bucket is 1/64 wide; five standard errors of a quantile of 10^5 draws: 0.8 %
	 */
	assert_in_range(hist_quantile(&h, 9500), 930000, 970000);
	hist_add(&h, UINT64_MAX);
	assert_int_equal(hist_quantile(&h, 10000), UINT64_MAX);
}

static void test_digest(void **state)
{
	struct digest a, b;
	char id[33];

	(void)state;
	digest_init(&a);
	digest_init(&b);
	for (u64 i = 0; i < 1000; i++) {
		digest_word(&a, i);
		digest_word(&b, i == 999 ? 0 : i);
	}
	assert_int_not_equal(digest_value(&a), digest_value(&b));
	assert_int_equal(a.words, 1000);
	digest_text("abc", 3, id);
	/* XXH3-128 of "abc", as xxhsum -H2 prints it */
	assert_string_equal(id, "06b05ab6733a618578af5f94892f3950");
}

static void test_failure(void **state)
{
	struct failure f;
	char buf[600];

	(void)state;
	assert_int_equal(fail_input(&f, "a.yaml", 3, 7, "bad %d\n", 5), -1);
	fail_format(&f, buf, sizeof(buf));
	assert_string_equal(buf, "a.yaml:3:7: bad 5?");
	fail_set(&f, FAIL_IO, NULL, "full");
	fail_format(&f, buf, sizeof(buf));
	assert_string_equal(buf, "full");
}

static void test_cpumask(void **state)
{
	struct arena a;
	struct cpumask *m, *n;
	char buf[64];
	u32 count = 0;

	(void)state;
	arena_init(&a);
	m = cpumask_new(&a, 200);
	n = cpumask_new(&a, 200);
	cpumask_set(m, 0);
	cpumask_set(m, 63);
	cpumask_set(m, 64);
	cpumask_set(m, 199);
	cpumask_format(m, buf, sizeof(buf));
	assert_string_equal(buf, "0,63-64,199");
	for_each_cpu (cpu, m)
		count++;
	assert_int_equal(count, cpumask_weight(m));
	assert_int_equal(cpumask_next(m, 65), 199);
	assert_int_equal(cpumask_next(m, 200), CPU_NONE);
	cpumask_set(n, 64);
	assert_int_equal(cpumask_next_and(m, n, 0), 64);
	assert_true(cpumask_subset(n, m));
	assert_false(cpumask_subset(m, n));
	arena_free(&a);
}

static void test_pool(void **state)
{
	struct arena a;
	struct pool p;
	u64 *x, *y;

	(void)state;
	arena_init(&a);
	pool_init(&p, &a, sizeof(u64) * 4);
	x = pool_get(&p);
	x[3] = 9;
	pool_put(&p, x);
	y = pool_get(&p);
	assert_ptr_equal(x, y);
	assert_int_equal(y[3], 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),	cmocka_unit_test(test_json),
		cmocka_unit_test(test_table),	cmocka_unit_test(test_hist),
		cmocka_unit_test(test_digest),	cmocka_unit_test(test_failure),
		cmocka_unit_test(test_cpumask), cmocka_unit_test(test_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
