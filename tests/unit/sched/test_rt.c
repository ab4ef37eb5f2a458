/*
 * The real-time class by hand: order of the queue, turns of SCHED_RR, throttling, who
 * preempts whom, where a task wakes up, push and pull. Each test plays a few tasks whose
 * programs are rows of a table: run so long, sleep so long, or for ever.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rt/rt.h"
#include "sched_fixture.h"

#define MS NS_PER_MS

struct actor {
	u64 start, run,
		sleep; /* ns; run = 0: for ever; sleep = 0: leaves after its run */
	bool runs, started;
};

static enum step act(void *ctx, struct sched *s, struct task *t)
{
	struct actor *a = task_program(t);

	(void)ctx;
	if (!a->started) {
		a->started = true;
		if (a->start) {
			sched_sleep_until(s, t, a->start);
			return STEP_BLOCK;
		}
	}
	a->runs = !a->runs;
	if (a->runs) {
		task_set_amount(t, a->run ? a->run : WORK_FOREVER);
		return STEP_WORK;
	}
	if (!a->sleep)
		return STEP_EXIT;
	sched_sleep_until(s, t, sched_now(s) + a->sleep);
	return STEP_BLOCK;
}

static void setup(struct fixture *x, u32 nodes, u32 cores, const char *options)
{
	struct sched_client client = {.step = act};

	fixture_init(x);
	fixture_machine(x, nodes, 1, cores, 1);
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
}

/* cpu: bound to that one; CPU_NONE = free, made on CPU 0. */
static struct task *actor(struct fixture *x, enum task_policy policy, u32 prio, u32 cpu,
			  struct actor how)
{
	struct cpumask *mask = cpumask_new(&x->arena, x->machine.ncpu);
	struct actor *a = arena_new(&x->arena, struct actor);
	struct task_attr attr = {
		.comm = "a", .policy = policy, .rt_priority = prio, .program = a};

	*a = how;
	if (cpu != CPU_NONE) {
		cpumask_set(mask, cpu);
		attr.cpus = mask;
	}
	return sched_spawn(x->sched, &attr, cpu == CPU_NONE ? 0 : cpu);
}

static void until(struct fixture *x, u64 when)
{
	struct failure f;

	while (engine_step(&x->engine, when))
		if (sched_check(x->sched, &f))
			fail_msg("%s", f.what);
}

static u64 used(const struct fixture *x, const struct task *t)
{
	return task_cpu_time(x->sched, t);
}

static u64 counted(const struct fixture *x, enum decision d)
{
	return x->sched->totals.decisions[d];
}

/* First in, first out within a priority; the highest priority first. */
static void test_order(void **state)
{
	static const u32 prio[] = {5, 99, 5, 1, 64, 63, 99},
			 want[] = {1, 6, 4, 5, 0, 2, 3};
	struct task *t[ARRAY_SIZE(prio)];
	struct fixture x;
	struct rq *rq;

	(void)state;
	setup(&x, 1, 1, "");
	rq = cpu_rq(x.sched, 0);
	for (u32 i = 0; i < ARRAY_SIZE(prio); i++)
		t[i] = actor(&x, POLICY_FIFO, prio[i], 0, (struct actor){0});
	assert_int_equal(rq->nr_running, ARRAY_SIZE(prio));
	assert_int_equal(rt_highest(rq), 99);
	/* behind its equals, before them */
	rt_requeue(x.sched, rq, t[1], false);
	assert_ptr_equal(rt_pick(rq), t[6]);
	rt_requeue(x.sched, rq, t[1], true);
	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		assert_ptr_equal(rt_pick(rq), t[want[i]]);
		rt_dequeue(x.sched, rq, t[want[i]]);
	}
	assert_null(rt_pick(rq));
	assert_int_equal(rq->nr_running, 0);
	fixture_free(&x);
}

/* Who is preempted goes on before its equals when the other has gone. */
static void test_preempted_stays_first(void **state)
{
	struct task *first, *second;
	struct fixture x;

	(void)state;
	setup(&x, 1, 1, "");
	first = actor(&x, POLICY_FIFO, 10, 0, (struct actor){0});
	second = actor(&x, POLICY_FIFO, 10, 0, (struct actor){0});
	actor(&x, POLICY_FIFO, 11, 0, (struct actor){.start = 5 * MS, .run = MS});
	until(&x, 50 * MS);
	assert_int_equal(used(&x, second), 0);
	assert_true(used(&x, first) > 48 * MS);
	fixture_free(&x);
}

