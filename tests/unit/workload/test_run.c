/* The launcher, streams and names, recycling, what is bounded, and metrics of a run. */
#include "mock_sched.h"

#define HOGS                                                                        \
	"tasks:\n"                                                                  \
	"  hog: {count: 3, start: 20 ms, program: [loop: [run: 1 ms, count: n]]}\n" \
	"  one: {program: [run: forever]}\n"                                        \
	"  lone: {name: 'l%d', program: [sleep: {exp: 1 ms}, run: forever]}\n"      \
	"metrics: {n: {rate: n}}\n"

static void test_launch(void **state)
{
	static const char *const comm[] = {"hog0", "hog1", "hog2", "one", "l0"};
	struct mock k;

	(void)state;
	mock_open(&k, HOGS, 1);
	k.s->cost = 50 * NS_PER_US;
	mock_run(k.s, k.run, NS_PER_SEC);
	/* the launcher: outside of the groups, named as the workload (cut) */
	assert_true(k.s->task[0]->group == UINT32_MAX);
	assert_memory_equal(k.s->task[0]->comm, workload_name(k.w), 15);
	assert_int_equal(strlen(k.s->task[0]->comm), 15);
	assert_true(k.s->task[0]->when == TIME_NEVER);
	assert_int_equal(k.s->forks, 5);
	for (u32 i = 0; i < 5; i++) {
		assert_string_equal(k.s->task[i + 1]->comm, comm[i]);
		assert_int_equal(k.s->task[i + 1]->pid, i + 2);
		assert_int_equal(k.s->task[i + 1]->group, i < 3 ? 0 : i - 2);
	}
	assert_false(workload_done(k.run));
	mock_free(&k);
}

/* A session is one group; a cgroup goes before it; a child is in its parent's session. */
static void test_sessions(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "cgroups: {c: {}}\n"
		  "tasks:\n"
		  "  a: {session: one, program: [fork: y, run: forever]}\n"
		  "  b: {session: {name: two, nice: -5}, program: [run: forever]}\n"
		  "  d: {session: one, cgroup: c, program: [run: forever]}\n"
		  "  y: {count: 0, program: [run: forever]}\n"
		  "metrics: {s: {share: a, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(k.s->ngroup, 3);
	assert_int_equal(k.s->group[1].nice, 0);
	assert_int_equal(k.s->group[2].nice, -5);
	for (u32 i = 1; i < k.s->ntask; i++) {
		static const u32 of[] = {1, 2, 0, 1}; /* by entry */
		u32 entry = k.s->task[i]->group;

		assert_ptr_equal(k.s->task[i]->tg, &k.s->group[of[entry]]);
	}
	mock_free(&k);
}

/* What a cgroup is limited to reaches the scheduler; the period is 100 ms by default. */
static void test_cgroup_limits(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "cgroups:\n"
		  "  a: {max: {quota: 50 ms}}\n"
		  "  b: {max: {quota: 2 ms, period: 5 ms, burst: 1 ms}, idle: yes}\n"
		  "tasks:\n"
		  "  x: {cgroup: b, program: [run: forever]}\n"
		  "metrics: {s: {share: x, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(k.s->group[0].limit.quota, 50 * NS_PER_MS);
	assert_int_equal(k.s->group[0].limit.period, 100 * NS_PER_MS);
	assert_int_equal(k.s->group[0].limit.burst, 0);
	assert_false(k.s->group[0].idle);
	assert_int_equal(k.s->group[1].limit.quota, 2 * NS_PER_MS);
	assert_int_equal(k.s->group[1].limit.period, 5 * NS_PER_MS);
	assert_int_equal(k.s->group[1].limit.burst, NS_PER_MS);
	assert_true(k.s->group[1].idle);
	mock_free(&k);
}

/* Tasks are in the cgroup that their entry names; a forked child is where its parent is.
 */
