/*
 * The trace.dat reader: libtracecmd merges the CPUs by time and maps the file page by
 * page, libtraceevent knows where the fields of each event lie. Only the top buffer is
 * read.
 */
#include <stdio.h>
#include <string.h>

#include <event-parse.h>
#include <trace-cmd.h>

#include "event.h"

struct dat_event {
	const struct tep_event *event; /* NULL: not in this file */
	enum trace_kind kind;
	struct tep_format_field *comm[2], *number[3];
};

struct dat {
	struct source *s;
	trace_fn fn;
	void *ctx;
	struct failure *f;
	struct tep_handle *tep;
	struct dat_event event[4];
	u64 events;
	int err;
};

static const struct {
	const char *name;
	enum trace_kind kind;
	const char *comm[2], *number[3];
} wanted[] = {
	{"sched_switch",
	 TRACE_SWITCH,
	 {"prev_comm", "next_comm"},
	 {"prev_pid", "next_pid", "prev_state"}},
	{"sched_wakeup", TRACE_WAKEUP, {NULL}, {"pid"}},
	{"sched_wakeup_new", TRACE_WAKEUP, {NULL}, {"pid"}},
	{"sched_migrate_task", TRACE_MIGRATE, {NULL}, {"pid", "orig_cpu", "dest_cpu"}},
};

static int find_field(struct dat *d, struct tep_event *event, const char *name,
		      struct tep_format_field **out)
{
	*out = name ? tep_find_field(event, name) : NULL;
	if (name && !*out)
		return fail_input(d->f, d->s->name, 0, 0,
				  "event %s has no field %s, expected what Linux records",
				  event->name, name);
	return 0;
}

static int find_events(struct dat *d)
{
	for (u32 i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct tep_event *event =
			tep_find_event_by_name(d->tep, "sched", wanted[i].name);
		struct dat_event *e = &d->event[i];

		e->event = event;
		e->kind = wanted[i].kind;
		for (u32 k = 0; event && k < 3; k++)
			if ((k < 2 &&
			     find_field(d, event, wanted[i].comm[k], &e->comm[k])) ||
			    find_field(d, event, wanted[i].number[k], &e->number[k]))
				return -1;
	}
	if (d->event[0].event)
		return 0;
	return fail_input(d->f, d->s->name, 0, 0,
			  "no sched_switch was recorded, expected a recording of the "
			  "scheduler: trace-cmd record -e sched");
}

static int damaged(struct dat *d)
{
	return fail_input(d->f, d->s->name, 0, 0,
			  "an event is shorter than its fields, expected a whole "
			  "trace.dat");
}

static int get_number(struct dat *d, const struct tep_record *r,
		      struct tep_format_field *field, u32 *out)
{
	unsigned long long v = 0;

	if (field->offset + field->size > r->size ||
	    tep_read_number_field(field, r->data, &v))
		return damaged(d);
	*out = (u32)v;
	return 0;
}

static int get_comm(struct dat *d, const struct tep_record *r,
		    const struct tep_format_field *field, char *to)
{
	const char *s = (const char *)r->data + field->offset;

	if (field->offset < 0 || field->offset + field->size > r->size)
		return damaged(d);
	trace_comm(to, s, s + strnlen(s, (size_t)field->size));
	return 0;
}

/* Fields of one of the four events. */
static int fields(struct dat *d, const struct dat_event *e, const struct tep_record *r,
		  struct trace_event *ev)
{
	u32 v[3] = {0};

	for (u32 k = 0; k < 3; k++)
		if (e->number[k] && get_number(d, r, e->number[k], &v[k]))
			return -1;
	for (u32 k = 0; k < 2; k++)
		if (e->comm[k] && get_comm(d, r, e->comm[k], ev->comm[k]))
			return -1;
	ev->kind = e->kind;
	ev->pid = v[0];
	ev->next = ev->from = v[1];
	ev->to = v[2];
	/* the letters of states; what lies above says how a runnable task went */
	ev->runnable = !(v[2] & 0xff);
	return 0;
}

static int lost(struct dat *d, const struct tep_record *r, u32 cpu)
{
	struct trace_event ev = {.kind = TRACE_LOST, .cpu = cpu};

	if (r->missed_events > 0)
		ev.lost = (u64)r->missed_events;
	return d->fn(d->ctx, &ev, d->f);
}

static int on_record(struct tracecmd_input *handle, struct tep_record *r, int cpu,
		     void *ctx)
{
	struct trace_event ev = {.kind = TRACE_OTHER};
	struct dat *d = ctx;
	const struct tep_event *event = tep_find_event_by_record(d->tep, r);

	(void)handle;
	ev.cpu = (u32)cpu;
	ev.time = trace_seconds(r->ts);
	d->events++;
	if (r->missed_events)
		d->err = lost(d, r, ev.cpu);
	for (u32 i = 0; event && !d->err && i < ARRAY_SIZE(d->event); i++)
		if (d->event[i].event == event)
			d->err = fields(d, &d->event[i], r, &ev);
	if (!d->err)
		d->err = d->fn(d->ctx, &ev, d->f);
	return d->err;
}

/*
 * tracecmd_open_fd() crashes in libtracecmd 1.3 if the data is cut off: it closes a
 * handle that has CPUs and no data of them. In two steps the handle is ours, and is left
 * open then.
 */
static struct tracecmd_input *open_dat(struct dat *d)
{
	char path[64];
	struct tracecmd_input *in;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", d->s->fd);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	in = tracecmd_open_head(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (in && !tracecmd_init_data(in))
		return in;
	fail_input(
		d->f, d->s->name, 0, 0,
		"the trace.dat is cut off or damaged, expected what 'trace-cmd record' "
		"writes");
	return NULL;
}

int dat_each(struct source *s, trace_fn fn, void *ctx, struct failure *f)
{
	struct dat d = {.s = s, .fn = fn, .ctx = ctx, .f = f};
	struct tracecmd_input *in;
	int err;

	s->line = 0;
	in = open_dat(&d);
	if (!in)
		return -1;
	d.tep = tracecmd_get_tep(in);
	s->cpus = (u32)tep_get_cpus(d.tep);
	err = find_events(&d);
	if (!err && tracecmd_iterate_events(in, NULL, 0, on_record, &d) < 0 && !d.err)
		err = fail_input(f, s->name, 0, 0,
				 "the events cannot be read, expected a whole trace.dat");
	if (d.err < 0)
		err = -1;
	if (!err && !d.events)
		err = fail_input(f, s->name, 0, 0, "no event, expected a recording");
	tracecmd_close(in);
	return err;
}
