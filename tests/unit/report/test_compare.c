/*
 * The table: model and renderers on hand-made runs. Figures marked "field" are what the
 * field's own reporter prints for the same samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "report/compare.h"

#define RUNS 3

struct fixture {
	struct arena a;
	struct text out;
	struct compare_report r;
	struct compare_table t;
	struct compare_cell cell[8];
	struct stat_rule rule;
	double band;
	enum stat_row_set rows;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	arena_init(&f->a);
	f->rule.practical = STAT_PRACTICAL;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	text_free(&f->out);
	arena_free(&f->a);
	free(f);
	return 0;
}

/* A report of one load and nk kernels with the first n samples of each. */
static void make(struct fixture *f, const char *const *kernel, u32 nk,
		 const double sample[][RUNS], u32 n, bool higher)
{
	static const char *const load[] = {"64"};

	f->r.req = (struct compare_request){
		.machine = "m",
		.workload = "w",
		.load = load,
		.nload = 1,
		.kernel = kernel,
		.nkernel = nk,
		.runs = RUNS,
		.load_name = "clients",
		.seed = 1,
		.duration = 2 * NS_PER_SEC,
		.rule = f->rule,
		.rows = f->rows,
		.band = {{f->band, f->band > 0 ? "a test" : NULL},
			 {f->band, f->band > 0 ? "a test" : NULL}},
	};
	f->t = (struct compare_table){.metric = "rate",
				      .unit = "ops/s",
				      .higher_better = higher,
				      .cell = f->cell};
	for (u32 k = 0; k < nk; k++) {
		struct compare_cell *c = &f->cell[k];
		struct compare_value *v = arena_array(&f->a, struct compare_value, RUNS);

		for (u32 i = 0; i < RUNS; i++)
			v[i] = (struct compare_value){.id = "0123",
						      .has = i < n,
						      .value = sample[k][i],
						      .seed = i};
		c->value = v;
	}
	compare_fill(&f->a, &f->r.req, &f->t);
	f->r.table = &f->t;
	f->r.ntable = 1;
}

static const char *const two[] = {"5.13.0-vanilla", "5.13.0-idler"};
static const double fall[][RUNS] = {{2200, 2300, 2340}, {1600, 1700, 1715}};

static void rows_are_those_of_the_field(void **state)
{
	struct fixture *f = *state;

	make(f, two, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	/* field: 2278.46, 1670.08 -26.70 starred; 72.11, 62.52 13.30; 3.16, 3.74 -18.24
	 */
	assert_non_null(strstr(f->out.s, "Hmean    64      2278.46 (   0.00%)      "
					 "1670.08 * -26.70%*\n"));
	assert_non_null(strstr(f->out.s, "Stddev   64        72.11 (   0.00%)        "
					 "62.52 (  13.30%)\n"));
	assert_non_null(strstr(f->out.s, "CoeffVar 64         3.16 (   0.00%)         "
					 "3.74 ( -18.24%)\n"));
	assert_non_null(strstr(f->out.s, "n=3 runs"));
	assert_non_null(strstr(f->out.s, "2 s simulated, seed 1"));
}

static void lower_is_better_turns_the_sign(void **state)
{
	static const double slow[][RUNS] = {{10, 11, 12}, {14, 15, 16}};
	struct fixture *f = *state;

	make(f, two, 2, slow, RUNS, false);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "Amean    64        11.00 (   0.00%)        "
					 "15.00 * -36.36%*\n"));
}

static void one_run_has_neither_stars_nor_spread(void **state)
{
	struct fixture *f = *state;

	make(f, two, 2, fall, 1, true);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "1600.00 ( -27.27%)\n"));
	assert_null(strstr(f->out.s, "Stddev"));
	assert_null(strchr(f->out.s, '*'));
	assert_non_null(strstr(f->out.s, "n=1 runs"));
}

