/*
 * A machine in a few aligned lines. Rounds sizes for the eye; the exact values are in
 * the file.
 */
#include "show.h"

#include <string.h>

#include "base/cpumask.h"

void size_print(u64 bytes, char *buf, size_t size)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	struct text t = {0};
	u64 tenths;
	u32 u = 0;

	while (u + 1 < ARRAY_SIZE(units) && bytes >> (10 * (u + 1)))
		u++;
	tenths = mul_div(bytes, 10, 1ull << (10 * u));
	if (tenths % 10 == 0 || tenths >= 1000)
		text_fmt(&t, "%llu %s", (unsigned long long)((tenths + 5) / 10),
			 units[u]);
	else
		text_fmt(&t, "%llu.%llu %s", (unsigned long long)(tenths / 10),
			 (unsigned long long)(tenths % 10), units[u]);
	strncpy(buf, t.s, size - 1);
	buf[size - 1] = '\0';
	text_free(&t);
}

/* OS numbers are not dense: runs of neighbours as "0-3,8". */
void cpus_print(const struct machine *m, cpu_test test, u32 arg, struct text *out)
{
	u32 from = UINT32_MAX, last = 0;
	bool any = false;

	for (u32 i = 0; i <= m->ncpu; i++) {
		bool in = i < m->ncpu && test(&m->cpu[i], arg);

		if (from != UINT32_MAX && (!in || m->cpu[i].os != last + 1)) {
			text_fmt(out, last > from ? "%s%u-%u" : "%s%u", any ? "," : "",
				 from, last);
			any = true;
			from = UINT32_MAX;
		}
		if (!in)
			continue;
		last = m->cpu[i].os;
		if (from == UINT32_MAX)
			from = last;
	}
	if (!any)
		text_str(out, "none");
}

static bool is_online(const struct machine_cpu *c, u32 on)
{
	return c->online == (on != 0);
}

static bool in_node(const struct machine_cpu *c, u32 node)
{
	return c->node == node;
}

bool memory_known(const struct machine *m)
{
	for (u32 i = 0; i < m->nnode; i++)
		if (m->node[i].memory)
			return true;
	return false;
}

static u32 online_count(const struct machine *m)
{
	u32 n = 0;

	for (u32 i = 0; i < m->ncpu; i++)
		n += m->cpu[i].online;
	return n;
}

static void show_cpus(const struct machine *m, struct text *out)
{
	u32 online = online_count(m), threads = 0;

	for (u32 i = 0; i < m->ncpu; i++)
		threads = max_u32(threads, m->cpu[i].thread + 1);
	text_fmt(out, "CPUs         %u: ", m->ncpu);
	cpus_print(m, is_online, 1, out);
	if (online < m->ncpu) {
		text_fmt(out, " (%u online), offline ", online);
		cpus_print(m, is_online, 0, out);
	}
	text_fmt(out, "\ncores        %u, %s%u thread%s each\n", m->ncore,
		 threads * m->ncore != m->ncpu ? "up to " : "", threads,
		 threads == 1 ? "" : "s");
	text_fmt(out, "LLCs         %u\npackages     %u\n", m->nllc, m->npackage);
}

/* A matrix of more nodes than this is no help to the eye. */
#define MATRIX_NODES 32u

static void show_nodes(const struct machine *m, struct text *out)
{
	u32 cols = m->nnode <= MATRIX_NODES ? m->nnode : 0;
	struct table t;

	table_init(&t, 3 + cols, ~4ull); /* the list of CPUs is left-justified */
	table_cell(&t, "node");
	table_cell(&t, "memory");
	table_cell(&t, "CPUs");
	for (u32 j = 0; j < cols; j++)
		table_cell(&t, "%u", m->node[j].os);
	for (u32 i = 0; i < m->nnode; i++) {
		struct text cpus = {0};
		char size[40] = "unknown";

		if (m->node[i].memory)
			size_print(m->node[i].memory, size, sizeof(size));
		else if (memory_known(m))
			strcpy(size, "none");
		cpus_print(m, in_node, i, &cpus);
		table_cell(&t, "%u", m->node[i].os);
		table_cell(&t, "%s", size);
		table_cell(&t, "%s", cpus.s);
		for (u32 j = 0; j < cols; j++)
			table_cell(&t, "%u", machine_distance(m, i, j));
		text_free(&cpus);
	}
	text_fmt(out, "nodes        %u%s\n", m->nnode,
		 cols ? ", with the distance to each (10 = local)" : "");
	table_render(&t, out, "  ");
	table_free(&t);
}

static void show_caches(const struct machine *m, struct text *out)
{
	text_str(out, "caches       ");
	if (!m->ncache)
		text_str(out, "sizes not known");
	for (u32 i = 0; i < m->ncache; i++) {
		const struct machine_cache *c = &m->cache[i];
		char size[40] = "";

		if (c->size)
			size_print(c->size, size, sizeof(size));
		text_fmt(out, "%sL%u%s%s for %u CPU%s", i ? ", " : "", c->level,
			 c->size ? " " : "", size, c->cpus, c->cpus == 1 ? "" : "s");
	}
	text_char(out, '\n');
}

