/*
 * Calibration: the declared parameters of an experiment are fitted to its baseline
 * column, and to those of the experiments that it names beside it (`with:`, for a row of
 * a machine that several tables use), within their ranges, by a library's simplex method;
 * then the values go into the data files that declare them. No other column is run or
 * read.
 */
#ifndef EXPERIMENT_CALIBRATE_H
#define EXPERIMENT_CALIBRATE_H

#include "experiment/experiment.h"

/** One baseline column. The caller gives x and req; the arrays are calibrate()'s. */
struct calibration_part {
	const struct experiment *x;
	struct experiment_request req;
	/* of each load, in the printed unit; published NAN = not printed */
	double *published, *before, *after;
};

struct calibration {
	u64 *start, *fitted; /* of each parameter, in its unit */
	double error_before,
		error_after; /* root mean square of ln(predicted/published) */
	u32 tries;
};

/**
 * Whether `other`, named as x->with[i], can be fitted along: it has the same machine, and
 * the same workload if parameters of a workload are fitted. FAIL_INPUT at the name.
 */
int calibrate_joins(const struct experiment *x, u32 i, const struct experiment *other,
		    struct failure *f);

/**
 * Run and fit the parameters of part[0].x to the baselines of all parts, each printed
 * cell with the same weight. *stop as in run_options; the same seeds for every try.
 */
int calibrate(struct arena *a, struct calibration_part *part, u32 npart, u32 jobs,
	      volatile const int *stop, struct calibration *out, struct failure *f);

/**
 * Put a value and where it comes from ("calibrated-on: ...") into the file at `path`: the
 * source of the row, or a comment behind a value that has none. The rest of the file
 * stays as it is. FAIL_INPUT if the value does not stand in that file, or not in a form
 * that can be replaced; nothing is written then. With write false only that is checked.
 */
int calibrate_write(struct arena *a, const struct experiment_fit *fit, const char *path,
		    u64 value, const char *source, bool write, struct failure *f);

/** A value with its unit. Lives in the arena. */
const char *calibrate_text(struct arena *a, const struct experiment_fit *fit, u64 value);

#endif
