/* A guest's CPUs are stopped in turn: how much is stolen, late ticks, late timers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

static enum step hog(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static const struct sched_client hogs = {.step = hog};

/* 4 cores without SMT, one hog each on the first `busy`, for 20 s. */
static void run_guest(struct fixture *x, u32 busy, u32 host_cpus)
{
	fixture_init(x);
	fixture_machine(x, 1, 1, 4, 1);
	x->machine.host_cpus = host_cpus;
	x->machine.host_slice = NS_PER_MS;
	fixture_kernel(x, "");
	fixture_start(x, &hogs, 1);
	for (u32 i = 0; i < busy; i++) {
		struct cpumask *mask = cpumask_new(&x->arena, 4);
		struct task_attr attr = {.comm = "hog", .cpus = mask};

		cpumask_set(mask, i);
		sched_spawn(x->sched, &attr, i);
	}
	while (engine_step(&x->engine, 20 * NS_PER_SEC))
		;
}

/* Stolen, in thousandths of the busy time. */
static u64 stolen(struct fixture *x, struct sched_totals *t)
{
	sched_totals(x->sched, t);
	return t->system_ns[SYS_STOLEN] * 1000 / t->busy_ns;
}

/*
 * 4 busy on 2: each is stopped as long as it runs, half of the time. 4 * 10,000 pairs of
 * exponential times of equal mean: the share has a standard deviation of
 * 0.5 / sqrt(2 * 40,000) = 0.18 %; allowed are five.
 */
static void test_share(void **state)
{
	struct sched_totals t;
	struct fixture x;

	(void)state;
	run_guest(&x, 4, 2);
	assert_in_range(stolen(&x, &t), 491, 509);
	/* the hogs have the CPU time, stolen or not */
	for (u32 i = 0; i < 4; i++)
		assert_in_range(task_cpu_time(x.sched, sched_task(x.sched, i)),
				19990 * NS_PER_MS, 20000 * NS_PER_MS);
	fixture_free(&x);
}

static void test_enough(void **state)
{
	struct sched_totals t;
	struct fixture x;

	(void)state;
	run_guest(&x, 2, 2);
	assert_int_equal(stolen(&x, &t), 0);
	fixture_free(&x);
	run_guest(&x, 3, 0);
	assert_int_equal(stolen(&x, &t), 0);
	fixture_free(&x);
}

/*
 * Ticks that fall due while stopped become one. With tick = 4 ms and stops of mean 1 ms
 * few are lost; on 1 host CPU of 4 stops last 3 ms on average and more are: a stop that
 * covers two due times loses one.
 */
static void test_ticks(void **state)
{
	u64 due = 20 * NS_PER_SEC / (4 * NS_PER_MS) * 4, all, half, quarter;
	struct sched_totals t;
	struct fixture x;

	(void)state;
	run_guest(&x, 4, 0);
	stolen(&x, &t);
	all = t.ticks;
	fixture_free(&x);
	run_guest(&x, 4, 2);
	stolen(&x, &t);
	half = t.ticks;
	fixture_free(&x);
	run_guest(&x, 4, 1);
	stolen(&x, &t);
	quarter = t.ticks;
	fixture_free(&x);
	assert_in_range(all, due - 8, due);
	assert_true(half < all && half > all * 9 / 10);
	assert_true(quarter < half);
}

struct preempted {
	struct sink sink;
	struct sched *s;
	u32 n;
};

/* Short ones that leave their CPU without having gone to sleep. */
static void on_event(struct sink *sink, const struct sim_event *ev)
{
	struct preempted *p = (struct preempted *)(void *)sink;

	if (ev->kind == SIM_SWITCH && ev->other != TASK_NONE && !ev->arg)
		p->n += task_comm(sched_task(p->s, ev->other))[0] == 's';
}

/* 300 us of own CPU time, 2 ms of sleep. */
static enum step hog_or_short(void *ctx, struct sched *s, struct task *t)
{
	bool *ran = ctx;

	if (task_comm(t)[0] == 'h')
		return hog(NULL, s, t);
	*ran = !*ran;
	if (!*ran) {
		sched_sleep_until(s, t, sched_now(s) + 2 * NS_PER_MS);
		return STEP_BLOCK;
	}
	task_set_amount(t, 300 * NS_PER_US);
	return STEP_CPU_TIME;
}

