/* Topologies: recordings, synthetic strings, this machine; broken and hostile input. */
#include "helpers.h"

#include <dirent.h>

#include "base/yaml.h"

static const char *const recorded[] = {
	"16amd64-4distances", "16em64t-4s2c2t-offlines", "192em64t-12gr2n8c2t",
	"24em64t-2n6c2t-pci", "8intel64-4n2t-memattrs",	 "96em64t-4n4d3ca2co-pci",
	"power8gpudistances",
};

static const struct machine_cpu *cpu_of(const struct machine *m, u32 os)
{
	for (u32 i = 0; i < m->ncpu; i++)
		if (m->cpu[i].os == os)
			return &m->cpu[i];
	fail_msg("no CPU %u", os);
	return NULL;
}

static u32 online(const struct machine *m)
{
	u32 n = 0;

	for (u32 i = 0; i < m->ncpu; i++)
		n += m->cpu[i].online;
	return n;
}

/* What every layer above relies on. */
static void check_machine(const struct machine *m)
{
	u32 core = 0, cluster = 0, llc = 0, package = 0, in_nodes = 0;

	for (u32 i = 0; i < m->ncpu; i++) {
		const struct machine_cpu *c = &m->cpu[i];

		assert_true(!i || c->os > c[-1].os);
		assert_true(c->core <= core && c->cluster <= cluster && c->llc <= llc &&
			    c->package <= package);
		core += c->core == core;
		cluster += c->cluster == cluster;
		llc += c->llc == llc;
		package += c->package == package;
		assert_true(c->node < m->nnode);
		for (u32 j = 0; j < i; j++) {
			const struct machine_cpu *o = &m->cpu[j];

			if (o->core == c->core) {
				assert_int_equal(o->cluster, c->cluster);
				assert_true(o->thread < c->thread);
			}
			if (o->cluster == c->cluster)
				assert_int_equal(o->llc, c->llc);
			if (o->llc == c->llc) {
				assert_int_equal(o->node, c->node);
				assert_int_equal(o->package, c->package);
			}
		}
	}
	assert_int_equal(core, m->ncore);
	assert_int_equal(llc, m->nllc);
	assert_int_equal(package, m->npackage);
	assert_true(online(m) > 0 && m->nidle > 0);
	for (u32 i = 0; i < m->nnode; i++) {
		in_nodes += m->node[i].ncpu;
		assert_true(!i || m->node[i].os > m->node[i - 1].os);
		for (u32 j = 0; j < m->nnode; j++) {
			u32 d = machine_distance(m, i, j);

			assert_true(i == j ? d == 10 : d >= 10 && d <= 254);
		}
	}
	assert_int_equal(in_nodes, m->ncpu);
}

static void test_recordings(void **state)
{
	struct bench *b = *state;

	for (u32 i = 0; i < ARRAY_SIZE(recorded); i++) {
		const struct machine *m, *direct;
		struct text shown = {0}, drawn = {0};
		char name[128];

		snprintf(name, sizeof(name), "%s.yaml", recorded[i]);
		m = load_data(b, name);
		assert_string_equal(m->name, recorded[i]);
		check_machine(m);
		snprintf(name, sizeof(name), "hwloc/%s.xml", recorded[i]);
		direct = load_data(b, name);
		same_machine(m, direct);
		machine_show(m, &shown);
		machine_draw(m, &drawn);
		has(shown.s, recorded[i]);
		has(drawn.s, "package 0");
		text_free(&shown);
		text_free(&drawn);
	}
}

/* A new recording in the folder is tested or refused, never forgotten. */
static void test_every_xml(void **state)
{
	struct bench *b = *state;
	char path[1024];
	struct dirent *e;
	u32 fine = 0, refused = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/machines/hwloc", SIBYL_SOURCE_DATA);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d))) {
		if (!strstr(e->d_name, ".xml"))
			continue;
		snprintf(path, sizeof(path), "%s/machines/hwloc/%s", SIBYL_SOURCE_DATA,
			 e->d_name);
		if (!strcmp(e->d_name, "nvidiaDGX2.xml")) {
			has(refuse(b, path), "hwloc XML of format 3.0");
			refused++;
			continue;
		}
		check_machine(load(b, path));
		fine++;
	}
	closedir(d);
	assert_int_equal(fine, ARRAY_SIZE(recorded));
	assert_int_equal(refused, 1);
}

