/* Import: what people paste becomes a file that loads to the same topology. */
#include "helpers.h"

static char *import_text(struct bench *b, const char *path, const char *numactl)
{
	struct text out = {0};
	struct failure f = {0};
	char *copy;

	if (machine_import(&b->arena, path, numactl, "a \"pasted\" machine", &out, &f)) {
		fail_format(&f, b->error, sizeof(b->error));
		fail_msg("%s", b->error);
	}
	copy = arena_strdup(&b->arena, out.s);
	text_free(&out);
	return copy;
}

static const struct machine *imported(struct bench *b, const char *text,
				      const char *numactl)
{
	const char *path = bench_text(b, "pasted", text);
	const char *nodes = numactl ? bench_text(b, "numactl", numactl) : NULL;

	return load(b, bench_text(b, "made.yaml", import_text(b, path, nodes)));
}

static void bad(struct bench *b, const char *text, const char *numactl, const char *say)
{
	const char *path = bench_text(b, "pasted", text);
	const char *nodes = numactl ? bench_text(b, "numactl", numactl) : NULL;
	struct text out = {0};
	struct failure f = {0};

	if (!machine_import(&b->arena, path, nodes, "x", &out, &f))
		fail_msg("'%.60s' was imported, expected a failure", text);
	assert_int_equal(f.kind, FAIL_INPUT);
	assert_null(out.s);
	fail_format(&f, b->error, sizeof(b->error));
	has(b->error, say);
	has(b->error, "expected");
}

#define P_HEAD                                                                \
	"# The following is the parsable format, which can be fed to other\n" \
	"# programs. Each different item in every column has an unique ID\n"  \
	"# starting usually from zero.\n"

/* 2 sockets, 2 cores, 2 threads; siblings n and n + 4 */
static const char p_text[] =
	P_HEAD "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n"
	       "0,0,0,0,,0,0,0,0\n1,1,0,0,,1,1,1,0\n2,2,1,1,,2,2,2,1\n3,3,1,1,,3,3,3,1\n"
	       "4,0,0,0,,0,0,0,0\n5,1,0,0,,1,1,1,0\n6,2,1,1,,2,2,2,1\n7,3,1,1,,3,3,3,1\n";

static const char e_text[] =
	"CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE    MAXMHZ   MINMHZ\n"
	"  0    0      0    0 0:0:0:0          yes 3700.0000 800.0000\n"
	"  1    0      0    1 1:1:1:0          yes 3700.0000 800.0000\n"
	"  2    1      1    2 2:2:2:1          yes 3700.0000 800.0000\n"
	"  3    1      1    3 3:3:3:1          yes 3700.0000 800.0000\n"
	"  4    0      0    0 0:0:0:0          yes 3700.0000 800.0000\n"
	"  5    0      0    1 1:1:1:0          yes 3700.0000 800.0000\n"
	"  6    1      1    2 2:2:2:1          yes 3700.0000 800.0000\n"
	"  7    1      1    3 3:3:3:1          yes 3700.0000 800.0000\n";

static const char numactl_text[] =
	"available: 2 nodes (0-1)\n"
	"node 0 cpus: 0 1 4 5\nnode 0 size: 15975 MB\nnode 0 free: 133 MB\n"
	"node 1 cpus: 2 3 6 7\nnode 1 size: 16125 MB\nnode 1 free: 22 MB\n"
	"node distances:\nnode   0   1 \n  0:  10  21 \n  1:  21  10 \n";

static void check_two_sockets(const struct machine *m)
{
	assert_int_equal(m->ncpu, 8);
	assert_int_equal(m->ncore, 4);
	assert_int_equal(m->nllc, 2);
	assert_int_equal(m->npackage, 2);
	assert_int_equal(m->nnode, 2);
	assert_int_equal(m->cpu[0].core, m->cpu[4].core);
	assert_int_equal(m->cpu[0].llc, m->cpu[5].llc);
	assert_int_equal(m->cpu[6].node, 1);
	assert_int_equal(m->cpu[6].thread, 1);
	for (u32 i = 0; i < 8; i++)
		assert_true(m->cpu[i].online && m->cpu[i].cluster == m->cpu[i].core);
}

static void test_p_and_e_agree(void **state)
{
	struct bench *b = *state;
	const struct machine *m = imported(b, p_text, NULL), *e;

	check_two_sockets(m);
	assert_int_equal(machine_distance(m, 0, 1), 20);
	assert_int_equal(m->ncache, 3);
	assert_int_equal(m->cache[2].cpus, 4);
	assert_string_equal(m->description, "a \"pasted\" machine");
	assert_string_equal(m->source, "documented: text of lscpu -p");
	e = imported(b, e_text, NULL);
	same_machine(m, e);
	m = imported(b, e_text, numactl_text);
	check_two_sockets(m);
	assert_int_equal(machine_distance(m, 0, 1), 21);
	assert_int_equal(m->node[0].memory, 15975ull << 20);
	assert_string_equal(m->source, "documented: text of lscpu -e and numactl -H");
}

