/*
 * Opening a store: recognises its own files, creates the schema, refuses the rest. The
 * default rollback journal keeps everything in one file that can be copied; a program
 * that is killed leaves a journal, which the next opening rolls back.
 */
#include <stdlib.h>
#include <string.h>

#include "db.h"
#include "schema.h"

/* How long to wait for another program that writes the same file. */
#define BUSY_MS 20000

static int create_schema(struct store *s, struct failure *f)
{
	char *sql = sqlite3_mprintf("%s\nPRAGMA application_id = %d;"
				    "PRAGMA user_version = %d;",
				    store_schema, STORE_APPLICATION, STORE_VERSION);
	int err;

	if (!sql)
		return db_fail(s, SQLITE_NOMEM, "create the database", f);
	err = db_exec(s, sql, "create the database", f);
	sqlite3_free(sql);
	return err;
}

struct marks {
	s64 application, version, tables;
};

/* Called inside a transaction: another program may be creating the schema. */
static int read_marks(struct store *s, struct marks *m, struct failure *f)
{
	if (db_get_int(s, "PRAGMA application_id", &m->application, f) ||
	    db_get_int(s, "PRAGMA user_version", &m->version, f) ||
	    db_get_int(s, "SELECT count(*) FROM sqlite_master", &m->tables, f))
		return -1;
	return 0;
}

static bool is_blank(const struct marks *m)
{
	return !m->application && !m->version && !m->tables;
}

static int check_marks(struct store *s, const struct marks *m, struct failure *f)
{
	if (m->application != STORE_APPLICATION)
		return fail_set(f, FAIL_INPUT, s->path,
				"a database of another program, expected one made by "
				"sibyl");
	if (m->version > STORE_VERSION)
		return fail_set(f, FAIL_INPUT, s->path,
				"schema %lld is later than this program knows, expected "
				"at most %d: use a later sibyl or another file (--db)",
				(long long)m->version, STORE_VERSION);
	if (m->version < 1)
		return fail_set(f, FAIL_INPUT, s->path,
				"the database has no schema version, expected %d",
				STORE_VERSION);
	return 0;
}

/*
 * Look at the marks between `begin` and the end of the transaction; create what is
 * missing if `create` says so. *blank: the file holds nothing yet.
 */
static int recognise(struct store *s, const char *begin, bool create, bool *blank,
		     struct failure *f)
{
	struct marks m;
	int err;

	if (db_exec(s, begin, "open the database", f))
		return -1;
	err = read_marks(s, &m, f);
	*blank = !err && is_blank(&m);
	if (!err && !*blank)
		err = check_marks(s, &m, f);
	else if (!err && create)
		err = create_schema(s, f);
	if (!err)
		err = db_exec(s, "COMMIT", "create the database", f);
	if (err && !sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

static int prepare_file(struct store *s, struct failure *f)
{
	bool blank;

	sqlite3_busy_timeout(s->db, BUSY_MS);
	sqlite3_extended_result_codes(s->db, 1);
	if (db_exec(s, "PRAGMA foreign_keys = ON", "open the database", f) ||
	    recognise(s, "BEGIN", false, &blank, f))
		return -1;
	/* two programs may come here at once: the second finds the work of the first */
	return blank ? recognise(s, "BEGIN IMMEDIATE", true, &blank, f) : 0;
}

int store_open(struct store **out, const char *path, struct failure *f)
{
	struct store *s = calloc(1, sizeof(*s));
	int rc;

	*out = NULL;
	if (!s || !(s->path = strdup(path))) {
		free(s);
		return fail_set(f, FAIL_IO, path, "no memory for the database");
	}
	if (!path[0]) {
		store_close(s);
		return fail_set(f, FAIL_INPUT, NULL,
				"the name of the database is empty, expected a file");
	}
	rc = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
			     NULL);
	if (rc != SQLITE_OK)
		db_fail(s, rc, "open the database", f);
	if (rc != SQLITE_OK || prepare_file(s, f)) {
		store_close(s);
		return -1;
	}
	*out = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}
