/*
 * When CPUs balance: at the tick, and the push of a running task; on going idle:
 * newidle.c, on behalf of tickless CPUs: nohz.c. Corresponds to trigger_load_balance(),
 * rebalance_domains(), active_load_balance_cpu_stop() of Linux 6.1.
 */
#include "balance/env.h"

void newidle_record(struct domain *sd, u32 success)
{
	sd->newidle_calls++;
	sd->newidle_success += success;
	if (sd->newidle_calls < 1024)
		return;
	sd->newidle_ratio = sd->newidle_success;
	sd->newidle_calls /= 2;
	sd->newidle_success /= 2;
}

bool newidle_cost(struct sched *s, struct domain *sd, u64 cost, u32 success)
{
	u64 now = s->engine->now;

	if (cost)
		newidle_record(sd, success);
	if (cost > sd->newidle_cost) {
		sd->newidle_cost = cost;
		if (!s->feat[FEAT_NI_DECAY_ALWAYS])
			sd->newidle_decayed = now;
		return false;
	}
	if (now <= sd->newidle_decayed + NS_PER_SEC)
		return false;
	if (cost && s->feat[FEAT_NI_DECAY_ALWAYS])
		return false; /* it decays when the clock balances, and not here */
	sd->newidle_cost = sd->newidle_cost * 253 / 256;
	sd->newidle_decayed = now;
	return true;
}

void balance_due(struct sched *s, struct rq *rq, enum idle_kind idle, u32 by)
{
	u64 now = jiffies(s), next = now + 60 * NS_PER_SEC / s->tick, max_cost = 0;
	bool go_on = true, decayed = false, busy = idle != CPU_IS_IDLE;

	if (s->sched_idle && cpu_sched_idle(s, rq->cpu))
		busy = false; /* balances as often as an idle one */
	load_update_rq(s, rq);
	for_each_domain (sd, rq) {
		decayed = newidle_cost(s, sd, 0, 0);
		max_cost += sd->newidle_cost;
		if (!go_on) {
			if (decayed)
				continue;
			break;
		}
		if (now >= sd->last_balance + balance_interval(sd, busy)) {
			struct env env = {.sd = sd, .dst = rq, .idle = idle, .by = by};

			if (balance_domain(s, &env, &go_on)) {
				idle = cpu_idle(s, rq->cpu) ? CPU_IS_IDLE : CPU_IS_BUSY;
				busy = idle != CPU_IS_IDLE &&
				       !(s->sched_idle && cpu_sched_idle(s, rq->cpu));
			}
			sd->last_balance = now;
		}
		next = min_u64(next, sd->last_balance + balance_interval(sd, busy));
	}
	if (decayed)
		rq->max_idle_cost = max_u64(s->migration_cost, max_cost);
	rq->next_balance = next;
}

void balance_tick(struct sched *s, struct rq *rq)
{
	if (!s->balance_on || !rq->sd)
		return;
	if (jiffies(s) >= rq->next_balance)
		balance_due(s, rq, cpu_idle(s, rq->cpu) ? CPU_IS_IDLE : CPU_IS_BUSY,
			    rq->cpu);
	if (!rq->curr && cpu_idle(s, rq->cpu))
		return;
	balance_nohz_exit(s, rq);
	balance_nohz_kick(s, rq);
}

/* By the stopper: what ran is a task like the others now. */
void balance_push(struct sched *s, struct rq *rq)
{
	struct rq *to = cpu_rq(s, rq->push_cpu);
	struct env env = {.dst = to, .src = rq, .active = true, .by = rq->cpu};

	if (!rq->nr_running || !to->online)
		return;
	for_each_domain (sd, to) {
		env.sd = sd;
		if (cpumask_has(sd->span, rq->cpu))
			break;
	}
	if (env.sd && balance_move_one(s, &env)) {
		count(s, DEC_BALANCE_ACTIVE);
		env.sd->nr_failed = 0;
		if (env.sd->stat)
			env.sd->stat->pushed++;
	} else {
		count(s, DEC_BALANCE_ACTIVE_LATE);
		if (env.sd && env.sd->stat)
			env.sd->stat->push_failed++;
	}
	if (env.sd && env.sd->stat)
		env.sd->stat->push++;
}
