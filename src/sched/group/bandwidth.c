/*
 * CPU bandwidth of task groups: the account. A group has a pool that is filled to its
 * quota once a period. A queue takes slices of 5 ms from it as it runs, or less, or
 * nothing; then it is throttled when its task leaves the CPU (group/throttle.c):
 *
 *   pool --5 ms--> queue --ran--> left <= 0 --pool empty--> reschedule, throttled
 *     ^              |
 *     +-- above 1 ms +  when the last task of the queue sleeps
 *
 * The period timer pays the debts of throttled queues, first come first served, and 1 ns
 * more: they run again. What queues gave back is handed out by the slack timer 5 ms
 * later, unless a refill is near. Corresponds to account_cfs_rq_runtime(),
 * assign_cfs_rq_runtime(), return_cfs_rq_runtime(), distribute_cfs_runtime(),
 * sched_cfs_period_timer(), sched_cfs_slack_timer() of Linux 6.1; bandwidth.expire is
 * expire_cfs_rq_runtime() of Linux 5.3 and before.
 *
 * Left out: changing a limit while time passes; stretching periods that are too short for
 * the machine; limits of ancestors that cap those below when they are written.
 *
 * CPU time is looked at where tasks come, go, tick and leave the CPU; a queue ran as long
 * as the group's entity above it.
 *
 * differs from Linux: a wake-up next to a running queue does not look at the queue's CPU
 * time (update_curr() does so everywhere). A group's timers run on the CPU of the queue
 * that started them, not on the CPU that executed this (they differ for a remote wake-up
 * that is not queued).
 */
#include "group/bandwidth.h"

#include "internal.h"

#define KEEP	       NS_PER_MS /* of a slice, when the last task sleeps */
#define SLACK_DELAY    (5 * NS_PER_MS)
#define NEAR_REFILL    (2 * NS_PER_MS)
#define STREAM_PERIODS 0x70657269u /* child of the scheduler's stream */

enum { TIMER_PERIOD, TIMER_SLACK };

static void bandwidth_event(void *ctx, u32 slot);

/*
 * Timers of a period stand on a grid that goes through the start of the machine's clock,
 * as do the ticks; when in its period a run begins is drawn.
 */
static u64 grid_phase(const struct sched *s, u64 period)
{
	struct stream own = stream_child(&s->stream, STREAM_PERIODS);
	u64 ticks = max_u64(period / s->tick, 1);

	return s->tick_phase + stream_range(&own, 0, ticks - 1) * s->tick;
}

/* The first limit binds what looks at limits. */
static void make_room(struct sched *s)
{
	u32 cap = s->limited_cap ? 2 * s->limited_cap : 8;
	struct task_group **more;

	if (s->nlimited < s->limited_cap)
		return;
	more = arena_array(s->arena, struct task_group *, cap);
	for (u32 i = 0; i < s->nlimited; i++)
		more[i] = s->limited[i];
	if (s->limited_cap)
		engine_class_reserve(s->engine, s->ev_limit, 2 * cap);
	else
		s->ev_limit = engine_class_add(s->engine, 2 * cap, bandwidth_event, s);
	s->limited = more;
	s->limited_cap = cap;
	s->limits = s->queue_slow = s->other_pick = s->wakeup_rules = true;
}

void sched_group_limit(struct sched *s, struct task_group *g,
		       const struct group_limit *limit)
{
	struct bandwidth *b = arena_new(s->arena, struct bandwidth);

	make_room(s);
	b->quota = limit->quota;
	b->period = limit->period;
	b->burst = s->feat[FEAT_BANDWIDTH_BURST] ? limit->burst : 0;
	b->pool = b->snap = b->quota;
	b->next = grid_phase(s, b->period);
	b->id = s->nlimited;
	s->limited[s->nlimited++] = g;
	g->bw = b;
	for (u32 i = 0; i < s->ncpu; i++)
		g->cfs[i]->limit.on = true;
}

static void arm(struct sched *s, struct bandwidth *b, u32 timer, u64 when)
{
	engine_set(s->engine, s->ev_limit, 2 * b->id + timer, when);
}

/* The first point of the grid that is ahead. Returns how many were passed. */
static u64 next_period(const struct sched *s, struct bandwidth *b)
{
	u64 passed = 0, now = s->engine->now;

	if (now >= b->next) {
		passed = (now - b->next) / b->period + 1;
		b->next += passed * b->period;
	}
	return passed;
}

