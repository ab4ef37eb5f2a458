/* rt-app files: loops, phases, timers, names, groups, how a file ends. */
#include "rtapp_file.h"

/* One task with these events. */
#define TASK(events) "{\"tasks\": {\"t\": {" events "}}}"
#define GLOBAL(keys) "{\"tasks\": {\"t\": {\"run\": 1}}, \"global\": {" keys "}}"

static void test_plain(void **state)
{
	(void)state;
	TRANSLATES(TASK("\"run\": 10, \"sleep_b\": 20, \"runtime0\": 30"),
		   "tasks:\n  t:\n", "count: 1", "name: t-%d", "first-number: 0",
		   "- loop:", "forever: yes", "- run: 10 us\n", "- sleep: 20 us\n",
		   "- runtime: 30 us\n", "- count: loops\n", "- count: loops_t\n",
		   "metrics:", "loops: {rate: loops}", "share_t: {share: t}");
	/* a pass without time has that of rt-app itself */
	TRANSLATES(TASK("\"timer\": {\"ref\": \"a\", \"period\": 0}"), "period: 0 us",
		   "- run: 1000 ns\n");
	TRANSLATES(TASK("\"iorun\": 0"), "- run: 1000 ns\n");
	/* keys that come twice, and the order of the file */
	TRANSLATES(TASK("\"run\": 1, \"sleep\": 2, \"run\": 3, \"run\": 4"), "run: 1 us",
		   "sleep: 2 us", "run: 3 us", "run: 4 us");
}

static void test_loops(void **state)
{
	(void)state;
	/* without phases the loop is that of the only phase */
	TRANSLATES(TASK("\"loop\": 3, \"run\": 1"), "fixed-work: yes", "duration: 600 s",
		   "program:\n      - loop:\n          times: 3\n", "- run: 1 us",
		   "elapsed: {elapsed: yes}");
	TRANSLATES(TASK("\"loop\": 1, \"run\": 1"), "program:\n      - run: 1 us\n");
	TRANSLATES(TASK("\"loop\": -1, \"run\": 1"), "- loop:\n          forever: yes\n");
	/* phases: once each, all of them for ever */
	TRANSLATES(
		TASK("\"phases\": {\"a\": {\"run\": 1}, \"b\": {\"loop\": 5, \"run\": 2}, "
		     "\"a\": {\"run\": 3}}"),
		"forever: yes\n          do:\n            - run: 1 us\n",
		"- loop:\n                times: 5\n                do:\n", "- run: 2 us",
		"- run: 3 us");
	TRANSLATES(TASK("\"loop\": 2, \"phases\": {\"a\": {\"loop\": 4, \"run\": 1}}"),
		   "fixed-work: yes", "times: 2", "times: 4", "run: 1 us");
	/* a task that never starts its first loop leaves */
	TRANSLATES(TASK("\"loop\": 0, \"phases\": {\"a\": {\"run\": 1}}"),
		   "fixed-work: yes", "times: 0");
}

/* By the clock, or until all have left. */
static void test_ending(void **state)
{
	(void)state;
	TRANSLATES(GLOBAL("\"duration\": 7"), "duration: 7 s\ntasks:");
	TRANSLATES(GLOBAL("\"duration\": -1"), "source: rt-app\ntasks:");
	TRANSLATES("{\"global\": {\"duration\": 7}, \"tasks\": {\"t\": {\"loop\": 1, "
		   "\"run\": 1}}}",
		   "duration: 7 s\nends-early: yes\nwarmup: 0\n");
	/* one that never leaves is enough */
	TRANSLATES("{\"tasks\": {\"a\": {\"loop\": 1, \"run\": 1}, \"b\": {\"run\": 1}}}",
		   "source: rt-app\ntasks:");
}

static void test_global(void **state)
{
	(void)state;
	TRANSLATES(
		GLOBAL("\"calibration\": \"CPU0\", \"default_policy\": \"SCHED_OTHER\", "
		       "\"pi_enabled\": false, \"lock_pages\": true, \"logdir\": \"./\", "
		       "\"log_basename\": \"x\", \"log_size\": \"Disable\", \"ftrace\": "
		       "\"main,task, loop\", \"gnuplot\": true, \"io_device\": \"/tmp/x\", "
		       "\"mem_buffer_size\": 1048576, \"cumulative_slack\": true, "
		       "\"frag\": 1"),
		"run: 1 us");
	TRANSLATES(GLOBAL("\"calibration\": 120, \"log_size\": 2, \"ftrace\": False"),
		   "run: 1 us");
	TRANSLATES("{\"tasks\": {\"t\": {\"run\": 1}}, \"resources\": {\"m\": {\"type\": "
		   "\"mutex\"}, \"w\": {\"type\": \"signal\", \"target\": \"x\"}}}",
		   "run: 1 us");
}

