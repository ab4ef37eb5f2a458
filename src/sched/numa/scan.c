/*
 * The scan: at ticks of a task, once in a period of its CPU time and not before the time
 * that its address space names, the next 256 MB are unmapped, so that whoever touches
 * them takes a hinting fault. Corresponds to task_tick_numa(), task_numa_work(),
 * task_scan_min(), task_scan_start(), task_scan_max(), update_task_scan_period() of Linux
 * 6.1.
 *
 *   windows = ceil(resident set / 256 MB)
 *   min = max(1000 / windows, 100)    max = max(60000 / windows, min)        ms
 *   start, max of a group: times  tasks * (shared + 1) / (private + shared + 1)
 *
 * differs from Linux: a region of one page size is an area of memory; code, stacks and
 * libraries, which Linux scans too, are not there.
 */
#include "numa/balancing.h"

/* MB that are scanned in a second at most. */
#define MAX_SCAN_WINDOW 2560u
#define SLOTS		10u
#define THRESHOLD	7u

u64 ms_to_jiffies(const struct sched *s, u64 ms)
{
	return (ms * NS_PER_MS + s->tick - 1) / s->tick;
}

static u64 scan_pages(const struct sched *s)
{
	return s->kernel->tun[TUN_NUMA_SCAN_SIZE] / BASE_PAGE;
}

static u32 windows(const struct sched *s, const struct task *t)
{
	u64 size = scan_pages(s), rss = t->mem->process->pages;

	return (u32)((max_u64(rss, 1) + size - 1) / size);
}

u32 scan_min(const struct sched *s, const struct task *t)
{
	u64 size = s->kernel->tun[TUN_NUMA_SCAN_SIZE] >> 20;
	u64 most = size < MAX_SCAN_WINDOW ? MAX_SCAN_WINDOW / size : 1;
	u64 period = s->kernel->tun[TUN_NUMA_SCAN_MIN] / NS_PER_MS / windows(s, t);

	return (u32)max_u64(1000 / most, period);
}

/* The more a group shares, the slower its tasks scan. */
static u64 for_group(const struct sched *s, const struct task *t, u64 period)
{
	const struct memory *m = s->memory;
	const struct numa_group *g = t->mem->numa->group;
	u64 by[2] = {0, 0};

	if (!g)
		return 0;
	for (u32 n = 0; n < m->nnode; n++)
		for (u32 private = 0; private < 2; private ++)
			by[private] += g->faults[fault_index(m, FAULTS_MEM, n, private)];
	return mul_div(period * g->tasks, by[0] + 1, by[0] + by[1] + 1);
}

u32 scan_start(const struct sched *s, const struct task *t)
{
	u32 min = scan_min(s, t);

	return max_u32(min, (u32)for_group(s, t, min));
}

u32 scan_max(const struct sched *s, const struct task *t)
{
	u64 max = s->kernel->tun[TUN_NUMA_SCAN_MAX] / NS_PER_MS / windows(s, t);

	max = max_u64(max, for_group(s, t, max));
	return (u32)max_u64(scan_min(s, t), min_u64(max, UINT32_MAX));
}

/*
 * After a pass: slower if most is private or local, or if pages could not be moved; else
 * faster, the more the less is.
 */
void scan_adapt(struct sched *s, struct task *t, u64 shared, u64 private)
{
	struct numa_task *nt = t->mem->numa;
	u64 slot, local_tenths, private_tenths, most;
	s64 period = nt->period;

	if (nt->local + shared == 0 || nt->failed) {
		nt->period = (u32)min_u64(nt->period_max, 2 * (u64)nt->period);
		t->mem->process->next_scan = jiffies(s) + ms_to_jiffies(s, nt->period);
		return;
	}
	slot = (nt->period + SLOTS - 1) / SLOTS;
	local_tenths = nt->local * SLOTS / (nt->local + nt->remote);
	private_tenths = private * SLOTS / max_u64(private + shared, 1);
	most = private_tenths >= THRESHOLD ? private_tenths : local_tenths;
	if (most >= THRESHOLD)
		period += (s64)(max_u64(most - THRESHOLD, 1) * slot);
	else
		period -=
			(s64)((THRESHOLD - max_u64(local_tenths, private_tenths)) * slot);
	if (period < scan_min(s, t))
		period = scan_min(s, t);
	nt->period = min_u32((u32)period, scan_max(s, t));
	nt->remote = nt->local = nt->failed = 0;
}

/* Only where pages go by first touch are they Linux's to move. */
static bool scanned(const struct region *r)
{
	return r->attr.place != PLACE_INTERLEAVE && r->attr.place != PLACE_BIND;
}

static void pass_over(struct sched *s, struct process *p)
{
	p->scan_seq++;
	p->at = p->first;
	p->at_chunk = 0;
	count(s, DEC_NUMA_PASS);
}

/* Unmap chunks from..to; returns how many were not unmapped yet. */
static u32 unmap(struct region *r, u32 from, u32 to)
{
	u32 n = 0;

	for (u32 i = from; i < to; i++) {
		struct chunk *c = &r->chunk[i];

		if (c->node == NODE_NONE || c->hinted)
			continue;
		c->hinted = true;
		n++;
	}
	r->hinted += n;
	return n;
}

/* Returns what it has cost, ns. */
static u64 scan(struct sched *s, struct process *p)
{
	s64 pages = (s64)scan_pages(s), virt = pages * 8;
	u64 cost = 0;

	if (p->at == REGION_NONE)
		pass_over(s, p);
	while (p->at != REGION_NONE) {
		struct region *r = s->memory->region[p->at];
		s64 each = (s64)region_pages(r, 1);

		while (scanned(r) && p->at_chunk < r->nchunk) {
			u32 left = r->nchunk - p->at_chunk;
			u32 n = min_u32((u32)((pages + each - 1) / each), left);
			u32 to = p->at_chunk + n, found = unmap(r, p->at_chunk, to);

			cost += found * (r->chunk_size / r->attr.page) *
				s->cost[COST_NUMA_SCAN];
			if (found)
				pages -= each * n;
			virt -= each * n;
			p->at_chunk = to;
			if (pages <= 0 || virt <= 0) {
				if (to == r->nchunk) {
					p->at = r->next;
					p->at_chunk = 0;
				}
				return cost;
			}
		}
		p->at = r->next;
		p->at_chunk = 0;
	}
	pass_over(s, p);
	return cost;
}

static void scan_now(struct sched *s, struct task *t)
{
	struct process *p = t->mem->process;
	struct numa_task *nt = t->mem->numa;
	u64 now = jiffies(s), cost;

	if (now < p->next_scan)
		return;
	if (!nt->period) {
		nt->period_max = scan_max(s, t);
		nt->period = scan_start(s, t);
	}
	p->next_scan = now + ms_to_jiffies(s, nt->period);
	/* another thread of the process will be first the next time */
	nt->stamp += 2 * s->tick;
	count(s, DEC_NUMA_SCAN);
	cost = scan(s, p);
	t->mem->debt += cost;
	/* 3 % at most; Linux sees what took longer than to the next tick only */
	if (cost > s->tick)
		nt->stamp += 32 * cost;
}

void scan_tick(struct sched *s, struct task *t)
{
	struct numa_task *nt = t->mem->numa;
	u64 period = nt->period * NS_PER_MS;

	if (task_cpu_time(s, t) <= nt->stamp + period)
		return;
	if (!nt->stamp)
		nt->period = scan_start(s, t);
	nt->stamp += period;
	scan_now(s, t);
}
