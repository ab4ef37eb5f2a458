/*
 * sibyl explain A B: why two stored runs differ - both are done again with an account of
 * time, and must give their digests - and which counters do; or what differs between two
 * recordings. A recording is a file that exists or is named as one; an identity is
 * not.
 */
#include "cli.h"
#include "report/reasons.h"
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

/* Both again, with their digests. */
static int again(struct cli *c, const struct options *o, const struct stored_run run[2],
		 struct run_spec spec[2], struct run_result r[2])
{
	const struct run_spec *const both[2] = {&spec[0], &spec[1]};

	for (u32 i = 0; i < 2; i++)
		if (cli_rebuild(c, &run[i], &spec[i]))
			return -1;
	if (cli_account(c, both, o->metric, r))
		return -1;
	for (u32 i = 0; i < 2; i++)
		if (r[i].digest != run[i].digest)
			return fail_set(&c->fail, FAIL_CHECK, NULL,
					"run %.8s gives another digest than when it was "
					"stored",
					run[i].id);
	return 0;
}

struct answer {
	struct reasons why;
	struct counter_answer counter;
};

static void put_json(const struct options *o, const struct stored_run run[2],
		     const struct answer *ans, struct text *out)
{
	struct json j;

	json_init(&j, out);
	json_open(&j, NULL, '{');
	json_str(&j, "a", run[0].id);
	json_str(&j, "b", run[1].id);
	reasons_json(&ans->why, &j, "why");
	if (o->why)
		counter_json(&ans->counter, &j);
	json_close(&j, '}');
	text_char(out, '\n');
}

static int find_reasons(struct cli *c, const struct options *o,
			const struct stored_run run[2], struct answer *ans)
{
	struct run_spec spec[2];
	const struct run_spec *const both[2] = {&spec[0], &spec[1]};
	struct run_result r[2];

	if (again(c, o, run, spec, r))
		return -1;
	reasons_build(&c->arena, r, &ans->why);
	return o->why ? cli_why(c, both, &ans->why, o->pairs, &ans->counter) : 0;
}

/* A run whose files are not what they were has counters all the same. */
static int explain(struct cli *c, struct store *s, const struct options *o)
{
	struct stored_run run[2];
	struct text words = {0};
	struct answer ans = {0};
	int err;

	for (u32 i = 0; i < 2; i++)
		if (store_load(s, &c->arena, o->rest[i], &run[i], &c->fail))
			return -1;
	err = find_reasons(c, o, run, &ans);
	if (err && (c->fail.kind != FAIL_CHECK || o->format == FORMAT_JSON || o->why))
		return -1;
	if (o->format == FORMAT_JSON) {
		put_json(o, run, &ans, &c->out);
		return 0;
	}
	text_char(&words, '\n');
	if (err)
		text_fmt(&words, "No reasons: %s.\n", c->fail.what);
	else
		reasons_text(&ans.why, &words);
	if (o->why)
		counter_text(&ans.counter, &words);
	err = explain_runs(&c->arena, s, run[0].id, run[1].id, words.s, &c->out,
			   &c->fail);
	text_free(&words);
	return err;
}

int cmd_explain(struct cli *c, struct options *o)
{
	struct store *s;
	int err;

	if (trace_is_file(o->rest[0]) && trace_is_file(o->rest[1]))
		return recordings(c, o);
	if (cli_watch_signals(&c->stop, &c->fail) || store_open(&s, o->db, &c->fail))
		return -1;
	err = explain(c, s, o);
	store_close(s);
	return err;
}
