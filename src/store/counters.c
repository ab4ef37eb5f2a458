/*
 * The plain counters of a run in the order in which they are shown. Decisions, system
 * time, metrics and groups have tables of their own.
 */
#include "counters.h"

void store_list_counters(const struct run_result *r, struct counter out[STORE_COUNTERS])
{
	const struct sched_totals *t = &r->totals;
	const struct counter list[STORE_COUNTERS] = {
		{"switches", "", 0, t->switches},
		{"migrations", "", 0, t->migrations},
		{"wakeups", "", 0, t->wakeups},
		{"forks", "", 0, t->forks},
		{"exits", "", 0, t->exits},
		{"ticks", "", 0, t->ticks},
		{"wake_us.p50", "us", 3, r->wake_p50},
		{"wake_us.p95", "us", 3, r->wake_p95},
		{"wake_us.p99", "us", 3, r->wake_p99},
		{"wake_us.max", "us", 3, r->wake_max},
		{"wake_us.n", "", 0, r->wake_n},
		{"idle_s", "s", 9, t->idle_ns},
		{"busy_s", "s", 9, t->busy_ns},
		{"work_s", "s", 9, t->work_ns},
		{"forced_idle_s", "s", 9, r->forced_idle_ns},
		{"throttles", "", 0, t->throttles},
		{"throttled_s", "s", 9, t->throttled_ns},
		{"memory_local_s", "s", 9, t->memory_local_ns},
		{"memory_remote_s", "s", 9, t->memory_remote_ns},
		{"numa_faults_local", "", 0, t->numa_faults_local},
		{"numa_faults_remote", "", 0, t->numa_faults_remote},
		{"numa_pages_moved", "", 0, t->numa_pages_moved},
		{"same_core_s", "s", 9, t->same_core_ns},
		{"lone_s", "s", 9, t->lone_ns},
		{"cross_cookie_leak_s", "s", 9, r->cross_cookie_leak_ns},
		{"cross_cookie_pending_s", "s", 9, r->cross_cookie_pending_ns},
		{"window_s", "s", 9, r->window_ns},
		{"sim_s", "s", 9, r->sim_ns},
		{"events", "", 0, r->events},
	};

	for (u32 i = 0; i < STORE_COUNTERS; i++)
		out[i] = list[i];
}
