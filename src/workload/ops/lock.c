/* lock: NAME, or {lock: NAME, shared: yes} for a reader of a rwsem. See ../lock.c. */
#include "lock.h"

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"lock", "shared", NULL};
	const struct ynode *name = arg, *shared = NULL;
	const struct lock_decl *lock;
	const struct ref *ref;
	bool yes = false;
	struct op *op;

	if (need_arg(c, arg, "'lock: NAME'"))
		return -1;
	if (arg->kind == Y_MAP) {
		if (y_check_keys(arg, keys, c->f))
			return -1;
		name = y_need(arg, "lock", c->f);
		shared = y_get(arg, "shared");
	}
	if (!name || (shared && y_bool(shared, &yes, c->f)))
		return -1;
	ref = compile_ref_new(c, name, &c->res.locks, "lock");
	if (!ref)
		return -1;
	lock = (const struct lock_decl *)(const void *)ref->decl;
	if (yes && lock->kind != LOCK_RWSEM)
		return y_fail(shared, c->f,
			      "lock '%s' has no readers, expected one of kind rwsem",
			      ref->decl->name);
	op = emit(c, &op_lock);
	op->data = ref;
	op->value = yes;
	return 0;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	struct lock_run *lk = t->lock;

	if (!lk)
		lk = &t->run->locks->lock[ref_get(t, op->data)];
	return lock_take(t, lk, op->value, op, next);
}

const struct op_type op_lock = {compile, step};
