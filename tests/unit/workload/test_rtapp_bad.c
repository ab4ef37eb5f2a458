/* rt-app files: what is refused, with the place and what was expected. */
#include "rtapp_file.h"

#define TASK(events)  "{\"tasks\": {\"t\": {" events "}}}"
#define PHASE(events) TASK("\"phases\": {\"a\": {" events "}}")
#define GLOBAL(keys)  "{\"global\": {" keys "}, \"tasks\": {\"t\": {\"run\": 1}}}"

static void all(const char *const (*bad)[2], u32 n, u32 col)
{
	for (u32 i = 0; i < n; i++)
		rt_refused(bad[i][0], 1, col, bad[i][1]);
}

static void test_root(void **state)
{
	static const char *const bad[][2] = {
		{"{}", "no 'tasks'"},
		{"{\"tasks\": {}}", "0 tasks, expected 1"},
		{"{\"tasks\": 3}", "'tasks' is 3, expected an object"},
		{"{\"tasks\": {\"t\": [1]}}", "'t' is an array, expected an object"},
		{"{\"tasks\": {\"\": {\"run\": 1}}}", "an empty name"},
		{"{\"taks\": {}}", "unknown key 'taks', expected 'tasks'?"},
		{"{\"tasks\": {\"t\": {\"run\": 1}}, \"tasks\": {}}", "given twice"},
		{"{\"tasks\": {\"t\": {\"run\": 1}}} {}", "did not find expected"},
		{"{\"tasks\": {\"t\": {\"run\": 1 \"sleep\": 2}}}",
		 "did not find expected"},
		{"{\"tasks\": {\"t\": {\"instance\": 0, \"run\": 1}}}", "no thread"},
	};

	(void)state;
	all(bad, ARRAY_SIZE(bad), 0);
	/* the end of the file is behind its last line */
	rt_refused("{\"tasks\": {\"t\": {\"run\": 1}}", 2, 1, "did not find expected");
}

static void test_global(void **state)
{
	static const char *const bad[][2] = {
		{GLOBAL("\"duration\": \"2\""),
		 "'duration' is a string, expected an integer"},
		{GLOBAL("\"duration\": 2.5"), "'duration' is 2.5, expected an integer"},
		{GLOBAL("\"duration\": -2"), "-2 is out of range, expected -1 to"},
		{GLOBAL("\"calibration\": \"GPU0\""), "expected \"CPU0\" or the ns"},
		{GLOBAL("\"calibration\": 0"), "out of range"},
		{GLOBAL("\"default_policy\": \"SCHED_DEADLINE\""),
		 "SCHED_DEADLINE is not modelled, expected SCHED_OTHER"},
		{GLOBAL("\"default_policy\": \"SCHED_OTER\""), "expected SCHED_OTHER?"},
		{GLOBAL("\"default_policy\": 1"), "expected a string"},
		{GLOBAL("\"pi_enabled\": true"), "priority inheritance is not modelled"},
		{GLOBAL("\"pi_enabled\": \"no\""), "is a string, expected true or false"},
		{GLOBAL("\"lock_pages\": 1"),
		 "'lock_pages' is 1, expected true or false"},
		{GLOBAL("\"logdir\": 3"), "'logdir' is 3, expected a string"},
		{GLOBAL("\"log_basename\": []"), "is an array, expected a string"},
		{GLOBAL("\"log_size\": \"big\""), "expected \"file\", \"disable\""},
		{GLOBAL("\"log_size\": -1"), "out of range"},
		{GLOBAL("\"ftrace\": \"main,tusk\""), "no category 'tusk'"},
		{GLOBAL("\"gnuplot\": {}"), "'gnuplot' is an object"},
		{GLOBAL("\"io_device\": 1"), "expected a string"},
		{GLOBAL("\"mem_buffer_size\": 0"), "out of range"},
		{GLOBAL("\"cumulative_slack\": 0"), "expected true or false"},
		{GLOBAL("\"durration\": 1"), "expected 'duration'?"},
		{GLOBAL("\"duration\": 1, \"duration\": 2"), "given twice"},
		{GLOBAL("\"spacing\": 10"), "'spacing' is of rt-app 0.x"},
		{"{\"global\": 1, \"tasks\": {}}", "'global' is 1, expected an object"},
	};

	(void)state;
	all(bad, ARRAY_SIZE(bad), 0);
}

