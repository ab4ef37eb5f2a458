/*
 * Counter-experiments: what is left of a difference between two runs when one mechanism
 * takes no time in both, or when B has an option as A has it. Everything is done for
 * several pairs of runs, A and B of one pair with one seed, so that what is said carries
 * the noise of the pairs.
 *
 *   gone       1 - ln(b / a) / ln(B / A) of the metric: the part that goes
 *   share      what the account (experiment/reasons.h) has for that mechanism
 *   gone - share = what else changes with it, reason by reason
 *                  + "pace": both runs are faster; the same ratio is a smaller time
 *                  + "metric": the account is of a mean, the metric is none
 *
 * Sums over the pairs are divided; 95 % intervals are Student's.
 */
#ifndef EXPERIMENT_COUNTER_H
#define EXPERIMENT_COUNTER_H

#include "experiment/reasons.h"

#define COUNTER_LEAST                                                    \
	0.02 /* the smallest share that is frozen; less apart is nothing \
	      */

/** What the experiment says of the share. */
enum counter_verdict {
	COUNTER_AGREE, /* no more apart than the noise, which is less than the share */
	COUNTER_APART, /* for other reasons change with it */
	COUNTER_NOISE, /* the noise would hide the whole share: more pairs are needed */
};

const char *counter_verdict_name(enum counter_verdict v);

/** A value over all pairs, and half of its 95 % interval; NAN: one pair has none. */
struct counter_value {
	double mean, error;
};

struct counter_part {
	const char *name; /* of a reason, or "pace", "metric" */
	double share;
};

struct counter_experiment {
	const char *what;
	struct counter_value gone;
	/* of a mechanism; NAN for an option, which has no account */
	struct counter_value share, apart;
	enum counter_verdict verdict;
	struct counter_part *part; /* of what is apart, largest first */
	u32 npart;
};

/** Several of them at once. */
struct counter_together {
	const char *what;
	u32 n; /* of which there are so many; 0 = this was not done */
	struct counter_value gone;
	double sum; /* of each alone; gone less sum is what they do together */
};

struct counter_answer {
	u32 pairs;
	struct counter_experiment *row;
	u32 n;
	struct counter_together frozen, undone;
};

/** A and B of one pair, with an account of the same metric. */
struct counter_pair {
	struct run_result r[2];
};

/** The part of the difference in the metric that goes; NAN = n/a. */
struct counter_value counter_gone(struct arena *a, const struct counter_pair *plain,
				  const struct counter_pair *changed, u32 n);

/**
 * One mechanism frozen: gone, share, what is apart and its parts. why: the reasons of the
 * first pair, whose basis counts for all.
 */
void counter_build(struct arena *a, const struct reasons *why, enum reason reason,
		   const struct counter_pair *plain, const struct counter_pair *frozen,
		   u32 n, struct counter_experiment *out);

#endif
