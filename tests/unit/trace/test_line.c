/* Lines of text, times as doubles, rounding as Python has it, counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "event.h"

static int parse(const char *s, struct trace_event *ev)
{
	const char *want = NULL;

	memset(ev, 0, sizeof(*ev));
	return trace_line(s, s + strlen(s), ev, &want);
}

static void test_switch(void **state)
{
	struct trace_event ev;

	(void)state;
	assert_int_equal(parse("  my-prog 1:2-12    [003] d..2.  30.200644635: "
			       "sched_switch:         my-prog 1:2:12 [120] R ==> "
			       "swapper/3:0 [-1]",
			       &ev),
			 1);
	assert_int_equal(ev.kind, TRACE_SWITCH);
	assert_int_equal(ev.cpu, 3);
	assert_int_equal(ev.pid, 12);
	assert_int_equal(ev.next, 0);
	assert_true(ev.runnable);
	assert_true(ev.time == strtod("30.200644635", NULL));
	assert_string_equal(ev.comm[0], "my-prog 1:2");
	assert_string_equal(ev.comm[1], "swapper/3");
	/* a name that looks like a place: the last one counts */
	assert_int_equal(
		parse("a-1 [2] b-12 [003] 1.5: sched_switch: a-1 [2] b:12 [120] S "
		      "==> c ==> d:9 [120]",
		      &ev),
		-1);
	assert_int_equal(
		parse("a-1 [2] b-12 [003] 1.5: sched_switch: a-1 [2] b:12 [120] S "
		      "==> d:9 [120]",
		      &ev),
		1);
	assert_int_equal(ev.cpu, 3);
	assert_false(ev.runnable);
	assert_string_equal(ev.comm[0], "a-1 [2] b");
	assert_int_equal(parse("x-1 [0] 1.5: sched_switch: prev_comm=x y prev_pid=1 "
			       "prev_prio=120 prev_state=R+ ==> next_comm=z next_pid=77 "
			       "next_prio=120",
			       &ev),
			 1);
	assert_int_equal(ev.next, 77);
	assert_true(ev.runnable);
	assert_string_equal(ev.comm[0], "x y");
}

static void test_others(void **state)
{
	struct trace_event ev;

	(void)state;
	assert_int_equal(parse("<idle>-0 [007] 2.000000001: sched_wakeup_new: a:5 [120] "
			       "success=1 CPU:011",
			       &ev),
			 1);
	assert_int_equal(ev.kind, TRACE_WAKEUP);
	assert_int_equal(ev.pid, 5);
	assert_int_equal(parse("a-5 [007] 2.1: sched_migrate_task: comm=a pid=5 pid=6 "
			       "prio=120 orig_cpu=1 dest_cpu=22",
			       &ev),
			 1);
	assert_int_equal(ev.pid, 6);
	assert_int_equal(ev.from, 1);
	assert_int_equal(ev.to, 22);
	assert_int_equal(parse("a-5 [007] 2.1: sys_enter: NR 1", &ev), 1);
	assert_int_equal(ev.kind, TRACE_OTHER);
	assert_int_equal(parse("CPU:3 [LOST 12 EVENTS]", &ev), 1);
	assert_int_equal(ev.kind, TRACE_LOST);
	assert_int_equal(ev.cpu, 3);
	assert_int_equal(ev.lost, 12);
	assert_int_equal(parse("CPU:4 [EVENTS DROPPED]", &ev), 1);
	assert_int_equal(ev.lost, 0);
	for (u32 i = 0; i < 7; i++) {
		static const char *const no[] = {
			"",	     "cpus=8",		 "CPU 3 is empty",
			"[",	     "-1 [0] 1.5: a: b", "a-1 [0] 1:",
			" => f (1)",
		};
		assert_int_equal(parse(no[i], &ev), 0);
	}
	assert_int_equal(parse("a-5 [007] 2.1: sched_wakeup: a", &ev), -1);
	assert_int_equal(parse("a-5 [007] 2.1: sched_migrate_task: comm=a", &ev), -1);
}

static void test_numbers(void **state)
{
	static const char *const times[] = {"0.000000001", "63.540208212",
					    "9007199.254740993", "12345678901.123456789",
					    "18446744073.709551615"};
	char *end;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(times); i++) {
		u64 whole = strtoull(times[i], &end, 10);
		u64 ns = whole * NS_PER_SEC + strtoull(end + 1, NULL, 10);

		assert_true(trace_seconds(ns) == strtod(times[i], NULL));
	}
	/* ties of the decimal are decided by the double: round(2.675, 2) is 2.67 */
	assert_int_equal(trace_round(0.0005, 3), 1);	/* a little above */
	assert_int_equal(trace_round(1.0005, 3), 1000); /* a little below */
	assert_int_equal(trace_round(2.5, 0), 2);	/* a tie: to even */
	assert_int_equal(trace_round(0.25, 1), 2);
	assert_int_equal(trace_round(0.75, 1), 8);
	assert_int_equal(trace_round(0, 3), 0);
	assert_int_equal(trace_round(4.0025, 3), 4003);
	assert_int_equal(trace_round(123456789012.25, 1), 1234567890122);
}

static void test_counts(void **state)
{
	static const double q[] = {0, 0.5, 0.95, 1};
	struct counts c = {0}, d = {0};
	struct arena a;
	u64 v[4];

	(void)state;
	arena_init(&a);
	for (u64 i = 0; i < 1000; i++)
		counts_add(&a, i % 2 ? &c : &d, (i * 7919) % 1000);
	counts_merge(&a, &c, &d);
	counts_merge(&a, &c, &d);
	assert_int_equal(c.n, 1500);
	assert_int_equal(c.used, 1000);
	counts_quantiles(&a, &d, q, 4, v);
	assert_int_equal(v[0], 0);
	assert_int_equal(v[1], 500);
	assert_int_equal(v[2], 950);
	assert_int_equal(v[3], 998);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
