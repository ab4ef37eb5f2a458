/*
 * One mechanism of a machine that takes no time: see experiment/freeze.h. Only rows are
 * changed; queues, waits and limits follow from everything and cannot be frozen.
 */
#include "experiment/freeze.h"

#define NO_COST COST_COUNT
#define FAST	10000000000000u /* bytes/s, the most that a row may say */

struct row {
	enum cost_id cost;
	u64 value;
};

#define ROWS 6u

static const struct row rows[][ROWS] = {
	[0] = {{NO_COST, 0}}, /* no SMT rows */
	[1] = {{NO_COST, 0}}, /* no frequency rows */
	[2] = {{COST_MEMORY_DISTANCE, 0}, {COST_MEMORY_BANDWIDTH, 0}, {NO_COST, 0}},
	[3] = {{COST_REFILL_LLC, FAST}, {COST_REFILL_MEMORY, FAST}, {NO_COST, 0}},
	[4] = {{COST_SWITCH, 0}, {NO_COST, 0}},
	[5] = {{COST_WAKE, 0}, {NO_COST, 0}},
	[6] = {{COST_SCAN, 0}, {NO_COST, 0}},
	[7] = {{COST_TICK, 0}, {NO_COST, 0}},
	[8] = {{COST_TIMER, 0}, {NO_COST, 0}},
	[9] = {{COST_SYSCALL, 0}, {NO_COST, 0}},
	[10] = {{COST_WAKE_SMT, 0},
		{COST_WAKE_LLC, 0},
		{COST_WAKE_SOCKET, 0},
		{COST_WAKE_NODE, 0},
		{NO_COST, 0}},
};

const struct freeze freezes[] = {
	{"siblings take nothing of a core", REASON_SMT},
	{"every core runs at the nominal clock", REASON_FREQUENCY},
	{"memory is near and has no limit", REASON_MEMORY},
	{"caches are full at once", REASON_COLD},
	{"context switches cost nothing", REASON_SWITCH},
	{"wake-ups cost nothing", REASON_WAKE},
	{"the search for an idle CPU costs nothing", REASON_SCAN},
	{"ticks cost nothing", REASON_TICK},
	{"timers cost nothing", REASON_TIMER},
	{"system calls cost nothing", REASON_SYSCALL},
	{"IPIs arrive at once", REASON_WAKING},
};

const u32 freeze_count = ARRAY_SIZE(freezes);

_Static_assert(ARRAY_SIZE(rows) == ARRAY_SIZE(freezes), "rows of every freeze");

const struct machine *freeze_machine(struct arena *a, const struct machine *m, u32 which)
{
	struct machine *out = arena_new(a, struct machine);

	*out = *m;
	for (u32 i = 0; i < freeze_count; i++) {
		if (!(which & 1u << i))
			continue;
		if (freezes[i].reason == REASON_SMT)
			out->nsmt = 0;
		if (freezes[i].reason == REASON_FREQUENCY)
			out->nfreq = 0;
		for (const struct row *r = rows[i]; r->cost != NO_COST; r++)
			out->cost[r->cost].value = r->value;
	}
	return out;
}
