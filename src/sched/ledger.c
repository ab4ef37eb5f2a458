/*
 * Ledgers of contended things: see sched/ledger.h. The single-server queue that they make
 * is that of a cache line between caches, which serves one writer at a time.
 *
 * differs from Linux: writers are served in the order in which they ask, where hardware
 * favours near ones.
 */
#include "sched/ledger.h"

#include "internal.h"

const char *const line_distance_name[LINE_DISTANCES] = {
	[LINE_OWN] = "own",	  [LINE_SMT] = "smt",	[LINE_LLC] = "llc",
	[LINE_SOCKET] = "socket", [LINE_NODE] = "node",
};

enum line_distance sched_distance(const struct sched *s, u32 from, u32 to)
{
	const struct machine_cpu *a = &s->machine->cpu[from], *b = &s->machine->cpu[to];

	if (from == to)
		return LINE_OWN;
	if (a->core == b->core)
		return LINE_SMT;
	if (share_cache(s, from, to))
		return LINE_LLC;
	return a->node == b->node ? LINE_SOCKET : LINE_NODE;
}

u64 ledger_transfer(const struct sched *s, struct ledger *l, u32 cpu)
{
	static const enum cost_id cost[LINE_DISTANCES] = {
		[LINE_OWN] = COST_LINE_OWN,   [LINE_SMT] = COST_LINE_SMT,
		[LINE_LLC] = COST_LINE_LLC,   [LINE_SOCKET] = COST_LINE_SOCKET,
		[LINE_NODE] = COST_LINE_NODE,
	};
	enum line_distance d = LINE_OWN;

	if (l->cpu)
		d = sched_distance(s, l->cpu - 1, cpu);
	l->cpu = cpu + 1;
	l->transfers[d]++;
	return s->cost[cost[d]];
}

u64 ledger_use(const struct sched *s, struct ledger *l, u32 cpu, u64 at, u64 hold)
{
	u64 start = max_u64(at, l->free_at), move = ledger_transfer(s, l, cpu);

	l->acquisitions++;
	l->contended += start > at;
	l->wait_ns += start - at;
	l->spin_ns += start - at;
	l->hold_ns += hold;
	l->free_at = start + move + hold;
	return l->free_at - at;
}

void ledger_add(struct ledger *sum, const struct ledger *l)
{
	sum->acquisitions += l->acquisitions;
	sum->contended += l->contended;
	sum->wait_ns += l->wait_ns;
	sum->spin_ns += l->spin_ns;
	sum->hold_ns += l->hold_ns;
	for (u32 i = 0; i < LINE_DISTANCES; i++)
		sum->transfers[i] += l->transfers[i];
}

u64 sched_paid_until(const struct sched *s, const struct task *t)
{
	return max_u64(s->engine->now, t->rq->run_from);
}
