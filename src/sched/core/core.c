/*
 * Core scheduling: binding its options, and the account of what it promises.
 */
#include "core/core.h"

enum { CORE_OFF, CORE_MAINLINE, CORE_V2, CORE_V3 };

static u64 choice(const struct sched *s, enum seam_id id)
{
	return seam_choice(id, s->kernel->seam[id])->value.constant;
}

static void bind(struct sched *s, u64 kind)
{
	static core_less_op *const less[] = {
		[ORDER_SNAPSHOT] = core_less_snapshot,
		[ORDER_SNAPSHOT_ROOT] = core_less_snapshot_root,
		[ORDER_QUEUE] = core_less_queue,
		[ORDER_ROOT] = core_less_root,
		[ORDER_ALLOWANCE] = core_less_allowance,
		[ORDER_FORCED] = core_less_forced,
	};

	s->core_order = (u8)choice(s, SEAM_CORE_ORDER);
	s->core_tick_rule = (u8)choice(s, SEAM_CORE_TICK_RULE);
	if (!s->eevdf)
		s->core_clock = (u8)choice(s, SEAM_CORE_CLOCK);
	if (s->core_order == ORDER_AUTO)
		s->core_order =
			kind == CORE_V2 || kind == CORE_V3 ? ORDER_QUEUE : ORDER_SNAPSHOT;
	s->ops.core_less = less[s->core_order];
	s->ops.core_pick = core_pick_mainline;
	if (kind == CORE_V2)
		s->ops.core_pick = core_pick_v2;
	else if (kind == CORE_V3)
		s->ops.core_pick = core_pick_v3;
}

void core_init(struct sched *s)
{
	u64 kind = choice(s, SEAM_CORE);

	s->core = arena_array(s->arena, struct core_state, s->ncpu);
	s->next_cookie = 1;
	bind(s, kind);
	/* without threads there is nothing to schedule together (ENODEV) */
	for_each_cpu (cpu, s->online) {
		RB_INIT(&s->rq[cpu].cookies);
		s->core_able |= kind != CORE_OFF && s->sib_n[cpu] > 1;
	}
	s->queue_slow |= s->core_able;
	s->core_ask = s->core_able && s->feat[FEAT_CORE_SCAN_TAGGED];
}

/*
 * Who makes others wait: the time of the threads that are forced idle is divided among
 * the tasks that run beside them (sched_core_account_forceidle() of Linux 5.17; there
 * only with schedstats on).
 *
 *   each task += ns * forced idle threads / busy threads
 */
static void account_forced_idle(struct sched *s, const struct rq *rq, u64 ns)
{
	u32 forced = 0, busy = 0, n = s->sib_n[rq->cpu];

	for (u32 i = 0; i < n; i++) {
		const struct rq *sib = core_sibling(s, rq, i);

		busy += sib->curr != NULL;
		forced += !sib->curr && sib->forced_idle && sib->nr_running;
	}
	for (u32 i = 0; forced && busy && i < n; i++) {
		struct task *t = core_sibling(s, rq, i)->curr;

		if (t)
			t->forced_ns += ns * forced / busy;
	}
}

u64 task_forced_idle(const struct task *t)
{
	return t->forced_ns;
}

/*
 * Time up to now in which threads of a core ran tasks of different cookies: pending if
 * one of them is about to reschedule (its IPI is on the way), a leak otherwise.
 */
void core_account(struct sched *s, const struct rq *rq, u64 ns)
{
	const struct task *first = NULL;
	bool cross = false, pending = false;

	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		const struct rq *sib = core_sibling(s, rq, i);

		pending |= sib->resched;
		if (!sib->curr)
			continue;
		if (!first)
			first = sib->curr;
		cross |= sib->curr->cookie != first->cookie;
	}
	account_forced_idle(s, rq, ns);
	if (s->core_order == ORDER_ALLOWANCE)
		core_use_allowance(s, rq, ns);
	else if (s->core_order == ORDER_FORCED)
		core_credit_forced(s, rq, ns);
	if (cross && pending)
		s->totals.cross_cookie_pending_ns += ns;
	else if (cross)
		s->totals.cross_cookie_leak_ns += ns;
}
