/*
 * `numactl -H` text: which CPUs, how much memory, how far. Lines that say something else
 * (free memory, a shell prompt) are skipped.
 */
#include "import.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml.h"

struct numactl {
	struct topo *t;
	const char *path;
	u32 line;
	u32 *cpu_node; /* OS number of a CPU -> OS number of its node + 1 */
	u32 column[MACHINE_MAX_NODES]; /* of the matrix: OS number of the node */
	u32 columns, rows;
	u32 *distance; /* rows as they come, TOPO_REMOTE where nothing came */
	bool matrix;
	struct failure *f;
};

static int numactl_fail(struct numactl *n, const char *what)
{
	return fail_input(n->f, n->path, n->line, 1,
			  "%s, expected the output of 'numactl -H'", what);
}

/* The next number of a line, or false at its end or at something else. */
static bool number(const char **p, u64 *out)
{
	char *end;

	*p += strspn(*p, " \t");
	if (!isdigit((unsigned char)**p))
		return false;
	*out = strtoull(*p, &end, 10);
	*p = end;
	return true;
}

static int cpus_read(struct numactl *n, u32 node, const char *p)
{
	u64 os;

	while (number(&p, &os)) {
		if (os > TOPO_MAX_OS)
			return numactl_fail(n, "a CPU number above 65535");
		if (n->cpu_node[os] && n->cpu_node[os] != node + 1)
			return fail_input(
				n->f, n->path, n->line, 1,
				"CPU %u is in node %u and in node %u, expected it in "
				"one",
				(u32)os, n->cpu_node[os] - 1, node);
		n->cpu_node[os] = node + 1;
	}
	return 0;
}

static int size_read(struct numactl *n, struct topo_node *node, const char *p)
{
	static const char *const units[] = {"kB", "MB", "GB"};
	u64 v;

	if (!number(&p, &v))
		return 0; /* "<not available>" */
	p += strspn(p, " \t");
	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		if (!strncmp(p, units[i], 2) && v < 1ull << 30) {
			node->memory = v << (10 * (i + 1));
			return 0;
		}
	return numactl_fail(n, "a size without a unit");
}

/* "node 0 cpus: 0 1 2", "node 0 size: 15975 MB", "node   0   1" above the matrix */
static int node_line(struct numactl *n, const char *p)
{
	struct topo_node *node;
	const char *rest;
	u64 os;

	if (n->matrix) {
		while (number(&p, &os)) {
			if (n->columns == n->t->nnode)
				return numactl_fail(n, "more columns than nodes");
			n->column[n->columns++] = (u32)min_u64(os, UINT32_MAX);
		}
		return 0;
	}
	rest = p;
	if (!number(&rest, &os))
		return 0;
	if (os > TOPO_MAX_OS)
		return numactl_fail(n, "a node number above 65535");
	topo_node_add(n->t, (u32)os, 0);
	node = topo_node_find(n->t, (u32)os);
	if (!node)
		return numactl_fail(n, "more than 256 nodes");
	rest += strspn(rest, " \t");
	if (!strncmp(rest, "cpus:", 5))
		return cpus_read(n, (u32)os, rest + 5);
	if (!strncmp(rest, "size:", 5))
		return size_read(n, node, rest + 5);
	return 0;
}

/* "  0:  10  21" */
static int matrix_row(struct numactl *n, const char *p)
{
	struct topo_node *row, *col;
	u64 os, v;
	u32 c = 0;

	if (!number(&p, &os) || *p++ != ':')
		return 0;
	row = topo_node_find(n->t, (u32)min_u64(os, UINT32_MAX));
	if (!row)
		return numactl_fail(n, "distances of a node that was not listed");
	for (; number(&p, &v); c++) {
		if (c >= n->columns)
			return numactl_fail(n, "more distances than columns");
		col = topo_node_find(n->t, n->column[c]);
		if (!col)
			return numactl_fail(n, "distances to a node that was not listed");
		if (v < TOPO_LOCAL || v > TOPO_MAX_DIST ||
		    (row == col && v != TOPO_LOCAL))
			return numactl_fail(n, "a distance outside of 10 (local) to 254");
		n->distance[(u32)(row - n->t->node) * n->t->nnode +
			    (u32)(col - n->t->node)] = (u32)v;
	}
	if (c != n->columns)
		return numactl_fail(n, "fewer distances than columns");
	n->rows++;
	return 0;
}

static void matrix_start(struct numactl *n)
{
	u32 size = n->t->nnode * n->t->nnode;

	n->matrix = true;
	n->columns = n->rows = 0;
	n->distance = arena_array(n->t->arena, u32, size);
	for (u32 i = 0; i < size; i++)
		n->distance[i] = i % (n->t->nnode + 1) ? TOPO_REMOTE : TOPO_LOCAL;
}

static int line_read(struct numactl *n, const char *line)
{
	line += strspn(line, " \t");
	if (!strncmp(line, "node distances:", 15)) {
		matrix_start(n);
		return 0;
	}
	if (!strncmp(line, "node ", 5))
		return node_line(n, line + 5);
	return n->matrix ? matrix_row(n, line) : 0;
}

static int apply(struct numactl *n, bool nodes_before)
{
	struct topo *t = n->t;

	for (u32 i = 0; i < t->ncpu; i++) {
		struct topo_cpu *c = &t->cpu[i];
		u32 node = n->cpu_node[c->os];

		/* numactl lists only online CPUs */
		if (node && c->online && nodes_before && c->node != node - 1)
			return fail_input(
				n->f, n->path, 0, 0,
				"CPU %u is in node %u here and in node %u in the other "
				"text, expected texts of the same machine",
				c->os, node - 1, c->node);
		if (node)
			c->node = node - 1;
		if (!topo_node_find(t, c->node))
			return fail_input(
				n->f, n->path, 0, 0,
				"CPU %u is in node %u, which is not listed here, "
				"expected texts of the same machine",
				c->os, c->node);
	}
	if (n->matrix && n->rows != t->nnode)
		return fail_input(n->f, n->path, 0, 0,
				  "distances of %u nodes, expected them of %u", n->rows,
				  t->nnode);
	t->distance = n->matrix ? n->distance : t->distance;
	return 0;
}

int topo_apply_numactl(struct topo *t, const char *path, struct failure *f)
{
	struct numactl n = {.t = t, .path = path, .line = 1, .f = f};
	bool nodes_before = t->nnode > 1;
	char *text, *next;
	size_t len;

	if (file_read(t->arena, path, 4u << 20, &text, &len, f))
		return -1;
	n.cpu_node = arena_array(t->arena, u32, TOPO_MAX_OS + 1);
	t->nnode = 0;
	t->distance = NULL;
	for (char *line = text; line; line = next, n.line++) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (line_read(&n, line))
			return -1;
	}
	if (!t->nnode) {
		n.line = 0;
		return numactl_fail(&n, "no line 'node 0 cpus: ...'");
	}
	return apply(&n, nodes_before);
}
