/*
 * A task that is not on its preferred node looks for a place there: an idle CPU, a CPU
 * where it does no harm to the balance of load, or a running task to change places with.
 * Corresponds to numa_migrate_preferred(), task_numa_migrate(), task_numa_find_cpu(),
 * task_numa_compare() of Linux 6.1; without numa.spare to those of Linux 5.6 and before.
 *
 *   gain of a move = weight(there) - weight(here)          parts of a thousand of faults
 *   gain of a swap = gain of the task + gain of the other
 *
 * differs from Linux: who moves leaves at once, without a stopper task; the second of a
 * swap leaves when the interrupt has reached it (asleep by then: when it runs again), up
 * to then the CPU of the first idles and pulls nothing; several searches at one time do
 * not see each other.
 */
#include "balance/capacity.h"
#include "numa/balancing.h"

#define SMALL_GAIN 30

/* A CPU of a node, by what the node has. */
struct numa_stats {
	u64 load, runnable, util, capacity;
	u32 nr, weight;
	enum group_type type; /* spare, fully busy or overloaded */
	u32 idle_cpu;
};

struct search {
	struct rq *rq; /* where t runs */
	struct task *t;
	u32 src, dst; /* nodes */
	u32 distance, pct, allowance, rule;
	struct numa_stats here, there;
	bool may_move;
	s64 task_gain, group_gain;
	/* the best so far */
	u32 cpu; /* CPU_NONE = none */
	struct task *peer;
	s64 gain;
};

static bool usable(const struct sched *s, const struct search *f, u32 cpu)
{
	if (!task_allowed(f->t, cpu) || !cpu_rq(s, cpu)->online)
		return false;
	return core_numa_match(s, cpu, f->t);
}

static void look_for_idle(const struct sched *s, const struct search *f,
			  struct numa_stats *st, u32 cpu, u32 *whole)
{
	const struct rq *rq = cpu_rq(s, cpu);

	if (!cpu_idle(s, cpu) || !usable(s, f, cpu))
		return;
	if (st->idle_cpu == CPU_NONE)
		st->idle_cpu = cpu;
	if (*whole == CPU_NONE && s->sib_n[cpu] > 1 && rq->llc &&
	    rq->llc->has_idle_cores && core_idle(s, cpu))
		*whole = cpu;
}

static void fill(struct sched *s, const struct search *f, u32 node, bool find_idle,
		 struct numa_stats *st)
{
	const struct cpumask *cpus = s->memory->node[node].cpus;
	u32 whole = CPU_NONE;

