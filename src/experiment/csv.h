/* Tables of comma separated values. Private to the layer. */
#ifndef EXPERIMENT_CSV_H
#define EXPERIMENT_CSV_H

#include "base/arena.h"
#include "base/failure.h"

struct csv {
	const char *file;
	u32 cols, rows;	    /* rows without the header */
	const char **name;  /* of the columns */
	const char **field; /* row * cols + column */
	u32 *line;	    /* 1-based, of each row */
};

#define CSV_MAX_BYTES (16u << 20)
#define CSV_MAX_COLS  64u

/**
 * RFC 4180: a field in quotes may hold commas, line ends and doubled quotes. Every row
 * has as many fields as the header; blank lines are skipped. Lives in the arena.
 */
int csv_load(struct arena *a, const char *path, struct csv *out, struct failure *f);
int csv_parse(struct arena *a, const char *name, const char *text, size_t len,
	      struct csv *out, struct failure *f);

/** Number of a column, or a failure that names the nearest. */
int csv_column(const struct csv *t, const char *name, u32 *out, struct failure *f);

static inline const char *csv_field(const struct csv *t, u32 row, u32 col)
{
	return t->field[(size_t)row * t->cols + col];
}

#endif
