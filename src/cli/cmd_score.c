/*
 * sibyl score: how good the predictions of experiments are. Runs what the database does
 * not hold, then scores from the store.
 */
#include "cli.h"
#include "report/score.h"

/* Names to score: operands, --experiment, or all of the data folder. */
static int names_of(struct cli *c, const struct options *o, const char *const **name,
		    u32 *n)
{
	const char **one;

	if (o->experiment && o->nrest)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"'%.60s' and --experiment, expected one of them",
				o->rest[0]);
	if (o->against && !o->experiment && o->nrest != 1)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"--against needs --experiment NAME: whose machine, "
				"workload, columns and loads are those of the file?");
	if (o->experiment) {
		one = arena_array(&c->arena, const char *, 1);
		one[0] = o->experiment;
		*name = one;
		*n = 1;
		return 0;
	}
	*name = o->rest;
	*n = o->nrest;
	if (*n)
		return 0;
	return library_names(&c->library, &c->arena, LIBRARY_EXPERIMENT, name, n,
			     &c->fail);
}

/* *scored: an experiment of the data folder may be one without printed values. */
static int score_one(struct cli *c, struct store *store, const struct options *o,
		     const char *name, struct score_entry *out, bool *scored)
{
	const struct experiment_ask ask = {
		.name = name,
		.against = o->against,
		.full = o->full,
		.runs = o->has_runs ? o->req.runs : 0,
		.duration = o->req.duration,
		.seed = o->req.seed,
		.rule = o->rule,
	};
	struct experiment_work w;
	struct experiment_report r;
	u32 known;

	if (experiment_open(&c->arena, &c->library, &ask, &w, &c->fail))
		return -1;
	*scored = w.x->published != NULL;
	if (!*scored)
		return o->experiment || o->nrest
			       ? fail_set(&c->fail, FAIL_INPUT, NULL,
					  "experiment %.60s has no published values, "
					  "expected one that has",
					  name)
			       : 0;
	if (cli_grid(c, store, &w.grid, o->jobs, &known, &c->fail) ||
	    experiment_build(&c->arena, store, &w, &r, &c->fail))
		return -1;
	score_entry_build(&c->arena, &w, &r, out);
	return 0;
}

int cmd_score(struct cli *c, struct options *o)
{
	const char *const *name;
	struct score_entry *entry;
	struct score_report r;
	struct store *store;
	int err = 0;
	u32 n, known = 0;
	bool scored;

	if (o->auto_percent > 0)
		return fail_set(&c->fail, FAIL_INPUT, NULL,
				"-n auto, expected a number: scores compare at one");
	if (names_of(c, o, &name, &n) || cli_watch_signals(&c->stop, &c->fail) ||
	    store_open(&store, o->db, &c->fail))
		return -1;
	entry = arena_array(&c->arena, struct score_entry, n + 1);
	for (u32 i = 0; i < n && !err; i++) {
		err = score_one(c, store, o, name[i], &entry[known], &scored);
		known += !err && scored;
	}
	store_close(store);
	if (err)
		return -1;
	score_report_build(&c->arena, entry, known, &r);
	if (o->format == FORMAT_CSV)
		score_csv(&r, &c->out);
	else if (o->format == FORMAT_JSON)
		score_json(&r, &c->out);
	else
		score_text(&r, &c->out);
	return cli_output(c, o->output);
}
