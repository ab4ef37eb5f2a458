/*
 * Domains from the topology, as Linux 6.1 builds them: SMT, cluster, MC (the last-level
 * cache inside a node), DIE (the node), one NUMA level for each distance. Levels of one
 * CPU are dropped, and those that repeat the span below without adding a flag; a dropped
 * level hands PREFER_SIBLING down. Corresponds to sd_init(), build_sched_domains(),
 * cpu_attach_domain(), sched_init_numa().
 *
 * differs from Linux: groups of a NUMA level are the child domains in the order of the
 * CPUs, each CPU its own ring; asymmetric capacity is not modelled.
 */
#include <string.h>

#include "internal.h"

#define MAX_LEVELS 24u

struct level {
	const char *name;
	u32 flags, pct, nice_tries;
	u32 distance;	       /* 0: not NUMA */
	struct cpumask **span; /* by CPU */
};

struct builder {
	struct sched *s;
	struct arena *arena;
	struct level level[MAX_LEVELS];
	u32 nlevel;
};

typedef u32 (*id_of)(const struct machine *m, u32 cpu);

static u32 core_of(const struct machine *m, u32 cpu)
{
	return m->cpu[cpu].core;
}

static u32 cluster_of(const struct machine *m, u32 cpu)
{
	return m->cpu[cpu].cluster;
}

static u32 llc_of(const struct machine *m, u32 cpu)
{
	return m->cpu[cpu].llc;
}

static u32 node_of(const struct machine *m, u32 cpu)
{
	return m->cpu[cpu].node;
}

/* Masks of the CPUs with the same id, and the same node; equal CPUs share a mask. */
static struct cpumask **masks_by(struct builder *b, id_of id)
{
	const struct machine *m = b->s->machine;
	struct cpumask **span = arena_array(b->arena, struct cpumask *, m->ncpu);

	for_each_cpu (i, b->s->online) {
		for_each_cpu (j, b->s->online) {
			if (j >= i || span[i])
				break;
			if (id(m, i) == id(m, j) && node_of(m, i) == node_of(m, j))
				span[i] = span[j];
		}
		if (!span[i])
			span[i] = cpumask_new(b->arena, m->ncpu);
		cpumask_set(span[i], i);
	}
	return span;
}

static struct cpumask **masks_within(struct builder *b, u32 distance)
{
	const struct machine *m = b->s->machine;
	struct cpumask **by_node = arena_array(b->arena, struct cpumask *, m->nnode);
	struct cpumask **span = arena_array(b->arena, struct cpumask *, m->ncpu);

	for_each_cpu (i, b->s->online) {
		u32 node = node_of(m, i);

		if (!by_node[node]) {
			by_node[node] = cpumask_new(b->arena, m->ncpu);
			for_each_cpu (j, b->s->online)
				if (machine_distance(m, node, node_of(m, j)) <= distance)
					cpumask_set(by_node[node], j);
		}
		span[i] = by_node[node];
	}
	return span;
}

static void add_level(struct builder *b, const char *name, u32 flags, u32 pct, u32 tries,
		      u32 distance, struct cpumask **span)
{
	if (b->nlevel == MAX_LEVELS)
		return;
	b->level[b->nlevel++] = (struct level){
		.name = name,
		.flags = flags | SD_NEWIDLE,
		.pct = pct,
		.nice_tries = tries,
		.distance = distance,
		.span = span,
	};
}

static void add_numa_levels(struct builder *b, u32 pct)
{
	const struct machine *m = b->s->machine;
	u64 far = b->s->kernel->tun[TUN_RECLAIM_DISTANCE];
	u32 last = 10;

	for (;;) {
		u32 next = UINT32_MAX, flags = SD_NUMA | SD_SERIALIZE;

		for (u32 i = 0; i < m->nnode; i++)
			for (u32 j = 0; j < m->nnode; j++) {
				u32 d = machine_distance(m, i, j);

				if (m->node[i].ncpu && m->node[j].ncpu && d > last &&
				    d < next)
					next = d;
			}
		if (next == UINT32_MAX)
			return;
		if (next <= far)
			flags |= SD_FORK | SD_WAKE_AFFINE;
		add_level(b, "NUMA", flags, pct, 2, next, masks_within(b, next));
		last = next;
	}
}

static void find_levels(struct builder *b)
{
	const u64 *tun = b->s->kernel->tun;
	u32 all = SD_FORK | SD_WAKE_AFFINE | SD_PREFER_SIBLING;
	u32 smt = (u32)tun[TUN_PCT_SMT], mc = (u32)tun[TUN_PCT_MC];
	u32 other = (u32)tun[TUN_PCT_OTHER];

	add_level(b, "SMT", all | SD_SHARE_CAPACITY | SD_SHARE_CACHE, smt, 0, 0,
		  masks_by(b, core_of));
	if (b->s->feat[FEAT_CLUSTER])
		add_level(b, "CLS", all | SD_SHARE_CACHE, mc, 1, 0,
			  masks_by(b, cluster_of));
	add_level(b, "MC", all | SD_SHARE_CACHE, mc, 1, 0, masks_by(b, llc_of));
	add_level(b, "DIE", all, other, 1, 0, masks_by(b, node_of));
	add_numa_levels(b, other);
}

