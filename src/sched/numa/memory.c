/*
 * Memory in a simulation: comes into being with the first region, from then on tasks with
 * regions have their accesses followed. The look at a running task is at its CPU's tick,
 * behind the tick's own work, in an event of its own: a CPU whose task has no memory pays
 * nothing.
 */
#include <string.h>

#include "numa/memory.h"

/* Its own draws, beside those of its program. */
#define STREAM_TOUCH UINT32_MAX

static void look_at_running(void *ctx, u32 cpu)
{
	struct sched *s = ctx;
	struct rq *rq = cpu_rq(s, cpu);
	struct task *t = rq->curr;

	if (!t || !t->mem)
		return;
	engine_set(s->engine, s->memory->ev_tick, cpu, s->engine->now + s->tick);
	rq->in_run = true;
	cpu_settle(s, rq);
	memory_touched(s, rq, t);
	if (s->memory->balancing)
		numa_tick(s, rq, t);
	memory_pay(s, rq, t);
	rate_refresh(s, rq);
	speed_changed(s);
	rq->in_run = false;
	if (rq->resched)
		cpu_run(s, rq);
	cpu_rearm(s, rq);
}

/*
 * latency = 1 + (distance / 10 - 1) * memory.distance
 */
static void init_latency(struct sched *s)
{
	struct memory *m = s->memory;

	m->latency = arena_array(s->arena, u64, m->nnode * m->nnode);
	for (u32 a = 0; a < m->nnode; a++)
		for (u32 b = 0; b < m->nnode; b++) {
			u32 far = max_u32(machine_distance(s->machine, a, b), 10) - 10;

			m->latency[a * m->nnode + b] =
				Q32_ONE + s->cost[COST_MEMORY_DISTANCE] * far / 10;
		}
}

static void init_nodes(struct sched *s)
{
	const struct machine *machine = s->machine;
	struct memory *m = s->memory;
	bool known = false;

	m->node = arena_array(s->arena, struct node, m->nnode);
	for (u32 n = 0; n < m->nnode; n++)
		known |= machine->node[n].memory != 0;
	for (u32 n = 0; n < m->nnode; n++) {
		struct node *node = &m->node[n];

		node->cpus = cpumask_new(s->arena, s->ncpu);
		node->room = known ? machine->node[n].memory / CHUNK_SIZE : UINT64_MAX;
		node->saturated = Q32_ONE;
	}
	for (u32 cpu = 0; cpu < s->ncpu; cpu++)
		cpumask_set(m->node[cpu_node(s, cpu)].cpus, cpu);
}

void memory_use(struct sched *s)
{
	struct memory *m;

	if (s->memory)
		return;
	m = s->memory = arena_new(s->arena, struct memory);
	m->nnode = s->machine->nnode;
	init_nodes(s);
	init_latency(s);
	m->count = arena_array(s->arena, u32, m->nnode);
	m->sum = arena_array(s->arena, u64, m->nnode);
	m->bandwidth = s->cost[COST_MEMORY_BANDWIDTH];
	m->ev_tick = engine_class_add(s->engine, s->ncpu, look_at_running, s);
	m->ev_look = engine_class_add(s->engine, 1, speed_look, s);
	pool_init(&m->tasks, s->arena,
		  sizeof(struct task_memory) + sizeof(u64) * m->nnode);
	rate_use(s);
	numa_init(s);
}

void memory_attach(struct sched *s, struct task *t, const struct task_attr *attr)
{
	const struct profile_attr *profile = rate_profile(s, attr->profile);
	struct memory *m = s->memory;
	struct task_memory *tm = pool_get(&m->tasks);
	u32 n = min_u32(attr->nmemory, REGIONS_OF_TASK);

	tm->share = (u64 *)(void *)(tm + 1);
	tm->bandwidth = profile->bandwidth;
	tm->speed = profile->bandwidth ? profile->bandwidth : s->cost[COST_MEMORY_TOUCH];
	tm->stream = stream_child(&t->stream, STREAM_TOUCH);
	for (u32 i = 0; i < n; i++) {
		struct use *use = &tm->use[tm->nuse++];

		use->region = m->region[attr->memory[i].region];
		use->weight = attr->memory[i].weight;
		tm->weight += use->weight;
		/* threads begin at places of their own, as those of a program do */
		use->cursor = (u32)stream_range(&tm->stream, 0, use->region->nchunk - 1);
	}
	tm->process = m->process[tm->use[0].region->attr.process];
	tm->process->users++;
	t->mem = tm;
	t->watched |= WATCHED_MEMORY;
	if (m->balancing)
		numa_attach(s, t);
}

