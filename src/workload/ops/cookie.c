/*
 * cookie: prctl(PR_SCHED_CORE) of the task.
 *
 *   cookie: create                              # a new one for itself
 *   cookie: {create: process, of: child}        # for a scope: thread, process,
 *                                               # process-group
 *   cookie: {share-to: child, scope: process}   # its own for others
 *   cookie: {share-from: parent}                # another one's for itself
 *
 * WHO is self, parent, child (the one forked last) or a task entry: its first living
 * instance. If there is none, or the kernel has no core scheduling, nothing happens, as
 * with a prctl() that fails.
 */
#include <string.h>

#include "compile.h"
#include "inst.h"

enum { WHO_SELF = UINT32_MAX, WHO_PARENT = UINT32_MAX - 1, WHO_CHILD = UINT32_MAX - 2 };

#define SCOPE_SHIFT 8

static int compile_who(struct compiler *c, const struct ynode *n, u32 *who)
{
	*who = WHO_SELF;
	if (!n || is_word(n, "self"))
		return 0;
	if (is_word(n, "parent"))
		*who = WHO_PARENT;
	else if (is_word(n, "child"))
		*who = WHO_CHILD;
	else
		return compile_task_name(c, n, who);
	return 0;
}

static int compile_scope(struct compiler *c, const struct ynode *n, u64 *scope)
{
	static const char *const names[] = {"thread", "process", "process-group"};
	u32 i = CORE_THREAD;

	if (n && y_choice(n, names, ARRAY_SIZE(names), &i, c->f))
		return -1;
	*scope = i;
	return 0;
}

static int emit_cookie(struct compiler *c, u64 share, const struct ynode *who,
		       const struct ynode *scope)
{
	struct op *op = emit(c, &op_cookie);
	u64 s;

	if (compile_who(c, who, &op->index) || compile_scope(c, scope, &s))
		return -1;
	op->value = share | s << SCOPE_SHIFT;
	return 0;
}

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"create",	 "of",	  "share-to",
					   "share-from", "scope", NULL};
	const struct ynode *create, *to, *from, *of, *scope;

	if (need_arg(c, arg, "'cookie: create' or 'cookie: {share-to: child}'"))
		return -1;
	if (is_word(arg, "create"))
		return emit_cookie(c, CORE_CREATE, NULL, NULL);
	if (y_check_keys(arg, keys, c->f))
		return -1;
	create = y_get(arg, "create");
	to = y_get(arg, "share-to");
	from = y_get(arg, "share-from");
	of = y_get(arg, "of");
	scope = y_get(arg, "scope");
	if (!create + !to + !from != 2)
		return y_fail(arg, c->f,
			      "expected one of 'create', 'share-to' and 'share-from'");
	if (of && !create)
		return y_fail(of, c->f, "'of' without 'create'");
	if (scope && !to)
		return y_fail(scope, c->f,
			      "'scope' without 'share-to', expected 'create: SCOPE', or "
			      "none: a task takes a cookie for itself only");
	if (create)
		return emit_cookie(c, CORE_CREATE, of, create);
	return emit_cookie(c, to ? CORE_SHARE_TO : CORE_SHARE_FROM, to ? to : from,
			   scope);
}

static const struct inst *find_child(const struct inst *t)
{
	const struct inst *last = NULL;

	for (const struct inst *i = t->run->alive; i; i = i->next)
		if (i->parent == t && i->parent_serial == t->serial &&
		    (!last || i->serial > last->serial))
			last = i;
	return last;
}

static const struct inst *find_first(const struct inst *t, u32 group)
{
	const struct inst *first = NULL;

	for (const struct inst *i = t->run->alive; i; i = i->next)
		if (i->group == group && (!first || i->serial < first->serial))
			first = i;
	return first;
}

static const struct inst *find_who(const struct inst *t, u32 who)
{
	switch (who) {
	case WHO_SELF:
		return t;
	case WHO_PARENT:
		return t->parent && t->parent->serial == t->parent_serial ? t->parent
									  : NULL;
	case WHO_CHILD:
		return find_child(t);
	default:
		return find_first(t, who);
	}
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct inst *who = find_who(t, op->index);

	*next = STEP_AGAIN;
	if (who && who->task)
		sched_core_share(t->run->sched, t->task,
				 (u32)(op->value & ((1u << SCOPE_SHIFT) - 1)),
				 task_pid(who->task),
				 (enum core_scope)(op->value >> SCOPE_SHIFT), NULL);
	return FLOW_YIELD;
}

const struct op_type op_cookie = {compile, step};
