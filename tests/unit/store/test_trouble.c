/*
 * A store in trouble: files that are none, a full disk, programs that are killed while
 * they write, two programs at once.
 */
#include "fixture.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void write_file(const char *path, const void *data, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void expect_refusal(const char *path, enum fail_kind kind, const char *what)
{
	struct failure f = {0};
	struct store *s = (struct store *)&f;

	assert_int_equal(store_open(&s, path, &f), -1);
	assert_null(s);
	if (f.kind != kind || !strstr(f.what, what) || strchr(f.what, '\n'))
		fail_msg("%s: kind %d, '%s', expected kind %d and '%s'", path, f.kind,
			 f.what, kind, what);
}

static void not_a_store(void **state)
{
	struct fixture *x = *state;
	char junk[8192], path[128];
	struct store *s;

	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)(i * 197 + 13);
	write_file(x->path, junk, sizeof(junk));
	expect_refusal(x->path, FAIL_INPUT, "not a database");
	write_file(x->path, "hello\n", 6);
	expect_refusal(x->path, FAIL_INPUT, "not a database");
	snprintf(path, sizeof(path), "%s/no/such/t.db", x->dir);
	expect_refusal(path, FAIL_IO, "cannot open");
	expect_refusal(x->dir, FAIL_IO, "cannot open");
	expect_refusal("", FAIL_INPUT, "empty");
	/* an empty file is a fresh store */
	write_file(x->path, "", 0);
	s = must_open(x->path);
	must_append(s, 1);
	store_close(s);
}

static void another_program(void **state)
{
	struct fixture *x = *state;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(x->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE run(id)", NULL, NULL, NULL), 0);
	sqlite3_close(db);
	expect_refusal(x->path, FAIL_INPUT, "another program");
}

static void later_schema(void **state)
{
	struct fixture *x = *state;
	struct failure f = {0};
	struct store *s = must_open(x->path);
	char sql[64];

	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", STORE_VERSION + 1);
	assert_int_equal(db_exec(s, sql, "test", &f), 0);
	store_close(s);
	expect_refusal(x->path, FAIL_INPUT, "later");
}

static void truncated(void **state)
{
	struct fixture *x = *state;
	struct failure f = {0};
	struct store *s = must_open(x->path);
	struct made_run m;
	u32 refused = 0;

	for (u32 i = 0; i < 30; i++)
		must_append(s, i);
	store_close(s);
	assert_int_equal(truncate(x->path, 4096 * 2 + 100), 0);
	/* the first page is fine, so it may open; then nothing may crash or be believed
	 */
	if (store_open(&s, x->path, &f)) {
		assert_int_equal(f.kind, FAIL_INPUT);
		return;
	}
	for (u32 i = 0; i < 30; i++) {
		struct stored_run got;

		make_run(&m, i);
		refused += store_load(s, &x->arena, m.spec.id, &got, &f) != 0;
	}
	assert_int_equal(refused, 30);
	make_run(&m, 99);
	assert_int_equal(store_append(s, &m.spec, &m.r, &f), -1);
	assert_int_equal(f.kind, FAIL_INPUT);
	assert_non_null(strstr(f.what, "damaged"));
	store_close(s);
}

static void disk_full(void **state)
{
	struct fixture *x = *state;
	struct failure f = {0};
	struct store *s = must_open(x->path);
	struct made_run m;
	char sql[64];
	u32 n = 0;

	must_append(s, 1000);
	/* SQLite's own limit gives the same answer as a full disk */
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %lld",
		 (long long)number_of(s, "PRAGMA page_count") + 20);
	number_of(s, sql);
	do
		make_run(&m, n++);
	while (n < 1000 && !store_append(s, &m.spec, &m.r, &f));
	assert_true(n > 1 && n < 1000);
	assert_int_equal(f.kind, FAIL_IO);
	assert_non_null(strstr(f.what, "disk is full"));
	assert_string_equal(f.file, x->path);
	/* what was there is there, what failed is not, and room makes it go on */
	check_whole(s);
	assert_int_equal(number_of(s, "SELECT count(*) FROM run"), n);
	assert_false(store_has(s, m.spec.id));
	number_of(s, "PRAGMA max_page_count = 100000");
	must_append(s, n - 1);
	assert_true(store_has(s, m.spec.id));
	store_close(s);
}

