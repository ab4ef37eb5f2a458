/* What readers hand to the summariser: one event at a time. Private to this folder. */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "trace/trace.h"

enum trace_kind {
	TRACE_OTHER, /* any other event: time passes */
	TRACE_SWITCH,
	TRACE_WAKEUP, /* sched_wakeup and sched_wakeup_new */
	TRACE_MIGRATE,
	TRACE_LOST, /* the recorder dropped `lost` events of `cpu`; no time */
};

struct trace_event {
	enum trace_kind kind;
	u32 cpu;
	double time;	  /* s */
	u32 pid;	  /* switched out, woken or moved */
	u32 next;	  /* switched in */
	u32 from, to;	  /* of a migration */
	bool runnable;	  /* switched out while it could run */
	u64 lost;	  /* 0: not said how many */
	char comm[2][24]; /* of a switch: out, in; blanks at the ends are cut */
};

/** Called for each event in order: 0 go on, 1 enough, -1 failed. */
typedef int (*trace_fn)(void *ctx, const struct trace_event *ev, struct failure *f);

/** An open recording: a file, or the standard input that was copied to a hidden one. */
struct source {
	struct arena *arena;
	const char *name; /* for failures */
	int fd;
	enum { SOURCE_TEXT, SOURCE_GZIP, SOURCE_DAT } kind;
	u32 line; /* that is being read; 0 in a trace.dat */
	u32 cpus; /* that the file says it is of; 0: it does not */
};

int source_open(struct arena *a, const char *path, struct source *s, struct failure *f);
/** All events from the start. */
int source_each(struct source *s, trace_fn fn, void *ctx, struct failure *f);
void source_close(struct source *s);

int text_each(struct source *s, trace_fn fn, void *ctx, struct failure *f);
int dat_each(struct source *s, trace_fn fn, void *ctx, struct failure *f);

/** What may follow the start of a file. */
bool trace_is_dat(const char *head, size_t n);

/**
 * Parse a line without its end. Returns 1 if it is an event, 0 if it is something else,
 * -1 if it is an event that cannot be understood; *want says what was expected.
 */
int trace_line(const char *s, const char *end, struct trace_event *ev, const char **want);

/** ns as the double of seconds that is nearest, as a reader of the decimal text has it.
 */
double trace_seconds(u64 ns);

/** v with `places` digits after the point as Python's round() has them, times 10^places.
 */
u64 trace_round(double v, u32 places);

/** How many letters a name begins with: they name its group. */
u32 trace_group(const char *name);

/** A name without the blanks around it, copied and cut. */
void trace_comm(char *to, const char *s, const char *end);

#endif