static void start_period(struct sched *s, struct bandwidth *b, u32 cpu)
{
	if (b->active)
		return;
	b->active = true;
	b->cpu[TIMER_PERIOD] = cpu;
	next_period(s, b);
	b->expires = b->next;
	b->seq++;
	arm(s, b, TIMER_PERIOD, b->next);
}

/* Out of debt and `target` ns more, if the pool has it. Returns whether it may run. */
static bool grant(struct sched *s, struct cfs_rq *cfs, u64 target)
{
	struct bandwidth *b = cfs->tg->bw;
	u64 amount = target + (u64)-cfs->limit.left;

	start_period(s, b, cfs->rq->cpu);
	amount = min_u64(amount, b->pool);
	if (amount) {
		b->pool -= amount;
		b->idle = false;
	}
	if (cfs->limit.seq != b->seq) {
		cfs->limit.seq = b->seq;
		cfs->limit.expires = b->expires;
	}
	cfs->limit.left += (s64)amount;
	return cfs->limit.left > 0;
}

bool bandwidth_spared(struct sched *s, struct cfs_rq *cfs)
{
	return grant(s, cfs, 1);
}

/* What is left of a slice is lost with the period that it is of. */
static void expire(struct sched *s, struct cfs_rq *cfs)
{
	struct cfs_limit *l = &cfs->limit;

	if (s->engine->now < l->expires || l->left < 0)
		return;
	if (l->seq == cfs->tg->bw->seq) {
		l->expires += s->tick; /* the refill is late */
		return;
	}
	if (l->left > 0)
		count(s, DEC_BANDWIDTH_EXPIRE);
	l->left = 0;
}

/*
 * Ticks are interrupts, and their time is not the queue's (update_rq_clock_task()). This
 * matters where a slice is a whole number of ticks: it lasts one tick longer.
 *
 * differs from Linux: only here; elsewhere CPU time of tasks contains interrupts.
 */
static u64 without_ticks(const struct sched *s, u64 ran)
{
	u64 offset = s->engine->now + s->tick - s->tick_phase;
	u64 ticks = offset / s->tick - (offset - ran) / s->tick;

	return ran - min_u64(ran, ticks * s->cost[COST_TICK]);
}

/* CPU time of a group's entity, up to now. */
static u64 used_by(const struct sched *s, const struct entity *se)
{
	if (se->cfs->curr == se && s->engine->now > se->exec_start)
		return se->sum_exec + s->engine->now - se->exec_start;
	return se->sum_exec;
}

/* A queue ran as long as the group's entity above it did: CPU time since the last look.
 */
static u64 ran_since(const struct sched *s, struct cfs_rq *cfs)
{
	u64 used = used_by(s, cfs->tg->se[cfs->rq->cpu]), ran;

	ran = used - cfs->limit.seen;
	cfs->limit.seen = used;
	return ran;
}

/* `ran` ns more are used up; 0 = only ask, if there is nothing left. */
void bandwidth_use(struct sched *s, struct cfs_rq *cfs, u64 ran)
{
	struct cfs_limit *l = &cfs->limit;

	l->left -= (s64)without_ticks(s, ran);
	if (s->feat[FEAT_BANDWIDTH_EXPIRE])
		expire(s, cfs);
	if (l->left > 0 || l->throttled)
		return;
	if (!grant(s, cfs, s->kernel->tun[TUN_BANDWIDTH_SLICE]) && cfs->curr)
		cpu_resched(s, cfs->rq, cfs->rq->cpu);
}

/* As update_curr() does for a queue, at the places that matter to a limit. */
void bandwidth_account(struct sched *s, struct cfs_rq *cfs)
{
	u64 ran = cfs->limit.on ? ran_since(s, cfs) : 0;

	if (ran)
		bandwidth_use(s, cfs, ran);
}

/* Every queue of a running task. */
void bandwidth_tick(struct sched *s, const struct rq *rq)
{
	for (const struct entity *se = &rq->curr->se; se; se = se->parent)
		bandwidth_account(s, se->cfs);
}

/* A refill is so near that slack is not worth handing out. */
static bool refill_within(const struct sched *s, const struct bandwidth *b, u64 ns)
{
	return b->next < s->engine->now + ns;
}

