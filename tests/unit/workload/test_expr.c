/* Arithmetic, units and sets of CPUs in workload files. */
#include "mock_sched.h"

#include "expr.h"

struct ctx {
	struct arena arena;
	struct workload w;
	struct param_decl decl[2];
	struct value param[2];
	struct failure f;
	struct env e;
	struct ynode n;
};

static void ctx_init(struct ctx *c)
{
	memset(c, 0, sizeof(*c));
	arena_init(&c->arena);
	c->decl[0].name = "hogs";
	c->decl[1].name = "run-time";
	c->w.param = c->decl;
	c->w.nparam = 2;
	c->param[0] = (struct value){.v = 12, .unit = UNIT_COUNT};
	c->param[1] = (struct value){.v = 2 * NS_PER_MS, .unit = UNIT_TIME};
	c->e = (struct env){.w = &c->w,
			    .machine = mock_machine(&c->arena),
			    .param = c->param,
			    .nparam = 2,
			    .f = &c->f};
}

static const struct ynode *node(struct ctx *c, const char *text)
{
	c->n = (struct ynode){
		.kind = Y_SCALAR, .line = 3, .col = 5, .file = "x", .text = text};
	return &c->n;
}

static void test_arithmetic(void **state)
{
	static const struct {
		const char *text;
		enum unit unit;
		u64 v;
	} good[] = {
		{"7", UNIT_COUNT, 7},
		{"$hogs", UNIT_COUNT, 12},
		{"${hogs}", UNIT_COUNT, 12},
		{"$hogs*2+1", UNIT_COUNT, 25},
		{"1 + 2 * 3", UNIT_COUNT, 7},
		{"(1 + 2) * 3", UNIT_COUNT, 9},
		{"10 - 2 - 3", UNIT_COUNT, 5},
		{"100 / 10 / 3", UNIT_COUNT, 3},
		{"7 / 2", UNIT_COUNT, 3},
		{"$cpus", UNIT_COUNT, 7}, /* online ones */
		{"$cores + $nodes * $llcs", UNIT_COUNT, 8},
		{"1.5 ms", UNIT_TIME, 1500000},
		{"${run-time} * 3", UNIT_TIME, 6 * NS_PER_MS},
		{"3 * ${run-time} + 20 us", UNIT_TIME, 6020000},
		{"${run-time} / 4", UNIT_TIME, 500000},
		{"10 ms / ${run-time}", UNIT_COUNT, 5},
		{"0 + 1 ms", UNIT_TIME, NS_PER_MS},
		{"4 KiB * 2", UNIT_BYTES, 8192},
		{"50 %", UNIT_RATIO, Q32_ONE / 2},
		{"0.5 * 0.5", UNIT_RATIO, Q32_ONE / 4},
		{"$hogs * 0.5", UNIT_COUNT, 6},
		{"0.25 * $hogs", UNIT_COUNT, 3},
		{"${run-time} * 50 %", UNIT_TIME, NS_PER_MS},
		{"${run-time} / 0.5", UNIT_TIME, 4 * NS_PER_MS},
		{"0.5 / 0.25", UNIT_RATIO, 2 * Q32_ONE},
	};
	struct ctx c;
	struct value v;

	(void)state;
	ctx_init(&c);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (expr_value(&c.e, node(&c, good[i].text), &v))
			fail_msg("%s: %s", good[i].text, c.f.what);
		if (v.v != good[i].v || v.unit != good[i].unit || v.open)
			fail_msg("%s = %llu", good[i].text, (unsigned long long)v.v);
	}
	arena_free(&c.arena);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} bad[] = {
		{"", "expected a number"},
		{"1 +", "expected a number"},
		{"1 2", "expected the end"},
		{"(1", "closing"},
		{"1)", "expected the end"},
		{"((((((((((((((((((1))))))))))))))))))", "nested parentheses"},
		{"$hgs", "expected '$hogs'"},
		{"$zzzzzzz", "unknown parameter"},
		{"${hogs", "expected $name"},
		{"$", "expected $name"},
		{"1 parsec", "expected a number, or one with a unit"},
		{"1 ms * 1 ms", "multiplies"},
		{"1 ms + 1", "adds"},
		{"1 ms + 4 KiB", "adds"},
		{"1 / 1 ms", "divides"},
		{"1 / 0", "divides by zero"},
		{"1 / ($hogs - 12)", "divides by zero"},
		{"1 - 2", "negative"},
		{"999999999999999999 * 999999999999999999", "64 bits"},
		{"18 * 999999999999999999 + 999999999999999999", "64 bits"},
	};
	struct ctx c;
	struct value v;

	(void)state;
	ctx_init(&c);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(&c.f, 0, sizeof(c.f));
		if (!expr_value(&c.e, node(&c, bad[i].text), &v))
			fail_msg("accepted: %s", bad[i].text);
		if (!strstr(c.f.what, bad[i].part) || c.f.line != 3)
			fail_msg("%s: %s", bad[i].text, c.f.what);
	}
	arena_free(&c.arena);
}