static void test_every_yaml(void **state)
{
	struct bench *b = *state;
	char path[1024];
	struct dirent *e;
	u32 n = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/machines", SIBYL_SOURCE_DATA);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d)))
		if (strstr(e->d_name, ".yaml")) {
			check_machine(load_data(b, e->d_name));
			n++;
		}
	closedir(d);
	assert_true(n >= 13);
}

static void test_details_of_recordings(void **state)
{
	struct bench *b = *state;
	const struct machine *m = load_data(b, "96em64t-4n4d3ca2co-pci.yaml");

	assert_int_equal(m->npackage, 16);
	assert_int_equal(m->nllc, 16);
	assert_int_equal(m->nnode, 4);
	assert_int_equal(machine_distance(m, 0, 3), 26);
	/* two cores share an L2: a cluster, below the LLC */
	assert_int_equal(cpu_of(m, 0)->cluster, cpu_of(m, 4)->cluster);
	assert_int_not_equal(cpu_of(m, 0)->cluster, cpu_of(m, 8)->cluster);
	assert_int_equal(cpu_of(m, 0)->llc, cpu_of(m, 8)->llc);
	assert_int_not_equal(cpu_of(m, 0)->core, cpu_of(m, 4)->core);

	m = load_data(b, "16amd64-4distances.yaml");
	assert_int_equal(m->nllc, 16); /* the L2 of a core is all there is */
	assert_int_equal(m->node[cpu_of(m, 0)->node].os, 1);
	assert_int_equal(m->node[cpu_of(m, 2)->node].os, 0);
	assert_int_equal(m->node[0].memory, 8587984896ull);

	m = load_data(b, "192em64t-12gr2n8c2t.yaml");
	assert_int_equal(m->ncpu, 384);
	assert_int_equal(m->ncore, 192);
	assert_int_equal(cpu_of(m, 0)->core, cpu_of(m, 192)->core);
	assert_int_equal(machine_distance(m, 0, 1), 50);
	assert_int_equal(machine_distance(m, 0, 2), 65);
	assert_int_equal(machine_distance(m, 0, 10), 79);

	m = load_data(b, "power8gpudistances.yaml");
	assert_int_equal(m->ncpu, 16);
	assert_int_equal(m->cpu[15].os, 105);
	assert_int_equal(machine_distance(m, 1, 0), 40);

	m = load_data(b, "8intel64-4n2t-memattrs.yaml");
	assert_int_equal(m->npackage, 1);
	assert_int_equal(m->ncore, 8);
	/* the package is its LLC, but an LLC lies in one node */
	assert_int_equal(m->nllc, 4);
}

static void test_offline(void **state)
{
	struct bench *b = *state;
	const struct machine *m = load_data(b, "16em64t-4s2c2t-offlines.yaml");

	assert_int_equal(m->ncpu, 16);
	assert_int_equal(online(m), 7);
	assert_true(cpu_of(m, 0)->online);
	assert_false(cpu_of(m, 8)->online);
	assert_int_equal(cpu_of(m, 0)->core, cpu_of(m, 8)->core);
	assert_int_equal(cpu_of(m, 5)->package, cpu_of(m, 1)->package);
}

static void test_oracle(void **state)
{
	static const struct {
		const char *name;
		u32 ncpu, online, ncore, nllc, nnode, npackage;
	} want[] = {
		{"box-1s4c2t.yaml", 8, 8, 4, 1, 1, 1},
		{"oracle-smt8.yaml", 8, 8, 4, 1, 1, 1},
		{"oracle-nosmt8.yaml", 8, 4, 4, 1, 1, 1},
		{"oracle-llc16.yaml", 16, 16, 8, 4, 1, 4},
		{"oracle-numa16.yaml", 16, 16, 8, 2, 2, 2},
		{"oracle-s8x10.yaml", 80, 80, 80, 8, 1, 8},
	};
	struct bench *b = *state;
	const struct machine *m;

	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		m = load_data(b, want[i].name);
		assert_int_equal(m->ncpu, want[i].ncpu);
		assert_int_equal(online(m), want[i].online);
		assert_int_equal(m->ncore, want[i].ncore);
		assert_int_equal(m->nllc, want[i].nllc);
		assert_int_equal(m->nnode, want[i].nnode);
		assert_int_equal(m->npackage, want[i].npackage);
	}
	m = load_data(b, "oracle-nosmt8.yaml");
	for (u32 i = 0; i < 8; i++) {
		assert_int_equal(m->cpu[i].os, i);
		assert_int_equal(m->cpu[i].core, i / 2);
		assert_int_equal(m->cpu[i].thread, i % 2);
		assert_int_equal(m->cpu[i].online, i % 2 == 0);
	}
	m = load_data(b, "oracle-numa16.yaml");
	assert_int_equal(machine_distance(m, 0, 1), 21);
	assert_int_equal(cpu_of(m, 7)->node, 0);
	assert_int_equal(cpu_of(m, 8)->node, 1);
	m = load_data(b, "box-1s4c2t.yaml");
	assert_int_equal(cpu_of(m, 0)->core, cpu_of(m, 4)->core);
}

