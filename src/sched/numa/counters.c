/*
 * What the counters of faults say: weights of nodes, and, once the scan has come around,
 * the node that a task prefers.
 *
 *   memory counter = half of the old + pages that faulted in this pass
 *   CPU counter    = half of the old + 65536 * (part of the time that it ran) * (part of
 *                    its faults that were from that node)
 *
 * Corresponds to task_weight(), group_weight(), score_nearby_nodes(),
 * task_numa_placement(), numa_group_count_active_nodes(), preferred_group_nid() of
 * Linux 6.1.
 */
#include "numa/balancing.h"

#define ACTIVE_FRACTION 3u

static u64 both(const struct memory *m, const u64 *faults, enum faults_of kind, u32 node)
{
	return faults[fault_index(m, kind, node, false)] +
	       faults[fault_index(m, kind, node, true)];
}

u64 task_faults(const struct memory *m, const struct task *t, u32 node)
{
	return both(m, t->mem->numa->faults, FAULTS_MEM, node);
}

u64 group_faults(const struct memory *m, const struct numa_group *g, u32 node)
{
	return both(m, g->faults, FAULTS_MEM, node);
}

u64 group_faults_cpu(const struct memory *m, const struct numa_group *g, u32 node)
{
	return both(m, g->faults, FAULTS_CPU, node);
}

bool group_active_on(const struct memory *m, const struct numa_group *g, u32 node)
{
	return group_faults_cpu(m, g, node) * ACTIVE_FRACTION > g->max_cpu;
}

/* Where not all nodes are one hop apart, what is near counts too. */
static u64 nearby(const struct sched *s, const u64 *faults, u32 node, u32 limit)
{
	const struct memory *m = s->memory;
	u64 score = 0;

	if (m->topology == NODES_DIRECT)
		return 0;
	for (u32 n = 0; n < m->nnode; n++) {
		u32 distance = machine_distance(s->machine, node, n);
		u64 f = both(m, faults, FAULTS_MEM, n);

		if (n == node || distance >= m->max_distance)
			continue;
		if (m->topology == NODES_BACKPLANE && distance >= limit)
			continue;
		if (m->topology == NODES_MESH)
			f = f * (m->max_distance - distance) / (m->max_distance - 10);
		score += f;
	}
	return score;
}

static u64 weight(const struct sched *s, const u64 *faults, u64 total, u32 node,
		  u32 distance)
{
	if (!total)
		return 0;
	return 1000 *
	       (both(s->memory, faults, FAULTS_MEM, node) +
		nearby(s, faults, node, distance)) /
	       total;
}

u64 task_weight(const struct sched *s, const struct task *t, u32 node, u32 distance)
{
	const struct numa_task *nt = numa_of(t);

	return nt ? weight(s, nt->faults, nt->total, node, distance) : 0;
}

u64 group_weight(const struct sched *s, const struct task *t, u32 node, u32 distance)
{
	const struct numa_task *nt = numa_of(t);

	if (!nt || !nt->group)
		return 0;
	return weight(s, nt->group->faults, nt->group->total, node, distance);
}

static void count_active_nodes(const struct sched *s, struct numa_group *g)
{
	const struct memory *m = s->memory;

	g->max_cpu = 0;
	g->active_nodes = 0;
	for (u32 n = 0; n < m->nnode; n++)
		if (s->machine->node[n].ncpu)
			g->max_cpu = max_u64(g->max_cpu, group_faults_cpu(m, g, n));
	for (u32 n = 0; n < m->nnode; n++)
		g->active_nodes += s->machine->node[n].ncpu && group_active_on(m, g, n);
}

/* The best sets of nodes nearer than `distance` to each other, smaller and smaller. */
static u32 backplane_node(const struct sched *s, const struct numa_group *g, u32 node)
{
	const struct memory *m = s->memory;
	u64 left = 0;

	for (u32 n = 0; n < min_u32(m->nnode, 64); n++)
		left |= s->machine->node[n].ncpu ? 1ull << n : 0;
	for (u32 d = m->max_distance; d > 10; d--) {
		u64 most = 0, best = 0, rest = left;

		for (u32 a = 0; a < min_u32(m->nnode, 64); a++) {
			u64 faults = 0, set = 0;

			if (!(rest & 1ull << a))
				continue;
			for (u32 b = 0; b < min_u32(m->nnode, 64); b++) {
				if (!(rest & 1ull << b) ||
				    machine_distance(s->machine, a, b) >= d)
					continue;
				faults += group_faults(m, g, b);
				set |= 1ull << b;
			}
			rest &= ~set;
			if (faults <= most)
				continue;
			most = faults;
			best = set;
			node = a;
		}
		if (!most)
			break;
		left = best;
	}
	return node;
}