	*st = (struct numa_stats){.idle_cpu = CPU_NONE};
	for (u32 cpu = cpumask_next_and(cpus, s->online, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(cpus, s->online, cpu + 1)) {
		const struct rq *rq = cpu_rq(s, cpu);

		st->load += placement_load(s, rq);
		st->runnable += rq->cfs.avg.runnable_avg;
		st->util += cpu_util(rq);
		st->nr += rq->cfs.h_nr;
		st->capacity += cpu_capacity(rq);
		st->weight++;
		if (find_idle)
			look_for_idle(s, f, st, cpu, &whole);
	}
	if (whole != CPU_NONE)
		st->idle_cpu = whole;
	if (st->nr > st->weight && (st->capacity * 100 < st->util * f->pct ||
				    st->capacity * f->pct < st->runnable * 100))
		st->type = GROUP_OVERLOADED;
	else if (st->nr < st->weight || (st->capacity * 100 > st->util * f->pct &&
					 st->capacity * f->pct > st->runnable * 100))
		st->type = GROUP_HAS_SPARE;
	else
		st->type = GROUP_FULLY_BUSY;
}

static u64 apart(s64 a, s64 b)
{
	return (u64)(a > b ? a - b : b - a);
}

/* Would `load` more there, and less here, make loads less even than they are? */
static bool less_even(const struct search *f, s64 load)
{
	s64 here = (s64)f->here.capacity, there = (s64)f->there.capacity;
	s64 src = (s64)f->here.load, dst = (s64)f->there.load;

	return apart((dst + load) * here, (src - load) * there) >
	       apart(dst * here, src * there);
}

static void keep_best(struct search *f, u32 cpu, struct task *peer, s64 gain)
{
	f->cpu = cpu;
	f->peer = peer;
	f->gain = gain;
}

/* `cpu` has nothing on, or its task is not worth a swap. */
static u32 idle_near(const struct sched *s, const struct search *f, u32 cpu)
{
	const struct cpumask *node = s->memory->node[f->dst].cpus;

	if (f->there.idle_cpu != CPU_NONE && s->feat[FEAT_NUMA_SPARE])
		return f->there.idle_cpu;
	if (cpu_idle(s, cpu))
		return cpu;
	for (u32 c = cpumask_next_and(node, s->online, 0); c != CPU_NONE;
	     c = cpumask_next_and(node, s->online, c + 1))
		if (share_cache(s, c, cpu) && cpu_idle(s, c) && usable(s, f, c))
			return c;
	return cpu;
}

static u32 preferred(const struct task *t)
{
	return t && t->mem ? numa_preferred(t) : NODE_NONE;
}

/* What both gain. */
static s64 swap_gain(const struct sched *s, const struct search *f,
		     const struct task *cur)
{
	const struct numa_group *mine = numa_of(f->t)->group;
	const struct numa_group *theirs = numa_of(cur) ? numa_of(cur)->group : NULL;
	s64 gain = mine ? f->group_gain : f->task_gain;

	if (mine == theirs)
		gain = f->task_gain;
	if (mine && theirs && mine != theirs)
		gain += (s64)group_weight(s, cur, f->src, f->distance) -
			(s64)group_weight(s, cur, f->dst, f->distance);
	else
		gain += (s64)task_weight(s, cur, f->src, f->distance) -
			(s64)task_weight(s, cur, f->dst, f->distance);
	if (mine && mine == theirs)
		gain -= gain / 16; /* not for small differences inside a group */
	if (!s->feat[FEAT_NUMA_SPARE])
		return gain;
	if (preferred(cur) == f->dst)
		gain -= gain / 16;
	if (preferred(cur) == f->src)
		gain += gain / 8;
	return gain;
}

/* Never for two of a group, or of none, while there is room. */
static bool may_swap(const struct sched *s, const struct search *f,
		     const struct task *cur)
{
	const struct numa_group *theirs = numa_of(cur) ? numa_of(cur)->group : NULL;

	if (cur->rt_prio || cur->exiting || !task_allowed(cur, f->rq->cpu))
		return false;
	if (!s->feat[FEAT_NUMA_SPARE])
		return true;
	if (f->peer && preferred(f->peer) == f->src && preferred(cur) != f->src)
		return false;
	return theirs != numa_of(f->t)->group || f->there.type != GROUP_HAS_SPARE;
}

static bool swap_pays(struct sched *s, const struct search *f, struct task *cur, s64 gain)
{
	s64 load;

	if (s->feat[FEAT_NUMA_SPARE] && f->peer && preferred(cur) == f->src &&
	    preferred(f->peer) != f->src)
		return true;
	if (gain < SMALL_GAIN || gain <= f->gain + SMALL_GAIN / 2)
		return false;
	load = (s64)task_h_load(s, f->t) - (s64)task_h_load(s, cur);
	return !load || !less_even(f, load);
}

/* Returns true if the search may end. */
static bool compare(struct sched *s, struct search *f, u32 cpu)
{
	struct task *cur = cpu_rq(s, cpu)->curr;
	s64 move_gain = numa_of(f->t)->group ? f->group_gain : f->task_gain, gain;

	if (!cur) {
		if (!f->may_move || move_gain < f->gain)
			return false;
		keep_best(f, idle_near(s, f, cpu), NULL, move_gain);
	} else {
		if (!may_swap(s, f, cur))
			return false;
		gain = swap_gain(s, f, cur);
		if (f->may_move && move_gain > gain && move_gain > f->gain)
			keep_best(f, idle_near(s, f, cpu), NULL, move_gain);
		else if (swap_pays(s, f, cur, gain))
			keep_best(f, cpu, cur, gain);
		else
			return false;
	}
	if (!s->feat[FEAT_NUMA_SPARE])
		return false;
	if (f->may_move && !f->peer && cpu_idle(s, f->cpu))
		return true;
	return !f->may_move && f->peer && preferred(f->peer) == f->src;
}

/* Would a move make the imbalance that the load balancer would take back? */
static u64 imbalance_after(const struct search *f)
{
	u32 src = f->here.nr - 1, dst = f->there.nr + 1;
	u64 more = dst > src ? dst - src : 0;

	if (f->rule == NUMA_LLCS)
		return numa_imbalance(more, dst, f->allowance);
	return numa_imbalance_old(f->rule, more, f->rule == NUMA_PAIR ? src : dst,
				  f->there.weight);
}

static void find_cpu(struct sched *s, struct search *f)
{
	const struct cpumask *cpus = s->memory->node[f->dst].cpus;

	if (s->feat[FEAT_NUMA_SPARE] && f->there.type == GROUP_HAS_SPARE) {
		f->may_move = imbalance_after(f) == 0;
		if (f->may_move && f->there.idle_cpu != CPU_NONE) {
			keep_best(f, f->there.idle_cpu, NULL, 0);
			return;
		}
	} else {
		f->may_move = !less_even(f, (s64)task_h_load(s, f->t));
	}
	for (u32 cpu = cpumask_next_and(cpus, s->online, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(cpus, s->online, cpu + 1))
		if (usable(s, f, cpu) && compare(s, f, cpu))
			return;
}

static void look_at_node(struct sched *s, struct search *f, u32 node)
{
	f->dst = node;
	fill(s, f, node, true, &f->there);
	find_cpu(s, f);
}

static void gains(const struct sched *s, struct search *f, u32 node)
{
	f->task_gain = (s64)task_weight(s, f->t, node, f->distance) -
		       (s64)task_weight(s, f->t, f->src, f->distance);
	f->group_gain = (s64)group_weight(s, f->t, node, f->distance) -
			(s64)group_weight(s, f->t, f->src, f->distance);
}

/* Nodes that are not the preferred one, if it has no place or the group is on several. */
static void look_elsewhere(struct sched *s, struct search *f)
{
	const struct numa_task *nt = numa_of(f->t);

	if (f->cpu != CPU_NONE && !(nt->group && nt->group->active_nodes > 1))
		return;
	for (u32 n = 0; n < s->memory->nnode; n++) {
		if (n == f->src || n == nt->preferred || !s->machine->node[n].ncpu)
			continue;
		if (s->memory->topology == NODES_BACKPLANE)
			f->distance = machine_distance(s->machine, f->src, f->dst);
		gains(s, f, n);
		if (f->task_gain < 0 && f->group_gain < 0)
			continue;
		look_at_node(s, f, n);
	}
}

/* It leaves its CPU at the next opportunity: task_move_away(). */
static void send(struct sched *s, struct task *t, u32 cpu, u32 by)
{
	t->must_move = true;
	t->move_to = cpu;
	cpu_resched(s, t->rq, by);
}

static void go(struct sched *s, struct search *f)
{
	struct numa_task *nt = numa_of(f->t);

	if (nt->group)
		nt->preferred = f->cpu == CPU_NONE ? f->src : cpu_node(s, f->cpu);
	if (f->cpu == CPU_NONE) {
		count(s, DEC_NUMA_STUCK);
		return;
	}
	count(s, f->peer ? DEC_NUMA_SWAP : DEC_NUMA_MOVE);
	send(s, f->t, f->cpu, f->rq->cpu);
	if (!f->peer)
		return;
	s->memory->no_pull[f->rq->cpu] = s->engine->now + 20 * NS_PER_US;
	send(s, f->peer, f->rq->cpu, f->rq->cpu);
}

static void search_place(struct sched *s, struct rq *rq, struct task *t)
{
	struct numa_task *nt = numa_of(t);
	struct search f = {.rq = rq, .t = t, .cpu = CPU_NONE, .rule = s->numa_rule};
	const struct domain *sd = rq->sd;

	while (sd && !(sd->flags & SD_NUMA))
		sd = sd->parent;
	f.src = cpu_node(s, rq->cpu);
	if (!sd) {
		nt->preferred = f.src;
		return;
	}
	f.pct = 100 + (sd->imbalance_pct - 100) / 2;
	f.allowance = sd->imb_numa_nr;
	f.distance = machine_distance(s->machine, f.src, nt->preferred);
	cpu_charge(s, rq, SYS_MEMORY, s->cost[COST_BALANCE] * s->nr_online);
	fill(s, &f, f.src, false, &f.here);
	gains(s, &f, nt->preferred);
	look_at_node(s, &f, nt->preferred);
	look_elsewhere(s, &f);
	go(s, &f);
}

void numa_move_preferred(struct sched *s, struct rq *rq, struct task *t)
{
	struct numa_task *nt = t->mem->numa;

	if (nt->preferred == NODE_NONE)
		return;
	nt->retry = jiffies(s) +
		    min_u64(NS_PER_SEC / s->tick, ms_to_jiffies(s, nt->period) / 16);
	if (cpu_node(s, rq->cpu) != nt->preferred)
		search_place(s, rq, t);
}
