/*
 * Expressions in workload files: see expr.h. Recursive descent over one scalar:
 *
 *   sum     = product { ("+" | "-") product }
 *   product = atom { ("*" | "/") atom }
 *   atom    = number [unit] | "$" name | "${" name "}" | "(" sum ")"
 *
 * Division rounds down. There are no negative numbers.
 */
#include "expr.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define PAREN_DEPTH 16u
#define WORD_MAX    63u

struct parser {
	const struct env *e;
	const struct ynode *n;
	const char *p;
	u32 depth;
};

static const char *const unit_word[] = {
	[UNIT_COUNT] = "a count", [UNIT_TIME] = "a time",
	[UNIT_BYTES] = "a size",  [UNIT_FREQ] = "a frequency",
	[UNIT_RATIO] = "a ratio", [UNIT_BANDWIDTH] = "a bandwidth",
};

static const char *const machine_names[] = {"cpus", "cores", "nodes", "llcs"};

static void skip(struct parser *s)
{
	while (isspace((unsigned char)*s->p))
		s->p++;
}

static u64 machine_value(const struct machine *m, u32 which)
{
	u64 online = 0;

	if (which == 1)
		return m->ncore;
	if (which == 2)
		return m->nnode;
	if (which == 3)
		return m->nllc;
	for (u32 i = 0; i < m->ncpu; i++)
		online += m->cpu[i].online;
	return online;
}

static int unknown_name(struct parser *s, const char *word)
{
	const char *names[256];
	const char *near;
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_SIZE(machine_names); i++)
		names[n++] = machine_names[i];
	for (u32 i = 0; i < s->e->nparam && n < ARRAY_SIZE(names); i++)
		names[n++] = s->e->w->param[i].name;
	near = nearest_name(word, names, n);
	if (near)
		return y_fail(s->n, s->e->f, "unknown parameter '$%s', expected '$%s'?",
			      word, near);
	return y_fail(
		s->n, s->e->f,
		"unknown parameter '$%s', expected a name under 'params:' or one of "
		"$cpus $cores $nodes $llcs",
		word);
}

static int name_value(struct parser *s, struct value *out)
{
	bool brace = *++s->p == '{';
	char word[WORD_MAX + 1];
	u32 n = 0;

	s->p += brace;
	while (isalnum((unsigned char)*s->p) || *s->p == '_' || (brace && *s->p == '-')) {
		if (n == WORD_MAX)
			return y_fail(s->n, s->e->f, "a name of more than 63 characters");
		word[n++] = *s->p++;
	}
	word[n] = '\0';
	if (!n || (brace && *s->p++ != '}'))
		return y_fail(s->n, s->e->f, "'%.40s', expected $name or ${name}",
			      s->n->text);
	for (u32 i = 0; i < s->e->nparam; i++)
		if (!strcmp(word, s->e->w->param[i].name)) {
			*out = s->e->param[i];
			return 0;
		}
	for (u32 i = 0; i < ARRAY_SIZE(machine_names); i++)
		if (!strcmp(word, machine_names[i])) {
			const struct machine *m = s->e->machine;

			*out = (struct value){.v = m ? machine_value(m, i) : 1,
					      .unit = UNIT_COUNT,
					      .open = !m};
			return 0;
		}
	return unknown_name(s, word);
}

