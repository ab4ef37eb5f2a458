/*
 * Experiments: a published table and the simulation that is to predict it. A file names a
 * machine, a workload, the columns (kernels) and loads of the table and where its printed
 * values are; it sets no row of a machine and no option of a recipe. One without printed
 * values is a question with its runs: there is nothing to score then.
 *
 *   experiment_load()  file and published values -> parsed and checked
 *   experiment_plan()  + machine, workload, kernels -> a grid of runs
 *
 * Fitting parameters to the baseline column: experiment/calibrate.h.
 */
#ifndef EXPERIMENT_EXPERIMENT_H
#define EXPERIMENT_EXPERIMENT_H

#include "base/yaml.h"
#include "experiment/grid.h"

struct experiment_load {
	const char *name; /* the `load` string of the published file */
	bool unprinted;	  /* the published file has none of that name, and is not to */
	const struct ynode *node;
	const struct ynode *params; /* NULL = none */
};

struct experiment_column {
	const char *name;   /* the `policy` string of the published file */
	const char *kernel; /* "NAME[:option=value,...]" */
	const struct ynode *node, *kernel_node;
	const struct ynode *params; /* NULL = none */
};

/** A printed cell in the published unit; NAN = not printed. */
struct published_cell {
	double value, stddev, pct; /* pct: printed, or else computed; positive = better */
	int significant;	   /* 1, 0, or -1: the author marked nothing */
};

/** A parameter that --calibrate may move: a parameter of the workload or a machine row.
 */
struct experiment_fit {
	const char *workload; /* name of a parameter; NULL: a row of the machine */
	const char *machine;  /* costs.ROW, smt.SELF.OTHER or frequency.hold */
	enum unit unit;
	u64 lo, hi;
	const char *source;
	const struct ynode *node; /* of the name */
	const struct ynode *range;
};

struct experiment {
	const char *name; /* as the file is called, without its suffix */
	const char *file;
	const char *description, *source, *table;
	const char *note; /* what the reader of the table must know; "" = nothing */
	const char *machine, *workload, *metric;
	const struct ynode *machine_node, *workload_node, *metric_node, *value_node;
	bool higher_better;
	const char *published; /* path of the printed values; NULL = there are none */
	/* as printed; unit "": nothing is, so that of the workload's metric */
	const char *printed_metric, *unit;
	const char *only_machine, *only_workload; /* of the printed rows; NULL = any */
	double scale; /* printed units in one of the workload's; 0 = from the names */
	bool spread;  /* printed deviations are between runs, so that they compare */
	struct experiment_load *load;
	u32 nload;
	struct experiment_column *column; /* the first is the baseline */
	u32 ncolumn;
	struct published_cell *cell; /* load * ncolumn + column */
	u64 duration, full_duration; /* ns; 0 = the workload's */
	u32 runs, full_runs;
	struct experiment_fit *fit;
	u32 nfit;
	/* experiments whose baselines the fit heeds too: names, and where they stand */
	const char **with;
	const struct ynode **with_node;
	u32 nwith;
	const char **suspect; /* like cell: why a printed cell looks wrong; NULL */
	/** Printed cells of this table that the experiment has no place for. */
	struct experiment_stray {
		const char *load, *column;
	} * stray;
	u32 nstray;
	bool against;	 /* the printed values are of another file than its own */
	bool other_unit; /* ... and in another unit: only ratios compare */
};

/**
 * Parse and check a file and the printed values that it names; or those of the file
 * `against`, if that is not NULL: loads and columns that it lacks are not printed then,
 * and where it holds one metric only that is the metric.
 */
int experiment_load(struct arena *a, const char *path, const char *against,
		    const struct experiment **out, struct failure *f);

/** How names become files, and what the user asked for. */
struct experiment_request {
	int (*find_machine)(void *ctx, struct arena *a, const char *name,
			    const char **path, struct failure *f);
	int (*find_workload)(void *ctx, struct arena *a, const char *name,
			     const char **path, struct failure *f);
	kernel_resolve find_kernel;
	void *ctx;
	u32 runs;
	u64 duration; /* ns; 0 = the workload's */
	u64 seed;
	/** Baseline only, with these values of the parameters to fit; NULL = as it is. */
	const u64 *fit;
	const struct experiment *fit_of; /* whose parameters; NULL = of the one planned */
};

/**
 * Load machine, workload and kernels and lay out the runs: a "load" of the grid is a load
 * of the table, a kernel is a column. *scale: printed units in one of the metric's. A
 * failure is at the place in the file that asked for what is wrong.
 */
int experiment_plan(struct arena *a, const struct experiment *x,
		    const struct experiment_request *req, struct grid *out, double *scale,
		    struct failure *f);

#endif