/* 100 ms each, on ticks of 4 ms; FIFO takes no turns, nor do other priorities. */
static void test_round_robin(void **state)
{
	struct task *a, *b, *low, *fifo;
	struct fixture x;

	(void)state;
	setup(&x, 1, 2, "  rt.runtime: 1 s\n");
	a = actor(&x, POLICY_RR, 10, 0, (struct actor){0});
	b = actor(&x, POLICY_RR, 10, 0, (struct actor){0});
	low = actor(&x, POLICY_RR, 9, 0, (struct actor){0});
	until(&x, 90 * MS);
	assert_int_equal(used(&x, b), 0);
	until(&x, 190 * MS);
	/* a slice is 25 ticks, the first of which may be cut short by a tick */
	assert_in_range(used(&x, a), 96 * MS, 100 * MS);
	until(&x, 1000 * MS);
	assert_in_range(used(&x, b), 398 * MS, 502 * MS);
	assert_int_equal(used(&x, low), 0);
	assert_int_equal(counted(&x, DEC_RT_ROUND_ROBIN), 10);
	fifo = actor(&x, POLICY_FIFO, 10, 1, (struct actor){0});
	b = actor(&x, POLICY_RR, 10, 1, (struct actor){0});
	until(&x, 1500 * MS);
	assert_int_equal(used(&x, b), 0);
	assert_true(used(&x, fifo) > 499 * MS);
	fixture_free(&x);
}

/* 950 ms of each second at most, then the fair tasks have the CPU, or nobody. */
static void test_throttle(void **state)
{
	struct task *rt, *fair;
	struct sched_totals totals;
	struct fixture x;

	(void)state;
	setup(&x, 1, 2, "");
	rt = actor(&x, POLICY_FIFO, 50, 0, (struct actor){0});
	fair = actor(&x, POLICY_OTHER, 0, 0, (struct actor){0});
	actor(&x, POLICY_FIFO, 50, 1,
	      (struct actor){0}); /* alone: idle while throttled */
	until(&x, 10 * NS_PER_SEC);
	/* noticed at a tick, 4 ms late at most, which the next period pays */
	assert_in_range(used(&x, rt), 9500 * MS, 9504 * MS);
	assert_in_range(used(&x, fair), 496 * MS, 500 * MS);
	assert_int_equal(counted(&x, DEC_RT_THROTTLED), 20);
	sched_totals(x.sched, &totals);
	assert_in_range(totals.idle_ns, 496 * MS, 500 * MS);
	fixture_free(&x);

	/* no limit */
	setup(&x, 1, 1, "  rt.runtime: 1 s\n");
	actor(&x, POLICY_FIFO, 50, 0, (struct actor){0});
	fair = actor(&x, POLICY_OTHER, 0, 0, (struct actor){0});
	until(&x, 3 * NS_PER_SEC);
	assert_int_equal(used(&x, fair), 0);
	fixture_free(&x);
}

/* Across classes, and with no timer slack: a fair task of nice -20 does not delay it. */
static void test_wakeup_preemption(void **state)
{
	struct task *hog, *rt, *idle;
	struct fixture x;

	(void)state;
	setup(&x, 1, 1, "");
	hog = actor(&x, POLICY_OTHER, 0, 0, (struct actor){0});
	sched_set_nice(x.sched, hog, -20);
	idle = actor(&x, POLICY_OTHER, 0, 0, (struct actor){.run = MS, .sleep = MS});
	rt = actor(&x, POLICY_FIFO, 1, 0,
		   (struct actor){.start = 10 * MS, .run = MS, .sleep = 9 * MS});
	/* its first wake-up costs microseconds of the kernel, not a slice */
	until(&x, 10 * MS + 20 * NS_PER_US);
	assert_ptr_equal(x.sched->rq[0].curr, rt);
	until(&x, 1000 * MS);
	assert_in_range(used(&x, rt), 98 * MS, 101 * MS);
	assert_int_equal(
		counted(&x, DEC_RT_PREEMPTS) + counted(&x, DEC_PREEMPT_IDLE) > 98, 1);
	assert_true(counted(&x, DEC_RT_FAIR_WAITS) > 0 || used(&x, idle) > 0);
	fixture_free(&x);
}

