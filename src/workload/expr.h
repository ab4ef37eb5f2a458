/*
 * Values of a workload file: a number with a unit, a $parameter, or + - * / of them.
 * Integers throughout: a time is ns, a ratio Q32 (base/units.h).
 */
#ifndef WORKLOAD_EXPR_H
#define WORKLOAD_EXPR_H

#include "plan.h"

struct value {
	u64 v;
	enum unit unit;
	bool open; /* depends on a machine that is not known yet: v means nothing */
};

/** What names stand for. machine NULL: a file is checked without one. */
struct env {
	const struct workload *w;
	const struct machine *machine;
	const struct value *param; /* as w->param */
	u32 nparam;		   /* how many of them are visible yet */
	struct failure *f;
};

/** Evaluate a scalar node. */
int expr_value(const struct env *e, const struct ynode *n, struct value *out);

/** Turn a value into a unit: a count is a ratio, 0 is anything. n for the complaint. */
int expr_coerce(const struct env *e, const struct ynode *n, enum unit unit,
		struct value *v);

/** Evaluate in a unit and a range (inclusive; an open value becomes `lo`, at least 1). */
int expr_get(const struct env *e, const struct ynode *n, enum unit unit, u64 lo, u64 hi,
	     u64 *out);

/** A whole number with an optional sign in front of an expression. */
int expr_signed(const struct env *e, const struct ynode *n, s64 lo, s64 hi, s64 *out);

/** As cpus_parse(), but all of them may be offline. */
int cpus_possible(const struct env *e, struct arena *a, const struct ynode *n,
		  const struct cpumask **out);

/**
 * A set of CPUs: "all", "0-3,8" (numbers of the operating system), "node 1" (likewise),
 * "core 2", "llc 0", "package 0" (as `sibyl machine show` numbers them). NULL without a
 * machine. A set without an online CPU is a failure.
 */
int cpus_parse(const struct env *e, struct arena *a, const struct ynode *n,
	       const struct cpumask **out);

#endif
