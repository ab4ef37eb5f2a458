/* rt-app files: locks, conditions, barriers, semaphores, who wakes whom. */
#include "rtapp_file.h"

#define TASK(events) "{\"tasks\": {\"t\": {" events "}}}"

static void test_translation(void **state)
{
	(void)state;
	TRANSLATES(TASK("\"lock\": \"m\", \"run\": 1, \"unlock\": \"m\""),
		   "locks:\n  m: {kind: futex}\n", "- lock: m\n", "- run: 1 us\n",
		   "- unlock: m\n");
	TRANSLATES(
		TASK("\"run\": 1, \"lock\": \"m\", \"wait\": {\"ref\": \"c\", \"mutex\": "
		     "\"m\"}, \"unlock\": \"m\", \"signal\": \"c\", \"broad0\": \"c\""),
		"locks:\n  m: ", "conditions:\n  c: {}\n",
		"- wait-for: {condition: c, lock: m}\n", "- signal: c\n",
		"- broadcast: c\n");
	TRANSLATES(
		TASK("\"run\": 1, \"lock\": \"m\", \"sync\": {\"ref\": \"c\", \"mutex\": "
		     "\"m\"}, \"unlock\": \"m\""),
		"- signal: c\n", "- wait-for: {condition: c, lock: m}\n",
		"- unlock: m\n");
	TRANSLATES(TASK("\"run\": 1, \"sem_wait\": \"s\", \"sem_post\": \"s\""),
		   "semaphores:\n  s: {value: 0}\n", "- take: s\n", "- post: s\n");
	TRANSLATES(TASK("\"run\": 1, \"yield\": \"\", \"yield2\": null"), "- yield\n",
		   "- yield\n");
	/* parties are threads, of all tasks */
	TRANSLATES(
		"{\"tasks\": {\"a\": {\"instance\": 3, \"barrier\": \"b\", \"run\": 1}, "
		"\"c\": {\"run\": 1, \"barrier1\": \"b\"}}}",
		"barriers:\n  b: {parties: 4}\n", "- barrier: b\n", "- barrier: b\n");
	/* one name may stand for a mutex and a condition */
	TRANSLATES(TASK("\"run\": 1, \"suspend\": \"x\""),
		   "locks:\n  x: {kind: futex}\nconditions:\n  x: {}\n", "- lock: x\n",
		   "- wait-for: {condition: x, lock: x}\n", "- unlock: x\n");
	TRANSLATES(TASK("\"run\": 1, \"resume\": \"x\""), "- lock: x\n",
		   "- broadcast: x\n", "- unlock: x\n");
	/* without a value: the name of the task */
	TRANSLATES(TASK("\"suspend\", \"run\": 1"),
		   "wait-for: {condition: t, lock: t}\n");
	TRANSLATES(TASK("\"suspend\": \"\", \"run\": 1"), "condition: t, lock: t}\n");
	/* what a reference could not spell */
	TRANSLATES(
		TASK("\"lock\": \"r0\", \"run\": 1, \"unlock\": \"r0\", \"lock\": \"a[1] "
		     "b\", \"unlock\": \"a[1] b\""),
		"locks:\n  r0: {kind: futex}\n  r1: {kind: futex}\n", "- lock: r1\n");
	TRANSLATES("{\"global\": {\"io_device\": \"/tmp/f\", \"mem_buffer_size\": 100}, "
		   "\"tasks\": {\"t\": {\"iorun\": 250}}}",
		   "devices:\n  io_device: {parallel: 1, service: 100 us}\n",
		   "times: 2\n", "- io: {device: io_device, size: 100 B}\n",
		   "- io: {device: io_device, size: 50 B}\n");
	TRANSLATES(TASK("\"iorun\": 5"), "- system: 200 ns\n");
}

static u64 exits_of(const char *text)
{
	struct mock k;
	u64 exits;

	rt_open(&k, text);
	mock_run(k.s, k.run, 10 * NS_PER_SEC);
	if (workload_check(k.run, &k.f))
		fail_msg("%s: %u: %s", text, k.f.line, k.f.what);
	assert_true(workload_done(k.run));
	exits = k.s->exits;
	mock_free(&k);
	return exits;
}

/* A resume that comes too early: nobody remembers it, as in rt-app, and the run says so.
 */
static void test_lost(void **state)
{
	struct mock k;

	(void)state;
	rt_open(&k,
		"{\"tasks\": {\"a\": {\"loop\": 1, \"sleep\": 5000,\n\"suspend\": \"\"}, "
		"\"b\": {\"loop\": 1, \"run\": 1, \"resume\": \"a\"}}}");
	mock_run(k.s, k.run, 10 * NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &k.f), -1);
	assert_int_equal(k.f.line, 2);
	assert_non_null(strstr(k.f.what, "a-0"));
	mock_free(&k);
}

/* Everybody is woken in the end. */
static void test_runs(void **state)
{
	(void)state;
	/* ping, pong: each wakes the other */
	assert_int_equal(
		exits_of(
			"{\"tasks\": {\"a\": {\"loop\": 20, \"sem_wait\": \"x\", \"run\": 10, "
			"\"sem_post\": \"y\"}, \"b\": {\"loop\": 20, \"run\": 10, "
			"\"sem_post\": \"x\", \"sem_wait\": \"y\"}}}"),
		2);
	assert_int_equal(
		exits_of(
			"{\"tasks\": {\"a\": {\"instance\": 4, \"loop\": 10, \"runtime\": 10, "
			"\"barrier\": \"x\"}, \"b\": {\"loop\": 10, \"sleep\": 100, "
			"\"barrier\": \"x\"}}}"),
		5);
	assert_int_equal(
		exits_of(
			"{\"tasks\": {\"a\": {\"instance\": 8, \"loop\": 10, \"lock\": \"m\", "
			"\"run\": 10, \"unlock\": \"m\", \"run\": 5}}}"),
		8);
	/* the sleeper is there before it is woken */
	assert_int_equal(
		exits_of("{\"tasks\": {\"a\": {\"loop\": 1, \"suspend\", \"run\": 10}, "
			 "\"b\": {\"loop\": 1, \"sleep\": 5000, \"resume\": \"a\"}}}"),
		2);
	assert_int_equal(
		exits_of(
			"{\"tasks\": {\"a\": {\"loop\": 1, \"lock\": \"m\", \"wait\": {\"ref\": "
			"\"c\", \"mutex\": \"m\"}, \"unlock\": \"m\"}, \"b\": {\"loop\": 1, "
			"\"sleep\": 5000, \"lock\": \"m\", \"signal\": \"c\", \"unlock\": "
			"\"m\"}}}"),
		2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_translation),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
