/*
 * Storms of tagged tasks under every recipe of data/kernels with core scheduling that
 * promises that cookies do not meet: all but version 2 of the series, which is known to
 * leak. Fork, exit, re-tag, migrate, CPUs that go and come, on cores of 2 to 8 threads.
 */
#ifndef TESTS_PROPERTY_COOKIE_STORM_H
#define TESTS_PROPERTY_COOKIE_STORM_H

#include <dirent.h>

#include "core_fixture.h"
#include "storm.h"

#define RECIPES_MAX 64u

struct recipes {
	char name[RECIPES_MAX][64];
	u32 n;
};

static inline int recipe_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* coresched-*.yaml, in order of their names. */
static inline void recipes_find(struct recipes *r)
{
	DIR *dir = opendir(SIBYL_SOURCE_DATA "/kernels");
	const struct dirent *e;

	r->n = 0;
	while (dir && (e = readdir(dir))) {
		size_t len = strlen(e->d_name);

		if (strncmp(e->d_name, "coresched-", 10) || len < 15 || len > 60 ||
		    strcmp(e->d_name + len - 5, ".yaml") ||
		    !strcmp(e->d_name, "coresched-v2.yaml") || r->n == RECIPES_MAX)
			continue;
		memcpy(r->name[r->n], e->d_name, len - 5);
		r->name[r->n++][len - 5] = '\0';
	}
	if (dir)
		closedir(dir);
	qsort(r->name, r->n, sizeof(r->name[0]), recipe_order);
}

struct cookie_totals {
	u64 leak, pending, forced, stolen, busy;
};

/* One storm of `ms`: a topology, a number of tasks, and what they do, by the seed. */
static inline void cookie_storm(const char *recipe, u64 seed, u64 ms,
				struct cookie_totals *sum)
{
	struct stream dice = stream_root(seed * 7919 + 17);
	u32 threads = (u32)stream_range(&dice, 2, 8);
	struct sched_totals t;
	struct failure f;
	struct storm st;

	memset(&st, 0, sizeof(st));
	fixture_init(&st.x);
	fixture_machine(&st.x, (u32)stream_range(&dice, 1, 2),
			(u32)stream_range(&dice, 1, 2), (u32)stream_range(&dice, 1, 4),
			threads);
	if (seed % 2)
		fixture_rates(&st.x);
	core_recipe(&st.x, recipe);
	st.real_time = stream_range(&dice, 0, 3) ? 0 : 20;
	st.limits = stream_range(&dice, 0, 3) == 0;
	st.policies = stream_range(&dice, 0, 3) == 0;
	st.stretch = (u32)stream_range(&dice, 0, 1) * 20;
	st.cookie_life = true;
	st.untagged = stream_range(&dice, 0, 1) != 0;
	storm_start(&st, seed, (u32)stream_range(&dice, 4, 12 * threads));
	for (u32 i = 0; seed % 3 == 0 && i < 8; i++)
		sched_hotplug(st.x.sched, stream_range(&dice, 1, ms) * NS_PER_MS,
			      (enum hotplug_kind)stream_range(&dice, 0, 3),
			      storm_mask(&st));
	while (engine_step(&st.x.engine, ms * NS_PER_MS))
		if (sched_check_touched(st.x.sched, &f))
			goto wrong;
	if (sched_check(st.x.sched, &f))
		goto wrong;
	sched_totals(st.x.sched, &t);
	if (t.cross_cookie_leak_ns) {
		fprintf(stderr, "%s, seed %llu: cookies met for %llu ns\n", recipe,
			(unsigned long long)seed,
			(unsigned long long)t.cross_cookie_leak_ns);
		abort();
	}
	sum->leak += t.cross_cookie_leak_ns;
	sum->pending += t.cross_cookie_pending_ns;
	sum->forced += t.forced_idle_ns;
	sum->stolen += t.decisions[DEC_CORE_STEAL];
	sum->busy += t.busy_ns;
	fixture_free(&st.x);
	return;
wrong:
	fprintf(stderr, "%s, seed %llu: %s\n", recipe, (unsigned long long)seed, f.what);
	abort();
}

#endif
