/*
 * A machine as a picture in characters: a box for each package, inside it the NUMA nodes,
 * in them the last-level caches, in them the cores in brackets with the OS numbers of
 * their threads. Cores of one cluster stand in braces; an offline CPU has an x. At most
 * 100 columns: long lines are wrapped.
 */
#include "show.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 96u /* of what stands inside the box */

struct drawing {
	const struct machine *m;
	struct text lines; /* of all packages; '\f' ends a package */
	struct text line;  /* being filled */
	u32 indent;	   /* of a wrapped line */
	u32 digits;	   /* of the widest CPU number */
	u32 llc_digits;
};

static void flush(struct drawing *d)
{
	if (!d->line.len)
		return;
	text_put(&d->lines, d->line.s, d->line.len);
	text_char(&d->lines, '\n');
	d->line.len = 0;
}

static void piece(struct drawing *d, const char *s, size_t n)
{
	if (d->line.len + n + 1 > WIDTH)
		flush(d);
	if (!d->line.len)
		text_fmt(&d->line, "%*s", (int)d->indent, "");
	else if (d->line.len > d->indent)
		text_char(&d->line, ' ');
	text_put(&d->line, s, n);
}

/*
 * Add a word to the line, on a new one if it does not fit; one that fits on no line (a
 * core of a hundred threads) is broken at its blanks.
 */
static void word(struct drawing *d, const char *s)
{
	size_t n = strlen(s), most = WIDTH - d->indent - 1;

	while (n > most) {
		size_t cut = most;

		while (cut && s[cut] != ' ')
			cut--;
		if (!cut)
			break;
		piece(d, s, cut);
		s += cut + 1;
		n -= cut + 1;
	}
	piece(d, s, n);
}

static void core_text(const struct drawing *d, u32 core, u32 from, struct text *out)
{
	bool first = true;

	text_char(out, '[');
	for (u32 i = from; i < d->m->ncpu; i++) {
		const struct machine_cpu *c = &d->m->cpu[i];

		if (c->core != core)
			continue;
		text_fmt(out, "%s%*u%s", first ? "" : " ", (int)d->digits, c->os,
			 c->online ? "" : "x");
		first = false;
	}
	text_char(out, ']');
}

static u32 cores_in_cluster(const struct machine *m, u32 cluster)
{
	u32 n = 0;

	for (u32 i = 0; i < m->ncpu; i++)
		n += m->cpu[i].cluster == cluster && !m->cpu[i].thread;
	return n;
}

static void draw_cluster(struct drawing *d, u32 cluster, u32 from)
{
	u32 left = cores_in_cluster(d->m, cluster);
	bool braces = left > 1;
	struct text t = {0};

	for (u32 i = from; i < d->m->ncpu; i++) {
		const struct machine_cpu *c = &d->m->cpu[i];

		if (c->cluster != cluster || c->thread)
			continue;
		if (braces && !t.s)
			text_char(&t, '{');
		core_text(d, c->core, i, &t);
		if (--left && t.len < WIDTH / 2)
			continue;
		if (braces && !left)
			text_char(&t, '}');
		word(d, t.s);
		t.len = 0;
	}
	text_free(&t);
}

/* First CPU of every distinct cluster of an LLC. */
static void draw_llc(struct drawing *d, u32 llc, u32 from)
{
	const struct machine *m = d->m;
	char name[24];

	snprintf(name, sizeof(name), "LLC %*u:", (int)d->llc_digits, llc);
	d->indent = 4;
	flush(d);
	word(d, name);
	d->indent = (u32)d->line.len;
	text_char(&d->line, ' ');
	d->indent++;
	for (u32 i = from, next = 0; i < m->ncpu; i++) {
		const struct machine_cpu *c = &m->cpu[i];

		if (c->llc != llc || c->cluster < next)
			continue;
		draw_cluster(d, c->cluster, i);
		next = c->cluster + 1;
	}
	flush(d);
}

/* The node has no CPUs in other packages. */
static bool alone(const struct machine *m, u32 package, u32 node)
{
	for (u32 i = 0; i < m->ncpu; i++)
		if (m->cpu[i].node == node && m->cpu[i].package != package)
			return false;
	return true;
}

