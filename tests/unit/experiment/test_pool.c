/* The pool with a stand-in for runs: order, look-ahead, failures, interruption. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "pool.h"

#define RUNS 40u

/* What the hooks saw. Only the calling thread writes here. */
struct seen {
	u32 order[RUNS], n;
	u32 progress[RUNS + 1], nprogress;
	u32 total;
	u32 refuse_at; /* done() fails at this seed */
	u32 stop_at;   /* raise `stop` at this seed */
	int stop;
};

static struct run_spec specs[RUNS];
/* Begun and handed over, for the look-ahead. */
static u32 begun, handed, widest;

static int setup(void **state)
{
	(void)state;
	for (u32 i = 0; i < RUNS; i++)
		specs[i] = (struct run_spec){.seed = i};
	begun = handed = widest = 0;
	return 0;
}

static void nap(u64 us)
{
	struct timespec t = {.tv_nsec = (long)(us * 1000)};

	nanosleep(&t, NULL);
}

/* A run whose length has nothing to do with its place. */
static int fake_run(struct arena *a, const struct run_spec *spec,
		    const struct run_options *opt, struct run_result *out,
		    struct failure *f)
{
	u32 ahead = __atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST) -
		    __atomic_load_n(&handed, __ATOMIC_SEQ_CST);
	u32 old = __atomic_load_n(&widest, __ATOMIC_SEQ_CST);

	while (ahead > old &&
	       !__atomic_compare_exchange_n(&widest, &old, ahead, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST))
		;
	nap(spec->seed * 7919 % 23 * 100);
	if (spec->kernel_name)
		return fail_set(f, FAIL_CHECK, NULL, "run %u", (unsigned)spec->seed);
	if (opt->stop && __atomic_load_n(opt->stop, __ATOMIC_RELAXED))
		return fail_set(f, FAIL_INTERRUPTED, NULL, "interrupted");
	memset(out, 0, sizeof(*out));
	out->group = arena_array(a, struct run_group, 1);
	out->group[0].cpu_ns = spec->seed * 10;
	out->ngroup = 1;
	return 0;
}

/* As above, but lasts until it is told to give up. */
static int endless_run(struct arena *a, const struct run_spec *spec,
		       const struct run_options *opt, struct run_result *out,
		       struct failure *f)
{
	if (spec->seed == 0)
		return fail_set(f, FAIL_CHECK, NULL, "run 0");
	if (spec->seed > 3)
		return fake_run(a, spec, opt, out, f);
	while (!__atomic_load_n(opt->halt, __ATOMIC_RELAXED))
		nap(100);
	return fail_set(f, FAIL_INTERRUPTED, NULL, "halted");
}

static bool have_odd(void *ctx, const struct run_spec *spec)
{
	(void)ctx;
	return spec->seed % 2;
}

static bool have_all(void *ctx, const struct run_spec *spec)
{
	(void)ctx;
	(void)spec;
	return true;
}

static int done(void *ctx, const struct run_spec *spec, const struct run_result *r,
		struct failure *f)
{
	struct seen *s = ctx;

	if (s->refuse_at && spec->seed == s->refuse_at)
		return fail_set(f, FAIL_IO, "db", "disk full");
	if (s->stop_at && spec->seed == s->stop_at)
		__atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
	assert_int_equal(r->group[0].cpu_ns, spec->seed * 10);
	s->order[s->n++] = (u32)spec->seed;
	__atomic_add_fetch(&handed, 1, __ATOMIC_SEQ_CST);
	return 0;
}

static void progress(void *ctx, u32 over, u32 total)
{
	struct seen *s = ctx;

	s->progress[s->nprogress++] = over;
	s->total = total;
}

static void in_order(void **state)
{
	static const u32 jobs[] = {0, 1, 2, 7, 100};

	(void)state;
	for (u32 j = 0; j < ARRAY_SIZE(jobs); j++) {
		struct seen s = {0};
		struct grid_hooks h = {.ctx = &s, .done = done, .progress = progress};
		struct failure f;

		begun = handed = widest = 0;
		assert_int_equal(pool_run(specs, RUNS, jobs[j], NULL, &h, fake_run, &f),
				 0);
		assert_int_equal(s.n, RUNS);
		for (u32 i = 0; i < RUNS; i++)
			assert_int_equal(s.order[i], i);
		assert_int_equal(s.nprogress, RUNS + 1);
		for (u32 i = 0; i <= RUNS; i++)
			assert_int_equal(s.progress[i], i);
		assert_int_equal(s.total, RUNS);
		/* never more begun and not handed over than there are workers */
		assert_true(widest <= max_u32(1, jobs[j]));
	}
}

