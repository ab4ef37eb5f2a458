/*
 * Waiting entities in the order of their deadlines, equal ones first in, first out. Each
 * node knows the least vruntime and the shortest slice of its subtree, so that the first
 * eligible one is found on one way down:
 *
 *            d=7, v=9                  V = 5: the left subtree has somebody with
 *          min v = 3                   v <= 5, and everybody there is due before 7
 *         /         \
 *    d=4, v=8     d=9, v=4
 *   min v = 3     min v = 4
 *
 * Corresponds to __enqueue_entity(), __dequeue_entity(), the search of pick_eevdf() of
 * Linux 6.12. Linux 6.6 orders by vruntime and knows the least deadline: the same
 * answers. (Augmented rbtree there; here the red-black tree of libbsd, which tells only
 * the parent of some changes, so that the way up is walked once more.)
 */
#include "fair/eevdf.h"

static inline int compare(const struct entity *a, const struct entity *b)
{
	s64 d = (s64)(a->deadline - b->deadline);

	if (d)
		return d < 0 ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static void take_min(struct entity *se, const struct entity *child)
{
	if (!child)
		return;
	if ((s64)(child->min_vruntime - se->min_vruntime) < 0)
		se->min_vruntime = child->min_vruntime;
	se->min_slice = min_u64(se->min_slice, child->min_slice);
}

static void augment(struct entity *se)
{
	se->min_vruntime = se->vruntime;
	se->min_slice = se->slice;
	take_min(se, RB_LEFT(se, node));
	take_min(se, RB_RIGHT(se, node));
}

#undef RB_AUGMENT
#define RB_AUGMENT(x) augment(x)
RB_GENERATE_INTERNAL(deadline_tree, entity, node, compare, __attribute__((unused)) static)

static void augment_up(struct entity *se)
{
	for (; se; se = RB_PARENT(se, node))
		augment(se);
}

void eevdf_slice_changed(struct entity *se)
{
	if (se->in_tree)
		augment_up(se);
}

void eevdf_insert(struct cfs_rq *cfs, struct entity *se)
{
	cfs->key_sum += eevdf_key(cfs, se->vruntime) * (s64)se->weight;
	cfs->key_weight += se->weight;
	se->seq = ++cfs->seq;
	augment(se);
	RB_INSERT(deadline_tree, &cfs->by_deadline, se);
	augment_up(se);
	se->in_tree = true;
	if (!cfs->leftmost || compare(se, cfs->leftmost) < 0)
		cfs->leftmost = se;
}

void eevdf_remove(struct cfs_rq *cfs, struct entity *se)
{
	struct entity *parent = RB_PARENT(se, node);

	if (cfs->leftmost == se)
		cfs->leftmost = RB_NEXT(deadline_tree, &cfs->by_deadline, se);
	RB_REMOVE(deadline_tree, &cfs->by_deadline, se);
	augment_up(parent);
	se->in_tree = false;
	cfs->key_sum -= eevdf_key(cfs, se->vruntime) * (s64)se->weight;
	cfs->key_weight -= se->weight;
}

struct entity *eevdf_earliest(const struct cfs_rq *cfs)
{
	struct entity *se = RB_ROOT(&cfs->by_deadline);

	if (cfs->leftmost && eevdf_eligible(cfs, cfs->leftmost->vruntime))
		return cfs->leftmost;
	while (se) {
		struct entity *left = RB_LEFT(se, node);

		if (left && eevdf_eligible(cfs, left->min_vruntime)) {
			se = left;
			continue;
		}
		if (eevdf_eligible(cfs, se->vruntime))
			break;
		se = RB_RIGHT(se, node);
	}
	return se;
}

u64 eevdf_min_slice(const struct cfs_rq *cfs)
{
	const struct entity *root = RB_ROOT(&cfs->by_deadline);
	const struct entity *curr = eevdf_running(cfs);
	u64 slice = curr ? curr->slice : UINT64_MAX;

	return root ? min_u64(slice, root->min_slice) : slice;
}
