/* Planning: order, labels, seeds, identities; what is refused before anything runs. */
#include "fixture.h"

static const char *kernels[] = {"linux-6.1", "linux-6.1:smt=off"};

static void order_and_seeds(void **state)
{
	struct fixture *x = *state;
	const char *tasks[] = {"4", "8", "16"}, *hogs[] = {"0", "2"};
	const struct axis axis[] = {{"tasks", tasks, 3}, {"hogs", hogs, 2}};
	struct grid_request req =
		request_of(put_file(x, "w.yaml", MIXED_TEXT), kernels, 2, 4);
	struct grid g;

	req.axis = axis;
	req.naxis = 2;
	must_plan(x, &req, &g);
	assert_int_equal(g.nload, 6);
	assert_int_equal(g.nkernel, 2);
	assert_int_equal(g.nspec, 48);
	assert_string_equal(g.load[0].label, "tasks=4 hogs=0");
	assert_string_equal(g.load[1].label, "tasks=4 hogs=2");
	assert_string_equal(g.load[5].label, "tasks=16 hogs=2");
	assert_string_equal(g.axis_name, "");
	for (u32 l = 0; l < 6; l++) {
		for (u32 k = 0; k < 2; k++) {
			for (u32 r = 0; r < 4; r++) {
				const struct run_spec *s =
					&g.spec[grid_index(&g, l, k, r)];

				assert_string_equal(s->kernel_name, kernels[k]);
				assert_ptr_equal(s->plan, g.load[l].plan);
				assert_int_equal(s->replicate, r);
				/* common random numbers */
				assert_true(s->seed == g.spec[r].seed);
				assert_true(s->seed == grid_seed(1, r));
			}
		}
	}
	for (u32 i = 0; i < g.nspec; i++)
		for (u32 j = 0; j < i; j++)
			assert_string_not_equal(g.spec[i].id, g.spec[j].id);
}

static void labels(void **state)
{
	struct fixture *x = *state;
	const char *tasks[] = {"4", "8"};
	const struct axis axis = {"tasks", tasks, 2};
	struct grid_request req =
		request_of(put_file(x, "w.yaml", MIXED_TEXT), kernels, 1, 1);
	struct grid g;

	must_plan(x, &req, &g);
	assert_int_equal(g.nload, 1);
	assert_string_equal(g.load[0].label, "");
	req.axis = &axis;
	req.naxis = 1;
	must_plan(x, &req, &g);
	assert_string_equal(g.load[1].label, "8");
	assert_string_equal(g.axis_name, "tasks");
	assert_non_null(strstr(g.spec[1].params, "tasks=8"));
	assert_non_null(strstr(g.spec[1].params, "hogs=2"));
}

static void seeds(void **state)
{
	(void)state;
	for (u32 i = 0; i < 200; i++) {
		assert_true(grid_seed(1, i) < 1ull << 53);
		assert_true(grid_seed(1, i) != grid_seed(2, i));
		for (u32 j = 0; j < i; j++)
			assert_true(grid_seed(1, i) != grid_seed(1, j));
	}
}

/* Identity of the first run of a request. */
static const char *identity(struct fixture *x, const struct grid_request *req)
{
	struct grid g;

	must_plan(x, req, &g);
	return arena_strdup(&x->arena, g.spec[0].id);
}

static void identities(void **state)
{
	struct fixture *x = *state;
	const char *three[] = {"3"};
	const struct axis axis = {"tasks", three, 1};
	struct grid_request req =
		request_of(put_file(x, "w.yaml", MIXED_TEXT), kernels, 1, 1);
	struct grid_request other = req;
	const char *base = identity(x, &req);

	assert_int_equal(strlen(base), 32);
	assert_string_equal(base, identity(x, &req));
	/* names are not content */
	other.workload = put_file(x, "same.yaml", MIXED_TEXT);
	other.machine_name = "another";
	assert_string_equal(base, identity(x, &other));
	/* contents are */
	other = req;
	other.workload = put_file(x, "changed.yaml", MIXED_TEXT "# more\n");
	assert_string_not_equal(base, identity(x, &other));
	other = req;
	other.kernel = kernels + 1;
	assert_string_not_equal(base, identity(x, &other));
	other = req;
	other.machine = "core:4 pu:1";
	assert_string_not_equal(base, identity(x, &other));
	other = req;
	other.seed = 2;
	assert_string_not_equal(base, identity(x, &other));
	other = req;
	other.duration = 500 * NS_PER_MS;
	assert_string_not_equal(base, identity(x, &other));
	other.duration = 400 * NS_PER_MS;
	assert_string_equal(base, identity(x, &other));
	other = req;
	other.axis = &axis;
	other.naxis = 1;
	assert_string_not_equal(base, identity(x, &other));
}