static u32 group_node(const struct sched *s, const struct task *t, u32 node)
{
	const struct memory *m = s->memory;
	u64 best = 0;

	if (m->topology == NODES_BACKPLANE)
		return backplane_node(s, t->mem->numa->group, node);
	for (u32 n = 0; m->topology == NODES_MESH && n < m->nnode; n++) {
		u64 score = group_weight(s, t, n, m->max_distance);

		if (!s->machine->node[n].ncpu || score <= best)
			continue;
		best = score;
		node = n;
	}
	return node;
}

/* The part of the time since the last placement that it ran, times 65536. */
static u64 time_share(struct sched *s, const struct task *t)
{
	struct numa_task *nt = t->mem->numa;
	u64 used = task_cpu_time(s, t), now = s->engine->now, share;

	if (nt->placed_at)
		share = mul_div(used - nt->placed_sum, 65536, now - nt->placed_at + 1);
	else
		share = t->se.avg.load_avg * 65536 / (t->se.weight + 1);
	nt->placed_at = now;
	nt->placed_sum = used;
	return share;
}

/* New values of the counters of a node; the group's follow. */
static void age(const struct memory *m, struct numa_task *nt, u32 node, bool private,
		u64 share, u64 all)
{
	u32 mem = fault_index(m, FAULTS_MEM, node, private);
	u32 cpu = fault_index(m, FAULTS_CPU, node, private);
	u64 more_mem = nt->fresh[mem] - nt->faults[mem] / 2;
	u64 more_cpu = share * nt->fresh[cpu] / (all + 1) - nt->faults[cpu] / 2;

	nt->fresh[mem] = nt->fresh[cpu] = 0;
	nt->faults[mem] += more_mem;
	nt->faults[cpu] += more_cpu;
	nt->total += more_mem;
	if (!nt->group)
		return;
	nt->group->faults[mem] += more_mem;
	nt->group->faults[cpu] += more_cpu;
	nt->group->total += more_mem;
}

static u32 nearest_with_cpus(const struct sched *s, u32 node)
{
	u32 best = node, near = UINT32_MAX;

	for (u32 n = 0; n < s->memory->nnode; n++) {
		if (!s->machine->node[n].ncpu ||
		    machine_distance(s->machine, node, n) >= near)
			continue;
		near = machine_distance(s->machine, node, n);
		best = n;
	}
	return s->machine->node[node].ncpu ? node : best;
}

void numa_placement(struct sched *s, struct task *t)
{
	const struct memory *m = s->memory;
	struct numa_task *nt = t->mem->numa;
	u64 all = nt->local + nt->remote, most = 0, by[2] = {0, 0}, share;
	u32 node = NODE_NONE;

	if (nt->scan_seq == t->mem->process->scan_seq)
		return;
	nt->scan_seq = t->mem->process->scan_seq;
	nt->period_max = scan_max(s, t);
	share = time_share(s, t);
	for (u32 n = 0; n < m->nnode; n++) {
		u64 have;

		for (u32 private = 0; private < 2; private ++) {
			by[private] += nt->fresh[fault_index(m, FAULTS_MEM, n, private)];
			age(m, nt, n, private, share, all);
		}
		have = nt->group ? group_faults(m, nt->group, n) : task_faults(m, t, n);
		if (have <= most)
			continue;
		most = have;
		node = n;
	}
	if (node != NODE_NONE)
		node = nearest_with_cpus(s, node);
	if (nt->group) {
		count_active_nodes(s, nt->group);
		node = group_node(s, t, node);
	}
	if (most && node != nt->preferred) {
		nt->preferred = node;
		count(s, DEC_NUMA_PREFER);
	}
	scan_adapt(s, t, by[0], by[1]);
}
