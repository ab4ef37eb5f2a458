/* How often tables of known truth get stars: shared by the short and the long test. */
#ifndef TESTS_STARS_H
#define TESTS_STARS_H

#include <math.h>

#include "base/rng.h"
#include "experiment/stats.h"

#define STARS_CELLS 20u /* of a table: 5 loads, 4 columns */
#define STARS_LOADS 5u
#define STARS_MAX   16u

struct stars {
	u32 tables, bad;    /* bad: tables with a star where nothing differs */
	u32 null, false_;   /* cells where nothing differs, and stars of them */
	u32 shifted, found; /* cells that differ, and stars of them */
};

/* Normal, by Box and Muller. */
static inline double stars_normal(struct stream *s)
{
	double u = ((double)(stream_u64(s) >> 11) + 0.5) / 9007199254740992.0;
	double v = (double)(stream_u64(s) >> 11) / 9007199254740992.0;

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static inline void stars_samples(struct stream *s, double mean, double sd, u32 n,
				 double *out)
{
	for (u32 i = 0; i < n; i++)
		out[i] = mean + sd * stars_normal(s);
}

/*
 * Tables of STARS_CELLS cells whose replicates have a deviation of 3 %; the first
 * `shifted` cells are `shift` deviations better than their baseline. Columns of one load
 * have the same baseline, as in a table of the program.
 */
static inline void stars_count(u64 seed, u32 tables, u32 n, u32 shifted, double shift,
			       struct stars *out)
{
	const struct stat_rule rule = {.practical = STAT_PRACTICAL};
	struct stat_cell cell[STARS_CELLS], *all[STARS_CELLS];
	struct stream s = stream_root(seed);
	double base[STARS_MAX], v[STARS_MAX];

	*out = (struct stars){.tables = tables};
	for (u32 t = 0; t < tables; t++) {
		u32 before = out->false_;

		for (u32 i = 0; i < STARS_CELLS; i++) {
			if (i % (STARS_CELLS / STARS_LOADS) == 0)
				stars_samples(&s, 100, 3, n, base);
			stars_samples(&s, 100 - (i < shifted ? 3 * shift : 0), 3, n, v);
			stat_compare(base, n, v, n, false, &rule, &cell[i]);
			all[i] = &cell[i];
		}
		stat_judge(all, STARS_CELLS, &rule);
		for (u32 i = 0; i < STARS_CELLS; i++) {
			u32 *star = i < shifted ? &out->found : &out->false_;

			*star += cell[i].significant;
			*(i < shifted ? &out->shifted : &out->null) += 1;
		}
		out->bad += out->false_ > before;
	}
}

#endif