static void known_are_skipped(void **state)
{
	struct seen s = {0};
	struct grid_hooks h = {
		.ctx = &s, .have = have_odd, .done = done, .progress = progress};
	struct failure f;

	(void)state;
	assert_int_equal(pool_run(specs, RUNS, 3, NULL, &h, fake_run, &f), 0);
	assert_int_equal(s.n, RUNS / 2);
	for (u32 i = 0; i < s.n; i++)
		assert_int_equal(s.order[i], 2 * i);
	assert_int_equal(s.progress[0], RUNS / 2);
	assert_int_equal(s.progress[s.nprogress - 1], RUNS);

	memset(&s, 0, sizeof(s));
	h.have = have_all;
	assert_int_equal(pool_run(specs, RUNS, 3, NULL, &h, fake_run, &f), 0);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.progress[0], RUNS);
	assert_int_equal(pool_run(specs, 0, 3, NULL, &h, fake_run, &f), 0);
}

/* The first failure in spec order is told, whichever thread fails first. */
static void first_failure(void **state)
{
	(void)state;
	specs[17].kernel_name = "bad";
	specs[18].kernel_name = "bad";
	specs[20].kernel_name = "bad";
	for (u32 jobs = 1; jobs <= 8; jobs++) {
		struct seen s = {0};
		struct grid_hooks h = {.ctx = &s, .done = done};
		struct failure f = {0};

		assert_int_equal(pool_run(specs, RUNS, jobs, NULL, &h, fake_run, &f), -1);
		assert_int_equal(f.kind, FAIL_CHECK);
		assert_string_equal(f.what, "run 17");
		assert_int_equal(s.n, 17);
	}
}

/* Runs that would never end are stopped when an earlier one has failed. */
static void others_are_halted(void **state)
{
	struct seen s = {0};
	struct grid_hooks h = {.ctx = &s, .done = done};
	struct failure f = {0};

	(void)state;
	assert_int_equal(pool_run(specs, RUNS, 4, NULL, &h, endless_run, &f), -1);
	assert_int_equal(f.kind, FAIL_CHECK);
	assert_string_equal(f.what, "run 0");
	assert_int_equal(s.n, 0);
}

static void done_fails(void **state)
{
	(void)state;
	for (u32 jobs = 1; jobs <= 5; jobs += 2) {
		struct seen s = {.refuse_at = 9};
		struct grid_hooks h = {.ctx = &s, .done = done, .progress = progress};
		struct failure f = {0};

		assert_int_equal(pool_run(specs, RUNS, jobs, NULL, &h, fake_run, &f), -1);
		assert_int_equal(f.kind, FAIL_IO);
		assert_int_equal(s.n, 9);
		assert_int_equal(s.progress[s.nprogress - 1], 9);
	}
}

static void interruption(void **state)
{
	(void)state;
	for (u32 jobs = 1; jobs <= 5; jobs++) {
		struct seen s = {.stop_at = 11};
		struct grid_hooks h = {.ctx = &s, .done = done};
		struct failure f = {0};

		assert_int_equal(pool_run(specs, RUNS, jobs, &s.stop, &h, fake_run, &f),
				 -1);
		assert_int_equal(f.kind, FAIL_INTERRUPTED);
		/* 0..11 are there; what was complete behind them may be */
		assert_true(s.n >= 12 && s.n < 12 + jobs);
		for (u32 i = 1; i < s.n; i++)
			assert_true(s.order[i] > s.order[i - 1]);
	}
}

static void interrupted_before(void **state)
{
	struct seen s = {.stop = 1};
	struct grid_hooks h = {.ctx = &s, .done = done};
	struct failure f = {0};

	(void)state;
	assert_int_equal(pool_run(specs, RUNS, 2, &s.stop, &h, fake_run, &f), -1);
	assert_int_equal(f.kind, FAIL_INTERRUPTED);
	assert_int_equal(s.n, 0);
	assert_int_equal(begun, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(in_order, setup),
		cmocka_unit_test_setup(known_are_skipped, setup),
		cmocka_unit_test_setup(first_failure, setup),
		cmocka_unit_test_setup(others_are_halted, setup),
		cmocka_unit_test_setup(done_fails, setup),
		cmocka_unit_test_setup(interruption, setup),
		cmocka_unit_test_setup(interrupted_before, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
