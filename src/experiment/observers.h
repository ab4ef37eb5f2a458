/*
 * Sinks of this layer: wake-up latencies and the ftrace text. They observe events of the
 * scheduler (sched/events.def) and change nothing.
 */
#ifndef EXPERIMENT_OBSERVERS_H
#define EXPERIMENT_OBSERVERS_H

#include <stdio.h>

#include "base/arena.h"
#include "base/failure.h"
#include "base/hist.h"
#include "base/text.h"
#include "engine/sink.h"
#include "machine/machine.h"
#include "sched/sched.h"

/** Place of a task id in an event that names no task (the idle loop, no parent). */
#define NO_TASK UINT32_MAX

/*
 * Wake-up latency: from the event wakeup or wakeup_new to the switch that puts the task
 * on a CPU. One histogram for all tasks; one word per task id, and ids are recycled, so
 * that memory does not grow with simulated time.
 */
struct wake_sink {
	struct sink sink;
	struct arena *arena;
	struct hist hist;
	u64 from;    /* wake-ups before this time do not count */
	u64 *marked; /* by task id: time of the wake-up + 1, 0 = not waiting */
	u32 n;
};

void wake_sink_init(struct wake_sink *w, struct arena *a);

/** Forget what was seen: only wake-ups at or after `now` count. */
void wake_sink_restart(struct wake_sink *w, u64 now);

/*
 * Text as `trace-cmd report -t` prints it, one line an event. CPU numbers are those of
 * the operating system.
 */
struct ftrace_cpu {
	u32 id;	  /* task that runs, NO_TASK = idle */
	u32 pid;  /* name of that task as seen last: it may be gone at its last event */
	s32 prio; /* as the trace prints it */
	char comm[16];
};

struct ftrace_sink {
	struct sink sink;
	FILE *out;
	const struct machine *machine;
	const struct sched *sched; /* set before the first event */
	struct ftrace_cpu *cpu;
	struct text line;
	int error; /* errno of the first write that failed */
};

void ftrace_sink_init(struct ftrace_sink *t, struct arena *a, FILE *out,
		      const struct machine *m);

/** Flush; FAIL_IO if any write failed. Frees the line buffer. */
int ftrace_sink_finish(struct ftrace_sink *t, struct failure *f);

#endif
