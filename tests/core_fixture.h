/*
 * One or more cores of threads under a recipe of data/kernels, with hogs that are tagged:
 * for tests of core scheduling. SIBYL_SOURCE_DATA is where data/ is.
 */
#ifndef TESTS_CORE_FIXTURE_H
#define TESTS_CORE_FIXTURE_H

#include "core/core.h"
#include "sched_fixture.h"

static inline enum step core_hog_step(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

/* A recipe by name, with options of the command line if there are any. */
static inline void core_recipe(struct fixture *x, const char *name)
{
	struct failure f;

	if (kernel_load(&x->arena, name, fixture_resolve,
			(void *)(uintptr_t)SIBYL_SOURCE_DATA "/kernels", &x->kernel,
			&f)) {
		fprintf(stderr, "%s\n", f.what);
		abort();
	}
}

static inline void core_setup(struct fixture *x, u32 cores, u32 threads,
			      const char *recipe)
{
	static const struct sched_client hogs = {.step = core_hog_step};

	fixture_init(x);
	fixture_machine(x, 1, 1, cores, threads);
	core_recipe(x, recipe);
	fixture_start(x, &hogs, 1);
}

/* A hog on one CPU; pinned = it stays there. */
static inline struct task *core_hog(struct fixture *x, u32 cpu, u64 cookie, bool pinned)
{
	struct cpumask *mask = cpumask_new(&x->arena, x->machine.ncpu);
	struct task_attr attr = {.comm = "h", .cookie = cookie};

	cpumask_set(mask, cpu);
	if (pinned)
		attr.cpus = mask;
	return sched_spawn(x->sched, &attr, cpu);
}

static inline void core_run_to(struct fixture *x, u64 ms)
{
	struct failure f;

	while (engine_step(&x->engine, ms * NS_PER_MS))
		if (sched_check(x->sched, &f)) {
			fprintf(stderr, "%s\n", f.what);
			abort();
		}
}

static inline u64 core_ms(const struct fixture *x, const struct task *t)
{
	return task_cpu_time(x->sched, t) / NS_PER_MS;
}

#endif
