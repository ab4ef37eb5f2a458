/*
 * Loading a machine: a machine file, hwloc XML, a synthetic string, or `this`. The result
 * is immutable and lives in the caller's arena. Cost rows are in file_rows.c, the
 * topology in topo*.c; showing and importing have files of their own.
 */
#include "machine_file.h"

#include <string.h>
#include <sys/stat.h>

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && !strcmp(s + n - k, end);
}

static const char *name_of(struct arena *a, const char *path)
{
	static const char *const ends[] = {".yaml", ".yml", ".xml"};
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t n = strlen(base);

	for (u32 i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends_with(base, ends[i]) && n > strlen(ends[i]))
			return arena_strndup(a, base, n - strlen(ends[i]));
	return arena_strdup(a, base);
}

static int load_file(struct arena *a, const char *path, struct machine *m,
		     struct failure *f)
{
	struct topo t = {.arena = a};
	const struct ynode *root;
	struct place at;

	if (yaml_load_file(a, path, &root, f) || file_check_keys(root, f) ||
	    file_topology(&t, root, f))
		return -1;
	at = (struct place){root->file, root->line, root->col};
	m->description = y_get(root, "description")->text;
	m->source = y_get(root, "source")->text;
	if (topo_finish(&t, &at, m, f))
		return -1;
	return file_rows(a, root, m, f);
}

static int load_xml(struct arena *a, const char *path, struct machine *m,
		    struct failure *f)
{
	struct topo t = {.arena = a};
	struct place at = {path, 0, 0};

	m->description = "imported from hwloc XML";
	m->source = "documented: the hwloc XML file";
	return topo_from_xml(&t, path, f) ? -1 : topo_finish(&t, &at, m, f);
}

static int load_this(struct arena *a, struct machine *m, struct failure *f)
{
	struct topo t = {.arena = a};
	struct place at = {NULL, 0, 0};

	m->description = "the machine that this program runs on";
	m->source = "measured: hwloc, on this machine";
	m->file = "";
	return topo_from_this(&t, f) ? -1 : topo_finish(&t, &at, m, f);
}

static int load_synthetic(struct arena *a, const char *text, struct machine *m,
			  struct failure *f)
{
	struct topo t = {.arena = a};
	struct place at = {NULL, 0, 0};

	m->name = arena_strdup(a, text);
	m->description = arena_printf(a, "synthetic: %s", text);
	m->source = "estimate: a synthetic topology";
	m->file = "";
	return topo_from_synthetic(&t, text, &at, f) ? -1 : topo_finish(&t, &at, m, f);
}

int machine_load(struct arena *a, const char *what, const struct machine **out,
		 struct failure *f)
{
	struct machine *m = arena_new(a, struct machine);
	struct stat st;
	int rc;

	m->name = name_of(a, what);
	m->file = arena_strdup(a, what);
	rows_defaults(a, m);
	if (!strcmp(what, "this"))
		rc = load_this(a, m, f);
	else if (ends_with(what, ".xml"))
		rc = load_xml(a, what, m, f);
	else if (!stat(what, &st) || ends_with(what, ".yaml") || strchr(what, '/') ||
		 !strchr(what, ':'))
		rc = load_file(a, what, m, f);
	else
		rc = load_synthetic(a, what, m, f);
	if (rc)
		return -1;
	*out = m;
	return 0;
}

void machine_canonical(const struct machine *m, struct text *out)
{
	text_fmt(out, "cpus %u cores %u llcs %u nodes %u packages %u\n", m->ncpu,
		 m->ncore, m->nllc, m->nnode, m->npackage);
	for (u32 i = 0; i < m->ncpu; i++) {
		const struct machine_cpu *c = &m->cpu[i];

		text_fmt(out, "cpu %u %u %u %u %u %u %u %d\n", c->os, c->core, c->cluster,
			 c->llc, c->node, c->package, c->thread, c->online);
	}
	for (u32 i = 0; i < m->nnode; i++) {
		text_fmt(out, "node %u %llu", m->node[i].os,
			 (unsigned long long)m->node[i].memory);
		for (u32 j = 0; j < m->nnode; j++)
			text_fmt(out, " %u", machine_distance(m, i, j));
		text_char(out, '\n');
	}
	for (u32 i = 0; i < m->ncache; i++)
		text_fmt(out, "cache %u %llu %u\n", m->cache[i].level,
			 (unsigned long long)m->cache[i].size, m->cache[i].cpus);
	for (u32 i = 0; i < COST_COUNT; i++)
		text_fmt(out, "cost %s %llu\n", cost_rows[i].name,
			 (unsigned long long)m->cost[i].value);
	for (u32 i = 0; i < m->nidle; i++)
		text_fmt(out, "idle %s %llu %llu\n", m->idle[i].name,
			 (unsigned long long)m->idle[i].exit,
			 (unsigned long long)m->idle[i].residency);
	if (m->host_cpus)
		text_fmt(out, "host %u %llu\n", m->host_cpus,
			 (unsigned long long)m->host_slice);
	if (m->host_wake)
		text_fmt(out, "host-wake %llu\n", (unsigned long long)m->host_wake);
	if (m->host_timer)
		text_fmt(out, "host-timer %llu\n", (unsigned long long)m->host_timer);
	text_fmt(out, "frequency %llu %llu\n", (unsigned long long)m->freq_nominal,
		 (unsigned long long)m->freq_hold);
	for (u32 i = 0; i < m->nfreq; i++)
		text_fmt(out, "bin %u %llu %llu %llu\n", m->freq[i].upto,
			 (unsigned long long)m->freq[i].hz[0],
			 (unsigned long long)m->freq[i].hz[1],
			 (unsigned long long)m->freq[i].hz[2]);
	for (u32 i = 0; i < m->nsmt; i++)
		text_fmt(out, "smt %s %s %llu\n", m->smt[i].self, m->smt[i].other,
			 (unsigned long long)m->smt[i].keep);
}
