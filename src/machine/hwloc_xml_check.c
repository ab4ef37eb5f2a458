/*
 * A look at hwloc XML before hwloc sees it. hwloc's importers say nothing of the place of
 * an error, and take a few things on trust that crash when they do not hold (an object
 * with a CPU set but no complete CPU set, or one that is not a part of it; text where
 * only tags belong). This walks the tags once: nesting, format version, and the
 * attributes that hwloc relies on. It is not a validating XML parser: the text of other
 * elements and entities are left to hwloc. Nor does it know all that hwloc crashes on:
 * it is here to say where the usual mistakes are; topo_in_child() survives the others.
 */
#include "topo.h"

#include <ctype.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 200
#define MAX_ATTRS 48
#define MAX_WORDS ((TOPO_MAX_OS + 1) / 32)

struct slice {
	const char *s;
	size_t n;
};

struct attr {
	struct slice name, value;
};

struct scan {
	const char *file;
	const char *p, *end;
	const char *line_start;
	u32 line;
	u32 tag_line, tag_col; /* where the current tag starts */
	u32 depth;
	struct slice open[MAX_DEPTH];
	bool nodes[MAX_DEPTH]; /* not an object without a nodeset */
	struct attr attr[MAX_ATTRS];
	u32 nattr;
	bool root; /* seen */
	struct failure *f;
};

static int scan_fail(struct scan *s, const char *what)
{
	return fail_input(s->f, s->file, s->line, (u32)(s->p - s->line_start) + 1, "%s",
			  what);
}

static void step(struct scan *s)
{
	if (*s->p++ == '\n') {
		s->line++;
		s->line_start = s->p;
	}
}

static void blanks(struct scan *s)
{
	while (s->p < s->end && isspace((unsigned char)*s->p))
		step(s);
}

static bool slice_is(struct slice a, const char *word)
{
	return a.n == strlen(word) && !memcmp(a.s, word, a.n);
}

static const struct slice *attr_get(const struct scan *s, const char *name)
{
	for (u32 i = 0; i < s->nattr; i++)
		if (slice_is(s->attr[i].name, name))
			return &s->attr[i].value;
	return NULL;
}

static struct slice name_read(struct scan *s)
{
	struct slice n = {s->p, 0};

	while (s->p < s->end && (isalnum((unsigned char)*s->p) || strchr("_-:.", *s->p)))
		s->p++;
	n.n = (size_t)(s->p - n.s);
	return n;
}

static int attr_read(struct scan *s)
{
	struct attr *a = &s->attr[s->nattr];
	char quote;

	a->name = name_read(s);
	blanks(s);
	if (!a->name.n || s->p >= s->end || *s->p != '=')
		return scan_fail(s, "broken tag, expected name=\"value\"");
	step(s);
	blanks(s);
	if (s->p >= s->end || (*s->p != '"' && *s->p != '\''))
		return scan_fail(s,
				 "an attribute without quotes, expected name=\"value\"");
	quote = *s->p;
	step(s);
	a->value.s = s->p;
	while (s->p < s->end && *s->p != quote && *s->p != '<')
		step(s);
	if (s->p >= s->end || *s->p != quote)
		return scan_fail(s, "an attribute does not end, expected a quote");
	a->value.n = (size_t)(s->p - a->value.s);
	step(s);
	if (++s->nattr == MAX_ATTRS)
		return scan_fail(s, "too many attributes in one tag, expected fewer");
	return 0;
}

/*
 * A bitmap: "0x000000ff,,0x1": words of 32 bits, most significant first, an empty one is
 * 0. The first and the last are not empty: hwloc counts words by the commas behind the
 * first character.
 */
static bool bitmap_valid(struct slice v, u32 *words)
{
	size_t start = 0;

	*words = 0;
	for (size_t i = 0; i <= v.n; i++) {
		size_t digit = start;

		if (i < v.n && v.s[i] != ',')
			continue;
		if (i - start > 2 && v.s[start] == '0' && v.s[start + 1] == 'x')
			digit += 2;
		if (i - digit > 8 || (i == start && (!start || i == v.n)))
			return false;
		for (; digit < i; digit++)
			if (!isxdigit((unsigned char)v.s[digit]))
				return false;
		start = i + 1;
		++*words;
	}
	return true;
}