/* The last task of a queue sleeps: others may have what it has, but for 1 ms. */
void bandwidth_return(struct sched *s, struct cfs_rq *cfs)
{
	struct bandwidth *b = cfs->tg->bw;
	s64 slack;

	bandwidth_account(s, cfs);
	slack = cfs->limit.left - (s64)KEEP;
	if (!b || cfs->nr || slack <= 0)
		return;
	cfs->limit.left = KEEP;
	if (s->feat[FEAT_BANDWIDTH_EXPIRE] && cfs->limit.seq != b->seq)
		return;
	b->pool += (u64)slack;
	if (b->pool <= s->kernel->tun[TUN_BANDWIDTH_SLICE] || !b->first || b->slack ||
	    refill_within(s, b, SLACK_DELAY + NEAR_REFILL))
		return;
	b->slack = true;
	b->cpu[TIMER_SLACK] = cfs->rq->cpu;
	arm(s, b, TIMER_SLACK, s->engine->now + SLACK_DELAY);
}

static void distribute(struct sched *s, struct bandwidth *b, u32 by)
{
	struct cfs_rq *cfs, *next;

	for (cfs = b->first; cfs && b->pool; cfs = next) {
		u64 debt = (u64)(1 - cfs->limit.left), pays = min_u64(debt, b->pool);

		next = cfs->limit.next;
		b->pool -= pays;
		cfs->limit.left += (s64)pays;
		cfs->limit.seq = b->seq;
		cfs->limit.expires = b->expires;
		if (cfs->limit.left > 0)
			group_unthrottle(s, cfs, by);
	}
}

static void refill(struct sched *s, struct bandwidth *b)
{
	b->pool += b->quota;
	if (b->snap > b->pool) {
		b->bursts++;
		count(s, DEC_BANDWIDTH_BURST);
	}
	b->pool = b->snap = min_u64(b->pool, b->quota + b->burst);
	b->expires = b->next;
	b->seq++;
}

/* A period in which nobody asked, and nobody waits, is the last one until somebody does.
 */
static void period_ends(struct sched *s, struct bandwidth *b, u32 by)
{
	u64 passed = next_period(s, b);

	b->periods += passed;
	refill(s, b);
	if (!b->first) {
		b->active = !b->idle;
		b->idle = true;
	} else {
		b->throttled_periods += passed;
		while (b->first && b->pool)
			distribute(s, b, by);
		b->idle = false;
	}
	if (b->active)
		arm(s, b, TIMER_PERIOD, b->next);
}

static void slack_ends(struct sched *s, struct bandwidth *b, u32 by)
{
	b->slack = false;
	if (refill_within(s, b, NEAR_REFILL) || !b->first ||
	    b->pool <= s->kernel->tun[TUN_BANDWIDTH_SLICE])
		return;
	count(s, DEC_BANDWIDTH_SLACK);
	distribute(s, b, by);
}

/* An idle CPU first has to come out of its idle state, as for a sleeper's timer. */
static void bandwidth_event(void *ctx, u32 slot)
{
	struct sched *s = ctx;
	struct bandwidth *b = s->limited[slot / 2]->bw;
	u32 timer = slot % 2;
	struct rq *rq = cpu_rq(s, b->cpu[timer]);

	if (!rq->curr && rq->exit_latency && !b->late[timer]) {
		b->late[timer] = true;
		arm(s, b, timer, s->engine->now + rq->exit_latency);
		return;
	}
	b->late[timer] = false;
	cpu_charge(s, rq, SYS_TIMER, s->cost[COST_TIMER]);
	if (timer == TIMER_PERIOD)
		period_ends(s, b, rq->cpu);
	else
		slack_ends(s, b, rq->cpu);
	cpu_rearm(s, rq);
	if (!rq->curr && !rq->resched && !rq->wake_pending)
		idle_choose(s, rq);
}

void sched_limit_stats(const struct sched *s, const struct task_group *g,
		       struct limit_stats *out)
{
	const struct bandwidth *b = g->bw;

	*out = (struct limit_stats){0};
	if (!b)
		return;
	out->periods = b->periods;
	out->throttled_periods = b->throttled_periods;
	out->throttles = b->throttles;
	out->throttled_ns = b->throttled_ns;
	out->bursts = b->bursts;
	for (u32 i = 0; i < s->ncpu; i++)
		out->used_ns += used_by(s, g->se[i]);
	for (const struct cfs_rq *cfs = b->first; cfs; cfs = cfs->limit.next)
		out->throttled_ns += s->engine->now - cfs->limit.since;
}
