/* Reading runs, counters and sets back: see store/store.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "db.h"

#define ID_DIGITS     32
#define PREFIX_DIGITS 4

bool store_has(struct store *s, const char *id)
{
	sqlite3_stmt *st;
	struct failure ignored; /* the append that follows reports what is wrong */
	bool has = false;

	if (!db_prepare(s, "SELECT 1 FROM run WHERE id = ?", &st, &ignored)) {
		sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
		has = db_row(s, st, &ignored) == 1;
	}
	sqlite3_finalize(st);
	return has;
}

/* The run that was stored last. */
static int find_last(struct store *s, char out[ID_DIGITS + 1], struct failure *f)
{
	sqlite3_stmt *st;
	int got = -1;

	if (!db_prepare(s, "SELECT run FROM timing ORDER BY seq DESC LIMIT 1", &st, f))
		got = db_row(s, st, f);
	if (got == 1)
		strncpy(out, (const char *)sqlite3_column_text(st, 0), ID_DIGITS);
	sqlite3_finalize(st);
	if (!got)
		return fail_set(f, FAIL_INPUT, s->path, "no run is stored");
	return got == 1 ? 0 : -1;
}

/* Lower-case hexadecimal digits only, between 4 and 32 of them. */
static int check_prefix(struct store *s, const char *id, char low[ID_DIGITS + 1],
			struct failure *f)
{
	size_t n = strlen(id);
	bool fine = n >= PREFIX_DIGITS && n <= ID_DIGITS;

	for (size_t i = 0; fine && i < n; i++) {
		fine = isxdigit((unsigned char)id[i]);
		low[i] = (char)tolower((unsigned char)id[i]);
	}
	if (fine)
		return 0;
	return fail_set(f, FAIL_INPUT, s->path,
			"no run '%.40s', expected \"last\" or %d to %d hexadecimal "
			"digits of an identity",
			id, PREFIX_DIGITS, ID_DIGITS);
}

static int find_prefix(struct store *s, const char *prefix, char out[ID_DIGITS + 1],
		       struct failure *f)
{
	sqlite3_stmt *st;
	u32 n = 0;
	int got = -1;

	/* identities are hexadecimal: 'g' follows every continuation of the prefix */
	if (!db_prepare(s, "SELECT id FROM run WHERE id >= ?1 AND id < ?1 || 'g'", &st,
			f)) {
		sqlite3_bind_text(st, 1, prefix, -1, SQLITE_STATIC);
		while ((got = db_row(s, st, f)) == 1 && ++n == 1)
			strncpy(out, (const char *)sqlite3_column_text(st, 0), ID_DIGITS);
		while (got == 1 && (got = db_row(s, st, f)) == 1)
			n++;
	}
	sqlite3_finalize(st);
	if (got < 0)
		return -1;
	if (!n)
		return fail_set(f, FAIL_INPUT, s->path, "0 runs match '%s'", prefix);
	if (n > 1)
		return fail_set(f, FAIL_INPUT, s->path,
				"%u runs match '%s', expected more digits", n, prefix);
	return 0;
}

static int find_run(struct store *s, const char *id, char out[ID_DIGITS + 1],
		    struct failure *f)
{
	char low[ID_DIGITS + 1] = "";

	memset(out, 0, ID_DIGITS + 1);
	if (!strcmp(id, "last"))
		return find_last(s, out, f);
	if (check_prefix(s, id, low, f))
		return -1;
	return find_prefix(s, low, out, f);
}

static int load_head(struct store *s, struct arena *a, const char *id,
		     struct stored_run *out, struct failure *f)
{
	sqlite3_stmt *st;
	int got = -1;

	if (!db_prepare(s,
			"SELECT body || rest, json, machine, kernel, workload, params, "
			"seed, replicate, duration_ns, digest, main_metric FROM run "
			"JOIN input ON hash = input WHERE id = ?",
			&st, f)) {
		sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
		got = db_row(s, st, f);
	}
	if (got == 1) {
		out->id = arena_strdup(a, id);
		out->text = db_text(st, 0, a);
		out->json = db_text(st, 1, a);
		out->machine = db_text(st, 2, a);
		out->kernel = db_text(st, 3, a);
		out->workload = db_text(st, 4, a);
		out->params = db_text(st, 5, a);
		out->seed = db_u64(st, 6);
		out->replicate = (u32)db_u64(st, 7);
		out->duration = db_u64(st, 8);
		out->digest = strtoull(db_text(st, 9, a), NULL, 16);
		out->main_metric = (u32)db_u64(st, 10);
	}
	sqlite3_finalize(st);
	if (!got)
		return fail_set(f, FAIL_INPUT, s->path,
				"the database is damaged: run %s has no inputs", id);
	return got == 1 ? 0 : -1;
}

/* How many rows of a run a table has. */
static int count_rows(struct store *s, const char *sql, const char *id, u32 *n,
		      struct failure *f)
{
	sqlite3_stmt *st;
	int got = -1;

	if (!db_prepare(s, sql, &st, f)) {
		sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
		got = db_row(s, st, f);
		*n = got == 1 ? (u32)db_u64(st, 0) : 0;
	}
	sqlite3_finalize(st);
	return got < 0 ? -1 : 0;
}

