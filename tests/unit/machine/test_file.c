/* Machine files: rows, sources, units, ranges, bases, and what is wrong with them. */
#include "helpers.h"

#define HEAD "description: a test\nsource: \"estimate: a test\"\n"
#define TOPO "topology: {synthetic: \"pack:1 core:2 pu:2\"}\n"
#define TABLE \
	HEAD "topology:\n  columns: [os, core, llc, node, package, online]\n  cpus:\n"

static const struct machine *good(struct bench *b, const char *text)
{
	return load(b, bench_text(b, "m.yaml", text));
}

static void bad(struct bench *b, const char *text, const char *say)
{
	has(refuse(b, bench_text(b, "m.yaml", text)), say);
}

static void test_rows(void **state)
{
	struct bench *b = *state;
	const struct machine *m = good(
		b, HEAD TOPO
		"costs:\n"
		"  source: \"measured: here\"\n"
		"  switch: 1.5 us\n"
		"  tick: {value: 2 us, source: \"documented: there\"}\n"
		"idle:\n"
		"  - {name: C1, exit: 2 us, residency: 3 us, source: \"estimate: x\"}\n"
		"  - {name: C6, exit: 100 us, residency: 1 ms, source: \"estimate: x\"}\n"
		"frequency:\n"
		"  source: \"estimate: x\"\n"
		"  nominal: 2.1 GHz\n"
		"  hold: 2 ms\n"
		"  bins:\n"
		"    - {upto: 2, scalar: 3.7 GHz, avx512: 3.5 GHz}\n"
		"    - {upto: 4, scalar: 3.5 GHz, avx2: 3.4 GHz, avx512: 3.1 GHz}\n"
		"smt:\n"
		"  - {self: integer, other: memory, keep: 80 %, source: \"estimate: x\"}\n"
		"host: {cpus: 2, slice: 3 ms, timer: 25 %, source: \"estimate: x\"}\n");

	assert_int_equal(m->host_cpus, 2);
	assert_int_equal(m->host_slice, 3 * NS_PER_MS);
	assert_true(m->host_timer == Q32_ONE / 4);
	assert_string_equal(m->name, "m");
	assert_string_equal(m->description, "a test");
	assert_int_equal(machine_cost(m, COST_SWITCH), 1500);
	assert_string_equal(m->cost[COST_SWITCH].source, "measured: here");
	assert_false(m->cost[COST_SWITCH].is_default);
	assert_int_equal(machine_cost(m, COST_TICK), 2000);
	assert_string_equal(m->cost[COST_TICK].source, "documented: there");
	assert_true(m->cost[COST_WAKE].is_default);
	assert_int_equal(machine_cost(m, COST_WAKE), cost_rows[COST_WAKE].def);
	assert_int_equal(m->nidle, 2);
	assert_int_equal(m->idle[1].exit, 100000);
	assert_int_equal(m->idle[1].residency, 1000000);
	assert_int_equal(m->freq_nominal, 2100000000ull);
	assert_int_equal(m->freq_hold, 2000000);
	assert_int_equal(m->nfreq, 2);
	assert_int_equal(m->freq[0].hz[1], 3700000000ull); /* not given: as scalar */
	assert_int_equal(m->freq[0].hz[2], 3500000000ull);
	assert_int_equal(m->freq[1].hz[1], 3400000000ull);
	assert_int_equal(m->nsmt, 1);
	/* Q32 of 0.8, rounded down */
	assert_int_equal(m->smt[0].keep, Q32_ONE / 100 * 80 + 76);
}

static void test_defaults(void **state)
{
	struct bench *b = *state;
	const struct machine *m = good(b, HEAD TOPO);

	assert_int_equal(m->nidle, 1);
	assert_int_equal(m->nfreq, 0);
	for (u32 i = 0; i < COST_COUNT; i++) {
		const struct cost_row *r = &cost_rows[i];

		assert_true(m->cost[i].is_default && m->cost[i].value == r->def);
		assert_true(r->lo <= r->def && r->def <= r->hi && *r->doc);
		assert_true(!strncmp(r->source, "documented: ", 12) ||
			    !strncmp(r->source, "estimate: ", 10));
		for (u32 j = 0; j < i; j++)
			assert_string_not_equal(r->name, cost_rows[j].name);
	}
}

