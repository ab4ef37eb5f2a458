/*
 * Task groups: a cgroup has a queue on each CPU and an entity that stands for it in its
 * parent's queue. The group's shares are divided over the CPUs by load:
 *
 *                       load(queue)
 *   weight = shares * ---------------,   sum over CPUs known only to 1/64 of each part
 *                      sum over CPUs
 *
 * The group of a session (autogroup) is one of these below the root.
 *
 * Corresponds to calc_group_shares(), update_cfs_group(), update_tg_load_avg(),
 * reweight_entity(), update_cfs_rq_h_load(), autogroup_create() of Linux 6.1.
 */
#include "internal.h"

#define MIN_SHARES 2u

void group_init_queue(struct cfs_rq *cfs, struct rq *rq, struct task_group *tg)
{
	RB_INIT(&cfs->tree);
	RB_INIT(&cfs->by_deadline);
	cfs->rq = rq;
	cfs->tg = tg;
	/* away from 0, so that differences wrap where Linux's do not matter */
	cfs->min_vruntime = NS_PER_SEC;
}

struct task_group *sched_group_new(struct sched *s, struct task_group *parent,
				   const char *name, u64 shares)
{
	struct task_group *g = arena_new(s->arena, struct task_group);
	struct task_group *up = parent ? parent : &s->root_group;

	g->parent = up;
	g->name = arena_strdup(s->arena, name);
	g->shares = max_u64(shares, MIN_SHARES);
	g->cfs = arena_array(s->arena, struct cfs_rq *, s->ncpu);
	g->se = arena_array(s->arena, struct entity *, s->ncpu);
	for (u32 i = 0; i < s->ncpu; i++) {
		struct cfs_rq *cfs = arena_new(s->arena, struct cfs_rq);
		struct entity *se = arena_new(s->arena, struct entity);

		group_init_queue(cfs, cpu_rq(s, i), g);
		se->own = cfs;
		se->cfs = up->cfs[i];
		se->parent = up->se ? up->se[i] : NULL;
		fair_set_weight(se, g->shares);
		g->cfs[i] = cfs;
		g->se[i] = se;
	}
	load_fade_init(s);
	g->all_next = s->groups;
	s->groups = g;
	return g;
}

struct task_group *sched_session_new(struct sched *s, const char *name, s32 nice)
{
	if (!s->feat[FEAT_AUTOGROUP])
		return NULL;
	return sched_group_new(s, NULL, name, fair_nice_weight(nice));
}

void sched_group_idle(struct sched *s, struct task_group *g)
{
	if (!s->feat[FEAT_IDLE_ENTITIES])
		return;
	g->idle = true;
	g->shares = FAIR_IDLE_WEIGHT;
	for (u32 i = 0; i < s->ncpu; i++) {
		g->se[i]->idle = true;
		fair_set_weight(g->se[i], g->shares);
	}
	s->wakeup_rules = true;
	if (s->feat[FEAT_SCHED_IDLE])
		s->sched_idle = s->sibling_any = true;
}

void group_set_task_rq(struct task *t, struct rq *rq)
{
	t->rq = rq;
	t->se.cfs = t->tg->cfs[rq->cpu];
	t->se.parent = t->tg->se ? t->tg->se[rq->cpu] : NULL;
}

/*
 * The group's sum is told of a change of more than 1/64 only, and from 6.7 on at most
 * once a ms.
 */
void group_publish(const struct sched *s, struct cfs_rq *cfs)
{
	s64 delta = (s64)(cfs->avg.load_avg - cfs->contrib);

	if ((u64)(delta < 0 ? -delta : delta) <= cfs->contrib / 64)
		return;
	if (s->publish_gap) {
		if (s->engine->now - cfs->published < s->publish_gap)
			return;
		cfs->published = s->engine->now;
	}
	cfs->tg->load_avg += (u64)delta;
	cfs->contrib = cfs->avg.load_avg;
}

/*
 * The weight may be the same: its load is taken anew from its sum, as Linux 6.1 does.
 * Inline for group_reweight(), which every tick calls for each level.
 */
static inline void entity_weight(struct sched *s, struct entity *se, u64 weight)
{
	struct cfs_rq *cfs = se->cfs;
	u64 old = se->weight;

	if (cfs->curr == se && se->on_rq && s->engine->now > se->exec_start)
		fair_update_curr(s, cfs);
	if (weight != old) {
		if (se->on_rq)
			cfs->weight += weight - old;
		fair_set_weight(se, weight);
	}
	load_reweight(s, se, old);
}

void group_entity_weight(struct sched *s, struct entity *se, u64 weight)
{
	entity_weight(s, se, weight);
}

void group_reweight(struct sched *s, struct entity *se)
{
	struct cfs_rq *own = se->own;
	u64 load = max_u64(own->weight, own->avg.load_avg);
	u64 total = own->tg->load_avg - own->contrib + load;
	u64 weight = own->tg->shares * load;

	if (own->limit.stopped)
		return; /* its load stands still */
	if (total)
		weight /= total;
	weight = min_u64(max_u64(weight, MIN_SHARES), own->tg->shares);
	if (s->eevdf)
		s->ops.fair.set_weight(s, se, weight);
	else
		entity_weight(s, se, weight);
}

/* What a queue's load is worth at the root, refreshed once a jiffy. */
static u64 queue_h_load(struct sched *s, struct cfs_rq *cfs)
{
	const struct entity *se;
	u64 now = jiffies(s) + 1;

	if (cfs->h_load_at == now)
		return cfs->h_load;
	cfs->h_load_at = now;
	if (cfs == &cfs->rq->cfs) {
		cfs->h_load = cfs->avg.load_avg;
		return cfs->h_load;
	}
	if (cfs->fades)
		load_catch_up(cfs);
	se = cfs->tg->se[cfs->rq->cpu];
	cfs->h_load =
		queue_h_load(s, se->cfs) * se->avg.load_avg / (se->cfs->avg.load_avg + 1);
	return cfs->h_load;
}

u64 task_h_load(struct sched *s, const struct task *t)
{
	struct cfs_rq *cfs = t->se.cfs;

	return t->se.avg.load_avg * queue_h_load(s, cfs) / (cfs->avg.load_avg + 1);
}
