/* What is stored is read back; names, prefixes, sets, counters; order does not matter. */
#include "fixture.h"

static void round_trip(void **state)
{
	struct fixture *x = *state;
	struct store *s = must_open(x->path);
	struct failure f = {0};
	struct stored_run got;
	struct text json = {0};
	struct made_run m;

	make_run(&m, 3);
	assert_false(store_has(s, m.spec.id));
	must_append(s, 3);
	assert_true(store_has(s, m.spec.id));
	store_close(s);

	s = must_open(x->path);
	assert_int_equal(store_load(s, &x->arena, m.spec.id, &got, &f), 0);
	assert_string_equal(got.id, m.spec.id);
	assert_string_equal(got.text, m.spec.text);
	assert_string_equal(got.machine, "box");
	assert_string_equal(got.kernel, "linux-b:smt=off");
	assert_string_equal(got.workload, "wl");
	assert_string_equal(got.params, "clients=4 name=it's");
	assert_true(got.seed == UINT64_MAX - 3);
	assert_true(got.digest == m.r.digest);
	assert_int_equal(got.replicate, 3);
	assert_true(got.duration == 10 * NS_PER_SEC);
	assert_int_equal(got.nmetric, 3);
	assert_int_equal(got.main_metric, 2);
	assert_string_equal(got.metric[0].name, "ops");
	assert_true(got.metric[0].higher_better && got.metric[0].has);
	assert_true(got.metric[0].value == 1003.5);
	assert_false(got.metric[1].has);
	assert_true(got.metric[2].value == 1.0 / 3);
	run_json(&m.spec, &m.r, false, &json);
	assert_string_equal(got.json, json.s);
	assert_null(strstr(got.json, "wall_s"));
	text_free(&json);
	store_close(s);
}

static void expect_failure(struct fixture *x, struct store *s, const char *id,
			   const char *what)
{
	struct failure f = {0};
	struct stored_run got;

	assert_int_equal(store_load(s, &x->arena, id, &got, &f), -1);
	assert_int_equal(f.kind, FAIL_INPUT);
	if (!strstr(f.what, what))
		fail_msg("'%s' does not say '%s'", f.what, what);
}

static void prefixes(void **state)
{
	struct fixture *x = *state;
	struct store *s = must_open(x->path);
	struct failure f = {0};
	struct stored_run got;
	struct made_run m, twin;
	char prefix[40];

	expect_failure(x, s, "last", "no run is stored");
	for (u32 i = 0; i < 10; i++)
		must_append(s, i);
	make_run(&m, 4);
	snprintf(prefix, sizeof(prefix), "%.8s", m.spec.id);
	for (char *p = prefix; *p; p++)
		if (*p >= 'a')
			*p = (char)(*p - 'a' + 'A');
	assert_int_equal(store_load(s, &x->arena, prefix, &got, &f), 0);
	assert_string_equal(got.id, m.spec.id);
	assert_int_equal(store_load(s, &x->arena, "last", &got, &f), 0);
	make_run(&m, 9);
	assert_string_equal(got.id, m.spec.id);

	/* two runs that differ in their last digit */
	make_run(&twin, 9);
	twin.spec.id[31] = twin.spec.id[31] == '0' ? '1' : '0';
	assert_int_equal(store_append(s, &twin.spec, &twin.r, &f), 0);
	snprintf(prefix, sizeof(prefix), "%.31s", m.spec.id);
	expect_failure(x, s, prefix, "2 runs match");
	assert_int_equal(store_load(s, &x->arena, m.spec.id, &got, &f), 0);
	expect_failure(x, s, "abc", "expected");
	expect_failure(x, s, "", "expected");
	expect_failure(x, s, "zzzz", "expected");
	expect_failure(x, s, "abcd' OR 1", "expected");
	expect_failure(x, s, "00000000000000000000000000000000ab", "expected");
	snprintf(prefix, sizeof(prefix), "%.16s%s", m.spec.id, "0000000000000000");
	expect_failure(x, s, prefix, "0 runs match");
	store_close(s);
}

static const struct stored_counter *find(const struct stored_counter *c, u32 n,
					 const char *name)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(c[i].name, name))
			return &c[i];
	fail_msg("no counter %s", name);
	return NULL;
}

