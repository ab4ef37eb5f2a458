/*
 * Recounting: every queue, weight, sum, list, tree and mask is derived again from the
 * tasks and compared. Any test may call it; debug builds do after every event.
 */
#include <stdio.h>
#include <string.h>

#include "rt/rt.h"
#include "stop.h"

static void options_text(const struct sched *s, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (u32 i = 0; i < SEAM_COUNT; i++) {
		const struct choice_row *c = seam_choice(i, s->kernel->seam[i]);

		if (!strcmp(c->name, seam_rows[i].def) || at + 64 > size)
			continue;
		at += (size_t)snprintf(buf + at, size - at, " %s=%s", seam_rows[i].name,
				       c->name);
	}
	for (u32 i = 0; i < FEAT_COUNT; i++)
		if (s->feat[i] != feat_rows[i].def && at + 64 <= size)
			at += (size_t)snprintf(buf + at, size - at, " %s=%s",
					       feat_rows[i].name,
					       s->feat[i] ? "on" : "off");
	if (!at)
		snprintf(buf, size, " none");
}

int check_wrong(const struct sched *s, struct failure *f, const char *what, u32 cpu,
		u64 have, u64 want)
{
	char opts[400];

	options_text(s, opts, sizeof(opts));
	return fail_set(
		f, FAIL_CHECK, NULL,
		"at %llu ns, CPU %u: %s is %llu, recounted %llu; options that are "
		"not Linux 6.1's:%s",
		(unsigned long long)s->engine->now,
		cpu < s->ncpu ? s->machine->cpu[cpu].os : cpu, what,
		(unsigned long long)have, (unsigned long long)want, opts);
}

/* A throttled queue above: the CPU does not count the task. */
static bool out_of_sight(const struct task *t)
{
	const struct cfs_rq *cfs = t->se.cfs;
	const struct entity *se = &t->se;

	if (t->rt_prio)
		return false; /* limits are of the fair class */
	for (; !cfs->limit.throttled && se->parent; cfs = se->cfs)
		se = se->parent;
	return cfs->limit.throttled;
}

/* The tasks of a CPU: where they say they are, and allowed there. */
static int check_list(const struct sched *s, const struct rq *rq, struct failure *f)
{
	const struct task *prev = NULL;
	u32 n = 0, rt = rq->rt && !rq->rt->throttled ? rq->rt->nr : 0;
	u32 listed = 0, util_est = 0, n_all;

	for (const struct task *t = rq->mru_first; t; prev = t, t = t->mru_next) {
		if (t->rq != rq || t->state != TASK_RUNNABLE || !t->se.on_rq ||
		    t->se.delayed)
			return check_wrong(s, f, "queue of a listed task", rq->cpu,
					   t->rq->cpu, rq->cpu);
		if (t->se.cfs != t->tg->cfs[rq->cpu])
			return check_wrong(s, f, "group queue of a task", rq->cpu, 0, 1);
		if (t->mru_prev != prev)
			return check_wrong(s, f, "back link of the task list", rq->cpu, 0,
					   1);
		if (++listed > s->nr_tasks)
			break;
		n += !out_of_sight(t);
		if (s->feat[FEAT_UTIL_EST])
			util_est += max_u32(t->util_est, t->util_ewma);
		/* who became fair in a throttled group is about to be put aside */
		if (t->se.in_tree == (rq->curr == t) &&
		    !(rq->resched && task_throttled(t)))
			return check_wrong(s, f, "presence in the tree of a task",
					   rq->cpu, t->se.in_tree, !t->se.in_tree);
		if (!task_allowed(t, rq->cpu) && !t->must_move)
			return check_wrong(s, f, "a queued task's permission to be here",
					   rq->cpu, 0, 1);
	}
	/* with EEVDF some are queued, not runnable, and not listed */
	n_all = n + rt + rq->cfs.h_delayed;
	if (rq->nr_running != n_all)
		return check_wrong(s, f, "nr_running", rq->cpu, rq->nr_running, n_all);
	if (rq->cfs.h_nr != n)
		return check_wrong(s, f, "tasks below the root queue", rq->cpu,
				   rq->cfs.h_nr, n);
	if (rq->cfs.util_est != util_est)
		return check_wrong(s, f, "sum of util_est", rq->cpu, rq->cfs.util_est,
				   util_est);
	return 0;
}

