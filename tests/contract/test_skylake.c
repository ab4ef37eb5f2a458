/*
 * What skylake-2s104 has to do, whatever its rows are fitted to: clocks by active cores
 * follow the speeds a thread of a published baseline column, and a scalar thread loses
 * what was derived from that column when AVX-512 code runs beside it (docs/sources.md
 * A3).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

#define SOCKET 26 /* cores; CPU k and its sibling k + 52 */

static enum step work(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, 100 * NS_PER_SEC);
	return STEP_WORK;
}

static const struct sched_client worker = {.step = work};

struct bench {
	struct fixture x;
	u32 scalar, avx512;
};

static void open_bench(struct bench *b)
{
	const struct machine *m;
	struct failure f;

	fixture_init(&b->x);
	if (machine_load(&b->x.arena, SIBYL_SOURCE_DATA "/machines/skylake-2s104.yaml",
			 &m, &f))
		fail_msg("%s", f.what);
	b->x.machine = *m;
	/* no costs: what is left is the rate */
	fixture_no_costs(&b->x);
	fixture_kernel(&b->x, "");
	fixture_start(&b->x, &worker, 1);
	b->scalar =
		sched_profile_add(b->x.sched, &(struct profile_attr){.name = "scalar"});
	b->avx512 = sched_profile_add(
		b->x.sched, &(struct profile_attr){.name = "avx512", .licence = 2});
}

/* A task that stays on the CPU of that number in the operating system. */
static struct task *put_on(struct bench *b, u32 os, u32 profile)
{
	struct cpumask *mask = cpumask_new(&b->x.arena, b->x.machine.ncpu);
	u32 cpu = 0;

	while (b->x.machine.cpu[cpu].os != os)
		cpu++;
	cpumask_set(mask, cpu);
	return sched_spawn(
		b->x.sched,
		&(struct task_attr){.comm = "w", .profile = profile, .cpus = mask}, cpu);
}

/* Work of a task per time, in thousandths, over 10 ms once the licences are settled. */
static double speed(struct bench *b, struct task *t)
{
	u64 before;

	while (engine_step(&b->x.engine, 10 * NS_PER_MS))
		;
	cpu_settle(b->x.sched, t->rq);
	before = t->remaining;
	while (engine_step(&b->x.engine, 20 * NS_PER_MS))
		;
	cpu_settle(b->x.sched, t->rq);
	return (double)(before - t->remaining) / (10 * NS_PER_MS);
}

/* The speed of a scalar thread when `cores` cores of its socket run such a thread. */
static double with_active(u32 cores)
{
	struct bench b;
	struct task *t;
	double v;

	open_bench(&b);
	t = put_on(&b, 0, b.scalar);
	for (u32 i = 1; i < cores; i++)
		put_on(&b, i, b.scalar);
	v = speed(&b, t);
	fixture_free(&b.x);
	return v;
}

static void test_clock_by_active_cores(void **state)
{
	/* speed a thread against one thread, by tasks a socket */
	static const struct {
		u32 cores;
		double of_one;
	} published[] = {{4, .946}, {8, .92}, {16, .885}};
	double one = with_active(1);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(published); i++) {
		double v = with_active(published[i].cores) / one;

		print_message("%u cores: %.3f, published %.3f\n", published[i].cores, v,
			      published[i].of_one);
		/* 3 %: the column's SD within a run is 0.2 to 2.4 % at these loads */
		assert_true(v > published[i].of_one * .97 &&
			    v < published[i].of_one * 1.03);
	}
}

static void test_scalar_beside_avx512(void **state)
{
	struct bench b;
	struct task *t;
	double v;

	(void)state;
	open_bench(&b);
	t = put_on(&b, 0, b.scalar);
	put_on(&b, 52, b.avx512);
	for (u32 i = 1; i < SOCKET; i++) {
		put_on(&b, i, b.scalar);
		put_on(&b, i + 52, b.avx512);
	}
	v = speed(&b, t) / with_active(SOCKET);
	print_message("beside AVX-512: %.3f of a core of its own\n", v);
	/* derived: 0.645, with the clock's loss and the slots'; 0.60 to 0.70 is accepted
	 */
	assert_true(v > .60 && v < .70);
	fixture_free(&b.x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clock_by_active_cores),
		cmocka_unit_test(test_scalar_beside_avx512),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
