/*
 * core.order = allowance: each thread of a core has an allowance of time that it may run
 * while it forces another one idle. Across cookies the thread that has more left goes
 * first; virtual times and weights do not count. When a thread has used its own up and no
 * other has any left, all get as much again: that changes no comparison, so only what was
 * used is kept here.
 *
 * It is fair between threads, not between groups: a cookie with tasks on two threads gets
 * twice what one with tasks on one thread gets.
 *
 * Corresponds to the forced idle accounting of the mails of August 2019 on version 3 of
 * the series.
 *
 * differs from Linux: charged at ticks, picks and switches of the core, not at each
 * update of a queue.
 */
#include "core/core.h"

static bool beside_forced_idle(const struct sched *s, const struct rq *rq)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		const struct rq *sib = core_sibling(s, rq, i);

		if (sib != rq && !sib->curr && sib->forced_idle && sib->nr_running)
			return true;
	}
	return false;
}

void core_use_allowance(struct sched *s, const struct rq *rq, u64 ns)
{
	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		struct rq *sib = core_sibling(s, rq, i);

		if (sib->curr && beside_forced_idle(s, sib))
			sib->allowance -= (s64)ns;
	}
}

bool core_less_allowance(struct sched *s, const struct task *a, const struct task *b,
			 bool in_fi)
{
	if (a->rq == b->rq || a->cookie == b->cookie)
		return core_less_queue(s, a, b, in_fi);
	return a->rq->allowance < b->rq->allowance;
}