static void missing_is_not_zero(void **state)
{
	struct fixture *f = *state;

	make(f, two, 2, fall, RUNS, true);
	for (u32 i = 0; i < RUNS; i++)
		((struct compare_value *)f->cell[1].value)[i].has = false;
	compare_fill(&f->a, &f->r.req, &f->t);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "2278.46 (   0.00%)          n/a\n"));
	assert_null(strstr(f->out.s, "100.00%"));
	assert_non_null(strstr(f->out.s, "n=0 to 3 runs"));
}

/* Lines 1 and 2 of the text. */
static void headers(struct fixture *f, const char *const *kernel, char line[2][128])
{
	const char *s;

	f->out.len = 0;
	make(f, kernel, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	s = f->out.s;
	for (int i = 0; i < 2; i++) {
		size_t n = strcspn(s, "\n");

		assert_true(n < 128);
		memcpy(line[i], s, n);
		line[i][n] = '\0';
		s += n + 1;
	}
}

static void headers_lose_no_letter(void **state)
{
	static const char *const plain[] = {"nodash", "linux-6.1-rc10-foo"};
	static const char *const options[] = {"linux-6.1", "linux-6.1:smt=off,scan=full"};
	struct fixture *f = *state;
	char line[2][128];

	headers(f, plain, line);
	assert_null(strstr(line[0], "nod"));
	assert_non_null(strstr(line[1], " nodash"));
	assert_non_null(strstr(line[0], " linux"));
	assert_non_null(strstr(line[1], " 6.1-rc10-foo"));
	headers(f, options, line);
	assert_non_null(strstr(line[0], "linux-6.1 "));
	assert_non_null(strstr(line[1], " smt=off,scan=full"));
}

static void columns_align_with_utf8(void **state)
{
	static const char *const kernel[] = {"größe-ß", "µs-ü"};
	struct fixture *f = *state;
	char line[2][128];
	u32 width[2] = {0};

	headers(f, kernel, line);
	for (int i = 0; i < 2; i++)
		for (const char *s = line[i]; *s; s++)
			width[i] += ((unsigned char)*s & 0xc0) != 0x80;
	assert_int_equal(width[0], width[1]);
}

static void small_numbers_keep_digits(void **state)
{
	static const double tiny[][RUNS] = {{0.00041, 0.00042, 0.00043},
					    {0.00051, 0.00052, 0.00053}};
	struct fixture *f = *state;

	make(f, two, 2, tiny, RUNS, false);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "0.000420 ("));
}

static void csv_has_a_line_a_replicate(void **state)
{
	static const char *const kernel[] = {"a", "b:x=1,y=2"};
	struct fixture *f = *state;
	u32 lines = 0;

	make(f, kernel, 2, fall, 2, true);
	compare_csv(&f->r, &f->out);
	for (const char *s = f->out.s; *s; s++)
		lines += *s == '\n';
	assert_int_equal(lines, 1 + 2 * RUNS);
	assert_non_null(strstr(f->out.s, "64,a,rate,ops/s,higher,0,0,2200,0123\n"));
	assert_non_null(strstr(f->out.s, "64,\"b:x=1,y=2\",rate,ops/s,higher,2,,n/a,\n"));
}

static void json_has_the_fixed_keys(void **state)
{
	static const char *const keys[] = {
		"cells", "load",   "kernel", "metric",	    "unit",   "better", "n",
		"mean",	 "stddev", "pct",    "significant", "values", "runs"};
	struct fixture *f = *state;

	make(f, two, 2, fall, 2, true);
	compare_json(&f->r, &f->out);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char quoted[32];

		snprintf(quoted, sizeof(quoted), "\"%s\":", keys[i]);
		assert_non_null(strstr(f->out.s, quoted));
	}
	assert_non_null(strstr(f->out.s, "\"values\":[2200,2300,null]"));
}

