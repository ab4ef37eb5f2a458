/*
 * idle.governor = off: always the first state that does not poll, as an x86 kernel with
 * cpuidle.off=1 and any kernel whose machine has one state. The tick goes on until it has
 * found the CPU idle once. Corresponds to default_idle_call() and cpuidle_idle_call() of
 * Linux 6.1.
 */
#include "options_fn.h"

u32 governor_off(struct idle_gov *g, bool *stop_tick)
{
	*stop_tick = g->end == IDLE_END_TICK;
	return state_polls(g, 0);
}