static void test_timers(void **state)
{
	(void)state;
	TRANSLATES(TASK("\"run\": 1, \"timer\": {\"ref\": \"unique\", \"period\": 5}"),
		   "- begin: period_t\n", "- run: 1 us\n", "- timer:",
		   "period: 5 us, name: unique, wake: wake_t, missed: missed_t}",
		   "- end: period_t\n", "wake_t_p95: {span: wake_t, percentile: 95}",
		   "missed_t: {rate: missed_t, better: lower}", "period_t_p95: ");
	TRANSLATES(TASK("\"timer\": {\"ref\": \"tick\", \"period\": 5, \"mode\": "
			"\"relative\"}"),
		   "period: 5 us, ref: tick, wake:");
	/* the mode is the timer's, whichever event says it */
	TRANSLATES(TASK("\"timer\": {\"ref\": \"tick\", \"period\": 5}, \"timer1\": "
			"{\"ref\": \"tick\", \"period\": 6, \"mode\": \"absolute\"}"),
		   "period: 5 us, ref: tick, mode: absolute, wake",
		   "period: 6 us, ref: tick, mode: absolute, wake");
}

static void expect_log(const char *text, u64 until, const char *log)
{
	struct mock k;

	rt_open(&k, text);
	mock_run(k.s, k.run, until);
	if (!strstr(k.s->log.s, log))
		fail_msg("%s\ngave\n%s\nwanted\n%s", text, k.s->log.s, log);
	mock_free(&k);
}

/* Two phases and one timer: it goes on where the other phase left it. */
static void test_unique_timer(void **state)
{
	struct mock k;
	u64 begin;
	char want[256];

	(void)state;
	rt_open(&k,
		TASK("\"loop\": 1, \"phases\": {\"a\": {\"run\": 3000, \"timer\": "
		     "{\"ref\": \"unique\", \"period\": 10000}}, \"b\": {\"run\": 1000, "
		     "\"timer\": {\"ref\": \"unique\", \"period\": 10000}}}"));
	mock_run(k.s, k.run, NS_PER_SEC);
	begin = k.s->task[1]->timer - 20 * NS_PER_MS;
	assert_true(begin <= NS_PER_MS); /* the jitter */
	snprintf(want, sizeof(want), "%llu t-0 sleep %llu\n",
		 (unsigned long long)(begin + 11 * NS_PER_MS),
		 (unsigned long long)(begin + 20 * NS_PER_MS));
	if (!strstr(k.s->log.s, want))
		fail_msg("no %s in\n%s", want, k.s->log.s);
	mock_free(&k);
}

static double metric_of(struct mock *k, const char *name)
{
	double value[32];
	bool has[32];

	workload_metrics(k->run, k->s, value, has);
	for (u32 i = 0; i < plan_metrics(k->plan); i++)
		if (!strcmp(plan_metric(k->plan, i)->name, name))
			return has[i] ? value[i] : -1;
	fail_msg("no metric %s", name);
	return 0;
}

/* 10 late by 15: relative starts over, absolute catches up. */
static void test_modes(void **state)
{
	static const struct {
		const char *mode;
		double missed;
	} modes[] = {{"relative", 1}, {"absolute", 2}};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		char text[1024];
		struct mock k;

		snprintf(
			text, sizeof(text),
			"{\"global\": {\"duration\": 1}, \"tasks\": {\"t\": {\"loop\": 1, "
			"\"phases\": {\"long\": {\"run\": 25000, \"timer\": {\"ref\": "
			"\"unique\", \"period\": 10000, \"mode\": \"%s\"}}, \"short\": "
			"{\"loop\": 4, \"run\": 1000, \"timer\": {\"ref\": \"unique\", "
			"\"period\": 10000}}}}}}",
			modes[i].mode);
		rt_open(&k, text);
		k.s->slack = 50 * NS_PER_US;
		mock_run(k.s, k.run, NS_PER_SEC);
		assert_true(metric_of(&k, "missed_t") == modes[i].missed);
		assert_near(metric_of(&k, "wake_t_p95"), 50, 1);
		assert_true(metric_of(&k, "loops_t") == 5);
		mock_free(&k);
	}
}

