/*
 * The queue of a CPU: tasks in the order of their vruntime, equal ones first in, first
 * out. The running task is kept out of it. (rb_root_cached in Linux; here the red-black
 * tree of libbsd.)
 */
#include "internal.h"

static inline int compare(const struct task *a, const struct task *b)
{
	s64 d = (s64)(a->vruntime - b->vruntime);

	if (d)
		return d < 0 ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

RB_GENERATE_INTERNAL(task_tree, task, node, compare, __attribute__((unused)) static)

void fair_tree_insert(struct cfs_rq *cfs, struct task *t)
{
	RB_INSERT(task_tree, &cfs->tree, t);
	t->in_tree = true;
	if (!cfs->leftmost || compare(t, cfs->leftmost) < 0)
		cfs->leftmost = t;
}

void fair_tree_remove(struct cfs_rq *cfs, struct task *t)
{
	if (cfs->leftmost == t)
		cfs->leftmost = RB_NEXT(task_tree, &cfs->tree, t);
	RB_REMOVE(task_tree, &cfs->tree, t);
	t->in_tree = false;
}

struct task *fair_next(const struct task *t)
{
	return RB_NEXT(task_tree, NULL, (struct task *)(uintptr_t)t);
}
