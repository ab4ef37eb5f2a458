/*
 * Columns of the trace text. Stand-ins for the few functions of the scheduler that the
 * sink asks for names, so that every line can be made to order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "observers.h"

struct task {
	const char *comm;
	u32 pid;
	s32 nice;
	u32 rt_priority;
};

struct sched {
	struct task task[4]; /* pid 0 = gone */
};

struct task *sched_task(const struct sched *s, u32 id)
{
	const struct task *t = id < ARRAY_SIZE(s->task) ? &s->task[id] : NULL;

	return t && t->pid ? (struct task *)(uintptr_t)t : NULL;
}

u32 task_pid(const struct task *t)
{
	return t->pid;
}

s32 task_nice(const struct task *t)
{
	return t->nice;
}

u32 task_rt_priority(const struct task *t)
{
	return t->rt_priority;
}

const char *task_comm(const struct task *t)
{
	return t->comm;
}

struct fixture {
	struct arena arena;
	struct machine machine;
	struct machine_cpu cpu[3];
	struct sched sched;
	struct ftrace_sink trace;
	FILE *out;
	char *text;
	size_t len;
};

static int setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	arena_init(&x->arena);
	x->cpu[1].os = 4;
	x->cpu[2].os = 123;
	x->machine.cpu = x->cpu;
	x->machine.ncpu = 3;
	x->sched.task[0] = (struct task){"wl", 1, 0, 0};
	x->sched.task[1] = (struct task){"hog", 96, -5, 0};
	x->sched.task[2] = (struct task){"a-long-name-15c", 123456, 19, 0};
	x->out = open_memstream(&x->text, &x->len);
	ftrace_sink_init(&x->trace, &x->arena, x->out, &x->machine);
	x->trace.sched = &x->sched;
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;

	fclose(x->out);
	free(x->text);
	arena_free(&x->arena);
	free(x);
	return 0;
}

static void emit(struct fixture *x, struct sim_event ev)
{
	x->trace.sink.event(&x->trace.sink, &ev);
}

static void lines(void **state)
{
	struct fixture *x = *state;
	struct failure f;

	emit(x, (struct sim_event){0, SIM_FORK, 0, 0, NO_TASK, 0});
	emit(x, (struct sim_event){0, SIM_SWITCH, 0, 0, NO_TASK, 0});
	emit(x, (struct sim_event){558454882, SIM_FORK, 0, 1, 0, 0});
	emit(x, (struct sim_event){558461335, SIM_WAKEUP_NEW, 0, 1, NO_TASK, 1});
	emit(x, (struct sim_event){63540440519, SIM_SWITCH, 1, 1, NO_TASK, 0});
	emit(x, (struct sim_event){63540440520, SIM_WAKEUP, 1, 2, NO_TASK, 2});
	emit(x, (struct sim_event){63540440521, SIM_SWITCH, 1, 2, 1, 0});
	emit(x, (struct sim_event){63540440522, SIM_MIGRATE, 2, 1, 1, 2});
	emit(x, (struct sim_event){123456000000007, SIM_SWITCH, 1, 0, 2, 1});
	x->sched.task[0].comm = "renamed";
	emit(x, (struct sim_event){123456000000007, SIM_RENAME, 1, 0, NO_TASK, 0});
	emit(x, (struct sim_event){123456000000008, SIM_EXIT, 1, 0, NO_TASK, 0});
	emit(x, (struct sim_event){123456000000008, SIM_HOTPLUG, 1, NO_TASK, NO_TASK, 0});
	emit(x, (struct sim_event){123456000000008, SIM_HOTPLUG, 2, NO_TASK, NO_TASK, 1});
	x->sched.task[0].pid = 0; /* gone before its last switch */
	emit(x, (struct sim_event){123456000000009, SIM_SWITCH, 1, NO_TASK, 0, 2});
	assert_int_equal(ftrace_sink_finish(&x->trace, &f), 0);
	assert_string_equal(
		x->text,
		"          <idle>-0     [000]     0.000000000: sched_switch:         "
		"swapper/0:0 [120] R ==> wl:1 [120]\n"
		"              wl-1     [000]     0.558454882: sched_process_fork:   "
		"comm=wl pid=1 child_comm=hog child_pid=96\n"
		"              wl-1     [000]     0.558461335: sched_wakeup_new:     "
		"hog:96 [115] CPU:004\n"
		"          <idle>-0     [004]    63.540440519: sched_switch:         "
		"swapper/4:0 [120] R ==> hog:96 [115]\n"
		"             hog-96    [004]    63.540440520: sched_wakeup:         "
		"a-long-name-15c:123456 [139] CPU:123\n"
		"             hog-96    [004]    63.540440521: sched_switch:         "
		"hog:96 [115] R ==> a-long-name-15c:123456 [139]\n"
		"          <idle>-0     [123]    63.540440522: sched_migrate_task:   "
		"comm=hog pid=96 prio=115 orig_cpu=4 dest_cpu=123\n"
		" a-long-name-15c-123456 [004] 123456.000000007: sched_switch:         "
		"a-long-name-15c:123456 [139] S ==> wl:1 [120]\n"
		"         renamed-1     [004] 123456.000000008: sched_process_exit:   "
		"comm=renamed pid=1 prio=120\n"
		"         renamed-1     [004] 123456.000000008: cpuhp_enter:          "
		"cpu: 0004 target:   0 step:   0 (sched_cpu_deactivate)\n"
		"          <idle>-0     [123] 123456.000000008: cpuhp_enter:          "
		"cpu: 0123 target:   1 step:   1 (sched_cpu_activate)\n"
		"         renamed-1     [004] 123456.000000009: sched_switch:         "
		"renamed:1 [120] X ==> swapper/4:0 [120]\n");
}

static void full_disk(void **state)
{
	struct fixture *x = *state;
	struct ftrace_sink t;
	struct failure f = {0};
	FILE *full = fopen("/dev/full", "w");
	u32 n;

	assert_non_null(full);
	ftrace_sink_init(&t, &x->arena, full, &x->machine);
	t.sched = &x->sched;
	for (n = 0; n < 10000 && !t.error; n++) {
		const struct sim_event ev = {n, SIM_SWITCH, 0, 0, NO_TASK, 0};

		t.sink.event(&t.sink, &ev);
	}
	assert_true(n < 10000);
	assert_int_equal(ftrace_sink_finish(&t, &f), -1);
	assert_int_equal(f.kind, FAIL_IO);
	assert_non_null(strstr(f.what, "No space left"));
	fclose(full);
}

/* One line stays in the buffer of the stream: only the flush at the end can fail. */
static void full_at_the_end(void **state)
{
	struct fixture *x = *state;
	const struct sim_event ev = {0, SIM_SWITCH, 0, 0, NO_TASK, 0};
	struct ftrace_sink t;
	struct failure f = {0};
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	ftrace_sink_init(&t, &x->arena, full, &x->machine);
	t.sched = &x->sched;
	t.sink.event(&t.sink, &ev);
	assert_int_equal(ftrace_sink_finish(&t, &f), -1);
	assert_int_equal(f.kind, FAIL_IO);
	fclose(full);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(lines),
		CASE(full_disk),
		CASE(full_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