static void the_eras_of_the_field(void **state)
{
	struct fixture *f = *state;

	f->rows = STAT_ROWS_CLASSIC;
	f->rule.mode = STAT_MMTESTS_2018;
	make(f, two, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "Min       64      2200.00 (   0.00%)      "
					 "1600.00 ( -27.27%)\n"));
	assert_non_null(strstr(f->out.s, "Max       64      2340.00 (   0.00%)      "
					 "1715.00 ( -26.71%)\n"));
	assert_non_null(strstr(f->out.s, "BHmean-99 64      2319.83 (   0.00%)      "
					 "1707.47 ( -26.40%)\n"));
	assert_non_null(strstr(f->out.s, "until November 2024"));
	assert_null(strstr(f->out.s, "Ratio"));
	f->out.len = 0;
	f->rule.mode = STAT_MMTESTS_2025;
	make(f, two, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "Hmean     64      2278.46 (   0.00%)      "
					 "1670.08 * -26.70%*\n"));
	assert_non_null(strstr(f->out.s, "HStddev   64        59.58 (   0.00%)        "
					 "52.05 (  12.63%)\n"));
	assert_non_null(strstr(f->out.s, "HCoeffVar 64         2.61 (   0.00%)         "
					 "3.12 ( -19.19%)\n"));
}

static void the_model_has_a_say(void **state)
{
	struct fixture *f = *state;

	f->band = 0.30; /* the samples are ln(0.733) = -0.31 apart */
	make(f, two, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "* -26.70%*"));
	f->out.len = 0;
	f->band = 0.32;
	make(f, two, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	assert_non_null(strstr(f->out.s, "~ -26.70%~"));
	assert_non_null(strstr(f->out.s, "37.7% (a test)"));
	assert_non_null(strstr(f->out.s, "0 of 1 cell starred"));
}

static void what_decides_is_printed(void **state)
{
	struct fixture *f = *state;

	make(f, two, 2, fall, RUNS, true);
	compare_text(&f->r, 0, &f->out);
	/* 1671.67 / 2280; the interval by the formula, by hand */
	assert_non_null(strstr(f->out.s, "0.733 [0.677, 0.793]\n"));
	assert_non_null(strstr(f->out.s, "1 of 1 cell starred, at most 0.05 expected"));
	assert_non_null(strstr(f->out.s, "minimum detectable change"));
	/* 8900 / sqrt(10400 x 7816.7) */
	assert_non_null(strstr(f->out.s, "correlation of their runs +0.99"));
}

static void metrics_are_found_by_name(void **state)
{
	struct fixture *f = *state;
	struct failure fail;
	u32 table = 7;

	make(f, two, 2, fall, RUNS, true);
	assert_int_equal(compare_metric(&f->r, "rate", &table, &fail), 0);
	assert_int_equal(table, 0);
	assert_int_equal(compare_metric(&f->r, "rade", &table, &fail), -1);
	assert_non_null(strstr(fail.what, "did you mean 'rate'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_are_those_of_the_field, setup,
						teardown),
		cmocka_unit_test_setup_teardown(lower_is_better_turns_the_sign, setup,
						teardown),
		cmocka_unit_test_setup_teardown(one_run_has_neither_stars_nor_spread,
						setup, teardown),
		cmocka_unit_test_setup_teardown(missing_is_not_zero, setup, teardown),
		cmocka_unit_test_setup_teardown(headers_lose_no_letter, setup, teardown),
		cmocka_unit_test_setup_teardown(columns_align_with_utf8, setup, teardown),
		cmocka_unit_test_setup_teardown(small_numbers_keep_digits, setup,
						teardown),
		cmocka_unit_test_setup_teardown(csv_has_a_line_a_replicate, setup,
						teardown),
		cmocka_unit_test_setup_teardown(json_has_the_fixed_keys, setup, teardown),
		cmocka_unit_test_setup_teardown(the_eras_of_the_field, setup, teardown),
		cmocka_unit_test_setup_teardown(the_model_has_a_say, setup, teardown),
		cmocka_unit_test_setup_teardown(what_decides_is_printed, setup, teardown),
		cmocka_unit_test_setup_teardown(metrics_are_found_by_name, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
