/*
 * The registry of options. Adding an option is one row in a .def file (and, for a choice,
 * one C file). SIBYL_EXTRA_OPTIONS may name one more file of rows:
 * docs/adding-an-option.md and the contract tests build the scheduler with extra rows
 * that way.
 */
#ifndef SCHED_OPTIONS_H
#define SCHED_OPTIONS_H

#include "base/types.h"
#include "base/units.h"

enum feat_id {
#define FEATURE(id, name, linux_name, def, doc) FEAT_##id,
#include "sched/features.def"
#undef FEATURE
	FEAT_COUNT
};

enum tun_id {
#define TUNABLE(id, name, linux_name, unit, lo, hi, def, doc) TUN_##id,
#include "sched/tunables.def"
#undef TUNABLE
	TUN_COUNT
};

enum seam_id {
#define SEAM(id, name, linux_name, def, doc) SEAM_##id,
#define CHOICE(seam, name, value, doc)
#include "sched/seams.def"
#undef SEAM
#undef CHOICE
	SEAM_COUNT
};

#define OPTION_COUNT (FEAT_COUNT + TUN_COUNT + SEAM_COUNT)

struct feat_row {
	const char *name, *linux_name; /* linux_name "" = Linux has no such switch */
	bool def;
	const char *doc;
};

struct tun_row {
	const char *name, *linux_name;
	enum unit unit;
	u64 lo, hi, def;
	const char *doc;
};

/** A value of a choice: a constant, or the function that does it. */
union choice_value {
	u64 constant;
	void (*fn)(void);
};

struct choice_row {
	enum seam_id seam;
	const char *name;
	union choice_value value;
	const char *doc;
};

struct seam_row {
	const char *name, *linux_name;
	const char *def;
	const char *doc;
};

extern const struct feat_row feat_rows[FEAT_COUNT];
extern const struct tun_row tun_rows[TUN_COUNT];
extern const struct seam_row seam_rows[SEAM_COUNT];
extern const struct choice_row choice_rows[];
extern const u32 choice_count;

/** The n-th choice of a seam, or NULL. */
const struct choice_row *seam_choice(enum seam_id seam, u32 n);

#endif
