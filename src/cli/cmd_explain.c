/*
 * sibyl explain A B: which counters of two stored runs differ, or what differs between
 * two recordings. A recording is a file that exists or is named as one; an identity is
 * not.
 */
#include "cli.h"
#include "report/show.h"
#include "trace/trace.h"

/* All tasks but the idle loops. */
#define EVERY_TASK "."

static int recordings(struct cli *c, const struct options *o)
{
	const struct trace_summary *s[2];
	const struct machine *m = NULL;
	struct trace_options opt;
	const char *path;

	cli_trace_options(o, EVERY_TASK, &opt);
	if (o->req.machine && (library_find(&c->library, &c->arena, LIBRARY_MACHINE,
					    o->req.machine, &path, &c->fail) ||
			       machine_load(&c->arena, path, &m, &c->fail)))
		return -1;
	opt.machine = m;
	for (u32 i = 0; i < 2; i++) {
		if (trace_summarise(&c->arena, o->rest[i], &opt, &s[i], &c->fail))
			return -1;
		cli_trace_notes(o->rest[i], s[i]);
	}
	trace_compare(&c->arena, s, o->rest, o->format == FORMAT_JSON, &c->out);
	return 0;
}

int cmd_explain(struct cli *c, struct options *o)
{
	struct store *s;
	int err;

	if (trace_is_file(o->rest[0]) && trace_is_file(o->rest[1]))
		return recordings(c, o);
	if (store_open(&s, o->db, &c->fail))
		return -1;
	err = explain_runs(&c->arena, s, o->rest[0], o->rest[1], &c->out, &c->fail);
	store_close(s);
	return err;
}
