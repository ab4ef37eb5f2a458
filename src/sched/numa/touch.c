/*
 * Tasks touch their regions while they run. A task of `speed` bytes a second of work goes
 * through its regions by their weights, one chunk after another or in no order:
 *
 *   chunks = work * speed * weight / (sum of weights * chunk size)
 *
 * What a chunk costs when it is touched for the first time, or after the scan of NUMA
 * balancing has taken it away, is system time of the task. CPU time is looked at at the
 * ticks of a task and when it leaves its CPU; what it owes from then is charged when it
 * is back. Corresponds to handle_mm_fault(), do_numa_page().
 *
 * differs from Linux: what is touched between two such times is touched at the second.
 */
#include "numa/memory.h"

static void first_touch(struct sched *s, struct task_memory *tm, struct region *r,
			u32 chunk)
{
	region_put(s->memory, r, chunk,
		   region_choose(s->memory, s->machine, r, tm->node));
	tm->debt += r->chunk_size / r->attr.page * s->cost[COST_FAULT];
	/* a huge page has as much to zero as the small ones, which are priced with it */
	if (r->attr.page != BASE_PAGE)
		tm->debt += mul_div(r->chunk_size, NS_PER_SEC, s->cost[COST_COPY]);
}

static void touch_chunk(struct sched *s, struct task *t, struct region *r, u32 chunk,
			u32 cpu)
{
	struct chunk *c = &r->chunk[chunk];

	if (c->node == NODE_NONE)
		first_touch(s, t->mem, r, chunk);
	else if (c->hinted)
		t->mem->debt += numa_fault(s, t, r, chunk, cpu);
}

static void touch_region(struct sched *s, struct task *t, struct use *use, u64 bytes,
			 u32 cpu)
{
	struct region *r = use->region;
	u64 n;

	use->carry += bytes;
	n = use->carry / r->chunk_size;
	use->carry %= r->chunk_size;
	if (!r->untouched && !r->hinted) {
		use->cursor = (u32)((use->cursor + n) % r->nchunk);
		return;
	}
	for (n = min_u64(n, r->nchunk); n; n--) {
		u32 chunk = use->cursor;

		if (r->attr.random)
			chunk = (u32)stream_range(&t->mem->stream, 0, r->nchunk - 1);
		else
			use->cursor = (use->cursor + 1) % r->nchunk;
		touch_chunk(s, t, r, chunk, cpu);
	}
}

/* Its accesses up to now, by where the pages were. */
static void count_accesses(struct sched *s, const struct task_memory *tm, u64 ns)
{
	u64 remote = 0;

	for (u32 n = 0; n < s->memory->nnode; n++)
		if (n != tm->node)
			remote += tm->share[n];
	remote = mul_q32(ns, remote);
	s->totals.memory_remote_ns += remote;
	s->totals.memory_local_ns += ns - remote;
}

/* `rq` is where it ran, at the rate that is still there. */
void memory_touched(struct sched *s, struct rq *rq, struct task *t)
{
	struct task_memory *tm = t->mem;
	u64 used = task_cpu_time(s, t), ns = used - tm->seen, bytes;
	u64 skip = min_u64(ns, tm->skip);

	tm->seen = used;
	tm->skip -= skip;
	ns -= skip;
	if (!ns)
		return;
	speed_share(s->memory, tm);
	count_accesses(s, tm, ns);
	bytes = mul_div(mul_q32(ns, rq->rate), tm->speed, NS_PER_SEC);
	for (u32 i = 0; i < tm->nuse; i++)
		touch_region(s, t, &tm->use[i], bytes * tm->use[i].weight / tm->weight,
			     rq->cpu);
}
