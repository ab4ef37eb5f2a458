/* Reading a named set of runs back: see store/store.h. */
#include <string.h>

#include "db.h"

static int load_head(struct store *s, struct arena *a, const char *name,
		     struct stored_set *out, struct failure *f)
{
	sqlite3_stmt *st;
	int got = -1;

	if (!db_prepare(s,
			"SELECT machine, workload, (SELECT count(*) FROM set_cell c "
			"WHERE c.name = h.name) FROM set_head h WHERE h.name = ?",
			&st, f)) {
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
		got = db_row(s, st, f);
	}
	if (got == 1) {
		out->machine = db_text(st, 0, a);
		out->workload = db_text(st, 1, a);
		out->n = (u32)db_u64(st, 2);
	}
	sqlite3_finalize(st);
	if (!got)
		return fail_set(f, FAIL_INPUT, s->path, "no set of runs '%.60s'", name);
	return got == 1 ? 0 : -1;
}

static int load_cells(struct store *s, struct arena *a, const char *name,
		      struct stored_set *out, struct failure *f)
{
	u32 max = out->n;
	sqlite3_stmt *st;
	int got = -1;

	out->cell = arena_array(a, struct store_cell, max + 1);
	out->n = 0;
	if (!db_prepare(s,
			"SELECT load, kernel, replicate, run FROM set_cell "
			"WHERE name = ? ORDER BY pos",
			&st, f)) {
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
		while ((got = db_row(s, st, f)) == 1 && out->n < max)
			out->cell[out->n++] = (struct store_cell){
				.load = db_text(st, 0, a),
				.kernel = db_text(st, 1, a),
				.replicate = (u32)db_u64(st, 2),
				.run_id = db_text(st, 3, a),
			};
	}
	sqlite3_finalize(st);
	return got < 0 ? -1 : 0;
}

int store_set_load(struct store *s, struct arena *a, const char *name,
		   struct stored_set *out, struct failure *f)
{
	int err;

	memset(out, 0, sizeof(*out));
	/* both queries see one state of the database */
	if (db_exec(s, "BEGIN", "read the database", f))
		return -1;
	err = load_head(s, a, name, out, f) || load_cells(s, a, name, out, f) ? -1 : 0;
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}