static int bitmap_check(struct scan *s, const char *name, bool *has)
{
	const struct slice *v = attr_get(s, name);
	u32 words;

	*has = v != NULL;
	if (!v)
		return 0;
	if (!v->n)
		return fail_input(s->f, s->file, s->tag_line, s->tag_col,
				  "%s is empty, expected 1 to %u words of 32 bits", name,
				  MAX_WORDS);
	if (!bitmap_valid(*v, &words))
		return fail_input(s->f, s->file, s->tag_line, s->tag_col,
				  "%s=\"%.*s\", expected hexadecimal words", name,
				  v->n < 60 ? (int)v->n : 60, v->s);
	if (words > MAX_WORDS)
		return fail_input(s->f, s->file, s->tag_line, s->tag_col,
				  "%s is too long, expected 1 to %u words of 32 bits",
				  name, MAX_WORDS);
	return 0;
}

static int missing(struct scan *s, const char *have, const char *need)
{
	return fail_input(s->f, s->file, s->tag_line, s->tag_col,
			  "an object with %s but no %s, expected both", have, need);
}

/* Take the lowest word off a bitmap that was checked. */
static u32 last_word(struct slice *v)
{
	size_t start = v->n, end = v->n;
	u32 word;

	while (start && v->s[start - 1] != ',')
		start--;
	v->n = start ? start - 1 : 0;
	word = 0;
	for (size_t i = start; i < end; i++) {
		char c = v->s[i];

		if (c == 'x')
			continue;
		word = word * 16 + (u32)(isdigit((unsigned char)c)
						 ? c - '0'
						 : tolower((unsigned char)c) - 'a' + 10);
	}
	return word;
}

/* The set of an object is a part of its complete set, which offline CPUs belong to. */
static int part_check(struct scan *s, const char *part, const char *whole)
{
	struct slice a = *attr_get(s, part), b = *attr_get(s, whole);

	while (a.n)
		if (last_word(&a) & ~last_word(&b))
			return fail_input(
				s->f, s->file, s->tag_line, s->tag_col,
				"a %s that is not a part of %s, expected a part", part,
				whole);
	return 0;
}

/* Objects that are CPUs, caches, memory or groups of them; devices carry no sets. */
static bool is_device(struct slice type)
{
	return slice_is(type, "PCIDev") || slice_is(type, "OSDev") ||
	       slice_is(type, "Bridge") || slice_is(type, "Misc");
}

/* Types of hwloc 1 and 2. Memory that hangs below any other makes hwloc search for long.
 */