/* One queue: its entities, their weights and tasks, their order. */
int check_vruntime_queue(const struct sched *s, const struct cfs_rq *cfs,
			 struct failure *f)
{
	const struct entity *prev = NULL, *se = cfs->leftmost, *curr = cfs->curr;
	u32 cpu = cfs->rq->cpu, nr = 0, tasks = 0;
	u64 weight = 0;

	if (curr && curr->on_rq) {
		nr++;
		weight += curr->weight;
		tasks += curr->own ? curr->own->h_nr : 1;
	}
	for (; se && nr <= cfs->nr; prev = se, se = fair_next(se)) {
		if (prev && (s64)(se->vruntime - prev->vruntime) < 0)
			return check_wrong(s, f, "order of the tree", cpu, se->vruntime,
					   prev->vruntime);
		if (se->cfs != cfs || !se->on_rq)
			return check_wrong(s, f, "queue of a queued entity", cpu, 0, 1);
		nr++;
		weight += se->weight;
		tasks += se->own ? se->own->h_nr : 1;
	}
	if (cfs->nr != nr)
		return check_wrong(s, f, "queue length", cpu, cfs->nr, nr);
	if (cfs->weight != weight)
		return check_wrong(s, f, "queue weight", cpu, cfs->weight, weight);
	if (cfs->h_nr != tasks)
		return check_wrong(s, f, "tasks below a queue", cpu, cfs->h_nr, tasks);
	return 0;
}

/* How many queues above stop its clock; nobody runs out of sight. */
static int check_limit(const struct sched *s, const struct task_group *g,
		       const struct cfs_rq *cfs, struct failure *f)
{
	u32 cpu = cfs->rq->cpu, stops = 0;

	for (const struct task_group *up = g; up->parent; up = up->parent)
		stops += up->cfs[cpu]->limit.throttled;
	if (cfs->limit.stopped != stops)
		return check_wrong(s, f, "throttled queues above a queue", cpu,
				   cfs->limit.stopped, stops);
	if (stops && cfs->curr)
		return check_wrong(s, f, "running entities of a throttled queue", cpu, 1,
				   0);
	if (cfs->limit.throttled && cfs->limit.left > 0)
		return check_wrong(s, f, "CPU time of a throttled queue", cpu,
				   (u64)cfs->limit.left, 0);
	return 0;
}

static int check_queues(const struct sched *s, const struct rq *rq, struct failure *f)
{
	if (check_list(s, rq, f) || s->ops.fair.check_queue(s, &rq->cfs, f))
		return -1;
	for (const struct task_group *g = s->groups; g; g = g->all_next) {
		const struct cfs_rq *cfs = g->cfs[rq->cpu];
		const struct entity *se = g->se[rq->cpu];

		if (s->ops.fair.check_queue(s, cfs, f))
			return -1;
		if (se->on_rq != ((cfs->nr || se->delayed) && !cfs->limit.throttled))
			return check_wrong(s, f, "presence of a group", rq->cpu,
					   se->on_rq, cfs->nr);
		if (cfs->fades && (cfs->weight || se->on_rq))
			return check_wrong(s, f, "empty queue of a group", rq->cpu,
					   cfs->weight, 0);
		if (check_limit(s, g, cfs, f))
			return -1;
	}
	return 0;
}

/* One real-time task, on the list of its priority. */
static int check_rt_task(const struct sched *s, const struct rq *rq, u32 prio,
			 const struct task *t, struct failure *f)
{
	if (t->rq != rq || t->state != TASK_RUNNABLE || t->se.on_rq)
		return check_wrong(s, f, "queue of a real-time task", rq->cpu, t->rq->cpu,
				   rq->cpu);
	if (t->rt_prio != prio || (t->policy != POLICY_FIFO && t->policy != POLICY_RR))
		return check_wrong(s, f, "priority of a real-time task", rq->cpu,
				   t->rt_prio, prio);
	if (t->rt_next ? t->rt_next->rt_prev != t : rq->rt->list[prio].last != t)
		return check_wrong(s, f, "back link of a real-time list", rq->cpu, 0, 1);
	if (!task_allowed(t, rq->cpu) && !t->must_move)
		return check_wrong(s, f, "a real-time task's permission to be here",
				   rq->cpu, 0, 1);
	return 0;
}