static void test_topology_overrides(void **state)
{
	struct bench *b = *state;
	const struct machine *m =
		good(b, HEAD
		     "topology:\n"
		     "  synthetic: \"pack:2 core:2 pu:2\"\n"
		     "  os-index: siblings-apart\n"
		     "  online: 0-5\n"
		     "nodes:\n"
		     "  - {os: 2, memory: 1 GiB}\n"
		     "  - {os: 1, cpus: \"2,3,6,7\", memory: 2 GiB}\n"
		     "  - {os: 0, cpus: \"0,1,4,5\"}\n"
		     "distances:\n"
		     "  - [10, 40, 50]\n"
		     "  - [40, 10, 21]\n"
		     "  - [50, 21, 10]\n"
		     "caches: [{level: 3, size: 8 MiB, cpus: 4}, {level: 1, cpus: 2}]\n");

	assert_int_equal(m->cpu[0].core, m->cpu[4].core);
	assert_true(m->cpu[5].online && !m->cpu[6].online && !m->cpu[7].online);
	/* nodes are ordered by number, and the distances with them */
	assert_int_equal(m->nnode, 3);
	assert_int_equal(m->node[1].memory, 2ull << 30);
	assert_int_equal(m->node[0].memory, 0);
	assert_int_equal(m->node[2].ncpu, 0);
	assert_int_equal(machine_distance(m, 0, 1), 21);
	assert_int_equal(machine_distance(m, 0, 2), 50);
	assert_int_equal(machine_distance(m, 1, 2), 40);
	assert_int_equal(m->cpu[2].node, 1);
	assert_int_equal(m->cache[0].level, 1);
	assert_int_equal(m->cache[1].size, 8ull << 20);
}

static void test_table(void **state)
{
	struct bench *b = *state;
	const struct machine *m = good(b, TABLE "    - [8, 7, 5, 0, 3, on]\n"
						"    - [0, 6, 5, 0, 3, off]\n"
						"    - [4, 7, 5, 0, 3, on]\n");

	assert_int_equal(m->ncpu, 3);
	assert_int_equal(m->ncore, 2);
	assert_int_equal(m->cpu[0].os, 0);
	assert_false(m->cpu[0].online);
	assert_int_equal(m->cpu[1].os, 4);
	assert_int_equal(m->cpu[1].core, m->cpu[2].core);
	assert_int_equal(m->cpu[2].thread, 1);
	m = good(b, HEAD "topology: {columns: [os], cpus: [[0], [1]]}\n");
	assert_int_equal(m->ncore, 2);
	assert_int_equal(m->nllc, 1);
}

