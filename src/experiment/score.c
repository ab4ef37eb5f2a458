/*
 * Measures of predictions: see experiment/score.h. Leaves out resampling and bands
 * (score_band.c).
 */
#include "experiment/score.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "score_parts.h"

const char *score_model_name(enum score_model model)
{
	static const char *const names[SCORE_MODELS] = {"predicted", "null", "constant",
							"sign", "naive"};

	return names[model];
}

const char *score_proof_name(enum score_proof proof)
{
	static const char *const names[] = {"nothing", "sign", "size", "sign and size"};

	return names[proof];
}

double score_published(const struct published_cell *base, const struct published_cell *c,
		       bool higher_better)
{
	double ratio = c->value / base->value;

	/* a time printed as a change: 100 - 100 * new / base */
	if (isnan(ratio))
		ratio = 1 + (higher_better ? c->pct : -c->pct) / 100;
	if (!(ratio > 0) || !isfinite(ratio))
		return NAN;
	return higher_better ? log(ratio) : -log(ratio);
}

bool score_significant(const struct published_cell *base, const struct published_cell *c)
{
	double noise = hypot(base->stddev, c->stddev);

	if (c->significant >= 0)
		return c->significant > 0;
	if (!isnan(noise) && !isnan(c->value) && !isnan(base->value))
		return fabs(c->value - base->value) > noise;
	return fabs(c->pct) >= SCORE_NOISE;
}

double score_capacity(const struct machine *m, bool smt, u32 tasks)
{
	u32 cpus = 0, threads, full, rest;
	double keep = 1, sum = 0, power = 1, below = 1;
	u32 pairs = 0;

	for (u32 i = 0; i < m->ncpu; i++)
		cpus += m->cpu[i].online;
	for (u32 i = 0; i < m->nsmt; i++) {
		if (strcmp(m->smt[i].self, m->smt[i].other) != 0)
			continue;
		sum += (double)m->smt[i].keep / 4294967296.0;
		pairs++;
	}
	if (pairs)
		keep = sum / pairs;
	if (!m->ncore)
		return 0;
	if (!smt)
		cpus = m->ncore;
	tasks = min_u32(tasks, cpus);
	/* `full` tasks on each core, one more on `rest` of them */
	full = tasks / m->ncore;
	rest = tasks % m->ncore;
	threads = full;
	for (u32 i = 1; i <= full; i++, power *= keep)
		below = power;
	return (threads ? m->ncore - rest : 0) * threads * below +
	       rest * (full + 1.0) * (full ? power : 1);
}

double score_predictor(const struct score_cell *c, enum score_model model,
		       double constant)
{
	switch (model) {
	case SCORE_PREDICTED:
		return c->predicted;
	case SCORE_NAIVE:
		return c->naive;
	case SCORE_CONSTANT:
		return constant;
	case SCORE_SIGN:
		return constant > 0 ? 1 : -1;
	case SCORE_NULL:
	case SCORE_MODELS:
		break;
	}
	return 0;
}

