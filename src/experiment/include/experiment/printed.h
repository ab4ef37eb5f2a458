/*
 * Tables as mails print them: a row a load, a cell a policy, "value (  12.34%)" or "value
 * *  12.34%*". Printed rows of experiments/published become such text, and such text,
 * also quoted, wrapped at soft breaks and with tabs, becomes cells again.
 */
#ifndef EXPERIMENT_PRINTED_H
#define EXPERIMENT_PRINTED_H

#include "base/arena.h"
#include "base/failure.h"
#include "base/text.h"

/** A printed cell; strings as printed. */
struct printed_row {
	const char *source, *machine, *workload, *metric, *unit, *higher, *load, *policy,
		*baseline, *value, *spread, *pct, *mark;
};

/** Every row of a CSV file of printed cells, in its order. Lives in the arena. */
int printed_load(struct arena *a, const char *path, struct printed_row **out, u32 *n,
		 struct failure *f);
int printed_parse(struct arena *a, const char *name, const char *text, size_t len,
		  struct printed_row **out, u32 *n, struct failure *f);

/** The same as CSV again. Appended to out. */
void printed_csv(const struct printed_row *row, u32 n, struct text *out);

/**
 * Rows that have a value and a percentage, as text: a table for each source, machine,
 * workload, metric, unit and baseline. Other rows are left out. Appended to out.
 */
void printed_text(struct arena *a, const struct printed_row *row, u32 n,
		  struct text *out);

/** A cell read from text. */
struct printed_cell {
	u32 table;	   /* 0, 1, ...: a header begins a table */
	const char *label; /* what stands before the cells of its row */
	const char *
		column; /* of the header, or its number in the row if that does not fit */
	const char *value, *pct;
	bool star;
};

/**
 * Cells of a text in the order in which they stand. Quoting ("> "), tabs,
 * quoted-printable breaks ("=" at the end of a line) and lines without cells are borne; a
 * place for a cell that says n/a gives none.
 */
int printed_read(struct arena *a, const char *text, size_t len, struct printed_cell **out,
		 u32 *n, struct failure *f);

#endif