static void cell_value(struct table *t, u64 value, enum unit unit)
{
	char buf[48];

	unit_print(value, unit, buf, sizeof(buf));
	table_cell(t, "%s", buf);
}

static void show_idle(const struct machine *m, struct text *out)
{
	struct table t;

	table_init(&t, 4, 6);
	table_cell(&t, "idle state");
	table_cell(&t, "exit");
	table_cell(&t, "residency");
	table_cell(&t, "source");
	for (u32 i = 0; i < m->nidle; i++) {
		table_cell(&t, "%s", m->idle[i].name);
		cell_value(&t, m->idle[i].exit, UNIT_TIME);
		cell_value(&t, m->idle[i].residency, UNIT_TIME);
		table_cell(&t, "%s", m->idle[i].source);
	}
	table_render(&t, out, "");
	table_free(&t);
}

static void show_costs(const struct machine *m, struct text *out)
{
	struct table t;

	table_init(&t, 4, 2);
	table_cell(&t, "cost");
	table_cell(&t, "value");
	table_cell(&t, "set by");
	table_cell(&t, "source");
	for (u32 i = 0; i < COST_COUNT; i++) {
		table_cell(&t, "%s", cost_rows[i].name);
		cell_value(&t, m->cost[i].value, cost_rows[i].unit);
		table_cell(&t, "%s", m->cost[i].is_default ? "default" : "file");
		table_cell(&t, "%s", m->cost[i].source);
	}
	table_render(&t, out, "");
	table_free(&t);
}

static void show_frequency(const struct machine *m, struct text *out)
{
	char nominal[48], hold[48];
	struct table t;

	if (!m->freq_nominal) {
		text_str(out,
			 "frequency    not known: every core at its nominal speed\n");
		return;
	}
	unit_print(m->freq_nominal, UNIT_FREQ, nominal, sizeof(nominal));
	unit_print(m->freq_hold, UNIT_TIME, hold, sizeof(hold));
	text_fmt(out, "frequency    %s nominal, a licence is held %s; %s\n", nominal,
		 hold, m->freq_source);
	if (!m->nfreq)
		return;
	table_init(&t, 4, 0xf);
	table_cell(&t, "active cores");
	table_cell(&t, "scalar");
	table_cell(&t, "avx2");
	table_cell(&t, "avx512");
	for (u32 i = 0; i < m->nfreq; i++) {
		table_cell(&t, "up to %u", m->freq[i].upto);
		for (u32 k = 0; k < 3; k++)
			cell_value(&t, m->freq[i].hz[k], UNIT_FREQ);
	}
	table_render(&t, out, "  ");
	table_free(&t);
}

static void show_smt(const struct machine *m, struct text *out)
{
	struct table t;

	if (!m->nsmt)
		return;
	table_init(&t, 4, 4);
	table_cell(&t, "SMT self");
	table_cell(&t, "beside");
	table_cell(&t, "keeps");
	table_cell(&t, "source");
	for (u32 i = 0; i < m->nsmt; i++) {
		table_cell(&t, "%s", m->smt[i].self);
		table_cell(&t, "%s", m->smt[i].other);
		cell_value(&t, m->smt[i].keep, UNIT_RATIO);
		table_cell(&t, "%s", m->smt[i].source);
	}
	table_render(&t, out, "");
	table_free(&t);
}

static void show_host(const struct machine *m, struct text *out)
{
	char slice[48];

	unit_print(m->host_slice, UNIT_TIME, slice, sizeof(slice));
	text_fmt(out, "\nhost         %u of its CPUs run at a time, %s each in turn\n",
		 m->host_cpus, slice);
	if (m->host_wake) {
		unit_print(m->host_wake, UNIT_TIME, slice, sizeof(slice));
		text_fmt(out, "             an idle one waits %s for its turn\n", slice);
	}
	if (m->host_timer) {
		unit_print(m->host_timer, UNIT_RATIO, slice, sizeof(slice));
		text_fmt(out,
			 "             a busy one waits for a turn after %s of timers\n",
			 slice);
	}
	text_fmt(out, "             %s\n", m->host_source);
}

void machine_show(const struct machine *m, struct text *out)
{
	text_fmt(out, "machine      %s\n             %s\n", m->name, m->description);
	if (*m->file)
		text_fmt(out, "file         %s\n", m->file);
	text_fmt(out, "source       %s\n", m->source);
	show_cpus(m, out);
	show_nodes(m, out);
	show_caches(m, out);
	text_char(out, '\n');
	show_idle(m, out);
	text_char(out, '\n');
	show_costs(m, out);
	text_char(out, '\n');
	show_frequency(m, out);
	show_smt(m, out);
	if (m->host_cpus)
		show_host(m, out);
}
