/* A reader in a child process: what it says arrives, and its death is a plain failure. */
#include "helpers.h"

#include <signal.h>
#include <sys/wait.h>

#include "topo.h"

#define SECONDS 60u

static int read_machine(struct topo *t, const struct topo_text *in, struct failure *f)
{
	(void)in;
	(void)f;
	t->ncpu = MACHINE_MAX_CPUS; /* more than a pipe holds */
	t->cpu = arena_array(t->arena, struct topo_cpu, t->ncpu);
	for (u32 i = 0; i < t->ncpu; i++)
		t->cpu[i] = (struct topo_cpu){.os = 2 * i, .core = i + 1ull, .node = 7};
	topo_node_add(t, 7, 4096);
	topo_node_add(t, 9, 8192);
	t->distance = arena_array(t->arena, u32, 4);
	for (u32 i = 0; i < 4; i++)
		t->distance[i] = 10 + i;
	t->ncache = 1;
	t->cache[0] = (struct machine_cache){.level = 3, .cpus = 2};
	return 0;
}

static int read_refused(struct topo *t, const struct topo_text *in, struct failure *f)
{
	(void)t;
	return fail_input(f, in->file, 3, 4, "%.*s, expected more", (int)in->len,
			  in->text);
}

static int read_abort(struct topo *t, const struct topo_text *in, struct failure *f)
{
	(void)t;
	(void)in;
	(void)f;
	fprintf(stderr, "this must not be seen\n");
	abort();
}

static int read_killed(struct topo *t, const struct topo_text *in, struct failure *f)
{
	(void)t;
	(void)in;
	(void)f;
	return raise(SIGKILL);
}

static int read_exits(struct topo *t, const struct topo_text *in, struct failure *f)
{
	(void)t;
	(void)in;
	(void)f;
	_exit(0);
}

static int read_forever(struct topo *t, const struct topo_text *in, struct failure *f)
{
	(void)t;
	(void)in;
	(void)f;
	while (pause())
		continue;
	return 0;
}

static int read_too_many(struct topo *t, const struct topo_text *in, struct failure *f)
{
	read_machine(t, in, f);
	t->nnode = MACHINE_MAX_NODES + 1;
	return 0;
}

static const struct topo_text text = {"some.xml", "text", 4};

static void arrives(struct bench *b)
{
	struct topo t = {.arena = &b->arena};
	struct failure f = {0};

	assert_int_equal(topo_in_child(&t, read_machine, &text, SECONDS, &f), 0);
	assert_ptr_equal(t.arena, &b->arena);
	assert_int_equal(t.ncpu, MACHINE_MAX_CPUS);
	assert_int_equal(t.cpu[t.ncpu - 1].os, 2 * (t.ncpu - 1));
	assert_int_equal(t.cpu[t.ncpu - 1].core, t.ncpu);
	assert_int_equal(t.nnode, 2);
	assert_int_equal(t.node[1].memory, 8192);
	assert_int_equal(t.distance[3], 13);
	assert_int_equal(t.ncache, 1);
	assert_int_equal(t.cache[0].level, 3);
	for (u32 i = 0; i < MACHINE_MAX_NODES; i++)
		topo_node_add(&t, i, 0);
	assert_int_equal(t.nnode, MACHINE_MAX_NODES);
}

static void test_arrives(void **state)
{
	arrives(*state);
}

static const char *fails(struct bench *b, topo_reader *read_it, u32 seconds)
{
	struct topo t = {.arena = &b->arena};
	struct failure f = {0};

	assert_int_equal(topo_in_child(&t, read_it, &text, seconds, &f), -1);
	assert_int_equal(f.kind, FAIL_INPUT);
	fail_format(&f, b->error, sizeof(b->error));
	return b->error;
}

static void test_fails(void **state)
{
	struct bench *b = *state;

	assert_string_equal(fails(b, read_refused, SECONDS),
			    "some.xml:3:4: text, expected more");
	has(fails(b, read_abort, SECONDS), "some.xml: hwloc crashes on this (signal 6), "
					   "expected a topology as written by");
	has(fails(b, read_killed, SECONDS), "crashes on this (signal 9), expected");
	has(fails(b, read_exits, SECONDS), "gives up on this, expected");
	has(fails(b, read_too_many, SECONDS), "gives up on this, expected");
	has(fails(b, read_forever, 1), "not done with this after 1 s, expected");
	assert_int_equal(waitpid(-1, NULL, 0), -1); /* nobody is left */
}

static void never(int sig)
{
	(void)sig;
	_exit(1);
}

/* Whatever the caller does with signals: it stays, and stays out of the child. */
static void test_signals_of_caller(void **state)
{
	sigset_t set, before, after;

	signal(SIGABRT, never);
	signal(SIGALRM, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, &before);
	has(fails(*state, read_abort, SECONDS), "signal 6");
	has(fails(*state, read_forever, 1), "after 1 s");
	sigprocmask(SIG_SETMASK, &before, &after);
	assert_true(sigismember(&after, SIGALRM) && sigismember(&after, SIGINT));
	assert_false(sigismember(&after, SIGTERM));
	assert_ptr_equal(signal(SIGALRM, SIG_DFL), SIG_IGN);
	assert_ptr_equal(signal(SIGABRT, SIG_DFL), never);
	signal(SIGCHLD, SIG_IGN); /* the kernel collects children: no status */
	arrives(*state);
	has(fails(*state, read_abort, SECONDS), "gives up on this");
	signal(SIGCHLD, SIG_DFL);
}

/* No descriptor is left open, after none of the ends. */
static void test_descriptors(void **state)
{
	int before = dup(0), after;

	close(before);
	arrives(*state);
	fails(*state, read_abort, SECONDS);
	fails(*state, read_refused, SECONDS);
	after = dup(0);
	close(after);
	assert_int_equal(before, after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)
		T(test_arrives),
		T(test_fails),
		T(test_signals_of_caller),
		T(test_descriptors),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