void memory_detach(struct sched *s, struct task *t)
{
	if (s->memory->balancing)
		numa_detach(s, t);
	t->mem->process->users--;
	pool_put(&s->memory->tasks, t->mem);
	t->mem = NULL;
}

void memory_left_cpu(struct sched *s, struct rq *rq, struct task *t)
{
	memory_touched(s, rq, t);
}

/* What touching has cost it goes to its CPU time, and touches nothing. */
void memory_pay(struct sched *s, struct rq *rq, struct task *t)
{
	u64 ns = t->mem->debt, before = s->totals.system_ns[SYS_MEMORY];

	if (!ns)
		return;
	t->mem->debt = 0;
	cpu_charge(s, rq, SYS_MEMORY, ns);
	t->mem->skip += s->totals.system_ns[SYS_MEMORY] - before;
}

void memory_switched(struct sched *s, struct rq *rq)
{
	struct memory *m = s->memory;
	struct task *t = rq->curr;
	u32 node = cpu_node(s, rq->cpu);

	if (m->bandwidth)
		speed_changed(s);
	if (!t || !t->mem)
		return;
	if (m->balancing && t->mem->node != node)
		numa_switched_in(s, t, t->mem->node);
	t->mem->node = node;
	memory_pay(s, rq, t);
	if (!engine_pending(s->engine, m->ev_tick, rq->cpu))
		engine_set(s->engine, m->ev_tick, rq->cpu, tick_due(s, rq));
}

static int check_region(const struct sched *s, u32 number, u64 *used, struct failure *f)
{
	const struct memory *m = s->memory;
	const struct region *r = m->region[number];
	u32 *on = m->count, untouched = 0, hinted = 0;

	memset(on, 0, sizeof(*on) * m->nnode);
	for (u32 i = 0; i < r->nchunk; i++) {
		const struct chunk *c = &r->chunk[i];

		if (c->node == NODE_NONE)
			untouched++;
		else
			on[c->node]++;
		hinted += c->hinted;
	}
	if (untouched != r->untouched)
		return check_wrong(s, f, "untouched chunks of a region", CPU_NONE,
				   r->untouched, untouched);
	if (hinted != r->hinted)
		return check_wrong(s, f, "hinted chunks of a region", CPU_NONE, r->hinted,
				   hinted);
	for (u32 n = 0; n < m->nnode; n++) {
		if (on[n] != r->on_node[n])
			return check_wrong(s, f, "chunks of a region on a node", CPU_NONE,
					   r->on_node[n], on[n]);
		used[n] += on[n] * (r->chunk_size / CHUNK_SIZE);
	}
	return 0;
}

static int check_processes(const struct sched *s, struct failure *f)
{
	const struct memory *m = s->memory;

	for (u32 i = 0; i < m->process_cap; i++) {
		const struct process *p = m->process[i];
		u64 pages = 0;
		u32 users = 0;

		if (!p)
			continue;
		for (u32 r = p->first; r != REGION_NONE; r = m->region[r]->next)
			pages += region_pages(m->region[r],
					      m->region[r]->nchunk -
						      m->region[r]->untouched);
		for (u32 t = 0; t < s->nr_tasks; t++)
			users += s->task[t] && s->task[t]->mem &&
				 s->task[t]->mem->process == p;
		if (pages != p->pages)
			return check_wrong(s, f, "pages of a process", CPU_NONE, p->pages,
					   pages);
		if (users != p->users)
			return check_wrong(s, f, "tasks of a process", CPU_NONE, p->users,
					   users);
	}
	return 0;
}

int memory_check(const struct sched *s, struct failure *f)
{
	const struct memory *m = s->memory;
	u64 *used = m->sum;

	memset(used, 0, sizeof(*used) * m->nnode);
	for (u32 i = 0; i < m->nregion; i++)
		if (check_region(s, i, used, f))
			return -1;
	for (u32 n = 0; n < m->nnode; n++)
		if (used[n] != m->node[n].used)
			return check_wrong(s, f, "memory in use on a node", CPU_NONE,
					   m->node[n].used, used[n]);
	if (check_processes(s, f))
		return -1;
	return m->balancing ? numa_check(s, f) : 0;
}
