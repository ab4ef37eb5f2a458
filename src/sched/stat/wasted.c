/*
 * Wasted cores, see sched/wasted.h. Once a millisecond all pairs of an idle CPU and one
 * whose queue has waited without a break are looked at; when queues and idle times began
 * is known to the event. The age of a pair is the time for which both hold:
 *
 *   idle CPU    ......|=========================
 *   busy CPU's queue  ...........|==============    of tasks that may run there
 *                                |<--- age --->|    more than the bound is a waste
 *
 * Which tasks could run on the idle CPU: fair ones, allowed by affinity, by cookies and
 * by limits of CPU time. Those on a wake list are on their way. This is no part of Linux;
 * the bound is what its balancer (rebalance_domains(), nohz_balancer_kick()) amounts to.
 *
 * The bound is that of the first CPU in line. A group takes for one idle CPU a pass, so
 * where many idle at once the last ones are past it under Linux, too: on 104 CPUs whose
 * tasks all start on one of two nodes, by seconds. Newly idle CPUs look at once, and so
 * are mostly faster; it may be off, gated by cost, or nobody goes idle.
 *
 * Leaves out: waiting real-time tasks, which are pushed and pulled otherwise.
 */
#include "sched/wasted.h"

#include <string.h>

#include "internal.h"

#define LOOK_EVERY     NS_PER_MS
#define LEVELS	       32u
#define PINNED_MS      1024u /* to which a domain backs off where affinity holds tasks */
#define OVERLOAD_SHOWS (3 * 32 * NS_PER_MS) /* utilisation grows to 7/8 */

struct wasted_watch {
	struct sched *s;
	struct cpumask **offer;	 /* of each CPU: where its waiting tasks may run */
	struct cpumask *waiting; /* CPUs with an offer */
	struct cpumask *idle, *scratch;
	u64 *since;	/* [busy * ncpu + idle]: the offer holds from then on */
	u64 *idle_from; /* by CPU */
	u64 *idle_over; /* of one look: time beyond the bound */
	u64 looked, time;
	struct wasted_level level[LEVELS];
	u32 nr_online; /* when bounds were set last */
	bool alone, pinned;
};

static u64 interval(const struct sched *s, u32 ms)
{
	u64 most = max_u64(1, NS_PER_SEC / s->tick * s->nr_online / 10);
	u64 ticks = (ms * NS_PER_MS + s->tick - 1) / s->tick;

	return min_u64(max_u64(ticks, 1), most) * s->tick;
}

/*
 * How long one level may take: the interval to which it has backed off, the tick of the
 * busy CPU that wakes an idle one to balance, and a tick since intervals end at ticks;
 * then as many failures as leave hot tasks alone, at the shortest interval. Where groups
 * do not spread whatever their load, overload must have shown before.
 */
static u64 level_bound(const struct sched *s, const struct domain *sd, bool pinned)
{
	u32 most = pinned ? PINNED_MS : sd->max_interval;
	u64 bound = interval(s, most) + 2 * s->tick;

	bound += (sd->cache_nice_tries + 1) * (interval(s, sd->min_interval) + s->tick);
	if (sd->child ? !(sd->child->flags & SD_PREFER_SIBLING) : s->classic)
		bound += OVERLOAD_SHOWS;
	return bound;
}

/*
 * A task comes to the CPU level by level: the one that balances a level is the first idle
 * one of its group. And whoever balances for the others may have put it off by the
 * interval of a lowest level.
 */
static void set_bounds(struct wasted_watch *w)
{
	const struct sched *s = w->s;

	w->nr_online = s->nr_online;
	for_each_cpu (cpu, s->online) {
		u64 sum = 0;

		for_each_domain (sd, cpu_rq(s, cpu)) {
			struct wasted_level *l = &w->level[sd->level];

			if (!sum)
				sum = interval(s, sd->max_interval) + s->tick;
			sum += level_bound(s, sd, w->pinned);
			l->domain = sd->name;
			l->bound = max_u64(l->bound, sum);
		}
	}
}

struct wasted_watch *wasted_new(struct arena *a, struct sched *s, bool alone)
{
	struct wasted_watch *w = arena_new(a, struct wasted_watch);

	w->s = s;
	w->alone = alone;
	w->offer = arena_array(a, struct cpumask *, s->ncpu);
	w->since = arena_array(a, u64, (size_t)s->ncpu * s->ncpu);
	w->idle_from = arena_array(a, u64, s->ncpu);
	w->idle_over = arena_array(a, u64, s->ncpu);
	w->waiting = cpumask_new(a, s->ncpu);
	w->scratch = cpumask_new(a, s->ncpu);
	w->idle = cpumask_new(a, s->ncpu);
	cpumask_copy(w->idle, s->online);
	for (u32 i = 0; i < s->ncpu; i++)
		w->offer[i] = cpumask_new(a, s->ncpu);
	w->looked = s->engine->now;
	set_bounds(w);
	return w;
}

static bool waits(const struct rq *rq, const struct task *t)
{
	return t != rq->curr && !task_throttled(t);
}

