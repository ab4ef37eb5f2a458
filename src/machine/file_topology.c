/*
 * The topology part of a machine file: where it comes from (hwloc XML, a synthetic
 * string, this machine, a table of CPUs) and what is set on top of it: CPU numbers, which
 * CPUs are online, NUMA nodes, distances, caches.
 */
#include "machine_file.h"

#include <string.h>

enum column {
	COL_OS,
	COL_CORE,
	COL_CLUSTER,
	COL_LLC,
	COL_NODE,
	COL_PACKAGE,
	COL_ONLINE,
	COLUMNS
};

static const char *const column_names[] = {"os",   "core",    "cluster", "llc",
					   "node", "package", "online"};

static int columns_read(const struct ynode *n, u32 *cols, u32 *ncol, struct failure *f)
{
	u32 seen = 0;

	if (y_expect(n, Y_SEQ, f))
		return -1;
	*ncol = 0;
	y_for_each (c, n) {
		u32 col;

		if (y_choice(c, column_names, COLUMNS, &col, f))
			return -1;
		if (seen >> col & 1)
			return y_fail(c, f, "column '%s' is given twice", c->text);
		seen |= 1u << col;
		cols[(*ncol)++] = col;
	}
	if (!(seen >> COL_OS & 1))
		return y_fail(n, f, "no column 'os', expected the CPU's number");
	return 0;
}

static int row_read(const struct ynode *row, const u32 *cols, u32 ncol,
		    struct topo_cpu *c, struct failure *f)
{
	s64 v[COLUMNS];
	u32 has = 0, i = 0;

	if (y_expect(row, Y_SEQ, f))
		return -1;
	if (row->n != ncol)
		return y_fail(row, f, "%u values in a row, expected %u as in 'columns'",
			      row->n, ncol);
	c->online = true;
	y_for_each (cell, row) {
		u32 col = cols[i++];

		if (col == COL_ONLINE ? y_bool(cell, &c->online, f)
				      : y_int(cell, 0, TOPO_MAX_OS, &v[col], f))
			return -1;
		has |= 1u << col;
	}
	c->os = (u32)v[COL_OS];
	c->package = has >> COL_PACKAGE & 1 ? (u64)v[COL_PACKAGE] : 0;
	c->node = has >> COL_NODE & 1 ? (u32)v[COL_NODE] : 0;
	/* what is not told apart: every CPU a core, every core a cluster, a cache a
	 * package */
	c->core = has >> COL_CORE & 1 ? (u64)v[COL_CORE] : (u64)c->os;
	c->cluster = has >> COL_CLUSTER & 1 ? (u64)v[COL_CLUSTER] : c->core;
	c->llc = has >> COL_LLC & 1 ? (u64)v[COL_LLC] : c->package;
	c->line = row->line;
	c->col = row->col;
	return 0;
}

static int table_read(struct topo *t, const struct ynode *topology,
		      const struct ynode *rows, struct failure *f)
{
	const struct ynode *columns = y_need(topology, "columns", f);
	u8 *seen = arena_alloc(t->arena, TOPO_MAX_OS + 1);
	u32 cols[COLUMNS], ncol;

	if (!columns || columns_read(columns, cols, &ncol, f) || y_expect(rows, Y_SEQ, f))
		return -1;
	if (!rows->n || rows->n > MACHINE_MAX_CPUS)
		return y_fail(rows, f, "%u CPUs, expected 1 to %u", rows->n,
			      MACHINE_MAX_CPUS);
	t->cpu = arena_array(t->arena, struct topo_cpu, rows->n);
	y_for_each (row, rows) {
		struct topo_cpu *c = &t->cpu[t->ncpu];

		if (row_read(row, cols, ncol, c, f))
			return -1;
		if (seen[c->os]++)
			return y_fail(row, f, "CPU %u is given twice", c->os);
		t->ncpu++;
		topo_node_add(t, c->node, 0);
		if (!topo_node_find(t, c->node))
			return y_fail(row, f, "more than %u nodes, expected fewer",
				      MACHINE_MAX_NODES);
	}
	return topo_check_nested(t, rows->file, f);
}

static int this_read(struct topo *t, const struct ynode *n, struct failure *f)
{
	bool on;

	if (y_bool(n, &on, f))
		return -1;
	if (!on)
		return y_fail(n, f, "'%s', expected 'this: on' or another source",
			      n->text);
	return topo_from_this(t, f);
}

