/*
 * A queue in the order of vruntime, equal keys first in, first out. The running entity is
 * kept out of it. (rb_root_cached in Linux; here the red-black tree of libbsd.)
 */
#include "internal.h"

static inline int compare(const struct entity *a, const struct entity *b)
{
	s64 d = (s64)(a->vruntime - b->vruntime);

	if (d)
		return d < 0 ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

RB_GENERATE_INTERNAL(entity_tree, entity, node, compare, __attribute__((unused)) static)

void fair_tree_insert(struct cfs_rq *cfs, struct entity *se)
{
	se->seq = ++cfs->seq;
	RB_INSERT(entity_tree, &cfs->tree, se);
	se->in_tree = true;
	if (!cfs->leftmost || compare(se, cfs->leftmost) < 0)
		cfs->leftmost = se;
}

/* Mostly the only one of a group on its CPU. */
void fair_tree_remove(struct cfs_rq *cfs, struct entity *se)
{
	se->in_tree = false;
	if (RB_ROOT(&cfs->tree) == se && !RB_LEFT(se, node) && !RB_RIGHT(se, node)) {
		RB_INIT(&cfs->tree);
		cfs->leftmost = NULL;
		return;
	}
	if (cfs->leftmost == se)
		cfs->leftmost = RB_NEXT(entity_tree, &cfs->tree, se);
	RB_REMOVE(entity_tree, &cfs->tree, se);
}

struct entity *fair_next(const struct entity *se)
{
	return RB_NEXT(entity_tree, NULL, (struct entity *)(uintptr_t)se);
}
