/* Appending runs and saving sets, each in one transaction: see store/store.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "counters.h"
#include "db.h"

/*
 * The canonical text without its last line (the seed) is shared by all replicates of a
 * cell and stored once, under its hash.
 */
static size_t shared_length(const char *text)
{
	size_t n = strlen(text);

	if (n)
		n--; /* the line end that closes the last line */
	while (n && text[n - 1] != '\n')
		n--;
	return n;
}

static int put_input(struct store *s, const char *text, size_t len, const char *hash,
		     struct failure *f)
{
	sqlite3_stmt *st;
	int err = -1;

	if (!db_prepare(s, "INSERT OR IGNORE INTO input(hash, body) VALUES(?1, ?2)", &st,
			f)) {
		sqlite3_bind_blob64(st, 2, len ? text : "", len, SQLITE_STATIC);
		err = db_put(s, st, f, "s", hash);
	}
	sqlite3_finalize(st);
	return err;
}

static int put_run(struct store *s, const struct run_spec *spec,
		   const struct run_result *r, struct failure *f)
{
	size_t shared = shared_length(spec->text);
	char hash[33], digest[17];
	struct text json = {0};
	int err;

	digest_text(spec->text, shared, hash);
	snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)r->digest);
	if (put_input(s, spec->text, shared, hash, f))
		return -1;
	run_json(spec, r, false, &json);
	err = db_put_once(s,
			  "INSERT INTO run(id, input, rest, json, machine, kernel, "
			  "workload, params, seed, replicate, duration_ns, digest, "
			  "main_metric) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
			  f, "ssssssssuiusi", spec->id, hash, spec->text + shared, json.s,
			  spec->machine_name, spec->kernel_name, spec->workload_name,
			  spec->params, spec->seed, spec->replicate, spec->duration,
			  digest, r->main_metric);
	text_free(&json);
	return err;
}

static int put_metrics(struct store *s, const char *id, const struct run_result *r,
		       struct failure *f)
{
	sqlite3_stmt *st;
	int err = db_prepare(s, "INSERT INTO metric VALUES(?,?,?,?,?,?)", &st, f);

	for (u32 i = 0; i < r->nmetric && !err; i++) {
		const struct run_metric *m = &r->metric[i];

		if (m->has && isfinite(m->value))
			err = db_put(s, st, f, "sissid", id, i, m->name, m->unit,
				     (u32)m->higher_better, m->value);
		else
			err = db_put(s, st, f, "sissin", id, i, m->name, m->unit,
				     (u32)m->higher_better);
	}
	sqlite3_finalize(st);
	return err;
}

static int put_groups(struct store *s, const char *id, const struct run_result *r,
		      struct failure *f)
{
	sqlite3_stmt *st;
	int err = db_prepare(s, "INSERT INTO grp VALUES(?,?,?,?)", &st, f);

	for (u32 i = 0; i < r->ngroup && !err; i++)
		err = db_put(s, st, f, "sisu", id, i, r->group[i].name,
			     r->group[i].cpu_ns);
	sqlite3_finalize(st);
	return err;
}

static int put_reasons(struct store *s, const char *id, const struct run_result *r,
		       struct failure *f)
{
	sqlite3_stmt *st;
	int err = db_prepare(s, "INSERT INTO decision VALUES(?,?,?,?)", &st, f);

	for (u32 i = 0; i < DEC_COUNT && !err; i++)
		err = db_put(s, st, f, "sisu", id, i, decision_rows[i].name,
			     r->totals.decisions[i]);
	sqlite3_finalize(st);
	if (err)
		return -1;
	err = db_prepare(s, "INSERT INTO system_time VALUES(?,?,?,?)", &st, f);
	for (u32 i = 0; i < SYS_CAUSES && !err; i++)
		err = db_put(s, st, f, "sisu", id, i, sys_cause_name[i],
			     r->totals.system_ns[i]);
	sqlite3_finalize(st);
	return err;
}