/* The unit of a literal follows from its suffix; "12" is a count, "0.5" a ratio. */
static int number(struct parser *s, struct value *out)
{
	static const enum unit units[] = {UNIT_COUNT, UNIT_TIME, UNIT_BYTES, UNIT_FREQ,
					  UNIT_RATIO};
	const char *from = s->p, *end;
	char lit[WORD_MAX + 1];

	while (isdigit((unsigned char)*s->p) || *s->p == '.')
		s->p++;
	end = s->p;
	skip(s);
	if (*s->p == '%') {
		end = ++s->p;
	} else if (isalpha((unsigned char)*s->p)) {
		while (isalpha((unsigned char)*s->p))
			s->p++;
		end = s->p;
	}
	if (end == from)
		return y_fail(s->n, s->e->f,
			      "'%.40s', expected a number, $name or (...) at '%.20s'",
			      s->n->text, from);
	if ((size_t)(end - from) > WORD_MAX)
		return y_fail(s->n, s->e->f, "a number of more than 63 characters");
	memcpy(lit, from, (size_t)(end - from));
	lit[end - from] = '\0';
	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		if (!unit_parse(lit, units[i], &out->v)) {
			out->unit = units[i];
			out->open = false;
			return 0;
		}
	return y_fail(
		s->n, s->e->f,
		"'%.40s', expected a number, or one with a unit (ns, us, ms, s, min, "
		"h; B, KiB, MiB, GiB; %%)",
		lit);
}

static int sum(struct parser *s, struct value *out);

static int atom(struct parser *s, struct value *out)
{
	skip(s);
	if (*s->p == '$')
		return name_value(s, out);
	if (*s->p != '(')
		return number(s, out);
	if (++s->depth > PAREN_DEPTH)
		return y_fail(s->n, s->e->f, "more than %u nested parentheses",
			      PAREN_DEPTH);
	s->p++;
	if (sum(s, out))
		return -1;
	skip(s);
	if (*s->p != ')')
		return y_fail(s->n, s->e->f, "'%.40s', expected a closing ')'",
			      s->n->text);
	s->p++;
	s->depth--;
	return 0;
}

static int overflow(struct parser *s)
{
	return y_fail(s->n, s->e->f, "'%.40s' does not fit in 64 bits", s->n->text);
}

static int multiply(struct parser *s, struct value *a, struct value b)
{
	u128 v = (u128)a->v * b.v;

	if (a->unit != UNIT_COUNT && b.unit != UNIT_COUNT && a->unit != UNIT_RATIO &&
	    b.unit != UNIT_RATIO)
		return y_fail(s->n, s->e->f, "'%.40s' multiplies %s by %s", s->n->text,
			      unit_word[a->unit], unit_word[b.unit]);
	/* a ratio scales whatever it meets: half of a count is a count */
	if (a->unit == UNIT_RATIO || b.unit == UNIT_RATIO)
		v >>= 32;
	if (a->unit == UNIT_RATIO || a->unit == UNIT_COUNT)
		a->unit = b.unit == UNIT_RATIO ? a->unit : b.unit;
	a->v = (u64)v;
	return v > UINT64_MAX && !a->open && !b.open ? overflow(s) : 0;
}

static int divide(struct parser *s, struct value *a, struct value b)
{
	u128 v = a->v;

	if (!b.v && (a->open || b.open))
		b.v = 1;
	if (!b.v)
		return y_fail(s->n, s->e->f, "'%.40s' divides by zero", s->n->text);
	if (b.unit == UNIT_RATIO)
		v <<= 32;
	else if (b.unit == a->unit)
		a->unit = UNIT_COUNT;
	else if (b.unit != UNIT_COUNT)
		return y_fail(s->n, s->e->f, "'%.40s' divides %s by %s", s->n->text,
			      unit_word[a->unit], unit_word[b.unit]);
	v /= b.v;
	a->v = (u64)v;
	return v > UINT64_MAX && !a->open && !b.open ? overflow(s) : 0;
}

/* Operands of one level, joined from left to right by either of its two operators. */
static int chain(struct parser *s, struct value *out, const char *ops,
		 int (*operand)(struct parser *, struct value *),
		 int (*apply)(struct parser *, struct value *, struct value, char))
{
	if (operand(s, out))
		return -1;
	for (;;) {
		struct value b = {0};
		char op;

		skip(s);
		op = *s->p;
		if (op != ops[0] && op != ops[1])
			return 0;
		s->p++;
		if (operand(s, &b) || apply(s, out, b, op))
			return -1;
		out->open |= b.open;
	}
}

