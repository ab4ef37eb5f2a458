/*
 * loop: {times: N, do: [...]}, {until: time of the run, do: [...]}, {while: {poll: P},
 * do: [...]} as long as a message waits there, {forever: yes, do: [...]} or only the
 * list. Compiled to
 *
 *   loop    times: push N, or jump behind the end    others: a check, or nothing
 *   ...
 *   end     times: one less, jump back if any left   others: jump to loop
 *
 * A loop that need not end must take time on every pass; one that counts may be idle up
 * to a limit, above which it is taken for a mistake.
 */
#include "channel.h"

#define IDLE_PASSES 1000000u

enum { LOOP_TIMES, LOOP_UNTIL, LOOP_WHILE, LOOP_FOREVER };

/* Where a loop `while` looks for messages. */
struct watch_args {
	struct ref ref;
	bool poll;
};

static int compile_while(struct compiler *c, const struct ynode *n,
			 const struct watch_args **out)
{
	static const char *const keys[] = {"channel", "poll", NULL};
	struct watch_args *a = arena_new(c->a, struct watch_args);
	const struct ynode *channel, *poll;

	if (y_check_keys(n, keys, c->f))
		return -1;
	channel = y_get(n, "channel");
	poll = y_get(n, "poll");
	if (!channel == !poll)
		return y_fail(n, c->f, "expected one of 'channel' and 'poll'");
	a->poll = poll != NULL;
	*out = a;
	return compile_ref(c, poll ? poll : channel,
			   poll ? &c->res.polls : &c->res.channels,
			   poll ? "poll" : "channel", &a->ref);
}

/* The head; *count is N of `times`. */
static int compile_head(struct compiler *c, const struct ynode *arg, u32 *kind,
			u64 *count, const struct watch_args **watch)
{
	static const char *const keys[] = {"times",   "until", "while",
					   "forever", "do",    NULL};
	const struct ynode *times, *until, *look, *forever;
	bool yes = true;

	*kind = LOOP_FOREVER;
	*count = 0;
	if (arg->kind == Y_SEQ)
		return 0;
	if (y_check_keys(arg, keys, c->f))
		return -1;
	times = y_get(arg, "times");
	until = y_get(arg, "until");
	look = y_get(arg, "while");
	forever = y_get(arg, "forever");
	if (!!times + !!until + !!look + !!forever > 1)
		return y_fail(arg, c->f,
			      "expected one of 'times', 'until', 'while' and 'forever'");
	if (forever && y_bool(forever, &yes, c->f))
		return -1;
	if (!yes)
		return y_fail(forever, c->f, "expected 'yes', or no 'forever'");
	if (until) {
		*kind = LOOP_UNTIL;
		return compile_time(c, until, 0, count);
	}
	if (look) {
		*kind = LOOP_WHILE;
		return compile_while(c, look, watch);
	}
	if (!times)
		return 0;
	*kind = LOOP_TIMES;
	return expr_get(&c->env, times, UNIT_COUNT, 0, UINT64_MAX / 2, count);
}

static int check_time(struct compiler *c, const struct ynode *arg, u32 kind, u64 count)
{
	if (c->takes_time || c->over)
		return 0;
	if (kind != LOOP_TIMES)
		return y_fail(
			arg, c->f,
			"a loop without time: expected an operation in it that takes "
			"time on every pass (run, runtime, sleep, timer)");
	if (count > IDLE_PASSES)
		return y_fail(arg, c->f,
			      "a loop without time, expected at most %u passes or an "
			      "operation that takes time",
			      IDLE_PASSES);
	return 0;
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	const struct ynode *body = arg, *item = c->item;
	const struct watch_args *watch = NULL;
	bool takes_time = c->takes_time, counted;
	u32 kind, head;
	struct op *op;
	u64 count;

	if (need_arg(c, arg, "'loop: {times: 10, do: [...]}'") ||
	    compile_head(c, arg, &kind, &count, &watch))
		return -1;
	if (arg->kind == Y_MAP)
		body = y_need(arg, "do", c->f);
	if (!body)
		return -1;
	if (++c->depth > LOOP_DEPTH)
		return y_fail(arg, c->f, "more than %u loops inside each other",
			      LOOP_DEPTH);
	head = c->nop;
	op = emit(c, &op_loop);
	op->index = kind;
	op->value = count;
	op->data = watch;
	c->takes_time = false;
	if (compile_list(c, body) || check_time(c, arg, kind, count))
		return -1;
	c->depth--;
	c->item = item;
	op = emit(c, &op_loop_end);
	op->index = kind;
	op->target = head + (kind == LOOP_TIMES || kind == LOOP_FOREVER);
	c->op[head].target = c->nop;
	c->endless |= kind == LOOP_FOREVER && !c->over;
	c->by_clock |= kind == LOOP_UNTIL;
	counted = kind == LOOP_TIMES && count > 0;
	c->takes_time =
		takes_time || ((counted || kind == LOOP_FOREVER) && c->takes_time);
	c->over = kind == LOOP_FOREVER || (counted && c->over);
	return 0;
}

static bool message_waits(struct inst *t, const struct watch_args *a)
{
	const struct channels *cs = t->run->channels;
	u32 i = ref_get(t, &a->ref);

	return a->poll ? cs->poll[i].nready > 0 : cs->chan[i].first != NULL;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	bool skip = false;

	(void)next;
	if (op->index == LOOP_TIMES) {
		skip = !op->value;
		if (!skip) {
			t->pass[t->depth] = 0;
			t->left[t->depth++] = op->value;
		}
	} else if (op->index == LOOP_UNTIL) {
		skip = sched_now(t->run->sched) >= t->run->origin + op->value;
	} else if (op->index == LOOP_WHILE) {
		skip = !message_waits(t, op->data);
	}
	if (!skip)
		return FLOW_NEXT;
	t->pc = op->target;
	return FLOW_JUMP;
}

static enum flow step_end(struct inst *t, const struct op *op, enum step *next)
{
	(void)next;
	if (op->index == LOOP_TIMES && !--t->left[t->depth - 1]) {
		t->depth--;
		return FLOW_NEXT;
	}
	if (op->index == LOOP_TIMES)
		t->pass[t->depth - 1]++;
	t->pc = op->target;
	return FLOW_JUMP;
}

const struct op_type op_loop = {compile, step};
const struct op_type op_loop_end = {NULL, step_end};
