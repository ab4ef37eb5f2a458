/*
 * Topology from hwloc: XML of any machine, a synthetic string, this machine. CPUs that
 * exist but are offline, or that this process may not use, are kept and marked offline.
 * What is known of an offline CPU is only which objects' complete sets hold it.
 *
 * Leaves out: dies and groups (no decision looks at them), instruction caches, devices.
 */
#include "topo.h"

#include <hwloc.h>
#include <hwloc/plugins.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml.h"

/* Keys of things that hwloc has no object for; its own keys are small numbers. */
#define KEY_PACKAGE (1ull << 40)
#define KEY_CORE    (2ull << 40)

/*
 * hwloc complains on stderr, and a library must not. It reads HWLOC_HIDE_ERRORS once, at
 * the first call of hwloc_hide_errors(), and never again: so it is set for that one call.
 * A user who set it has the last word.
 */
static void hwloc_silence(void)
{
	const char *name = "HWLOC_HIDE_ERRORS";
	bool ours = !getenv(name);

	if (ours)
		setenv(name, "2", 1);
	hwloc_hide_errors();
	if (ours)
		unsetenv(name);
}

struct reader {
	struct topo *t;
	hwloc_topology_t h;
	const struct place *at;
	u32 *index;	/* OS number -> index of the CPU + 1 */
	u32 *core_size; /* by CPU: how many share its core, its LLC */
	u32 *llc_size;
	struct failure *f;
};

static int reader_fail(struct reader *r, const char *what)
{
	return fail_input(r->f, r->at->file ? r->at->file : "", r->at->line, r->at->col,
			  "%s", what);
}

static int read_cpus(struct reader *r)
{
	hwloc_const_bitmap_t all = hwloc_topology_get_complete_cpuset(r->h);
	hwloc_const_bitmap_t here = hwloc_topology_get_topology_cpuset(r->h);
	hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(r->h);
	struct topo *t = r->t;
	int n = all ? hwloc_bitmap_weight(all) : 0;

	if (!here || n <= 0 || hwloc_bitmap_last(all) > (int)TOPO_MAX_OS)
		return reader_fail(r,
				   "the topology has no usable set of CPUs, expected 1 "
				   "to 8192 numbered below 65536");
	if (n > (int)MACHINE_MAX_CPUS)
		return fail_input(r->f, r->at->file ? r->at->file : "", r->at->line,
				  r->at->col, "%d CPUs, expected at most %u", n,
				  MACHINE_MAX_CPUS);
	t->cpu = arena_array(t->arena, struct topo_cpu, n);
	r->index = arena_array(t->arena, u32, TOPO_MAX_OS + 1);
	r->core_size = arena_array(t->arena, u32, n);
	r->llc_size = arena_array(t->arena, u32, n);
	for (int os = hwloc_bitmap_first(all); os >= 0; os = hwloc_bitmap_next(all, os)) {
		struct topo_cpu *c = &t->cpu[t->ncpu];

		c->os = (u32)os;
		c->online = hwloc_bitmap_isset(here, (unsigned)os) &&
			    (!allowed || hwloc_bitmap_isset(allowed, (unsigned)os));
		c->package = KEY_PACKAGE;
		c->core = KEY_CORE | (u32)os;
		c->node = UINT32_MAX;
		r->core_size[t->ncpu] = 1;
		r->index[os] = ++t->ncpu;
	}
	return 0;
}

#define for_each_inside(r, cpu, set)                      \
	for (int os_ = hwloc_bitmap_first(set), cpu = -1; \
	     os_ >= 0 && (cpu = inside(r, os_), true);    \
	     os_ = hwloc_bitmap_next(set, os_))           \
		if (cpu >= 0)

/* Index of the CPU with an OS number, or -1. */
static int inside(const struct reader *r, int os)
{
	return os <= (int)TOPO_MAX_OS ? (int)r->index[os] - 1 : -1;
}

static u64 key_of(hwloc_obj_t o)
{
	return o->gp_index & (KEY_PACKAGE - 1);
}

static u32 set_size(hwloc_const_bitmap_t set)
{
	int n = set ? hwloc_bitmap_weight(set) : 0;

	return n > 0 ? (u32)n : 0;
}

static void read_package(struct reader *r, hwloc_obj_t o)
{
	for_each_inside(r, i, o->complete_cpuset) r->t->cpu[i].package = key_of(o);
}

static void read_core(struct reader *r, hwloc_obj_t o)
{
	for_each_inside(r, i, o->complete_cpuset)
	{
		r->t->cpu[i].core = key_of(o);
		r->core_size[i] = set_size(o->complete_cpuset);
	}
}

/*
 * Called from the root downwards: the first cache that holds a CPU is its last level; the
 * next one that several cores share is its cluster.
 */