static int scale(struct parser *s, struct value *a, struct value b, char op)
{
	return op == '*' ? multiply(s, a, b) : divide(s, a, b);
}

static int product(struct parser *s, struct value *out)
{
	return chain(s, out, "*/", atom, scale);
}

static int add(struct parser *s, struct value *a, struct value b, char op)
{
	bool minus = op == '-';
	bool open = a->open || b.open;
	bool over;

	if (a->unit != b.unit) {
		/* a bare 0 has no unit of its own */
		if (!a->v && a->unit == UNIT_COUNT && !a->open)
			a->unit = b.unit;
		else if (b.v || b.unit != UNIT_COUNT || b.open)
			return y_fail(s->n, s->e->f, "'%.40s' adds %s and %s", s->n->text,
				      unit_word[a->unit], unit_word[b.unit]);
	}
	over = minus ? a->v < b.v : a->v > UINT64_MAX - b.v;
	if (over && open) {
		a->v = 0;
		return 0;
	}
	if (over && minus)
		return y_fail(s->n, s->e->f, "'%.40s' is negative", s->n->text);
	if (over)
		return overflow(s);
	a->v = minus ? a->v - b.v : a->v + b.v;
	return 0;
}

static int sum(struct parser *s, struct value *out)
{
	return chain(s, out, "+-", product, add);
}

static int evaluate(const struct env *e, const struct ynode *n, const char *text,
		    struct value *out)
{
	struct parser s = {.e = e, .n = n, .p = text};

	*out = (struct value){0};
	if (sum(&s, out))
		return -1;
	if (*s.p)
		return y_fail(n, e->f, "'%.40s', expected the end at '%.20s'", n->text,
			      s.p);
	return 0;
}

int expr_value(const struct env *e, const struct ynode *n, struct value *out)
{
	if (y_expect(n, Y_SCALAR, e->f))
		return -1;
	return evaluate(e, n, n->text, out);
}

int expr_coerce(const struct env *e, const struct ynode *n, enum unit unit,
		struct value *v)
{
	if (v->unit == unit)
		return 0;
	if (v->unit == UNIT_COUNT && !v->v && !v->open) {
		v->unit = unit;
		return 0;
	}
	if (v->unit == UNIT_COUNT && unit == UNIT_RATIO && v->v <= UINT32_MAX) {
		v->unit = unit;
		v->v <<= 32;
		return 0;
	}
	return y_fail(n, e->f, "'%.40s', expected %s", n->text, unit_expected(unit));
}

int expr_get(const struct env *e, const struct ynode *n, enum unit unit, u64 lo, u64 hi,
	     u64 *out)
{
	struct value v = {0};
	char got[40], a[40], b[40];

	if (expr_value(e, n, &v) || expr_coerce(e, n, unit, &v))
		return -1;
	*out = v.open ? max_u64(lo, 1) : v.v;
	if (v.open || (v.v >= lo && v.v <= hi))
		return 0;
	unit_print(v.v, unit, got, sizeof(got));
	unit_print(lo, unit, a, sizeof(a));
	unit_print(hi, unit, b, sizeof(b));
	return y_fail(n, e->f, "%s is out of range, expected %s to %s", got, a, b);
}

int expr_signed(const struct env *e, const struct ynode *n, s64 lo, s64 hi, s64 *out)
{
	struct value v = {0};
	const char *p;

	if (y_expect(n, Y_SCALAR, e->f))
		return -1;
	p = n->text + (*n->text == '-');
	if (evaluate(e, n, p, &v) || expr_coerce(e, n, UNIT_COUNT, &v))
		return -1;
	if (v.open)
		v.v = 0;
	*out = v.v > INT32_MAX ? INT32_MAX : (s64)v.v;
	if (p != n->text)
		*out = -*out;
	if (*out < lo || *out > hi)
		return y_fail(n, e->f, "%.40s is out of range, expected %lld to %lld",
			      n->text, (long long)lo, (long long)hi);
	return 0;
}
