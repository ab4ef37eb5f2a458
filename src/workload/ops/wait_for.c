/*
 * wait-for: {condition: C, lock: M}, as pthread_cond_wait(): lets go of the lock, sleeps
 * until it is signalled, takes the lock again. Nobody is woken without a signal.
 */
#include "sync.h"

struct wait_args {
	struct ref condition, lock;
};

enum { ENTERED, LEFT, SLEPT, LOCKS };

static int compile(struct compiler *c, const struct ynode *arg)
{
	static const char *const keys[] = {"condition", "lock", NULL};
	struct wait_args *a = arena_new(c->a, struct wait_args);
	const struct ynode *condition, *lock;
	const struct lock_decl *d;

	if (need_arg(c, arg, "'wait-for: {condition: C, lock: M}'") ||
	    y_check_keys(arg, keys, c->f))
		return -1;
	condition = y_need(arg, "condition", c->f);
	lock = condition ? y_need(arg, "lock", c->f) : NULL;
	if (!lock ||
	    compile_ref(c, condition, &c->res.conditions, "condition", &a->condition) ||
	    compile_ref(c, lock, &c->res.locks, "lock", &a->lock))
		return -1;
	d = (const struct lock_decl *)(const void *)a->lock.decl;
	if (d->kind != LOCK_MUTEX && d->kind != LOCK_FUTEX)
		return y_fail(lock, c->f,
			      "a condition needs a lock that one task has alone and that "
			      "sleeps, expected kind mutex or futex");
	emit(c, &op_wait_for)->data = a;
	return 0;
}

static enum flow leave(struct inst *t, const struct op *op, enum step *next)
{
	const struct wait_args *a = op->data;
	struct hold *h = lock_held(t, &a->lock, op);
	struct condition_run *cond;

	*next = STEP_BLOCK;
	if (!h)
		return FLOW_HOLD;
	cond = &t->run->sync->condition[ref_get(t, &a->condition)];
	t->relock = h->lock;
	lock_release(t, h);
	cond->ledger.acquisitions++;
	wait_begin(t, &cond->ledger);
	sleepers_add(&cond->sleepers, t, next);
	t->phase = LEFT;
	return FLOW_HOLD;
}

static enum flow step(struct inst *t, const struct op *op, enum step *next)
{
	const struct wait_args *a = op->data;

	if (t->phase == ENTERED)
		return leave(t, op, next);
	if (t->phase < LOCKS && t->queue == SYNC_GONE) {
		wait_end(t, sched_now(t->run->sched));
		t->phase = LOCKS;
	}
	if (t->phase == LOCKS)
		return lock_take(t, t->relock, false, op, next);
	t->phase = SLEPT;
	inst_block(t, a->condition.decl);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}

const struct op_type op_wait_for = {compile, step};
