/*
 * The load of what is blocked on a CPU decays when somebody looks: before balancing, and
 * now and then for CPUs without a tick. Corresponds to update_blocked_averages() and
 * __update_blocked_fair() of Linux 6.1.
 *
 * A CPU has a queue and an entity of every group, most of them empty at any time. Their
 * sums shrink by y^n when n periods have ended, and do nothing else; so these queues
 * fade:
 *
 *   a look       shrinks the load of each, which the group's sum has to know
 *   rq.fade_log  keeps the factors of the looks; all other sums are multiplied by them,
 *                one after the other since each product is rounded down, once somebody
 *                asks (load_catch_up())
 *
 * What is not empty, or has something to hand up, has the whole update at each look. All
 * sums have one grid, periods since time 0, unless limits stop clocks: then none fades.
 */
#include "internal.h"
#include "load/span.h"

#define FADE_STEPS 64u

/* Of the looks in which a period had ended. */
struct fade_log {
	u64 last; /* the latest, ns, on the grid */
	u32 n;
	u32 y[FADE_STEPS];
};

/* Now, on the grid. */
struct grid {
	u64 last;
	u32 part, divider;
};

/* One look at the queues of a CPU. */
struct look {
	struct grid at;
	u64 n;	   /* periods that have ended since the look before */
	u32 steps; /* in the log when it is over */
};

static inline struct grid grid_at(u64 now)
{
	u32 part = (u32)(now >> 10) % PELT_PERIOD;

	return (struct grid){
		.last = now >> 10 << 10,
		.part = part,
		.divider = PELT_MAX - PELT_PERIOD + part,
	};
}

static inline u64 periods_ended(u64 last, const struct grid *g)
{
	return (g->last >> 20) - (last >> 20);
}

void load_fade_init(struct sched *s)
{
	for (u32 i = 0; i < s->ncpu; i++)
		if (!s->rq[i].fade_log)
			s->rq[i].fade_log = arena_new(s->arena, struct fade_log);
}

/* The averages of a queue and of its entity; that of its load is up to date. */
static void average_rest(struct pelt *q, struct pelt *p, u64 last, u64 weight)
{
	struct grid g = grid_at(last);

	q->last = p->last = g.last;
	q->part = p->part = g.part;
	q->runnable_avg = q->runnable_sum / g.divider;
	q->util_avg = q->util_sum / g.divider;
	p->load_avg = weight * p->load_sum / g.divider;
	p->runnable_avg = p->runnable_sum / g.divider;
	p->util_avg = p->util_sum / g.divider;
}

/* Somebody wants to know what an empty queue, or its entity, has: it fades no more. */
void load_catch_up(struct cfs_rq *cfs)
{
	const struct fade_log *log = cfs->rq->fade_log;
	struct entity *se = cfs->tg->se[cfs->rq->cpu];
	struct pelt *q = &cfs->avg, *p = &se->avg;
	u64 q_runnable = q->runnable_sum, q_util = q->util_sum;
	u64 load = p->load_sum, runnable = p->runnable_sum, util = p->util_sum;

	cfs->fades = false;
	if (cfs->faded == log->n)
		return;
	for (u32 i = cfs->faded; i < log->n; i++) {
		u32 y = log->y[i];

		q_runnable = mul_q32(q_runnable, y);
		q_util = q_util * y >> 32;
		load = mul_q32(load, y);
		runnable = mul_q32(runnable, y);
		util = util * y >> 32;
	}
	q->runnable_sum = q_runnable;
	q->util_sum = (u32)q_util;
	p->load_sum = load;
	p->runnable_sum = runnable;
	p->util_sum = (u32)util;
	average_rest(q, p, log->last, se->weight);
}

/* load_update() where there is no load. Returns true if a period has ended. */
static inline bool shrink(struct pelt *p, const struct grid *g, u64 weight)
{
	u64 n = periods_ended(p->last, g);

	if (!n)
		return false;
	pelt_shrink(p, n);
	p->last = g->last;
	p->part = g->part;
	pelt_average(p, weight);
	return true;
}

static inline void fade(struct sched *s, struct cfs_rq *own, const struct look *l)
{
	if (!l->n)
		return;
	own->avg.load_sum = mul_q32(own->avg.load_sum, pelt_y[l->n]);
	own->avg.load_avg = own->avg.load_sum / l->at.divider;
	if (own->avg.load_avg != own->contrib)
		group_publish(s, own);
}

static void begin_fading(struct sched *s, struct cfs_rq *own, struct entity *se,
			 const struct look *l)
{
	if (shrink(&own->avg, &l->at, 1))
		group_publish(s, own);
	shrink(&se->avg, &l->at, se->weight);
	own->fades = own->unsettled = true;
	own->faded = l->steps;
}

static void update_group(struct sched *s, struct cfs_rq *own, struct entity *se,
			 const struct look *l)
{
	if (!own->weight && !se->on_rq && !own->removed.nr && !own->propagate) {
		begin_fading(s, own, se, l);
		return;
	}
	load_update_cfs(s, own);
	load_update(s, se->cfs, se);
}

/* The log is full, or nobody has looked for so long that the table does not do. */
static __attribute__((noinline)) void restart_log(struct sched *s, struct rq *rq)
{
	for (struct task_group *t = s->groups; t; t = t->all_next)
		if (t->cfs[rq->cpu]->fades)
			load_catch_up(t->cfs[rq->cpu]);
	rq->fade_log->n = 0;
}

static void begin_look(struct sched *s, struct rq *rq, struct look *l)
{
	struct fade_log *log = rq->fade_log;

	l->at = grid_at(s->engine->now);
	l->n = periods_ended(log->last, &l->at);
	l->steps = log->n;
	if (!l->n)
		return;
	if (l->n < ARRAY_SIZE(pelt_y) && log->n < FADE_STEPS) {
		l->steps++;
		return;
	}
	restart_log(s, rq);
	l->steps = 0;
}

/* Noted at the end: a queue that is caught up with meanwhile has not seen this look. */
static void end_look(struct rq *rq, const struct look *l)
{
	struct fade_log *log = rq->fade_log;

	rq->looked = l->at.last;
	if (l->steps > log->n)
		log->y[log->n++] = (u32)pelt_y[l->n];
	if (l->n)
		log->last = l->at.last;
}

static void update_groups(struct sched *s, struct rq *rq)
{
	struct look l;

	begin_look(s, rq, &l);
	for (struct task_group *t = s->groups; t; t = t->all_next) {
		struct cfs_rq *own = t->cfs[rq->cpu];

		if (own->fades)
			fade(s, own, &l);
		else
			update_group(s, own, t->se[rq->cpu], &l);
	}
	end_look(rq, &l);
}

static __attribute__((noinline)) void update_limited(struct sched *s, const struct rq *rq)
{
	for (struct task_group *t = s->groups; t; t = t->all_next) {
		load_update_cfs(s, t->cfs[rq->cpu]);
		load_update(s, t->se[rq->cpu]->cfs, t->se[rq->cpu]);
	}
}

/* Every queue of a CPU; children before parents. */
void load_update_rq(struct sched *s, struct rq *rq)
{
	if (s->limits)
		update_limited(s, rq);
	else if (s->groups)
		update_groups(s, rq);
	load_update_cfs(s, &rq->cfs);
}
