/* Statements and errors of SQLite: see db.h. */
#include "db.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int db_fail(struct store *s, int rc, const char *doing, struct failure *f)
{
	switch (rc & 0xff) {
	case SQLITE_FULL:
		return fail_set(f, FAIL_IO, s->path, "cannot %s: the disk is full",
				doing);
	case SQLITE_READONLY:
		return fail_set(f, FAIL_IO, s->path, "cannot %s: the file is read-only",
				doing);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail_set(f, FAIL_IO, s->path,
				"cannot %s: another program keeps the file locked",
				doing);
	case SQLITE_NOTADB:
		return fail_set(f, FAIL_INPUT, s->path,
				"not a database, expected a file made by sibyl");
	case SQLITE_CORRUPT:
		return fail_set(f, FAIL_INPUT, s->path,
				"the database is damaged, expected a file made by sibyl");
	default:
		return fail_set(f, FAIL_IO, s->path, "cannot %s: %s", doing,
				s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc));
	}
}

int db_exec(struct store *s, const char *sql, const char *doing, struct failure *f)
{
	int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : db_fail(s, rc, doing, f);
}

int db_prepare(struct store *s, const char *sql, sqlite3_stmt **out, struct failure *f)
{
	int rc = sqlite3_prepare_v2(s->db, sql, -1, out, NULL);

	return rc == SQLITE_OK ? 0 : db_fail(s, rc, "read the database", f);
}

int db_row(struct store *s, sqlite3_stmt *st, struct failure *f)
{
	int rc = sqlite3_step(st);

	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : db_fail(s, rc, "read the database", f);
}

int db_get_int(struct store *s, const char *sql, s64 *out, struct failure *f)
{
	sqlite3_stmt *st;
	int got = -1;

	if (!db_prepare(s, sql, &st, f)) {
		got = db_row(s, st, f);
		*out = got == 1 ? sqlite3_column_int64(st, 0) : 0;
	}
	sqlite3_finalize(st);
	return got < 0 ? -1 : 0;
}

static int bind(sqlite3_stmt *st, const char *format, va_list *ap)
{
	int rc = SQLITE_OK;

	for (int i = 1; *format && rc == SQLITE_OK; i++, format++) {
		switch (*format) {
		case 's':
			rc = sqlite3_bind_text(st, i, va_arg(*ap, const char *), -1,
					       SQLITE_STATIC);
			break;
		case 'u':
			rc = sqlite3_bind_int64(st, i, (s64)va_arg(*ap, u64));
			break;
		case 'i':
			rc = sqlite3_bind_int64(st, i, (s64)va_arg(*ap, u32));
			break;
		case 'd':
			rc = sqlite3_bind_double(st, i, va_arg(*ap, double));
			break;
		default:
			rc = sqlite3_bind_null(st, i);
			break;
		}
	}
	return rc;
}

static int put(struct store *s, sqlite3_stmt *st, const char *format, va_list *ap,
	       struct failure *f)
{
	int rc = bind(st, format, ap);

	if (rc == SQLITE_OK) {
		do
			rc = sqlite3_step(st);
		while (rc == SQLITE_ROW);
		if (rc == SQLITE_DONE)
			rc = SQLITE_OK;
	}
	if (rc != SQLITE_OK)
		db_fail(s, rc, "store a run", f);
	sqlite3_reset(st);
	return rc == SQLITE_OK ? 0 : -1;
}

int db_put(struct store *s, sqlite3_stmt *st, struct failure *f, const char *format, ...)
{
	va_list ap;
	int err;

	va_start(ap, format);
	err = put(s, st, format, &ap, f);
	va_end(ap);
	return err;
}

int db_put_once(struct store *s, const char *sql, struct failure *f, const char *format,
		...)
{
	sqlite3_stmt *st;
	va_list ap;
	int err = -1;

	if (!db_prepare(s, sql, &st, f)) {
		va_start(ap, format);
		err = put(s, st, format, &ap, f);
		va_end(ap);
	}
	sqlite3_finalize(st);
	return err;
}

const char *db_text(sqlite3_stmt *st, int column, struct arena *a)
{
	const void *text = sqlite3_column_blob(st, column);
	int n = sqlite3_column_bytes(st, column);

	return text ? arena_strndup(a, text, (size_t)n) : "";
}

u64 db_u64(sqlite3_stmt *st, int column)
{
	return (u64)sqlite3_column_int64(st, column);
}
