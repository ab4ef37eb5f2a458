/*
 * What core scheduling costs: a pick for all threads of a core, the comparisons that it
 * makes, what it prints, and the one lock that the threads' queues share while something
 * is tagged (rq_lockp() of Linux 5.14; the series has it from the first version on). Who
 * comes while another thread has the lock waits for it, on its CPU.
 *
 *   a pick  = threads * core.pick + comparisons * core.compare
 *             + core.print + comparisons * core.print_compare       (under the lock)
 *   enqueue, dequeue, tick, a pick that is taken as found: core.lock under the lock; the
 *   work itself is in the rows of switches, wake-ups and ticks
 *
 * differs from Linux: for a wake-up from another CPU the CPU whose queue it is waits for
 * the lock, not the waker.
 */
#include "core/core.h"

void core_lock_hold(struct sched *s, struct rq *rq, u64 hold)
{
	struct core_state *c = core_of_rq(s, rq);
	u64 at = max_u64(s->engine->now, rq->run_from), before = c->lock.contended;
	u64 all;

	if (!s->core_on)
		return;
	all = ledger_use(s, &c->lock, rq->cpu, at, hold);
	if (c->lock.contended != before)
		count(s, DEC_CORE_LOCKED);
	cpu_charge(s, rq, SYS_CORE_LOCK, all - hold);
}

void core_pick_charge(struct sched *s, struct rq *rq)
{
	struct core_state *c = core_of_rq(s, rq);
	u64 n = c->compares;
	u64 work = s->cost[COST_CORE_PICK] * s->sib_n[rq->cpu] +
		   n * (s->cost[COST_CORE_COMPARE] +
			s->kernel->tun[TUN_CORE_PRINT_COMPARE]) +
		   s->kernel->tun[TUN_CORE_PRINT];

	c->compares = 0;
	core_lock_hold(s, rq, work);
	cpu_charge(s, rq, SYS_CORE, work);
	count(s, DEC_CORE_PICK);
}
