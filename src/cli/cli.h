/*
 * What the commands share: a context, a table of commands, a table of options. A command
 * fills c->out and returns 0, or returns -1 with c->fail filled in; only main() prints
 * failures and exits. Long outputs (a trace) go to a stream instead.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/text.h"
#include "experiment/stat_rows.h"
#include "report/request.h"
#include "store/store.h"

struct command;

struct cli {
	struct arena arena; /* of the whole command */
	struct library library;
	struct failure fail;
	struct text out;   /* goes to stdout when the command is over */
	volatile int stop; /* set by SIGINT and SIGTERM */
	const struct command *command;
};

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

/** All options of all commands; a command reads those that it allows. */
struct options {
	struct request req; /* names may be NULL, kernel may be empty */
	u32 jobs;
	const char *db, *metric, *output, *trace, *schedstat, *numactl, *name;
	enum format format;
	bool json, all, calibrate, full, recount, wasted, account, why, has_runs, has_db,
		help, yaml;
	const char *against, *experiment; /* of score; NULL: not given */
	const char *pattern;		  /* NULL: not given */
	u32 cpus, siblings;
	u32 pairs;	 /* of runs, for --why */
	double from, to; /* s; below 0: not given */
	struct stat_rule rule;
	enum stat_row_set rows;
	bool has_rows;
	double auto_percent; /* that `-n auto` asks for; 0 = a number was given */
	bool anyway;
	const char *unmodelled; /* what a comparison hinges on; NULL */
	const char *runs_rule;	/* for the legend; NULL = a number was given */
	const char **rest;	/* operands */
	u32 nrest;
};

struct command {
	const char *name;
	const char *operands; /* for the usage line */
	const char *options;  /* keys of the options that it takes: see options.c */
	u32 min, max;	      /* operands */
	int (*run)(struct cli *c, struct options *o);
	const char *summary; /* one line */
	const char *help;    /* more lines, or "" */
};

extern const struct command commands[];
extern const u32 command_count;

/** Parse argv[1..] of a command. */
int options_parse(struct cli *c, const struct command *cmd, int argc, char **argv,
		  struct options *o);

/** Usage and options of one command, appended to out. */
void options_help(const struct command *cmd, struct text *out);

/** The data folder of this command: $SIBYL_DATA or found. */
int cli_library(struct cli *c);

/** -m, -w and -k must all be given. */
int cli_need_names(struct cli *c, const struct options *o);

/**
 * Fill in what was not given from the example of the data folder; *all is set if none of
 * machine, workload and kernels was given.
 */
int cli_example(struct cli *c, struct options *o, bool *all);

/** Unknown word: a failure that names the nearest of n names. Returns -1. */
int cli_unknown(struct cli *c, const char *what, const char *word,
		const char *const *names, size_t n);

/** Write c->out to a file, or leave it for stdout if path is NULL. */
int cli_output(struct cli *c, const char *path);

/**
 * Watch for SIGINT and SIGTERM on a thread of its own that sets *stop; the second signal
 * ends the program. A thread, so that no state has to be static.
 */
int cli_watch_signals(volatile int *stop, struct failure *f);

/** A bar with the time that is left on stderr, if that is a terminal. */
struct progress {
	bool on;
	u64 started; /* ns, monotonic */
	u64 drawn;
};

void progress_start(struct progress *p);
void progress_draw(struct progress *p, u32 done, u32 total);
void progress_end(struct progress *p);

/**
 * Run what the store does not hold yet and store it as it comes; *known: how many runs it
 * held. Interrupted, the failure is FAIL_INTERRUPTED and what was complete is stored.
 */
int cli_grid(struct cli *c, struct store *store, const struct grid *g, u32 jobs,
	     u32 *known, struct failure *f);

struct compare_report;
struct compare_table;

/** Parse "auto" or "auto:PERCENT" of -n. */
int cli_auto_parse(struct cli *c, const char *text, struct options *o);

/**
 * -n auto after a round: true if there are to be more runs, their number then in
 * o->req.runs. Fills o->runs_rule. t NULL: nothing ran.
 */
bool cli_auto_more(struct cli *c, struct options *o, const struct compare_report *r,
		   const struct compare_table *t);

/** The spec of a stored run again; fails if its files or the program have changed. */
int cli_rebuild(struct cli *c, const struct stored_run *run, struct run_spec *spec);

/** The kernel k with one option after the other as in base: names, room for all. */
u32 cli_put_back(struct cli *c, const struct kernel *k, const struct kernel *base,
		 const char **kernel);

struct reasons;
struct counter_answer;

/** Counter-experiments to a difference that is explained; none if it is refused. */
int cli_why(struct cli *c, const struct run_spec *const spec[2],
	    const struct reasons *why, u32 pairs, struct counter_answer *out);

/** Two specs with an account of the metric (NULL = the main one). */
int cli_account(struct cli *c, const struct run_spec *const spec[2], const char *metric,
		struct run_result r[2]);

/**
 * r->reason, from one run more of the cell that differs most from the first column, and
 * of that column; unchanged if nothing differs or its metric is not attributed.
 */
int cli_first_reason(struct cli *c, const struct grid *g, const struct compare_table *t,
		     struct compare_report *r);

struct trace_options;
struct trace_summary;

/** What the options of `summary` say of a recording; `pattern` if none was given. */
void cli_trace_options(const struct options *o, const char *pattern,
		       struct trace_options *out);

/** Say on stderr what a recording lacks. */
void cli_trace_notes(const char *file, const struct trace_summary *s);

struct experiment_work;
struct experiment_ask;
struct calibration_part;

/**
 * An experiment whose names are resolved, and those that its fit heeds beside it, each as
 * long as it is meant or as `ask` says: 1 + x->nwith parts. FAIL_INPUT at the name if one
 * does not exist or cannot be fitted along.
 */
int cli_calibration_parts(struct arena *a, struct library *lib,
			  const struct experiment_ask *ask,
			  const struct experiment_work *w, struct calibration_part **out,
			  struct failure *f);

/** --calibrate of an experiment that `ask` opened. */
int cli_calibrate(struct cli *c, const struct options *o,
		  const struct experiment_ask *ask, const struct experiment_work *w);

int cmd_list(struct cli *c, struct options *o);
int cmd_compare(struct cli *c, struct options *o);
int cmd_ablate(struct cli *c, struct options *o);
int cmd_experiment(struct cli *c, struct options *o);
int cmd_score(struct cli *c, struct options *o);
int cmd_run(struct cli *c, struct options *o);
int cmd_show(struct cli *c, struct options *o);
int cmd_explain(struct cli *c, struct options *o);
int cmd_trace(struct cli *c, struct options *o);
int cmd_summary(struct cli *c, struct options *o);
int cmd_machine(struct cli *c, struct options *o);
int cmd_kernel(struct cli *c, struct options *o);
int cmd_workload(struct cli *c, struct options *o);
int cmd_check(struct cli *c, struct options *o);
int cmd_doctor(struct cli *c, struct options *o);

#endif
