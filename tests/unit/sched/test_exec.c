/*
 * Balancing at exec: a task that shares its CPU leaves for an idle one, a task that is
 * alone stays although other CPUs idle as well, and nobody goes where more tasks run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

/* 200 us of work, exec, work without end; hogs do only the last. */
static enum step step(void *ctx, struct sched *s, struct task *t)
{
	u32 *steps = ctx;

	if (task_comm(t)[0] == 'e') {
		(*steps)++;
		if (*steps == 1) {
			task_set_amount(t, 200 * NS_PER_US);
			return STEP_WORK;
		}
		if (*steps == 2) {
			struct failure f;

			sched_set_affinity(s, t, s->possible, &f);
			sched_exec(s, t);
			return STEP_AGAIN;
		}
	}
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

static struct task *pinned(struct fixture *x, const char *comm, u32 cpu)
{
	struct cpumask *mask = cpumask_new(&x->arena, 4);
	struct task_attr attr = {.comm = comm, .cpus = mask};

	cpumask_set(mask, cpu);
	return sched_spawn(x->sched, &attr, cpu);
}

/* Where the task is half a millisecond after it began; beside it `here` hogs on its CPU 0
 * and, if `there`, one on each of the other three. */
static u32 cpu_after_exec(const char *options, u32 here, bool there, u32 decision)
{
	u32 steps = 0, end;
	struct sched_client client = {.ctx = &steps, .step = step};
	struct sched_totals totals;
	struct fixture x;
	struct task *t;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &client, 1);
	t = pinned(&x, "exec", 0);
	for (u32 i = 0; i < here; i++)
		pinned(&x, "hog", 0);
	for (u32 i = 1; i <= 3 && there; i++)
		pinned(&x, "hog", i);
	while (engine_step(&x.engine, 500 * NS_PER_US))
		;
	sched_totals(x.sched, &totals);
	assert_int_equal(totals.decisions[decision], 1);
	assert_int_equal(totals.decisions[DEC_BALANCE_MOVED], 0);
	assert_int_equal(totals.decisions[DEC_AFFINITY_MOVE], 0);
	end = t->rq->cpu;
	fixture_free(&x);
	return end;
}

static void check(const char *options)
{
	assert_int_not_equal(cpu_after_exec(options, 1, false, DEC_EXEC_MOVE), 0);
	assert_int_equal(cpu_after_exec(options, 0, false, DEC_EXEC_STAY), 0);
	assert_int_equal(cpu_after_exec(options, 1, true, DEC_EXEC_STAY), 0);
}

static void test_idlest(void **state)
{
	(void)state;
	check("");
}

static void test_load(void **state)
{
	(void)state;
	check("  fork.placement: load\n");
}

static void test_eevdf(void **state)
{
	(void)state;
	check("  fair.pick: eevdf\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idlest),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_eevdf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
