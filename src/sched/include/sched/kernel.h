/*
 * Kernel recipes. A version number is not a policy, it is a row of choices: a recipe
 * inherits from one base and sets options. Options are declared in features.def (flags),
 * tunables.def (numbers) and seams.def (choices); they are bound once, before time
 * starts.
 */
#ifndef SCHED_KERNEL_H
#define SCHED_KERNEL_H

#include "base/arena.h"
#include "base/failure.h"
#include "base/text.h"
#include "sched/options.h"

/** Where an option got its value: the file and line that set it last. */
struct option_origin {
	const char *file; /* "default" or "command line" too */
	u32 line;
};

struct kernel {
	const char *name; /* as asked for, ad hoc options included */
	const char *file;
	const char *description; /* one line */
	const char *source;	 /* what the recipe is made from */
	const char *chain;	 /* "linux-6.1.192 < linux-6.1" */
	bool feat[FEAT_COUNT];
	u64 tun[TUN_COUNT];
	u32 seam[SEAM_COUNT]; /* index into the choices of the seam */
	struct option_origin origin[OPTION_COUNT]; /* features, tunables, seams */
};

/** Finds the file of a recipe by name or path; *path lives in the arena. */
typedef int (*kernel_resolve)(void *ctx, struct arena *a, const char *name,
			      const char **path, struct failure *f);

/**
 * Load "NAME" or "NAME:option=value,option=value". Bases are found through `resolve`;
 * a cycle, an unknown option, a wrong unit, a value out of range are failures.
 */
int kernel_load(struct arena *a, const char *what, kernel_resolve resolve, void *ctx,
		const struct kernel **out, struct failure *f);

/** All options with value and origin, flat. Appended to out. */
void kernel_show(const struct kernel *k, struct text *out);

/** What differs, in words. Appended to out; returns the number of differences. */
u32 kernel_diff(const struct kernel *a, const struct kernel *b, struct text *out);

/** Every option: name, Linux name, kind, default, range or choices, help. */
void kernel_list_options(struct text *out);

/** Canonical text: every option with its value, one a line; part of a run's identity. */
void kernel_canonical(const struct kernel *k, struct text *out);

#endif
