/*
 * A look at a synthetic topology before hwloc sees it: its grammar, how many CPUs it
 * stands for (hwloc would build a million first), and the largest CPU number that an
 * index list names (hwloc allocates up to it). Which levels may follow which is left to
 * hwloc.
 *
 *     text  = ["(" attributes ")"] { level | "[" memory "]" }
 *     level = [type ":"] count ["(" attributes ")"]     the last one: CPUs ("pu" or no
 * type)
 */
#include "topo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_LEVELS 16

struct check {
	const char *text, *p;
	const struct place *at;
	u64 cpus;
	u32 levels;
	struct {
		const char *s;
		size_t n;
	} type[MAX_LEVELS];
	bool ends_with_cpus; /* the last level may be one of CPUs */
	bool cpus_seen;	     /* a level is 'pu' */
	bool node_level, node_memory, untyped;
	struct failure *f;
};

static int check_fail(struct check *c, const char *what)
{
	return fail_input(c->f, c->at->file ? c->at->file : "", c->at->line, c->at->col,
			  "'%.80s' is no synthetic topology: %s, expected one such as "
			  "'pack:2 core:4 pu:2'",
			  c->text, what);
}

/* "(...)": skipped but for the numbers of "indexes=". */
static int attributes(struct check *c)
{
	const char *end = strchr(c->p, ')'), *list = strstr(c->p, "indexes=");

	if (!end || memchr(c->p + 1, '(', (size_t)(end - c->p - 1)))
		return check_fail(c, "a '(' without its ')'");
	for (; list && list < end; list++) {
		if (!isdigit((unsigned char)*list))
			continue;
		if (strtoull(list, NULL, 10) > TOPO_MAX_OS)
			return check_fail(c, "an index above 65535");
		while (isdigit((unsigned char)list[1]))
			list++;
	}
	c->p = end + 1;
	return 0;
}

static int memory(struct check *c)
{
	c->p++;
	c->node_memory = true;
	if (!c->levels)
		return check_fail(c, "memory before the first level");
	if (strncasecmp(c->p, "numa", 4))
		return check_fail(c, "only '[numa]' stands in brackets");
	while (isalpha((unsigned char)*c->p))
		c->p++;
	if (*c->p == '(' && attributes(c))
		return -1;
	if (*c->p != ']')
		return check_fail(c, "a '[' without its ']'");
	c->p++;
	return 0;
}

/* hwloc takes only groups more than once. */
static int type_once(struct check *c, const char *type, size_t n)
{
	for (u32 i = 0; i < c->levels; i++)
		if (n && n == c->type[i].n && !strncasecmp(type, c->type[i].s, n) &&
		    strncasecmp(type, "group", 5))
			return check_fail(c, "two levels of one type");
	c->type[c->levels].s = type;
	c->type[c->levels].n = n;
	return 0;
}

static int level(struct check *c)
{
	const char *type = c->p;
	size_t colon = 0;
	char *end;
	u64 n;

	while (isalnum((unsigned char)*c->p))
		c->p++;
	if (c->cpus_seen)
		return check_fail(c, "a level below 'pu'");
	if (c->levels == MAX_LEVELS)
		return check_fail(c, "more than 16 levels");
	c->ends_with_cpus = true;
	if (*c->p == ':') {
		colon = (size_t)(c->p - type);
		c->cpus_seen = !strncasecmp(type, "pu", 2);
		c->ends_with_cpus = c->cpus_seen;
		c->node_level |= !strncasecmp(type, "n", 1);
		if (c->p == type)
			return check_fail(c, "a ':' without a type");
		c->p++;
	} else {
		c->untyped = true;
		c->p = type;
	}
	if (!isdigit((unsigned char)*c->p))
		return check_fail(c, "a level without a count");
	n = strtoull(c->p, &end, 10);
	c->p = end;
	if (!n)
		return check_fail(c, "a count of 0");
	c->cpus = n > UINT32_MAX || c->cpus > UINT32_MAX ? UINT64_MAX : c->cpus * n;
	if (type_once(c, type, colon))
		return -1;
	c->levels++;
	if (*c->p == '(' && attributes(c))
		return -1;
	if (*c->p && *c->p != '[' && !isspace((unsigned char)*c->p))
		return check_fail(c, "levels without a blank between them");
	return 0;
}

int hwloc_synthetic_check(const char *text, const struct place *at, struct failure *f)
{
	struct check c = {.text = text, .p = text, .at = at, .cpus = 1, .f = f};

	c.p += strspn(c.p, " \t");
	if (*c.p == '(' && attributes(&c))
		return -1;
	for (;;) {
		c.p += strspn(c.p, " \t");
		if (!*c.p)
			break;
		if (*c.p == '[' ? memory(&c) : level(&c))
			return -1;
	}
	if (!c.levels)
		return check_fail(&c, "no level");
	if (c.untyped && c.node_memory)
		return check_fail(&c, "memory beside levels without a type");
	if (c.node_level && c.node_memory)
		return check_fail(&c, "both a level of nodes and nodes in brackets");
	if (!c.ends_with_cpus)
		return check_fail(&c, "its last level is not 'pu'");
	if (c.cpus > MACHINE_MAX_CPUS)
		return fail_input(f, at->file ? at->file : "", at->line, at->col,
				  "'%.80s' has more than %u CPUs, expected at most that",
				  text, MACHINE_MAX_CPUS);
	return 0;
}