/* Equals, or one that cannot leave, on its CPU: it goes where the priority is lowest. */
static void test_select(void **state)
{
	struct task *nine, *free;
	struct fixture x;

	(void)state;
	setup(&x, 2, 2, "");
	actor(&x, POLICY_FIFO, 10, 0, (struct actor){0});
	free = actor(&x, POLICY_FIFO, 10, CPU_NONE, (struct actor){0});
	until(&x, MS);
	assert_int_equal(task_cpu(free), 1);
	/* its node has higher ones only */
	nine = actor(&x, POLICY_FIFO, 9, CPU_NONE, (struct actor){0});
	until(&x, 2 * MS);
	assert_in_range(task_cpu(nine), 2, 3);
	/* there is one CPU left; then it is the one of 9, who has nowhere to go */
	free = actor(&x, POLICY_FIFO, 20, CPU_NONE, (struct actor){0});
	until(&x, 3 * MS);
	assert_int_equal(task_cpu(free), 5 - task_cpu(nine));
	free = actor(&x, POLICY_FIFO, 30, CPU_NONE, (struct actor){0});
	until(&x, 4 * MS);
	assert_ptr_equal(cpu_rq(x.sched, task_cpu(nine))->curr, free);
	fixture_free(&x);
}

/* One of lower priority that can leave is preempted where the wakee was, and leaves. */
static void test_stays(void **state)
{
	struct task *low, *high;
	struct fixture x;

	(void)state;
	setup(&x, 1, 2, "");
	low = actor(&x, POLICY_FIFO, 5, CPU_NONE, (struct actor){0});
	high = actor(&x, POLICY_RR, 6, CPU_NONE, (struct actor){0});
	until(&x, MS);
	assert_ptr_equal(x.sched->rq[0].curr, high);
	assert_ptr_equal(x.sched->rq[1].curr, low);
	assert_int_equal(counted(&x, DEC_RT_STAYS), 2);
	assert_int_equal(counted(&x, DEC_RT_PUSH), 1);
	fixture_free(&x);
}

/* Who is preempted and may move is pushed to a CPU of lower priority at once. */
static void test_push(void **state)
{
	struct task *low, *high;
	struct fixture x;

	(void)state;
	setup(&x, 1, 2, "");
	low = actor(&x, POLICY_FIFO, 5, CPU_NONE, (struct actor){0});
	until(&x, MS);
	assert_int_equal(task_cpu(low), 0);
	high = actor(&x, POLICY_FIFO, 6, 0, (struct actor){0});
	until(&x, 2 * MS);
	assert_ptr_equal(x.sched->rq[0].curr, high);
	assert_ptr_equal(x.sched->rq[1].curr, low);
	assert_int_equal(counted(&x, DEC_RT_PUSH), 1);
	fixture_free(&x);
}

/* Of two equals the one that is bound has the CPU, the other one leaves. */
static void test_equal_priority(void **state)
{
	struct task *freely, *bound;
	struct fixture x;

	(void)state;
	setup(&x, 1, 2, "");
	freely = actor(&x, POLICY_FIFO, 5, CPU_NONE, (struct actor){0});
	until(&x, MS);
	bound = actor(&x, POLICY_FIFO, 5, task_cpu(freely), (struct actor){0});
	until(&x, 2 * MS);
	assert_ptr_equal(x.sched->rq[0].curr, bound);
	assert_ptr_equal(x.sched->rq[1].curr, freely);
	fixture_free(&x);
}

/* Two CPUs of high priority, one of which ends: it gets the task that waits. */
static void pulled(const char *options, enum decision how)
{
	struct task *waits;
	struct fixture x;

	setup(&x, 1, 2, options);
	actor(&x, POLICY_FIFO, 9, 1, (struct actor){.run = 10 * MS});
	actor(&x, POLICY_FIFO, 9, 0, (struct actor){0});
	until(&x, MS);
	waits = actor(&x, POLICY_FIFO, 8, CPU_NONE, (struct actor){0});
	until(&x, 9 * MS);
	assert_int_equal(used(&x, waits), 0);
	assert_int_equal(task_cpu(waits), 0);
	until(&x, 11 * MS);
	assert_ptr_equal(x.sched->rq[1].curr, waits);
	assert_int_equal(counted(&x, how), 1);
	fixture_free(&x);
}

static void test_pull(void **state)
{
	(void)state;
	pulled("", DEC_RT_ASKED);
	pulled("  rt.push_ipi: off\n", DEC_RT_PULL);
}