static void test_cgroups(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "cgroups:\n"
		  "  a: {weight: 100}\n"
		  "  b: {weight: 300, parent: a}\n"
		  "tasks:\n"
		  "  x: {cgroup: b, program: [fork: y, run: forever]}\n"
		  "  y: {count: 0, program: [run: forever]}\n"
		  "  z: {program: [run: forever]}\n"
		  "metrics: {s: {share: x, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(k.s->ngroup, 2);
	assert_int_equal(k.s->group[0].shares, 1024);
	assert_int_equal(k.s->group[1].shares, 3072);
	assert_ptr_equal(k.s->group[1].parent, &k.s->group[0]);
	assert_int_equal(k.s->ntask, 4);
	for (u32 i = 1; i < 4; i++) {
		bool in_b = k.s->task[i]->group != 2;

		assert_ptr_equal(k.s->task[i]->tg, in_b ? (void *)&k.s->group[1] : NULL);
	}
	assert_null(k.s->task[0]->tg);
	mock_free(&k);
}

static void test_profiles(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "profiles:\n"
		  "  plain: {}\n"
		  "  avx: {licence: avx512, memory: 25 %, working-set: 1 MiB}\n"
		  "tasks:\n"
		  "  x: {profile: avx, program: [run: forever]}\n"
		  "  y: {program: [run: forever]}\n"
		  "metrics: {s: {share: x, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(k.s->nprofile, 2);
	assert_int_equal(k.s->profile[1].licence, 2);
	assert_int_equal(k.s->profile[1].memory, Q32_ONE / 4);
	assert_int_equal(k.s->profile[1].working_set, 1 << 20);
	assert_int_equal(k.s->task[1]->profile, 2);
	assert_int_equal(k.s->task[2]->profile, PROFILE_DEFAULT);
	mock_free(&k);
}

static void test_cookies(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "cgroups: {a: {cookie: yes}, b: {}}\n"
		  "tasks:\n"
		  "  x: {cookie: red, program: [fork: y, run: forever]}\n"
		  "  y: {count: 0, program: [run: forever]}\n"
		  "  z: {cookie: blue, program: [run: forever]}\n"
		  "  w: {cgroup: a, program: [run: forever]}\n"
		  "metrics: {s: {share: x, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_true(k.s->group[0].tagged);
	assert_false(k.s->group[1].tagged);
	for (u32 i = 1; i < k.s->ntask; i++) {
		static const u64 of_group[] = {100, 100, 101, 0};

		assert_int_equal(k.s->task[i]->cookie, of_group[k.s->task[i]->group]);
	}
	mock_free(&k);
}

/* A parameter says whether tasks are in a cgroup, and whether that is tagged. */
static void test_cgroup_if(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "params: {on: {default: 1}, off: {default: 0}}\n"
		  "cgroups: {a: {cookie: $on}, b: {cookie: $off}}\n"
		  "tasks:\n"
		  "  x: {cgroup: {name: a, if: $on}, program: [run: forever]}\n"
		  "  y: {cgroup: {name: b, if: $off}, program: [run: forever]}\n"
		  "metrics: {s: {share: x, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_true(k.s->group[0].tagged);
	assert_false(k.s->group[1].tagged);
	for (u32 i = 1; i < k.s->ntask; i++)
		assert_ptr_equal(k.s->task[i]->tg,
				 k.s->task[i]->group ? NULL : &k.s->group[0]);
	mock_free(&k);
}