static int source_read(struct topo *t, const struct ynode *topology, struct failure *f)
{
	static const char *const sources[] = {"hwloc-xml", "synthetic", "this", "cpus"};
	const struct ynode *n = NULL;
	struct place at;
	const char *text;
	u32 which = 0;

	for (u32 i = 0; i < ARRAY_SIZE(sources); i++) {
		const struct ynode *c = y_get(topology, sources[i]);

		if (c && n)
			return y_fail_key(c, f, "'%s' beside '%s', expected one of them",
					  sources[i], n->key);
		if (c) {
			n = c;
			which = i;
		}
	}
	if (!n)
		return y_fail(topology, f,
			      "no topology, expected one of 'hwloc-xml', "
			      "'synthetic', 'this', 'cpus'");
	if (which == 3)
		return table_read(t, topology, n, f);
	if (which == 2)
		return this_read(t, n, f);
	if (y_str(n, &text, f))
		return -1;
	if (which == 0)
		return topo_from_xml(t, file_relative(t->arena, n->file, text), f);
	at = (struct place){n->file, n->line, n->col};
	return topo_from_synthetic(t, text, &at, f);
}

static int numbering_read(struct topo *t, const struct ynode *n, const struct ynode *from,
			  struct failure *f)
{
	static const char *const names[] = {"siblings-adjacent", "siblings-apart"};
	u32 which;

	if (y_choice(n, names, ARRAY_SIZE(names), &which, f))
		return -1;
	if (!from)
		return y_fail_key(n, f,
				  "'os-index' is for synthetic topologies, the others "
				  "have numbers");
	if (which == 1)
		topo_siblings_apart(t);
	return 0;
}

static int cpulist_read(const struct ynode *n, u8 *flags, struct failure *f)
{
	if (y_expect(n, Y_SCALAR, f))
		return -1;
	if (cpulist_parse(n->text, flags))
		return y_fail(n, f,
			      "'%.40s', expected a list of CPU numbers such as 0-3,8",
			      n->text);
	return 0;
}

static int no_such_cpu(const struct ynode *n, const struct topo *t, const u8 *flags,
		       struct failure *f)
{
	u8 *left = arena_alloc(t->arena, TOPO_MAX_OS + 1);

	memcpy(left, flags, TOPO_MAX_OS + 1);
	for (u32 i = 0; i < t->ncpu; i++)
		left[t->cpu[i].os] = 0;
	for (u32 os = 0; os <= TOPO_MAX_OS; os++)
		if (left[os])
			return y_fail(
				n, f,
				"CPU %u does not exist, expected CPUs of the topology",
				os);
	return 0;
}

static int online_read(struct topo *t, const struct ynode *n, struct failure *f)
{
	u8 *flags = arena_alloc(t->arena, TOPO_MAX_OS + 1);

	if (cpulist_read(n, flags, f) || no_such_cpu(n, t, flags, f))
		return -1;
	for (u32 i = 0; i < t->ncpu; i++)
		t->cpu[i].online = flags[t->cpu[i].os];
	return 0;
}

static int node_cpus(struct topo *t, const struct ynode *n, u32 os, struct failure *f)
{
	u8 *flags = arena_alloc(t->arena, TOPO_MAX_OS + 1);

	if (cpulist_read(n, flags, f) || no_such_cpu(n, t, flags, f))
		return -1;
	for (u32 i = 0; i < t->ncpu; i++) {
		if (!flags[t->cpu[i].os])
			continue;
		if (t->cpu[i].node != UINT32_MAX)
			return y_fail(n, f, "CPU %u is in two nodes, expected one",
				      t->cpu[i].os);
		t->cpu[i].node = os;
	}
	return 0;
}

static int node_read(struct topo *t, const struct ynode *c, struct failure *f)
{
	static const char *const keys[] = {"os", "cpus", "memory", NULL};
	const struct ynode *os, *cpus, *memory;
	u64 number, bytes = 0;

	if (y_check_keys(c, keys, f) || !(os = y_need(c, "os", f)) ||
	    y_value(os, UNIT_COUNT, 0, TOPO_MAX_OS, &number, f))
		return -1;
	cpus = y_get(c, "cpus");
	memory = y_get(c, "memory");
	if (memory && y_value(memory, UNIT_BYTES, 0, 1ull << 60, &bytes, f))
		return -1;
	if (topo_node_find(t, (u32)number))
		return y_fail(os, f, "node %s is given twice", os->text);
	topo_node_add(t, (u32)number, bytes);
	return cpus ? node_cpus(t, cpus, (u32)number, f) : 0;
}

