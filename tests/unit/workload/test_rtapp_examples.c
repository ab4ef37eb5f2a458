/*
 * The examples that come with rt-app, if they are installed: each is loaded, bound and
 * run for a while, or refused for the reason that is written here.
 */
#include "rtapp_file.h"

#define EXAMPLES "/usr/share/doc/rt-app"

/* Those that cannot be honoured: the end of the path, and the reason. */
static const char *const refused[][2] = {
	{"/taskset.json", "the grammar of rt-app 0.x"},
	{"/merge/global.json", "no 'tasks'"}, /* parts of a file, to be put together */
	{"/merge/resources.json", "no 'tasks'"},
	{"/merge/thread0.json", "the grammar of rt-app 0.x"},
	{"/merge/thread1.json", "the grammar of rt-app 0.x"},
	{"/merge/thread2.json", "the grammar of rt-app 0.x"},
	{"/merge/thread3.json", "the grammar of rt-app 0.x"},
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static const char *reason(const char *path)
{
	for (u32 i = 0; i < ARRAY_SIZE(refused); i++)
		if (ends_with(path, refused[i][0]))
			return refused[i][1];
	return NULL;
}

static void try_file(const char *path)
{
	const char *why = reason(path);
	struct mock k = {0};
	int rc;

	arena_init(&k.arena);
	k.s = arena_new(&k.arena, struct sched);
	k.s->arena = &k.arena;
	k.s->machine = mock_machine(&k.arena);
	k.s->client = &k.client;
	k.s->slack = 50 * NS_PER_US;
	rc = workload_load(&k.arena, path, &k.w, &k.f) ||
	     workload_bind(&k.arena, k.w, k.s->machine, NULL, 0, &k.plan, &k.f);
	if (why && (!rc || !strstr(k.f.what, why)))
		fail_msg("%s: %s, wanted: %s", path, rc ? k.f.what : "accepted", why);
	if (!why) {
		if (rc)
			fail_msg("%s:%u:%u: %s", path, k.f.line, k.f.col, k.f.what);
		k.run = workload_start(&k.arena, k.plan, stream_root(1), &k.client);
		workload_launch(k.run, k.s);
		mock_run(k.s, k.run, NS_PER_SEC);
		if (workload_check(k.run, &k.f))
			fail_msg("%s: %u: %s", path, k.f.line, k.f.what);
		assert_true(k.s->forks > 0);
	}
	mock_free(&k);
}

static void test_examples(void **state)
{
	FILE *list = popen("find " EXAMPLES " -name '*.json' 2>/dev/null | sort", "r");
	char path[512];
	u32 n = 0;

	(void)state;
	assert_non_null(list);
	for (; fgets(path, sizeof(path), list); n++) {
		path[strcspn(path, "\n")] = '\0';
		try_file(path);
	}
	pclose(list);
	if (!n) {
		print_message("no examples in %s: the package rt-app is not installed\n",
			      EXAMPLES);
		skip();
	}
	print_message("%u examples\n", n);
	assert_true(n >= ARRAY_SIZE(refused));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