/* prctl(PR_SCHED_CORE), cpu.tag and cgroup.threads of a program. */
static void test_cookie_operations(void **state)
{
	struct mock k;

	(void)state;
	mock_open(&k,
		  "cgroups: {a: {}, b: {cookie: yes}}\n"
		  "tasks:\n"
		  "  x:\n"
		  "    process-group: yes\n"
		  "    program:\n"
		  "      - fork: y\n"
		  "      - tag: a\n"
		  "      - untag: b\n"
		  "      - cgroup: a\n"
		  "      - cookie: create\n"
		  "      - cookie: {create: process-group}\n"
		  "      - cookie: {share-from: y}\n"
		  "      - cookie: {share-to: child, scope: process}\n"
		  "      - run: forever\n"
		  "  y: {thread: yes, count: 0, program: [run: forever]}\n"
		  "metrics: {s: {share: x, of: all}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_true(k.s->group[0].tagged);
	assert_false(k.s->group[1].tagged);
	assert_ptr_equal(k.s->task[1]->tg, &k.s->group[0]);
	assert_int_equal(k.s->share.self, k.s->task[1]->pid);
	assert_int_equal(k.s->share.op, CORE_SHARE_TO);
	assert_int_equal(k.s->share.pid, k.s->task[2]->pid);
	assert_int_equal(k.s->share.scope, CORE_PROCESS);
	assert_int_equal(k.s->shares, 4);
	mock_free(&k);
}

/* The seed moves starts (up to the jitter) and the launcher's CPU; nothing moves twice.
 */
static void test_seed(void **state)
{
	u32 cpus = 0, moved = 0;
	u64 first = 0;

	(void)state;
	for (u64 seed = 0; seed < 40; seed++) {
		struct mock k;
		u64 start;

		mock_open(&k, HOGS, seed);
		mock_run(k.s, k.run, 19 * NS_PER_MS);
		start = k.s->task[1]->timer;
		assert_in_range(start, 20 * NS_PER_MS, 21 * NS_PER_MS);
		assert_true(start != k.s->task[2]->timer);
		cpus |= 1u << k.s->launch_cpu;
		moved += start != first;
		first = start;
		mock_free(&k);
	}
	/* a CPU of 8 stays unseen in 40 draws with 8 * (7/8)^40 = 4 %; these are fixed */
	assert_int_equal(__builtin_popcount(cpus), 8);
	assert_int_equal(moved, 40);
}

/* Another order of events: the same tasks with the same draws. */
static void test_streams_follow_the_tree(void **state)
{
	u64 key[2][3];

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct mock k;

		mock_open(&k,
			  MOCK_HEAD
			  "fixed-work: yes\ntasks:\n"
			  "  p: {count: 2, program: [fork: c, run: 9 ms]}\n"
			  "  c: {template: yes, program: [run: 9 ms, count: n]}\n",
			  5);
		k.s->cost = i ? 2 * NS_PER_MS : 0;
		mock_run(k.s, k.run, 8 * NS_PER_MS);
		assert_int_equal(k.s->ntask, 5);
		key[i][0] = key[i][1] = key[i][2] = 0;
		for (u32 t = 1; t < 5; t++) {
			key[i][0] += k.s->task[t]->stream.key;
			key[i][1] ^= k.s->task[t]->stream.key;
			for (u32 u = 1; u < t; u++)
				assert_true(k.s->task[t]->stream.key !=
					    k.s->task[u]->stream.key);
		}
		mock_free(&k);
	}
	assert_memory_equal(key[0], key[1], sizeof(key[0]));
}

/* A million forks: the memory of the few that live at once. */
static void test_recycling(void **state)
{
	struct mock k;
	size_t before;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD
		  "fixed-work: yes\nduration: 1 h\ntasks:\n"
		  "  p: {program: [loop: {times: 250000, do: [fork: {task: c, count: 4}"
		  ", run: 1 us]}]}\n"
		  "  c: {template: yes, program: [begin: a, run: 1 us, end: a, "
		  "count: n]}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_MS);
	before = k.arena.total;
	mock_run(k.s, k.run, 3600 * NS_PER_SEC);
	assert_true(workload_done(k.run));
	assert_int_equal(k.s->exits, 1000001);
	assert_int_equal(k.arena.total, before);
	/* the CPU time of those who left is kept */
	assert_true(workload_group_cpu(k.run, k.s, 1) == 1000000 * NS_PER_US);
	mock_free(&k);
}

