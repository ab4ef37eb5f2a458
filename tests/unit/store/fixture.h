/* Made-up runs and temporary files for the tests of the store. */
#ifndef TEST_STORE_FIXTURE_H
#define TEST_STORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/digest.h"
#include "db.h"
#include "schema.h"

struct fixture {
	char dir[64], path[96];
	struct arena arena;
};

/* A spec and a result that depend on `n` only. */
struct made_run {
	struct run_spec spec;
	struct run_result r;
	struct run_metric metric[3];
	struct run_group group[2];
	struct run_resource resource[1];
	char text[160];
};

static inline void make_run(struct made_run *m, u32 n)
{
	memset(m, 0, sizeof(*m));
	m->spec.machine_name = "box";
	m->spec.kernel_name = n % 2 ? "linux-b:smt=off" : "linux-a";
	m->spec.workload_name = "wl";
	m->spec.params = "clients=4 name=it's";
	m->spec.seed = UINT64_MAX - n;
	m->spec.replicate = n % 5;
	m->spec.duration = 10 * NS_PER_SEC;
	/* five replicates share all but the last line */
	snprintf(m->text, sizeof(m->text), "machine\nkernel %u\nworkload\nseed %llu\n",
		 n / 5, (unsigned long long)m->spec.seed);
	m->spec.text = m->text;
	digest_text(m->text, strlen(m->text), m->spec.id);
	m->metric[0] = (struct run_metric){"ops", "1/s", true, true, 1000.5 + n};
	m->metric[1] = (struct run_metric){"p99", "us", false, false, 0};
	m->metric[2] = (struct run_metric){"elapsed", "s", false, true, 1.0 / 3};
	m->group[0] = (struct run_group){"hogs", 1234567890};
	m->group[1] = (struct run_group){"a \"b\"", n};
	m->r.metric = m->metric;
	m->r.nmetric = 3;
	m->r.main_metric = 2;
	m->r.group = m->group;
	m->r.ngroup = 2;
	m->resource[0] = (struct run_resource){
		"m", "locks", {.acquisitions = 5, .wait_ns = 1500000000}};
	m->r.resource = m->resource;
	m->r.nresource = 1;
	m->r.totals.switches = 100 + n;
	m->r.totals.idle_ns = 2500000000;
	m->r.totals.decisions[DEC_COUNT - 1] = 7;
	m->r.totals.system_ns[SYS_TICK] = 1500;
	m->r.wake_p50 = 1250;
	m->r.digest = 0x00ffee0000000001 + n;
	m->r.window_ns = 9 * NS_PER_SEC;
	m->r.sim_ns = 10 * NS_PER_SEC;
	m->r.wall_ns = 5 + n;
	m->r.cpu_ns = 4;
}

static inline int fixture_setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	snprintf(x->dir, sizeof(x->dir), "/tmp/sibyl-store-XXXXXX");
	if (!mkdtemp(x->dir))
		return -1;
	snprintf(x->path, sizeof(x->path), "%s/t.db", x->dir);
	arena_init(&x->arena);
	*state = x;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	struct fixture *x = *state;
	char command[96];
	int rc;

	arena_free(&x->arena);
	snprintf(command, sizeof(command), "rm -rf %s", x->dir);
	rc = system(command);
	free(x);
	return rc;
}

static inline struct store *must_open(const char *path)
{
	struct failure f = {0};
	struct store *s;

	if (store_open(&s, path, &f))
		fail_msg("%s: %s", f.file, f.what);
	return s;
}

static inline void must_append(struct store *s, u32 n)
{
	struct failure f = {0};
	struct made_run m;

	make_run(&m, n);
	if (store_append(s, &m.spec, &m.r, &f))
		fail_msg("%s: %s", f.file, f.what);
}

static inline s64 number_of(struct store *s, const char *sql)
{
	struct failure f = {0};
	s64 n = -1;

	if (db_get_int(s, sql, &n, &f))
		fail_msg("%s: %s", f.file, f.what);
	return n;
}

/* What is in the file is whole: SQLite's own check, and every run has all its rows. */
static inline void check_whole(struct store *s)
{
	struct arena a;
	sqlite3_stmt *st;
	struct failure f = {0};

	arena_init(&a);
	assert_int_equal(db_prepare(s, "PRAGMA integrity_check", &st, &f), 0);
	assert_int_equal(db_row(s, st, &f), 1);
	assert_string_equal(db_text(st, 0, &a), "ok");
	sqlite3_finalize(st);
	arena_free(&a);
	assert_int_equal(
		number_of(s, "SELECT count(*) FROM run r WHERE "
			     "(SELECT count(*) FROM metric WHERE run = r.id) <> 3 OR "
			     "(SELECT count(*) FROM timing WHERE run = r.id) <> 1 OR "
			     "(SELECT count(*) FROM grp WHERE run = r.id) <> 2 OR "
			     "(SELECT count(*) FROM counter WHERE run = r.id) < 10"),
		0);
}

/* All of the content that must not depend on the order of storing, as text. */
static inline void dump(struct store *s, struct text *out)
{
	static const char *const table[] = {"input",	   "run",      "metric",
					    "grp",	   "counter",  "decision",
					    "system_time", "set_head", "set_cell"};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct failure f = {0};
		sqlite3_stmt *st;
		char sql[64];
		int rc;

		snprintf(sql, sizeof(sql), "SELECT * FROM %s", table[i]);
		assert_int_equal(db_prepare(s, sql, &st, &f), 0);
		text_fmt(out, "%s\n", table[i]);
		while ((rc = db_row(s, st, &f)) == 1) {
			for (int c = 0; c < sqlite3_column_count(st); c++) {
				const void *v = sqlite3_column_blob(st, c);

				if (v)
					text_put(out, v,
						 (size_t)sqlite3_column_bytes(st, c));
				text_char(out, '|');
			}
			text_char(out, '\n');
		}
		assert_int_equal(rc, 0);
		sqlite3_finalize(st);
	}
}

#endif
