/*
 * What an entity is owed: the average virtual time of a queue, who is eligible, what
 * somebody takes along when it leaves, where it is placed when it comes back, and what a
 * new weight does to that. Corresponds to avg_vruntime(), vruntime_eligible(),
 * entity_lag(), place_entity(), reweight_entity() of Linux 6.6 to 6.12.
 *
 * Virtual times in ns of a nice 0 task.
 */
#include "fair/eevdf.h"

/* The two sums, the running entity included, which is not in the tree. */
static s64 sums(const struct cfs_rq *cfs, s64 *weight)
{
	const struct entity *curr = eevdf_running(cfs);
	s64 sum = cfs->key_sum;

	*weight = (s64)cfs->key_weight;
	if (curr) {
		sum += eevdf_key(cfs, curr->vruntime) * (s64)curr->weight;
		*weight += (s64)curr->weight;
	}
	return sum;
}

/** V, rounded down: whoever is placed there is eligible. */
u64 eevdf_average(const struct cfs_rq *cfs)
{
	s64 weight, sum = sums(cfs, &weight);

	if (!weight)
		return cfs->min_vruntime;
	if (sum < 0)
		sum -= weight - 1;
	return cfs->min_vruntime + (u64)(sum / weight);
}

/** v <= V, without the rounding of a division. */
bool eevdf_eligible(const struct cfs_rq *cfs, u64 vruntime)
{
	s64 weight, sum = sums(cfs, &weight);

	return sum >= eevdf_key(cfs, vruntime) * weight;
}

/** Let virtual times of a queue count from elsewhere. */
void eevdf_move_zero(struct cfs_rq *cfs, u64 to)
{
	cfs->key_sum -= (s64)(to - cfs->min_vruntime) * (s64)cfs->key_weight;
	cfs->min_vruntime = to;
}

/**
 * The same where somebody joins, leaves or is weighed anew, at the end of a slice and at
 * the tick: core.zero_average lets virtual times count from there (6.12.y since March
 * 2026). A switch does not move v0: half way through, who is to run is in no sum.
 */
u64 eevdf_follow_average(const struct sched *s, struct cfs_rq *cfs)
{
	u64 v = eevdf_average(cfs);

	if (s->feat[FEAT_ZERO_AVERAGE])
		eevdf_move_zero(cfs, v);
	return v;
}

/** Without core.zero_average they count from the least vruntime, and never go back. */
void eevdf_update_zero(const struct sched *s, struct cfs_rq *cfs)
{
	const struct entity *curr = eevdf_running(cfs),
			    *root = RB_ROOT(&cfs->by_deadline);
	u64 least;

	if (s->feat[FEAT_ZERO_AVERAGE] || (!curr && !root))
		return;
	least = curr ? curr->vruntime : root->min_vruntime;
	if (root && (s64)(root->min_vruntime - least) < 0)
		least = root->min_vruntime;
	if (eevdf_key(cfs, least) > 0)
		eevdf_move_zero(cfs, least);
}

/**
 * V - v of an entity, within two of its slices or a tick, whichever is longer: those that
 * join and leave owed or owing move V, and could make it any number.
 */
s64 eevdf_lag(const struct sched *s, u64 average, const struct entity *se)
{
	s64 lag = (s64)(average - se->vruntime);
	s64 limit = (s64)fair_delta(max_u64(2 * se->slice, s->tick), se);

	return lag > limit ? limit : lag < -limit ? -limit : lag;
}

/*
 * An entity of weight w that joins others of weight W at V - l moves V by -w l / (W + w),
 * and so would keep only W l / (W + w) of its lag. To keep l, it is placed at
 *
 *            W + w
 *   v = V - ------- l
 *              W
 */
static s64 inflate(const struct cfs_rq *cfs, const struct entity *se)
{
	s64 weight;

	sums(cfs, &weight);
	if (!weight)
		weight = 1;
	return se->vlag * (weight + (s64)se->weight) / weight;
}

void eevdf_place(const struct sched *s, struct cfs_rq *cfs, struct entity *se,
		 bool initial)
{
	u64 v = eevdf_follow_average(s, cfs), vslice;

	if (!se->custom_slice)
		se->slice = s->base_slice;
	vslice = fair_delta(se->slice, se);
	if (s->feat[FEAT_PLACE_LAG] && cfs->nr)
		v -= (u64)inflate(cfs, se);
	se->vruntime = v;
	if (s->feat[FEAT_PLACE_REL] && se->rel_deadline) {
		se->deadline += v;
		se->rel_deadline = false;
		return;
	}
	/* those who compete already are on average half through their slices */
	if (initial && s->feat[FEAT_PLACE_INITIAL])
		vslice /= 2;
	se->deadline = v + vslice;
}

static s64 rescaled(s64 value, u64 old, u64 weight)
{
	return value * (s64)old / (s64)weight;
}

/*
 * lag = w (V - v) stays, so that V - v grows as the weight falls; so does the distance of
 * the deadline. Linux 6.6.0 leaves v where it is, and the lag changes with the weight.
 */
static void reweight_queued(const struct sched *s, struct entity *se, u64 average,
			    u64 weight)
{
	u64 from = average, old = se->weight;

	if (s->feat[FEAT_REWEIGHT_LAG]) {
		s64 lag = rescaled(eevdf_lag(s, average, se), old, weight);

		if (average != se->vruntime)
			se->vruntime = average - (u64)lag;
	} else {
		from = se->vruntime;
	}
	se->deadline = from + (u64)rescaled((s64)(se->deadline - from), old, weight);
}

void eevdf_set_weight(struct sched *s, struct entity *se, u64 weight)
{
	struct cfs_rq *cfs = se->cfs;
	bool waits = se->in_tree;
	u64 old = se->weight, average;

	if (weight == old) { /* before 6.7 the load is computed anew all the same */
		if (!s->feat[FEAT_REWEIGHT_LAG])
			load_reweight(s, se, old);
		return;
	}
	if (!se->on_rq) {
		se->vlag = rescaled(se->vlag, old, weight);
		fair_set_weight(se, weight);
		load_reweight(s, se, old);
		return;
	}
	eevdf_update_curr(s, cfs);
	average = eevdf_follow_average(s, cfs);
	if (waits)
		eevdf_remove(cfs, se);
	reweight_queued(s, se, average, weight);
	cfs->weight += weight - old;
	fair_set_weight(se, weight);
	load_reweight(s, se, old);
	if (waits)
		eevdf_insert(cfs, se);
	eevdf_update_zero(s, cfs);
}