/* Programs that only a run can find out: a failure, never a hang. */
static void test_bounded(void **state)
{
	struct failure f;
	struct mock k;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD
		  "tasks:\n  t:\n    program:\n"
		  "      - loop: {times: 1000000, do: [loop: {times: 1000000, do: "
		  "[count: n]}]}\n"
		  "      - run: forever\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &f), -1);
	assert_non_null(strstr(f.what, "operations at one instant"));
	assert_int_equal(f.line, 6);
	mock_free(&k);
	/* forks that cost nothing and leave at once: the same bound, over all tasks */
	mock_open(&k,
		  MOCK_HEAD "tasks:\n"
			    "  t: {program: [fork: c, run: forever]}\n"
			    "  c: {template: yes, program: [count: n, fork: c]}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &f), -1);
	assert_non_null(strstr(f.what, "operations at one instant"));
	mock_free(&k);
}

/* One fork too many is a failure at the operation that asked for it. */
static void test_too_many(void **state)
{
	struct failure f;
	struct mock k;
	u32 steps = 0;

	(void)state;
	mock_open(&k,
		  MOCK_HEAD "tasks:\n"
			    "  t:\n    program:\n"
			    "      - fork: {task: c, count: 200000}\n"
			    "      - run: forever\n"
			    "  c: {template: yes, program: [sleep: 1 h, count: n]}\n",
		  1);
	for (u32 i = 0; i < 2; i++) /* pay, fork */
		mock_step(k.s, k.s->task[0]);
	/* only the parent steps: the mock's search for the next event would take long */
	do {
		mock_step(k.s, k.s->task[1]);
		steps++;
	} while (k.s->task[1]->doing == STEP_AGAIN);
	assert_int_equal(steps, 400000);
	assert_int_equal(k.s->ntask, 200001);
	assert_int_equal(workload_check(k.run, &f), -1);
	assert_non_null(strstr(f.what, "more than 200000 tasks alive"));
	assert_int_equal(f.line, 6);
	mock_free(&k);
}

#define SHARES                                                      \
	"start-jitter: 0\n"                                         \
	"tasks:\n"                                                  \
	"  a: {count: 2, program: [loop: [run: 1 ms, count: n]]}\n" \
	"  b: {program: [loop: [run: 1 ms, sleep: 1 ms]]}\n"        \
	"  short: {program: [run: 100 ms]}\n"                       \
	"metrics:\n"                                                \
	"  rate: {rate: n}\n"                                       \
	"  total: {total: n}\n"                                     \
	"  of_cpus: {share: a, of: cpus}\n"                         \
	"  of_all: {share: b, of: all, unit: '%'}\n"                \
	"  of_a: {share: b, of: a}\n"                               \
	"  cpu: {cpu: short, unit: ms}\n"

static void test_metrics(void **state)
{
	struct mock k;
	double v[6];
	bool has[6];

	(void)state;
	mock_open(&k, SHARES, 1);
	mock_run(k.s, k.run, 50 * NS_PER_MS);
	workload_measure_from_now(k.run, k.s);
	workload_metrics(k.run, k.s, v, has);
	assert_false(has[0]); /* no window yet */
	assert_false(has[3]);
	mock_run(k.s, k.run, 1050 * NS_PER_MS);
	workload_metrics(k.run, k.s, v, has);
	for (u32 i = 0; i < 6; i++)
		assert_true(has[i]);
	/* exact: 2 tasks, 1 ms each, 1 s */
	assert_true(v[0] == 2000.0);
	assert_true(v[1] == 2000.0);
	assert_near(v[2], 2.0 / 7, 1e-12); /* 7 online CPUs */
	assert_near(v[3], 100 * 0.5 / 2.55, 1e-9);
	assert_near(v[4], 0.25, 1e-12);
	assert_near(v[5], 50.0, 1e-9); /* left at 100 ms; 50 were before */
	mock_free(&k);
}

static void test_elapsed(void **state)
{
	struct mock k;
	double v;
	bool has;

	(void)state;
	mock_open(&k,
		  "start-jitter: 0\nfixed-work: yes\n"
		  "tasks: {t: {count: 2, start: 5 ms, program: [run: 10 ms]}}\n"
		  "metrics: {e: {elapsed: yes, unit: ms}}\n",
		  1);
	mock_run(k.s, k.run, 10 * NS_PER_MS);
	assert_false(workload_done(k.run));
	workload_metrics(k.run, k.s, &v, &has);
	assert_false(has);
	mock_run(k.s, k.run, 20 * NS_PER_MS);
	assert_true(workload_done(k.run));
	workload_metrics(k.run, k.s, &v, &has);
	assert_true(has);
	assert_near(v, 10.0, 1e-12); /* from the begin, not from the launch */
	mock_free(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launch),
		cmocka_unit_test(test_cgroups),
		cmocka_unit_test(test_cgroup_limits),
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_profiles),
		cmocka_unit_test(test_cookies),
		cmocka_unit_test(test_cgroup_if),
		cmocka_unit_test(test_cookie_operations),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_streams_follow_the_tree),
		cmocka_unit_test(test_recycling),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_elapsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
