/* Scores of tables that are small enough to work out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "experiment/score.h"

static void near(double got, double want)
{
	if (!(fabs(got - want) < 1e-9))
		fail_msg("got %.9f, expected %.9f", got, want);
}

/* predicted, published, naive, significant */
#define CELL(p, q, n, s)                                                             \
	{                                                                            \
		.predicted = (p), .published = (q), .naive = (n), .significant = (s) \
	}

static struct score_cell mixed[] = {CELL(0.10, 0.20, 0, true), CELL(0.05, -0.10, 0, true),
				    CELL(-0.30, -0.40, 0, true),
				    CELL(0.01, 0.00, 0, false)};
static struct score_cell falls[] = {CELL(-0.10, -0.20, -0.2, true),
				    CELL(-0.20, -0.21, -0.2, true),
				    CELL(-0.90, -0.22, -0.2, true)};
static const struct score_table tables[] = {
	{.name = "mixed", .kind = "rate", .cell = mixed, .n = 4, .residual = 0.03},
	{.name = "falls", .kind = "time", .cell = falls, .n = 3, .residual = 0.04}};

static void measures(void **state)
{
	struct score s;

	(void)state;
	score_of(&tables[0], 1, SCORE_PREDICTED, &s);
	assert_int_equal(s.cells, 4);
	assert_int_equal(s.significant, 3);
	assert_int_equal(s.gains, 1);
	assert_int_equal(s.gain_hits, 1);
	assert_int_equal(s.losses, 2);
	assert_int_equal(s.loss_hits, 1);
	near(s.sign, 2 / 3.0);
	near(s.balanced, (1 + 0.5) / 2);
	/* errors 0.01 0.1 0.1 0.15; of null 0 0.1 0.2 0.4 */
	near(s.median, 0.1);
	near(s.p90, 0.1 + 0.7 * 0.05);
	near(s.skill, 1 - 0.1 / 0.15);
	near(s.residual, 0.03);
	/* ranks 4 3 1 2 against 4 2 1 3: 1 - 6 * 2 / 60 */
	near(s.spearman, 0.8);
}

static void models_that_know_nothing(void **state)
{
	struct score s;

	(void)state;
	score_of(&tables[0], 1, SCORE_NULL, &s);
	near(s.sign, 0);
	near(s.skill, 0);
	assert_true(isnan(s.spearman));
	/* the shortest three are -0.1 0 0.2; errors of their centre 0.05 0.15 0.15 0.45
	 */
	score_of(&tables[0], 1, SCORE_CONSTANT, &s);
	near(s.median, 0.15);
	score_of(&tables[0], 1, SCORE_SIGN, &s);
	near(s.sign, 2 / 3.0);
	near(s.balanced, 0.5);
	assert_true(isnan(s.median));
	score_of(&tables[1], 1, SCORE_NAIVE, &s);
	near(s.sign, 1);
	assert_true(isnan(s.balanced));
	near(s.median, 0.01);
}

static void what_a_table_proves(void **state)
{
	(void)state;
	/* as many signs as always worse; a smaller error than the constant's */
	assert_int_equal(score_proves(&tables[0]), SCORE_PROVES_SIZE);
	assert_int_equal(score_proves(&tables[1]), SCORE_PROVES_NOTHING);
	mixed[1].predicted = -0.09;
	assert_int_equal(score_proves(&tables[0]), SCORE_PROVES_BOTH);
	mixed[1].predicted = 0.05;
}

static void totals(void **state)
{
	struct score_intervals a, b;
	struct score s;

	(void)state;
	score_of(tables, 2, SCORE_PREDICTED, &s);
	assert_int_equal(s.cells, 7);
	near(s.sign, 5 / 6.0);
	near(s.balanced, (1 + 0.8) / 2);
	near(s.residual, sqrt((0.03 * 0.03 + 0.04 * 0.04) / 2));
	score_resample(tables, 2, &a);
	score_resample(tables, 2, &b);
	assert_memory_equal(&a, &b, sizeof(a));
	/* twice the one or twice the other is among the draws */
	near(a.sign.lo, 2 / 3.0);
	near(a.sign.hi, 1);
	score_resample(tables, 1, &a);
	assert_true(isnan(a.sign.lo) && isnan(a.sign.hi));
}