static int load_metrics(struct store *s, struct arena *a, struct stored_run *out,
			struct failure *f)
{
	sqlite3_stmt *st;
	u32 max;
	int got = -1;

	if (count_rows(s, "SELECT count(*) FROM metric WHERE run = ?", out->id, &max, f))
		return -1;
	out->metric = arena_array(a, struct run_metric, max + 1);
	if (!db_prepare(s,
			"SELECT name, unit, higher_better, value FROM metric "
			"WHERE run = ? ORDER BY pos",
			&st, f)) {
		sqlite3_bind_text(st, 1, out->id, -1, SQLITE_STATIC);
		while ((got = db_row(s, st, f)) == 1 && out->nmetric < max)
			out->metric[out->nmetric++] = (struct run_metric){
				.name = db_text(st, 0, a),
				.unit = db_text(st, 1, a),
				.higher_better = db_u64(st, 2) != 0,
				.has = sqlite3_column_type(st, 3) != SQLITE_NULL,
				.value = sqlite3_column_double(st, 3),
			};
	}
	sqlite3_finalize(st);
	if (out->main_metric >= max_u32(out->nmetric, 1))
		out->main_metric = 0;
	return got < 0 ? -1 : 0;
}

/* Everything that is read for one answer is read from one state of the database. */
static int begin_read(struct store *s, struct failure *f)
{
	return db_exec(s, "BEGIN", "read the database", f);
}

static int end_read(struct store *s, int err)
{
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

static int load_run(struct store *s, struct arena *a, const char *id,
		    struct stored_run *out, struct failure *f)
{
	char full[ID_DIGITS + 1];

	memset(out, 0, sizeof(*out));
	if (find_run(s, id, full, f) || load_head(s, a, full, out, f))
		return -1;
	return load_metrics(s, a, out, f);
}

int store_load(struct store *s, struct arena *a, const char *id, struct stored_run *out,
	       struct failure *f)
{
	if (begin_read(s, f))
		return -1;
	return end_read(s, load_run(s, a, id, out, f));
}

/*
 * All counters of a run as one list: plain ones, system time, decisions, groups, metrics.
 * A metric that is missing is left out.
 */
static const char counters_sql[] =
	"SELECT 0 AS part, pos, name, unit, scale, value, NULL FROM counter "
	" WHERE run = ?1 "
	"UNION ALL SELECT 1, pos, 'system_s.' || cause, 's', 9, ns, NULL "
	" FROM system_time WHERE run = ?1 "
	"UNION ALL SELECT 2, pos, 'decisions.' || reason, '', 0, n, NULL "
	" FROM decision WHERE run = ?1 "
	"UNION ALL SELECT 3, pos, 'groups.' || name || '.cpu_s', 's', 9, cpu_ns, NULL "
	" FROM grp WHERE run = ?1 "
	"UNION ALL SELECT 4, pos, 'metrics.' || name, unit, 0, 0, value "
	" FROM metric WHERE run = ?1 AND value IS NOT NULL "
	"ORDER BY 1, 2";

static double scaled(u64 value, u64 scale)
{
	double div = 1;

	while (scale--)
		div *= 10;
	return (double)value / div;
}

static int read_counters(struct store *s, struct arena *a, const char *id,
			 struct stored_counter *out, u32 max, u32 *n, struct failure *f)
{
	sqlite3_stmt *st;
	int got = -1;

	if (!db_prepare(s, counters_sql, &st, f)) {
		sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
		while ((got = db_row(s, st, f)) == 1 && *n < max) {
			bool real = sqlite3_column_type(st, 6) != SQLITE_NULL;

			out[(*n)++] = (struct stored_counter){
				.name = db_text(st, 2, a),
				.unit = db_text(st, 3, a),
				.value = real ? sqlite3_column_double(st, 6)
					      : scaled(db_u64(st, 5), db_u64(st, 4) % 20),
			};
		}
	}
	sqlite3_finalize(st);
	return got < 0 ? -1 : 0;
}

static int load_counters(struct store *s, struct arena *a, const char *id,
			 struct stored_counter **out, u32 *n, struct failure *f)
{
	static const char count_sql[] =
		"SELECT (SELECT count(*) FROM counter WHERE run = ?1) + "
		"(SELECT count(*) FROM system_time WHERE run = ?1) + "
		"(SELECT count(*) FROM decision WHERE run = ?1) + "
		"(SELECT count(*) FROM grp WHERE run = ?1) + "
		"(SELECT count(*) FROM metric WHERE run = ?1)";
	char full[ID_DIGITS + 1];
	u32 max;

	*n = 0;
	if (find_run(s, id, full, f) || count_rows(s, count_sql, full, &max, f))
		return -1;
	*out = arena_array(a, struct stored_counter, max + 1);
	return read_counters(s, a, full, *out, max, n, f);
}

int store_counters(struct store *s, struct arena *a, const char *id,
		   struct stored_counter **out, u32 *n, struct failure *f)
{
	if (begin_read(s, f))
		return -1;
	return end_read(s, load_counters(s, a, id, out, n, f));
}
