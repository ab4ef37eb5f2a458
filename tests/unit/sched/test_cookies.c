/*
 * The life of cookies. prctl: what tools/testing/selftests/sched/cs_prctl_test.c of Linux
 * asserts, step by step, for two processes of three threads; cpu.tag: joining, leaving,
 * groups below, first tag on and last untag off.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core_fixture.h"

#define PROCESSES 2u
#define THREADS	  3u

struct family {
	struct fixture x;
	struct task *self, *other; /* another process, its children, is outside */
	struct task *process[PROCESSES], *thread[PROCESSES][THREADS];
};

/* self forks the processes, each forks its threads; all in self's process group. */
static void family_make(struct family *m, const char *kernel)
{
	struct task_attr attr = {.comm = "p"}, thread = {.comm = "t", .thread = true};

	core_setup(&m->x, 4, 2, kernel);
	m->self = core_hog(&m->x, 0, 0, false);
	m->other = core_hog(&m->x, 1, 0, false);
	core_run_to(&m->x, 5);
	for (u32 p = 0; p < PROCESSES; p++) {
		m->process[p] = sched_fork(m->x.sched, m->self, &attr);
		for (u32 t = 0; t < THREADS; t++)
			m->thread[p][t] = sched_fork(m->x.sched, m->process[p], &thread);
	}
}

static u64 cookie_of(struct family *m, const struct task *t)
{
	u64 cookie = UINT64_MAX;

	assert_int_equal(sched_core_share(m->x.sched, m->self, CORE_GET, task_pid(t),
					  CORE_THREAD, &cookie),
			 0);
	return cookie;
}

static int share(struct family *m, u32 op, const struct task *t, enum core_scope scope)
{
	return sched_core_share(m->x.sched, m->self, op, t ? task_pid(t) : 0, scope,
				NULL);
}

static void all_have(struct family *m, u64 cookie)
{
	assert_int_equal(cookie_of(m, m->self), cookie);
	for (u32 p = 0; p < PROCESSES; p++) {
		assert_int_equal(cookie_of(m, m->process[p]), cookie);
		for (u32 t = 0; t < THREADS; t++)
			assert_int_equal(cookie_of(m, m->thread[p][t]), cookie);
	}
}

static void test_prctl(void **state)
{
	struct task *pid, *thread;
	struct family m;
	u64 cookie = 1;

	(void)state;
	family_make(&m, "coresched-5.14");
	pid = m.process[0];
	thread = m.thread[0][1];
	/* at the start nobody has one */
	assert_false(m.x.sched->core_on);
	all_have(&m, 0);
	/* a new one for self's process group */
	assert_int_equal(share(&m, CORE_CREATE, NULL, CORE_PROCESS_GROUP), 0);
	assert_int_not_equal(cookie_of(&m, m.self), 0);
	all_have(&m, cookie_of(&m, m.self));
	assert_int_equal(cookie_of(&m, m.other), 0);
	assert_true(m.x.sched->core_on);
	/* a new one for a process: all its threads, nobody else */
	assert_int_equal(share(&m, CORE_CREATE, pid, CORE_PROCESS), 0);
	assert_int_not_equal(cookie_of(&m, pid), cookie_of(&m, m.self));
	assert_int_not_equal(cookie_of(&m, pid), 0);
	for (u32 t = 0; t < THREADS; t++)
		assert_int_equal(cookie_of(&m, m.thread[0][t]), cookie_of(&m, pid));
	assert_int_equal(cookie_of(&m, m.process[1]), cookie_of(&m, m.self));
	/* self's to one thread of that process: it alone */
	assert_int_equal(share(&m, CORE_SHARE_TO, pid, CORE_THREAD), 0);
	assert_int_equal(cookie_of(&m, pid), cookie_of(&m, m.self));
	for (u32 t = 0; t < THREADS; t++)
		assert_int_not_equal(cookie_of(&m, m.thread[0][t]), cookie_of(&m, pid));
	/* from one of its other threads to self */
	assert_int_equal(share(&m, CORE_SHARE_FROM, thread, CORE_THREAD), 0);
	assert_int_equal(cookie_of(&m, m.self), cookie_of(&m, thread));
	assert_int_not_equal(cookie_of(&m, pid), cookie_of(&m, thread));
	/* and to the process group again */
	assert_int_equal(share(&m, CORE_SHARE_TO, NULL, CORE_PROCESS_GROUP), 0);
	assert_int_not_equal(cookie_of(&m, m.self), 0);
	all_have(&m, cookie_of(&m, m.self));
	/* no such operation; an address where there is none to be */
	assert_int_equal(share(&m, 4, pid, CORE_THREAD), -EINVAL);
	assert_int_equal(sched_core_share(m.x.sched, m.self, CORE_SHARE_TO, task_pid(pid),
					  CORE_PROCESS_GROUP, &cookie),
			 -EINVAL);
	assert_int_equal(share(&m, CORE_SHARE_FROM, pid, CORE_PROCESS), -EINVAL);
	assert_int_equal(
		sched_core_share(m.x.sched, m.self, CORE_CREATE, 999, CORE_THREAD, NULL),
		-ESRCH);
	fixture_free(&m.x);
}

