/* Queues of waiting instances, as wait_queue_entry and the lists of mutexes are. */
#include "resources.h"

void waitq_add(struct waitq *q, struct inst *t)
{
	t->wait_next = NULL;
	t->wait_prev = q->last;
	if (q->last)
		q->last->wait_next = t;
	else
		q->first = t;
	q->last = t;
}

void waitq_remove(struct waitq *q, struct inst *t)
{
	if (t->wait_prev)
		t->wait_prev->wait_next = t->wait_next;
	else
		q->first = t->wait_next;
	if (t->wait_next)
		t->wait_next->wait_prev = t->wait_prev;
	else
		q->last = t->wait_prev;
	t->wait_next = t->wait_prev = NULL;
}

struct inst *waitq_pop(struct waitq *q)
{
	struct inst *t = q->first;

	if (t)
		waitq_remove(q, t);
	return t;
}

void inst_wake(struct inst *waker, struct inst *t, bool sync)
{
	if (t->blocked) {
		t->blocked = false;
		t->run->nblocked--;
	}
	sched_wake(waker->run->sched, waker->task, t->task, sync);
}

void inst_block(struct inst *t, const struct decl *on)
{
	t->blocked = true;
	t->blocked_on = on;
	t->run->nblocked++;
	run_check_deadlock(t->run);
}

void wait_begin(struct inst *t, struct ledger *l)
{
	if (t->waits_on)
		return;
	t->waits_on = l;
	t->wait_from = sched_now(t->run->sched);
	t->wait_cpu = task_cpu_time(t->run->sched, t->task);
}

void wait_end(struct inst *t, u64 at)
{
	struct ledger *l = t->waits_on;

	if (!l)
		return;
	l->contended++;
	l->wait_ns += at - t->wait_from;
	l->spin_ns += task_cpu_time(t->run->sched, t->task) - t->wait_cpu;
	t->waits_on = NULL;
}
