/*
 * Pulling before going idle, if the search is likely to be shorter than the idle time.
 * Corresponds to sched_balance_newidle() of Linux 6.1 (newidle_balance() before).
 */
#include "balance/env.h"

static bool gated(struct sched *s, const struct rq *rq)
{
	if (!s->overload && s->feat[FEAT_NI_OVERLOAD_GATE]) {
		count(s, DEC_NEWIDLE_SKIP_OVERLOAD);
		return true;
	}
	if (rq->avg_idle < rq->sd->newidle_cost || rq->avg_idle < s->newidle_floor) {
		count(s, DEC_NEWIDLE_SKIP_COST);
		return true;
	}
	return false;
}

/*
 * A die of 1,024 sides against the success rate; what is tried then counts for those that
 * were not. Returns the weight of one success, 0 = do not try.
 */
static u32 throw_die(struct sched *s, struct rq *rq, struct domain *sd)
{
	u32 odds = 1 + sd->newidle_ratio;

	if (!s->feat[FEAT_NI_RANDOM])
		return 1;
	if (stream_range(&rq->stream, 0, 1023) > odds) {
		count(s, DEC_NEWIDLE_SKIP_RANDOM);
		newidle_record(sd, 0);
		return 0;
	}
	return (1024 + odds / 2) / odds;
}

static void earlier_balance(const struct domain *sd, u64 *next)
{
	*next = min_u64(*next, sd->last_balance + balance_interval(sd, false));
}

static u32 search(struct sched *s, struct rq *rq, u64 *next)
{
	u64 spent = 0;
	u32 moved = 0;

	if (s->memory && numa_swapping(s, rq))
		return 0; /* what it would pull has just been sent away */
	load_update_rq(s, rq);
	for_each_domain (sd, rq) {
		struct env env = {
			.sd = sd, .dst = rq, .idle = CPU_IS_NEWLY_IDLE, .by = rq->cpu};
		u64 before = s->totals.system_ns[SYS_BALANCE], cost;
		bool go_on;
		u32 weight;

		earlier_balance(sd, next);
		if (rq->avg_idle < spent + sd->newidle_cost) {
			count(s, DEC_NEWIDLE_SKIP_COST);
			break;
		}
		if (!(sd->flags & SD_NEWIDLE))
			continue;
		weight = throw_die(s, rq, sd);
		if (!weight)
			continue;
		if (s->feat[FEAT_NI_REFRESH])
			balance_refresh(s, sd);
		moved = balance_domain(s, &env, &go_on);
		cost = s->totals.system_ns[SYS_BALANCE] - before;
		spent += cost;
		newidle_cost(s, sd, cost, moved ? weight : 0);
		if (moved || rq->nr_running || rq->wake_pending)
			break;
	}
	rq->max_idle_cost = max_u64(rq->max_idle_cost, spent);
	return moved;
}

bool balance_newidle(struct sched *s, struct rq *rq)
{
	u64 next = jiffies(s) + NS_PER_SEC / s->tick;
	u32 moved = 0;

	if (rq->wake_pending)
		return false;
	rq->idle_stamp = s->engine->now;
	if (!s->balance_on || !s->feat[FEAT_NEWIDLE] || !rq->sd || !rq->online)
		return false;
	if (gated(s, rq)) {
		earlier_balance(rq->sd, &next);
	} else {
		moved = search(s, rq, &next);
		count(s, moved ? DEC_NEWIDLE_PULLED : DEC_NEWIDLE_NOTHING);
	}
	rq->next_balance = min_u64(rq->next_balance, next);
	if (moved)
		rq->idle_stamp = 0;
	return moved != 0;
}
