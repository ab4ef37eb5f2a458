/*
 * Expressions that are evaluated while a program runs: + - * / % and parentheses over
 * numbers, $parameters and
 *
 *   own      number of this instance within its entry, from 0
 *   pass     number of the pass of the innermost counted loop, from 0
 *   from     place in its entry of the channel that the last recv took from
 *   random   a draw below the count of what is indexed
 *
 * Compiled to a stack program. Unsigned 64-bit; a subtraction below 0 and a division by 0
 * give 0, so that nothing can go wrong in a run.
 */
#include "index.h"

#include <ctype.h>
#include <string.h>

#include "inst.h"

#define INDEX_OPS   32u
#define INDEX_DEPTH 16u

enum { X_NUMBER, X_OWN, X_PASS, X_FROM, X_RANDOM, X_ADD, X_SUB, X_MUL, X_DIV, X_MOD };

struct index {
	struct {
		u32 what;
		u64 number;
	} op[INDEX_OPS];
	u32 n;
};

struct parser {
	struct compiler *c;
	const struct ynode *node;
	const char *at;
	struct index *x;
	u32 depth;
};

static int sum(struct parser *p);

static int emit_op(struct parser *p, u32 what, u64 number)
{
	if (p->x->n == INDEX_OPS)
		return y_fail(p->node, p->c->f,
			      "'%.60s' is too long, expected at most %u terms",
			      p->node->text, INDEX_OPS);
	p->x->op[p->x->n].what = what;
	p->x->op[p->x->n++].number = number;
	return 0;
}

static void blank(struct parser *p)
{
	while (*p->at == ' ')
		p->at++;
}

/* A number or a $parameter: the language of the file's values reads it. */
static int constant(struct parser *p)
{
	const char *begin = p->at;
	struct ynode n = *p->node;
	u64 v;

	if (*p->at == '$') {
		p->at++;
		while (isalnum((unsigned char)*p->at) ||
		       (*p->at && strchr("{}_", *p->at)))
			p->at++;
	} else {
		while (isdigit((unsigned char)*p->at))
			p->at++;
	}
	n.text = arena_strndup(p->c->a, begin, (size_t)(p->at - begin));
	if (expr_get(&p->c->env, &n, UNIT_COUNT, 0, UINT64_MAX / 2, &v))
		return -1;
	return emit_op(p, X_NUMBER, v);
}

static int factor(struct parser *p)
{
	static const char *const words[] = {"own", "pass", "from", "random"};
	int err;

	blank(p);
	if (*p->at == '(') {
		p->at++;
		if (++p->depth > INDEX_DEPTH)
			return y_fail(p->node, p->c->f,
				      "more than %u parentheses in '%.60s'", INDEX_DEPTH,
				      p->node->text);
		err = sum(p);
		p->depth--;
		blank(p);
		if (err)
			return -1;
		if (*p->at++ != ')')
			return y_fail(p->node, p->c->f, "'%.60s', expected a ')'",
				      p->node->text);
		return 0;
	}
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i]);

		if (strncmp(p->at, words[i], len) || isalnum((unsigned char)p->at[len]))
			continue;
		p->at += len;
		return emit_op(p, X_OWN + i, 0);
	}
	if (*p->at == '$' || isdigit((unsigned char)*p->at))
		return constant(p);
	return y_fail(
		p->node, p->c->f,
		"'%.60s', expected own, pass, from, random, a number or a $parameter",
		p->node->text);
}

static int product(struct parser *p)
{
	if (factor(p))
		return -1;
	for (;;) {
		u32 what;

		blank(p);
		what = *p->at == '*' ? X_MUL : *p->at == '/' ? X_DIV : X_MOD;
		if (!*p->at || !strchr("*/%", *p->at))
			return 0;
		p->at++;
		if (factor(p) || emit_op(p, what, 0))
			return -1;
	}
}

static int sum(struct parser *p)
{
	if (product(p))
		return -1;
	for (;;) {
		u32 what;

		blank(p);
		what = *p->at == '+' ? X_ADD : X_SUB;
		if (*p->at != '+' && *p->at != '-')
			return 0;
		p->at++;
		if (product(p) || emit_op(p, what, 0))
			return -1;
	}
}

int index_compile(struct compiler *c, const struct ynode *n, const char *open,
		  const struct index **out)
{
	struct parser p = {.c = c, .node = n, .at = open + 1};

	p.x = arena_new(c->a, struct index);
	if (sum(&p))
		return -1;
	if (strcmp(p.at, "]"))
		return y_fail(n, c->f, "'%.60s', expected 'NAME[INDEX]'", n->text);
	*out = p.x;
	return 0;
}

static u64 apply(u32 what, u64 a, u64 b)
{
	switch (what) {
	case X_ADD:
		return a + b;
	case X_SUB:
		return a > b ? a - b : 0;
	case X_MUL:
		return a * b;
	case X_DIV:
		return b ? a / b : 0;
	default:
		return b ? a % b : 0;
	}
}

static u64 term(u32 what, u64 number, struct inst *t, u64 own, u64 count)
{
	switch (what) {
	case X_NUMBER:
		return number;
	case X_OWN:
		return own;
	case X_PASS:
		return t && t->depth ? t->pass[t->depth - 1] : 0;
	case X_FROM:
		return t ? t->from : 0;
	default:
		return t ? stream_range(task_stream(t->task), 0, count - 1) : 0;
	}
}

u64 index_value(const struct index *x, struct inst *t, u64 own, u64 count)
{
	u64 stack[INDEX_OPS];
	u32 n = 0;

	for (u32 i = 0; i < x->n; i++) {
		u32 what = x->op[i].what;

		if (what >= X_ADD) {
			n--;
			stack[n - 1] = apply(what, stack[n - 1], stack[n]);
		} else {
			stack[n++] = term(what, x->op[i].number, t, own, count);
		}
	}
	return stack[0];
}