static void test_bad_rows(void **state)
{
	static const struct {
		const char *text, *say;
	} rows[] = {
		{"cost: {}\n", "m.yaml:4:1: unknown key 'cost', expected 'costs'?"},
		{"costs: {swich: 1 us}\n", "unknown key 'swich', expected 'switch'?"},
		{"costs: {switch: 1 us}\n", "'switch' has no source"},
		{"costs: {source: \"estimate: x\", switch: 1 GHz}\n", "expected a time"},
		{"costs: {source: \"estimate: x\", switch: 12}\n", "expected a time"},
		{"costs: {source: \"estimate: x\", switch: 1 ms}\n",
		 "m.yaml:4:40: 1 ms is out of range, expected 0 ns to 100 us"},
		{"costs: {source: \"guess: x\", switch: 1 us}\n", "unknown kind"},
		{"costs: {source: \"estimate:\", switch: 1 us}\n", "says nothing"},
		{"costs: {source: \"because\", switch: 1 us}\n", "of no kind"},
		{"costs: {switch: {valu: 1 us}}\n", "expected 'value'?"},
		{"costs: {switch: {source: \"estimate: x\"}}\n", "no 'value'"},
		{"costs: {source: \"estimate: x\", tick: 1 us, tick: 1 us}\n",
		 "given twice"},
		{"costs: []\n", "expected a map"},
		{"idle: []\n", "no idle state"},
		{"idle: [{name: C1, exit: 1 us}]\n", "no 'residency'"},
		{"idle: [{name: C1, exit: 1 us, residency: 1 us}]\n", "no 'source'"},
		{"idle:\n"
		 "  - {name: A, exit: 9 us, residency: 9 us, source: \"estimate: x\"}\n"
		 "  - {name: B, exit: 1 us, residency: 9 us, source: \"estimate: x\"}\n",
		 "'B' is shallower than 'A'"},
		{"frequency: {nominal: 2 GHz}\n", "no 'source'"},
		{"frequency: {nominal: 2, source: \"estimate: x\"}\n",
		 "expected a frequency"},
		{"frequency: {nominal: 2 GHz, source: \"estimate: x\",\n"
		 "  bins: [{upto: 2, scalar: 1 GHz}, {upto: 2, scalar: 1 GHz}]}\n",
		 "2 active cores after 2"},
		{"frequency: {nominal: 2 GHz, source: \"estimate: x\", bins: [{upto: 2}]}\n",
		 "no 'scalar'"},
		{"host: {cpus: 2, source: \"estimate: x\"}\n", "no 'slice'"},
		{"host: {cpus: 0, slice: 1 ms, source: \"estimate: x\"}\n",
		 "out of range"},
		{"host: {cpus: 2, slice: 1 ms}\n", "no 'source'"},
		{"host: {cpus: 2, slice: 1 ms, timer: 101 %, source: \"estimate: x\"}\n",
		 "out of range"},
		{"smt: [{self: a, other: b, keep: 1.5, source: \"estimate: x\"}]\n",
		 "out of range"},
		{"smt: [{self: a, other: b, keep: 1, source: \"estimate: x\"},\n"
		 "  {self: a, other: b, keep: 1, source: \"estimate: x\"}]\n",
		 "given twice"},
		{"nodes: [{os: 0, cpus: 0-2}]\n", "CPU 3 is in no node"},
		{"nodes: [{os: 0, cpus: 0-3}, {os: 1, cpus: \"3\"}]\n", "in two nodes"},
		{"nodes: [{os: 0, cpus: 0-9}]\n", "CPU 4 does not exist"},
		{"nodes: [{os: 0, cpus: 3-1}]\n", "expected a list of CPU numbers"},
		{"nodes: [{os: 1}]\n", "CPU 0 is in node 0, expected that node here"},
		{"nodes: [{os: 0}, {os: 0}]\n", "node 0 is given twice"},
		{"nodes: [{os: 0, memory: 16 GHz}]\n", "expected a size"},
		{"nodes: []\n", "expected 1 to 256"},
		{"distances: [[10, 20], [20, 10]]\n", "2 rows of distances, expected 1"},
		{"distances: [[11]]\n", "out of range"},
		{"caches: [{level: 9, cpus: 1}]\n", "out of range"},
		{"caches: [{level: 1, cpus: 5}]\n", "out of range"},
	};
	struct bench *b = *state;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = arena_printf(&b->arena, HEAD TOPO "%s", rows[i].text);

		bad(b, text, rows[i].say);
	}
}