static void test_units_and_ranges(void **state)
{
	struct ctx c;
	u64 v;
	s64 i;

	(void)state;
	ctx_init(&c);
	assert_int_equal(expr_get(&c.e, node(&c, "5"), UNIT_TIME, 0, 100, &v), -1);
	assert_non_null(strstr(c.f.what, "expected a time with a unit"));
	assert_int_equal(expr_get(&c.e, node(&c, "5 ms"), UNIT_COUNT, 0, 100, &v), -1);
	assert_non_null(strstr(c.f.what, "expected a whole number"));
	assert_int_equal(expr_get(&c.e, node(&c, "0"), UNIT_TIME, 0, 100, &v), 0);
	assert_int_equal(expr_get(&c.e, node(&c, "2"), UNIT_RATIO, 0, 4 * Q32_ONE, &v),
			 0);
	assert_true(v == 2 * Q32_ONE);
	assert_int_equal(expr_get(&c.e, node(&c, "$hogs"), UNIT_COUNT, 13, 20, &v), -1);
	assert_string_equal(c.f.what, "12 is out of range, expected 13 to 20");
	assert_int_equal(expr_signed(&c.e, node(&c, "-5"), -20, 19, &i), 0);
	assert_int_equal(i, -5);
	assert_int_equal(expr_signed(&c.e, node(&c, "-$hogs"), -20, 19, &i), 0);
	assert_int_equal(i, -12);
	assert_int_equal(expr_signed(&c.e, node(&c, "20"), -20, 19, &i), -1);
	/* without a machine its numbers are open: no complaint, a harmless value */
	c.e.machine = NULL;
	assert_int_equal(expr_get(&c.e, node(&c, "$cpus - 4"), UNIT_COUNT, 3, 9, &v), 0);
	assert_int_equal(v, 3);
	assert_int_equal(
		expr_get(&c.e, node(&c, "8 / ($cpus - 1)"), UNIT_COUNT, 0, 9, &v), 0);
	assert_int_equal(expr_get(&c.e, node(&c, "$cpus + 1 ms"), UNIT_TIME, 0, 9, &v),
			 -1);
	arena_free(&c.arena);
}

static void test_cpus(void **state)
{
	static const struct {
		const char *text;
		u64 mask; /* by index: CPU 9 of the machine is index 7 */
	} good[] = {
		{"0", 0x01},	  {"0-3,6", 0x4f},    {"6,9", 0xc0},
		{"all", 0xff},	  {"node 4", 0xf0},   {"node 0", 0x0f},
		{"core 2", 0x30}, {"llc 1", 0xf0},    {"package 0", 0x0f},
		{"$nodes", 0x04}, {"0-$cores", 0x1f},
	};
	static const struct {
		const char *text, *part;
	} bad[] = {
		{"7", "no CPU 7 on machine 'mock', expected 0 to 9"},
		{"0-8", "no CPU 7"},
		{"0-99999999999", "no CPU"},
		{"3-1", "from low to high"},
		{"9", "online"},
		{"node 1", "no node 1"},
		{"core 4", "no core 4"},
		{"noode 1", "expected CPUs such as"},
		{"", "expected CPUs such as"},
		{"0,", "expected a number"},
		{"1 ms", "expected a whole number"},
	};
	struct ctx c;
	const struct cpumask *m;

	(void)state;
	ctx_init(&c);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (cpus_parse(&c.e, &c.arena, node(&c, good[i].text), &m))
			fail_msg("%s: %s", good[i].text, c.f.what);
		if (m->w[0] != good[i].mask)
			fail_msg("%s = %llx", good[i].text, (unsigned long long)m->w[0]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (!cpus_parse(&c.e, &c.arena, node(&c, bad[i].text), &m))
			fail_msg("accepted: %s", bad[i].text);
		if (!strstr(c.f.what, bad[i].part))
			fail_msg("%s: %s", bad[i].text, c.f.what);
	}
	arena_free(&c.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_units_and_ranges),
		cmocka_unit_test(test_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
