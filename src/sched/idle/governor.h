/*
 * Idle governors: what one CPU knows when it goes idle, and what it has learnt from the
 * idle times before. (struct cpuidle_device, menu_device and teo_cpu in Linux.)
 *
 * A governor is one function. It first learns from the idle time that ended last, if
 * there is one that it has not seen, then chooses a state and says whether the tick is to
 * be stopped. Times are ns unless a name says otherwise.
 */
#ifndef SCHED_IDLE_GOVERNOR_H
#define SCHED_IDLE_GOVERNOR_H

#include "machine/machine.h"
#include "sched/sched.h"

#define MENU_BUCKETS   12u
#define MENU_INTERVALS 8u
#define MENU_UNITY     8192u /* a factor of 1 */
#define TEO_RECENT     9u

/** Why the CPU left its idle state. */
enum idle_end {
	IDLE_END_NONE, /* nothing that the governor has not seen */
	IDLE_END_WOKEN,
	IDLE_END_TICK,	     /* by its own tick, which was kept */
	IDLE_END_POLL_LIMIT, /* it has polled for long enough */
};

struct menu {
	u32 bucket; /* of the last choice */
	u32 factor[MENU_BUCKETS];
	u32 interval[MENU_INTERVALS]; /* us */
	u32 next;
};

struct teo_bin {
	u32 intercepts, hits, recent;
};

struct teo {
	struct teo_bin *bin; /* by state */
	u32 total, next;
	u32 recent[TEO_RECENT]; /* 1 + the bin of an intercept, 0 = a hit */
};

struct ladder {
	u32 state;
	u32 longer; /* idle times in a row that would have paid for a deeper state */
};

struct haltpoll {
	u64 limit;	 /* how long it polls now; 0 = not at all */
	u64 most, start; /* tunables */
};

RB_HEAD(timer_tree, task);

struct idle_gov {
	/* the machine and the kernel: constant */
	const struct idle_state *state;
	u32 nstate;
	u64 tick;

	/* what is asked */
	u64 next_timer; /* until the first timer; the tick does not count if it may stop
			 */
	u64 next_event; /* the same, a tick that runs included */
	u32 nr_iowait;	/* tasks that wait for a device here */
	bool tick_stopped;

	/* how the last idle time ended; residency includes leaving the state */
	enum idle_end end;
	u64 residency;
	u32 chosen; /* the state it was in, or is in */

	bool inside; /* in a state now, since `entered` */
	u64 entered;
	struct timer_tree timers;
	struct menu menu;
	struct teo teo;
	struct ladder ladder;
	struct haltpoll haltpoll;
};

/** A state that takes no time to leave polls: the CPU looks for work all the time. */
static inline bool state_polls(const struct idle_gov *g, u32 i)
{
	return i == 0 && g->state[0].exit == 0 && g->nstate > 1;
}

/**
 * The deepest state above `from` whose residency is not longer than ns, else the first.
 */
static inline u32 state_shallower(const struct idle_gov *g, u32 from, u64 ns)
{
	while (from && g->state[--from].residency > ns)
		;
	return from;
}

/**
 * The mean of the 8 last idle times or of the shortest 6 or 7 of them, us, if they are
 * much alike and the shortest is below `below`; else UINT32_MAX.
 */
u32 menu_typical(const u32 interval[MENU_INTERVALS], u32 below);

#endif
