/* Whole runs: repeatability, the window, observers that change nothing, early ends. */
#include "fixture.h"

#include "base/yaml.h"

static const char *kernel[] = {"linux-6.1"};

static struct run_spec *spec_of(struct fixture *x, const char *text, u64 seed)
{
	struct grid_request req = request_of(put_file(x, "w.yaml", text), kernel, 1, 1);
	struct grid g;

	req.seed = seed;
	must_plan(x, &req, &g);
	return &g.spec[0];
}

static void must_run(struct fixture *x, const struct run_spec *spec,
		     const struct run_options *opt, struct run_result *out)
{
	char line[1100];

	if (!run_execute(&x->arena, spec, opt, out, &x->f))
		return;
	fail_format(&x->f, line, sizeof(line));
	fail_msg("%s", line);
}

/* The document without the times of this process: what must repeat. */
static char *document(struct fixture *x, const struct run_spec *spec,
		      const struct run_result *r)
{
	struct text t = {0};
	char *s;

	run_json(spec, r, false, &t);
	s = arena_strdup(&x->arena, t.s);
	text_free(&t);
	return s;
}

static void repeatable(void **state)
{
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, MIXED_TEXT, 1);
	const struct run_options check = {.check = true};
	struct run_result a, b, c;

	must_run(x, spec, NULL, &a);
	must_run(x, spec, NULL, &b);
	assert_string_equal(document(x, spec, &a), document(x, spec, &b));
	/* recounting changes nothing */
	must_run(x, spec, &check, &b);
	assert_string_equal(document(x, spec, &a), document(x, spec, &b));
	spec = spec_of(x, MIXED_TEXT, 2);
	must_run(x, spec, NULL, &c);
	assert_true(c.digest != a.digest);
}

static void window(void **state)
{
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, MIXED_TEXT, 1);
	struct run_result r;
	u64 groups = 0;

	must_run(x, spec, NULL, &r);
	assert_true(r.sim_ns == 400 * NS_PER_MS);
	assert_true(r.window_ns == 300 * NS_PER_MS);
	/* every CPU is idle or busy at any moment of the window */
	assert_true(r.totals.idle_ns + r.totals.busy_ns == 4 * r.window_ns);
	assert_true(r.totals.busy_ns > 0);
	assert_true(r.totals.switches > 100 && r.totals.wakeups > 100);
	assert_true(r.wake_n > 100);
	assert_true(r.wake_p50 <= r.wake_p95 && r.wake_p95 <= r.wake_p99 &&
		    r.wake_p99 <= r.wake_max);
	assert_int_equal(r.nmetric, 1);
	assert_true(r.metric[0].has && r.metric[0].value > 0);
	assert_int_equal(r.ngroup, 2);
	assert_string_equal(r.group[0].name, "rs");
	for (u32 i = 0; i < r.ngroup; i++)
		groups += r.group[i].cpu_ns;
	assert_true(groups > 0 && groups <= r.totals.busy_ns);
}

/*
 * 2 hogs of a group may use 50 ms in 100 ms, from the first ms on; the window begins at
 * 300 ms, and has 4 periods. What each period's end finds throttled is what both wait for
 * in the state `throttled`: one on a CPU each, nothing else is throttled.
 */
