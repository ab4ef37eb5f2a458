/*
 * Workloads: programs of operations that tasks run. Three stages:
 *
 *   workload_load()   one file -> parsed and checked, parameters still open
 *   workload_bind()   + machine + parameter values -> an immutable plan
 *   workload_start()  a plan in one simulation -> tasks, spans, counters
 *
 * Operations are registered in ops.def, one file an operation. No floating point before
 * workload_metrics(), which turns counters into numbers after the simulation.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/arena.h"
#include "base/failure.h"
#include "base/hist.h"
#include "base/text.h"
#include "machine/machine.h"
#include "sched/account.h"
#include "sched/ledger.h"
#include "sched/sched.h"

struct workload;      /* opaque, in the arena of its loading */
struct workload_plan; /* opaque, in the arena of its binding; shared by many runs */
struct workload_run;  /* opaque, in the arena of its run */

/** A parameter as the user gives it: `-p clients=4`. */
struct param {
	const char *name, *value;
};

int workload_load(struct arena *a, const char *path, const struct workload **out,
		  struct failure *f);

const char *workload_name(const struct workload *w);
const char *workload_description(const struct workload *w);
/** Bytes of the file: part of a run's identity. */
const char *workload_text(const struct workload *w, size_t *len);

/** Parameter names, defaults and help, metrics, groups, defaults. Appended to out. */
void workload_show(const struct workload *w, struct text *out);

/** The operations that programs are made of: name, what it does. Appended to out. */
/** The file as a native one, for what was translated from rt-app. */
void workload_yaml(const struct workload *w, struct text *out);

void workload_list_operations(struct text *out);

/** Names of the parameters (count in *n); borrowed. */
const char *const *workload_params(const struct workload *w, u32 *n);

/** Unknown parameters and values out of range are failures with the nearest name. */
int workload_bind(struct arena *a, const struct workload *w, const struct machine *m,
		  const struct param *params, u32 nparams,
		  const struct workload_plan **out, struct failure *f);

/** Ends by itself (a fixed amount of work) rather than by the clock. */
bool plan_fixed_work(const struct workload_plan *p);
/** Default simulated time, and how much of its start is not measured; ns. */
u64 plan_duration(const struct workload_plan *p);
u64 plan_warmup(const struct workload_plan *p);
/** "name=value name=value", every parameter, in file order; part of the identity. */
const char *plan_params(const struct workload_plan *p);
/** Accounting groups: the `tasks:` entries of the file, in file order. */
u32 plan_groups(const struct workload_plan *p);
const char *plan_group_name(const struct workload_plan *p, u32 group);

/** How many tasks there are when it starts. */
u32 plan_tasks(const struct workload_plan *p);

/** A declared metric. */
struct metric_decl {
	const char *name, *unit;
	bool higher_better;
};

u32 plan_metrics(const struct workload_plan *p);
const struct metric_decl *plan_metric(const struct workload_plan *p, u32 i);
/** Index of the metric that a table shows unless told otherwise. */
u32 plan_main_metric(const struct workload_plan *p);

/** What a metric is made of, for those who ask where its time goes. */
enum metric_basis {
	BASIS_NONE,   /* not of tasks' time: the ledger of a lock, a number of things */
	BASIS_UNITS,  /* counted things, in all or per second */
	BASIS_EVENTS, /* the time of an event */
	BASIS_WORK,   /* the time of a fixed work */
	BASIS_CPU,    /* CPU time */
};

/**
 * The basis of a metric; maker[i] says whether tasks of group i make it (room for
 * plan_groups()). BASIS_EVENTS: *exact = it is the mean, not a percentile or the most.
 */
enum metric_basis plan_metric_basis(const struct workload_plan *p, u32 metric,
				    bool *maker, bool *exact);

/**
 * Prepare a plan in one simulation: sets the client (call before sched_new), then, after
 * sched_new, workload_launch() creates the first tasks.
 *
 * What the stream perturbs is declared in docs/workloads.md: the CPU of the launcher,
 * start offsets, service draws.
 */
struct workload_run *workload_start(struct arena *a, const struct workload_plan *p,
				    struct stream stream, struct sched_client *client);
void workload_launch(struct workload_run *r, struct sched *s);

/**
 * True once a fixed-work plan has ended (all its tasks have exited), or once a program
 * has failed: see workload_check().
 */
bool workload_done(const struct workload_run *r);

/**
 * What only a run can find: a program that takes no time, or forks without end. From then
 * on every task that asks is put to sleep. 0, or -1 with the failure.
 */
int workload_check(const struct workload_run *r, struct failure *f);

/** Called once when the warm-up is over: counters and spans start to count now. */
void workload_measure_from_now(struct workload_run *r, struct sched *s);

/**
 * Values of the declared metrics over the measured window: value[i] for plan_metric(p,
 * i); has[i] false = missing (n/a).
 */
void workload_metrics(struct workload_run *r, struct sched *s, double *value, bool *has);

/** How many things or events a metric counts in the measured window; 0 = it has none. */
u64 workload_metric_count(const struct workload_run *r, u32 metric);

/**
 * Split the events of a metric by what their tasks do in them: before the launch, for an
 * account that keeps time by task. False, and nothing is done: it is no time of events.
 */
bool workload_split(struct workload_run *r, struct account *account, u32 metric);

/**
 * Time by state of the events that the metric measures: all of a mean; of a percentile
 * those with ranks up to half way to the longest one, and as many below; of the maximum
 * those of about its length. Returns how many; 0: it is not split, or none ended.
 * *from, *to: their ranks, 0 to 1.
 */
u64 workload_split_events(const struct workload_run *r, struct account_row *out,
			  double *from, double *to);

/**
 * What programs share, one entry of the file after another: its name, its kind ("locks"),
 * and what was counted in the measured window up to the last workload_metrics(). False:
 * there is no entry i.
 */
bool workload_resources(struct workload_run *r, u32 i, const char **name,
			const char **kind, struct ledger *ledger);

/**
 * The cgroups with a limit of CPU time, in file order: the limit, and what it did in the
 * measured window up to the last workload_metrics(). False: there is no such cgroup i.
 */
bool workload_limits(const struct workload_run *r, u32 i, const char **name,
		     struct group_limit *limit, struct limit_stats *stats);

/** CPU time of an accounting group inside the measured window, ns, exited tasks too. */
u64 workload_group_cpu(const struct workload_run *r, const struct sched *s, u32 group);

#endif
