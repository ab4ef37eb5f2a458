/*
 * Throttled queues of groups: out of CPU time, a queue leaves its CPU with all tasks
 * below it, without the tasks noticing. The group's entity is taken out of the level
 * above, the counts of all levels above drop, and the clock of load tracking stands for
 * the queue and all queues below, so that what is there neither grows nor decays. Tasks
 * that wake up meanwhile are queued below. Corresponds to throttle_cfs_rq(),
 * unthrottle_cfs_rq(), tg_throttle_down(), tg_unthrottle_up(), check_enqueue_throttle(),
 * check_cfs_rq_runtime() of Linux 6.1.
 *
 * Clocks: Linux subtracts from each queue's clock how long it stood. Here the times of
 * last update are put so far ahead that nothing is ever due; afterwards they are put on
 * by how long the clock stood. The differences are the same, and queues without a limit
 * pay nothing.
 */
#include "fair/eevdf.h"

#define FAR_AHEAD (1ull << 62)

static bool is_below(const struct task_group *g, const struct task_group *top)
{
	while (g && g != top)
		g = g->parent;
	return g != NULL;
}

/* What is queued on a queue, or was there last, has the queue's clock. */
static void shift_clocks(struct sched *s, const struct task_group *top, u32 cpu)
{
	for (u32 i = 0; i < s->nr_tasks; i++) {
		struct task *t = s->task[i];

		if (t && t->se.cfs->rq->cpu == cpu)
			t->se.avg.last += t->se.cfs->limit.shift;
	}
	for (struct task_group *g = s->groups; g; g = g->all_next) {
		struct entity *se = g->se[cpu];

		se->avg.last += se->cfs->limit.shift;
		g->cfs[cpu]->avg.last += g->cfs[cpu]->limit.shift;
	}
	for (struct task_group *g = s->groups; g; g = g->all_next)
		if (is_below(g, top))
			g->cfs[cpu]->limit.shift = 0;
}

static void stop_clocks(struct sched *s, const struct task_group *top, u32 cpu)
{
	for (struct task_group *g = s->groups; g; g = g->all_next) {
		struct cfs_limit *l = &g->cfs[cpu]->limit;

		if (!is_below(g, top) || l->stopped++)
			continue;
		l->stopped_at = s->engine->now;
		l->shift = FAR_AHEAD;
	}
	shift_clocks(s, top, cpu);
}

static void start_clocks(struct sched *s, const struct task_group *top, u32 cpu)
{
	for (struct task_group *g = s->groups; g; g = g->all_next) {
		struct cfs_limit *l = &g->cfs[cpu]->limit;

		if (is_below(g, top) && !--l->stopped)
			l->shift = s->engine->now - l->stopped_at - FAR_AHEAD;
	}
	shift_clocks(s, top, cpu);
}

static void list_add(struct bandwidth *b, struct cfs_rq *cfs)
{
	cfs->limit.next = NULL;
	if (b->last)
		b->last->limit.next = cfs;
	else
		b->first = cfs;
	b->last = cfs;
}

static void list_del(struct bandwidth *b, const struct cfs_rq *cfs)
{
	struct cfs_rq **link = &b->first, *prev = NULL;

	while (*link != cfs) {
		prev = *link;
		link = &prev->limit.next;
	}
	*link = cfs->limit.next;
	if (b->last == cfs)
		b->last = prev;
}

/* A group leaves a level at once, whatever it owes there under EEVDF; it joins it. */
static void leave_level(struct sched *s, struct entity *se)
{
	u32 how = DEQUEUE_SLEEP | DEQUEUE_NOW;

	if (s->eevdf)
		eevdf_dequeue_entity(s, se->cfs, se,
				     se->delayed ? how | DEQUEUE_FINISH : how);
	else
		fair_dequeue_entity_slow(s, se->cfs, se, true);
}

static void join_level(struct sched *s, struct entity *se)
{
	if (s->eevdf)
		eevdf_enqueue_entity(s, se->cfs, se, false, false);
	else
		fair_enqueue_entity_slow(s, se->cfs, se, true, false);
}

/* Levels above that keep other tasks: only their counts change. Returns false below a
 * throttled queue: what is above does not count these tasks.
 */
