/*
 * Wasted cores: CPUs that stay idle while a task that they could run waits elsewhere, for
 * longer than load balancing may take. A watcher beside the scheduler: it looks, and
 * changes nothing. Times in ns.
 */
#ifndef SCHED_WASTED_H
#define SCHED_WASTED_H

#include "sched/sched.h"

#define WASTED_LEVELS 8u

/** Pairs of an idle CPU and a busy one whose smallest common domain is of this level. */
struct wasted_level {
	const char *domain; /* "MC" */
	u64 bound;	/* how long balancing may take up to this level, for one CPU */
	u64 longest;	/* that one idled while fair tasks waited for the other */
	u32 idle, busy; /* those of the longest */
};

struct wasted {
	struct wasted_level level[WASTED_LEVELS];
	u32 nlevel;
	u64 time; /* CPU time beyond the bounds: no more CPUs than had somebody to run */
};

struct wasted_watch;

/**
 * Watch a scheduler; call after sched_new(), before the first event. Lives in the arena.
 * alone: nobody else calls sched_check_touched().
 */
struct wasted_watch *wasted_new(struct arena *a, struct sched *s, bool alone);

/** After each event, before sched_check_touched(). */
void wasted_look(struct wasted_watch *w);

/** Forget the figures so far: the measured window begins. */
void wasted_restart(struct wasted_watch *w);

void wasted_read(struct wasted_watch *w, struct wasted *out);

#endif