/* From one class to the other and back: load and virtual time come back to the queue. */
static void test_change_of_class(void **state)
{
	struct task *a, *b;
	struct fixture x;
	u64 load, had;

	(void)state;
	setup(&x, 1, 1, "");
	a = actor(&x, POLICY_OTHER, 0, 0, (struct actor){0});
	b = actor(&x, POLICY_OTHER, 0, 0, (struct actor){0});
	until(&x, 400 * MS);
	load = x.sched->rq[0].cfs.avg.load_avg;
	sched_set_policy(x.sched, b, POLICY_FIFO, 3);
	assert_int_equal(task_rt_priority(b), 3);
	assert_in_range(x.sched->rq[0].cfs.avg.load_avg, load * 4 / 10, load * 6 / 10);
	had = used(&x, a);
	until(&x, 500 * MS);
	assert_true(used(&x, a) - had < MS);
	sched_set_policy(x.sched, b, POLICY_OTHER, 0);
	assert_int_equal(task_rt_priority(b), 0);
	until(&x, 900 * MS);
	/* as before, it pays nothing for what it had as a real-time task */
	assert_in_range(used(&x, a) - had, 185 * MS, 215 * MS);
	/* asleep */
	b = actor(&x, POLICY_OTHER, 0, 0, (struct actor){.run = MS, .sleep = 500 * MS});
	until(&x, 1000 * MS);
	sched_set_policy(x.sched, b, POLICY_RR, 7);
	assert_int_equal(b->state, TASK_RT_SLEEPING);
	sched_set_policy(x.sched, b, POLICY_BATCH, 0);
	assert_int_equal(b->state, TASK_SLEEPING);
	until(&x, 2000 * MS);
	assert_true(used(&x, b) > MS);
	fixture_free(&x);
}

/* Core-wide: the real-time task of another cookie has the core, its sibling idles. */
static void test_core(void **state)
{
	struct sched_client client = {.step = act};
	struct sched_totals totals;
	struct task *rt, *fair;
	struct fixture x;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 1, 2);
	fixture_kernel(&x, "  core: mainline\n  rt.runtime: 1 s\n");
	fixture_start(&x, &client, 1);
	fair = actor(&x, POLICY_OTHER, 0, 0, (struct actor){0});
	rt = actor(&x, POLICY_FIFO, 1, 1, (struct actor){0});
	sched_set_cookie(x.sched, fair, sched_cookie_new(x.sched));
	sched_set_cookie(x.sched, rt, sched_cookie_new(x.sched));
	until(&x, 1000 * MS);
	sched_totals(x.sched, &totals);
	assert_true(used(&x, rt) > 998 * MS);
	assert_true(used(&x, fair) < MS);
	assert_int_equal(totals.cross_cookie_leak_ns, 0);
	fixture_free(&x);
}

/* A waker bound to CPU 0 and a sleeper that ran there: it stays, or finds an idle CPU. */
static struct task *sleeper;

static enum step wake_it(void *ctx, struct sched *s, struct task *t)
{
	bool *naps = ctx;

	if (t == sleeper)
		return STEP_BLOCK;
	*naps = !*naps;
	if (!*naps) {
		sched_sleep_until(s, t, sched_now(s) + MS);
		return STEP_BLOCK;
	}
	sched_wake(s, t, sleeper, false);
	return STEP_AGAIN;
}

static u64 stayed(enum kthread kind, const char *options)
{
	bool naps = false;
	struct sched_client client = {.ctx = &naps, .step = wake_it};
	struct task_attr attr = {.comm = "waker", .kthread = kind};
	struct fixture x;
	u64 n;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 2, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &client, 1);
	attr.cpus = cpumask_new(&x.arena, 2);
	cpumask_set((struct cpumask *)(uintptr_t)attr.cpus, 0);
	sleeper = NULL;
	sleeper = sched_spawn(x.sched, &(struct task_attr){.comm = "sleeper"}, 0);
	sched_spawn(x.sched, &attr, 0);
	until(&x, 100 * MS);
	n = counted(&x, DEC_WAKE_KTHREAD);
	fixture_free(&x);
	return n;
}

static void test_kthread(void **state)
{
	(void)state;
	assert_int_equal(stayed(KTHREAD_NO, ""), 0);
	assert_true(stayed(KTHREAD_CPU, "") > 0);
	assert_int_equal(stayed(KTHREAD_CPU, "  wake.kthread: off\n"), 0);
	/* ksoftirqd works in softirq context, which counts up to 5.15 */
	assert_int_equal(stayed(KTHREAD_SOFTIRQ, ""), 0);
	assert_true(stayed(KTHREAD_SOFTIRQ, "  wake.kthread_softirq: on\n") > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_preempted_stays_first),
		cmocka_unit_test(test_round_robin),
		cmocka_unit_test(test_throttle),
		cmocka_unit_test(test_wakeup_preemption),
		cmocka_unit_test(test_select),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_push),
		cmocka_unit_test(test_equal_priority),
		cmocka_unit_test(test_pull),
		cmocka_unit_test(test_change_of_class),
		cmocka_unit_test(test_core),
		cmocka_unit_test(test_kthread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
