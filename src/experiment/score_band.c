/*
 * How certain a score is, and how certain a prediction: resampling over tables, and the
 * band of errors on tables that a prediction was not made for. See experiment/score.h.
 *
 * Cells of a table are no independent witnesses - they share a machine, a workload and an
 * author - so that whole tables are drawn (the cluster bootstrap; A. C. Davison and D. V.
 * Hinkley, "Bootstrap Methods and their Application", 1997, 3.8).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/yaml.h"
#include "csv.h"
#include "score_parts.h"

#define RESAMPLE_SEED 1u

static void interval(double *v, u32 n, struct score_interval *out)
{
	u32 m = 0;

	for (u32 i = 0; i < n; i++)
		if (!isnan(v[i]))
			v[m++] = v[i];
	out->lo = score_quantile(v, m, 0.025);
	out->hi = score_quantile(v, m, 0.975);
}

void score_resample(const struct score_table *table, u32 n, struct score_intervals *out)
{
	enum { SIGN, BALANCED, SPEARMAN, MEDIAN, SKILL, MEASURES };
	struct score_interval *const to[MEASURES] = {
		&out->sign, &out->balanced, &out->spearman, &out->median, &out->skill};
	struct stream s = stream_root(RESAMPLE_SEED);
	struct score_table *draw = calloc((size_t)n + 1, sizeof(*draw));
	double *v = calloc((size_t)MEASURES * SCORE_RESAMPLES, sizeof(*v));

	if (!draw || !v)
		abort();
	for (u32 r = 0; n > 1 && r < SCORE_RESAMPLES; r++) {
		struct score x;

		for (u32 i = 0; i < n; i++)
			draw[i] = table[stream_range(&s, 0, n - 1)];
		score_of(draw, n, SCORE_PREDICTED, &x);
		v[SIGN * SCORE_RESAMPLES + r] = x.sign;
		v[BALANCED * SCORE_RESAMPLES + r] = x.balanced;
		v[SPEARMAN * SCORE_RESAMPLES + r] = x.spearman;
		v[MEDIAN * SCORE_RESAMPLES + r] = x.median;
		v[SKILL * SCORE_RESAMPLES + r] = x.skill;
	}
	for (u32 m = 0; m < MEASURES; m++)
		interval(v + m * SCORE_RESAMPLES, n > 1 ? SCORE_RESAMPLES : 0, to[m]);
	free(v);
	free(draw);
}

/* How many tables other than `leave` are of a kind (NULL = of any). */
static u32 others(const struct score_table *table, u32 n, const char *kind,
		  const char *leave)
{
	u32 m = 0;

	for (u32 t = 0; t < n; t++)
		m += (!kind || !strcmp(table[t].kind, kind)) &&
		     (!leave || strcmp(table[t].name, leave) != 0);
	return m;
}

double score_band(const struct score_table *table, u32 n, const char *kind,
		  const char *leave, u32 *tables, bool *of_kind)
{
	u32 cells = 0, m = 0;
	double *error, band;

	*of_kind = others(table, n, kind, leave) >= SCORE_BAND_TABLES;
	*tables = others(table, n, *of_kind ? kind : NULL, leave);
	for (u32 t = 0; t < n; t++)
		cells += table[t].n;
	error = calloc((size_t)cells + 1, sizeof(*error));
	if (!error)
		abort();
	for (u32 t = 0; t < n; t++) {
		if ((*of_kind && strcmp(table[t].kind, kind) != 0) ||
		    (leave && !strcmp(table[t].name, leave)))
			continue;
		for (u32 i = 0; i < table[t].n; i++) {
			double e = fabs(table[t].cell[i].predicted -
					table[t].cell[i].published);

			if (!isnan(e))
				error[m++] = e;
		}
	}
	band = score_quantile(error, m, 0.9);
	free(error);
	return band;
}

enum { TABLE, KIND, PREDICTED, PUBLISHED, COLUMNS };

static int number(const struct csv *t, u32 row, u32 col, double *out, struct failure *f)
{
	const char *s = csv_field(t, row, col);
	char *end;

	*out = NAN;
	if (!*s)
		return 0;
	*out = strtod(s, &end);
	if (*end || !isfinite(*out))
		return fail_input(f, t->file, t->line[row], 1,
				  "'%.40s', expected a number or nothing", s);
	return 0;
}

int score_read(struct arena *a, const char *path, const struct score_table **out, u32 *n,
	       struct failure *f)
{
	static const char *const names[COLUMNS] = {"experiment", "kind", "predicted_ln",
						   "published_ln"};
	struct score_table *table;
	u32 col[COLUMNS];
	struct csv t;

	*out = NULL;
	*n = 0;
	if (access(path, R_OK))
		return 0;
	if (csv_load(a, path, &t, f))
		return -1;
	for (u32 i = 0; i < COLUMNS; i++)
		if (csv_column(&t, names[i], &col[i], f))
			return -1;
	table = arena_array(a, struct score_table, t.rows + 1);
	for (u32 r = 0; r < t.rows; r++) {
		const char *name = csv_field(&t, r, col[TABLE]);
		struct score_table *last = *n ? &table[*n - 1] : NULL;
		struct score_cell *c;

		/* rows of a table stand together */
		if (!last || strcmp(last->name, name) != 0) {
			last = &table[(*n)++];
			last->name = name;
			last->kind = csv_field(&t, r, col[KIND]);
			last->cell = arena_array(a, struct score_cell, t.rows - r);
		}
		c = &last->cell[last->n++];
		c->naive = NAN;
		if (number(&t, r, col[PREDICTED], &c->predicted, f) ||
		    number(&t, r, col[PUBLISHED], &c->published, f))
			return -1;
	}
	*out = table;
	return 0;
}