/* Two tasks add to one timer. */
static void test_shared_timer(void **state)
{
	struct mock k;

	(void)state;
	rt_open(&k,
		"{\"tasks\": {\"t\": {\"instance\": 2, \"loop\": 1, \"timer\": {\"ref\": "
		"\"tick\", \"period\": 10000}}}}");
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(max_u64(k.s->task[1]->timer, k.s->task[2]->timer) -
				 min_u64(k.s->task[1]->timer, k.s->task[2]->timer),
			 10 * NS_PER_MS);
	mock_free(&k);
}

static void test_names(void **state)
{
	static const char *const comm[] = {"a-0", "a-1", "b_c-2", "a-3"};
	struct mock k;

	(void)state;
	rt_open(&k,
		"{\"tasks\": {\"a\": {\"instance\": 2, \"run\": 1}, \"b%c\": {\"run\": 1}, "
		"\"none\": {\"instance\": 0, \"run\": 1}, \"a\": {\"run\": 1}}}");
	mock_run(k.s, k.run, 10 * NS_PER_MS);
	assert_int_equal(k.s->forks, 4);
	for (u32 i = 0; i < 4; i++)
		assert_string_equal(k.s->task[i + 1]->comm, comm[i]);
	assert_int_equal(plan_groups(k.plan), 3);
	assert_string_equal(plan_group_name(k.plan, 2), "a1");
	mock_free(&k);
}

/* priority, policy, cpus, delay, taskgroup. */
static void test_properties(void **state)
{
	(void)state;
	TRANSLATES(
		TASK("\"priority\": -5, \"policy\": \"SCHED_OTHER\", \"cpus\": [0, 2], "
		     "\"delay\": 700, \"taskgroup\": \"/a/b\", \"run\": 1"),
		"cgroups:\n  /a: {}\n  /a/b: {parent: /a}\n", "nice: -5\n",
		"cpus: \"0,2\"\n", "start: 700 us\n", "cgroup: /a/b\n");
	TRANSLATES(TASK("\"taskgroup\": \"\", \"run\": 1"), "program:");
	/* the CPUs of a phase, else of the task; a nice value stays until the next */
	TRANSLATES(TASK("\"cpus\": [3], \"phases\": {\"a\": {\"cpus\": [0], \"run\": 1}, "
			"\"b\": {\"priority\": 4, \"run\": 2}, \"c\": {\"run\": 3}}"),
		   "cpus: 0\n", "- affinity: 0\n", "- run: 1 us", "- affinity: 3\n",
		   "- nice: 4\n", "- run: 2 us",
		   "- count: loops_t\n            - run: 3 us");
	TRANSLATES(
		TASK("\"phases\": {\"a\": {\"cpus\": [0], \"run\": 1}, \"b\": {\"run\": 2}}"),
		"- affinity: 0\n", "- affinity: all\n");
	TRANSLATES(GLOBAL("\"default_policy\": \"SCHED_BATCH\""), "policy: batch\n");
	/* a real-time policy has a priority instead, 10 unless it says otherwise */
	TRANSLATES(TASK("\"policy\": \"SCHED_FIFO\", \"priority\": 50, \"run\": 1"),
		   "policy: {fifo: 50}\n");
	TRANSLATES(GLOBAL("\"default_policy\": \"SCHED_RR\""), "policy: {rr: 10}\n");
	TRANSLATES(
		TASK("\"loop\": 1, \"policy\": \"SCHED_FIFO\", \"phases\": {\"a\": {\"run\": 1}, "
		     "\"b\": {\"priority\": 3, \"run\": 1}, "
		     "\"c\": {\"policy\": \"SCHED_OTHER\", \"run\": 1}, "
		     "\"d\": {\"priority\": 4, \"run\": 1}}"),
		"- policy: {fifo: 3}\n", "- policy: other\n", "- nice: 0\n",
		"- nice: 4\n");
	/* the policy of the task, or the default one; a phase may change it */
	TRANSLATES(TASK("\"policy\": \"SCHED_IDLE\", \"run\": 1"), "policy: idle\n");
	TRANSLATES(TASK("\"phases\": {\"a\": {\"policy\": \"SCHED_BATCH\", "
			"\"priority\": 3, \"run\": 1}, \"b\": {\"run\": 2}}"),
		   "- policy: batch\n", "- nice: 3\n");
	/* the only phase is entered once */
	TRANSLATES(
		TASK("\"phases\": {\"a\": {\"cpus\": [1], \"priority\": 3, \"run\": 1}}"),
		"cpus: 1\n", "program:\n      - nice: 3\n      - loop:");
	/* one group in all phases */
	TRANSLATES(TASK("\"phases\": {\"a\": {\"taskgroup\": \"/g\", \"run\": 1}, \"b\": "
			"{\"run\": 2}, \"c\": {\"taskgroup\": \"/g\", \"run\": 2}}"),
		   "cgroup: /g\n");
}

