/* All pids that a recording names, by pid. Private to this folder. */
#ifndef TRACE_PIDS_H
#define TRACE_PIDS_H

#include "event.h"

struct pid_info {
	u32 pid;
	bool switched; /* first and last are times of its switches */
	bool named;    /* wanted: its name matched at some time */
	char name[24]; /* the last that matched */
	u32 group_len; /* leading letters of the name */
	double first, last;
	/* the count */
	struct trace_task *task; /* NULL: nothing was counted */
	bool shared;
	double woken;	 /* first wake-up that no switch has answered; -1: none */
	u64 woken_epoch; /* number of gaps before it */
	bool on_cpu;
	double waits; /* from when it is runnable and not running; -1: it is not */
};

struct pids {
	struct arena *arena;
	struct pid_info **slot;
	u32 cap, n;
};

struct pid_info *pids_find(const struct pids *p, u32 pid); /* NULL: not there */
struct pid_info *pids_get(struct pids *p, u32 pid);	   /* makes it */

/** What the first reading finds. */
struct survey {
	struct pids pids;
	double t0, t1; /* the window */
	u32 cpus;      /* at least 1 */
	u64 lost;
	bool lost_more, has_wakeups;
};

/** First reading: names, window, number of CPUs, gaps. */
int trace_survey(struct source *s, const struct trace_options *o, struct survey *out,
		 struct failure *f);

#endif
