/*
 * Recordings of the scheduler: the text of `trace-cmd report`, plain or gzipped, and
 * trace.dat files, read as a stream and counted. What is counted, over which window and
 * how it is rounded is that of tests/oracle/summarise.py, to the printed digit.
 *
 * A file is read twice: first for the pids of the wanted tasks and the window, then for
 * the counts. Memory grows with tasks and with distinct printed values, not with events.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/arena.h"
#include "base/failure.h"
#include "base/text.h"
#include "machine/machine.h"

/** Names of the tasks that the workload programs of the oracle start. */
#define TRACE_PATTERN                                                        \
	"^(hog|per|slp|hi|lo|[abcu]|n0|n5|m5|ping|pong|hackbench|forkburst)" \
	"[0-9]*$"

#define TRACE_FROM 0.3 /* s that are dropped after the first wanted task ran */

struct trace_options {
	const char *pattern; /* POSIX extended, matched at the start of a name */
	u32 cpus;	     /* 0: as many as the file tells of */
	u32 siblings;	     /* 2: CPUs 2i and 2i+1 are one core; else no cores */
	double from, to;     /* s after the first wanted task ran; to = 0: to its end */
	const struct machine *machine; /* for distances; may be NULL */
};

/** How often each rounded value came: a percentile is exact to the printed digit. */
struct counts {
	struct counts_slot *slot;
	u32 cap, used;
	u64 n;
};

enum trace_distance { MOVE_CORE, MOVE_LLC, MOVE_NODE, MOVE_FAR, MOVES };

struct trace_task {
	char name[24];
	u32 pid;
	bool shared; /* another pid has the same name */
	double cpu_s;
	double waiting_s; /* runnable and not running; not part of the summary */
	u64 runs, preempted, migrations;
	u64 moved[MOVES];    /* migrations by distance, if the machine is known */
	struct counts slice; /* us */
	struct counts wake;  /* 0.1 us */
};

struct trace_summary {
	double window;
	u64 switches, migrations, wakeups;
	double same, cross, lone; /* CPU-seconds of cores, see summarise.py */
	u32 cpus;
	double *busy;
	struct trace_task **task; /* by name, then pid */
	u32 ntask;
	u64 lost;	  /* events that the recorder dropped */
	bool lost_more;	  /* at some place without saying how many */
	bool has_wakeups; /* any at all: else no latency is known */
	bool has_distance;
};

/** Read a file, or the standard input for "-". The summary lives in the arena. */
int trace_summarise(struct arena *a, const char *path, const struct trace_options *o,
		    const struct trace_summary **out, struct failure *f);

/** One line of JSON as summarise.py prints it, and "lost_events" if there are any. */
void trace_json(const struct trace_summary *s, struct text *out);

/** Is this the name of a recording, rather than of a run? */
bool trace_is_file(const char *path);

/** Two recordings side by side, per task name and group; largest difference first. */
void trace_compare(struct arena *a, const struct trace_summary *s[2],
		   const char *const name[2], bool json, struct text *out);

void counts_add(struct arena *a, struct counts *c, u64 value);
void counts_merge(struct arena *a, struct counts *into, const struct counts *from);
/** The values at q (0 to 1, rising) of the sorted values, index floor(q * n). n > 0. */
void counts_quantiles(struct arena *a, const struct counts *c, const double *q, u32 nq,
		      u64 *value);

#endif