static void test_fork(void **state)
{
	struct mock k;

	(void)state;
	TRANSLATES(
		"{\"tasks\": {\"p\": {\"loop\": 2, \"fork\": \"c\", \"sleep\": 10}, \"c\": "
		"{\"instance\": 0, \"loop\": 1, \"run\": 5}}}",
		"fixed-work: yes", "- fork: c\n", "  c:\n    template: yes\n",
		"nice: 0\n", "share_c: {share: c}");
	/* forked, and with a thread of its own */
	TRANSLATES(
		"{\"tasks\": {\"p\": {\"loop\": 2, \"fork\": \"c\", \"sleep\": 10}, \"c\": "
		"{\"loop\": 1, \"run\": 5}}}",
		"- fork: c-fork\n", "  c:\n    count: 1\n",
		"  c-fork:\n    template: yes\n", "share_c: ", "share_c-fork: ");
	rt_open(&k,
		"{\"tasks\": {\"p\": {\"loop\": 2, \"fork\": \"c\", \"sleep\": 10}, \"c\": "
		"{\"loop\": 1, \"run\": 5}}}");
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_true(workload_done(k.run));
	assert_int_equal(k.s->forks, 4);
	mock_free(&k);
}

/* Bytes become time; none of it was measured. */
static void test_memory(void **state)
{
	(void)state;
	TRANSLATES(TASK("\"mem\": 1001"), "run: 101 ns");
	TRANSLATES(
		TASK("\"memrun\": {\"type\": \"read\", \"count\": 1000, \"size\": 4096}"),
		"run: 500 ns");
	TRANSLATES(
		TASK("\"memrun0\": {\"type\": \"chase\", \"count\": 1000, \"size\": 4096, "
		     "\"stride\": 64, \"pattern\": \"random\", \"ref\": \"b\"}"),
		"run: 1500 ns");
	TRANSLATES(
		TASK("\"memrun\": {\"type\": \"chase\", \"count\": 10, \"size\": 99999999}"),
		"run: 900 ns");
	TRANSLATES(
		TASK("\"memrun\": {\"type\": \"chase\", \"count\": 10, \"size\": 99999999, "
		     "\"pattern\": \"sequential\"}"),
		"run: 50 ns");
}

/* What a file may look like. */
static void test_text(void **state)
{
	(void)state;
	TRANSLATES(
		"/* c */ {\n\t// d\n\t\"tasks\": {\n\t\t\"t\": {\"run\": 1,},\n\t},\n}\n",
		"run: 1 us");
	/* the place of a complaint is that of the file */
	rt_refused("/* a\n b */ {\n\t// d\n\t\"tasks\": {\n\t\t\"t\": {\"rum\": 1}}}", 5,
		   9, "unknown key 'rum', expected 'run'?");
	expect_log(TASK("\"loop\": 1, \"run\": 3, \"sleep\": 2"), NS_PER_SEC,
		   "t-0 work 3000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),  cmocka_unit_test(test_loops),
		cmocka_unit_test(test_ending), cmocka_unit_test(test_global),
		cmocka_unit_test(test_timers), cmocka_unit_test(test_unique_timer),
		cmocka_unit_test(test_modes),  cmocka_unit_test(test_shared_timer),
		cmocka_unit_test(test_names),  cmocka_unit_test(test_properties),
		cmocka_unit_test(test_fork),   cmocka_unit_test(test_memory),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