static void test_properties(void **state)
{
	static const char *const bad[][2] = {
		{TASK("\"loop\": 2"), "no event"},
		{TASK("\"loop\": -2, \"run\": 1"), "out of range, expected -1"},
		{TASK("\"loop\": 0, \"run\": 1"), "0 is for ever to rt-app"},
		{PHASE("\"loop\": 0, \"run\": 1"), "0 is for ever to rt-app"},
		{TASK("\"loop\": 1, \"loop\": 2, \"run\": 1"), "'loop' is given twice"},
		{TASK("\"instance\": -1, \"run\": 1"), "out of range"},
		{TASK("\"delay\": \"1\", \"run\": 1"), "expected an integer"},
		{PHASE("\"delay\": 1, \"run\": 1"), "'delay' in a phase, expected it in"},
		{PHASE("\"instance\": 1, \"run\": 1"), "expected it in the task"},
		{PHASE("\"loop\": 1"), "no event"},
		{TASK("\"phases\": {}"), "no phase"},
		{TASK("\"phases\": {\"a\": 1}"), "'a' is 1, expected an object"},
		{TASK("\"phases\": {\"a\": {\"run\": 1}}, \"run\": 2"),
		 "event 'run' beside 'phases'"},
		{TASK("\"phases\": {\"a\": {\"loop\": -1, \"run\": 1}, \"b\": {\"run\": 1}}"),
		 "is never reached"},
		{TASK("\"policy\": \"SCHED_RR\", \"priority\": 0, \"run\": 1"),
		 "expected 1 to 99"},
		{PHASE("\"policy\": \"SCHED_FIFO\", \"priority\": 100, \"run\": 1"),
		 "expected 1 to 99"},
		{TASK("\"phases\": {\"a\": {\"priority\": 5, \"run\": 1}, "
		      "\"b\": {\"policy\": \"SCHED_RR\", \"run\": 1}}"),
		 "a later phase changes the policy"},
		{TASK("\"policy\": \"SCHED_BATHC\", \"run\": 1"),
		 "expected SCHED_BATCH?"},
		{PHASE("\"policy\": \"SCHED_DEADLINE\", \"run\": 1"), "not modelled"},
		{TASK("\"priority\": 20, \"run\": 1"), "expected -20 to 19"},
		{TASK("\"dl-runtime\": 20, \"run\": 1"),
		 "a custom slice from a file of rt-app, are not modelled"},
		{TASK("\"dl-period\": 20, \"run\": 1"), "SCHED_DEADLINE is not modelled"},
		{TASK("\"dl-deadline\": 20, \"run\": 1"), "not modelled"},
		{TASK("\"period\": 20, \"run\": 1"), "SCHED_DEADLINE is not modelled"},
		{TASK("\"util_min\": 20, \"run\": 1"), "clamping is not modelled"},
		{PHASE("\"util_max\": 20, \"run\": 1"), "clamping is not modelled"},
		{TASK("\"nodes_membind\": [0], \"run\": 1"), "binding memory"},
		{TASK("\"cpus\": [], \"run\": 1"), "expected an array of CPUs"},
		{TASK("\"cpus\": 1, \"run\": 1"), "expected an array of CPUs"},
		{TASK("\"cpus\": [\"0\"], \"run\": 1"), "a string, expected an integer"},
		{TASK("\"cpus\": [99], \"run\": 1"), "no CPU 99 on machine"},
		{TASK("\"taskgroup\": \"g\", \"run\": 1"),
		 "expected a path such as /group"},
		{TASK("\"taskgroup\": \"/g//h\", \"run\": 1"), "expected a path"},
		{TASK("\"taskgroup\": 1, \"run\": 1"), "expected a string"},
		{TASK("\"phases\": {\"a\": {\"taskgroup\": \"/g\", \"run\": 1}, \"b\": "
		      "{\"taskgroup\": \"/h\", \"run\": 1}}"),
		 "the task changes its group"},
		{TASK("\"phases\": {\"a\": {\"run\": 1}, \"b\": {\"taskgroup\": \"/h\", "
		      "\"run\": 1}}"),
		 "the task changes its group"},
		{TASK("\"lopp\": 1, \"run\": 1"), "expected 'loop'?"},
		{TASK("\"tiemr\": 1, \"run\": 1"), "expected 'timer'?"},
		{TASK("\"qqqqqq\": 1, \"run\": 1"), "expected an event such as"},
	};

	(void)state;
	all(bad, ARRAY_SIZE(bad), 0);
}

