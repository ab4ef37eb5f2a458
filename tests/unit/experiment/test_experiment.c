/* Experiment files: what they hold, the grid that comes of it, what they refuse. */
#include <math.h>

#include "experiment/experiment.h"
#include "fixture.h"

#define HEAD                                                                \
	"source,machine,workload,metric,unit,higher_is_better,load,policy," \
	"baseline_policy,value,stddev_or_blank,pct_delta,significant\n"
#define ROW(metric, unit, load, policy, rest) \
	"s,m,w," metric "," unit ",1," load "," policy ",off," rest "\n"

static const char printed[] = HEAD ROW("rate", "kc/s", "six", "off", "2,5%,,")
	ROW("rate", "kc/s", "six", "\"on, really\"", "3,0.5,,1")
		ROW("rate", "kc/s", "nine", "off", "4,,,")
			ROW("rate", "kc/s", "nine", "\"on, really\"", ",,-7,0")
				ROW("else", "x", "six", "off", "9,,,");

static const char good[] =
	"description: d\n"
	"source: s\n"
	"table: t\n"
	"machine: \"core:2 pu:2\"\n"
	"workload: w\n"
	"metric: cycles_per_s\n"
	"better: higher\n"
	"published: p.csv\n"
	"value: {metric: rate, unit: kc/s, scale: 0.001}\n"
	"columns:\n"
	"  - {name: \"off\", kernel: linux-6.1}\n"
	"  - {name: \"on, really\", kernel: \"linux-6.1:smt=off\", params: {hogs: 3}}\n"
	"  - {name: extra, kernel: linux-6.1}\n"
	"loads:\n"
	"  - {name: six, params: {tasks: 6}}\n"
	"  - {name: nine, params: {tasks: 9}}\n"
	"duration: 300 ms\n"
	"runs: 2\n"
	"full: {runs: 4}\n";

static int find_machine(void *ctx, struct arena *a, const char *name, const char **path,
			struct failure *f)
{
	(void)ctx;
	(void)f;
	*path = arena_strdup(a, name);
	return 0;
}

static int find_workload(void *ctx, struct arena *a, const char *name, const char **path,
			 struct failure *f)
{
	struct fixture *x = ctx;

	*path = arena_printf(a, "%s/%s.yaml", x->dir, name);
	if (access(*path, R_OK))
		return fail_set(f, FAIL_INPUT, NULL, "no workload '%s'", name);
	return 0;
}

static struct experiment_request ask(struct fixture *x)
{
	return (struct experiment_request){.find_machine = find_machine,
					   .find_workload = find_workload,
					   .find_kernel = find_kernel,
					   .ctx = x,
					   .runs = 2,
					   .duration = 300 * NS_PER_MS,
					   .seed = 1};
}

/* The file with `from` replaced by `to`, and more text behind it. */
static int load(struct fixture *x, const char *from, const char *to, const char *more,
		const struct experiment **out)
{
	const char *at = from ? strstr(good, from) : NULL;
	const char *text = good;

	assert_true(!from == !at);
	if (at)
		text = arena_printf(&x->arena, "%.*s%s%s", (int)(at - good), good, to,
				    at + strlen(from));
	put_file(x, "w.yaml", MIXED_TEXT);
	put_file(x, "p.csv", printed);
	return experiment_load(
		&x->arena,
		put_file(x, "e.yaml", arena_printf(&x->arena, "%s%s", text, more)), NULL,
		out, &x->f);
}

static int plan(struct fixture *x, const struct experiment *e, struct grid *g,
		double *scale)
{
	struct experiment_request req = ask(x);

	return experiment_plan(&x->arena, e, &req, g, scale, &x->f);
}

static void holds_what_is_in_it(void **state)
{
	struct fixture *x = *state;
	const struct experiment *e;

	assert_int_equal(load(x, NULL, NULL, "", &e), 0);
	assert_string_equal(e->name, "e");
	assert_int_equal(e->nload, 2);
	assert_int_equal(e->ncolumn, 3);
	assert_int_equal(e->runs, 2);
	assert_int_equal(e->full_runs, 4);
	assert_true(e->duration == 300 * NS_PER_MS && e->full_duration == e->duration);
	/* a deviation in percent; a percentage that is computed; one that is printed */
	assert_float_equal(e->cell[0].stddev, 0.1, 1e-12);
	assert_float_equal(e->cell[0].pct, 0, 0);
	assert_int_equal(e->cell[0].significant, -1);
	assert_float_equal(e->cell[1].pct, 50, 1e-12);
	assert_int_equal(e->cell[1].significant, 1);
	assert_true(isnan(e->cell[4].value));
	assert_float_equal(e->cell[4].pct, -7, 0);
	assert_int_equal(e->cell[4].significant, 0);
	/* a column that was not printed */
	assert_true(isnan(e->cell[2].value) && isnan(e->cell[2].pct));
}

