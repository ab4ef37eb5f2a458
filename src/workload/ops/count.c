/*
 * count: one more of a counted thing, or {what: NAME, by: 4 KiB} that many more; metrics
 * make rates and totals of it.
 */
#include "compile.h"
#include "inst.h"

#define BY_MAX (1ull << 40)

/* Things or bytes. */
static int compile_by(struct compiler *c, const struct ynode *n, u64 *out)
{
	struct value v;

	if (expr_value(&c->env, n, &v))
		return -1;
	return expr_get(&c->env, n, v.unit == UNIT_BYTES ? UNIT_BYTES : UNIT_COUNT, 0,
			BY_MAX, out);
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"what", "by", NULL};
	const struct ynode *what = arg, *by = NULL;
	const char *name;
	u64 n = 1;
	struct op *op;

	if (need_arg(c, arg, "'count: NAME'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		what = y_need(arg, "what", c->f);
		by = y_get(arg, "by");
	}
	if (!what || compile_name(c, what, &name) || (by && compile_by(c, by, &n)))
		return -1;
	op = emit(c, &op_count);
	op->index = name_index(c, &c->counters, name);
	op->value = n;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	(void)next;
	t->run->counter[op->index] += op->value;
	return FLOW_NEXT;
}

const struct op_type op_count = {compile, step};