static void limited(void **state)
{
	static const char text[] =
		"duration: 700 ms\nwarmup: 300 ms\n"
		"cgroups:\n"
		"  web: {max: {quota: 50 ms}}\n"
		"  in: {parent: web, max: {quota: 1 s}}\n"
		"tasks: {hog: {count: 2, cgroup: in, program: [run: forever]}}\n"
		"metrics:\n"
		"  periods: {cgroup: web, stat: periods}\n"
		"  hit: {cgroup: web, stat: throttled-periods}\n"
		"  share: {cgroup: web, stat: throttled-share, unit: '%'}\n"
		"  times: {cgroup: web, stat: throttles}\n"
		"  time: {cgroup: web, stat: throttled, unit: ms}\n"
		"  used: {cgroup: web, stat: used, unit: ms}\n"
		"  bursts: {cgroup: web, stat: bursts}\n"
		"  inner: {cgroup: in, stat: throttled-periods}\n";
	struct fixture *x = *state;
	const struct run_options opt = {.account = true};
	struct run_spec *spec = spec_of(x, text, 1);
	struct resource_number n[LIMIT_NUMBERS];
	struct run_result r;
	const struct run_limit *l;

	must_run(x, spec, &opt, &r);
	assert_int_equal(r.nlimit, 2);
	l = &r.limit[0];
	assert_string_equal(l->name, "web");
	assert_int_equal(l->stats.periods, 4);
	assert_int_equal(l->stats.throttled_periods, 4);
	assert_true(l->stats.throttles >= 8 && l->stats.bursts == 0);
	/* 4 quotas, and what a tick on each of two CPUs may overdraw */
	assert_in_range(l->stats.used_ns, 192 * NS_PER_MS, 208 * NS_PER_MS);
	assert_true(l->stats.used_ns == r.group[0].cpu_ns);
	assert_true(r.account.group[1].ns[REASON_THROTTLED] == l->stats.throttled_ns);
	assert_true(r.totals.throttled_ns == l->stats.throttled_ns);
	assert_int_equal(r.limit[1].stats.throttles, 0);
	for (u32 i = 0; i < r.nmetric; i++)
		assert_true(r.metric[i].has);
	assert_int_equal((int)r.metric[0].value, 4);
	assert_int_equal((int)r.metric[1].value, 4);
	assert_int_equal((int)r.metric[2].value, 100);
	assert_string_equal(r.metric[2].unit, "%");
	assert_int_equal((u64)r.metric[3].value, l->stats.throttles);
	assert_int_equal((u64)(r.metric[4].value * 1e6 + 0.5), l->stats.throttled_ns);
	assert_int_equal((u64)(r.metric[5].value * 1e6 + 0.5), l->stats.used_ns);
	assert_true(r.metric[5].higher_better && !r.metric[4].higher_better);
	assert_int_equal((int)r.metric[7].value, 0);
	run_limit_numbers(l, n);
	assert_string_equal(n[6].name, "throttled_s");
	assert_int_equal(n[6].value, l->stats.throttled_ns);
	assert_non_null(strstr(document(x, spec, &r),
			       "\"cgroups\":[{\"name\":\"web\",\"quota_s\":0.05"));
}

static u32 count_lines(const char *text, const char *what)
{
	u32 n = 0;

	for (const char *p = strstr(text, what); p; p = strstr(p + 1, what))
		n++;
	return n;
}

static void traced(void **state)
{
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, MIXED_TEXT, 1);
	struct run_options opt = {0};
	struct run_result plain, r;
	char *text = NULL;
	size_t len = 0;

	must_run(x, spec, NULL, &plain);
	opt.ftrace = open_memstream(&text, &len);
	must_run(x, spec, &opt, &r);
	assert_int_equal(fclose(opt.ftrace), 0);
	assert_string_equal(document(x, spec, &plain), document(x, spec, &r));
	/* the trace holds the whole run, the counters its window */
	assert_true(count_lines(text, " sched_switch: ") >= r.totals.switches);
	assert_true(count_lines(text, " sched_wakeup: ") > 100);
	assert_non_null(strstr(text, "rs0:"));
	assert_non_null(strstr(text, " ==> swapper/"));
	free(text);
}

static void trace_disk_full(void **state)
{
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, MIXED_TEXT, 1);
	struct run_options opt = {.ftrace = fopen("/dev/full", "w")};
	struct run_result r;

	assert_non_null(opt.ftrace);
	assert_int_equal(run_execute(&x->arena, spec, &opt, &r, &x->f), -1);
	assert_int_equal(x->f.kind, FAIL_IO);
	fclose(opt.ftrace);
}

static void stopped(void **state)
{
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, MIXED_TEXT, 1);
	const int stop = 1;
	const struct run_options one = {.stop = &stop}, two = {.halt = &stop};
	struct run_result r;

	/* long enough to be asked for many times */
	spec->duration = 100 * NS_PER_SEC;
	assert_int_equal(run_execute(&x->arena, spec, &one, &r, &x->f), -1);
	assert_int_equal(x->f.kind, FAIL_INTERRUPTED);
	assert_int_equal(run_execute(&x->arena, spec, &two, &r, &x->f), -1);
	assert_int_equal(x->f.kind, FAIL_INTERRUPTED);
}

