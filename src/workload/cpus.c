/*
 * Sets of CPUs in workload files: see cpus_parse() in expr.h. Numbers are those of the
 * operating system, as people write them for taskset; the plan holds a mask in the
 * machine's own order.
 */
#include "expr.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum set_kind { SET_NODE, SET_CORE, SET_LLC, SET_PACKAGE, SET_KINDS };

static const char *const set_word[SET_KINDS] = {"node", "core", "llc", "package"};

static u32 set_of(const struct machine *m, enum set_kind kind, u32 cpu)
{
	switch (kind) {
	case SET_CORE:
		return m->cpu[cpu].core;
	case SET_LLC:
		return m->cpu[cpu].llc;
	case SET_PACKAGE:
		return m->cpu[cpu].package;
	case SET_NODE:
	case SET_KINDS:
		break;
	}
	return m->node[m->cpu[cpu].node].os;
}

/* A part of the text as a node of its own, so that it may be an expression. */
static int part(const struct env *e, const struct ynode *n, const char *from, size_t len,
		u64 *out, bool *open)
{
	struct ynode sub = *n;
	struct value v = {0};
	char buf[64];

	if (len >= sizeof(buf))
		return y_fail(n, e->f, "'%.40s', expected CPUs such as 0-3,8", n->text);
	memcpy(buf, from, len);
	buf[len] = '\0';
	sub.text = buf;
	if (expr_value(e, &sub, &v) || expr_coerce(e, &sub, UNIT_COUNT, &v))
		return -1;
	*out = v.v;
	*open |= v.open;
	return 0;
}

static int no_such_cpu(const struct env *e, const struct ynode *n, u64 os)
{
	const struct machine *m = e->machine;

	return y_fail(n, e->f, "no CPU %llu on machine '%s', expected %u to %u",
		      (unsigned long long)os, m->name, m->cpu[0].os,
		      m->cpu[m->ncpu - 1].os);
}

static int add_range(const struct env *e, const struct ynode *n, u64 lo, u64 hi,
		     struct cpumask *mask)
{
	const struct machine *m = e->machine;

	if (hi - lo >= MACHINE_MAX_CPUS)
		return no_such_cpu(e, n, hi);
	for (u64 os = lo; os <= hi; os++) {
		u32 i = 0;

		while (i < m->ncpu && m->cpu[i].os != os)
			i++;
		if (i == m->ncpu)
			return no_such_cpu(e, n, os);
		cpumask_set(mask, i);
	}
	return 0;
}

static int list(const struct env *e, const struct ynode *n, struct cpumask *mask)
{
	const char *p = n->text;

	for (;;) {
		size_t len = strcspn(p, ","), dash = 0;
		bool open = false;
		u64 lo, hi;

		while (dash < len && p[dash] != '-')
			dash++;
		if (part(e, n, p, dash, &lo, &open))
			return -1;
		hi = lo;
		if (dash < len && part(e, n, p + dash + 1, len - dash - 1, &hi, &open))
			return -1;
		if (!open && hi < lo)
			return y_fail(n, e->f,
				      "'%.40s', expected a range from low to high",
				      n->text);
		if (mask && add_range(e, n, lo, hi, mask))
			return -1;
		if (!p[len])
			return 0;
		p += len + 1;
	}
}

static int whole(const struct env *e, const struct ynode *n, enum set_kind kind,
		 struct cpumask *mask)
{
	const char *p = n->text + strlen(set_word[kind]);
	bool open = false;
	u64 number = 0;

	if (part(e, n, p, strlen(p), &number, &open))
		return -1;
	if (!mask)
		return 0;
	for (u32 i = 0; i < e->machine->ncpu; i++)
		if (set_of(e->machine, kind, i) == number)
			cpumask_set(mask, i);
	if (cpumask_empty(mask))
		return y_fail(n, e->f, "no %s %llu with CPUs on machine '%s'",
			      set_word[kind], (unsigned long long)number,
			      e->machine->name);
	return 0;
}

static int fill(const struct env *e, const struct ynode *n, struct cpumask *mask)
{
	if (!strcmp(n->text, "all")) {
		for (u32 i = 0; mask && i < e->machine->ncpu; i++)
			cpumask_set(mask, i);
		return 0;
	}
	for (u32 k = 0; k < SET_KINDS; k++) {
		size_t len = strlen(set_word[k]);

		if (!strncmp(n->text, set_word[k], len) &&
		    isspace((unsigned char)n->text[len]))
			return whole(e, n, (enum set_kind)k, mask);
	}
	if (isalpha((unsigned char)*n->text) || !*n->text)
		return y_fail(
			n, e->f,
			"'%.40s', expected CPUs such as 0-3,8 or all, node 0, core 0, "
			"llc 0, package 0",
			n->text);
	return list(e, n, mask);
}

int cpus_possible(const struct env *e, struct arena *a, const struct ynode *n,
		  const struct cpumask **out)
{
	struct cpumask *mask = e->machine ? cpumask_new(a, e->machine->ncpu) : NULL;

	*out = mask;
	return y_expect(n, Y_SCALAR, e->f) || fill(e, n, mask) ? -1 : 0;
}

int cpus_parse(const struct env *e, struct arena *a, const struct ynode *n,
	       const struct cpumask **out)
{
	const struct machine *m = e->machine;

	if (cpus_possible(e, a, n, out))
		return -1;
	if (!m)
		return 0;
	for_each_cpu (cpu, *out)
		if (m->cpu[cpu].online)
			return 0;
	return y_fail(n, e->f, "no CPU of '%.40s' is online on machine '%s'", n->text,
		      m->name);
}
