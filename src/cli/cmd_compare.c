/*
 * sibyl compare: a grid of runs, stored as they come, then the table from the store. What
 * an earlier call stored is not run again.
 */
#include "cli.h"
#include "report/score.h"
#include "report/unmodelled.h"

static const char *const *load_labels(struct cli *c, const struct grid *g)
{
	const char **label = arena_array(&c->arena, const char *, g->nload + 1);

	for (u32 i = 0; i < g->nload; i++)
		label[i] = g->load[i].label ? g->load[i].label : "";
	return label;
}

static int save_set(struct cli *c, struct store *store, const struct options *o,
		    const struct grid *g)
{
	struct store_cell *cell = arena_array(&c->arena, struct store_cell, g->nspec + 1);

	for (u32 i = 0; i < g->nspec; i++) {
		u32 column = i / g->runs;

		cell[i].load = g->load[column / g->nkernel].label;
		cell[i].kernel = o->req.kernel[column % g->nkernel];
		cell[i].run_id = g->spec[i].id;
		cell[i].replicate = i % g->runs;
	}
	return store_set_save(store, "compare", o->req.machine, o->req.workload, cell,
			      g->nspec, &c->fail);
}

/* The command line again, as a user would type it. */
static void command_line(const struct options *o, struct text *out)
{
	text_fmt(out, "sibyl compare -m %s -w %s -k ", o->req.machine, o->req.workload);
	for (u32 k = 0; k < o->req.nkernel; k++)
		text_fmt(out, "%s%s", k ? "," : "", o->req.kernel[k]);
	for (u32 i = 0; i < o->req.naxis; i++) {
		text_fmt(out, " -p %s=", o->req.axis[i].name);
		for (u32 v = 0; v < o->req.axis[i].n; v++)
			text_fmt(out, "%s%s", v ? "," : "", o->req.axis[i].value[v]);
	}
	if (o->req.duration) {
		char span[64];

		unit_print(o->req.duration, UNIT_TIME, span, sizeof(span));
		text_fmt(out, " -t \"%s\"", span);
	}
	text_fmt(out, " -n %u", o->req.runs);
}

static void teach_before(const struct options *o, struct text *out)
{
	text_str(out, "An example, the same as\n  ");
	command_line(o, out);
	text_str(out, "\n\n");
}

static void teach_after(const struct grid *g, struct text *out)
{
	const char *first = g->spec[grid_index(g, g->nload - 1, 0, 0)].id;
	const char *last = g->spec[grid_index(g, g->nload - 1, g->nkernel - 1, 0)].id;
	struct table t;

	text_str(
		out,
		"\nHow to read it: a row is a load, a column is a kernel. Hmean or Amean "
		"is the mean of\nthe runs; Stddev and CoeffVar say how much they differ "
		"among themselves. Runs of a\ncell differ in their seeds and in nothing "
		"else.\n\nGo on with\n");
	table_init(&t, 2, 0);
	table_cell(&t, "sibyl explain %.8s %.8s", first, last);
	table_cell(&t, "why the last column differs in the last row");
	table_cell(&t, "sibyl compare -m this");
	table_cell(&t, "the same on the topology of this machine");
	table_cell(&t, "sibyl list machines");
	table_cell(&t, "and kernels, workloads, options");
	table_render(&t, out, "  ");
	table_free(&t);
}

static int render(struct cli *c, const struct options *o, const struct compare_report *r)
{
	u32 table = r->main_table;

	if (!r->ntable)
		return 0;
	if (o->metric && compare_metric(r, o->metric, &table, &c->fail))
		return -1;
	if (o->format == FORMAT_CSV)
		compare_csv(r, &c->out);
	else if (o->format == FORMAT_JSON)
		compare_json(r, &c->out);
	else
		compare_text(r, table, &c->out);
	return 0;
}