/* "locks.m.wait_s", behind the plain counters; *pos goes on. */
static int put_numbers(struct store *s, sqlite3_stmt *st, const char *id, u32 *pos,
		       const char *kind, const char *of, const struct resource_number *n,
		       u32 count, struct failure *f)
{
	int err = 0;

	for (u32 i = 0; i < count && !err; i++) {
		struct text name = {0};

		text_fmt(&name, "%s.%s.%s", kind, of, n[i].name);
		err = db_put(s, st, f, "sissiu", id, (*pos)++, name.s, n[i].unit,
			     n[i].scale, n[i].value);
		text_free(&name);
	}
	return err;
}

static int put_shared(struct store *s, sqlite3_stmt *st, const char *id,
		      const struct run_result *r, struct failure *f)
{
	struct resource_number n[RESOURCE_NUMBERS], l[LIMIT_NUMBERS];
	u32 pos = STORE_COUNTERS;

	for (u32 i = 0; i < r->nresource; i++) {
		run_resource_numbers(&r->resource[i], n);
		if (put_numbers(s, st, id, &pos, r->resource[i].kind, r->resource[i].name,
				n, RESOURCE_NUMBERS, f))
			return -1;
	}
	for (u32 i = 0; i < r->nlimit; i++) {
		run_limit_numbers(&r->limit[i], l);
		if (put_numbers(s, st, id, &pos, "cgroups", r->limit[i].name, l,
				LIMIT_NUMBERS, f))
			return -1;
	}
	return 0;
}

static int put_counters(struct store *s, const char *id, const struct run_result *r,
			struct failure *f)
{
	struct counter list[STORE_COUNTERS];
	sqlite3_stmt *st;
	int err = db_prepare(s, "INSERT INTO counter VALUES(?,?,?,?,?,?)", &st, f);

	store_list_counters(r, list);
	for (u32 i = 0; i < STORE_COUNTERS && !err; i++)
		err = db_put(s, st, f, "sissiu", id, i, list[i].name, list[i].unit,
			     list[i].scale, list[i].value);
	if (!err)
		err = put_shared(s, st, id, r, f);
	sqlite3_finalize(st);
	return err;
}

static int put_all(struct store *s, const struct run_spec *spec,
		   const struct run_result *r, struct failure *f)
{
	/* another program may have stored it since the caller looked */
	if (store_has(s, spec->id))
		return 0;
	if (put_run(s, spec, r, f) || put_metrics(s, spec->id, r, f) ||
	    put_groups(s, spec->id, r, f) || put_reasons(s, spec->id, r, f) ||
	    put_counters(s, spec->id, r, f))
		return -1;
	return db_put_once(s, "INSERT INTO timing(run, wall_ns, cpu_ns) VALUES(?,?,?)", f,
			   "suu", spec->id, r->wall_ns, r->cpu_ns);
}

/* Commit if nothing went wrong so far, else undo everything since BEGIN. */
static int conclude(struct store *s, int err, struct failure *f)
{
	if (!err)
		err = db_exec(s, "COMMIT", "store a run", f);
	if (err && !sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

int store_append(struct store *s, const struct run_spec *spec, const struct run_result *r,
		 struct failure *f)
{
	if (db_exec(s, "BEGIN IMMEDIATE", "store a run", f))
		return -1;
	return conclude(s, put_all(s, spec, r, f), f);
}

static int put_set(struct store *s, const char *name, const char *machine,
		   const char *workload, const struct store_cell *cells, u32 n,
		   struct failure *f)
{
	sqlite3_stmt *st;
	int err;

	if (db_put_once(s, "DELETE FROM set_cell WHERE name = ?", f, "s", name) ||
	    db_put_once(s, "INSERT OR REPLACE INTO set_head VALUES(?,?,?)", f, "sss",
			name, machine, workload))
		return -1;
	err = db_prepare(s, "INSERT INTO set_cell VALUES(?,?,?,?,?,?)", &st, f);
	for (u32 i = 0; i < n && !err; i++)
		err = db_put(s, st, f, "sissis", name, i, cells[i].load, cells[i].kernel,
			     cells[i].replicate, cells[i].run_id);
	sqlite3_finalize(st);
	return err;
}

int store_set_save(struct store *s, const char *name, const char *machine,
		   const char *workload, const struct store_cell *cells, u32 n,
		   struct failure *f)
{
	if (db_exec(s, "BEGIN IMMEDIATE", "store a set of runs", f))
		return -1;
	return conclude(s, put_set(s, name, machine, workload, cells, n, f), f);
}
