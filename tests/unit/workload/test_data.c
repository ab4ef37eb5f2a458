/* Every workload file of the tree loads, says where it comes from, binds and shows. */
#include "mock_sched.h"

#include <glob.h>

static void check_file(const char *path)
{
	struct mock k = {0};
	struct text out = {0};
	u32 ngroups;

	arena_init(&k.arena);
	if (workload_load(&k.arena, path, &k.w, &k.f) ||
	    workload_bind(&k.arena, k.w, mock_machine(&k.arena), NULL, 0, &k.plan, &k.f))
		fail_msg("%s:%u:%u: %s", k.f.file, k.f.line, k.f.col, k.f.what);
	assert_true(*workload_description(k.w) != '\0');
	ngroups = plan_groups(k.plan);
	assert_true(ngroups > 0);
	assert_true(plan_metrics(k.plan) > plan_main_metric(k.plan));
	assert_true(plan_warmup(k.plan) < plan_duration(k.plan));
	workload_show(k.w, &out);
	assert_non_null(strstr(out.s, workload_name(k.w)));
	if (strstr(out.s, "not given"))
		fail_msg("%s: no source", path);
	text_free(&out);
	arena_free(&k.arena);
}

static void test_all_files(void **state)
{
	glob_t g;

	(void)state;
	assert_int_equal(glob(SIBYL_SOURCE_DATA "/workloads/*.yaml", 0, NULL, &g), 0);
	assert_true(g.gl_pathc >= 30);
	for (size_t i = 0; i < g.gl_pathc; i++)
		check_file(g.gl_pathv[i]);
	globfree(&g);
}

/* What a derived file sets is what its name says. */
static void test_recorded(void **state)
{
	static const struct {
		const char *name, *params;
		u64 duration;
	} want[] = {
		{"hogs16", "hogs=16 seconds=3 s setup=13 us stop=0", 3040 * NS_PER_MS},
		{"hogs1x10", "hogs=10 seconds=2 s", 2070 * NS_PER_MS},
		{"s8_hogs100", "hogs=100 seconds=2 s setup=2 us stop=0",
		 2040 * NS_PER_MS},
		{"per8hog16", "hogs=16 seconds=3 s period=10 ms", 3050 * NS_PER_MS},
		{"nu_fork200", "children=200 spin=5 ms rcu=0 kthreads=0",
		 60 * NS_PER_SEC},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct mock k = {0};
		char path[512];

		arena_init(&k.arena);
		snprintf(path, sizeof(path), "%s/workloads/%s.yaml", SIBYL_SOURCE_DATA,
			 want[i].name);
		mock_must(&k, workload_load(&k.arena, path, &k.w, &k.f));
		mock_must(&k, workload_bind(&k.arena, k.w, mock_machine(&k.arena), NULL,
					    0, &k.plan, &k.f));
		assert_string_equal(workload_name(k.w), want[i].name);
		assert_string_equal(plan_params(k.plan), want[i].params);
		assert_true(plan_duration(k.plan) == want[i].duration);
		arena_free(&k.arena);
	}
}

/* The recorded program loop, step by step, as `wl` does it. */
static void test_recorded_steps(void **state)
{
	struct mock k = {0};
	struct param p = {"seconds", "400 ms"};

	(void)state;
	arena_init(&k.arena);
	k.s = arena_new(&k.arena, struct sched);
	k.s->arena = &k.arena;
	k.s->machine = mock_machine(&k.arena);
	k.s->client = &k.client;
	k.s->log_on = true;
	mock_must(&k, workload_load(&k.arena, SIBYL_SOURCE_DATA "/workloads/nice1.yaml",
				    &k.w, &k.f));
	mock_must(&k, workload_bind(&k.arena, k.w, k.s->machine, &p, 1, &k.plan, &k.f));
	k.run = workload_start(&k.arena, k.plan, stream_root(1), &k.client);
	workload_launch(k.run, k.s);
	mock_run(k.s, k.run, 500 * NS_PER_MS);
	/* names as recorded; nice, then affinity, then the sleep until 20 ms; then loops
	 */
	assert_non_null(strstr(k.s->log.s, "0 n50 nice 25\n"));
	assert_non_null(strstr(k.s->log.s, "0 n50 affinity 1\n"));
	assert_non_null(strstr(k.s->log.s, "0 n50 sleep 20"));
	assert_true(strstr(k.s->log.s, "n50 nice") < strstr(k.s->log.s, "n50 affinity"));
	assert_true(strstr(k.s->log.s, "n50 affinity") < strstr(k.s->log.s, "n50 sleep"));
	assert_non_null(strstr(k.s->log.s, "m50 cputime 1000000\n"));
	assert_int_equal(k.s->exits, 3);
	mock_free(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_files),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_recorded_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