static void read_cache(struct reader *r, hwloc_obj_t o)
{
	u32 size = set_size(o->complete_cpuset);

	for_each_inside(r, i, o->complete_cpuset)
	{
		struct topo_cpu *c = &r->t->cpu[i];

		if (!r->llc_size[i]) {
			c->llc = key_of(o);
			r->llc_size[i] = size;
		} else if (!c->cluster && size < r->llc_size[i] &&
			   size > r->core_size[i]) {
			c->cluster = key_of(o);
		}
	}
}

static void note_cache(struct topo *t, hwloc_obj_t o, bool sizes_known)
{
	u32 level = o->attr->cache.depth, size = set_size(o->complete_cpuset);
	struct machine_cache *c = NULL;

	for (u32 i = 0; i < t->ncache; i++)
		if (t->cache[i].level == level)
			c = &t->cache[i];
	if (!c && t->ncache < TOPO_MAX_CACHE) {
		c = &t->cache[t->ncache++];
		c->level = level;
	}
	if (!c)
		return;
	c->cpus = max_u32(c->cpus, size);
	if (sizes_known)
		c->size = max_u64(c->size, o->attr->cache.size);
}

/*
 * Walk the levels twice: cores first, because a cluster is what is larger than a core.
 */
static void read_objects(struct reader *r, bool sizes_known)
{
	int depth = hwloc_topology_get_depth(r->h);

	for (int pass = 0; pass < 2; pass++)
		for (int d = 0; d < depth; d++) {
			hwloc_obj_type_t type = hwloc_get_depth_type(r->h, d);
			hwloc_obj_t o = NULL;

			while ((o = hwloc_get_next_obj_by_depth(r->h, d, o))) {
				if (!o->complete_cpuset)
					continue;
				if (!pass && type == HWLOC_OBJ_PACKAGE)
					read_package(r, o);
				else if (!pass && type == HWLOC_OBJ_CORE)
					read_core(r, o);
				else if (pass && hwloc_obj_type_is_dcache(type))
					read_cache(r, o);
				if (pass && hwloc_obj_type_is_dcache(type))
					note_cache(r->t, o, sizes_known);
			}
		}
	for (u32 i = 0; i < r->t->ncpu; i++) {
		struct topo_cpu *c = &r->t->cpu[i];

		if (!r->llc_size[i])
			c->llc = c->package | KEY_PACKAGE << 2;
		if (!c->cluster)
			c->cluster = c->core | KEY_CORE << 2;
	}
}

/* Memory that is not plain DRAM: no CPU calls it its own while there is DRAM. */
static bool is_special(hwloc_obj_t o)
{
	static const char *const kinds[] = {"MCDRAM", "HBM",	  "GPUMemory", "NVM",
					    "SPM",    "CXL-DRAM", "CXL-NVM"};

	for (u32 i = 0; o->subtype && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(o->subtype, kinds[i]))
			return true;
	return false;
}

/*
 * The node of a CPU, of all that are local to it: DRAM before other memory, the one local
 * to the fewest CPUs, the lowest number. A node attached to the whole machine while every
 * CPU has a closer one is a node without CPUs.
 */
static int read_nodes(struct reader *r, bool sizes_known)
{
	u64 *rank = arena_array(r->t->arena, u64, r->t->ncpu);
	hwloc_obj_t o = NULL;

	while ((o = hwloc_get_next_obj_by_depth(r->h, HWLOC_TYPE_DEPTH_NUMANODE, o))) {
		u64 mine = (u64)is_special(o) << 60 | (u64)set_size(o->cpuset) << 32 |
			   (u64)o->os_index << 1 | 1;

		if (o->os_index > TOPO_MAX_OS || r->t->nnode == MACHINE_MAX_NODES)
			return reader_fail(r, "too many NUMA nodes, expected at most 256 "
					      "numbered below 65536");
		topo_node_add(r->t, o->os_index,
			      sizes_known ? o->attr->numanode.local_memory : 0);
		if (!o->complete_cpuset)
			continue;
		for_each_inside(r, i, o->complete_cpuset) if (!rank[i] || mine < rank[i])
		{
			rank[i] = mine;
			r->t->cpu[i].node = o->os_index;
		}
	}
	if (!r->t->nnode)
		topo_one_node(r->t);
	for (u32 i = 0; i < r->t->ncpu; i++)
		if (r->t->cpu[i].node == UINT32_MAX)
			r->t->cpu[i].node = i ? r->t->cpu[i - 1].node : r->t->node[0].os;
	return 0;
}

static u32 node_index(const struct topo *t, u32 os)
{
	return (u32)(topo_node_find(t, os) - t->node);
}

