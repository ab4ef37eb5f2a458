/*
 * sibyl experiment NAME: runs the grid of a published table, stores it as it comes, and
 * prints predicted beside published from the store.
 */
#include "cli.h"
#include "report/score.h"

static int save_set(struct cli *c, struct store *store, const struct experiment_work *w)
{
	const struct grid *g = &w->grid;
	struct store_cell *cell = arena_array(&c->arena, struct store_cell, g->nspec);

	for (u32 i = 0; i < g->nspec; i++) {
		u32 column = i / g->runs;

		cell[i].load = g->load[column / g->nkernel].label;
		cell[i].kernel = w->x->column[column % g->nkernel].name;
		cell[i].run_id = g->spec[i].id;
		cell[i].replicate = i % g->runs;
	}
	return store_set_save(store, arena_printf(&c->arena, "experiment %s", w->x->name),
			      w->x->machine, w->x->workload, cell, g->nspec, &c->fail);
}

static void render(struct cli *c, const struct options *o,
		   const struct experiment_work *w, const struct experiment_report *r)
{
	struct score_entry score;

	if (o->format == FORMAT_CSV) {
		experiment_csv(r, &c->out);
	} else if (o->format == FORMAT_JSON) {
		experiment_json(r, &c->out);
	} else {
		experiment_text(r, &c->out);
		if (!w->x->published)
			return;
		score_entry_build(&c->arena, w, r, &score);
		text_char(&c->out, '\n');
		score_entry_text(&score, &c->out);
	}
}

static struct experiment_ask ask_of(const struct options *o)
{
	return (struct experiment_ask){
		.name = o->rest[0],
		.machine = o->req.machine,
		.full = o->full,
		.runs = o->has_runs ? o->req.runs : 0,
		.duration = o->req.duration,
		.seed = o->req.seed,
		.rule = o->rule,
	};
}

static int open_it(struct cli *c, const struct options *o, struct experiment_work *w)
{
	const struct experiment_ask ask = ask_of(o);

	return experiment_open(&c->arena, &c->library, &ask, w, &c->fail);
}

/* Run; with -n auto again with more runs while the rule wants them. */
static int run_rounds(struct cli *c, struct store *store, struct options *o,
		      struct experiment_work *w, struct experiment_report *r, u32 *known,
		      struct failure *f)
{
	u32 had;
	int err;

	*known = 0;
	for (;;) {
		err = cli_grid(c, store, &w->grid, o->jobs, &had, f);
		if (err && f->kind != FAIL_INTERRUPTED) {
			c->fail = *f;
			return -1;
		}
		*known = max_u32(*known, had);
		if (experiment_build(&c->arena, store, w, r, &c->fail))
			return -1;
		if (!(o->auto_percent > 0) || err ||
		    !cli_auto_more(c, o, &r->runs_of, r->table))
			break;
		if (open_it(c, o, w))
			return -1;
	}
	r->runs_of.req.runs_rule = o->runs_rule;
	return 0;
}

static int run_table(struct cli *c, struct store *store, struct options *o,
		     struct experiment_work *w)
{
	struct experiment_report r;
	struct failure f = {0};
	u32 known;

	if (run_rounds(c, store, o, w, &r, &known, &f))
		return -1;
	if (!f.kind && o->format == FORMAT_TEXT &&
	    cli_first_reason(c, &w->grid, r.table, &r.runs_of))
		return -1;
	/* interrupted: what there is so far is a table too */
	render(c, o, w, &r);
	if (f.kind)
		return fail_set(&c->fail, FAIL_INTERRUPTED, NULL,
				"interrupted; the same command goes on from here");
	return known < w->grid.nspec ? save_set(c, store, w) : 0;
}

int cmd_experiment(struct cli *c, struct options *o)
{
	const struct experiment_ask ask = ask_of(o);
	struct experiment_work w;
	struct store *store;
	int err;

	if (open_it(c, o, &w) || cli_watch_signals(&c->stop, &c->fail))
		return -1;
	if (o->calibrate)
		return cli_calibrate(c, o, &ask, &w);
	if (store_open(&store, o->db, &c->fail))
		return -1;
	err = run_table(c, store, o, &w);
	store_close(store);
	return err;
}