static void test_json(void **state)
{
	struct text json = {0};
	struct bench *b = *state;
	const struct machine *m;

	text_str(&json, "{\n   \"cpus\": [\n");
	for (u32 i = 0; i < 8; i++)
		text_fmt(&json,
			 "%s{\n \"cpu\": %u,\n \"node\": \"%u\",\n \"socket\": %u,\n"
			 " \"core\": %u,\n \"l1d:l1i:l2:l3\": \"%u:%u:%u:%u\",\n"
			 " \"online\": %s\n }",
			 i ? "," : "", i, i / 2 % 2, i / 2 % 2, i % 4, i % 4, i % 4,
			 i % 4, i / 2 % 2, i % 2 ? "true" : "\"yes\"");
	text_str(&json, "]\n}\n");
	m = imported(b, json.s, NULL);
	check_two_sockets(m);
	same_machine(m, imported(b, p_text, NULL));
	text_free(&json);
}

static void test_offline(void **state)
{
	struct bench *b = *state;
	const struct machine *m = imported(b,
					   "CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE\n"
					   "  0    0      0    0 0:0:0:0          yes\n"
					   "  1    -      -    - -                 no\n"
					   "  2    0      0    1 1:1:1:0          yes\n"
					   "  3    -      -    - -                 no\n",
					   NULL);

	assert_int_equal(m->ncpu, 4);
	assert_int_equal(m->ncore, 4);
	assert_true(m->cpu[0].online && !m->cpu[1].online && !m->cpu[3].online);
	assert_int_equal(m->cpu[1].llc, m->cpu[0].llc);
	m = imported(b,
		     P_HEAD "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n"
			    "1,,,,,,,,\n",
		     NULL);
	assert_true(m->cpu[0].online && !m->cpu[1].online);
	m = imported(b, P_HEAD "# CPU,Core,Online\n0,0,Y\n1,0,N\n", NULL);
	assert_int_equal(m->ncore, 1);
	assert_true(m->cpu[0].online && !m->cpu[1].online);
	m = imported(b,
		     "{\"cpus\": [{\"cpu\": 0, \"core\": 0, \"online\": true},\n"
		     "{\"cpu\": 1, \"core\": null, \"online\": false}]}",
		     NULL);
	assert_true(m->cpu[0].online && !m->cpu[1].online);
}

static void test_clusters(void **state)
{
	struct bench *b = *state;
	/* two pairs of cores that share an L2, one L3 */
	const struct machine *m = imported(b,
					   "CPU CORE SOCKET L1d:L1i:L2:L3\n"
					   "0 0 0 0:0:0:0\n1 1 0 1:1:0:0\n"
					   "2 2 0 2:2:1:0\n3 3 0 3:3:1:0\n",
					   NULL);

	assert_int_equal(m->nllc, 1);
	assert_int_equal(m->cpu[0].cluster, m->cpu[1].cluster);
	assert_int_not_equal(m->cpu[1].cluster, m->cpu[2].cluster);
	assert_int_equal(m->nnode, 1);
}

static void test_odd_nodes(void **state)
{
	struct bench *b = *state;
	/* node 0 without memory, node 8 without CPUs, no node column in the other text */
	const struct machine *m =
		imported(b, "CPU CORE SOCKET\r\n0 0 0\r\n1 1 0\r\n",
			 "available: 3 nodes (0,1,8)\nnode 0 cpus: 0\nnode 0 size: 0 MB\n"
			 "node 1 cpus: 1\nnode 1 size: 2 GB\nnode 8 cpus:\n"
			 "node 8 size: 512 MB\nnode distances:\nnode   0   1   8 \n"
			 "  0:  10  20  80 \n  1:  20  10  81 \n  8:  80  81  10 \n");

	assert_int_equal(m->nnode, 3);
	assert_int_equal(m->node[0].memory, 0);
	assert_int_equal(m->node[0].ncpu, 1);
	assert_int_equal(m->node[1].memory, 2ull << 30);
	assert_int_equal(m->node[2].os, 8);
	assert_int_equal(m->node[2].ncpu, 0);
	assert_int_equal(machine_distance(m, 1, 2), 81);
	assert_int_equal(m->cpu[1].node, 1);
}

static void test_xml_round_trip(void **state)
{
	static const char *const names[] = {
		"16amd64-4distances", "16em64t-4s2c2t-offlines", "192em64t-12gr2n8c2t",
		"24em64t-2n6c2t-pci", "8intel64-4n2t-memattrs",	 "96em64t-4n4d3ca2co-pci",
		"power8gpudistances"};
	struct bench *b = *state;

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		char path[1024], *yaml;

		snprintf(path, sizeof(path), "%s/machines/hwloc/%s.xml",
			 SIBYL_SOURCE_DATA, names[i]);
		yaml = import_text(b, path, NULL);
		same_machine(load(b, path), load(b, bench_text(b, "made.yaml", yaml)));
	}
}

