/*
 * balance.load_bias = on: with balance = classic, a group's load is also what it was over
 * the last ticks. Of the history of each CPU,
 *
 *   at[i] = (at[i] * (2^i - 1) + load) / 2^i     every tick, rounded up as it rises
 *
 * a domain takes one by its level and by why it balances (busy_idx, idle_idx,
 * newidle_idx). The indices for wake-ups, fork and exec (wake_idx, forkexec_idx) are 0 at
 * every level, so that they always compare loads as of now. Corresponds to
 * cpu_load_update(), cpu_load_update_active(), cpu_load_update_idle(), source_load(),
 * target_load(), get_sd_load_idx() of Linux up to 5.2, which has LB_BIAS off from 4.20
 * on.
 *
 * differs from Linux: a missed tick is a division by 2^i, not a step of a table; a CPU
 * that leaves idle catches up at its next tick; histories of all CPUs go on at one
 * instant, just before the ticks, also if those are skewed.
 */
#include "balance/history.h"

/* Ticks after which nothing is left. */
static const u64 forgotten[HISTORIES] = {0, 8, 32, 64, 128};

static u64 missed(u64 load, u64 ticks, u32 i)
{
	if (ticks >= forgotten[i])
		return 0;
	while (ticks--)
		load -= (load + (1ull << i) - 1) >> i;
	return load;
}

void history_tick(struct history *h, u64 load, u64 passed)
{
	u64 meanwhile = h->at[0];

	h->at[0] = load;
	for (u32 i = 1; i < HISTORIES; i++) {
		u64 round = (1ull << i) - 1, was = missed(h->at[i], passed - 1, i);

		/* what the CPU had while nobody looked is what it decays towards */
		was += meanwhile - missed(meanwhile, passed - 1, i);
		h->at[i] = (was * round + load + (load > was ? round : 0)) >> i;
	}
}

u32 history_index(const struct domain *sd, enum idle_kind idle)
{
	if ((sd->flags & SD_SHARE_CAPACITY) || idle == CPU_IS_NEWLY_IDLE)
		return 0;
	if (sd->flags & SD_NUMA)
		return idle == CPU_IS_BUSY ? 3 : 2;
	if (idle == CPU_IS_BUSY)
		return 2;
	return sd->flags & SD_SHARE_CACHE ? 0 : 1;
}

u64 history_load(const struct sched *s, const struct env *env, const struct rq *rq,
		 bool local)
{
	u32 index = history_index(env->sd, env->idle);
	u64 now = load_runnable(s, rq), then;

	if (!index)
		return now;
	then = s->history[rq->cpu].at[index - 1];
	return local ? max_u64(now, then) : min_u64(now, then);
}

static void catch_up(struct sched *s, const struct rq *rq)
{
	struct history *h = &s->history[rq->cpu];
	u64 now = jiffies(s);

	if (now > h->when)
		history_tick(h, load_runnable(s, rq), now - h->when);
	h->when = now;
}

void history_idle(struct sched *s, const struct rq *rq)
{
	if (!load_runnable(s, rq))
		catch_up(s, rq);
}

/* Every jiffy, for the CPUs that tick. */
static void history_event(void *ctx, u32 id)
{
	struct sched *s = ctx;

	for_each_cpu (cpu, s->online)
		if (engine_pending(s->engine, s->ev_tick, cpu))
			catch_up(s, cpu_rq(s, cpu));
		else
			s->history[cpu].at[0] = 0;
	engine_set(s->engine, s->ev_history, id, s->engine->now + s->tick);
}

void history_init(struct sched *s)
{
	if (!s->feat[FEAT_LB_BIAS] || !s->classic)
		return;
	s->history = arena_array(s->arena, struct history, s->ncpu);
	s->ev_history = engine_class_add(s->engine, 1, history_event, s);
}

void history_start(struct sched *s)
{
	if (s->history)
		engine_set(s->engine, s->ev_history, 0, s->engine->now + s->tick_phase);
}
