/* What the eye sees: the summary, the picture, the table in docs/machines.md. */
#include "helpers.h"

#include "base/yaml.h"

static void test_show(void **state)
{
	struct bench *b = *state;
	struct text t = {0};

	machine_show(load_data(b, "oracle-nosmt8.yaml"), &t);
	has(t.s, "CPUs         8: 0,2,4,6 (4 online), offline 1,3,5,7\n");
	has(t.s, "cores        4, 2 threads each\n");
	has(t.s, "wake.smt             700 ns  default  estimate: ");
	text_free(&t);
	machine_show(load_data(b, "oracle-numa16.yaml"), &t);
	has(t.s, "  node   memory  CPUs   0   1\n"
		 "     0  unknown  0-7   10  21\n"
		 "     1  unknown  8-15  21  10\n");
	text_free(&t);
	machine_show(load_data(b, "box-1s4c2t.yaml"), &t);
	has(t.s, "caches       L1 32 KiB for 2 CPUs, L2 256 KiB for 2 CPUs, "
		 "L3 8 MiB for 8 CPUs\n");
	has(t.s, "C6          85 us     200 us  documented: client part (sources C1)\n");
	has(t.s, "3.6 GHz nominal");
	text_free(&t);
}

/* 40 nodes: too wide for a matrix and for a column mask of 64 bits. */
static void test_show_many_nodes(void **state)
{
	struct bench *b = *state;
	const struct machine *m = load(b, "numa:70 pu:2");
	struct text t = {0};

	machine_show(m, &t);
	has(t.s, "nodes        70\n");
	has(t.s, "    69  unknown  138-139\n");
	text_free(&t);
}

static void test_draw(void **state)
{
	struct bench *b = *state;
	struct text t = {0};

	machine_draw(load_data(b, "oracle-nosmt8.yaml"), &t);
	assert_string_equal(t.s, "+---------------------------------------+\n"
				 "| package 0                             |\n"
				 "|  node 0                               |\n"
				 "|    LLC 0: [0 1x] [2 3x] [4 5x] [6 7x] |\n"
				 "+---------------------------------------+\n"
				 "[threads of a core by their numbers]  x = offline\n");
	text_free(&t);
	machine_draw(load_data(b, "oracle-llc16.yaml"), &t);
	has(t.s, "| package 3                 |\n|  part of node 0           |\n"
		 "|    LLC 3: [12 13] [14 15] |\n");
	text_free(&t);
	machine_draw(load_data(b, "96em64t-4n4d3ca2co-pci.yaml"), &t);
	has(t.s, "LLC  0: {[ 0][ 4]} {[ 8][12]} {[16][20]}");
	has(t.s, "{cores of a cluster}");
	text_free(&t);
}

static u32 widest(const char *s)
{
	u32 max = 0, n = 0;

	for (; *s; s++) {
		n = *s == '\n' ? 0 : n + 1;
		max = max_u32(max, n);
	}
	return max;
}

static u32 numbers(const char *s)
{
	u32 n = 0;

	/* CPU numbers stand in brackets only; the last line is the legend */
	for (bool in = false; *s && strncmp(s, "[threads", 8); s++) {
		if (*s == '[' || *s == ']')
			in = *s == '[';
		n += in && *s >= '0' && *s <= '9' && !(s[1] >= '0' && s[1] <= '9');
	}
	return n;
}

/* Every CPU is there, and no line is wider than 100 columns. */
static void test_draw_width(void **state)
{
	static const char *const wide[] = {
		"pack:2 core:48 pu:2",		 "pack:2 l3:8 core:6 pu:2",
		"pack:1 core:1 pu:200",		 "pack:1 l2:1 core:192 pu:1",
		"pack:1 l3:1 l2:2 core:96 pu:1", "pack:4 core:2048 pu:1",
		"pack:96 core:1 pu:2",
	};
	struct bench *b = *state;

	for (u32 i = 0; i < ARRAY_SIZE(wide); i++) {
		const struct machine *m = load(b, wide[i]);
		struct text t = {0};

		machine_draw(m, &t);
		assert_true(widest(t.s) <= 100);
		assert_int_equal(numbers(t.s), m->ncpu);
		text_free(&t);
	}
}

static void test_canonical(void **state)
{
	struct bench *b = *state;
	struct text x = {0}, y = {0};

	/* the same machine in other words; another one */
	same_machine(load(b, "package:1 core:4 pu:2"), load(b, "pack:1 core:4 pu:2"));
	machine_canonical(load_data(b, "oracle-smt8.yaml"), &x);
	machine_canonical(load_data(b, "oracle-smt8-10x.yaml"), &y);
	assert_string_not_equal(x.s, y.s);
	text_free(&x);
	text_free(&y);
}

/* The documentation holds the table that the code prints. */
static void test_docs(void **state)
{
	struct bench *b = *state;
	struct text table = {0};
	struct failure f = {0};
	char path[1024], *doc;
	size_t len;

	machine_costs_doc(&table);
	snprintf(path, sizeof(path), "%s/../docs/machines.md", SIBYL_SOURCE_DATA);
	assert_int_equal(file_read(&b->arena, path, 1u << 20, &doc, &len, &f), 0);
	if (!strstr(doc, table.s))
		fail_msg("docs/machines.md does not hold this table:\n%s", table.s);
	text_free(&table);
}

/* The example of the documentation is a machine file. */
static void test_docs_example(void **state)
{
	struct bench *b = *state;
	const struct machine *m;
	struct failure f = {0};
	char path[1024], *doc, *from, *to;
	size_t len;

	snprintf(path, sizeof(path), "%s/../docs/machines.md", SIBYL_SOURCE_DATA);
	assert_int_equal(file_read(&b->arena, path, 1u << 20, &doc, &len, &f), 0);
	from = strstr(doc, "```yaml\n");
	assert_non_null(from);
	from += strlen("```yaml\n");
	to = strstr(from, "```");
	assert_non_null(to);
	m = load(b, bench_write(b, "example.yaml", from, (size_t)(to - from)));
	assert_int_equal(m->ncpu, 16);
	assert_int_equal(m->nnode, 3);
	assert_int_equal(m->nfreq, 2);
	assert_int_equal(m->nsmt, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)
		T(test_show),	      T(test_show_many_nodes), T(test_draw),
		T(test_draw_width),   T(test_canonical),       T(test_docs),
		T(test_docs_example),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