static void read_only(void **state)
{
	struct fixture *x = *state;
	struct failure f = {0};
	struct stored_run got;
	struct store *s = must_open(x->path);
	struct made_run m;

	must_append(s, 1);
	make_run(&m, 2);
	/* tests may run as root, whom permissions do not stop */
	assert_int_equal(db_exec(s, "PRAGMA query_only = ON", "test", &f), 0);
	assert_int_equal(store_append(s, &m.spec, &m.r, &f), -1);
	assert_int_equal(f.kind, FAIL_IO);
	assert_non_null(strstr(f.what, "read-only"));
	assert_int_equal(store_load(s, &x->arena, "last", &got, &f), 0);
	store_close(s);
}

/* Never returns: stores runs first, first + 1, ... until it is killed. */
static void append_until_killed(const char *path, u32 first)
{
	struct failure f;
	struct store *s;
	struct made_run m;

	if (store_open(&s, path, &f))
		_exit(1);
	for (u32 i = first;; i++) {
		make_run(&m, i);
		if (store_append(s, &m.spec, &m.r, &f))
			_exit(2);
	}
}

static void nap_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static void killed_at_any_moment(void **state)
{
	struct fixture *x = *state;
	struct store *s;
	s64 before = 0, n;

	/*
	 * From the creation of the file on, a little later each time; a slow machine gets
	 * more time until there is something to lose.
	 */
	for (u32 round = 0; round < 25 || (!before && round < 38); round++) {
		long ms = round < 25 ? round * 3 / 2 + 1 : 1l << (round - 25);
		pid_t pid = fork();
		int status;

		if (!pid)
			append_until_killed(x->path, round * 100000);
		nap_ms(ms);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		s = must_open(x->path);
		check_whole(s);
		n = number_of(s, "SELECT count(*) FROM run");
		assert_true(n >= before);
		before = n;
		store_close(s);
	}
	assert_true(before > 0);
}

/* The worst moment: half of a transaction is in the file already. */
static void killed_inside_a_transaction(void **state)
{
	struct fixture *x = *state;
	struct store *s = must_open(x->path);
	struct text before = {0}, after = {0};
	struct stat st;
	char journal[128];
	int status;
	pid_t pid;

	for (u32 i = 0; i < 10; i++)
		must_append(s, i);
	dump(s, &before);
	store_close(s);
	pid = fork();
	if (!pid) {
		struct failure f;

		/* a cache of one page makes SQLite write before it commits */
		if (store_open(&s, x->path, &f) ||
		    db_exec(s,
			    "PRAGMA cache_size = 1; BEGIN IMMEDIATE;"
			    "UPDATE counter SET value = value + 1;"
			    "DELETE FROM metric; UPDATE run SET json = 'x'",
			    "test", &f))
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	snprintf(journal, sizeof(journal), "%s-journal", x->path);
	assert_int_equal(stat(journal, &st), 0);
	assert_true(st.st_size > 0);
	s = must_open(x->path);
	check_whole(s);
	dump(s, &after);
	assert_string_equal(before.s, after.s);
	must_append(s, 50);
	store_close(s);
	text_free(&before);
	text_free(&after);
}

#define WRITERS 3
#define EACH	40

/* Several programs create the file and store the same and different runs at once. */
static void programs_at_once(void **state)
{
	struct fixture *x = *state;
	pid_t pid[WRITERS];
	struct store *s;

	for (u32 w = 0; w < WRITERS; w++) {
		pid[w] = fork();
		if (pid[w])
			continue;
		/* neighbours share half of their runs */
		struct failure f = {0};
		struct made_run m;

		if (store_open(&s, x->path, &f))
			_exit(1);
		for (u32 i = 0; i < EACH; i++) {
			make_run(&m, w * EACH / 2 + i);
			if (store_append(s, &m.spec, &m.r, &f))
				_exit(2);
		}
		store_close(s);
		_exit(0);
	}
	for (u32 w = 0; w < WRITERS; w++) {
		int status;

		assert_int_equal(waitpid(pid[w], &status, 0), pid[w]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	s = must_open(x->path);
	check_whole(s);
	assert_int_equal(number_of(s, "SELECT count(*) FROM run"),
			 EACH + (WRITERS - 1) * EACH / 2);
	store_close(s);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(not_a_store),
		CASE(another_program),
		CASE(later_schema),
		CASE(truncated),
		CASE(disk_full),
		CASE(read_only),
		CASE(killed_at_any_moment),
		CASE(killed_inside_a_transaction),
		CASE(programs_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
