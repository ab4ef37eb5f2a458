/*
 * The events of a span, split by what their tasks do: parts add up to their length to the
 * ns, wherever the event begins, and a percentile is split as the events about it are.
 */
#include "fixture.h"

#include <math.h>

#define HEAD                    \
	"description: a test\n" \
	"duration: 400 ms\n"    \
	"warmup: 50 ms\n"       \
	"tasks:\n"

static void run_of(struct fixture *x, const char *text, const char *metric,
		   struct run_result *r)
{
	static const char *kernel[] = {"linux-6.1"};
	const char *file = put_file(x, "w.yaml", text);
	struct grid_request req = request_of(file, kernel, 1, 1);
	const struct run_options opt = {
		.account = true, .account_metric = metric, .check = true};
	char line[1100];
	struct grid g;

	must_plan(x, &req, &g);
	if (!run_execute(&x->arena, &g.spec[0], &opt, r, &x->f))
		return;
	fail_format(&x->f, line, sizeof(line));
	fail_msg("%s", line);
}

/* The mean of the parts is the mean that the metric has; returns the parts. */
static const struct account_row *adds_up(struct fixture *x, const char *tasks)
{
	struct run_result *r = arena_new(&x->arena, struct run_result);
	const char *text = arena_printf(
		&x->arena, "%s%smetrics:\n  m: {span: e, stat: mean, unit: ns}\n", HEAD,
		tasks);
	u64 sum = 0;

	run_of(x, text, "m", r);
	assert_true(r->metric[0].has && r->account.events > 50);
	assert_int_equal(r->account.events, r->account.count);
	for (u32 i = 0; i < REASON_COUNT; i++)
		sum += r->account.event.ns[i];
	assert_int_equal(sum, r->account.event.sum);
	assert_true(fabs((double)sum / (double)r->account.events - r->metric[0].value) <
		    1e-3);
	assert_true(r->account.from <= 0 && r->account.to >= 1);
	return &r->account.event;
}

static void parts_add_up(void **state)
{
	struct fixture *x = *state;
	const struct account_row *e;

	/* ten tasks on four CPUs: system time, SMT, waits */
	e = adds_up(x, "  t:\n    count: 10\n    program:\n      - loop:\n"
		       "          - sleep: {uniform: [100 us, 3 ms]}\n"
		       "          - begin: e\n          - run: {exp: 500 us}\n"
		       "          - end: e\n");
	assert_true(e->ns[REASON_FULL] > 0 && e->ns[REASON_WAIT] > 0);
	assert_int_equal(e->ns[REASON_SLEEP], 0);
	/* from the moment at which it should have been woken */
	e = adds_up(x, "  t:\n    count: 10\n    program:\n      - loop:\n"
		       "          - sleep: {uniform: [100 us, 3 ms]}\n"
		       "          - begin: {span: e, from: due}\n"
		       "          - run: {exp: 500 us}\n          - end: e\n");
	assert_true(e->ns[REASON_WAIT] > 0);
	/* the lateness of a timer, in which the task sleeps, wakes and waits */
	e = adds_up(x, "  t:\n    count: 10\n    program:\n      - loop:\n"
		       "          - run: {exp: 500 us}\n"
		       "          - timer: {period: 1 ms, wake: e}\n");
	assert_true(e->ns[REASON_WAIT] > 0);
	/* what is asked for sleeps in it */
	e = adds_up(x, "  t:\n    count: 10\n    program:\n      - loop:\n"
		       "          - run: {exp: 500 us}\n          - begin: e\n"
		       "          - sleep: 1 ms\n          - end: e\n");
	assert_true(e->ns[REASON_SLEEP] > e->sum / 2);
}

static void from_message(void **state)
{
	struct fixture *x = *state;
	const struct account_row *e =
		adds_up(x, "  s:\n    count: 3\n    program:\n      - loop:\n"
			   "          - sleep: {exp: 300 us}\n"
			   "          - send: {to: c, size: 100 B}\n"
			   "  r:\n    count: 1\n    program:\n      - loop:\n"
			   "          - recv: c\n"
			   "          - begin: {span: e, from: message}\n"
			   "          - run: {exp: 50 us}\n          - end: e\n"
			   "channels:\n  c: {kind: pipe}\n");

	assert_true(e->ns[REASON_FULL] > 0);
}

/* Nine of ten events run for 200 us, the tenth sleeps for 2 ms. */
static void about_the_percentile(void **state)
{
	struct fixture *x = *state;
	static const char text[] =
		HEAD "  t:\n    count: 2\n    program:\n      - loop:\n"
		     "          - loop:\n              times: 9\n              do:\n"
		     "                - begin: e\n                - run: 200 us\n"
		     "                - end: e\n"
		     "          - begin: e\n          - sleep: 2 ms\n"
		     "          - end: e\n"
		     "metrics:\n"
		     "  p50: {span: e, percentile: 50, unit: us}\n"
		     "  p95: {span: e, percentile: 95, unit: us}\n"
		     "  max: {span: e, stat: max, unit: us}\n"
		     "  mean: {span: e, stat: mean, unit: us}\n";
	struct run_result r;
	const struct account_row *e = &r.account.event;

	run_of(x, text, "p50", &r);
	assert_true(e->ns[REASON_SLEEP] == 0 && e->ns[REASON_FULL] > e->sum * 9 / 10);
	assert_true(fabs(r.account.from - 0.25) < 0.01);
	assert_true(fabs(r.account.to - 0.75) < 0.01);
	run_of(x, text, "p95", &r);
	assert_true(e->ns[REASON_SLEEP] > e->sum * 9 / 10);
	assert_true(fabs((double)e->sum / (double)r.account.events / 1e3 -
			 r.metric[1].value) < 0.02 * r.metric[1].value);
	run_of(x, text, "max", &r);
	assert_int_equal(r.account.events, 1);
	assert_true(e->ns[REASON_SLEEP] > e->sum * 9 / 10);
	run_of(x, text, "mean", &r);
	assert_true(e->ns[REASON_SLEEP] > e->sum / 3 && e->ns[REASON_FULL] > e->sum / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(parts_add_up, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(from_message, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(about_the_percentile, fixture_setup,
						fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
