/* Wake-up latency from made-up events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "observers.h"

struct fixture {
	struct arena arena;
	struct wake_sink wake;
};

static int setup(void **state)
{
	static struct fixture x;

	arena_init(&x.arena);
	wake_sink_init(&x.wake, &x.arena);
	*state = &x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;

	arena_free(&x->arena);
	return 0;
}

static void emit(struct fixture *x, u64 time, u32 kind, u32 who, u32 other)
{
	const struct sim_event ev = {
		.time = time, .kind = kind, .who = who, .other = other};

	x->wake.sink.event(&x->wake.sink, &ev);
}

static void latency(void **state)
{
	struct fixture *x = *state;

	emit(x, 0, SIM_WAKEUP_NEW, 7, NO_TASK);
	emit(x, 5, SIM_SWITCH, 7, NO_TASK);
	emit(x, 100, SIM_WAKEUP, 3, NO_TASK);
	emit(x, 140, SIM_SWITCH, 3, 7);
	assert_int_equal(x->wake.hist.n, 2);
	assert_int_equal(x->wake.hist.max, 40);
	assert_true(x->wake.hist.sum == 45);
	/* preempted and resumed: not a wake-up */
	emit(x, 200, SIM_SWITCH, 7, 3);
	emit(x, 300, SIM_SWITCH, 3, 7);
	emit(x, 400, SIM_SWITCH, NO_TASK, 3);
	assert_int_equal(x->wake.hist.n, 2);
}

static void woken_while_running(void **state)
{
	struct fixture *x = *state;

	emit(x, 10, SIM_SWITCH, 1, NO_TASK);
	emit(x, 20, SIM_WAKEUP, 1, NO_TASK); /* before it managed to sleep */
	emit(x, 30, SIM_SWITCH, NO_TASK, 1);
	emit(x, 90, SIM_SWITCH, 1, NO_TASK);
	assert_int_equal(x->wake.hist.n, 0);
}

static void second_wakeup(void **state)
{
	struct fixture *x = *state;

	emit(x, 10, SIM_WAKEUP, 1, NO_TASK);
	emit(x, 50, SIM_WAKEUP, 1, NO_TASK);
	emit(x, 60, SIM_SWITCH, 1, NO_TASK);
	assert_int_equal(x->wake.hist.n, 1);
	assert_int_equal(x->wake.hist.max, 50);
}

static void window(void **state)
{
	struct fixture *x = *state;

	emit(x, 10, SIM_WAKEUP, 1, NO_TASK);
	emit(x, 60, SIM_SWITCH, 1, NO_TASK);
	emit(x, 90, SIM_WAKEUP, 2, NO_TASK);
	wake_sink_restart(&x->wake, 100);
	emit(x, 100, SIM_WAKEUP, 3, NO_TASK);
	emit(x, 150, SIM_SWITCH, 2, 1); /* woken before the window: left out */
	emit(x, 160, SIM_SWITCH, 3, 2);
	assert_int_equal(x->wake.hist.n, 1);
	assert_int_equal(x->wake.hist.max, 60);
}

/* Recycled ids need no more memory, however long it goes on. */
static void flat_memory(void **state)
{
	struct fixture *x = *state;
	size_t before;

	for (u32 id = 0; id < 5000; id++)
		emit(x, id, SIM_WAKEUP_NEW, id, NO_TASK);
	before = x->arena.total;
	for (u32 i = 0; i < 1000000; i++) {
		emit(x, 10000 + i, SIM_SWITCH, i % 5000, NO_TASK);
		emit(x, 10000 + i, SIM_WAKEUP, i % 5000, NO_TASK);
	}
	assert_int_equal(x->arena.total, before);
	assert_int_equal(x->wake.hist.n, 1000000);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(latency), CASE(woken_while_running), CASE(second_wakeup),
		CASE(window),  CASE(flat_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
