/*
 * `locks:` of a workload file.
 *
 *   locks:
 *     m: {kind: mutex}              # also futex
 *     s: {kind: spin, fair: yes}    # a ticket lock; default no
 *     w: {kind: rwsem, spin: yes}   # writers spin while the owner runs; default no
 */
#include "lock.h"

static int compile_lock(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	static const char *const names[LOCK_KINDS] = {
		[LOCK_MUTEX] = "mutex",
		[LOCK_FUTEX] = "futex",
		[LOCK_SPIN] = "spin",
		[LOCK_RWSEM] = "rwsem",
	};
	struct lock_decl *lock = (struct lock_decl *)(void *)d;
	const struct ynode *kind = y_need(entry, "kind", c->f);
	const struct ynode *fair = y_get(entry, "fair"), *spin = y_get(entry, "spin");
	u32 k;

	if (!kind || y_choice(kind, names, LOCK_KINDS, &k, c->f))
		return -1;
	lock->kind = k;
	if (fair && lock->kind != LOCK_SPIN)
		return y_fail_key(fair, c->f, "'fair' is for locks of kind spin");
	if (spin && lock->kind != LOCK_RWSEM)
		return y_fail_key(spin, c->f, "'spin' is for locks of kind rwsem");
	if (fair && y_bool(fair, &lock->fair, c->f))
		return -1;
	return spin ? y_bool(spin, &lock->spin, c->f) : 0;
}

const struct decl_type lock_decl_type = {
	.what = "lock",
	.keys = (const char *const[]){"kind", "fair", "spin", NULL},
	.size = sizeof(struct lock_decl),
	.compile = compile_lock,
};