/* A matrix that is no SLIT (recorded by hand, other scale) is as good as none. */
static bool usable(const struct hwloc_distances_s *d)
{
	for (u32 i = 0; i < d->nbobjs; i++)
		for (u32 j = 0; j < d->nbobjs; j++) {
			u64 v = d->values[i * d->nbobjs + j];

			if (!d->objs[i] || (i == j && v != TOPO_LOCAL) ||
			    v < TOPO_LOCAL || v > TOPO_MAX_DIST)
				return false;
		}
	return true;
}

static void read_distances(struct reader *r)
{
	struct hwloc_distances_s *d;
	struct topo *t = r->t;
	unsigned n = 1;

	if (hwloc_distances_get_by_type(r->h, HWLOC_OBJ_NUMANODE, &n, &d,
					HWLOC_DISTANCES_KIND_FROM_OS |
						HWLOC_DISTANCES_KIND_MEANS_LATENCY,
					0) ||
	    !n)
		return;
	if (usable(d)) {
		t->distance = arena_array(t->arena, u32, (size_t)t->nnode * t->nnode);
		for (u32 i = 0; i < t->nnode * t->nnode; i++)
			t->distance[i] = i % (t->nnode + 1) ? TOPO_REMOTE : TOPO_LOCAL;
		for (u32 i = 0; i < d->nbobjs; i++)
			for (u32 j = 0; j < d->nbobjs; j++)
				t->distance[node_index(t, d->objs[i]->os_index) *
						    t->nnode +
					    node_index(t, d->objs[j]->os_index)] =
					(u32)d->values[i * d->nbobjs + j];
	}
	hwloc_distances_release(r->h, d);
}

static int read_all(struct topo *t, hwloc_topology_t h, const struct place *at,
		    bool caches_known, bool memory_known, struct failure *f)
{
	struct reader r = {.t = t, .h = h, .at = at, .f = f};

	if (read_cpus(&r))
		return -1;
	read_objects(&r, caches_known);
	if (read_nodes(&r, memory_known))
		return -1;
	read_distances(&r);
	return 0;
}

static hwloc_topology_t topology_new(void)
{
	hwloc_topology_t h;

	hwloc_silence();
	if (hwloc_topology_init(&h))
		return NULL;
	hwloc_topology_set_flags(h, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	return h;
}

#define XML_MAX_BYTES	(64u << 20)
#define XML_MAX_SECONDS 60u

/* In the child process. */
static int xml_read(struct topo *t, const struct topo_text *in, struct failure *f)
{
	struct place at = {in->file, 0, 0};
	hwloc_topology_t h = topology_new();
	int rc;

	/* the size that hwloc wants includes the terminator */
	if (!h || hwloc_topology_set_xmlbuffer(h, in->text, (int)in->len + 1) ||
	    hwloc_topology_load(h))
		rc = fail_input(
			f, in->file, 0, 0,
			"hwloc cannot import this, expected a topology as written by "
			"'lstopo --of xml'");
	else
		rc = read_all(t, h, &at, true, true, f);
	if (h)
		hwloc_topology_destroy(h);
	return rc;
}

int topo_from_xml(struct topo *t, const char *path, struct failure *f)
{
	struct topo_text in = {.file = path};
	char *text;

	if (file_read(t->arena, path, XML_MAX_BYTES, &text, &in.len, f) ||
	    hwloc_xml_check(path, text, in.len, f))
		return -1;
	in.text = text;
	return topo_in_child(t, xml_read, &in, XML_MAX_SECONDS, f);
}

int topo_from_this(struct topo *t, struct failure *f)
{
	struct place at = {NULL, 0, 0};
	hwloc_topology_t h = topology_new();
	int rc;

	if (!h || hwloc_topology_load(h))
		rc = fail_set(f, FAIL_IO, NULL,
			      "hwloc cannot read the topology of this machine");
	else
		rc = read_all(t, h, &at, true, true, f);
	if (h)
		hwloc_topology_destroy(h);
	return rc;
}

int topo_from_synthetic(struct topo *t, const char *text, const struct place *at,
			struct failure *f)
{
	const char *file = at->file ? at->file : "";
	bool caches = strstr(text, "size=") != NULL;
	bool memory = strstr(text, "memory=") != NULL;
	hwloc_topology_t h;
	int rc;

	if (hwloc_synthetic_check(text, at, f))
		return -1;
	h = topology_new();
	if (!h || hwloc_topology_set_synthetic(h, text) || hwloc_topology_load(h))
		rc = fail_input(f, file, at->line, at->col,
				"'%.80s' is no synthetic topology, expected one such as "
				"'pack:2 core:4 pu:2'",
				text);
	else
		rc = read_all(t, h, at, caches, memory, f);
	if (h)
		hwloc_topology_destroy(h);
	return rc;
}
