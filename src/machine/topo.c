/*
 * From a raw topology to the arrays of struct machine: CPUs sorted by their number, ids
 * dense and in order of their first CPU, threads counted inside their core.
 *
 * The scheduler's domains nest: threads in a core, cores in a cluster, in a last-level
 * cache, in a node. Real parts break that (a cache that spans the nodes of a
 * sub-NUMA mode), so a thing that lies in two outer things is split into one for each.
 */
#include "topo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct topo_node *topo_node_find(const struct topo *t, u32 os)
{
	for (u32 i = 0; i < t->nnode; i++)
		if (t->node[i].os == os)
			return &t->node[i];
	return NULL;
}

void topo_node_add(struct topo *t, u32 os, u64 memory)
{
	if (!t->node)
		t->node = arena_array(t->arena, struct topo_node, MACHINE_MAX_NODES);
	if (topo_node_find(t, os) || t->nnode == MACHINE_MAX_NODES)
		return;
	t->node[t->nnode++] = (struct topo_node){.os = os, .memory = memory};
}

void topo_one_node(struct topo *t)
{
	t->nnode = 0;
	t->distance = NULL;
	topo_node_add(t, 0, 0);
	for (u32 i = 0; i < t->ncpu; i++)
		t->cpu[i].node = 0;
}

int cpulist_parse(const char *text, u8 *flags)
{
	const char *p = text;

	memset(flags, 0, TOPO_MAX_OS + 1);
	for (;;) {
		u64 lo, hi;
		char *end;

		while (isspace((unsigned char)*p))
			p++;
		if (!isdigit((unsigned char)*p))
			return -1;
		lo = hi = strtoull(p, &end, 10);
		if (*end == '-') {
			if (!isdigit((unsigned char)end[1]))
				return -1;
			hi = strtoull(end + 1, &end, 10);
		}
		if (lo > hi || hi > TOPO_MAX_OS)
			return -1;
		memset(flags + lo, 1, hi - lo + 1);
		p = end;
		while (isspace((unsigned char)*p))
			p++;
		if (!*p)
			return 0;
		if (*p++ != ',')
			return -1;
	}
}

struct keyed {
	u64 key;
	u32 i;
};

