/*
 * What /proc/schedstat counts: per CPU, and per domain of a CPU. Everything here is off
 * unless sched_stat_on() was called: then sched.stat and domain.stat are not NULL.
 */
#ifndef SCHED_STAT_SCHEDSTAT_H
#define SCHED_STAT_SCHEDSTAT_H

#include "engine/sink.h"

#define STAT_KINDS 3u /* of enum idle_kind: idle, busy, newly idle */

struct stat_pass {
	u64 count, balanced, failed, imbalance, gained, hot_gained, no_queue, no_group;
};

struct domain_stat {
	struct stat_pass pass[STAT_KINDS];
	u64 push, push_failed, pushed; /* active balancing */
	u64 wake_remote, move_affine;
};

struct cpu_stat {
	u64 yields, schedules, to_idle, wakes, wakes_local;
	u64 run_ns; /* of tasks that have left */
	u64 wait_ns, runs;
	u64 arrived; /* start of the current run */
};

struct sched_stat {
	struct sink sink;
	struct sched *sched;
	struct cpu_stat *cpu;
	u64 affine; /* wake-ups that have chosen the waker's CPU, as last seen */
};

#endif
