/*
 * Making a machine file from what people paste. The file holds the whole topology as a
 * table, so that it needs no other file.
 */
#include "import.h"

#include <string.h>

#include "base/yaml.h"

/* A YAML string in double quotes. */
static void quoted(struct text *out, const char *s)
{
	text_char(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			text_char(out, '\\');
		text_char(out, (unsigned char)*s < ' ' ? '?' : *s);
	}
	text_char(out, '"');
}

static void write_cpus(const struct machine *m, struct text *out)
{
	text_str(out, "topology:\n  columns: [os, core, cluster, llc, node, package, "
		      "online]\n  cpus:\n");
	for (u32 i = 0; i < m->ncpu; i++) {
		const struct machine_cpu *c = &m->cpu[i];

		text_fmt(out, "    - [%u, %u, %u, %u, %u, %u, %s]\n", c->os, c->core,
			 c->cluster, c->llc, m->node[c->node].os, c->package,
			 c->online ? "on" : "off");
	}
}

static void write_nodes(const struct machine *m, struct text *out)
{
	text_str(out, "nodes:\n");
	for (u32 i = 0; i < m->nnode; i++) {
		char size[48];

		unit_print(m->node[i].memory, UNIT_BYTES, size, sizeof(size));
		text_fmt(out, "  - {os: %u, memory: %s}\n", m->node[i].os,
			 m->node[i].memory ? size : "0");
	}
	text_str(out, "distances:\n");
	for (u32 i = 0; i < m->nnode; i++) {
		text_str(out, "  - [");
		for (u32 j = 0; j < m->nnode; j++)
			text_fmt(out, "%s%u", j ? ", " : "", machine_distance(m, i, j));
		text_str(out, "]\n");
	}
}

static void write_caches(const struct machine *m, struct text *out)
{
	if (!m->ncache)
		return;
	text_str(out, "caches:\n");
	for (u32 i = 0; i < m->ncache; i++) {
		char size[48];

		unit_print(m->cache[i].size, UNIT_BYTES, size, sizeof(size));
		text_fmt(out, "  - {level: %u, %s%s%scpus: %u}\n", m->cache[i].level,
			 m->cache[i].size ? "size: " : "", m->cache[i].size ? size : "",
			 m->cache[i].size ? ", " : "", m->cache[i].cpus);
	}
}

static void write_machine(const struct machine *m, const char *name, const char *kind,
			  bool numactl, struct text *out)
{
	text_str(out,
		 "# Made by 'sibyl machine import'. Cost rows are defaults: see\n"
		 "# docs/machines.md for the rows that can be set here.\ndescription: ");
	quoted(out, name);
	text_fmt(out, "\nsource: \"documented: text of %s%s\"\n", kind,
		 numactl ? " and numactl -H" : "");
	write_cpus(m, out);
	write_nodes(m, out);
	write_caches(m, out);
}

int machine_import(struct arena *a, const char *path, const char *numactl_path,
		   const char *name, struct text *out, struct failure *f)
{
	struct machine *m = arena_new(a, struct machine);
	struct topo t = {.arena = a};
	struct place at = {path, 0, 0};
	const char *kind = "hwloc XML";
	char *text;
	size_t len;
	int rc;

	if (file_read(a, path, YAML_MAX_BYTES, &text, &len, f))
		return -1;
	if (text[strspn(text, " \t\r\n")] == '<')
		rc = topo_from_xml(&t, path, f);
	else
		rc = topo_from_lscpu(&t, path, text, len, &kind, f);
	if (rc || (numactl_path && topo_apply_numactl(&t, numactl_path, f)) ||
	    topo_finish(&t, &at, m, f))
		return -1;
	write_machine(m, name, kind, numactl_path != NULL, out);
	return 0;
}