static void draw_node(struct drawing *d, u32 package, u32 node, u32 from)
{
	const struct machine *m = d->m;
	char size[40] = "", name[96];

	if (m->node[node].memory)
		size_print(m->node[node].memory, size, sizeof(size));
	else if (memory_known(m))
		strcpy(size, "no memory");
	snprintf(name, sizeof(name), "%snode %u%s%s",
		 alone(m, package, node) ? "" : "part of ", m->node[node].os,
		 *size ? ", " : "", size);
	d->indent = 2;
	flush(d);
	word(d, name);
	for (u32 i = from, next = 0; i < m->ncpu; i++) {
		const struct machine_cpu *c = &m->cpu[i];

		if (c->package != package || c->node != node || c->llc < next)
			continue;
		draw_llc(d, c->llc, i);
		next = c->llc + 1;
	}
	flush(d);
}

static void draw_package(struct drawing *d, u32 package)
{
	const struct machine *m = d->m;
	u8 seen[MACHINE_MAX_NODES] = {0};
	char name[40];

	snprintf(name, sizeof(name), "package %u", package);
	d->indent = 1;
	word(d, name);
	for (u32 i = 0; i < m->ncpu; i++) {
		const struct machine_cpu *c = &m->cpu[i];

		if (c->package != package || seen[c->node])
			continue;
		seen[c->node] = 1;
		draw_node(d, package, c->node, i);
	}
	flush(d);
	text_char(&d->lines, '\f');
}

static void draw_memory_nodes(struct drawing *d)
{
	const struct machine *m = d->m;
	bool any = false;

	for (u32 i = 0; i < m->nnode; i++) {
		char size[40] = "no memory", name[96];

		if (m->node[i].ncpu)
			continue;
		if (m->node[i].memory)
			size_print(m->node[i].memory, size, sizeof(size));
		snprintf(name, sizeof(name), "node %u, %s;", m->node[i].os, size);
		d->indent = any ? 2 : 1;
		if (!any)
			word(d, "without CPUs:");
		word(d, name);
		any = true;
	}
	if (!any)
		return;
	d->line.s[--d->line.len] = '\0';
	flush(d);
	text_char(&d->lines, '\f');
}

static void rule(struct text *out, u32 width)
{
	text_char(out, '+');
	for (u32 i = 0; i < width; i++)
		text_char(out, '-');
	text_str(out, "+\n");
}

/* All boxes as wide as the widest line. */
static void boxes(const struct drawing *d, struct text *out)
{
	u32 width = 0, n = 0;
	const char *p;

	for (p = d->lines.s; *p; p++)
		if (*p == '\n' || *p == '\f') {
			width = max_u32(width, n + 1);
			n = 0;
		} else {
			n++;
		}
	rule(out, width);
	for (p = d->lines.s; *p;) {
		const char *end = p + strcspn(p, "\n\f");

		if (*end == '\f') {
			rule(out, width);
			p = end + 1;
			continue;
		}
		text_fmt(out, "|%-*.*s|\n", (int)width, (int)(end - p), p);
		p = end + 1;
	}
}

static u32 digits(u32 v)
{
	u32 n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

void machine_draw(const struct machine *m, struct text *out)
{
	struct drawing d = {.m = m,
			    .digits = digits(m->cpu[m->ncpu - 1].os),
			    .llc_digits = digits(m->nllc - 1)};
	bool offline = false, clusters = false;

	for (u32 i = 0; i < m->ncpu; i++) {
		offline |= !m->cpu[i].online;
		clusters |= m->cpu[i].cluster != m->cpu[i].core;
	}
	for (u32 i = 0; i < m->npackage; i++)
		draw_package(&d, i);
	draw_memory_nodes(&d);
	boxes(&d, out);
	text_fmt(out, "[threads of a core by their numbers]%s%s\n",
		 clusters ? "  {cores of a cluster}" : "",
		 offline ? "  x = offline" : "");
	text_free(&d.lines);
	text_free(&d.line);
}