static int build(struct cli *c, struct store *store, const struct options *o,
		 const struct grid *g, struct compare_report *out)
{
	const char **id = arena_array(&c->arena, const char *, g->nspec + 1);
	struct compare_request req = {
		.machine = o->req.machine,
		.workload = o->req.workload,
		.load = load_labels(c, g),
		.nload = g->nload,
		.kernel = o->req.kernel,
		.nkernel = g->nkernel,
		.runs = g->runs,
		.id = id,
		.load_name = g->axis_name,
		.seed = o->req.seed,
		.duration = plan_fixed_work(g->spec[0].plan) ? 0 : g->spec[0].duration,
		.rule = o->rule,
		/* mmtests printed these */
		.rows = o->has_rows || stat_own(o->rule.mode) ? o->rows
							      : STAT_ROWS_CLASSIC,
		.runs_rule = o->runs_rule,
		.unmodelled = o->unmodelled,
	};

	for (u32 i = 0; i < g->nspec; i++)
		id[i] = g->spec[i].id;
	for (u32 i = 0; i < 2; i++)
		if (score_band_read(&c->arena, &c->library, i, NULL, &req.band[i],
				    &c->fail))
			return -1;
	return compare_build(&c->arena, store, &req, out, &c->fail);
}

/* The table that the text shows. */
static int shown(struct cli *c, const struct options *o, const struct compare_report *r,
		 const struct compare_table **out)
{
	u32 table = r->main_table;

	*out = NULL;
	if (!r->ntable)
		return 0;
	if (o->metric && compare_metric(r, o->metric, &table, &c->fail))
		return -1;
	*out = &r->table[table];
	return 0;
}

/*
 * Plan and run; with -n auto again with more runs while the rule wants them. *known: how
 * many of the runs were there before.
 */
static int run_rounds(struct cli *c, struct store *store, struct options *o,
		      struct grid *g, struct compare_report *r, u32 *known,
		      struct failure *f)
{
	const struct compare_table *t;
	u32 had;
	int err;

	*known = 0;
	do {
		if (request_plan(&c->arena, &c->library, &o->req, g, &c->fail))
			return -1;
		err = cli_grid(c, store, g, o->jobs, &had, f);
		if (err && f->kind != FAIL_INTERRUPTED) {
			c->fail = *f;
			return -1;
		}
		*known = max_u32(*known, had);
		if (build(c, store, o, g, r) || shown(c, o, r, &t))
			return -1;
	} while (o->auto_percent > 0 && !err && cli_auto_more(c, o, r, t));
	r->req.runs_rule = o->runs_rule;
	return 0;
}

static int run_grid(struct cli *c, struct store *store, struct options *o, bool teach)
{
	const struct compare_table *t;
	struct failure f = {0};
	struct compare_report r;
	struct grid g;
	u32 known;

	if (run_rounds(c, store, o, &g, &r, &known, &f))
		return -1;
	if (!f.kind && o->format == FORMAT_TEXT &&
	    (shown(c, o, &r, &t) || cli_first_reason(c, &g, t, &r)))
		return -1;
	/* interrupted: what there is so far is a table too */
	if (teach)
		teach_before(o, &c->out);
	if (render(c, o, &r) || (!f.kind && known < g.nspec && save_set(c, store, o, &g)))
		return -1;
	if (teach && !f.kind)
		teach_after(&g, &c->out);
	if (f.kind)
		return fail_set(&c->fail, FAIL_INTERRUPTED, NULL,
				"interrupted; the same command goes on from here");
	return 0;
}

/* A table that hinges on what the model lacks says nothing: refused, unless asked for. */
static int refuse(struct cli *c, struct options *o, const struct grid *g)
{
	if (unmodelled_find(&c->arena, &c->library, g, o->req.workload, &o->unmodelled,
			    &c->fail))
		return -1;
	if (!o->unmodelled || o->anyway)
		return 0;
	return fail_set(&c->fail, FAIL_INPUT, NULL, "%.400s (--anyway prints the table)",
			o->unmodelled);
}

int cmd_compare(struct cli *c, struct options *o)
{
	struct store *store;
	struct grid g;
	bool teach;
	int err;

	/* planned once before the database is made: what is wrong is said first */
	if (cli_example(c, o, &teach) ||
	    request_plan(&c->arena, &c->library, &o->req, &g, &c->fail) ||
	    refuse(c, o, &g) || cli_watch_signals(&c->stop, &c->fail) ||
	    store_open(&store, o->db, &c->fail))
		return -1;
	err = run_grid(c, store, o, teach && o->format == FORMAT_TEXT);
	store_close(store);
	return err;
}