static void test_synthetic(void **state)
{
	struct bench *b = *state;
	const struct machine *m = load(b, "pack:2 l3:2 core:4 pu:2");

	check_machine(m);
	assert_int_equal(m->ncpu, 32);
	assert_int_equal(m->nllc, 4);
	assert_string_equal(m->name, "pack:2 l3:2 core:4 pu:2");
	m = load(b, "numa:2 pack:1 core:2 pu:1");
	assert_int_equal(m->nnode, 2);
	assert_int_equal(machine_distance(m, 0, 1), 20);
	assert_int_equal(m->node[0].memory, 0); /* what hwloc makes up is not known */
	/* memory beside memory: the CPUs stay with the first */
	m = load(b, "pack:2 [numa(memory=16GB)] [numa(memory=4GB)] core:2 pu:1");
	check_machine(m);
	assert_int_equal(m->nnode, 4);
	assert_int_equal(
		m->node[0].ncpu + m->node[1].ncpu + m->node[2].ncpu + m->node[3].ncpu, 4);
	for (u32 i = 0; i < m->ncpu; i++)
		assert_true(m->node[m->cpu[i].node].memory >= 16000000000ull);
}

static void test_synthetic_refused(void **state)
{
	struct bench *b = *state;

	has(refuse(b, "pack:1000 core:1000 pu:1000"), "more than 8192 CPUs");
	has(refuse(b, "pack:4 core:2049 pu:1"), "more than 8192 CPUs");
	has(refuse(b, "pack:99999999999999999999 pu:99999999999999999999"),
	    "more than 8192 CPUs");
	has(refuse(b, "pack:2 core:4 pu:2(indexes=4000000000,1)"), "above 65535");
	has(refuse(b, "nonsense:2 pu:4"), "no synthetic topology");
	has(refuse(b, "pack:0 core:2"), "no synthetic topology");
	has(refuse(b, "pack:2 core:"), "no synthetic topology");
	has(refuse(b, ":"), "no synthetic topology");
	has(refuse(b, "pack:2 [numa core:2"), "no synthetic topology");
	has(refuse(b, "no-such-machine"), "cannot be opened");
	has(refuse(b, ""), "cannot be opened");
	assert_int_equal(load(b, "pack:4 core:2048 pu:1")->ncpu, 8192);
}

static void test_this(void **state)
{
	struct bench *b = *state;
	const struct machine *m = load(b, "this");

	check_machine(m);
	assert_string_equal(m->file, "");
	assert_null(getenv("HWLOC_HIDE_ERRORS"));
}

/* Two memories beside the CPUs, the DRAM second; a GPU's memory far from all. */
static const char hbm[] =
	"<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n"
	"<object type=\"Machine\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
	"allowed_cpuset=\"0x3\" nodeset=\"0x7\" complete_nodeset=\"0x7\" "
	"allowed_nodeset=\"0x7\" gp_index=\"1\">\n"
	"<object type=\"NUMANode\" subtype=\"HBM\" os_index=\"0\" cpuset=\"0x3\" "
	"complete_cpuset=\"0x3\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2\" "
	"local_memory=\"1073741824\"/>\n"
	"<object type=\"NUMANode\" os_index=\"1\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
	"nodeset=\"0x2\" complete_nodeset=\"0x2\" gp_index=\"3\" "
	"local_memory=\"4294967296\"/>\n"
	"<object type=\"NUMANode\" subtype=\"GPUMemory\" os_index=\"2\" cpuset=\"0x0\" "
	"complete_cpuset=\"0x0\" nodeset=\"0x4\" complete_nodeset=\"0x4\" gp_index=\"4\" "
	"local_memory=\"1073741824\"/>\n"
	"<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
	"nodeset=\"0x3\" complete_nodeset=\"0x3\" gp_index=\"5\"/>\n"
	"<object type=\"PU\" os_index=\"1\" cpuset=\"0x2\" complete_cpuset=\"0x2\" "
	"nodeset=\"0x3\" complete_nodeset=\"0x3\" gp_index=\"6\"/>\n"
	"</object>\n</topology>\n";