/* The list replaces the nodes of the source; its `cpus` replace who is where. */
static int nodes_read(struct topo *t, const struct ynode *n, struct failure *f)
{
	bool cpus = false;

	if (y_expect(n, Y_SEQ, f))
		return -1;
	if (!n->n || n->n > MACHINE_MAX_NODES)
		return y_fail(n, f, "%u nodes, expected 1 to %u", n->n,
			      MACHINE_MAX_NODES);
	y_for_each (c, n)
		cpus |= c->kind == Y_MAP && y_get(c, "cpus");
	if (cpus)
		for (u32 i = 0; i < t->ncpu; i++)
			t->cpu[i].node = UINT32_MAX;
	t->nnode = 0;
	t->distance = NULL;
	y_for_each (c, n)
		if (node_read(t, c, f))
			return -1;
	for (u32 i = 0; i < t->ncpu; i++)
		if (t->cpu[i].node == UINT32_MAX)
			return y_fail(n, f, "CPU %u is in no node, expected it in one",
				      t->cpu[i].os);
		else if (!topo_node_find(t, t->cpu[i].node))
			return y_fail(n, f,
				      "CPU %u is in node %u, expected that node here",
				      t->cpu[i].os, t->cpu[i].node);
	return cpus ? 0 : topo_check_nested(t, n->file, f);
}

static int distances_read(struct topo *t, const struct ynode *n, struct failure *f)
{
	u32 i = 0;

	if (y_expect(n, Y_SEQ, f))
		return -1;
	if (n->n != t->nnode)
		return y_fail(n, f,
			      "%u rows of distances, expected %u, one for each node",
			      n->n, t->nnode);
	t->distance = arena_array(t->arena, u32, (size_t)t->nnode * t->nnode);
	y_for_each (row, n) {
		if (y_expect(row, Y_SEQ, f))
			return -1;
		if (row->n != t->nnode)
			return y_fail(row, f,
				      "%u distances, expected %u, one for each node",
				      row->n, t->nnode);
		y_for_each (cell, row) {
			bool local = i / t->nnode == i % t->nnode;
			s64 v;

			if (y_int(cell, TOPO_LOCAL, local ? TOPO_LOCAL : TOPO_MAX_DIST,
				  &v, f))
				return -1;
			t->distance[i++] = (u32)v;
		}
	}
	return 0;
}

static int caches_read(struct topo *t, const struct ynode *n, struct failure *f)
{
	static const char *const keys[] = {"level", "size", "cpus", NULL};

	if (y_expect(n, Y_SEQ, f))
		return -1;
	if (n->n > TOPO_MAX_CACHE)
		return y_fail(n, f, "%u caches, expected at most %u", n->n,
			      TOPO_MAX_CACHE);
	t->ncache = 0;
	y_for_each (c, n) {
		struct machine_cache *m = &t->cache[t->ncache];
		const struct ynode *level, *cpus, *size;
		u64 l, k;

		if (y_check_keys(c, keys, f) || !(level = y_need(c, "level", f)) ||
		    !(cpus = y_need(c, "cpus", f)) ||
		    y_value(level, UNIT_COUNT, 1, TOPO_MAX_CACHE, &l, f) ||
		    y_value(cpus, UNIT_COUNT, 1, t->ncpu, &k, f))
			return -1;
		for (u32 i = 0; i < t->ncache; i++)
			if (t->cache[i].level == l)
				return y_fail(level, f, "level %s is given twice",
					      level->text);
		m->level = (u32)l;
		m->cpus = (u32)k;
		m->size = 0;
		size = y_get(c, "size");
		if (size && y_value(size, UNIT_BYTES, 0, 1ull << 50, &m->size, f))
			return -1;
		t->ncache++;
	}
	return 0;
}

int file_topology(struct topo *t, const struct ynode *root, struct failure *f)
{
	static const char *const keys[] = {"hwloc-xml", "synthetic", "this",   "cpus",
					   "columns",	"os-index",  "online", NULL};
	const struct ynode *topology = y_need(root, "topology", f);
	const struct ynode *nodes = y_get(root, "nodes"), *caches = y_get(root, "caches");
	const struct ynode *distances = y_get(root, "distances"), *number, *online;

	if (!topology || y_check_keys(topology, keys, f) || source_read(t, topology, f))
		return -1;
	number = y_get(topology, "os-index");
	online = y_get(topology, "online");
	if (number && numbering_read(t, number, y_get(topology, "synthetic"), f))
		return -1;
	if ((online && online_read(t, online, f)) || (nodes && nodes_read(t, nodes, f)) ||
	    (distances && distances_read(t, distances, f)) ||
	    (caches && caches_read(t, caches, f)))
		return -1;
	return 0;
}
