/* The score of experiments: see report/score.h. Draws nothing. */
#include "report/score.h"

#include <math.h>
#include <string.h>

#define LEAST 0.01 /* of the baseline: a column that did nothing at all */

const char *score_kind(bool higher_better)
{
	return higher_better ? "rate" : "time";
}

/* What the naive model says of a column: work done there over that of the baseline. */
static double naive(const struct experiment_work *w, u32 load, u32 column)
{
	double capacity[2];

	for (u32 i = 0; i < 2; i++) {
		const struct run_spec *s =
			&w->grid.spec[grid_index(&w->grid, load, i ? column : 0, 0)];
		u32 choice = s->kernel->seam[SEAM_SMT];
		bool smt = seam_choice(SEAM_SMT, choice)->value.constant != 0;

		capacity[i] = score_capacity(s->machine, smt, plan_tasks(s->plan));
	}
	return capacity[0] > 0 && capacity[1] > 0 ? log(capacity[1] / capacity[0]) : NAN;
}

static double predicted(const struct stat_cell *base, const struct stat_cell *c,
			bool higher_better)
{
	double ratio = c->mean / base->mean;

	/* a run in which nothing was done has no harmonic mean: then the arithmetic ones
	 * say how much is lost, and all of it counts as LEAST */
	if (!(ratio > 0) && higher_better && !isnan(c->ratio))
		ratio = fmax(c->ratio, LEAST);
	if (!(ratio > 0) || !isfinite(ratio))
		return NAN;
	return higher_better ? log(ratio) : -log(ratio);
}

/* How far the baseline column is from the printed one, in the same unit. */
static double residual(const struct experiment_report *r)
{
	double sum = 0;
	u32 n = 0;

	for (u32 l = 0; l < r->x->nload; l++) {
		const struct experiment_cell *c = &r->cell[l * r->x->ncolumn];
		double e = log(c->predicted.mean / c->published.value);

		if (!isfinite(e))
			continue;
		sum += e * e;
		n++;
	}
	return n && !r->x->other_unit ? sqrt(sum / n) : NAN;
}

static double error_of(const struct score_cell *c)
{
	double e = fabs(c->predicted - c->published);

	return isnan(e) ? -1 : e;
}

static void sort_worst(struct arena *a, struct score_entry *e)
{
	const struct score_cell *c = e->table.cell;

	e->worst = arena_array(a, u32, e->table.n + 1);
	for (u32 i = 0; i < e->table.n; i++) {
		u32 at = i;

		for (; at && error_of(&c[e->worst[at - 1]]) < error_of(&c[i]); at--)
			e->worst[at] = e->worst[at - 1];
		e->worst[at] = i;
	}
}

static const char **first_runs(struct arena *a, const struct experiment_work *w)
{
	u32 ncell = w->x->nload * w->x->ncolumn;
	const char **out = arena_array(a, const char *, ncell);

	for (u32 i = 0; i < ncell; i++)
		out[i] = arena_strdup(a,
				      w->grid.spec[grid_index(&w->grid, i / w->x->ncolumn,
							      i % w->x->ncolumn, 0)]
					      .id);
	return out;
}

void score_entry_build(struct arena *a, const struct experiment_work *w,
		       const struct experiment_report *r, struct score_entry *out)
{
	const struct experiment *x = w->x;
	struct score_table *t = &out->table;

	memset(out, 0, sizeof(*out));
	out->x = x;
	out->band = w->band.source ? w->band.band : NAN;
	out->run = first_runs(a, w);
	t->name = x->name;
	t->kind = score_kind(x->higher_better);
	t->cell = arena_array(a, struct score_cell, x->nload * x->ncolumn);
	t->residual = residual(r);
	for (u32 i = 0; i < x->nload * x->ncolumn; i++) {
		const struct experiment_cell *base = &r->cell[i - i % x->ncolumn];
		struct score_cell *c = &t->cell[t->n];

		if (!(i % x->ncolumn))
			continue;
		c->load = i / x->ncolumn;
		c->column = i % x->ncolumn;
		c->published = score_published(&base->published, &r->cell[i].published,
					       x->higher_better);
		/* a sensitivity column, or nothing printed: not a published cell */
		if (isnan(c->published) && isnan(r->cell[i].published.value))
			continue;
		c->predicted = predicted(&base->predicted, &r->cell[i].predicted,
					 x->higher_better);
		c->naive = naive(w, c->load, c->column);
		c->significant =
			score_significant(&base->published, &r->cell[i].published);
		t->n++;
	}
	for (u32 m = 0; m < SCORE_MODELS; m++)
		score_of(t, 1, (enum score_model)m, &out->score[m]);
	out->proves = score_proves(t);
	sort_worst(a, out);
}

void score_report_build(struct arena *a, struct score_entry *entry, u32 n,
			struct score_report *out)
{
	struct score_table *table = arena_array(a, struct score_table, n + 1);

	memset(out, 0, sizeof(*out));
	out->entry = entry;
	out->n = n;
	for (u32 i = 0; i < n; i++)
		table[i] = entry[i].table;
	for (u32 m = 0; m < SCORE_MODELS; m++)
		score_of(table, n, (enum score_model)m, &out->total[m]);
	score_resample(table, n, &out->interval);
}

int score_band_read(struct arena *a, const struct library *lib, bool higher_better,
		    const char *leave, struct model_band *out, struct failure *f)
{
	const struct score_table *table;
	bool of_kind;
	u32 n, used;

	*out = (struct model_band){0, NULL};
	if (score_read(a, library_path(lib, a, SCORED_CELLS), &table, &n, f))
		return -1;
	out->band =
		score_band(table, n, score_kind(higher_better), leave, &used, &of_kind);
	if (isnan(out->band)) {
		out->band = 0;
		return 0;
	}
	out->source = arena_printf(
		a, "9 of 10 cells of %s%u scored table%s%s",
		used < SCORE_BAND_TABLES ? "only " : "", used, used == 1 ? "" : "s",
		of_kind ? higher_better ? " of rates" : " of times" : " of any kind");
	return 0;
}