/* Cells that are scored: those that were printed and predicted. */
static bool scored(const struct score_cell *c)
{
	return !isnan(c->predicted) && !isnan(c->published);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Between the two nearest (type 7 of Hyndman and Fan, American Statistician 50, 1996). */
double score_quantile(double *v, u32 n, double q)
{
	double at = q * (n - 1.0), low;

	if (!n)
		return NAN;
	qsort(v, n, sizeof(*v), by_value);
	low = floor(at);
	if (low + 1 >= n)
		return v[n - 1];
	return v[(u32)low] + (at - low) * (v[(u32)low + 1] - v[(u32)low]);
}

static u32 cells_of(const struct score_table *table, u32 n)
{
	u32 cells = 0;

	for (u32 t = 0; t < n; t++)
		cells += table[t].n;
	return cells;
}

/*
 * The constant with the least median error: the centre of the shortest half of the
 * published values (P. J. Rousseeuw, "Least median of squares regression", J. American
 * Statistical Association 79, 1984). For SCORE_SIGN: the sign that is right more often.
 */
static double best_constant(const struct score_table *table, u32 n,
			    enum score_model model, double *room)
{
	u32 m = 0, half;
	double best = INFINITY, centre = 0, balance = 0;

	for (u32 t = 0; t < n; t++) {
		for (u32 i = 0; i < table[t].n; i++) {
			const struct score_cell *c = &table[t].cell[i];

			if (!scored(c))
				continue;
			room[m++] = c->published;
			if (c->significant)
				balance += c->published > 0 ? 1 : -1;
		}
	}
	if (model == SCORE_SIGN)
		return balance;
	qsort(room, m, sizeof(*room), by_value);
	half = m / 2 + 1;
	for (u32 i = 0; i + half <= m; i++) {
		if (!(room[i + half - 1] - room[i] < best))
			continue;
		best = room[i + half - 1] - room[i];
		centre = (room[i + half - 1] + room[i]) / 2;
	}
	return centre;
}

static void count_signs(const struct score_cell *c, double x, struct score *out)
{
	if (!c->significant)
		return;
	out->significant++;
	if (c->published > 0) {
		out->gains++;
		out->gain_hits += x > 0;
	} else {
		out->losses++;
		out->loss_hits += x < 0;
	}
}

/* Rank correlation (Spearman, American J. of Psychology 15, 1904); NAN below 3 cells. */
static double spearman(const struct score_table *t, enum score_model model,
		       double constant, double *room)
{
	double *x = room, *y = room + t->n, *work = room + 2 * t->n;
	bool flat = true;
	u32 n = 0;

	for (u32 i = 0; i < t->n; i++) {
		if (!scored(&t->cell[i]))
			continue;
		x[n] = score_predictor(&t->cell[i], model, constant);
		y[n] = t->cell[i].published;
		flat = flat && !(x[n] < x[0]) && !(x[n] > x[0]);
		n++;
	}
	if (n < 3 || flat)
		return NAN;
	return gsl_stats_spearman(x, 1, y, 1, n, work);
}

static double share(u32 hits, u32 of)
{
	return of ? (double)hits / of : NAN;
}

/* What is counted cell by cell, and the errors of the cells into `error`. */
static u32 walk(const struct score_table *table, u32 n, enum score_model model,
		double constant, double *error, struct score *out)
{
	u32 m = 0;

	for (u32 t = 0; t < n; t++) {
		for (u32 i = 0; i < table[t].n; i++) {
			const struct score_cell *c = &table[t].cell[i];
			double x = score_predictor(c, model, constant);

			if (!scored(c) || isnan(x))
				continue;
			count_signs(c, x, out);
			error[m++] = fabs(x - c->published);
		}
	}
	return m;
}

static double null_median(const struct score_table *table, u32 n, double *room)
{
	u32 m = 0;

	for (u32 t = 0; t < n; t++)
		for (u32 i = 0; i < table[t].n; i++)
			if (scored(&table[t].cell[i]))
				room[m++] = fabs(table[t].cell[i].published);
	return score_quantile(room, m, 0.5);
}

static void over_tables(const struct score_table *table, u32 n, enum score_model model,
			double constant, double *room, struct score *out)
{
	double rank = 0, square = 0;
	u32 ranked = 0, bases = 0;

	for (u32 t = 0; t < n; t++) {
		double r = spearman(&table[t], model, constant, room);

		if (!isnan(r)) {
			rank += r;
			ranked++;
		}
		if (!isnan(table[t].residual)) {
			square += table[t].residual * table[t].residual;
			bases++;
		}
	}
	out->spearman = ranked ? rank / ranked : NAN;
	out->residual = bases && model == SCORE_PREDICTED ? sqrt(square / bases) : NAN;
}

void score_of(const struct score_table *table, u32 n, enum score_model model,
	      struct score *out)
{
	u32 cells = cells_of(table, n);
	double *room = calloc(5 * (size_t)cells + 1, sizeof(*room)), constant, null;

	if (!room)
		abort();
	*out = (struct score){.tables = n};
	constant = best_constant(table, n, model, room);
	null = null_median(table, n, room);
	over_tables(table, n, model, constant, room, out);
	out->cells = walk(table, n, model, constant, room, out);
	out->sign = share(out->gain_hits + out->loss_hits, out->significant);
	out->balanced =
		(share(out->gain_hits, out->gains) + share(out->loss_hits, out->losses)) /
		2;
	out->median = out->p90 = out->skill = NAN;
	/* a model of signs has no size */
	if (model != SCORE_SIGN) {
		out->median = score_quantile(room, out->cells, 0.5);
		out->p90 = score_quantile(room, out->cells, 0.9);
		if (null > 0)
			out->skill = 1 - out->median / null;
	}
	free(room);
}

enum score_proof score_proves(const struct score_table *table)
{
	struct score p, constant, sign;

	score_of(table, 1, SCORE_PREDICTED, &p);
	score_of(table, 1, SCORE_CONSTANT, &constant);
	score_of(table, 1, SCORE_SIGN, &sign);
	return (enum score_proof)((p.sign > sign.sign ? SCORE_PROVES_SIGN : 0) |
				  (p.median < constant.median ? SCORE_PROVES_SIZE : 0));
}