static void counters(void **state)
{
	struct fixture *x = *state;
	struct store *s = must_open(x->path);
	struct failure f = {0};
	struct stored_counter *c;
	struct made_run m;
	char name[64];
	u32 n, again;

	must_append(s, 1);
	must_append(s, 2);
	make_run(&m, 1);
	assert_int_equal(store_counters(s, &x->arena, m.spec.id, &c, &n, &f), 0);
	assert_string_equal(c[0].name, "switches");
	assert_true(c[0].value == 101);
	assert_string_equal(find(c, n, "idle_s")->unit, "s");
	assert_true(find(c, n, "idle_s")->value == 2.5);
	assert_true(find(c, n, "wake_us.p50")->value == 1.25);
	snprintf(name, sizeof(name), "system_s.%s", sys_cause_name[SYS_TICK]);
	assert_true(find(c, n, name)->value == 1500 / 1e9);
	snprintf(name, sizeof(name), "decisions.%s", decision_rows[DEC_COUNT - 1].name);
	assert_true(find(c, n, name)->value == 7);
	assert_true(find(c, n, "groups.hogs.cpu_s")->value == 1.23456789);
	assert_true(find(c, n, "locks.m.acquisitions")->value == 5);
	assert_true(find(c, n, "locks.m.wait_s")->value == 1.5);
	assert_string_equal(find(c, n, "locks.m.wait_s")->unit, "s");
	assert_true(find(c, n, "metrics.ops")->value == 1001.5);
	assert_string_equal(find(c, n, "metrics.ops")->unit, "1/s");
	for (u32 i = 0; i < n; i++)
		assert_string_not_equal(c[i].name, "metrics.p99");
	assert_string_equal(c[n - 1].name, "metrics.elapsed");
	/* the same names in the same places for every run of a workload */
	assert_int_equal(store_counters(s, &x->arena, "last", &c, &again, &f), 0);
	assert_int_equal(n, again);
	store_close(s);
}

static void stored_once(void **state)
{
	struct fixture *x = *state;
	struct store *s = must_open(x->path);
	struct failure f = {0};
	struct stored_run got;
	struct made_run m;

	must_append(s, 0);
	make_run(&m, 0);
	m.spec.kernel_name = "another name for the same";
	m.r.totals.switches = 1;
	assert_int_equal(store_append(s, &m.spec, &m.r, &f), 0);
	assert_int_equal(number_of(s, "SELECT count(*) FROM run"), 1);
	assert_int_equal(number_of(s, "SELECT count(*) FROM timing"), 1);
	assert_int_equal(store_load(s, &x->arena, m.spec.id, &got, &f), 0);
	assert_string_equal(got.kernel, "linux-a");
	store_close(s);
}

static void sets(void **state)
{
	struct fixture *x = *state;
	struct store *s = must_open(x->path);
	struct failure f = {0};
	struct stored_set got;
	struct made_run m[4];
	struct store_cell cell[4];

	for (u32 i = 0; i < 4; i++) {
		make_run(&m[i], i);
		must_append(s, i);
		cell[i] =
			(struct store_cell){"2", m[i].spec.kernel_name, m[i].spec.id, i};
	}
	assert_int_equal(store_set_load(s, &x->arena, "last", &got, &f), -1);
	assert_int_equal(f.kind, FAIL_INPUT);
	assert_int_equal(store_set_save(s, "last", "box", "wl", cell, 4, &f), 0);
	assert_int_equal(store_set_save(s, "last", "box", "wl2", cell + 1, 3, &f), 0);
	assert_int_equal(store_set_save(s, "other", "box", "wl", cell, 0, &f), 0);
	assert_int_equal(store_set_load(s, &x->arena, "last", &got, &f), 0);
	assert_int_equal(got.n, 3);
	assert_string_equal(got.workload, "wl2");
	for (u32 i = 0; i < 3; i++) {
		assert_string_equal(got.cell[i].run_id, m[i + 1].spec.id);
		assert_string_equal(got.cell[i].kernel, m[i + 1].spec.kernel_name);
		assert_int_equal(got.cell[i].replicate, i + 1);
	}
	/* a set of a run that is not there is refused, and the old set stays */
	cell[0].run_id = "00000000000000000000000000000000";
	assert_int_equal(store_set_save(s, "last", "box", "wl", cell, 4, &f), -1);
	assert_int_equal(store_set_load(s, &x->arena, "last", &got, &f), 0);
	assert_int_equal(got.n, 3);
	store_close(s);
}

static void order_does_not_matter(void **state)
{
	struct fixture *x = *state;
	struct text a = {0}, b = {0};
	char other[128];
	struct store *s;

	snprintf(other, sizeof(other), "%s/other.db", x->dir);
	s = must_open(x->path);
	for (u32 i = 0; i < 23; i++)
		must_append(s, i);
	dump(s, &a);
	store_close(s);
	s = must_open(other);
	for (u32 i = 0; i < 23; i++)
		must_append(s, i * 7 % 23);
	dump(s, &b);
	store_close(s);
	assert_string_equal(a.s, b.s);
	/* replicates share their inputs */
	s = must_open(other);
	assert_int_equal(number_of(s, "SELECT count(*) FROM input"), 5);
	store_close(s);
	text_free(&a);
	text_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(round_trip, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(prefixes, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(counters, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(stored_once, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(sets, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(order_does_not_matter, fixture_setup,
						fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