/*
 * A busy CPU balances busy_factor times less often, and a tick early so that it does not
 * meet the larger domains every time.
 */
void domain_set_interval(const struct sched *s, struct domain *sd, u32 ms)
{
	u64 max = max_u64(1, NS_PER_SEC / s->tick * s->nr_online / 10);
	u64 idle, busy;

	if (sd->interval == ms)
		return;
	sd->interval = ms;
	idle = (ms * NS_PER_MS + s->tick - 1) / s->tick;
	busy = (ms * NS_PER_MS * s->busy_factor + s->tick - 1) / s->tick;
	busy -= busy != 0 && s->feat[FEAT_BUSY_OFFSET];
	sd->idle_jiffies = min_u64(max_u64(idle, 1), max);
	sd->busy_jiffies = min_u64(max_u64(busy, 1), max);
}

static struct domain *new_domain(struct builder *b, const struct level *l, u32 level,
				 u32 cpu)
{
	struct domain *sd = arena_new(b->arena, struct domain);

	sd->name = l->name;
	sd->span = l->span[cpu];
	sd->span_weight = cpumask_weight(sd->span);
	sd->flags = l->flags;
	sd->level = level;
	sd->imbalance_pct = l->pct;
	sd->cache_nice_tries = l->nice_tries;
	sd->numa_rule = b->s->numa_rule;
	sd->min_interval = sd->span_weight;
	sd->max_interval = 2 * sd->span_weight;
	domain_set_interval(b->s, sd, sd->span_weight);
	sd->newidle_calls = sd->newidle_ratio = 512;
	sd->newidle_success = 256;
	return sd;
}

/* Would the level add nothing to the chain that ends with `child`? */
static bool degenerate(const struct domain *child, const struct domain *sd)
{
	u32 kept = SD_SHARE_CAPACITY | SD_SHARE_CACHE | SD_NEWIDLE | SD_FORK |
		   SD_WAKE_AFFINE;

	if (sd->span_weight == 1)
		return true;
	if (!child || !cpumask_equal(child->span, sd->span))
		return false;
	return !(sd->flags & kept & ~child->flags);
}

/*
 * How many tasks may stay together on a node before the balancer minds (Linux 5.18): one
 * LLC in the domain above the caches: an eighth of its CPUs; several: one each. Larger
 * NUMA domains scale with their span.
 */
static void set_numa_allowance(const struct sched *s, struct domain *first)
{
	u32 allow = 0, base = 1;
	u64 percent = s->kernel->tun[TUN_NUMA_IMBALANCE];

	for (struct domain *sd = first; sd; sd = sd->parent) {
		struct domain *child = sd->child;

		if (!(sd->flags & SD_SHARE_CACHE) && child &&
		    (child->flags & SD_SHARE_CACHE)) {
			u32 llcs = sd->span_weight / child->span_weight;
			struct domain *numa = sd->parent;

			allow = max_u32(1, llcs == 1 ? sd->span_weight / 8 : llcs);
			sd->imb_numa_nr = allow;
			while (numa && !(numa->flags & SD_NUMA))
				numa = numa->parent;
			base = numa ? numa->span_weight : sd->span_weight;
		} else {
			sd->imb_numa_nr = allow * max_u32(1, sd->span_weight / base);
		}
		sd->imb_numa_nr = (u32)(sd->imb_numa_nr * percent / 100);
	}
}

static struct domain *chain(struct builder *b, u32 cpu)
{
	struct domain *first = NULL, *last = NULL, *sd, *next;

	for (u32 i = 0; i < b->nlevel; i++) {
		sd = new_domain(b, &b->level[i], i, cpu);
		sd->child = last;
		if (last)
			last->parent = sd;
		else
			first = sd;
		last = sd;
	}
	set_numa_allowance(b->s, first);
	last = NULL;
	for (sd = first, first = NULL; sd; sd = next) {
		next = sd->parent;
		if (degenerate(last, sd)) {
			if (last)
				last->flags |= sd->flags & SD_PREFER_SIBLING;
			continue;
		}
		sd->child = last;
		sd->parent = NULL;
		if (last)
			last->parent = sd;
		else
			first = sd;
		last = sd;
	}
	return first;
}

