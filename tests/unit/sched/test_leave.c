/*
 * A running task that has to leave its CPU, and that something else takes away first: it
 * moves once, and nothing of the first wish is left. What is sent where: its affinity,
 * exec and NUMA balancing send it; a push of the load balancer or its CPU's going offline
 * comes in between.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hotplug/hotplug.h"
#include "internal.h"
#include "sched_fixture.h"

#define EVERY 0xfu

static const char *const kernels[] = {
	"",
	"  fair.pick: eevdf\n",
	"  core: mainline\n",
	"  core: mainline\n  core.order: snapshot_root\n",
	"  core: v3\n",
	"  core: mainline\n  fair.pick: eevdf\n",
};

static enum step hog(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct cpumask *cpus(struct fixture *x, u64 bits)
{
	struct cpumask *m = cpumask_new(&x->arena, x->machine.ncpu);

	m->w[0] = bits;
	return m;
}

static struct task *spawn(struct fixture *x, u64 allowed)
{
	struct task_attr attr = {.comm = "t", .cpus = cpus(x, allowed)};

	return sched_spawn(x->sched, &attr, cpumask_first(attr.cpus));
}

static void run_for(struct fixture *x, u64 ns)
{
	u64 until = x->engine.now + ns;
	struct failure f;

	while (engine_step(&x->engine, until))
		if (sched_check(x->sched, &f))
			fail_msg("%s", f.what);
}

/*
 * Two cores of two threads; on CPU 0 runs the task that is returned, and another one
 * waits that cannot run elsewhere: what runs twice on one queue or is counted off another
 * one shows in its count.
 */
static struct task *setup(struct fixture *x, const char *options)
{
	static const struct sched_client client = {.step = hog};
	struct task *t;

	fixture_init(x);
	fixture_machine(x, 1, 1, 2, 2);
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
	t = spawn(x, 1);
	run_for(x, 100 * NS_PER_US);
	spawn(x, 1);
	if (strstr(options, "core"))
		for (u32 i = 0; i < x->sched->nr_tasks; i++)
			sched_set_cookie(x->sched, x->sched->task[i], 1);
	run_for(x, 100 * NS_PER_US);
	while (x->sched->rq[0].curr != t)
		run_for(x, NS_PER_MS);
	return t;
}

static u64 seen(const struct fixture *x, enum decision d)
{
	return x->sched->totals.decisions[d];
}

/* What active_load_balance_cpu_stop() is to do, in the interrupt that is under way. */
static void ask_push(struct fixture *x, u32 to)
{
	struct rq *rq = cpu_rq(x->sched, 0);

	rq->push_cpu = to;
	rq->ipi_work |= IPI_PUSH;
	cpu_kick(x->sched, rq, to);
}

static void affinity(struct fixture *x, struct task *t, u64 allowed)
{
	struct failure f;

	assert_int_equal(sched_set_affinity(x->sched, t, cpus(x, allowed), &f), 0);
}

/* Both come with one interrupt: the push has been first, the rest is void. */
static void moved_once(struct fixture *x, const struct task *t, u32 to, u64 before)
{
	run_for(x, 100 * NS_PER_US);
	assert_int_equal(t->rq->cpu, to);
	assert_false(t->must_move);
	assert_int_equal(t->move_to, CPU_NONE);
	assert_int_equal(x->sched->totals.migrations, before + 1);
	assert_int_equal(seen(x, DEC_BALANCE_ACTIVE), 1);
	assert_int_equal(seen(x, DEC_AFFINITY_MOVE), 0);
}

static void test_affinity_and_push(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct fixture x;
		struct task *t = setup(&x, kernels[i]);
		u64 before = x.sched->totals.migrations;

		affinity(&x, t, 1u << 2 | 1u << 3);
		assert_true(t->must_move);
		ask_push(&x, 3);
		moved_once(&x, t, 3, before);
		fixture_free(&x);
	}
}

/* Sent to CPU 2, as exec and NUMA balancing do it. */
static void send(struct fixture *x, struct task *t)
{
	affinity(x, t, EVERY);
	assert_false(t->must_move);
	t->move_to = 2;
	task_must_move(x->sched, t);
}

static void test_sent_and_push(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct fixture x;
		struct task *t = setup(&x, kernels[i]);
		u64 before = x.sched->totals.migrations;

		send(&x, t);
		ask_push(&x, 3);
		moved_once(&x, t, 3, before);
		fixture_free(&x);
	}
}

/* The same without a push: it gets where it was sent. */
static void test_sent(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct fixture x;
		struct task *t = setup(&x, kernels[i]);
		u64 before = x.sched->totals.migrations;

		send(&x, t);
		run_for(&x, 100 * NS_PER_US);
		assert_int_equal(t->rq->cpu, 2);
		assert_int_equal(x.sched->totals.migrations, before + 1);
		fixture_free(&x);
	}
}

/*
 * Its CPU goes offline before it can leave: it is where hotplug has put it, and when its
 * affinity changes later, it goes where that says (the first CPU that is allowed).
 */
static void test_sent_and_offline(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct fixture x;
		struct task *t = setup(&x, kernels[i]);

		affinity(&x, t, EVERY);
		t->must_move = true;
		t->move_to = 3;
		sched_hotplug(x.sched, x.engine.now, HOTPLUG_OFFLINE, cpus(&x, 1));
		run_for(&x, 100 * NS_PER_US);
		assert_int_equal(t->rq->cpu, 1);
		assert_false(t->must_move);
		assert_int_equal(t->move_to, CPU_NONE);
		while (x.sched->rq[1].curr != t)
			run_for(&x, NS_PER_MS);
		affinity(&x, t, 1u << 2 | 1u << 3);
		run_for(&x, 100 * NS_PER_US);
		assert_int_equal(t->rq->cpu, 2);
		fixture_free(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_affinity_and_push),
		cmocka_unit_test(test_sent_and_push),
		cmocka_unit_test(test_sent),
		cmocka_unit_test(test_sent_and_offline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