static int check_rt(const struct sched *s, const struct rq *rq, struct failure *f)
{
	const struct rt_rq *rt = rq->rt;
	u32 nr = 0, migratory = 0;

	if (!rt)
		return 0;
	for (u32 p = 0; p < RT_LEVELS; p++) {
		const struct task *t = rt->list[p].first;

		if ((t != NULL) != (rt->bits[p / 64] >> p % 64 & 1))
			return check_wrong(s, f, "bit of a real-time list", rq->cpu, !t,
					   !!t);
		for (; t && nr <= rt->nr; t = t->rt_next, nr++) {
			if (check_rt_task(s, rq, p, t, f))
				return -1;
			migratory += t->ncpus_allowed > 1;
		}
	}
	if (rt->nr != nr)
		return check_wrong(s, f, "real-time tasks", rq->cpu, rt->nr, nr);
	if (rt->migratory != migratory)
		return check_wrong(s, f, "real-time tasks that may move", rq->cpu,
				   rt->migratory, migratory);
	if (rt->overloaded != (nr > 1 && migratory) ||
	    rt->overloaded != cpumask_has(s->rt->over, rq->cpu))
		return check_wrong(s, f, "real-time overload", rq->cpu, rt->overloaded,
				   nr > 1 && migratory);
	return 0;
}

/* An offline CPU has nothing, and nothing is on its way to it. */
static int check_offline(const struct sched *s, const struct rq *rq, struct failure *f)
{
	const u32 events[] = {s->ev_done, s->ev_tick, s->ev_ipi};

	if (rq->nr_running || rq->curr || rq->wake_pending)
		return check_wrong(s, f, "tasks on an offline CPU", rq->cpu,
				   rq->nr_running, 0);
	if (rq->sd || rq->llc || s->sib_n[rq->cpu])
		return check_wrong(s, f, "domains of an offline CPU", rq->cpu, 1, 0);
	if (cpumask_has(s->idle_mask, rq->cpu) || rq->nohz_idle)
		return check_wrong(s, f, "idleness of an offline CPU", rq->cpu, 1, 0);
	for (u32 i = 0; i < ARRAY_SIZE(events); i++)
		if (engine_pending(s->engine, events[i], rq->cpu))
			return check_wrong(s, f, "events of an offline CPU", rq->cpu, 1,
					   0);
	return 0;
}

static int check_rq(const struct sched *s, struct rq *rq, struct failure *f)
{
	if (check_queues(s, rq, f) || check_rt(s, rq, f))
		return -1;
	if (!rq->online)
		return check_offline(s, rq, f);
	if (cpumask_has(s->idle_mask, rq->cpu) != !rq->curr)
		return check_wrong(s, f, "idle mask", rq->cpu, rq->curr == NULL,
				   !rq->curr);
	if (cpumask_has(s->nohz_mask, rq->cpu) != rq->nohz_idle)
		return check_wrong(s, f, "tickless mask", rq->cpu, rq->nohz_idle,
				   !rq->nohz_idle);
	if (!rq->curr && rq->nr_running && !rq->resched && !rq->forced_idle)
		return check_wrong(s, f,
				   "idle CPU with queued tasks and no reschedule; queued",
				   rq->cpu, rq->nr_running, 0);
	if (rq->resched && !engine_pending(s->engine, s->ev_ipi, rq->cpu))
		return check_wrong(s, f, "a pending reschedule that nothing delivers",
				   rq->cpu, 1, 0);
	return 0;
}

/* The list of throttled queues; and somebody must come to let them go on. */
static int check_pool(const struct sched *s, const struct task_group *g,
		      struct failure *f)
{
	u32 listed = 0, throttled = 0;

	for (const struct cfs_rq *cfs = g->bw->first; cfs && listed <= s->ncpu;
	     cfs = cfs->limit.next)
		listed += cfs->limit.throttled && cfs->tg == g;
	for (u32 i = 0; i < s->ncpu; i++)
		throttled += g->cfs[i]->limit.throttled;
	if (listed != throttled)
		return check_wrong(s, f, "list of throttled queues", CPU_NONE, listed,
				   throttled);
	if (throttled && !engine_pending(s->engine, s->ev_limit, 2 * g->bw->id))
		return check_wrong(s, f, "period timer of a group with throttled queues",
				   CPU_NONE, 0, 1);
	return 0;
}