static void test_events(void **state)
{
	static const char *const bad[][2] = {
		{TASK("\"run\": \"1\""), "'run' is a string, expected an integer"},
		{TASK("\"run\": -1"), "out of range"},
		{TASK("\"run\": 1.5"), "'run' is 1.5, expected an integer"},
		{TASK("\"run\": 3000000000"), "out of range"},
		{TASK("\"run\""), "'run' is no value, expected an integer"},
		{TASK("\"sleep\": false"), "'sleep' is false, expected an integer"},
		{TASK("\"runtime\": {}"), "'runtime' is an object"},
		{TASK("\"mem\": \"x\""), "expected an integer"},
		{TASK("\"iorun\": []"), "expected an integer"},
		{TASK("\"memrun\": {\"count\": 1}"), "no 'type'"},
		{TASK("\"memrun\": {\"type\": \"chase\"}"), "no 'count'"},
		{TASK("\"memrun\": {\"type\": \"chas\", \"count\": 1}"), "chase"},
		{TASK("\"memrun\": 1"), "'memrun' is 1, expected an object"},
		{TASK("\"timer\": 1"), "'timer' is 1, expected an object"},
		{TASK("\"timer\": {\"period\": 1}"), "no 'ref'"},
		{TASK("\"timer\": {\"ref\": \"a\"}"), "no 'period'"},
		{TASK("\"timer\": {\"ref\": 1, \"period\": 1}"), "expected a string"},
		{TASK("\"timer\": {\"ref\": \"a\", \"period\": 1, \"mode\": \"abs\"}"),
		 "expected"},
		{TASK("\"timer\": {\"ref\": \"a\", \"perod\": 1}"), "expected 'period'?"},
		{TASK("\"lock\": 1"), "'lock' is 1, expected a string"},
		{TASK("\"lock\": \"\""), "an empty name"},
		{TASK("\"unlock\": {}"), "expected a string"},
		{TASK("\"wait\": \"c\""), "'wait' is a string, expected an object"},
		{TASK("\"wait\": {\"ref\": \"c\"}"), "no 'mutex'"},
		{TASK("\"sync\": {\"mutex\": \"c\"}"), "no 'ref'"},
		{TASK("\"wait\": {\"ref\": \"c\", \"mutx\": \"m\"}"),
		 "expected 'mutex'?"},
		{TASK("\"signal\": 1"), "expected a string"},
		{TASK("\"broad\": 1"), "expected a string"},
		{TASK("\"suspend\": 1"), "expected a string"},
		{TASK("\"resume\": \"\""), "an empty name"},
		{TASK("\"barrier\": 2"), "expected a string"},
		{TASK("\"barrier1\": \"b\", \"barrier2\": \"b\""), "never opens"},
		{TASK("\"sem_post\": 2"), "expected a string"},
		{TASK("\"sem_wait\": 2"), "expected a string"},
		{TASK("\"fork\": 2"), "expected a string"},
		{TASK("\"run\": 1, \"fork\": \"tt\""), "no task 'tt', expected t?"},
		{"{\"tasks\": {\"a\": {\"run\": 1, \"fork\": \"b\"}, \"b\": {\"barrier\": \"x\"}}}",
		 "a barrier in a task that is forked"},
	};

	(void)state;
	all(bad, ARRAY_SIZE(bad), 0);
}

/* The grammar before phases and events: one clear line. */
static void test_old(void **state)
{
	static const char *const bad[][2] = {
		{TASK("\"exec\": 10, \"period\": 20"),
		 "'exec' is the grammar of rt-app 0.x"},
		{TASK("\"lock_order\": [0]"), "the grammar of rt-app 0.x"},
		{PHASE("\"exec\": 10"), "the grammar of rt-app 0.x"},
		{"{\"resources\": 3, \"tasks\": {}}", "is of rt-app 0.x"},
		{"{\"resources\": {\"a\": {\"type\": \"mutx\"}}, \"tasks\": {}}",
		 "mutex"},
		{"{\"resources\": {\"a\": {\"tipe\": \"mutex\"}}, \"tasks\": {}}",
		 "'type'?"},
	};

	(void)state;
	all(bad, ARRAY_SIZE(bad), 0);
}

/* Lines and columns are those of the JSON, also when the native compiler complains. */
static void test_places(void **state)
{
	(void)state;
	rt_refused("{\n \"tasks\": {\n  \"t\": {\n   \"run\": true\n}}}", 4, 11,
		   "expected an integer");
	rt_refused("{\n \"tasks\": {\n  \"t\": {\n   \"fork\": \"u\"\n}}}", 4, 12,
		   "no task");
	rt_refused("{\n \"tasks\": {\n  \"t\": {\n   \"cpus\": [64], \"run\": 2\n}}}", 4,
		   12, "no CPU 64");
	rt_refused(
		"{\n \"tasks\": {\n  \"t\": {\n   \"phases\": {\n\"a\": {\"loop\": -1, "
		"\"run\": 1},\n \"b\": {\"run\": 2}}}}}",
		6, 0, "is never reached");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_root),	   cmocka_unit_test(test_global),
		cmocka_unit_test(test_properties), cmocka_unit_test(test_events),
		cmocka_unit_test(test_old),	   cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
