/*
 * idle.governor = menu: how long will this CPU be idle? As long as until its next timer,
 * times what became of such promises before; or as long as the last idle times, if they
 * were all alike. The deepest state that is worth while for so long, and that takes not
 * too long to leave. Corresponds to drivers/cpuidle/governors/menu.c of Linux 6.1.
 *
 *   bucket   = decade of the time to the next timer, 10 us .. 100 ms; six more while a
 *              task of this CPU waits for a device
 *   factor  += 1024 * slept / next timer - factor / 8        8192 = the timer was right
 *   expect   = min(next timer * factor / 8192, typical interval)
 *   latency <= expect / (1 + 10 * waiting for a device)      while the tick runs
 *
 * Left out: latency limits of PM QoS, states that are disabled.
 */
#include "options_fn.h"

#define LONG_IDLE      (50 * NS_PER_MS) /* from here on every prediction was right */
#define NOT_TYPICAL    UINT32_MAX
#define IO_DIVISOR     10u
#define SMALL_VARIANCE 400u /* us^2 */

static u32 bucket_of(u64 ns, u32 nr_iowait)
{
	u64 limit = 10 * NS_PER_US;
	u32 b = nr_iowait ? MENU_BUCKETS / 2 : 0;

	for (u32 i = 1; i < MENU_BUCKETS / 2 && ns >= limit; i++, limit *= 10)
		b++;
	return b;
}

/* How long the CPU would have slept if nobody but the event had mattered. */
static u64 slept(const struct idle_gov *g)
{
	u64 exit = g->state[g->chosen].exit, ns = g->residency;

	if (g->end == IDLE_END_TICK && g->next_timer > g->tick)
		return LONG_IDLE * 9 / 10; /* the tick was kept for nothing */
	if (g->end == IDLE_END_POLL_LIMIT)
		return g->next_timer;
	ns = ns > 2 * exit ? ns - exit : ns / 2;
	return min_u64(ns, g->next_timer);
}

static void learn(struct idle_gov *g)
{
	struct menu *m = &g->menu;
	u64 ns = min_u64(slept(g), g->next_timer);
	u32 factor = m->factor[m->bucket];

	factor -= factor / 8;
	if (g->next_timer && ns < LONG_IDLE)
		factor += (u32)(1024 * ns / g->next_timer);
	else
		factor += 1024;
	m->factor[m->bucket] = factor;
	m->interval[m->next] = (u32)(ns / NS_PER_US);
	m->next = (m->next + 1) % MENU_INTERVALS;
	g->end = IDLE_END_NONE;
}

u32 menu_typical(const u32 interval[MENU_INTERVALS], u32 below)
{
	u64 limit = INT32_MAX;

	for (;;) {
		u64 sum = 0, squares = 0, mean, max = 0, min = UINT32_MAX;
		u32 n = 0;

		for (u32 i = 0; i < MENU_INTERVALS; i++) {
			if (interval[i] > limit)
				continue;
			n++;
			sum += interval[i];
			max = max_u64(max, interval[i]);
			min = min_u64(min, interval[i]);
		}
		if (min >= below)
			return NOT_TYPICAL; /* it could not shorten the prediction */
		mean = sum / n;
		for (u32 i = 0; i < MENU_INTERVALS; i++) {
			s64 d = (s64)interval[i] - (s64)mean;

			if (interval[i] <= limit)
				squares += (u64)(d * d);
		}
		squares /= n;
		if (squares <= SMALL_VARIANCE ||
		    (n >= MENU_INTERVALS * 3 / 4 && mean * mean > 36 * squares))
			return (u32)mean;
		if (n <= MENU_INTERVALS * 3 / 4)
			return NOT_TYPICAL;
		limit = max - 1; /* without the longest ones */
	}
}

static u64 expected(const struct idle_gov *g)
{
	u64 unit = (u64)MENU_UNITY * NS_PER_US;
	u64 us = (g->next_timer * g->menu.factor[g->menu.bucket] + unit / 2) / unit;
	u32 bound = (u32)min_u64(us, UINT32_MAX);

	return min_u64(us, menu_typical(g->menu.interval, bound)) * NS_PER_US;
}

/*
 * The deepest state for `*expect` ns. Changes *expect to what the choice stands for.
 * Returns true if the tick has nothing more to say.
 */
static bool deepest(const struct idle_gov *g, u64 *expect, u64 latency, u32 *best)
{
	for (u32 i = 1; i < g->nstate; i++) {
		const struct idle_state *st = &g->state[i];
		u64 have = g->state[*best].residency;

		if (st->residency > *expect) {
			/* a CPU polls only for a timer, or where sleep would hurt */
			if (state_polls(g, *best) && st->exit <= latency &&
			    st->residency <= g->next_timer) {
				*expect = st->residency;
				*best = i;
				return false;
			}
			if (*expect < g->tick)
				return false;
			if (!g->tick_stopped) {
				*expect = have; /* shallow: the tick may wake it early */
				return false;
			}
			/* nothing would get it out of a shallow state */
			if (have < g->tick && st->residency <= g->next_event)
				*best = i;
			return true;
		}
		if (st->exit > latency)
			return false;
		*best = i;
	}
	return false;
}

u32 governor_menu(struct idle_gov *g, bool *stop_tick)
{
	u64 expect, latency = UINT64_MAX;
	u32 best = 0;

	if (g->end != IDLE_END_NONE)
		learn(g);
	g->menu.bucket = bucket_of(g->next_timer, g->nr_iowait);
	*stop_tick = true;
	if (g->nstate < 2 || g->next_timer < g->state[1].residency) {
		*stop_tick = !state_polls(g, 0);
		return 0;
	}
	expect = expected(g);
	if (!g->tick_stopped)
		latency = expect / (1 + IO_DIVISOR * g->nr_iowait);
	else if (expect < g->tick)
		expect = g->next_timer; /* to be wrong would cost more than a tick */
	if (deepest(g, &expect, latency, &best) || g->tick_stopped)
		return best;
	if (!state_polls(g, best) && expect >= g->tick)
		return best;
	*stop_tick = false;
	if (g->state[best].residency > g->next_event)
		best = state_shallower(g, best, g->next_event);
	return best;
}