static int type_check(struct scan *s, struct slice type)
{
	static const char *const names[] = {
		"Machine", "Package",  "Socket",   "Die",      "Group",	  "NUMANode",
		"Node",	   "MemCache", "L1Cache",  "L2Cache",  "L3Cache", "L4Cache",
		"L5Cache", "L1iCache", "L2iCache", "L3iCache", "Cache",	  "Core",
		"PU",	   "Bridge",   "PCIDev",   "OSDev",    "Misc",	  "System",
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (slice_is(type, names[i]))
			return 0;
	return fail_input(
		s->f, s->file, s->tag_line, s->tag_col,
		"an object of unknown type '%.*s', expected one of hwloc's such as "
		"NUMANode or Core",
		(int)(type.n < 40 ? type.n : 40), type.s);
}

static int object_check(struct scan *s)
{
	const struct slice *type = attr_get(s, "type"), *os = attr_get(s, "os_index");
	bool cpus, all_cpus, allowed, nodes, all_nodes, allowed_nodes;

	if (!type)
		return missing(s, "attributes", "type");
	if (type_check(s, *type))
		return -1;
	if (bitmap_check(s, "cpuset", &cpus) ||
	    bitmap_check(s, "complete_cpuset", &all_cpus) ||
	    bitmap_check(s, "allowed_cpuset", &allowed) ||
	    bitmap_check(s, "nodeset", &nodes) ||
	    bitmap_check(s, "complete_nodeset", &all_nodes) ||
	    bitmap_check(s, "allowed_nodeset", &allowed_nodes))
		return -1;
	if (os && (os->n > 10 || strtoull(os->s, NULL, 10) > UINT32_MAX))
		return scan_fail(
			s, "os_index is out of range, expected a number below 2^32");
	if (is_device(*type))
		return 0;
	if (!cpus || !all_cpus)
		return missing(s, cpus ? "a cpuset" : "a type",
			       cpus ? "complete_cpuset" : "cpuset");
	if (nodes != all_nodes)
		return missing(s, nodes ? "a nodeset" : "a complete_nodeset",
			       nodes ? "complete_nodeset" : "nodeset");
	if (s->depth && !s->nodes[s->depth - 1] && (nodes || slice_is(*type, "NUMANode")))
		return missing(s, "memory nodes inside", "nodeset");
	if (part_check(s, "cpuset", "complete_cpuset") ||
	    (nodes && part_check(s, "nodeset", "complete_nodeset")))
		return -1;
	if ((slice_is(*type, "PU") || slice_is(*type, "NUMANode")) &&
	    (!os || strtoul(os->s, NULL, 10) > TOPO_MAX_OS))
		return scan_fail(s, "a CPU or node without a usable os_index, "
				    "expected 0 to 65535");
	return 0;
}

static int only_attrs(struct scan *s, const char *a, const char *b)
{
	for (u32 i = 0; i < s->nattr; i++)
		if (!slice_is(s->attr[i].name, a) && !slice_is(s->attr[i].name, b))
			return fail_input(s->f, s->file, s->tag_line, s->tag_col,
					  "an unknown attribute, expected only %s and %s",
					  a, b);
	return 0;
}

/*
 * hwloc refuses these too, but forgets the object that it was reading: a leak for every
 * attempt.
 */
static int inner_check(struct scan *s, struct slice name)
{
	static const char *const known[] = {"object", "info", "page_type", "userdata",
					    "distances"};
	bool fine = false;

	for (u32 i = 0; i < ARRAY_SIZE(known); i++)
		fine |= slice_is(name, known[i]);
	if (!fine)
		return scan_fail(
			s, "an unknown element in an object, expected object, info, "
			   "page_type or userdata");
	if (slice_is(name, "page_type"))
		return only_attrs(s, "size", "count");
	if (slice_is(name, "info"))
		return only_attrs(s, "name", "value");
	return 0;
}

static int root_check(struct scan *s, struct slice name)
{
	const struct slice *v = attr_get(s, "version");
	unsigned long format = v ? strtoul(v->s, NULL, 10) : 1;
	u32 reads = hwloc_get_api_version() >> 16;

	if (s->root)
		return scan_fail(s, "a second topology, expected one");
	s->root = true;
	if (!slice_is(name, "topology"))
		return scan_fail(s, "not an hwloc topology, expected <topology> first");
	if (format >= 1 && format <= reads)
		return 0;
	return fail_input(
		s->f, s->file, s->tag_line, s->tag_col,
		"hwloc XML of format %.*s, which hwloc %u cannot read, expected "
		"format 1 to %u.x (export with hwloc %u, or import lscpu and "
		"numactl text instead)",
		v && v->n < 12 ? (int)v->n : 0, v ? v->s : "", reads, reads, reads);
}

static int close_read(struct scan *s)
{
	struct slice name, open;

	s->p += 2;
	name = name_read(s);
	blanks(s);
	if (s->p >= s->end || *s->p != '>')
		return scan_fail(s, "broken closing tag, expected '>'");
	if (!s->depth)
		return scan_fail(
			s,
			"a closing tag without an opening one, expected an opening tag");
	open = s->open[--s->depth];
	if (open.n != name.n || memcmp(open.s, name.s, name.n))
		return fail_input(s->f, s->file, s->tag_line, s->tag_col,
				  "</%.*s>, expected </%.*s>",
				  name.n < 40 ? (int)name.n : 40, name.s,
				  open.n < 40 ? (int)open.n : 40, open.s);
	s->p++;
	return 0;
}

static int open_read(struct scan *s)
{
	struct slice name;
	bool closed = false;

	s->p++;
	name = name_read(s);
	s->nattr = 0;
	if (!name.n)
		return scan_fail(s, "a broken tag, expected a name after '<'");
	for (;;) {
		blanks(s);
		if (s->p >= s->end)
			return scan_fail(
				s,
				"the file ends inside a tag, expected its end: is it cut off?");
		if (*s->p == '/') {
			closed = true;
			s->p++;
		}
		if (s->p < s->end && *s->p == '>')
			break;
		if (closed)
			return scan_fail(s, "broken tag, expected '/>'");
		if (attr_read(s))
			return -1;
	}
	if (!s->depth && root_check(s, name))
		return -1;
	if (s->depth && slice_is(s->open[s->depth - 1], "object") && inner_check(s, name))
		return -1;
	if (slice_is(name, "object") && object_check(s))
		return -1;
	s->p++;
	if (closed)
		return 0;
	if (s->depth == MAX_DEPTH)
		return scan_fail(s, "nested too deep, expected at most 200 levels");
	s->nodes[s->depth] = !slice_is(name, "object") || attr_get(s, "nodeset");
	s->open[s->depth++] = name;
	return 0;
}

static int skip_to(struct scan *s, const char *what)
{
	const char *to = memmem(s->p, (size_t)(s->end - s->p), what, strlen(what));

	if (!to)
		return scan_fail(s, "a declaration or comment does not end, "
				    "expected more: is the file cut off?");
	while (s->p < to + strlen(what))
		step(s);
	return 0;
}

static int tag_read(struct scan *s)
{
	size_t left = (size_t)(s->end - s->p);

	s->tag_line = s->line;
	s->tag_col = (u32)(s->p - s->line_start) + 1;
	if (left >= 4 && !memcmp(s->p, "<!--", 4))
		return skip_to(s, "-->");
	if (left >= 2 && s->p[1] == '?')
		return skip_to(s, "?>");
	if (left >= 2 && s->p[1] == '!') {
		if (s->root)
			return scan_fail(
				s,
				"a declaration inside the topology, expected it before");
		return skip_to(s, ">");
	}
	if (left >= 2 && s->p[1] == '/')
		return close_read(s);
	return open_read(s);
}

/* Text may stand in other elements (userdata, indexes), but not in these. */
static int text_check(struct scan *s)
{
	if (isspace((unsigned char)*s->p))
		return 0;
	if (!s->depth)
		return scan_fail(s, "text outside of tags, expected hwloc XML");
	if (slice_is(s->open[s->depth - 1], "object"))
		return scan_fail(s, "text inside an object, expected a tag");
	return 0;
}

int hwloc_xml_check(const char *file, const char *text, size_t len, struct failure *f)
{
	struct scan s = {.file = file, .p = text, .end = text + len, .f = f};
	const char *zero = memchr(text, '\0', len);

	s.line_start = text;
	s.line = 1;
	if (zero)
		return fail_input(f, file, 0, 0, "a zero byte at %zu, expected XML text",
				  (size_t)(zero - text));
	while (s.p < s.end) {
		if (*s.p == '<') {
			if (tag_read(&s))
				return -1;
		} else {
			if (text_check(&s))
				return -1;
			step(&s);
		}
	}
	if (s.depth)
		return fail_input(
			f, file, s.line, (u32)(s.p - s.line_start) + 1,
			"the file ends inside <%.*s>, expected its end: is it cut "
			"off?",
			s.open[s.depth - 1].n < 40 ? (int)s.open[s.depth - 1].n : 40,
			s.open[s.depth - 1].s);
	if (!s.root)
		return fail_input(f, file, 1, 1, "the file is empty, expected hwloc XML");
	return 0;
}
