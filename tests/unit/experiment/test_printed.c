/*
 * Printed tables: every file of the data folder through CSV, its cells with value and
 * percentage through text, and text as mails have it.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "experiment/printed.h"

#define FOLDER SIBYL_SOURCE_DATA "/experiments/published"

static void same(const char *what, const char *a, const char *b)
{
	if (strcmp(a, b) != 0)
		fail_msg("%s: '%s' became '%s'", what, a, b);
}

static void same_row(const struct printed_row *a, const struct printed_row *b)
{
	same("source", a->source, b->source);
	same("machine", a->machine, b->machine);
	same("workload", a->workload, b->workload);
	same("metric", a->metric, b->metric);
	same("unit", a->unit, b->unit);
	same("higher", a->higher, b->higher);
	same("load", a->load, b->load);
	same("policy", a->policy, b->policy);
	same("baseline", a->baseline, b->baseline);
	same("value", a->value, b->value);
	same("deviation", a->spread, b->spread);
	same("percentage", a->pct, b->pct);
	same("mark", a->mark, b->mark);
}

static void through_csv(struct arena *a, const struct printed_row *row, u32 n)
{
	struct printed_row *back;
	struct text out = {0};
	struct failure f;
	u32 m;

	printed_csv(row, n, &out);
	assert_int_equal(printed_parse(a, "copy", out.s, out.len, &back, &m, &f), 0);
	assert_int_equal(m, n);
	for (u32 i = 0; i < n; i++)
		same_row(&row[i], &back[i]);
	text_free(&out);
}

static bool of_row(const struct printed_cell *c, const struct printed_row *r)
{
	return !strcmp(c->label, r->load) && !strcmp(c->column, r->policy) &&
	       !strcmp(c->value, r->value) && !strcmp(c->pct, r->pct) &&
	       c->star == !strcmp(r->mark, "1");
}

/* Each cell is found once; returns how many there are. */
static u32 through_text(struct arena *a, const struct printed_row *row, u32 n)
{
	struct printed_cell *cell;
	struct text out = {0};
	struct failure f;
	u32 m, both = 0;
	bool *used;

	printed_text(a, row, n, &out);
	assert_int_equal(printed_read(a, out.s ? out.s : "", out.len, &cell, &m, &f), 0);
	used = arena_array(a, bool, m + 1);
	for (u32 i = 0; i < n; i++) {
		u32 at = 0;

		if (!*row[i].value || !*row[i].pct)
			continue;
		both++;
		while (at < m && (used[at] || !of_row(&cell[at], &row[i])))
			at++;
		if (at == m)
			fail_msg("'%s' '%s' %s %s%% is not in the text again",
				 row[i].load, row[i].policy, row[i].value, row[i].pct);
		used[at] = true;
	}
	assert_int_equal(both, m);
	text_free(&out);
	return both;
}

static void every_file(void **state)
{
	DIR *d = opendir(FOLDER);
	u32 files = 0, rows = 0, both = 0;

	(void)state;
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct printed_row *row;
		struct failure f = {0};
		struct arena a;
		u32 n;

		if (!strstr(e->d_name, ".csv"))
			continue;
		arena_init(&a);
		if (printed_load(&a, arena_printf(&a, FOLDER "/%s", e->d_name), &row, &n,
				 &f))
			fail_msg("%s: %s", e->d_name, f.what);
		through_csv(&a, row, n);
		both += through_text(&a, row, n);
		rows += n;
		files++;
		arena_free(&a);
	}
	closedir(d);
	printf("%u files, %u rows, %u of them through text\n", files, rows, both);
	assert_true(files >= 36 && both >= 3736);
}

static void as_mails_have_it(void **state)
{
	static const char mail[] = "On Tuesday somebody wrote:\n"
				   "> \t\t    5.13-rc1  5.13-rc1\n"
				   "> Hmean 64  2278.21 (   0.00%)  1670.67 * -26.67%*\n"
				   "> Hmean 12=\n"
				   "8  10 (   0.00%)  n/a\n"
				   "\n"
				   "Looks good (100% sure), 5 (five) of 7.\n"
				   "Min 8 (75%) 1     3.5 (0.00%)\t-2 (-1e1%)\n";
	struct printed_cell *c;
	struct failure f;
	struct arena a;
	u32 n;

	(void)state;
	arena_init(&a);
	assert_int_equal(printed_read(&a, mail, sizeof(mail) - 1, &c, &n, &f), 0);
	/* "8 (75%)" is a cell to whom there is no header that fits */
	assert_int_equal(n, 6);
	same("label", c[0].label, "Hmean 64");
	same("column", c[0].column, "5.13-rc1");
	same("value", c[1].value, "1670.67");
	same("change", c[1].pct, "-26.67");
	assert_true(c[1].star && !c[0].star);
	same("wrapped label", c[2].label, "Hmean 128");
	same("wrapped value", c[2].value, "10");
	assert_int_equal(c[2].table, c[0].table);
	assert_true(c[3].table > c[2].table);
	same("small", c[5].value, "-2");
	same("small", c[5].pct, "-1e1");
	assert_int_equal(printed_read(&a, "a\0b", 3, &c, &n, &f), -1);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file),
		cmocka_unit_test(as_mails_have_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
