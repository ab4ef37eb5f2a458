/*
 * A hinting fault: somebody touches a page that the scan has unmapped. Who touched it
 * last tells private from shared, and whether the page comes along. Corresponds to
 * do_numa_page(), task_numa_fault(), should_numa_migrate_memory() of Linux 6.1.
 *
 * differs from Linux: all pages are mapped for writing, and by one address space; the
 * pages of a chunk fault and move together; a node that is full is one without room for
 * the chunk, without watermarks.
 */
#include "numa/balancing.h"

#define ACTIVE_FRACTION 3u

static bool same_pid(const struct task *t, u8 pid)
{
	return (u8)t->pid == pid;
}

/*
 * The first pages of a task, and private ones, come along. Else only if the previous
 * touch was from the same node: one from elsewhere costs a page a move at most every
 * other time. Then private ones again; shared ones follow the CPU time of the group,
 * unless that leaves memory less even than CPU time:
 *
 *   cpu(here) / mem(here)  >  4/3 * cpu(there) / mem(there)
 */
bool page_should_move(struct sched *s, const struct task *t, struct chunk *c, u32 cpu)
{
	const struct memory *m = s->memory;
	const struct numa_task *nt = t->mem->numa;
	const struct numa_group *g = nt->group;
	u32 here = cpu_node(s, cpu), there = c->node;
	bool known = c->touched_by, mine = known && same_pid(t, c->pid);
	u32 last_node = known ? cpu_node(s, c->cpu) : here;

	c->touched_by = true;
	c->cpu = (u16)cpu;
	c->pid = (u8)t->pid;
	if ((nt->preferred == NODE_NONE || nt->scan_seq <= 4) && (!known || mine))
		return true;
	if (last_node != here) {
		if (there != here)
			count(s, DEC_NUMA_PAGE_ONCE);
		return false;
	}
	if (mine || !g)
		return true;
	if (group_faults_cpu(m, g, here) >
	    group_faults_cpu(m, g, there) * ACTIVE_FRACTION)
		return true;
	if ((u128)group_faults_cpu(m, g, here) * group_faults(m, g, there) * 3 >
	    (u128)group_faults_cpu(m, g, there) * group_faults(m, g, here) * 4)
		return true;
	if (there != here)
		count(s, DEC_NUMA_PAGE_EVEN);
	return false;
}

/* Returns what it costs; nothing if there is no room. */
static u64 move_page(struct sched *s, struct region *r, u32 chunk, u32 here, bool *moved)
{
	*moved = node_has_room(&s->memory->node[here], r);
	if (!*moved) {
		count(s, DEC_NUMA_PAGE_FULL);
		return 0;
	}
	count(s, DEC_NUMA_PAGE_MOVE);
	region_put(s->memory, r, chunk, here);
	s->totals.numa_pages_moved += region_pages(r, 1);
	return r->chunk_size / r->attr.page * s->cost[COST_NUMA_MIGRATE] +
	       mul_div(r->chunk_size, NS_PER_SEC, s->cost[COST_COPY]);
}

static void count_fault(struct sched *s, struct task *t, u32 mem_node, u32 here,
			bool local, bool private, u64 pages)
{
	const struct memory *m = s->memory;
	struct numa_task *nt = t->mem->numa;
	const struct numa_group *g = nt->group;

	/* a group that has settled on several nodes is at home on all of them */
	if (!private && !local && g && g->active_nodes > 1 &&
	    group_active_on(m, g, here) && group_active_on(m, g, mem_node))
		local = true;
	nt->fresh[fault_index(m, FAULTS_MEM, mem_node, private)] += pages;
	nt->fresh[fault_index(m, FAULTS_CPU, here, private)] += pages;
	if (local)
		nt->local += pages;
	else
		nt->remote += pages;
}

u64 numa_fault(struct sched *s, struct task *t, struct region *r, u32 chunk, u32 cpu)
{
	struct chunk *c = &r->chunk[chunk];
	struct chunk last = *c;
	struct numa_task *nt = t->mem->numa;
	u32 here = cpu_node(s, cpu);
	u64 cost = r->chunk_size / r->attr.page * s->cost[COST_NUMA_FAULT];
	u64 pages = region_pages(r, 1);
	bool local = c->node == here, private = true, moved = true;

	c->hinted = false;
	r->hinted--;
	nt->counted = true;
	if (local)
		s->totals.numa_faults_local += pages;
	else
		s->totals.numa_faults_remote += pages;
	if (page_should_move(s, t, c, cpu) && !local)
		cost += move_page(s, r, chunk, here, &moved);
	if (last.touched_by) {
		private = same_pid(t, last.pid);
		if (!private)
			numa_join(s, t, last.cpu, last.pid, &private);
	}
	/* before it counts: what is looked at is a pass, and this is the next */
	if (jiffies(s) > nt->retry) {
		numa_placement(s, t);
		nt->wants_move = true;
	}
	if (!moved)
		nt->failed += pages;
	count_fault(s, t, c->node, here, local, private, pages);
	return cost;
}
