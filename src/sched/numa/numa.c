/*
 * NUMA balancing of tasks with regions, if numa.balancing is on and the machine has more
 * than one node: its state, what happens at a tick, and what load balancing asks it.
 * Corresponds to init_numa_balancing(), init_numa_topology_type(), update_scan_period(),
 * migrate_degrades_locality() of Linux 6.1.
 *
 * differs from Linux: faults are taken at ticks and when a task leaves its CPU, the
 * search for a better place at ticks only.
 */
#include "numa/balancing.h"

static void find_topology(struct sched *s)
{
	const struct machine *machine = s->machine;
	struct memory *m = s->memory;
	u32 n = m->nnode, nearest = UINT32_MAX;

	for (u32 i = 0; i < n * n; i++) {
		m->max_distance = max_u32(m->max_distance, machine->distance[i]);
		if (machine->distance[i] > 10)
			nearest = min_u32(nearest, machine->distance[i]);
	}
	m->topology = NODES_DIRECT;
	if (nearest >= m->max_distance)
		return;
	/* the two farthest: is somebody between them? */
	for (u32 i = 0; i < n * n; i++) {
		if (machine->distance[i] < m->max_distance)
			continue;
		m->topology = NODES_BACKPLANE;
		for (u32 c = 0; c < n; c++)
			if (machine_distance(machine, i / n, c) < m->max_distance &&
			    machine_distance(machine, i % n, c) < m->max_distance)
				m->topology = NODES_MESH;
		return;
	}
}

void numa_init(struct sched *s)
{
	struct memory *m = s->memory;
	size_t counters = sizeof(u64) * FAULTS_KINDS * 2 * m->nnode;

	m->balancing = s->feat[FEAT_NUMA_BALANCING] && m->nnode > 1;
	if (!m->balancing)
		return;
	find_topology(s);
	pool_init(&m->numa, s->arena, sizeof(struct numa_task) + 2 * counters);
	pool_init(&m->groups, s->arena, sizeof(struct numa_group) + counters);
	m->no_pull = arena_array(s->arena, u64, s->ncpu);
}

/* Threads of a process begin to scan one after another. */
void numa_attach(struct sched *s, struct task *t)
{
	struct memory *m = s->memory;
	struct numa_task *nt = pool_get(&m->numa);
	struct process *p = t->mem->process;
	u64 delay = s->kernel->tun[TUN_NUMA_SCAN_DELAY];

	t->mem->numa = nt;
	nt->faults = (u64 *)(void *)(nt + 1);
	nt->fresh = nt->faults + FAULTS_KINDS * 2 * m->nnode;
	nt->preferred = NODE_NONE;
	nt->period = (u32)(delay / NS_PER_MS);
	if (p->users == 1) {
		p->next_scan = jiffies(s) + ms_to_jiffies(s, nt->period);
		p->scan_seq = 0;
	} else {
		/* Linux adds the smaller of a number of ms and one of ns */
		nt->stamp = 2 * s->tick + scan_max(s, t);
	}
	nt->scan_seq = p->scan_seq;
}

void numa_detach(struct sched *s, struct task *t)
{
	numa_leave_group(s, t);
	pool_put(&s->memory->numa, t->mem->numa);
	t->mem->numa = NULL;
}

void numa_tick(struct sched *s, struct rq *rq, struct task *t)
{
	struct numa_task *nt = t->mem->numa;

	if (t->exiting)
		return;
	if (nt->wants_move)
		numa_move_preferred(s, rq, t);
	nt->wants_move = false;
	if (!t->rt_prio)
		scan_tick(s, t);
}

/* Pulled to another node: what it knew of its pages is worth a fresh start. */
void numa_switched_in(struct sched *s, struct task *t, u32 old_node)
{
	struct numa_task *nt = t->mem->numa;

	if (!nt->counted)
		return;
	if (nt->scan_seq && (cpu_node(s, t->rq->cpu) == nt->preferred ||
			     (nt->preferred != NODE_NONE && old_node != nt->preferred)))
		return;
	nt->period = scan_start(s, t);
}

/* Fair tasks of a CPU that are on the node that they prefer. */
static u32 at_home(const struct rq *rq, u32 node)
{
	u32 n = 0;

	for (const struct task *t = rq->mru_first; t; t = t->mru_next)
		n += numa_of(t) && numa_of(t)->preferred == node;
	return n;
}

u32 numa_preferred(const struct task *t)
{
	return t->mem->numa ? t->mem->numa->preferred : NODE_NONE;
}

void numa_forked(const struct task *parent, struct task *t)
{
	struct numa_task *nt = t->mem->numa;

	if (nt && parent->mem && parent->mem->process == t->mem->process)
		nt->preferred = parent->mem->numa->preferred;
}

bool numa_swapping(const struct sched *s, const struct rq *rq)
{
	return s->memory->balancing && s->engine->now < s->memory->no_pull[rq->cpu];
}

int numa_locality(struct sched *s, const struct task *t, const struct rq *src,
		  const struct rq *dst, bool idle)
{
	const struct numa_task *nt = numa_of(t);
	u32 from = cpu_node(s, src->cpu), to = cpu_node(s, dst->cpu), distance;

	if (!nt || !nt->counted || from == to)
		return -1;
	if (from == nt->preferred) {
		if (src->nr_running <= at_home(src, from))
			return -1;
		count(s, DEC_BALANCE_NUMA_AWAY);
		return 1;
	}
	if (to == nt->preferred)
		return 0;
	if (idle)
		return -1;
	distance = machine_distance(s->machine, from, to);
	if (nt->group)
		return group_weight(s, t, to, distance) <
		       group_weight(s, t, from, distance);
	return task_weight(s, t, to, distance) < task_weight(s, t, from, distance);
}

/* The counters of a group are the sums of those of its tasks, `me` the first. */
static int check_group(const struct sched *s, const struct numa_group *g, u32 me,
		       struct failure *f)
{
	const struct memory *m = s->memory;
	u64 total = 0, first = 0, last = 0;
	u32 tasks = 0, end = FAULTS_KINDS * 2 * m->nnode - 1;

	for (u32 i = 0; i < s->nr_tasks; i++) {
		const struct numa_task *nt = s->task[i] ? numa_of(s->task[i]) : NULL;

		if (!nt || nt->group != g)
			continue;
		if (i < me)
			return 0; /* looked at already */
		tasks++;
		total += nt->total;
		first += nt->faults[0];
		last += nt->faults[end];
	}
	if (tasks != g->tasks)
		return check_wrong(s, f, "tasks of a NUMA group", CPU_NONE, g->tasks,
				   tasks);
	if (total != g->total)
		return check_wrong(s, f, "faults of a NUMA group", CPU_NONE, g->total,
				   total);
	if (first != g->faults[0] || last != g->faults[end])
		return check_wrong(s, f, "counters of a NUMA group", CPU_NONE,
				   g->faults[0] + g->faults[end], first + last);
	return 0;
}

int numa_check(const struct sched *s, struct failure *f)
{
	for (u32 i = 0; i < s->nr_tasks; i++) {
		const struct task *t = s->task[i];
		const struct numa_task *nt = t ? numa_of(t) : NULL;
		u64 total = 0;

		for (u32 n = 0; nt && n < s->memory->nnode; n++)
			total += task_faults(s->memory, t, n);
		if (nt && total != nt->total)
			return check_wrong(s, f, "faults of a task", CPU_NONE, nt->total,
					   total);
		if (nt && nt->group && check_group(s, nt->group, i, f))
			return -1;
	}
	return 0;
}
