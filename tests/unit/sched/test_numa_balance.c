/*
 * Where the rest of the scheduler heeds the node that a task prefers: a thread that is
 * forked, and the queue that load balancing between nodes takes from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "balance/env.h"
#include "numa/balancing.h"
#include "rt/rt.h"
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

static struct task *put(struct fixture *x, struct task *t, u32 cpu)
{
	class_dequeue(x->sched, t->rq, t);
	group_set_task_rq(t, cpu_rq(x->sched, cpu));
	class_enqueue(x->sched, cpu_rq(x->sched, cpu), t);
	return t;
}

static struct rq *busiest_of(struct fixture *x, struct env *env, const struct group *g)
{
	env->src = balance_busiest_rq(x->sched, env, g);
	return balance_numa_rq(x->sched, env, g);
}

/*
 * Seen from node 1: on node 0 CPU 0 has three tasks that are at home, CPU 1 has two that
 * prefer node 1. Which of them gives?
 */
static void test_queues(void **state)
{
	struct task_attr plain = {.comm = "p"};
	struct fixture x;
	struct task *t[5];
	struct env env = {.kind = MOVE_TASK, .imbalance = 1};
	const struct group *g;
	u32 r;

	(void)state;
	start(&x, 4, "");
	r = region(&x, 0);
	for (u32 i = 0; i < 5; i++) {
		t[i] = put(&x, worker(&x, NULL, r), i < 3 ? 0 : 1);
		t[i]->mem->numa->preferred = i < 3 ? 0 : 1;
	}
	env.dst = cpu_rq(x.sched, 4);
	for (env.sd = env.dst->sd; env.sd->parent; env.sd = env.sd->parent)
		;
	assert_true(env.sd->flags & SD_NUMA);
	env.cpus = x.sched->lb_mask;
	cpumask_copy(env.cpus, x.sched->possible);
	g = env.sd->groups->next;
	assert_true(cpumask_has(g->span, 0));

	/* within a node nobody asks */
	assert_ptr_equal(balance_busiest_rq(x.sched, &env, g), cpu_rq(x.sched, 0));
	assert_ptr_equal(busiest_of(&x, &env, g), cpu_rq(x.sched, 1));
	/* one without memory: it is the only one to be taken */
	put(&x, sched_spawn(x.sched, &plain, 0), 2);
	assert_ptr_equal(busiest_of(&x, &env, g), cpu_rq(x.sched, 2));
	/* all are at home: as ever */
	for (u32 i = 0; i < 5; i++)
		t[i]->mem->numa->preferred = 0;
	class_dequeue(x.sched, cpu_rq(x.sched, 2), x.sched->rq[2].mru_first);
	assert_ptr_equal(busiest_of(&x, &env, g), cpu_rq(x.sched, 0));
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
