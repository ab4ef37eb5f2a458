/* The new choice packs: with it, two light tasks on eight CPUs keep to the lowest CPUs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

static enum step nap(void *ctx, struct sched *s, struct task *t)
{
	bool *runs = &((bool *)ctx)[task_id(t)];

	*runs = !*runs;
	if (*runs) {
		task_set_amount(t, 300 * NS_PER_US);
		return STEP_WORK;
	}
	/* each its own rhythm, so that a busy previous CPU meets idle ones elsewhere */
	sched_sleep_until(s, t, sched_now(s) + (600 + 37 * task_id(t)) * NS_PER_US);
	return STEP_BLOCK;
}

/* How many CPUs were ever used by `tasks` sleepers. */
static u32 cpus_used(const char *options, u32 tasks)
{
	bool runs[16] = {false};
	struct sched_client client = {.ctx = runs, .step = nap};
	struct task_attr attr = {.comm = "nap"};
	struct fixture x;
	u32 used = 0;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 8, 1);
	fixture_kernel(&x, options);
	fixture_start(&x, &client, 1);
	for (u32 i = 0; i < tasks; i++)
		sched_spawn(x.sched, &attr, 0);
	while (engine_step(&x.engine, 200 * NS_PER_MS))
		;
	for (u32 i = 0; i < 8; i++)
		used += x.sched->rq[i].idle_since > 100 * NS_PER_MS ||
			x.sched->rq[i].curr;
	fixture_free(&x);
	return used;
}

static void test_packs(void **state)
{
	(void)state;
	/* a busy previous CPU is needed for a scan: more tasks than CPUs */
	assert_true(cpus_used("  wake.scan: lowest\n  fork.placement: parent\n", 6) <=
		    cpus_used("  wake.scan: util\n  fork.placement: parent\n", 6));
}

static void test_is_used(void **state)
{
	bool runs[16] = {false};
	struct sched_client client = {.ctx = runs, .step = nap};
	struct task_attr attr = {.comm = "nap"};
	struct fixture x;
	struct sched_totals totals;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, "  wake.scan: lowest\n");
	fixture_start(&x, &client, 1);
	for (u32 i = 0; i < 12; i++)
		sched_spawn(x.sched, &attr, 0);
	while (engine_step(&x.engine, 200 * NS_PER_MS))
		;
	sched_totals(x.sched, &totals);
	assert_true(totals.decisions[DEC_WAKE_IDLE_CPU] > 0);
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packs),
		cmocka_unit_test(test_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