/* Without threads there is no prctl, without core scheduling no such prctl. */
static void test_prctl_not_there(void **state)
{
	struct family m;

	(void)state;
	family_make(&m, "coresched-5.14:smt=off");
	assert_int_equal(share(&m, CORE_CREATE, NULL, CORE_THREAD), -ENODEV);
	fixture_free(&m.x);
	family_make(&m, "linux-6.1");
	assert_int_equal(share(&m, CORE_CREATE, NULL, CORE_THREAD), -EINVAL);
	fixture_free(&m.x);
}

static void test_fork_inherits(void **state)
{
	struct task_attr attr = {.comm = "c"}, leads = {.comm = "l", .leads_group = true};
	struct task *child, *leader;
	struct family m;

	(void)state;
	family_make(&m, "coresched-5.14");
	share(&m, CORE_CREATE, NULL, CORE_THREAD);
	child = sched_fork(m.x.sched, m.self, &attr);
	leader = sched_fork(m.x.sched, m.self, &leads);
	assert_int_equal(child->cookie, m.self->cookie);
	assert_int_equal(leader->cookie, m.self->cookie);
	/* the scope of a process group ends at one that leads its own */
	share(&m, CORE_CREATE, NULL, CORE_PROCESS_GROUP);
	assert_int_equal(child->cookie, m.self->cookie);
	assert_int_not_equal(leader->cookie, m.self->cookie);
	fixture_free(&m.x);
}

/* Who is in a tagged cgroup has its cookie, and who leaves it has not. */
static void test_tag(void **state)
{
	struct task_group *a, *below, *b;
	struct task_attr attr = {.comm = "a"}, in_below = {.comm = "b"};
	struct task *t, *u, *v;
	struct fixture x;
	struct failure f;
	u64 of_a;

	(void)state;
	core_setup(&x, 2, 2, "coresched-v4");
	a = sched_group_new(x.sched, NULL, "a", 1024);
	below = sched_group_new(x.sched, a, "a/b", 1024);
	b = sched_group_new(x.sched, NULL, "b", 1024);
	attr.tg = a;
	in_below.tg = below;
	t = sched_spawn(x.sched, &attr, 0);
	u = core_hog(&x, 1, 0, false);
	v = sched_spawn(x.sched, &in_below, 2);
	core_run_to(&x, 10);
	assert_false(x.sched->core_on);
	sched_group_tag(x.sched, a, true);
	assert_true(x.sched->core_on);
	of_a = t->cookie;
	assert_int_not_equal(of_a, 0);
	assert_int_equal(u->cookie, 0);
	assert_int_equal(v->cookie, 0); /* groups below do not inherit */
	core_run_to(&x, 20);
	sched_join_group(x.sched, u, a); /* it runs, or waits */
	assert_int_equal(u->cookie, of_a);
	assert_int_equal(sched_check(x.sched, &f), 0);
	core_run_to(&x, 30);
	sched_join_group(x.sched, u, b);
	assert_int_equal(u->cookie, 0);
	core_run_to(&x, 40);
	/* the identity of a group, however often it is tagged; the last one turns it off
	 */
	sched_group_tag(x.sched, a, false);
	assert_int_equal(t->cookie, 0);
	assert_false(x.sched->core_on);
	core_run_to(&x, 50);
	sched_group_tag(x.sched, a, true);
	assert_int_equal(t->cookie, of_a);
	assert_true(x.sched->core_on);
	core_run_to(&x, 60);
	fixture_free(&x);

	core_setup(&x, 2, 2, "coresched-v4:core.tag_inherit=on");
	a = sched_group_new(x.sched, NULL, "a", 1024);
	in_below.tg = sched_group_new(x.sched, a, "a/b", 1024);
	v = sched_spawn(x.sched, &in_below, 2);
	sched_group_tag(x.sched, a, true);
	assert_int_equal(v->cookie, a->cookie);
	fixture_free(&x);
}

/* Once nothing is tagged who was forced idle runs at once. */
static void test_off_frees_the_idle(void **state)
{
	struct sched_totals totals;
	struct task *a, *b;
	struct fixture x;
	u64 before;

	(void)state;
	core_setup(&x, 1, 2, "coresched-v3"); /* one of two starves for ever */
	a = core_hog(&x, 0, 0, true);
	b = core_hog(&x, 1, 0, true);
	sched_set_cookie(x.sched, a, sched_cookie_new(x.sched));
	core_run_to(&x, 1000);
	sched_totals(x.sched, &totals);
	assert_true(totals.forced_idle_ns > 900 * NS_PER_MS);
	sched_set_cookie(x.sched, a, 0);
	assert_false(x.sched->core_on);
	before = core_ms(&x, a) + core_ms(&x, b);
	core_run_to(&x, 2000);
	assert_in_range(core_ms(&x, a) + core_ms(&x, b) - before, 1998, 2000);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prctl),
		cmocka_unit_test(test_prctl_not_there),
		cmocka_unit_test(test_fork_inherits),
		cmocka_unit_test(test_tag),
		cmocka_unit_test(test_off_frees_the_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