static struct group *new_group(struct builder *b, const struct cpumask *span,
			       const struct cpumask *balance, u32 pct)
{
	struct group *g = arena_new(b->arena, struct group);

	g->span = span;
	g->balance = balance;
	g->weight = cpumask_weight(span);
	group_set_capacity(g, 1024ull * g->weight, pct);
	g->imbalance = arena_new(b->arena, bool);
	return g;
}

static const struct cpumask *single(struct builder *b, struct cpumask **cache, u32 cpu)
{
	if (!cache[cpu]) {
		cache[cpu] = cpumask_new(b->arena, b->s->ncpu);
		cpumask_set(cache[cpu], cpu);
	}
	return cache[cpu];
}

/* The span that stands for `cpu` one level below `sd`: its child domain or itself. */
static const struct cpumask *below(struct builder *b, struct cpumask **cache,
				   const struct domain *sd, u32 cpu)
{
	const struct cpumask *best = NULL;

	for_each_domain (c, cpu_rq(b->s, cpu)) {
		if (c->level >= sd->level || c->span_weight >= sd->span_weight)
			break;
		best = c->span;
	}
	return best ? best : single(b, cache, cpu);
}

/* CPUs that may balance for a NUMA group: those whose own child domain is that group. */
static const struct cpumask *balance_mask(struct builder *b, struct cpumask **cache,
					  const struct domain *sd,
					  const struct cpumask *span)
{
	struct cpumask *m;

	if (!(sd->flags & SD_NUMA))
		return span;
	m = cpumask_new(b->arena, b->s->ncpu);
	for_each_cpu (cpu, span)
		if (cpumask_equal(below(b, cache, sd, cpu), span))
			cpumask_set(m, cpu);
	return m;
}

/* An equal ring of a CPU of the same domain: its groups, turned to this CPU's own. */
static struct group *turned_ring(struct builder *b, const struct domain *sd, u32 cpu)
{
	u32 first = cpumask_first(sd->span);

	if ((sd->flags & SD_NUMA) || first == cpu)
		return NULL;
	for_each_domain (other, cpu_rq(b->s, first)) {
		struct group *g = other->groups;

		if (other->level != sd->level || !g)
			continue;
		while (!cpumask_has(g->span, cpu))
			g = g->next;
		return g;
	}
	return NULL;
}

static void build_groups(struct builder *b, struct cpumask **cache, struct domain *sd,
			 u32 cpu)
{
	struct cpumask *covered = b->s->scratch;
	struct group *last = NULL;
	u32 at = cpu;

	sd->groups = turned_ring(b, sd, cpu);
	if (sd->groups)
		return;
	memset(covered->w, 0, sizeof(u64) * covered->nwords);
	for (u32 i = 0; i < sd->span_weight; i++) {
		if (!cpumask_has(covered, at)) {
			const struct cpumask *span = below(b, cache, sd, at);
			struct group *g =
				new_group(b, span, balance_mask(b, cache, sd, span),
					  sd->imbalance_pct);

			for (u32 w = 0; w < covered->nwords; w++)
				covered->w[w] |= span->w[w];
			if (last)
				last->next = g;
			else
				sd->groups = g;
			last = g;
		}
		at = cpumask_next(sd->span, at + 1);
		if (at == CPU_NONE)
			at = cpumask_first(sd->span);
	}
	last->next = sd->groups;
}

static void set_llc(struct builder *b, struct llc_shared **shared, u32 cpu)
{
	struct rq *rq = cpu_rq(b->s, cpu);
	u32 first;

	for_each_domain (sd, rq)
		if (sd->flags & SD_SHARE_CACHE)
			rq->sd_llc = sd;
	if (!rq->sd_llc)
		return;
	first = cpumask_first(rq->sd_llc->span);
	if (!shared[first]) {
		shared[first] = arena_new(b->arena, struct llc_shared);
		shared[first]->size = rq->sd_llc->span_weight;
		shared[first]->nr_busy = rq->sd_llc->span_weight;
		shared[first]->nr_idle_scan = rq->sd_llc->span_weight;
		shared[first]->has_idle_cores = b->s->sib_n[cpu] > 1;
	}
	rq->llc = shared[first];
}

void domain_build(struct sched *s)
{
	struct arena *a = s->domain_arena;
	struct builder b = {.s = s, .arena = a};
	struct cpumask **cache = arena_array(a, struct cpumask *, s->ncpu);
	struct llc_shared **shared = arena_array(a, struct llc_shared *, s->ncpu);

	find_levels(&b);
	for_each_cpu (cpu, s->online)
		cpu_rq(s, cpu)->sd = chain(&b, cpu);
	for_each_cpu (cpu, s->online) {
		for_each_domain (sd, cpu_rq(s, cpu))
			build_groups(&b, cache, sd, cpu);
		set_llc(&b, shared, cpu);
	}
}
