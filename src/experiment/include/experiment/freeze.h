/*
 * Counter-experiments: machines on which one mechanism takes no time. What a difference
 * of two runs loses when both run on such a machine is what that mechanism makes of it.
 */
#ifndef EXPERIMENT_FREEZE_H
#define EXPERIMENT_FREEZE_H

#include "machine/machine.h"
#include "sched/account.h"

struct freeze {
	const char *what;   /* "switches cost nothing" */
	enum reason reason; /* that the account should have for it */
};

extern const struct freeze freezes[];
extern const u32 freeze_count;

/**
 * A copy of a machine without the mechanisms whose bits (1 << index in freezes) are set;
 * lives in the arena, shares its arrays.
 */
const struct machine *freeze_machine(struct arena *a, const struct machine *m, u32 which);

#endif