static int keyed_compare(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

/* Number distinct keys 0, 1, ... in order of their first appearance; returns how many. */
static u32 dense(struct arena *a, const u64 *key, u32 n, u32 *id)
{
	struct keyed *k = arena_array(a, struct keyed, n);
	u32 *first = arena_array(a, u32, n);
	u32 next = 0;

	for (u32 i = 0; i < n; i++)
		k[i] = (struct keyed){key[i], i};
	qsort(k, n, sizeof(*k), keyed_compare);
	for (u32 i = 0; i < n; i++)
		first[k[i].i] =
			i && k[i].key == k[i - 1].key ? first[k[i - 1].i] : k[i].i;
	for (u32 i = 0; i < n; i++)
		id[i] = first[i] == i ? next++ : id[first[i]];
	return next;
}

/* Ids of what has the same key *and* lies in the same outer thing. */
static u32 dense_in(struct arena *a, const u64 *key, const u32 *outer, u32 n, u32 *id)
{
	u64 *pair = arena_array(a, u64, n);

	dense(a, key, n, id);
	for (u32 i = 0; i < n; i++)
		pair[i] = (u64)outer[i] << 32 | id[i];
	return dense(a, pair, n, id);
}

static int cpu_compare(const void *a, const void *b)
{
	const struct topo_cpu *x = a, *y = b;

	return x->os < y->os ? -1 : x->os > y->os;
}

void topo_siblings_apart(struct topo *t)
{
	u64 *key = arena_array(t->arena, u64, t->ncpu);
	u32 *core = arena_array(t->arena, u32, t->ncpu);
	u32 *thread = arena_array(t->arena, u32, t->ncpu), *seen;
	u32 ncore, next = 0;

	qsort(t->cpu, t->ncpu, sizeof(*t->cpu), cpu_compare);
	for (u32 i = 0; i < t->ncpu; i++)
		key[i] = t->cpu[i].core;
	ncore = dense(t->arena, key, t->ncpu, core);
	seen = arena_array(t->arena, u32, ncore);
	for (u32 i = 0; i < t->ncpu; i++)
		thread[i] = seen[core[i]]++;
	for (u32 level = 0; next < t->ncpu; level++)
		for (u32 i = 0; i < t->ncpu; i++)
			if (thread[i] == level)
				t->cpu[i].os = next++;
}

static int nested_fail(const struct topo_cpu *c, const struct topo_cpu *first,
		       const char *inner, const char *outer, const char *file,
		       struct failure *f)
{
	return fail_input(
		f, file, c->line, c->col,
		"CPUs %u and %u share a %s but not a %s, expected a %s to lie in one "
		"%s",
		first->os, c->os, inner, outer, inner, outer);
}

int topo_check_nested(const struct topo *t, const char *file, struct failure *f)
{
	u64 *key = arena_array(t->arena, u64, t->ncpu);
	u32 *id = arena_array(t->arena, u32, t->ncpu);

	for (u32 what = 0; what < 3; what++) {
		const struct topo_cpu **first =
			arena_array(t->arena, const struct topo_cpu *, t->ncpu);

		for (u32 i = 0; i < t->ncpu; i++)
			key[i] = !what	     ? t->cpu[i].core
				 : what == 1 ? t->cpu[i].cluster
					     : t->cpu[i].llc;
		dense(t->arena, key, t->ncpu, id);
		for (u32 i = 0; i < t->ncpu; i++) {
			static const char *const names[] = {"core", "cluster", "llc"};
			const struct topo_cpu *c = &t->cpu[i], *o = first[id[i]];

			if (!o)
				first[id[i]] = c;
			else if (what < 1 && o->cluster != c->cluster)
				return nested_fail(c, o, names[what], "cluster", file, f);
			else if (what < 2 && o->llc != c->llc)
				return nested_fail(c, o, names[what], "llc", file, f);
			else if (o->node != c->node)
				return nested_fail(c, o, names[what], "node", file, f);
			else if (o->package != c->package)
				return nested_fail(c, o, names[what], "package", file, f);
		}
	}
	return 0;
}

static void order_nodes(struct topo *t, struct machine *m)
{
	u32 n = t->nnode, *from = arena_array(t->arena, u32, n);

	for (u32 i = 0; i < n; i++) {
		u32 at = i;

		while (at && t->node[from[at - 1]].os > t->node[i].os) {
			from[at] = from[at - 1];
			at--;
		}
		from[at] = i;
	}
	m->nnode = n;
	m->node = arena_array(t->arena, struct machine_node, n);
	m->distance = arena_array(t->arena, u32, (size_t)n * n);
	for (u32 i = 0; i < n; i++) {
		m->node[i].os = t->node[from[i]].os;
		m->node[i].memory = t->node[from[i]].memory;
		for (u32 j = 0; j < n; j++)
			m->distance[i * n + j] =
				t->distance ? t->distance[from[i] * n + from[j]]
				: i == j    ? TOPO_LOCAL
					    : TOPO_REMOTE;
	}
}

static u32 machine_node_index(const struct machine *m, u32 os)
{
	for (u32 i = 0; i < m->nnode; i++)
		if (m->node[i].os == os)
			return i;
	return 0;
}

static void number_cpus(struct topo *t, struct machine *m)
{
	u32 n = t->ncpu, *package = arena_array(t->arena, u32, n);
	u32 *node = arena_array(t->arena, u32, n), *both = arena_array(t->arena, u32, n);
	u32 *llc = arena_array(t->arena, u32, n),
	    *cluster = arena_array(t->arena, u32, n);
	u32 *core = arena_array(t->arena, u32, n), *seen;
	u64 *key = arena_array(t->arena, u64, n);

#define KEYS(member)                \
	for (u32 i = 0; i < n; i++) \
	key[i] = t->cpu[i].member
	KEYS(package);
	m->npackage = dense(t->arena, key, n, package);
	for (u32 i = 0; i < n; i++)
		key[i] = node[i] = machine_node_index(m, t->cpu[i].node);
	dense_in(t->arena, key, package, n, both);
	KEYS(llc);
	m->nllc = dense_in(t->arena, key, both, n, llc);
	KEYS(cluster);
	dense_in(t->arena, key, llc, n, cluster);
	KEYS(core);
	m->ncore = dense_in(t->arena, key, cluster, n, core);
#undef KEYS
	m->ncpu = n;
	m->cpu = arena_array(t->arena, struct machine_cpu, n);
	seen = arena_array(t->arena, u32, m->ncore);
	for (u32 i = 0; i < n; i++) {
		m->cpu[i] = (struct machine_cpu){.os = t->cpu[i].os,
						 .core = core[i],
						 .cluster = cluster[i],
						 .llc = llc[i],
						 .node = node[i],
						 .package = package[i],
						 .thread = seen[core[i]]++,
						 .online = t->cpu[i].online};
		m->node[node[i]].ncpu++;
	}
}

int topo_finish(struct topo *t, const struct place *at, struct machine *m,
		struct failure *f)
{
	u32 online = 0;

	qsort(t->cpu, t->ncpu, sizeof(*t->cpu), cpu_compare);
	for (u32 i = 0; i < t->ncpu; i++)
		online += t->cpu[i].online;
	if (!online)
		return fail_input(f, at->file ? at->file : "", at->line, at->col,
				  "no CPU is online, expected at least one");
	order_nodes(t, m);
	number_cpus(t, m);
	m->ncache = t->ncache;
	m->cache = arena_array(t->arena, struct machine_cache, t->ncache);
	for (u32 i = 0; i < t->ncache; i++) {
		u32 at_i = i;

		while (at_i && m->cache[at_i - 1].level > t->cache[i].level) {
			m->cache[at_i] = m->cache[at_i - 1];
			at_i--;
		}
		m->cache[at_i] = t->cache[i];
	}
	return 0;
}
