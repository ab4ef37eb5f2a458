/*
 * choose: [{weight: 3, do: [...]}, {do: [...]}]: one of several lists, drawn anew each
 * time. Compiled to
 *
 *   choose   jump to the drawn list          (data: where each begins, weights summed up)
 *   ...      list, then a jump behind the last
 */
#include "compile.h"
#include "inst.h"

#define WEIGHT_MAX 1000000000u

struct choices {
	u32 n;
	u64 *upto; /* sum of the weights up to and including it */
	u32 *at;
};

static int compile_one(struct compiler *c, const struct ynode *n, struct choices *ch,
		       bool *takes_time)
{
	static const char *const keys[] = {"weight", "do", NULL};
	const struct ynode *weight, *list;
	u64 w = 1;

	if (y_check_keys(n, keys, c->f))
		return -1;
	weight = y_get(n, "weight");
	list = y_need(n, "do", c->f);
	if (!list || (weight && expr_get(&c->env, weight, UNIT_COUNT, 0, WEIGHT_MAX, &w)))
		return -1;
	ch->upto[ch->n] = w + (ch->n ? ch->upto[ch->n - 1] : 0);
	ch->at[ch->n++] = c->nop;
	c->takes_time = false;
	if (compile_list(c, list))
		return -1;
	if (c->over)
		return y_fail(n, c->f,
			      "a choice that does not end, expected one that does");
	*takes_time &= c->takes_time;
	emit(c, &op_jump);
	return 0;
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct ynode *item = c->item;
	bool before = c->takes_time, all = true;
	struct choices *ch;

	if (need_arg(c, arg, "'choose: [{weight: 3, do: [...]}, {do: [...]}]'") ||
	    y_expect(arg, Y_SEQ, c->f))
		return -1;
	if (!arg->n)
		return y_fail(arg, c->f, "an empty list, expected choices");
	ch = arena_new(c->a, struct choices);
	ch->upto = arena_array(c->a, u64, arg->n);
	ch->at = arena_array(c->a, u32, arg->n);
	emit(c, &op_choose)->data = ch;
	y_for_each (n, arg)
		if (compile_one(c, n, ch, &all))
			return -1;
	if (!ch->upto[ch->n - 1])
		return y_fail(arg, c->f, "all weights are 0, expected one above");
	for (u32 i = 0; i < ch->n; i++) {
		u32 end = i + 1 < ch->n ? ch->at[i + 1] : c->nop;

		c->op[end - 1].target = c->nop;
	}
	c->item = item;
	c->takes_time = before || all;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct choices *ch = op->data;
	u64 draw = stream_range(task_stream(t->task), 0, ch->upto[ch->n - 1] - 1);
	u32 i = 0;

	(void)next;
	while (ch->upto[i] <= draw)
		i++;
	t->pc = ch->at[i];
	return FLOW_JUMP;
}

static enum flow step_jump(struct inst *t, const struct op *op, enum step *next)
{
	(void)next;
	t->pc = op->target;
	return FLOW_JUMP;
}

const struct op_type op_choose = {compile, step};
const struct op_type op_jump = {NULL, step_jump};