static void test_memory_nodes(void **state)
{
	struct bench *b = *state;
	const struct machine *m = load(b, bench_text(b, "hbm.xml", hbm));
	struct text drawn = {0};

	check_machine(m);
	assert_int_equal(m->nnode, 3);
	assert_int_equal(m->cpu[0].node, 1);
	assert_int_equal(m->node[0].ncpu, 0);
	assert_int_equal(m->node[2].ncpu, 0);
	machine_draw(m, &drawn);
	has(drawn.s, "without CPUs: node 0, 1 GiB; node 2, 1 GiB");
	text_free(&drawn);
}

/* Cut at many places: a failure with the file's name, whatever is cut. */
static void test_truncated(void **state)
{
	struct bench *b = *state;
	char path[1024], *text;
	struct failure f;
	size_t len;

	snprintf(path, sizeof(path), "%s/machines/hwloc/16em64t-4s2c2t-offlines.xml",
		 SIBYL_SOURCE_DATA);
	assert_int_equal(file_read(&b->arena, path, 1u << 20, &text, &len, &f), 0);
	/* the last cut leaves </topology unfinished */
	for (size_t cut = 0; cut + 3 < len; cut += cut < 400 ? 7 : 61) {
		const char *e = refuse(b, bench_write(b, "cut.xml", text, cut));

		has(e, "cut.xml");
		has(e, "expected");
	}
	has(refuse(b, bench_write(b, "cut.xml", text, len - 3)), "cut.xml");
}

static char *replaced(struct bench *b, const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	assert_non_null(at);
	return arena_printf(&b->arena, "%.*s%s%s", (int)(at - text), text, to,
			    at + strlen(from));
}

static void test_broken_xml(void **state)
{
	static const struct {
		const char *from, *to, *say;
	} bad[] = {
		{" complete_cpuset=\"0x3\"", "", "no complete_cpuset"},
		{" complete_nodeset=\"0x7\"", "", "no complete_nodeset"},
		{" cpuset=\"0x1\"", "", "no cpuset"},
		{"cpuset=\"0x1\"", "cpuset=\"zebra\"", "expected hexadecimal"},
		{"cpuset=\"0x1\"", "cpuset=\"0xf...f\"", "expected hexadecimal"},
		{"cpuset=\"0x1\"", "cpuset=\"1x1\"", "expected hexadecimal"},
		{"cpuset=\"0x1\"", "cpuset=\"0x\"", "expected hexadecimal"},
		{"cpuset=\"0x1\"", "cpuset=\"0x000000001\"", "expected hexadecimal"},
		{"cpuset=\"0x1\"", "cpuset=\"0x1,\"", "expected hexadecimal"},
		{"cpuset=\"0x1\"", "cpuset=\"\"", "is empty"},
		/* hwloc's own count of words is one less, and it stops at once */
		{"cpuset=\"0x1\" complete_cpuset=\"0x1\"",
		 "cpuset=\"0x1\" complete_cpuset=\",0x1\"",
		 "complete_cpuset=\",0x1\", expected hexadecimal"},
		{" complete_cpuset=\"0x3\" allowed", " complete_cpuset=\",0x3\" allowed",
		 "complete_cpuset=\",0x3\", expected hexadecimal"},
		{"allowed_cpuset=\"0x3\"", "allowed_cpuset=\",0x3\"",
		 "allowed_cpuset=\",0x3\", expected hexadecimal"},
		{"nodeset=\"0x3\"", "nodeset=\",0x3\"",
		 "nodeset=\",0x3\", expected hexadecimal"},
		{"type=\"PU\" ", "", "no type"},
		{"type=\"NUMANode\"", "type=\"NUM\"", "unknown type 'NUM'"},
		{"type=\"PU\"", "type=PU", "without quotes"},
		{"os_index=\"1\" cpuset=\"0x2\"", "os_index=\"70000\" cpuset=\"0x2\"",
		 "os_index"},
		{"</object>", "</objekt>", "expected </object>"},
		{"</object>", "", "expected </object>"},
		{"</topology>", "</topology></topology>", "without an opening"},
		{"version=\"2.0\"", "version=\"3.0\"", "format 3.0"},
		{"version=\"2.0\"", "version=\"soon\"", "format soon"},
		{"</object>", "<spam/></object>", "an unknown element"},
		{"</object>", "<info name=\"a\" valu=\"b\"/></object>",
		 "only name and value"},
		{"cpuset=\"0x1\" ", "cpuset=\"0x5\" ", "cpuset that is not a part"},
		{"cpuset=\"0x1\" ", "cpuset=\"0x1,0x1\" ", "cpuset that is not a part"},
		{" nodeset=\"0x7\"", " nodeset=\"0xf\"", "nodeset that is not a part"},
		{" nodeset=\"0x7\" complete_nodeset=\"0x7\"", "", "no nodeset"},
		{"</object>", "bject/></object>", "text inside an object"},
		{"<topology", "<machine", "not an hwloc topology"},
		{"<?xml", "<!DOCTYPE a [<!ENTITY x \"y\">]><?xml", "outside of tags"},
	};
	struct bench *b = *state;

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		has(refuse(b, bench_text(b, "bad.xml",
					 replaced(b, hbm, bad[i].from, bad[i].to))),
		    bad[i].say);
	has(refuse(b, bench_text(b, "bad.xml", "")), "is empty");
	has(refuse(b, bench_text(b, "bad.xml", "hello")), "outside of tags");
	has(refuse(b, bench_write(b, "bad.xml", "<a\0b>", 5)), "zero byte");
	has(refuse(b, bench_text(b, "bad.xml", "<topology version=\"2.0\"/>")),
	    "hwloc cannot import");
	has(refuse(b, b->dir), "is a directory");
}