static void grid_of_loads_and_columns(void **state)
{
	struct fixture *x = *state;
	const struct experiment *e;
	struct grid g;
	double scale = 0;

	assert_int_equal(load(x, NULL, NULL, "", &e), 0);
	if (plan(x, e, &g, &scale))
		fail_msg("%s", x->f.what);
	assert_float_equal(scale, 0.001, 0);
	assert_int_equal(g.nspec, 2 * 3 * 2);
	assert_string_equal(g.spec[grid_index(&g, 1, 1, 1)].params, "tasks=9 hogs=3");
	assert_string_equal(g.spec[grid_index(&g, 1, 1, 1)].kernel_name,
			    "linux-6.1:smt=off");
	assert_string_equal(g.spec[grid_index(&g, 0, 2, 0)].params, "tasks=6 hogs=2");
	/* the same runs as compare's: same kernel, parameters and seed */
	assert_true(g.spec[1].seed == grid_seed(1, 1));
	assert_string_equal(g.spec[grid_index(&g, 0, 0, 1)].id,
			    g.spec[grid_index(&g, 0, 2, 1)].id);
}

static void complains(struct fixture *x, const char *from, const char *to,
		      const char *more, u32 line, const char *what)
{
	const struct experiment *e;
	struct grid g;
	double scale = 0;

	memset(&x->f, 0, sizeof(x->f));
	if (!load(x, from, to, more, &e) && !plan(x, e, &g, &scale))
		fail_msg("'%s' is taken", to ? to : more);
	if (!strstr(x->f.what, what) || x->f.line != line)
		fail_msg("%s:%u: %s; expected line %u, '%s'", x->f.file, x->f.line,
			 x->f.what, line, what);
}

static void mistakes(void **state)
{
	struct fixture *x = *state;

	complains(x, "table: t", "tabel: t", "", 3, "'table'");
	complains(x, "runs: 2", "runs: 0", "", 18, "range");
	complains(x, "better: higher", "better: highest", "", 7, "higher");
	complains(x, "better: higher", "better: lower", "", 9, "the other way");
	complains(x, "unit: kc/s", "unit: c/s", "", 9, "is printed");
	complains(x, "metric: rate", "metric: rat", "", 9, "rate");
	complains(x, "scale: 0.001", "scale: 0", "", 9, "above 0");
	complains(x, ", scale: 0.001", "", "", 9, "'scale:'");
	complains(x, "name: six,", "name: sixx,", "", 15, "six");
	complains(x, "name: nine,", "name: six,", "", 16, "twice");
	complains(x, "\"off\"", "\"of\"", "", 11, "off");
	complains(x, "name: extra", "name: \"off\"", "", 13, "twice");
	complains(x, "kernel: linux-6.1}\nloads", "kernel: linux-6.2}\nloads", "", 13,
		  "unknown kernel");
	complains(x, ":smt=off", ":smt=of", "", 12, "smt");
	complains(x, "workload: w", "workload: v", "", 5, "no workload");
	complains(x, "cycles_per_s", "cycles_per_m", "", 6, "cycles_per_s");
	complains(x, "tasks: 9", "tasks: 9999", "", 16, "out of range");
	complains(x, "tasks: 9", "task: 9", "", 16, "tasks");
	complains(x, "hogs: 3", "tasks: 3", "", 12, "loads too");
	complains(x, "p.csv", "q.csv", "", 8, "q.csv");
	complains(x, "p.csv", "/p.csv", "", 8, "relative");
}

#define PRINTED              \
	"published: p.csv\n" \
	"value: {metric: rate, unit: kc/s, scale: 0.001}\n"

/* A question: runs like a table, but no cell is printed and none may be meant. */
static void nothing_is_published(void **state)
{
	struct fixture *x = *state;
	const struct experiment *e;
	struct grid g;
	double scale = 0;

	if (load(x, PRINTED, "", "", &e) || plan(x, e, &g, &scale))
		fail_msg("%s", x->f.what);
	assert_null(e->published);
	assert_string_equal(e->unit, "");
	assert_string_equal(e->printed_metric, "cycles_per_s");
	assert_float_equal(scale, 1, 0);
	assert_int_equal(g.nspec, 2 * 3 * 2);
	for (u32 i = 0; i < e->nload * e->ncolumn; i++)
		assert_true(isnan(e->cell[i].value) && isnan(e->cell[i].pct));
	complains(x, "published: p.csv\n", "", "", 8, "'value' is about printed values");
	complains(x, PRINTED, "", "calibrate: {}\n", 18, "'calibrate' is about");
	complains(x, PRINTED, "", "suspect: []\n", 18, "'suspect' is about");
	complains(x, "value: {metric: rate, unit: kc/s, scale: 0.001}\n", "", "", 1,
		  "'value'");
}

