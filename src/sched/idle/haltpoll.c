/*
 * idle.governor = haltpoll: the governor of guests, with a driver of its own: two states,
 * one that polls and one that halts. An idle CPU polls for a while first, so that a
 * wake-up that comes soon needs neither an IPI nor an exit to the hypervisor; if none has
 * come, it halts. How long it polls depends on how long its halts were:
 *
 *   limit < halt <= idle.poll_most     twice as long, idle.poll_start at least
 *   halt > idle.poll_most              half as long
 *
 * It starts with 0, which means not at all. The tick goes on while the CPU polls.
 * Corresponds to drivers/cpuidle/governors/haltpoll.c and cpuidle-haltpoll.c of Linux 6.1
 * (5.4 on), which a guest has if its host promises dedicated CPUs; here any machine may
 * have it, as with `force`.
 *
 * differs from Linux: a tick that finds the CPU polling begins the polling anew.
 *
 * Left out: other factors than 2, switching the shrinking off.
 */
#include "options_fn.h"

enum { POLLS, HALTS };

static void adjust(struct haltpoll *p, u64 halted)
{
	if (halted > p->most)
		p->limit /= 2;
	else if (halted > p->limit)
		p->limit = min_u64(max_u64(2 * p->limit, p->start), p->most);
}

u32 governor_haltpoll(struct idle_gov *g, bool *stop_tick)
{
	bool in_vain = g->end == IDLE_END_POLL_LIMIT;

	if (g->end != IDLE_END_NONE && g->chosen == HALTS)
		adjust(&g->haltpoll, g->residency);
	g->end = IDLE_END_NONE;
	*stop_tick = !g->haltpoll.limit || in_vain;
	return *stop_tick ? HALTS : POLLS;
}

/* The states of its driver. */
void haltpoll_init(struct sched *s, struct idle_gov *g)
{
	const u64 *tun = s->kernel->tun;
	struct idle_state *own = arena_array(s->arena, struct idle_state, 2);

	own[POLLS] = (struct idle_state){.name = "POLL"};
	own[HALTS] = (struct idle_state){
		.name = "haltpoll idle", .exit = s->halt_exit, .residency = NS_PER_US};
	g->state = own;
	g->nstate = 2;
	g->haltpoll.most = tun[TUN_POLL_MOST];
	g->haltpoll.start = tun[TUN_POLL_START];
}
