/*
 * Trace text in the columns of `trace-cmd report -t`: see observers.h. Leaves out the
 * header line with the number of CPUs and every event that the scheduler does not have.
 *
 *   |----16----|-pid--- [cpu] -sec-.nanosecon: event:--------- fields
 */
#include "observers.h"

#include <errno.h>
#include <string.h>

#define DEFAULT_PRIO 120 /* of nice 0, as the trace prints it */

static void ftrace_event(struct sink *self, const struct sim_event *ev);

void ftrace_sink_init(struct ftrace_sink *t, struct arena *a, FILE *out,
		      const struct machine *m)
{
	memset(t, 0, sizeof(*t));
	t->sink.event = ftrace_event;
	t->out = out;
	t->machine = m;
	t->cpu = arena_array(a, struct ftrace_cpu, m->ncpu);
	for (u32 i = 0; i < m->ncpu; i++)
		t->cpu[i].id = NO_TASK;
}

/* Bring what is known of a task up to date, if it still exists. */
static void look_up(const struct ftrace_sink *t, struct ftrace_cpu *c, u32 id)
{
	const struct task *task = sched_task(t->sched, id);

	c->id = id;
	if (!task)
		return;
	c->pid = task_pid(task);
	c->prio = task_rt_priority(task) ? 99 - (s32)task_rt_priority(task)
					 : DEFAULT_PRIO + task_nice(task);
	strncpy(c->comm, task_comm(task), sizeof(c->comm) - 1);
}

static u32 os_cpu(const struct ftrace_sink *t, u64 cpu)
{
	return t->machine->cpu[cpu].os;
}

/* "comm:pid [prio]" of a task, or of the idle loop of `cpu`. */
static void put_task(struct ftrace_sink *t, const struct ftrace_cpu *c, u32 cpu)
{
	if (c->id == NO_TASK)
		text_fmt(&t->line, "swapper/%u:0 [%d]", os_cpu(t, cpu), DEFAULT_PRIO);
	else
		text_fmt(&t->line, "%s:%u [%d]", c->comm, c->pid, c->prio);
}

/* Everything before the fields: who ran where and when. */
static void put_head(struct ftrace_sink *t, const struct sim_event *ev, const char *name)
{
	struct ftrace_cpu *c = &t->cpu[ev->place];
	bool idle = c->id == NO_TASK;

	if (!idle)
		look_up(t, c, c->id);
	t->line.len = 0;
	text_fmt(&t->line, "%16s-%-5u [%03u] %5llu.%09llu: %-21s ",
		 idle ? "<idle>" : c->comm, idle ? 0 : c->pid, os_cpu(t, ev->place),
		 (unsigned long long)(ev->time / NS_PER_SEC),
		 (unsigned long long)(ev->time % NS_PER_SEC), name);
}

static void put_switch(struct ftrace_sink *t, const struct sim_event *ev)
{
	static const char state[] = {'R', 'S', 'X'};
	struct ftrace_cpu *c = &t->cpu[ev->place];

	put_head(t, ev, "sched_switch:");
	put_task(t, c, ev->place);
	text_fmt(&t->line, " %c ==> ", state[min_u64(ev->arg, ARRAY_SIZE(state) - 1)]);
	memset(c, 0, sizeof(*c));
	c->id = NO_TASK;
	if (ev->who != NO_TASK)
		look_up(t, c, ev->who);
	put_task(t, c, ev->place);
}

static void put_wakeup(struct ftrace_sink *t, const struct sim_event *ev,
		       const char *name)
{
	struct ftrace_cpu who = {.id = NO_TASK};

	put_head(t, ev, name);
	look_up(t, &who, ev->who);
	put_task(t, &who, ev->place);
	text_fmt(&t->line, " CPU:%03u", os_cpu(t, ev->arg));
}

static void put_migrate(struct ftrace_sink *t, const struct sim_event *ev)
{
	struct ftrace_cpu who = {.id = NO_TASK};

	put_head(t, ev, "sched_migrate_task:");
	look_up(t, &who, ev->who);
	text_fmt(&t->line, "comm=%s pid=%u prio=%d orig_cpu=%u dest_cpu=%u", who.comm,
		 who.pid, who.prio, os_cpu(t, ev->other), os_cpu(t, ev->arg));
}

static void put_fork(struct ftrace_sink *t, const struct sim_event *ev)
{
	struct ftrace_cpu parent = {.id = NO_TASK}, child = {.id = NO_TASK};

	put_head(t, ev, "sched_process_fork:");
	look_up(t, &parent, ev->other);
	look_up(t, &child, ev->who);
	text_fmt(&t->line, "comm=%s pid=%u child_comm=%s child_pid=%u", parent.comm,
		 parent.pid, child.comm, child.pid);
}

static void put_exit(struct ftrace_sink *t, const struct sim_event *ev)
{
	struct ftrace_cpu who = {.id = NO_TASK};

	put_head(t, ev, "sched_process_exit:");
	look_up(t, &who, ev->who);
	text_fmt(&t->line, "comm=%s pid=%u prio=%d", who.comm, who.pid, who.prio);
}

/*
 * The step of the hotplug in which the scheduler takes part. Numbers of steps differ from
 * kernel to kernel: 0 stands for offline, 1 for online.
 */
static void put_hotplug(struct ftrace_sink *t, const struct sim_event *ev)
{
	u32 online = ev->arg != 0;

	put_head(t, ev, "cpuhp_enter:");
	text_fmt(&t->line, "cpu: %04u target: %3u step: %3u (%s)", os_cpu(t, ev->place),
		 online, online, online ? "sched_cpu_activate" : "sched_cpu_deactivate");
}

static void ftrace_event(struct sink *self, const struct sim_event *ev)
{
	struct ftrace_sink *t = container_of(self, struct ftrace_sink, sink);

	switch ((enum sim_kind)ev->kind) {
	case SIM_SWITCH:
		put_switch(t, ev);
		break;
	case SIM_WAKEUP:
		put_wakeup(t, ev, "sched_wakeup:");
		break;
	case SIM_WAKEUP_NEW:
		put_wakeup(t, ev, "sched_wakeup_new:");
		break;
	case SIM_MIGRATE:
		put_migrate(t, ev);
		break;
	case SIM_FORK:
		/* first tasks have no parent; a recorded trace has no line for them */
		if (ev->other == NO_TASK)
			return;
		put_fork(t, ev);
		break;
	case SIM_EXIT:
		put_exit(t, ev);
		break;
	case SIM_HOTPLUG:
		put_hotplug(t, ev);
		break;
	case SIM_RENAME: /* names are looked up when they are printed */
	case SIM_KINDS:
	default:
		return;
	}
	text_char(&t->line, '\n');
	if (!t->error && fwrite(t->line.s, 1, t->line.len, t->out) != t->line.len)
		t->error = errno ? errno : EIO;
}

int ftrace_sink_finish(struct ftrace_sink *t, struct failure *f)
{
	text_free(&t->line);
	if (fflush(t->out) && !t->error)
		t->error = errno ? errno : EIO;
	if (!t->error)
		return 0;
	return fail_set(f, FAIL_IO, NULL, "cannot write the trace: %s",
			strerror(t->error));
}