static void fixed_work(void **state)
{
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, FIXED_TEXT, 1);
	struct run_result r;

	must_run(x, spec, NULL, &r);
	/* 20 x (1 ms of work on average + 1 ms of sleep): about 40 ms, far from the cap
	 */
	assert_true(r.sim_ns > 25 * NS_PER_MS && r.sim_ns < 100 * NS_PER_MS);
	assert_true(r.window_ns == r.sim_ns);
	assert_true(r.metric[0].has);
	assert_true(r.metric[0].value > 0.025 && r.metric[0].value < 0.1);
	assert_true(r.totals.idle_ns + r.totals.busy_ns == 4 * r.sim_ns);
	/* a cap that comes first leaves the metric missing */
	spec->duration = 10 * NS_PER_MS;
	must_run(x, spec, NULL, &r);
	assert_true(r.sim_ns == 10 * NS_PER_MS);
	assert_false(r.metric[0].has);
}

static void json(void **state)
{
	static const char *const keys[] = {
		"id",	       "version",   "machine",
		"kernel",      "workload",  "params",
		"seed",	       "window_s",  "sim_s",
		"metrics",     "groups",    "switches",
		"migrations",  "wakeups",   "wake_us",
		"idle_s",      "system_s",  "forced_idle_s",
		"same_core_s", "decisions", "cross_cookie_leak_s",
		"digest",      "events",    "cross_cookie_pending_s",
		"wall_s",      "cpu_s",
	};
	struct fixture *x = *state;
	struct run_spec *spec = spec_of(x, MIXED_TEXT, 1);
	const struct ynode *doc, *n;
	struct run_result r;
	struct text t = {0};

	must_run(x, spec, NULL, &r);
	spec->machine_name = "a \"quoted\\\" name";
	r.metric[0].has = false;
	run_json(spec, &r, true, &t);
	assert_null(strchr(t.s, '\n'));
	/* JSON is YAML, and the reader refuses what is not well formed */
	assert_int_equal(yaml_load_text(&x->arena, "json", t.s, t.len, &doc, &x->f), 0);
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (!y_get(doc, keys[i]))
			fail_msg("no key %s", keys[i]);
	assert_string_equal(y_get(doc, "machine")->text, spec->machine_name);
	assert_string_equal(y_get(doc, "window_s")->text, "0.3");
	assert_int_equal(strlen(y_get(doc, "digest")->text), 16);
	assert_string_equal(y_get(y_get(doc, "metrics"), "cycles_per_s")->text, "null");
	n = y_get(doc, "groups");
	assert_int_equal(n->kind, Y_SEQ);
	assert_string_equal(y_get(n->first, "name")->text, "rs");
	assert_non_null(y_get(n->first, "cpu_s"));
	n = y_get(doc, "wake_us");
	assert_true(y_get(n, "p50") && y_get(n, "p95") && y_get(n, "p99") &&
		    y_get(n, "max"));
	assert_int_equal(y_get(doc, "decisions")->n, DEC_COUNT);
	assert_int_equal(y_get(doc, "system_s")->n, SYS_CAUSES);
	text_free(&t);
}

struct collected {
	struct fixture *x;
	struct text all;
};

static int collect(void *ctx, const struct run_spec *spec, const struct run_result *r,
		   struct failure *f)
{
	struct collected *c = ctx;

	(void)f;
	run_json(spec, r, false, &c->all);
	text_char(&c->all, '\n');
	return 0;
}

/* The same documents in the same order for any number of workers. */
static void any_number_of_workers(void **state)
{
	struct fixture *x = *state;
	const char *tasks[] = {"3", "9"};
	const char *two[] = {"linux-6.1", "linux-6.1:smt=off"};
	const struct axis axis = {"tasks", tasks, 2};
	struct grid_request req =
		request_of(put_file(x, "w.yaml", MIXED_TEXT), two, 2, 3);
	struct collected one = {.x = x}, many = {.x = x};
	struct grid_hooks hooks = {.ctx = &one, .done = collect};
	struct grid g;

	req.axis = &axis;
	req.naxis = 1;
	must_plan(x, &req, &g);
	assert_int_equal(grid_run(&g, 1, NULL, &hooks, &x->f), 0);
	hooks.ctx = &many;
	assert_int_equal(grid_run(&g, 5, NULL, &hooks, &x->f), 0);
	assert_int_equal(count_lines(one.all.s, "\n"), 12);
	assert_string_equal(one.all.s, many.all.s);
	text_free(&one.all);
	text_free(&many.all);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(repeatable), CASE(window),
		CASE(traced),	  CASE(trace_disk_full),
		CASE(stopped),	  CASE(fixed_work),
		CASE(json),	  CASE(any_number_of_workers),
		CASE(limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
