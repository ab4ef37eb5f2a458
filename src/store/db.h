/*
 * Thin layer over SQLite: statements with bound values, and errors as failures.
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <sqlite3.h>

#include "store/store.h"

struct store {
	sqlite3 *db;
	char *path;
};

/** Turn an SQLite result into a failure; `doing` completes "cannot ...". Returns -1. */
int db_fail(struct store *s, int rc, const char *doing, struct failure *f);

/** Run statements without results. */
int db_exec(struct store *s, const char *sql, const char *doing, struct failure *f);

/** Value of a PRAGMA or of another query of one integer. */
int db_get_int(struct store *s, const char *sql, s64 *out, struct failure *f);

/**
 * Prepare a statement; finish with sqlite3_finalize (NULL is fine). On failure *out is
 * NULL.
 */
int db_prepare(struct store *s, const char *sql, sqlite3_stmt **out, struct failure *f);

/**
 * Bind the values of a statement from the left, run it to its end and reset it. Format,
 * one letter a value: s text (const char *; must not be NULL), u u64, i u32, d double,
 * n NULL.
 */
int db_put(struct store *s, sqlite3_stmt *st, struct failure *f, const char *format, ...);

/** db_put() of a statement that is used once. */
int db_put_once(struct store *s, const char *sql, struct failure *f, const char *format,
		...);

/**
 * Next row. Returns 1 for a row, 0 at the end, -1 on failure. Text columns of the row are
 * copied with db_text().
 */
int db_row(struct store *s, sqlite3_stmt *st, struct failure *f);
const char *db_text(sqlite3_stmt *st, int column, struct arena *a);
u64 db_u64(sqlite3_stmt *st, int column);

#endif