static bool recount_above(struct sched *s, struct entity *se, u32 tasks, u32 delayed)
{
	for_each_entity(se)
	{
		load_update(s, se->cfs, se);
		se->runnable = se->own->h_nr;
		se->cfs->h_nr += tasks;
		se->cfs->h_delayed += delayed;
		if (se->cfs->limit.throttled)
			return false;
	}
	return true;
}

static void take_out(struct sched *s, struct cfs_rq *cfs)
{
	struct entity *se = cfs->tg->se[cfs->rq->cpu];

	for_each_entity(se)
	{
		struct cfs_rq *up = se->cfs;

		if (!se->on_rq)
			return; /* empty, or below a throttled queue that it emptied */
		leave_level(s, se);
		bandwidth_return(s, up);
		up->h_nr -= cfs->h_nr;
		up->h_delayed -= cfs->h_delayed;
		if (up->limit.throttled)
			return;
		if (!up->nr)
			continue;
		if (!recount_above(s, se->parent, -cfs->h_nr, -cfs->h_delayed))
			return;
		break;
	}
	cfs->rq->nr_running -= cfs->h_nr + cfs->h_delayed;
}

/* Unless there is CPU time for it by now. */
static void throttle(struct sched *s, struct cfs_rq *cfs)
{
	if (bandwidth_spared(s, cfs)) {
		count(s, DEC_BANDWIDTH_SPARED);
		return;
	}
	touch(s, cfs->rq);
	count(s, DEC_BANDWIDTH_THROTTLE);
	list_add(cfs->tg->bw, cfs);
	stop_clocks(s, cfs->tg, cfs->rq->cpu);
	if (s->eevdf)
		eevdf_put_below(s, cfs->tg->se[cfs->rq->cpu]);
	take_out(s, cfs);
	cfs->limit.throttled = true;
	cfs->limit.since = s->engine->now;
	cfs->tg->bw->throttles++;
}

static void put_back(struct sched *s, struct cfs_rq *cfs)
{
	struct entity *se = cfs->tg->se[cfs->rq->cpu];
	struct rq *rq = cfs->rq;

	for_each_entity(se)
	{
		if (se->delayed)
			leave_level(s, se); /* and comes back */
		if (se->on_rq)
			break;
		join_level(s, se);
		bandwidth_first(s, se->cfs);
		se->cfs->h_nr += cfs->h_nr;
		se->cfs->h_delayed += cfs->h_delayed;
		if (se->cfs->limit.throttled)
			return;
	}
	if (!recount_above(s, se, cfs->h_nr, cfs->h_delayed))
		return;
	rq->nr_running += cfs->h_nr + cfs->h_delayed;
	if (rq->nr_running > 1)
		s->overload = true;
}

void group_unthrottle(struct sched *s, struct cfs_rq *cfs, u32 by)
{
	struct rq *rq = cfs->rq;
	u64 ns = s->engine->now - cfs->limit.since;

	touch(s, rq);
	count(s, DEC_BANDWIDTH_UNTHROTTLE);
	cfs->limit.throttled = false;
	cfs->tg->bw->throttled_ns += ns;
	list_del(cfs->tg->bw, cfs);
	start_clocks(s, cfs->tg, rq->cpu);
	if (cfs->nr)
		put_back(s, cfs);
	if (!rq->curr && rq->cfs.nr)
		cpu_resched(s, rq, by);
}

/*
 * The first entity of a queue: is there CPU time for it? A queue that runs finds out when
 * it is put back.
 */
void bandwidth_first(struct sched *s, struct cfs_rq *cfs)
{
	bandwidth_account(s, cfs);
	if (cfs->nr != 1 || !cfs->limit.on || cfs->curr || cfs->limit.throttled)
		return;
	bandwidth_use(s, cfs, 0);
	if (cfs->limit.left <= 0)
		throttle(s, cfs);
}

/* `prev` has left the CPU: the queues that ran out with it are throttled. */
void bandwidth_put(struct sched *s, struct rq *rq, const struct task *prev)
{
	/* newest first: children before their parents */
	for (u32 i = s->nlimited; i-- > 0;) {
		const struct task_group *g = s->limited[i];
		struct cfs_rq *cfs = g->cfs[rq->cpu];

		bandwidth_account(s, cfs);
		if (cfs->limit.left > 0 || cfs->limit.throttled)
			continue;
		/* an empty one only if it was the last task that left */
		if (cfs->nr || (prev && prev->rq == rq && is_below(prev->tg, g)))
			throttle(s, cfs);
	}
}
