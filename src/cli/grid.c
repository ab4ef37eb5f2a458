/* Running a grid into the store, with a progress bar; what is stored is not run again. */
#include "cli.h"

struct session {
	struct store *store;
	struct progress bar;
	u32 known;
};

static bool have(void *ctx, const struct run_spec *spec)
{
	struct session *s = ctx;
	bool known = store_has(s->store, spec->id);

	s->known += known;
	return known;
}

static int done(void *ctx, const struct run_spec *spec, const struct run_result *r,
		struct failure *f)
{
	struct session *s = ctx;

	return store_append(s->store, spec, r, f);
}

static void progress(void *ctx, u32 n, u32 total)
{
	struct session *s = ctx;

	progress_draw(&s->bar, n, total);
}

int cli_grid(struct cli *c, struct store *store, const struct grid *g, u32 jobs,
	     u32 *known, struct failure *f)
{
	struct session s = {.store = store};
	const struct grid_hooks hooks = {
		.ctx = &s, .have = have, .done = done, .progress = progress};
	int err;

	progress_start(&s.bar);
	err = grid_run(g, jobs, &c->stop, &hooks, f);
	progress_end(&s.bar);
	*known = s.known;
	return err;
}
