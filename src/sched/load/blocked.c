/*
 * The load of what is blocked on a CPU decays when somebody looks: before balancing, and
 * now and then for CPUs without a tick. Corresponds to update_blocked_averages() and
 * __update_blocked_fair() of Linux 6.1.
 *
 * A CPU has a queue and an entity of every group, most of them empty at any time, so that
 * these are what it looks at:
 *
 *   empty      sums shrink by y^n when n periods have ended, and do nothing else
 *   all else   the whole update: it has tasks, some have left, or the level above is to
 *              learn of something
 *
 * All sums have one grid, periods since time 0, unless limits stop clocks.
 */
#include "internal.h"
#include "load/span.h"

/* Now, on the grid. */
struct grid {
	u64 last, period;
	u32 part, divider;
};

static struct grid grid_at(u64 now)
{
	u32 part = (u32)(now >> 10) % PELT_PERIOD;

	return (struct grid){
		.last = now >> 10 << 10,
		.period = now >> 20,
		.part = part,
		.divider = PELT_MAX - PELT_PERIOD + part,
	};
}

static inline u64 periods_ended(const struct pelt *p, const struct grid *g)
{
	return g->period - (p->last >> 20);
}

/* load_update() where there is no load: pelt_advance(), pelt_average(). */
static inline bool fade(struct pelt *p, const struct grid *g, u64 weight)
{
	u64 n = periods_ended(p, g);

	if (!n)
		return false;
	pelt_shrink(p, n);
	p->last = g->last;
	p->part = g->part;
	p->load_avg = weight * p->load_sum / g->divider;
	p->runnable_avg = p->runnable_sum / g->divider;
	p->util_avg = p->util_sum / g->divider;
	return true;
}

static inline void update_group(struct sched *s, struct cfs_rq *own, struct entity *se,
				const struct grid *g)
{
	if (!own->weight && !se->on_rq && !own->removed.nr && !own->propagate) {
		if (fade(&own->avg, g, 1) && own->avg.load_avg != own->contrib)
			group_publish(s, own);
		fade(&se->avg, g, se->weight);
		return;
	}
	load_update_cfs(s, own);
	load_update(s, se->cfs, se);
}

static __attribute__((noinline)) void update_limited(struct sched *s, const struct rq *rq)
{
	for (struct task_group *g = s->groups; g; g = g->all_next) {
		load_update_cfs(s, g->cfs[rq->cpu]);
		load_update(s, g->se[rq->cpu]->cfs, g->se[rq->cpu]);
	}
}

/* Every queue of a CPU; children before parents. */
void load_update_rq(struct sched *s, struct rq *rq)
{
	struct grid grid;

	if (s->limits) {
		update_limited(s, rq);
	} else if (s->groups) {
		grid = grid_at(s->engine->now);
		for (struct task_group *g = s->groups; g; g = g->all_next)
			update_group(s, g->cfs[rq->cpu], g->se[rq->cpu], &grid);
		rq->looked = grid.last;
	}
	load_update_cfs(s, &rq->cfs);
}
