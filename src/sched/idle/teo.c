/*
 * idle.governor = teo: the next timer says how long the CPU may sleep, unless wake-ups
 * that came before the timer ("intercepts") were more than those that the timer explains
 * ("hits"). Both are counted for each state, in the bin of the state that the idle time
 * would have been right for. Corresponds to drivers/cpuidle/governors/teo.c of Linux 6.1.
 *
 *   counts lose an eighth at each idle time; the bin that it fell into gains 1024
 *
 *   early  <=>  2 * intercepts of shallower states > all counts - hits of these
 *               or more than 4 of the last 9 were intercepts of shallower states
 *
 * Then: the deepest shallower state that covers more than half of those intercepts.
 *
 * Left out: latency limits of PM QoS, states that are disabled.
 */
#include "options_fn.h"

#define PULSE 1024u

static u32 bin_of(const struct idle_gov *g, u64 ns)
{
	u32 found = 0;

	for (u32 i = 0; i < g->nstate; i++)
		if (g->state[i].residency <= ns)
			found = i;
	return found;
}

/* The idle time that counts; as long as one likes if a timer, or a safety net, ended it.
 */
static u64 slept(const struct idle_gov *g)
{
	u64 exit = g->state[g->chosen].exit, ns = g->residency;

	if (ns >= g->next_timer || g->end == IDLE_END_POLL_LIMIT ||
	    (g->end == IDLE_END_TICK && g->next_timer > g->tick))
		return UINT64_MAX;
	/* leaving takes half of the worst case on average */
	return ns >= exit ? ns - exit / 2 : ns / 2;
}

static void learn(struct idle_gov *g)
{
	struct teo *t = &g->teo;
	u32 timer = bin_of(g, g->next_timer), was = t->recent[t->next];
	u32 bin = bin_of(g, min_u64(slept(g), g->next_timer));

	t->total = 0;
	for (u32 i = 0; i < g->nstate; i++) {
		t->bin[i].hits -= t->bin[i].hits / 8;
		t->bin[i].intercepts -= t->bin[i].intercepts / 8;
		t->total += t->bin[i].hits + t->bin[i].intercepts;
	}
	t->total += PULSE;
	if (was)
		t->bin[was - 1].recent--;
	if (bin == timer) {
		t->bin[bin].hits += PULSE;
		t->recent[t->next] = 0;
	} else {
		t->bin[bin].intercepts += PULSE;
		t->bin[bin].recent++;
		t->recent[t->next] = bin + 1;
	}
	t->next = (t->next + 1) % TEO_RECENT;
	g->end = IDLE_END_NONE;
}

struct early {
	u32 intercepts,
		recent; /* of the shallower states; 0 = that count is not to blame */
};

/* Is a wake-up before state `idx` pays off likely? */
static struct early early_of(const struct idle_gov *g, u32 idx)
{
	struct early e = {0, 0};
	u32 hits = 0;

	for (u32 i = 0; i < idx; i++) {
		hits += g->teo.bin[i].hits;
		e.intercepts += g->teo.bin[i].intercepts;
		e.recent += g->teo.bin[i].recent;
	}
	if (2 * e.intercepts <= g->teo.total - hits)
		e.intercepts = 0;
	if (e.recent <= TEO_RECENT / 2)
		e.recent = 0;
	return e;
}

static u64 middle_of(const struct idle_gov *g, u32 i)
{
	return (g->state[i].residency + g->state[i + 1].residency) / 2;
}

/* Without a tick nothing wakes the CPU if it is in too shallow a state for too long. */
static bool short_enough(const struct idle_gov *g, u64 ns)
{
	return !g->tick_stopped || ns >= g->tick;
}

/* A state above idx for wake-ups before the timer; *ns: the time that it stands for. */
static u32 shallower(const struct idle_gov *g, u32 idx, u64 *ns)
{
	struct early all = early_of(g, idx);
	u32 intercepts = 0, recent = 0, suits = idx;
	u64 suits_ns = *ns;

	if (!all.intercepts && !all.recent)
		return idx;
	for (u32 i = idx; i--;) {
		u64 middle = middle_of(g, i);

		intercepts += g->teo.bin[i].intercepts;
		recent += g->teo.bin[i].recent;
		if ((!all.recent || 2 * recent > all.recent) &&
		    (!all.intercepts || 2 * intercepts > all.intercepts)) {
			if (short_enough(g, middle)) {
				suits = i;
				suits_ns = middle;
			}
			*ns = suits_ns;
			return suits;
		}
		if (short_enough(g, middle)) {
			suits = i;
			suits_ns = middle;
		} else if (suits == idx) {
			break;
		}
	}
	return idx;
}

u32 governor_teo(struct idle_gov *g, bool *stop_tick)
{
	u64 ns = g->next_timer;
	u32 best;

	if (g->end != IDLE_END_NONE)
		learn(g);
	best = bin_of(g, ns);
	if (best)
		best = shallower(g, best, &ns);
	*stop_tick = g->tick_stopped || (!state_polls(g, best) && ns >= g->tick);
	if (!*stop_tick && g->state[best].residency > g->next_event)
		best = state_shallower(g, best, g->next_event);
	return best;
}
