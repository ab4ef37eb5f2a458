/*
 * Where the rest of the scheduler heeds the node that a task prefers: a thread that is
 * forked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numa/balancing.h"
#include "sched_fixture.h"

#define MIB (1ull << 20)

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 1000 * NS_PER_SEC);
	return STEP_WORK;
}

static const struct sched_client hog = {.step = forever};

static void start(struct fixture *x, u32 cores, const char *options)
{
	fixture_init(x);
	fixture_machine(x, 2, 1, cores, 1);
	fixture_kernel(x, options);
	fixture_start(x, &hog, 1);
}

static u32 region(struct fixture *x, u32 process)
{
	struct region_attr attr = {
		.name = "r", .size = 64 * MIB, .page = 2 * MIB, .process = process};

	return sched_region_add(x->sched, &attr);
}

static struct task *worker(struct fixture *x, struct task *parent, u32 r)
{
	struct region_use use = {.region = r, .weight = 1};
	struct task_attr attr = {.comm = "w", .memory = &use, .nmemory = 1};

	return parent ? sched_fork(x->sched, parent, &attr)
		      : sched_spawn(x->sched, &attr, 0);
}

/* The node of what a task on node 0 forks that prefers `node`: a thread, or a process. */
static u32 forked(u32 cores, const char *options, u32 node, bool thread)
{
	struct fixture x;
	struct task *parent, *child;
	u32 r, found;

	start(&x, cores, options);
	r = region(&x, 0);
	parent = worker(&x, NULL, r);
	assert_int_equal(cpu_node(x.sched, parent->rq->cpu), 0);
	parent->mem->numa->preferred = node;
	child = worker(&x, parent, thread ? r : region(&x, 1));
	assert_int_equal(child->mem->numa->preferred, thread ? node : NODE_NONE);
	found = cpu_node(x.sched, child->rq->cpu);
	fixture_free(&x);
	return found;
}

static void test_fork(void **state)
{
	const char *old = "  balance.numa: quarter\n";

	(void)state;
	/* two may stay together on a node of 16, none of four */
	assert_int_equal(forked(16, "", NODE_NONE, true), 0);
	assert_int_equal(forked(16, "", 1, true), 1);
	assert_int_equal(forked(16, "", 1, false), 0);
	assert_int_equal(forked(16, old, 1, true), 1);
	assert_int_equal(forked(4, "", NODE_NONE, true), 1);
	assert_int_equal(forked(4, "", 0, true), 0);
	assert_int_equal(forked(4, "", 0, false), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