static void test_bad_topology(void **state)
{
	struct bench *b = *state;

	bad(b, "", "empty");
	bad(b, "just words\n", "expected a map");
	bad(b, TOPO, "no 'description'");
	bad(b, "description: x\n" TOPO, "no 'source'");
	bad(b, "description: \"x\\ny\"\nsource: \"estimate: x\"\n" TOPO, "several lines");
	bad(b, HEAD, "no 'topology'");
	bad(b, HEAD "topology: {}\n", "expected one of 'hwloc-xml'");
	bad(b, HEAD "topology: {this: on, synthetic: \"pu:2\"}\n",
	    "expected one of them");
	bad(b, HEAD "topology: {this: off}\n", "'this: on'");
	bad(b, HEAD "topology: {synthetc: \"pu:2\"}\n", "expected 'synthetic'?");
	bad(b, HEAD "topology: {synthetic: \"pack:2 core\"}\n",
	    "m.yaml:3:23: 'pack:2 core' is no synthetic topology");
	bad(b, HEAD "topology: {synthetic: \"pack:90 core:91 pu:2\"}\n",
	    "more than 8192");
	bad(b, HEAD "topology: {synthetic: \"pu:2\", os-index: siblings-appart}\n",
	    "siblings-apart");
	bad(b, HEAD "topology: {this: on, os-index: siblings-apart}\n", "for synthetic");
	bad(b, HEAD "topology: {synthetic: \"pu:2\", online: \"2\"}\n",
	    "CPU 2 does not exist");
	bad(b, HEAD "topology: {synthetic: \"pu:2\", online: none}\n", "expected a list");
	bad(b, HEAD "topology: {hwloc-xml: not-there.xml}\n", "not-there.xml");
	bad(b, HEAD "topology: {columns: [os], cpus: [[0], [0]]}\n",
	    "CPU 0 is given twice");
	bad(b, HEAD "topology: {columns: [os], cpus: []}\n", "expected 1 to 8192");
	bad(b, HEAD "topology: {columns: [core], cpus: [[0]]}\n", "no column 'os'");
	bad(b, HEAD "topology: {columns: [os, os], cpus: [[0, 0]]}\n", "given twice");
	bad(b, HEAD "topology: {columns: [os, corr], cpus: [[0, 0]]}\n", "core");
	bad(b, HEAD "topology: {cpus: [[0]]}\n", "no 'columns'");
	bad(b, HEAD "topology: {columns: [os], cpus: [[0, 1]]}\n", "2 values in a row");
	bad(b, HEAD "topology: {columns: [os], cpus: [[-1]]}\n", "out of range");
	bad(b, HEAD "topology: {columns: [os], cpus: [[70000]]}\n", "out of range");
	bad(b, TABLE "    - [0, 0, 0, 0, 0, off]\n", "no CPU is online");
	bad(b, TABLE "    - [0, 0, 0, 0, 0, maybe]\n", "expected on or off");
	bad(b, TABLE "    - [0, 0, 0, 0, 0, on]\n    - [1, 0, 1, 0, 0, on]\n",
	    "share a core but not a ");
	bad(b, TABLE "    - [0, 0, 0, 0, 0, on]\n    - [1, 1, 0, 1, 0, on]\n",
	    "m.yaml:7:7: CPUs 0 and 1 share a llc but not a node");
	bad(b, HEAD TOPO "  nonsense: [\n", "m.yaml:");
}

static void test_base(void **state)
{
	struct bench *b = *state;
	const struct machine *m;

	bench_text(b, "base.yaml",
		   HEAD TOPO
		   "costs: {source: \"measured: base\", switch: 3 us, tick: 4 us}\n"
		   "idle: [{name: X, exit: 5 us, residency: 5 us, "
		   "source: \"estimate: x\"}]\n");
	m = good(b, HEAD "base: base.yaml\ntopology: {synthetic: \"pu:8\"}\n"
			 "costs: {tick: {value: 9 us, source: \"measured: top\"}}\n");
	assert_int_equal(m->ncpu, 8); /* the topology is not taken over */
	assert_int_equal(machine_cost(m, COST_SWITCH), 3000);
	assert_string_equal(m->cost[COST_SWITCH].source, "measured: base");
	assert_int_equal(machine_cost(m, COST_TICK), 9000);
	assert_string_equal(m->idle[0].name, "X");

	bad(b, HEAD "base: nobody.yaml\n" TOPO, "m.yaml:3:7: base 'nobody.yaml'");
	bad(b, HEAD "base: m.yaml\n" TOPO, "leads back to itself");
	bench_text(b, "base.yaml", HEAD "base: ./m.yaml\n" TOPO);
	bad(b, HEAD "base: base.yaml\n" TOPO,
	    "base.yaml:3:7: base './m.yaml' leads back");
	bench_text(b, "base.yaml", HEAD "bass: x\n" TOPO);
	bad(b, HEAD "base: base.yaml\n" TOPO, "base.yaml:3:1: unknown key 'bass'");
	bench_text(b, "base.yaml", HEAD TOPO "costs: {switch: 1 us}\n");
	bad(b, HEAD "base: base.yaml\n" TOPO, "base.yaml:4:9: 'switch' has no source");
}

static void test_junk(void **state)
{
	struct bench *b = *state;
	char junk[4096];

	for (u32 round = 0; round < 50; round++) {
		for (u32 i = 0; i < sizeof(junk); i++)
			junk[i] = (char)((i * 2654435761u + round * 40503u) >> 13);
		refuse(b, bench_write(b, "junk.yaml", junk, sizeof(junk)));
		refuse(b, bench_write(b, "junk.xml", junk, sizeof(junk)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)
		T(test_rows),  T(test_defaults), T(test_topology_overrides),
		T(test_table), T(test_bad_rows), T(test_bad_topology),
		T(test_base),  T(test_junk),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