/* In 5 s, beside a hog each; four busy CPUs on `host_cpus`. */
static u32 preemptions(u32 host_cpus)
{
	struct preempted p = {.sink.event = on_event};
	bool ran = false;
	const struct sched_client client = {.ctx = &ran, .step = hog_or_short};
	struct fixture x;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	x.machine.host_cpus = host_cpus;
	x.machine.host_slice = 4 * NS_PER_MS;
	fixture_kernel(&x, "  hz: 1000\n");
	fixture_start(&x, &client, 1);
	p.s = x.sched;
	engine_sink_add(&x.engine, &p.sink);
	for (u32 i = 0; i < 5; i++) {
		struct cpumask *mask = cpumask_new(&x.arena, 4);
		struct task_attr attr = {.comm = i < 4 ? "hog" : "short", .cpus = mask};

		cpumask_set(mask, i % 4);
		sched_spawn(x.sched, &attr, i % 4);
	}
	while (engine_step(&x.engine, 5 * NS_PER_SEC))
		;
	fixture_free(&x);
	return p.n;
}

/*
 * Stopped for longer than its slice, a task has had its CPU time when its CPU runs again,
 * but the tick that has come meanwhile is taken first: it is preempted and finishes
 * later.
 */
static void test_interrupts_first(void **state)
{
	(void)state;
	assert_int_equal(preemptions(0), 0);
	assert_true(preemptions(1) > 10);
}

/* A task on CPU 3 that sleeps and runs beside `busy` hogs; what it waits after its timer.
 */
struct sleeper {
	u64 due, late, n;
};

static enum step sleep_step(void *ctx, struct sched *s, struct task *t)
{
	struct sleeper *p = ctx;
	u64 now = sched_now(s);

	if (sched_task(s, 0) != t) {
		task_set_amount(t, WORK_FOREVER);
		return STEP_WORK;
	}
	if (p->due) {
		p->late += now - p->due;
		p->n++;
	}
	p->due = now + NS_PER_MS;
	sched_sleep_until(s, t, p->due);
	return STEP_BLOCK;
}

static u64 mean_wait(u32 busy, u64 wake, u64 timer)
{
	struct sleeper p = {.due = 0};
	struct sched_client client = {.step = sleep_step, .ctx = &p};
	struct fixture x;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	x.machine.host_cpus = 2;
	x.machine.host_slice = NS_PER_MS;
	x.machine.host_wake = wake;
	x.machine.host_timer = timer;
	fixture_kernel(&x, "");
	fixture_start(&x, &client, 1);
	for (u32 i = 0; i <= busy; i++) {
		struct cpumask *mask = cpumask_new(&x.arena, 4);
		struct task_attr attr = {.comm = "t", .cpus = mask};

		cpumask_set(mask, i ? i - 1 : 3);
		sched_spawn(x.sched, &attr, i ? i - 1 : 3);
	}
	while (engine_step(&x.engine, 20 * NS_PER_SEC))
		;
	fixture_free(&x);
	assert_true(p.n > 1000);
	return p.late / p.n;
}

/*
 * Two hogs have both host CPUs: the sleeper's CPU waits 2 ms on average for one of them.
 * Some 6000 exponential times: 0.026 ms of standard deviation, allowed are four and the
 * slack. One hog leaves it a host CPU.
 */
static void test_idle_waits(void **state)
{
	(void)state;
	assert_in_range(mean_wait(2, 2 * NS_PER_MS, 0), 1900 * NS_PER_US,
			2200 * NS_PER_US);
	assert_in_range(mean_wait(1, 2 * NS_PER_MS, 0), 0, 100 * NS_PER_US);
	assert_in_range(mean_wait(2, 0, 0), 0, 100 * NS_PER_US);
}

/*
 * Four hogs, one of them on the sleeper's CPU, on two host CPUs. A timer adds a wait of 1
 * ms on average, or half of that if only half of them do. Some 8,000 exponential times,
 * and as many stops that they share: 0.016 ms of standard deviation, allowed are six.
 */
static void test_timer_waits(void **state)
{
	u64 plain = mean_wait(4, 0, 0), half = mean_wait(4, 0, Q32_ONE / 2);
	u64 all = mean_wait(4, 0, Q32_ONE);

	(void)state;
	assert_in_range(all - plain, 900 * NS_PER_US, 1100 * NS_PER_US);
	assert_in_range(half - plain, 425 * NS_PER_US, 575 * NS_PER_US);
	/* as many host CPUs as are busy: nobody to wait for */
	assert_true(mean_wait(2, 0, 0) == mean_wait(2, 0, Q32_ONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timer_waits),
		cmocka_unit_test(test_idle_waits),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_interrupts_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