static void bands(void **state)
{
	struct score_table many[5];
	bool of_kind;
	u32 used;

	(void)state;
	/* errors of `falls` 0.01 0.1 0.68; leave out itself */
	near(score_band(tables, 2, "rate", "mixed", &used, &of_kind),
	     0.1 + 0.8 * (0.68 - 0.1));
	assert_int_equal(used, 1);
	assert_false(of_kind);
	assert_true(isnan(score_band(tables, 1, "rate", "mixed", &used, &of_kind)));
	assert_int_equal(used, 0);
	for (u32 i = 0; i < 5; i++) {
		many[i] = tables[i == 4];
		many[i].name = (const char *[]){"a", "b", "c", "d", "e"}[i];
	}
	/* three others of its kind: the kind it is */
	score_band(many, 5, "rate", "a", &used, &of_kind);
	assert_true(of_kind);
	assert_int_equal(used, 3);
	score_band(many, 5, "rate", NULL, &used, &of_kind);
	assert_int_equal(used, 4);
	score_band(many, 5, "time", NULL, &used, &of_kind);
	assert_false(of_kind);
	assert_int_equal(used, 5);
}

static void published(void **state)
{
	const struct published_cell base = {100, 3, 0, -1}, up = {110, 4, NAN, -1};
	const struct published_cell pct = {NAN, NAN, 25, -1}, no_sd = {101, NAN, 1, -1};
	const struct published_cell marked = {101, 4, 1, 1}, bare = {101, 4, 90, 0};
	const struct published_cell over = {NAN, NAN, 120, -1};

	(void)state;
	near(score_published(&base, &up, true), log(1.1));
	near(score_published(&base, &up, false), -log(1.1));
	near(score_published(&base, &pct, true), log(1.25));
	/* 25 % less time */
	near(score_published(&base, &pct, false), -log(0.75));
	assert_true(isnan(score_published(&base, &over, false)));
	/* 10 apart with deviations of 3 and 4: beyond 5 */
	assert_true(score_significant(&base, &up));
	assert_false(score_significant(&base, &no_sd));
	assert_true(score_significant(&base, &pct));
	/* what the author marked goes before all */
	assert_true(score_significant(&base, &marked));
	assert_false(score_significant(&base, &bare));
}

static void capacity(void **state)
{
	struct machine_cpu cpu[8] = {0};
	struct smt_row row = {.self = "a", .other = "a", .keep = 3ull << 30};
	struct machine m = {.ncpu = 8, .ncore = 4, .cpu = cpu, .smt = &row, .nsmt = 1};

	(void)state;
	for (u32 i = 0; i < 8; i++)
		cpu[i].online = true;
	/* a sibling leaves 3/4: the second thread of a core adds 1/2 */
	near(score_capacity(&m, true, 3), 3);
	near(score_capacity(&m, true, 4), 4);
	near(score_capacity(&m, true, 5), 4.5);
	near(score_capacity(&m, true, 8), 6);
	near(score_capacity(&m, true, 800), 6);
	near(score_capacity(&m, false, 800), 4);
	m.nsmt = 0;
	near(score_capacity(&m, true, 8), 8);
}

static void scored_cells_are_read(void **state)
{
	const struct score_table *t;
	char path[] = "/tmp/sibyl-score.XXXXXX";
	int fd = mkstemp(path);
	struct failure f;
	struct arena a;
	u32 n;

	(void)state;
	assert_true(fd >= 0);
	assert_true(
		dprintf(fd,
			"experiment,kind,load,column,predicted_ln,published_ln\n"
			"a,rate,1,x,0.5,0.25\n\"a\",rate,2,x,,0.25\nb,time,1,y,0,0\n") >
		0);
	close(fd);
	arena_init(&a);
	assert_int_equal(score_read(&a, path, &t, &n, &f), 0);
	assert_int_equal(n, 2);
	assert_int_equal(t[0].n, 2);
	near(t[0].cell[0].predicted, 0.5);
	assert_true(isnan(t[0].cell[1].predicted));
	assert_string_equal(t[1].kind, "time");
	unlink(path);
	assert_int_equal(score_read(&a, path, &t, &n, &f), 0);
	assert_int_equal(n, 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measures),
		cmocka_unit_test(models_that_know_nothing),
		cmocka_unit_test(what_a_table_proves),
		cmocka_unit_test(totals),
		cmocka_unit_test(bands),
		cmocka_unit_test(published),
		cmocka_unit_test(capacity),
		cmocka_unit_test(scored_cells_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