/* A load beside the table says so, and must not be in it. */
static void loads_that_are_not_printed(void **state)
{
	struct fixture *x = *state;
	const struct experiment *e;

	assert_int_equal(load(x, "name: nine,", "name: ten, printed: no,", "", &e), 0);
	assert_true(isnan(e->cell[3].value));
	assert_true(e->load[1].unprinted && !e->load[0].unprinted);
	complains(x, "name: nine,", "name: nine, printed: no,", "", 16,
		  "load 'nine' is printed");
	complains(x, "name: nine,", "name: nine, printed: perhaps,", "", 16, "perhaps");
	complains(x, "name: nine,", "name: ten, printed: yes,", "", 16, "ten");
	complains(x, "name: nine,", "nam: nine,", "", 16, "'name'");
	/* a table without an axis has loads without a text */
	assert_int_equal(load(x, "name: nine,", "name: \"\", printed: no,", "", &e), 0);
	assert_string_equal(e->load[1].name, "");
}

/* Rows of machines and options of recipes are not an experiment's to set. */
static void sets_no_row(void **state)
{
	static const char *const keys[] = {"costs", "idle",    "frequency",
					   "smt",   "options", "tunables",
					   "base",  "profiles"};
	struct fixture *x = *state;

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		complains(x, NULL, NULL,
			  arena_printf(&x->arena, "%s: {switch: 1 us}\n", keys[i]), 20,
			  keys[i]);
}

static void printed_twice(void **state)
{
	static const char twice[] = HEAD ROW("rate", "kc/s", "six", "off", "2,,,")
		ROW("rate", "kc/s", "six", "off", "3,,,");
	struct fixture *x = *state;
	const struct experiment *e;
	const char *path;

	assert_int_equal(load(x, NULL, NULL, "", &e), 0);
	path = arena_printf(&x->arena, "%s/e.yaml", x->dir);
	put_file(x, "p.csv", twice);
	assert_int_equal(experiment_load(&x->arena, path, NULL, &e, &x->f), -1);
	assert_int_equal(x->f.line, 3);
	assert_non_null(strstr(x->f.what, "line 2 already"));
	put_file(x, "p.csv", HEAD ROW("rate", "kc/s", "six", "off", "two,,,"));
	assert_int_equal(experiment_load(&x->arena, path, NULL, &e, &x->f), -1);
	assert_int_equal(x->f.line, 2);
	assert_non_null(strstr(x->f.what, "value 'two'"));
}

#define FIT(column, list) "calibrate: {column: " column ", parameters: [" list "]}\n"
#define HOGS		  "{workload: hogs, range: [1, 4], source: \"estimate: e\"}"
#define SWITCH		  "{machine: costs.switch, range: [1 us, 4 us], source: \"estimate: e\"}"

static void calibration(void **state)
{
	struct fixture *x = *state;
	const struct experiment *e;
	struct grid g;
	double scale = 0;

	/* hogs is set by a column, not by a load: it may be fitted */
	assert_int_equal(load(x, NULL, NULL, FIT("\"off\"", HOGS), &e), 0);
	assert_int_equal(plan(x, e, &g, &scale), 0);
	assert_int_equal(e->nfit, 1);
	assert_true(e->fit[0].lo == 1 && e->fit[0].hi == 4);
	assert_int_equal(load(x, NULL, NULL, FIT("\"off\"", SWITCH), &e), 0);
	assert_int_equal(plan(x, e, &g, &scale), 0);
	complains(x, NULL, NULL, FIT("\"on, really\"", HOGS), 20, "baseline");
	complains(x, NULL, NULL, FIT("\"off\"", HOGS ", " SWITCH), 20, "1 to 1");
	complains(x, NULL, NULL,
		  FIT("\"off\"", "{workload: hogs, range: [1, 4], source: guess}"), 20,
		  "estimate");
	complains(x, NULL, NULL, FIT("\"off\"", "{workload: hogs, range: [1, 4]}"), 20,
		  "source");
	complains(x, NULL, NULL,
		  FIT("\"off\"", "{workload: hogs, range: [4, 1], source: \"estimate: "
				 "e\"}"),
		  20, "empty range");
	complains(x, NULL, NULL,
		  FIT("\"off\"", "{workload: hog, range: [1, 4], source: \"estimate: "
				 "e\"}"),
		  20, "hogs");
	complains(x, NULL, NULL,
		  FIT("\"off\"", "{workload: tasks, range: [1, 4], source: \"estimate: "
				 "e\"}"),
		  20, "set by the loads");
	complains(x, NULL, NULL,
		  FIT("\"off\"", "{machine: smt.a.b, range: [10 %, 40 %], source: "
				 "\"estimate: e\"}"),
		  20, "no row");
	complains(x, NULL, NULL,
		  FIT("\"off\"", "{machine: costs.switch, range: [1, 4], source: "
				 "\"estimate: e\"}"),
		  20, "time");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(holds_what_is_in_it),
		TEST(grid_of_loads_and_columns),
		TEST(mistakes),
		TEST(nothing_is_published),
		TEST(loads_that_are_not_printed),
		TEST(sets_no_row),
		TEST(printed_twice),
		TEST(calibration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
