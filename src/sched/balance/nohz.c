/*
 * Balancing for idle CPUs whose tick is stopped. A busy tick asks one of them, by IPI, to
 * balance for all that are due. It asks when the earliest of their next balances has
 * come, as far as that is known: it is noted when somebody has balanced for them, so a
 * CPU that goes tickless later, and would balance earlier, makes the note stale, and the
 * next busy tick asks an idle CPU to look again. Corresponds to nohz_balancer_kick(),
 * kick_ilb(), find_new_ilb(), nohz_balance_enter_idle(), nohz_balance_exit_idle(),
 * _nohz_idle_balance() of Linux 6.1. Times in jiffies, but for next_blocked.
 *
 * differs from Linux: the averages of tickless CPUs, which decay every 32 ms, are brought
 * up to date by the tick itself, at no cost, and not by an idle CPU that it wakes.
 */
#include "balance/capacity.h"
#include "balance/env.h"
#include "balance/history.h"

/* Blocked load of tickless CPUs decays only when somebody looks: every 32 ms. */
static void decay_blocked(struct sched *s)
{
	if (s->engine->now < s->next_blocked)
		return;
	s->next_blocked = s->engine->now + 32 * NS_PER_MS;
	for_each_cpu (cpu, s->nohz_mask)
		load_update_rq(s, cpu_rq(s, cpu));
}

/*
 * The first idle CPU without a tick works for all of them. One that has begun to work is
 * among them until its next tick: up to 5.1 nobody else is asked then.
 */
static bool ask(struct sched *s, const struct rq *rq, u8 work)
{
	for_each_cpu (cpu, s->nohz_mask) {
		struct rq *idle = cpu_rq(s, cpu);
		bool asked = idle->ipi_work & (IPI_NOHZ | IPI_NOHZ_NEXT);

		if (!cpu_idle(s, cpu) && s->feat[FEAT_NOHZ_FIRST])
			break;
		if (!cpu_idle(s, cpu))
			continue;
		idle->ipi_work |= work;
		if (asked)
			return true;
		if (work & IPI_NOHZ)
			count(s, DEC_NOHZ_KICK);
		cpu_kick(s, idle, rq->cpu);
		return true;
	}
	return false;
}

void balance_nohz_kick(struct sched *s, struct rq *rq)
{
	u64 now = jiffies(s);
	u8 work = 0;

	if (!s->nr_nohz)
		return;
	decay_blocked(s);
	if (now >= s->nohz_next_balance &&
	    (rq->nr_running >= 2 || (rq->llc && rq->llc->nr_busy > 1) ||
	     (s->rt && capacity_wants_kick(rq)))) {
		s->nohz_next_balance = now + 1;
		work = IPI_NOHZ;
	}
	if (s->nohz_stale)
		work |= IPI_NOHZ_NEXT;
	/* or again, if who is asked cannot look */
	if (work && ask(s, rq, work))
		s->nohz_stale = false;
}

void balance_nohz_enter(struct sched *s, struct rq *rq)
{
	if (rq->nohz_idle)
		return;
	rq->nohz_idle = true;
	cpumask_set(s->nohz_mask, rq->cpu);
	s->nr_nohz++;
	if (rq->llc)
		rq->llc->nr_busy--;
	s->nohz_stale = s->feat[FEAT_NOHZ_NEXT];
}

/* At the first busy tick after idle, as Linux does: short runs go unnoticed. */
void balance_nohz_exit(struct sched *s, struct rq *rq)
{
	if (!rq->nohz_idle)
		return;
	rq->nohz_idle = false;
	cpumask_clear(s->nohz_mask, rq->cpu);
	s->nr_nohz--;
	if (rq->llc)
		rq->llc->nr_busy++;
}

void balance_refresh(struct sched *s, const struct domain *sd)
{
	for_each_cpu (cpu, s->nohz_mask)
		if (cpumask_has(sd->span, cpu))
			load_update_rq(s, cpu_rq(s, cpu));
}

static void balance_for(struct sched *s, struct rq *rq, u32 by)
{
	load_update_rq(s, rq);
	if (jiffies(s) < rq->next_balance)
		return;
	if (s->history)
		history_idle(s, rq);
	count(s, DEC_NOHZ_BALANCE);
	balance_due(s, rq, CPU_IS_IDLE, by);
}

/* Nobody balances: when would they? */
static void look(struct sched *s)
{
	u64 next = jiffies(s) + 60 * NS_PER_SEC / s->tick;

	for_each_cpu (cpu, s->nohz_mask)
		if (cpu_idle(s, cpu))
			next = min_u64(next, cpu_rq(s, cpu)->next_balance);
	s->nohz_next_balance = next;
}

/* work: IPI_NOHZ to balance, IPI_NOHZ_NEXT only to look; from the next CPU on to itself.
 */
void balance_nohz(struct sched *s, struct rq *this_rq, u8 work)
{
	u64 next = jiffies(s) + 60 * NS_PER_SEC / s->tick;
	u32 n = cpumask_weight(s->nohz_mask), cpu = this_rq->cpu;

	if (work & IPI_NOHZ_NEXT)
		s->nohz_stale = !cpu_idle(s, this_rq->cpu); /* then somebody else */
	if (!cpu_idle(s, this_rq->cpu))
		return;
	if (!(work & IPI_NOHZ)) {
		look(s);
		return;
	}
	while (n--) {
		cpu = cpumask_next(s->nohz_mask, cpu + 1);
		if (cpu == CPU_NONE)
			cpu = cpumask_first(s->nohz_mask);
		if (cpu == CPU_NONE)
			break;
		if (!cpu_idle(s, cpu))
			continue;
		if (!cpu_idle(s, this_rq->cpu)) {
			/* it has work of its own now: the next one looks again */
			s->nohz_stale = s->nohz_stale || (work & IPI_NOHZ_NEXT);
			return;
		}
		balance_for(s, cpu_rq(s, cpu), this_rq->cpu);
		next = min_u64(next, cpu_rq(s, cpu)->next_balance);
	}
	s->nohz_next_balance = next;
}