static void test_bad(void **state)
{
	struct bench *b = *state;

	bad(b, "", NULL, "not a text that is known");
	bad(b, "what\n", NULL, "not a text that is known");
	bad(b, "Architecture:  x86_64\nCPU(s): 4\n", NULL, "no line for each CPU");
	bad(b, "{\"lscpu\": [{\"field\": \"CPU(s):\", \"data\": \"2\"}]}", NULL,
	    "no line for each CPU");
	bad(b, "{\"cpu\": 3}", NULL, "no 'cpus'");
	bad(b, "{\"cpus\": 3}", NULL, "expected a list");
	bad(b, "{\"cpus\": [{\"core\": 0}]}", NULL, "no 'cpu'");
	bad(b, "{\"cpus\": [", NULL, "pasted:2:1: did not find");
	bad(b, P_HEAD, NULL, "0 CPUs");
	bad(b, P_HEAD "0,0,0,0\n", NULL, "pasted:4:1: no '# CPU,Core,...' heading");
	bad(b, "CPU CORE\n0 0\n0 1\n", NULL, "CPU 0 is given twice");
	bad(b, "CPU CORE\n0 0 7\n", NULL, "pasted:2:1: the columns are not those");
	bad(b, "CPU CORE\nzero 0\n", NULL, "a broken value 'zero'");
	bad(b, "CPU CORE\n0 99999999999\n", NULL, "a broken value '99999999999'");
	bad(b, "CPU CORE ONLINE\n0 0 perhaps\n", NULL, "a broken value 'perhaps'");
	bad(b, "CPU SOCKET\n0 0\n", NULL, "no CPU has a core number");
	bad(b, "CPU CORE ONLINE\n0 0 no\n", NULL, "no CPU is online");
	bad(b, "<topology", NULL, "pasted:1");
	bad(b, p_text, "nothing\n", "no line 'node 0 cpus: ...'");
	bad(b, p_text, "node 0 cpus: 0 1 2 3\nnode 1 cpus: 4 5 6 7\n", "same machine");
	bad(b, p_text, "node 0 cpus: 0 1 2\nnode 1 cpus: 2\n", "CPU 2 is in node 0 and");
	bad(b, p_text, "node 0 cpus: 0\n", "CPU 2 is in node 1, which is not listed");
	bad(b, p_text, "node 0 size: 12 parsecs\n", "numactl:1:1: a size without a unit");
	bad(b, p_text, "node 0 cpus: 99999\n", "above 65535");
	bad(b, p_text,
	    "node 0 cpus: 0 1 4 5\nnode 1 cpus: 2 3 6 7\nnode distances:\nnode 0 1\n"
	    "0: 10 21\n1: 21\n",
	    "fewer distances");
	bad(b, p_text,
	    "node 0 cpus: 0 1 4 5\nnode 1 cpus: 2 3 6 7\nnode distances:\nnode 0 1\n"
	    "0: 10 21\n",
	    "distances of 1 nodes, expected them of 2");
	bad(b, p_text,
	    "node 0 cpus: 0 1 4 5\nnode 1 cpus: 2 3 6 7\nnode distances:\nnode 0 1\n"
	    "0: 10 21\n1: 21 12\n",
	    "a distance outside");
	bad(b, p_text, "node 0 cpus: 0 1 4 5\nnode distances:\nnode 0 1 2\n",
	    "more columns");
}

/* Any cut of a paste is a failure or a smaller machine, never a crash. */
static void test_cut(void **state)
{
	struct bench *b = *state;
	const char *const texts[] = {p_text, e_text};

	for (u32 k = 0; k < ARRAY_SIZE(texts); k++)
		for (size_t cut = 0; cut < strlen(texts[k]); cut++) {
			struct failure f = {0};
			struct text out = {0};
			const char *path = bench_write(b, "pasted", texts[k], cut);

			if (machine_import(&b->arena, path, NULL, "x", &out, &f))
				assert_int_equal(f.kind, FAIL_INPUT);
			text_free(&out);
		}
	for (size_t cut = 0; cut < strlen(numactl_text); cut++) {
		struct failure f = {0};
		struct text out = {0};
		const char *path = bench_text(b, "pasted", p_text);
		const char *nodes = bench_write(b, "numactl", numactl_text, cut);

		if (machine_import(&b->arena, path, nodes, "x", &out, &f))
			assert_int_equal(f.kind, FAIL_INPUT);
		text_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)
		T(test_p_and_e_agree), T(test_json),	  T(test_offline),
		T(test_clusters),      T(test_odd_nodes), T(test_xml_round_trip),
		T(test_bad),	       T(test_cut),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
