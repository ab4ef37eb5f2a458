/*
 * A scheduler on a machine made by hand, for tests that need no files: nodes x LLCs x
 * cores x threads, siblings next to each other, and a kernel from a text of options.
 */
#ifndef TESTS_SCHED_FIXTURE_H
#define TESTS_SCHED_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/sched.h"

struct fixture {
	struct arena arena;
	struct machine machine;
	const struct kernel *kernel;
	struct engine engine;
	struct sched *sched;
	char path[64];
};

static inline void fixture_machine(struct fixture *x, u32 nodes, u32 llcs, u32 cores,
				   u32 threads)
{
	struct machine *m = &x->machine;
	const struct idle_state idle = {.name = "C1", .exit = 2000, .residency = 2000};
	u32 cpu = 0;

	memset(m, 0, sizeof(*m));
	m->name = "fixture";
	m->ncpu = nodes * llcs * cores * threads;
	m->ncore = nodes * llcs * cores;
	m->nllc = nodes * llcs;
	m->nnode = m->npackage = nodes;
	m->cpu = arena_array(&x->arena, struct machine_cpu, m->ncpu);
	m->node = arena_array(&x->arena, struct machine_node, nodes);
	m->distance = arena_array(&x->arena, u32, nodes * nodes);
	m->idle = arena_new(&x->arena, struct idle_state);
	m->idle[0] = idle;
	m->nidle = 1;
	for (u32 n = 0; n < nodes; n++) {
		m->node[n].ncpu = llcs * cores * threads;
		for (u32 k = 0; k < nodes; k++)
			m->distance[n * nodes + k] = n == k ? 10 : 21;
		for (u32 c = 0; c < llcs * cores * threads; c++, cpu++) {
			u32 core = cpu / threads;

			m->cpu[cpu] = (struct machine_cpu){.os = cpu,
							   .core = core,
							   .cluster = core,
							   .llc = core / cores,
							   .node = n,
							   .package = n,
							   .thread = cpu % threads,
							   .online = true};
		}
	}
	for (u32 i = 0; i < COST_COUNT; i++)
		m->cost[i] = (struct cost_value){.value = cost_rows[i].def,
						 .source = "default"};
}

/* Nothing takes time but work; other rows, as bandwidths, have their defaults. */
static inline void fixture_no_costs(struct fixture *x)
{
	for (u32 i = 0; i < COST_COUNT; i++)
		x->machine.cost[i].value =
			cost_rows[i].unit == UNIT_TIME ? 0 : cost_rows[i].def;
}

/* SMT, frequency and licence rows, so that rates change all the time. */
static inline void fixture_rates(struct fixture *x)
{
	static const struct smt_row smt[] = {
		{.self = "integer", .other = "integer", .keep = Q32_ONE / 100 * 65},
		{.self = "integer", .other = "avx512", .keep = Q32_ONE / 10 * 7},
		{.self = "avx512", .other = "integer", .keep = Q32_ONE / 10 * 8},
		{.self = "server", .other = "integer", .keep = Q32_ONE / 3 * 2},
	};
	static const struct freq_bin freq[] = {
		{.upto = 1, .hz = {3700000000, 3600000000, 3500000000}},
		{.upto = 3, .hz = {3300000000, 0, 2700000000}},
		{.upto = 26, .hz = {2800000000, 2400000000, 1900000000}},
	};
	struct machine *m = &x->machine;

	m->nsmt = ARRAY_SIZE(smt);
	m->smt = arena_array(&x->arena, struct smt_row, m->nsmt);
	memcpy(m->smt, smt, sizeof(smt));
	m->nfreq = ARRAY_SIZE(freq);
	m->freq = arena_array(&x->arena, struct freq_bin, m->nfreq);
	memcpy(m->freq, freq, sizeof(freq));
	m->freq_nominal = 2100000000;
	m->freq_hold = 2 * NS_PER_MS;
}

static inline int fixture_resolve(void *ctx, struct arena *a, const char *name,
				  const char **path, struct failure *f)
{
	const char *dir = ctx;

	(void)f;
	*path = strchr(name, '/') ? name : arena_printf(a, "%s/%s.yaml", dir, name);
	return 0;
}

/* options: YAML lines of an options map, each indented by two blanks, or "". */
static inline void fixture_kernel(struct fixture *x, const char *options)
{
	struct failure f;
	FILE *out;
	int fd;

	strcpy(x->path, "/tmp/sibyl-kernel-XXXXXX");
	fd = mkstemp(x->path);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out)
		abort();
	fprintf(out, "description: d\nsource: s\n%s%s", *options ? "options:\n" : "",
		options);
	fclose(out);
	if (kernel_load(&x->arena, x->path, fixture_resolve, NULL, &x->kernel, &f)) {
		fprintf(stderr, "%s\n", f.what);
		abort();
	}
	unlink(x->path);
}

static inline void fixture_start(struct fixture *x, const struct sched_client *client,
				 u64 seed)
{
	engine_init(&x->engine, &x->arena);
	x->sched = sched_new(&x->arena, &x->engine, &x->machine, x->kernel, client,
			     stream_root(seed));
	sched_start(x->sched);
}

static inline void fixture_init(struct fixture *x)
{
	memset(x, 0, sizeof(*x));
	arena_init(&x->arena);
}

static inline void fixture_free(struct fixture *x)
{
	arena_free(&x->arena);
}

#endif