/* An empty word of a set is 0: what lstopo writes for many CPUs. */
static void test_empty_words(void **state)
{
	struct bench *b = *state;
	const char *xml = replaced(b, hbm, "cpuset=\"0x1\" complete_cpuset=\"0x1\"",
				   "cpuset=\"0x0,,0x1\" complete_cpuset=\"0,,00000001\"");

	same_machine(load(b, bench_text(b, "hbm.xml", xml)),
		     load(b, bench_text(b, "hbm.xml", hbm)));
}

/* hwloc fails assertions in what follows the objects, which nothing checks before it. */
static void test_crashes_hwloc(void **state)
{
	static const char *const after[] = {
		"<cpukind cpuset=\",0x3\"/></topology>",
		"<memattr name=\"Capacity\" flags=\"1\"><memattr_value "
		"target_obj_gp_index=\"2\" target_obj_type=\"NUMANode\" "
		"value=\"5\"/></memattr></topology>",
	};
	struct bench *b = *state;

	for (u32 i = 0; i < ARRAY_SIZE(after); i++) {
		const char *e =
			refuse(b, bench_text(b, "bad.xml",
					     replaced(b, hbm, "</topology>", after[i])));

		has(e, "bad.xml: hwloc ");
		has(e, "on this");
		has(e, "expected a topology as written by 'lstopo --of xml'");
	}
	load(b, bench_text(b, "hbm.xml", hbm));
}

static void test_too_many_cpus_in_xml(void **state)
{
	struct bench *b = *state;
	struct text set = {0};
	char *xml;

	for (u32 i = 0; i < 300; i++)
		text_str(&set, i ? ",0xffffffff" : "0xffffffff");
	xml = arena_printf(
		&b->arena,
		"<topology version=\"2.0\"><object type=\"Machine\" "
		"os_index=\"0\" cpuset=\"%s\" complete_cpuset=\"%s\" "
		"allowed_cpuset=\"%s\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
		"allowed_nodeset=\"0x1\" gp_index=\"1\"><object "
		"type=\"NUMANode\" os_index=\"0\" cpuset=\"%s\" "
		"complete_cpuset=\"%s\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
		"gp_index=\"2\"/></object></topology>",
		set.s, set.s, set.s, set.s, set.s);
	has(refuse(b, bench_text(b, "many.xml", xml)), "expected");
	text_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)
		T(test_recordings),
		T(test_every_xml),
		T(test_every_yaml),
		T(test_details_of_recordings),
		T(test_offline),
		T(test_oracle),
		T(test_synthetic),
		T(test_synthetic_refused),
		T(test_this),
		T(test_memory_nodes),
		T(test_truncated),
		T(test_broken_xml),
		T(test_empty_words),
		T(test_crashes_hwloc),
		T(test_too_many_cpus_in_xml),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
