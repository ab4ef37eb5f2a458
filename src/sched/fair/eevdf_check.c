/*
 * Recounting of one queue of EEVDF: order by deadline, the sums behind the average
 * virtual time, and what each node of the tree knows of its subtree.
 */
#include "fair/eevdf.h"

struct recount {
	u32 nr, tasks, delayed;
	u64 weight, waiting;
	s64 keys;
	const struct entity *last; /* before this one in the tree */
};

static u32 tasks_below(const struct entity *se)
{
	if (se->own)
		return se->own->h_nr;
	return !se->delayed;
}

static u32 delayed_below(const struct entity *se)
{
	return se->own ? se->own->h_delayed : se->delayed;
}

static int check_node(const struct sched *s, const struct cfs_rq *cfs,
		      const struct entity *se, struct recount *r, struct failure *f)
{
	u32 cpu = cfs->rq->cpu;

	if (se->cfs != cfs || !se->on_rq || !se->in_tree)
		return check_wrong(s, f, "queue of a queued entity", cpu, 0, 1);
	if (!r->last && cfs->leftmost != se)
		return check_wrong(s, f, "first of the tree", cpu, 0, 1);
	if (r->last && eevdf_before(se, r->last))
		return check_wrong(s, f, "order of deadlines", cpu, se->deadline,
				   r->last->deadline);
	if (se->own && se->delayed && se->own->nr)
		return check_wrong(s, f, "tasks of a group that is to leave", cpu,
				   se->own->nr, 0);
	r->last = se;
	r->nr++;
	r->tasks += tasks_below(se);
	r->delayed += delayed_below(se);
	r->weight += se->weight;
	r->waiting += se->weight;
	r->keys += eevdf_key(cfs, se->vruntime) * (s64)se->weight;
	return 0;
}

/* In the order of the tree; *vruntime and *slice become the least of the subtree. */
static int check_subtree(const struct sched *s, const struct cfs_rq *cfs,
			 const struct entity *se, struct recount *r, u64 *vruntime,
			 u64 *slice, struct failure *f)
{
	const struct entity *child[] = {RB_LEFT(se, node), RB_RIGHT(se, node)};

	*vruntime = se->vruntime;
	*slice = se->slice;
	for (u32 i = 0; i < 2; i++) {
		u64 v, sl;

		if (i && check_node(s, cfs, se, r, f))
			return -1;
		if (!child[i])
			continue;
		if (r->nr > cfs->nr)
			return check_wrong(s, f, "queue length", cfs->rq->cpu, cfs->nr,
					   r->nr);
		if (check_subtree(s, cfs, child[i], r, &v, &sl, f))
			return -1;
		if ((s64)(v - *vruntime) < 0)
			*vruntime = v;
		*slice = min_u64(*slice, sl);
	}
	if (se->min_vruntime != *vruntime)
		return check_wrong(s, f, "least vruntime of a subtree", cfs->rq->cpu,
				   se->min_vruntime, *vruntime);
	if (se->min_slice != *slice)
		return check_wrong(s, f, "shortest slice of a subtree", cfs->rq->cpu,
				   se->min_slice, *slice);
	return 0;
}

int eevdf_check_queue(const struct sched *s, const struct cfs_rq *cfs, struct failure *f)
{
	const struct entity *curr = eevdf_running(cfs),
			    *root = RB_ROOT(&cfs->by_deadline);
	u32 cpu = cfs->rq->cpu;
	struct recount r = {0};
	u64 vruntime, slice;

	if (root && check_subtree(s, cfs, root, &r, &vruntime, &slice, f))
		return -1;
	if (!root && cfs->leftmost)
		return check_wrong(s, f, "first of an empty tree", cpu, 1, 0);
	if (curr) {
		r.nr++;
		r.weight += curr->weight;
		r.tasks += tasks_below(curr);
		r.delayed += delayed_below(curr);
	}
	if (cfs->nr != r.nr)
		return check_wrong(s, f, "queue length", cpu, cfs->nr, r.nr);
	if (cfs->weight != r.weight)
		return check_wrong(s, f, "queue weight", cpu, cfs->weight, r.weight);
	if (cfs->h_nr != r.tasks)
		return check_wrong(s, f, "tasks below a queue", cpu, cfs->h_nr, r.tasks);
	if (cfs->h_delayed != r.delayed)
		return check_wrong(s, f, "delayed tasks below a queue", cpu,
				   cfs->h_delayed, r.delayed);
	if (cfs->key_weight != r.waiting)
		return check_wrong(s, f, "weight of those who wait", cpu, cfs->key_weight,
				   r.waiting);
	if (cfs->key_sum != r.keys)
		return check_wrong(s, f, "sum of virtual times", cpu, (u64)cfs->key_sum,
				   (u64)r.keys);
	return 0;
}