/* What the CPUs have told a group of their load. */
static int check_groups(const struct sched *s, struct failure *f)
{
	for (const struct task_group *g = s->groups; g; g = g->all_next) {
		u64 sum = 0;

		for (u32 i = 0; i < s->ncpu; i++)
			sum += g->cfs[i]->contrib;
		if (g->load_avg != sum)
			return check_wrong(s, f, "load of a task group", CPU_NONE,
					   g->load_avg, sum);
		if (g->bw && check_pool(s, g, f))
			return -1;
	}
	return 0;
}

/* Every task is where it says it is, and none is lost. */
static int check_tasks(const struct sched *s, struct failure *f)
{
	u32 runnable = 0, queued = 0;

	for (u32 i = 0; i < s->nr_tasks; i++) {
		const struct task *t = s->task[i];

		if (!t)
			continue;
		if (t->id != i)
			return check_wrong(s, f, "id of a task", t->rq->cpu, t->id, i);
		if (t->se.weight != fair_task_weight(t))
			return check_wrong(s, f, "weight of a task", t->rq->cpu,
					   t->se.weight, fair_task_weight(t));
		if (t->se.delayed != (t->state == TASK_DELAYED))
			return check_wrong(s, f, "delay of a task's dequeue", t->rq->cpu,
					   t->se.delayed, t->state == TASK_DELAYED);
		runnable += (t->state == TASK_RUNNABLE || t->state == TASK_DELAYED) &&
			    !out_of_sight(t) && !task_is_stopper(t);
	}
	for (u32 i = 0; i < s->ncpu; i++)
		queued += s->rq[i].cfs.h_nr + s->rq[i].cfs.h_delayed +
			  (s->rq[i].rt ? s->rq[i].rt->nr : 0);
	if (runnable != queued)
		return check_wrong(s, f, "runnable tasks on all queues", CPU_NONE, queued,
				   runnable);
	return 0;
}

/* The sums of a group, against a walk over its CPUs. */
static int check_sums(struct sched *s, struct failure *f)
{
	sums_sync(s);
	for_each_cpu (cpu, s->online)
		for_each_domain (sd, cpu_rq(s, cpu)) {
			const struct group *g = sd->groups;
			u64 load = 0, nr = 0, idle = 0, util = 0;

			for_each_cpu (c, g->span) {
				struct cpu_sums one = sums_of_cpu(s, cpu_rq(s, c));

				load += one.load;
				nr += one.nr_running;
				idle += one.idle;
				util += one.util;
			}
			if (g->sums->load != load)
				return check_wrong(s, f, "load of a group", cpu,
						   g->sums->load, load);
			if (g->sums->nr_running != nr)
				return check_wrong(s, f, "tasks of a group", cpu,
						   g->sums->nr_running, nr);
			if (g->sums->idle != idle)
				return check_wrong(s, f, "idle CPUs of a group", cpu,
						   g->sums->idle, idle);
			if (g->sums->util != util)
				return check_wrong(s, f, "utilisation of a group", cpu,
						   g->sums->util, util);
		}
	return 0;
}

int sched_check(struct sched *s, struct failure *f)
{
	if (s->broken) {
		*f = s->why;
		return -1;
	}
	for (u32 i = 0; i < s->ncpu; i++)
		if (check_rq(s, &s->rq[i], f))
			return -1;
	s->ntouched = 0;
	if (check_sums(s, f) || check_groups(s, f))
		return -1;
	if (s->memory && memory_check(s, f))
		return -1;
	return check_tasks(s, f);
}

int sched_check_touched(struct sched *s, struct failure *f)
{
	if (s->broken || ++s->checks % 1024 == 0)
		return sched_check(s, f);
	for (u32 i = 0; i < s->ntouched; i++)
		if (check_rq(s, &s->rq[s->touched[i]], f))
			return -1;
	s->ntouched = 0;
	return 0;
}
