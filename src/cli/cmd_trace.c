/*
 * sibyl trace RUN: a trace is never stored; the run is done again with the trace on, and
 * must come out with the digest that was stored.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

int cli_rebuild(struct cli *c, const struct stored_run *run, struct run_spec *spec)
{
	const char *kernel[] = {run->kernel};
	struct request req = {
		.machine = run->machine,
		.workload = run->workload,
		.kernel = kernel,
		.nkernel = 1,
		.seed = run->seed,
		.duration = run->duration,
	};

	if (request_replay(&c->arena, &c->library, &req, run->params, run->replicate,
			   spec, &c->fail))
		return -1;
	if (strcmp(spec->id, run->id))
		return fail_set(&c->fail, FAIL_CHECK, NULL,
				"run %.8s cannot be replayed: its files or this program "
				"have changed since it was stored",
				run->id);
	return 0;
}

static int replay(struct cli *c, const struct options *o, const struct stored_run *run)
{
	struct run_options opt = {.stop = &c->stop};
	struct run_result r;
	struct run_spec spec;
	bool bad;

	if (cli_rebuild(c, run, &spec))
		return -1;
	opt.ftrace = o->output ? fopen(o->output, "we") : stdout;
	if (!opt.ftrace)
		return fail_set(&c->fail, FAIL_IO, o->output, "cannot be written: %s",
				strerror(errno));
	if (run_execute(&c->arena, &spec, &opt, &r, &c->fail)) {
		if (o->output)
			fclose(opt.ftrace);
		return -1;
	}
	bad = ferror(opt.ftrace) != 0;
	if ((o->output ? fclose(opt.ftrace) : fflush(stdout)) || bad)
		return fail_set(&c->fail, FAIL_IO,
				o->output ? o->output : "standard output",
				"cannot be written: %s", strerror(errno));
	if (r.digest != run->digest)
		return fail_set(&c->fail, FAIL_CHECK, NULL,
				"run %.8s gives digest %016llx, expected %016llx",
				run->id, (unsigned long long)r.digest,
				(unsigned long long)run->digest);
	return 0;
}

int cmd_trace(struct cli *c, struct options *o)
{
	struct stored_run run;
	struct store *s;
	int err;

	if (store_open(&s, o->db, &c->fail))
		return -1;
	err = store_load(s, &c->arena, o->rest[0], &run, &c->fail);
	store_close(s);
	if (err || cli_watch_signals(&c->stop, &c->fail))
		return -1;
	return replay(c, o, &run);
}
