/* Domains of the shapes that the recorded machines have, and of nosmt and offline CPUs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"
#include "sched_fixture.h"

static enum step never(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	(void)t;
	return STEP_EXIT;
}

static const struct sched_client idle_client = {.step = never};

static void start(struct fixture *x, const char *options)
{
	fixture_kernel(x, options);
	fixture_start(x, &idle_client, 1);
}

/* "SMT:2/2 MC:8/4" = name:CPUs/groups, smallest first. */
static void expect_chain(const struct fixture *x, u32 cpu, const char *want)
{
	char have[256] = "";

	for_each_domain (sd, cpu_rq(x->sched, cpu)) {
		const struct group *g = sd->groups;
		u32 groups = 0, cpus = 0;

		assert_true(cpumask_has(g->span, cpu)); /* its own group first */
		do {
			groups++;
			cpus += g->weight;
		} while (g = g->next, g != sd->groups);
		if (!(sd->flags & SD_NUMA))
			assert_int_equal(cpus, sd->span_weight);
		snprintf(have + strlen(have), sizeof(have) - strlen(have), "%s%s:%u/%u",
			 *have ? " " : "", sd->name, sd->span_weight, groups);
	}
	assert_string_equal(have, want);
}

static void test_shapes(void **state)
{
	static const struct {
		u32 nodes, llcs, cores, threads;
		const char *chain;
	} v[] = {
		{1, 1, 4, 2, "SMT:2/2 MC:8/4"},
		{2, 1, 4, 2, "SMT:2/2 MC:8/4 NUMA:16/2"},
		{1, 4, 2, 2, "SMT:2/2 MC:4/2 DIE:16/4"},
		{1, 8, 10, 1, "MC:10/10 DIE:80/8"},
		{2, 8, 8, 2, "SMT:2/2 MC:16/8 DIE:128/8 NUMA:256/2"},
		{1, 1, 1, 1, ""},
		{1, 4, 1, 1, "DIE:4/4"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture x;

		fixture_init(&x);
		fixture_machine(&x, v[i].nodes, v[i].llcs, v[i].cores, v[i].threads);
		start(&x, "");
		for (u32 cpu = 0; cpu < x.machine.ncpu; cpu++)
			expect_chain(&x, cpu, v[i].chain);
		fixture_free(&x);
	}
}

static void test_prefer_sibling(void **state)
{
	struct fixture x;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 4, 2, 2);
	start(&x, "");
	/* spread over cores and over caches */
	assert_true(x.sched->rq[0].sd->flags & SD_PREFER_SIBLING);
	assert_true(x.sched->rq[0].sd->parent->flags & SD_PREFER_SIBLING);
	fixture_free(&x);
	/* one cache a node: DIE is dropped and hands the flag down to MC, for NUMA */
	fixture_init(&x);
	fixture_machine(&x, 2, 1, 4, 1);
	start(&x, "");
	assert_true(x.sched->rq[0].sd->flags & SD_PREFER_SIBLING);
	assert_false(x.sched->rq[0].sd->parent->flags & SD_PREFER_SIBLING);
	fixture_free(&x);
}

static void test_nosmt(void **state)
{
	struct fixture x;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 2);
	start(&x, "  smt: off\n");
	assert_int_equal(x.sched->nr_online, 4);
	assert_false(x.sched->rq[1].online);
	expect_chain(&x, 2, "MC:4/4");
	/* and the tunables shrink with the CPUs: 18 ms instead of 24 */
	assert_int_equal(x.sched->latency, 18 * NS_PER_MS);
	fixture_free(&x);
}

static void test_offline_cpus(void **state)
{
	struct fixture x;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 2);
	x.machine.cpu[0].online = false; /* its sibling stays: a core with one thread */
	x.machine.cpu[7].online = false;
	start(&x, "");
	expect_chain(&x, 1, "MC:6/4");
	expect_chain(&x, 2, "SMT:2/2 MC:6/4");
	fixture_free(&x);
}

static void test_far_nodes(void **state)
{
	struct fixture x;
	const struct domain *near, *far;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 4, 1, 2, 1);
	/* pairs at 21, across pairs at 40: beyond node_reclaim_distance */
	for (u32 a = 0; a < 4; a++)
		for (u32 b = 0; b < 4; b++)
			if (a / 2 != b / 2)
				x.machine.distance[a * 4 + b] = 40;
	start(&x, "");
	expect_chain(&x, 0, "MC:2/2 NUMA:4/2 NUMA:8/2");
	near = x.sched->rq[0].sd->parent;
	far = near->parent;
	assert_true(near->flags & SD_FORK);
	assert_true(near->flags & SD_WAKE_AFFINE);
	assert_false(far->flags & SD_FORK);
	assert_false(far->flags & SD_WAKE_AFFINE);
	/* failures before hot tasks may move: of NUMA, near or far */
	assert_int_equal(near->cache_nice_tries, 2);
	assert_int_equal(far->cache_nice_tries, 2);
	assert_int_equal(x.sched->rq[0].sd->cache_nice_tries, 1);
	fixture_free(&x);
}

static void test_cluster(void **state)
{
	struct fixture x;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 8, 1);
	for (u32 i = 0; i < 8; i++)
		x.machine.cpu[i].cluster = i / 4;
	start(&x, "");
	expect_chain(&x, 5, "CLS:4/4 MC:8/2");
	fixture_free(&x);
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 8, 1);
	for (u32 i = 0; i < 8; i++)
		x.machine.cpu[i].cluster = i / 4;
	start(&x, "  topology.cluster: off\n");
	expect_chain(&x, 5, "MC:8/8");
	fixture_free(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),	  cmocka_unit_test(test_prefer_sibling),
		cmocka_unit_test(test_nosmt),	  cmocka_unit_test(test_offline_cpus),
		cmocka_unit_test(test_far_nodes), cmocka_unit_test(test_cluster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