/* Every row of a machine that a run may depend on moves the text. */
static void machine_text(void **state)
{
	struct fixture *x = *state;
	const struct machine *m;
	struct machine copy;
	struct machine_cpu *cpu;
	struct text a = {0}, b = {0};

	assert_int_equal(machine_load(&x->arena, "core:2 pu:2", &m, &x->f), 0);
	machine_canonical(m, &a);
	copy = *m;
	copy.name = "other";
	copy.description = "other";
	machine_canonical(&copy, &b);
	assert_string_equal(a.s, b.s);
	for (u32 i = 0; i < COST_COUNT; i++) {
		copy = *m;
		copy.cost[i].value++;
		b.len = 0;
		machine_canonical(&copy, &b);
		assert_string_not_equal(a.s, b.s);
	}
	cpu = arena_array(&x->arena, struct machine_cpu, m->ncpu);
	memcpy(cpu, m->cpu, m->ncpu * sizeof(*cpu));
	copy = *m;
	copy.cpu = cpu;
	cpu[1].online = !cpu[1].online;
	b.len = 0;
	machine_canonical(&copy, &b);
	assert_string_not_equal(a.s, b.s);
	text_free(&a);
	text_free(&b);
}

static void expect_failure(struct fixture *x, const struct grid_request *req,
			   const char *what)
{
	char line[1100];
	struct grid g;

	memset(&x->f, 0, sizeof(x->f));
	assert_int_equal(grid_plan(&x->arena, req, &g, &x->f), -1);
	assert_int_equal(x->f.kind, FAIL_INPUT);
	fail_format(&x->f, line, sizeof(line));
	if (!strstr(line, what))
		fail_msg("'%s' does not say '%s'", line, what);
}

static void refused(void **state)
{
	struct fixture *x = *state;
	const char *v[] = {"4", "4"}, *unknown[] = {"no-such-kernel"};
	const char *bad[] = {"linux-6.1", "linux-6.1:smt=perhaps"};
	struct axis axis[] = {{"tasks", v, 1}, {"tasks", v, 1}};
	struct grid_request req =
		request_of(put_file(x, "w.yaml", MIXED_TEXT), kernels, 2, 1);
	struct grid_request r = req;

	r.axis = axis;
	r.naxis = 2;
	expect_failure(x, &r, "tasks is given twice");
	r.naxis = 1;
	axis[0].n = 2;
	expect_failure(x, &r, "the value 4 twice");
	axis[0].n = 0;
	expect_failure(x, &r, "no value");
	axis[0] = (struct axis){"task", v, 1};
	expect_failure(x, &r, "tasks");
	axis[0] = (struct axis){"tasks", (const char *[]){"many"}, 1};
	expect_failure(x, &r, "many");
	r = req;
	r.runs = 0;
	expect_failure(x, &r, "0 runs");
	r.runs = UINT32_MAX;
	expect_failure(x, &r, "too many runs");
	r = req;
	r.nkernel = 0;
	expect_failure(x, &r, "no kernel");
	r = req;
	r.kernel = unknown;
	r.nkernel = 1;
	expect_failure(x, &r, "unknown kernel");
	r = req;
	r.kernel = bad;
	expect_failure(x, &r, "perhaps");
	r = req;
	r.machine = "core:0";
	assert_int_equal(grid_plan(&x->arena, &r, &(struct grid){0}, &x->f), -1);
}

static void durations(void **state)
{
	struct fixture *x = *state;
	struct grid_request req =
		request_of(put_file(x, "w.yaml", MIXED_TEXT), kernels, 1, 1);

	req.duration = 100 * NS_PER_MS;
	expect_failure(x, &req, "warm-up");
	req.workload = put_file(x, "fixed.yaml", FIXED_TEXT);
	expect_failure(x, &req, "no duration");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(order_and_seeds), CASE(labels),  CASE(seeds),     CASE(identities),
		CASE(machine_text),    CASE(refused), CASE(durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
