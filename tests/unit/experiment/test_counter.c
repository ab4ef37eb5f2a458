/* Counter-experiments on made-up accounts: what goes, what is apart, and who agrees. */
#include <math.h>

#include "fixture.h"

#include "experiment/counter.h"

#define PAIRS 4u

/* A thing takes run + wait + switches ns; the metric is things per second. */
static struct run_result result(struct fixture *x, u64 run, u64 wait, u64 switches)
{
	struct run_result r = {.nmetric = 1};
	struct run_account *a = &r.account;

	r.metric = arena_new(&x->arena, struct run_metric);
	*r.metric = (struct run_metric){
		.name = "things",
		.unit = "/s",
		.higher_better = true,
		.has = true,
		.value = 1e9 / (double)(run + wait + switches),
	};
	a->basis = BASIS_UNITS;
	a->exact = true;
	a->count = 1000;
	a->made.ns[REASON_FULL] = 1000 * run;
	a->made.ns[REASON_WAIT] = 1000 * wait;
	a->made.ns[REASON_SWITCH] = 1000 * switches;
	a->made.sum = 1000 * (run + wait + switches);
	return r;
}

struct trial {
	struct counter_pair plain[PAIRS], frozen[PAIRS];
	struct counter_experiment e;
};

static void build(struct fixture *x, struct trial *t, u32 n)
{
	struct reasons why;

	reasons_build(&x->arena, t->plain[0].r, &why);
	assert_null(why.refusal);
	counter_build(&x->arena, &why, REASON_SWITCH, t->plain, t->frozen, n, &t->e);
}

static double part(const struct trial *t, const char *name)
{
	for (u32 i = 0; i < t->e.npart; i++)
		if (!strcmp(t->e.part[i].name, name))
			return t->e.part[i].share;
	return 0;
}

/* Switches cost 20 ns more a thing, and nothing else differs. */
static void they_agree(void **state)
{
	struct fixture *x = *state;
	struct trial t;

	for (u32 i = 0; i < PAIRS; i++) {
		t.plain[i].r[0] = result(x, 1000, 100, 10 + i);
		t.plain[i].r[1] = result(x, 1000, 100, 30 + i);
		t.frozen[i].r[0] = result(x, 1000, 100, 0);
		t.frozen[i].r[1] = result(x, 1000, 100, 0);
	}
	build(x, &t, PAIRS);
	assert_float_equal(t.e.gone.mean, 1, 1e-9);
	assert_float_equal(t.e.share.mean, 1, 1e-9);
	assert_int_equal(t.e.verdict, COUNTER_AGREE);
	assert_int_equal(t.e.npart, 0);
	build(x, &t, 1);
	assert_true(isnan(t.e.gone.error));
	assert_int_equal(t.e.verdict, COUNTER_AGREE);
}

/* Half of the difference are switches, but without them the wait goes too. */
static void others_go_with_it(void **state)
{
	struct fixture *x = *state;
	double sum = 0;
	struct trial t;

	for (u32 i = 0; i < PAIRS; i++) {
		t.plain[i].r[0] = result(x, 1000, 100, 0);
		t.plain[i].r[1] = result(x, 1000, 300 + i, 200);
		t.frozen[i].r[0] = result(x, 1000, 100, 0);
		t.frozen[i].r[1] = result(x, 1000, 100, 0);
	}
	build(x, &t, PAIRS);
	assert_float_equal(t.e.gone.mean, 1, 1e-9);
	assert_float_equal(t.e.share.mean, 0.5, 0.01);
	assert_int_equal(t.e.verdict, COUNTER_APART);
	assert_float_equal(part(&t, "run_queue"), 0.5, 0.01);
	for (u32 i = 0; i < t.e.npart; i++)
		sum += t.e.part[i].share;
	assert_float_equal(sum, t.e.apart.mean, 0.01);
}

/* All is twice as fast when nothing has to be switched: the ratio stays, the ns do not.
 */
static void pace(void **state)
{
	struct fixture *x = *state;
	struct trial t;

	for (u32 i = 0; i < PAIRS; i++) {
		t.plain[i].r[0] = result(x, 500, 0, 500);
		t.plain[i].r[1] = result(x, 700 + i, 0, 500);
		t.frozen[i].r[0] = result(x, 500, 0, 0);
		t.frozen[i].r[1] = result(x, 600 + i, 0, 0);
	}
	build(x, &t, PAIRS);
	assert_float_equal(t.e.share.mean, 0, 1e-9);
	/* ln(0.6 / 0.5) is ln(1.2 / 1.0) */
	assert_float_equal(t.e.gone.mean, 0, 0.01);
	assert_float_equal(part(&t, "full_speed"), 0.5, 0.01);
	assert_float_equal(part(&t, "pace"), -0.5, 0.01);
	assert_int_equal(t.e.verdict, COUNTER_AGREE);
}

/* Pairs that contradict each other show nothing, and it is said. */
static void noise(void **state)
{
	struct fixture *x = *state;
	struct trial t;

	for (u32 i = 0; i < PAIRS; i++) {
		t.plain[i].r[0] = result(x, 1000, 100, 100);
		t.plain[i].r[1] = result(x, 1000, 150, 150);
		t.frozen[i].r[0] = result(x, 1000, 100, 0);
		t.frozen[i].r[1] = result(x, 1000, i % 2 ? 400 : 20, 0);
	}
	build(x, &t, PAIRS);
	assert_true(t.e.apart.error > 0.5);
	assert_int_equal(t.e.verdict, COUNTER_NOISE);
}

/* The metric that has no value on one side has nothing that could go. */
static void missing(void **state)
{
	struct fixture *x = *state;
	struct counter_pair p = {{result(x, 1000, 0, 0), result(x, 1200, 0, 0)}}, q = p;
	struct counter_value v;

	v = counter_gone(&x->arena, &p, &q, 1);
	assert_float_equal(v.mean, 0, 1e-9);
	q.r[1].metric->has = false;
	v = counter_gone(&x->arena, &p, &q, 1);
	assert_true(isnan(v.mean));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(they_agree), TEST(others_go_with_it), TEST(pace),
		TEST(noise),	  TEST(missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
