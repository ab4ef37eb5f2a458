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
	sched_wake(waker->run->sched, waker->task, t->task, sync);
}
