/*
 * idle.governor = ladder: one step at a time, by how long the last idle time was without
 * what leaving the state costs at most. Four idle times that were longer than that cost
 * lead to the next deeper state, a single one that was shorter leads back. Timers are not
 * looked at, and the tick is stopped every time: what Linux chooses by itself where ticks
 * are never stopped (nohz=off). Corresponds to drivers/cpuidle/governors/ladder.c of
 * Linux 6.1.
 *
 *   last = residency - exit(state)
 *   last > exit(state), 4 times in a row: deeper       last < exit(state): shallower
 *
 * An idle time that is shorter than the exit latency makes `last` negative, which Linux
 * compares as an unsigned number: it counts as a long one. States that poll are never
 * chosen.
 *
 * Left out: latency limits of PM QoS, states that are disabled.
 */
#include "options_fn.h"

#define PROMOTE 4u /* idle times */

static void move_to(struct ladder *l, u32 state)
{
	*l = (struct ladder){.state = state};
}

u32 governor_ladder(struct idle_gov *g, bool *stop_tick)
{
	struct ladder *l = &g->ladder;
	u32 first = state_polls(g, 0);
	u64 last, exit;

	*stop_tick = true;
	l->state = max_u32(l->state, first);
	exit = g->state[l->state].exit;
	last = (g->end == IDLE_END_NONE ? 0 : g->residency) - exit;
	g->end = IDLE_END_NONE;
	if (l->state + 1 < g->nstate && last > exit) {
		if (++l->longer >= PROMOTE)
			move_to(l, l->state + 1);
		return l->state;
	}
	if (l->state > first && last < exit)
		move_to(l, l->state - 1);
	return l->state;
}