/* Where the waiting tasks of a CPU may run, by affinity. */
static void offers(struct wasted_watch *w, const struct rq *rq, struct cpumask *out)
{
	memset(out->w, 0, sizeof(u64) * out->nwords);
	for (const struct task *t = rq->mru_first; t; t = t->mru_next) {
		if (!waits(rq, t))
			continue;
		for (u32 i = 0; i < out->nwords; i++)
			out->w[i] |= t->cpus->w[i];
		if (cpumask_subset(w->s->online, t->cpus))
			return;
		if (!w->pinned) {
			w->pinned = true;
			set_bounds(w);
		}
	}
}

static void update_cpu(struct wasted_watch *w, u32 cpu)
{
	const struct rq *rq = cpu_rq(w->s, cpu);
	struct cpumask *offer = w->offer[cpu];
	u64 now = w->s->engine->now, *since = &w->since[(size_t)cpu * w->s->ncpu];
	bool idle = rq->online && !rq->curr && !rq->nr_running;

	if (idle && !cpumask_has(w->idle, cpu)) {
		cpumask_set(w->idle, cpu);
		w->idle_from[cpu] = now;
	} else if (!idle) {
		cpumask_clear(w->idle, cpu);
	}
	offers(w, rq, w->scratch);
	for (u32 i = 0; i < offer->nwords; i++) {
		u64 fresh = w->scratch->w[i] & ~offer->w[i];

		for (; fresh; fresh &= fresh - 1)
			since[i * 64 + (u32)__builtin_ctzll(fresh)] = now;
		offer->w[i] = w->scratch->w[i];
	}
	if (cpumask_empty(offer))
		cpumask_clear(w->waiting, cpu);
	else
		cpumask_set(w->waiting, cpu);
}

/* Cookies and limits change often: they are looked at now and then only. */
static bool could_run(const struct sched *s, const struct rq *busy, u32 idle)
{
	if (!s->core_on && !s->limits)
		return true;
	for (const struct task *t = busy->mru_first; t; t = t->mru_next)
		if (waits(busy, t) && task_allowed(t, idle) && core_match(s, idle, t) &&
		    !t->tg->cfs[idle]->limit.stopped)
			return true;
	return false;
}

static struct wasted_level *common_level(struct wasted_watch *w, u32 idle, u32 busy)
{
	for_each_domain (sd, cpu_rq(w->s, idle))
		if (cpumask_has(sd->span, busy))
			return &w->level[sd->level];
	return NULL;
}

/* Time beyond the bound of one pair, 0 = it is within. */
static u64 look_at(struct wasted_watch *w, u32 idle, u32 busy)
{
	struct wasted_level *l = common_level(w, idle, busy);
	u64 *since = &w->since[(size_t)busy * w->s->ncpu + idle], age;

	if (!l)
		return 0;
	if (!could_run(w->s, cpu_rq(w->s, busy), idle)) {
		*since = w->s->engine->now;
		return 0;
	}
	age = w->s->engine->now - max_u64(*since, w->idle_from[idle]);
	if (age > l->longest) {
		l->longest = age;
		l->idle = idle;
		l->busy = busy;
	}
	return age > l->bound ? age - l->bound : 0;
}

/*
 * Several CPUs may idle while one queue waits, or the other way round: what is wasted is
 * the smaller number of both.
 */
static void look(struct wasted_watch *w)
{
	u64 gone = w->s->engine->now - w->looked, idle_sum = 0, busy_sum = 0;

	w->looked = w->s->engine->now;
	memset(w->idle_over, 0, sizeof(u64) * w->s->ncpu);
	for_each_cpu (busy, w->waiting) {
		u64 most = 0;

		for (u32 i = cpumask_next_and(w->idle, w->offer[busy], 0); i != CPU_NONE;
		     i = cpumask_next_and(w->idle, w->offer[busy], i + 1)) {
			u64 over = look_at(w, i, busy);

			w->idle_over[i] = max_u64(w->idle_over[i], over);
			most = max_u64(most, over);
		}
		busy_sum += min_u64(most, gone);
	}
	for (u32 i = 0; busy_sum && i < w->s->ncpu; i++)
		idle_sum += min_u64(w->idle_over[i], gone);
	w->time += min_u64(idle_sum, busy_sum);
}

/* The domains are others now, and their intervals begin: so do all ages. */
static void hotplugged(struct wasted_watch *w)
{
	set_bounds(w);
	for (u32 i = 0; i < w->s->ncpu; i++) {
		update_cpu(w, i);
		w->idle_from[i] = w->s->engine->now;
	}
}

void wasted_look(struct wasted_watch *w)
{
	struct sched *s = w->s;

	/* what held until this event */
	if (s->engine->now - w->looked >= LOOK_EVERY)
		look(w);
	if (s->nr_online != w->nr_online)
		hotplugged(w);
	else if (s->ntouched == s->ncpu) /* there may have been more */
		for (u32 i = 0; i < s->ncpu; i++)
			update_cpu(w, i);
	else
		for (u32 i = 0; i < s->ntouched; i++)
			update_cpu(w, s->touched[i]);
	if (w->alone)
		s->ntouched = 0;
}

void wasted_restart(struct wasted_watch *w)
{
	look(w);
	w->time = 0;
	for (u32 i = 0; i < LEVELS; i++)
		w->level[i].longest = 0;
}

void wasted_read(struct wasted_watch *w, struct wasted *out)
{
	look(w);
	*out = (struct wasted){.time = w->time};
	for (u32 i = 0; i < LEVELS && out->nlevel < WASTED_LEVELS; i++)
		if (w->level[i].domain)
			out->level[out->nlevel++] = w->level[i];
}
