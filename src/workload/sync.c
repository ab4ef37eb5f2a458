/*
 * What tasks wait for beside locks, as the C library makes it from futexes: conditions,
 * semaphores, barriers that spin before they sleep. A system call only where somebody
 * sleeps or is to be woken; it looks once more before it sleeps (futex_wait()).
 *
 *   conditions: {c: {}}
 *   semaphores: {tokens: {value: 8}}
 *   barriers:   {gate: {parties: 4, spin: 300 us}}
 */
#include "sync.h"

static int compile_condition(struct compiler *c, const struct ynode *entry,
			     struct decl *d)
{
	(void)c;
	(void)entry;
	(void)d;
	return 0;
}

static int compile_semaphore(struct compiler *c, const struct ynode *entry,
			     struct decl *d)
{
	struct semaphore_decl *s = (struct semaphore_decl *)(void *)d;
	const struct ynode *value = y_need(entry, "value", c->f);

	return value ? expr_get(&c->env, value, UNIT_COUNT, 0, UINT32_MAX, &s->value)
		     : -1;
}

static int compile_barrier(struct compiler *c, const struct ynode *entry, struct decl *d)
{
	struct barrier_decl *b = (struct barrier_decl *)(void *)d;
	const struct ynode *parties = y_need(entry, "parties", c->f);
	const struct ynode *spin = y_get(entry, "spin");

	if (!parties || expr_get(&c->env, parties, UNIT_COUNT, 1, TASKS_MAX, &b->parties))
		return -1;
	return spin ? compile_time(c, spin, 0, &b->spin) : 0;
}

const struct decl_type condition_decl_type = {
	.what = "condition",
	.keys = (const char *const[]){NULL},
	.size = sizeof(struct decl),
	.compile = compile_condition,
};

const struct decl_type semaphore_decl_type = {
	.what = "semaphore",
	.keys = (const char *const[]){"value", NULL},
	.size = sizeof(struct semaphore_decl),
	.compile = compile_semaphore,
};

const struct decl_type barrier_decl_type = {
	.what = "barrier",
	.keys = (const char *const[]){"parties", "spin", NULL},
	.size = sizeof(struct barrier_decl),
	.compile = compile_barrier,
};

struct sync *sync_start(struct arena *a, const struct workload_plan *p)
{
	const struct decls *sem = &p->res.semaphores, *bar = &p->res.barriers;
	struct sync *s = arena_new(a, struct sync);

	s->condition = arena_array(a, struct condition_run, p->res.conditions.total);
	s->semaphore = arena_array(a, struct semaphore_run, sem->total);
	s->barrier = arena_array(a, struct barrier_run, bar->total);
	s->suspended = arena_array(a, struct sleepers, p->ngroup);
	for (u32 i = 0; i < sem->n; i++)
		for (u32 k = 0; k < sem->d[i]->count; k++)
			s->semaphore[sem->d[i]->first + k].value =
				((const struct semaphore_decl *)(const void *)sem->d[i])
					->value;
	for (u32 i = 0; i < bar->n; i++)
		for (u32 k = 0; k < bar->d[i]->count; k++)
			s->barrier[bar->d[i]->first + k].decl =
				(const struct barrier_decl *)(const void *)bar->d[i];
	return s;
}

struct ledger *condition_ledger(struct workload_run *r, u32 i)
{
	return &r->sync->condition[i].ledger;
}

struct ledger *semaphore_ledger(struct workload_run *r, u32 i)
{
	return &r->sync->semaphore[i].ledger;
}

struct ledger *barrier_ledger(struct workload_run *r, u32 i)
{
	return &r->sync->barrier[i].ledger;
}

static void enqueue(struct sleepers *s, struct inst *t)
{
	waitq_add(&s->q, t);
	s->n++;
	t->queue = SYNC_SLEEPS;
}

static struct inst *dequeue(struct sleepers *s)
{
	struct inst *t = waitq_pop(&s->q);

	if (!t)
		return NULL;
	s->n--;
	t->queue = SYNC_GONE;
	return t;
}

void sleepers_add(struct sleepers *s, struct inst *t, enum step *next)
{
	enqueue(s, t);
	futex_call(t);
	*next = STEP_AGAIN;
}

bool sleepers_wake(struct sleepers *s, struct inst *waker)
{
	struct inst *t = dequeue(s);

	if (!t)
		return false;
	if (t->blocked)
		inst_wake(waker, t, false);
	return true;
}

enum flow sleepers_wake_all(struct sleepers *s, struct inst *t, u32 n, enum step *next)
{
	*next = STEP_AGAIN;
	if (!t->phase) {
		if (!n)
			return FLOW_NEXT;
		t->phase = n;
		futex_call(t);
	}
	if (!sleepers_wake(s, t) || !--t->phase)
		return FLOW_YIELD;
	return FLOW_HOLD;
}

/* Those that look see the line change, those that sleep are woken by the last to come. */
static enum flow release(struct inst *t, struct barrier_run *b, enum step *next)
{
	struct sched *s = t->run->sched;
	u64 paid = sched_paid_until(s, t->task) - sched_now(s);
	struct inst *w;
	u32 n = b->sleepers.n;

	b->arrived = 0;
	while ((w = waitq_pop(&b->spinners))) {
		w->queue = SYNC_GONE;
		b->ledger.cpu =
			task_cpu(t->task) + 1; /* each reads what this CPU wrote */
		sched_spin_end(s, w->task,
			       paid + ledger_transfer(s, &b->ledger, task_cpu(w->task)));
	}
	while ((w = dequeue(&b->sleepers)))
		enqueue(&b->leaving, w);
	if (n)
		return sleepers_wake_all(&b->leaving, t, n, next);
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

static enum flow arrive(struct inst *t, struct barrier_run *b, enum step *next)
{
	b->ledger.acquisitions++;
	line_atomic(t, &b->ledger);
	if (++b->arrived == b->decl->parties)
		return release(t, b, next);
	wait_begin(t, &b->ledger);
	t->phase = UINT64_MAX; /* waits; what counts wake-ups stays below */
	if (!b->decl->spin) {
		sleepers_add(&b->sleepers, t, next);
		return FLOW_HOLD;
	}
	waitq_add(&b->spinners, t);
	t->queue = SYNC_SPINS;
	task_set_amount(t->task, b->decl->spin);
	*next = STEP_SPIN;
	return FLOW_HOLD;
}

enum flow barrier_step(struct inst *t, struct barrier_run *b, enum step *next)
{
	if (!t->phase)
		return arrive(t, b, next);
	if (t->phase != UINT64_MAX)
		return sleepers_wake_all(&b->leaving, t, 0, next);
	if (t->queue == SYNC_GONE) {
		wait_end(t, sched_now(t->run->sched));
		return FLOW_NEXT;
	}
	if (t->queue == SYNC_SPINS) {
		sched_spin_end(t->run->sched, t->task, 0);
		waitq_remove(&b->spinners, t);
		sleepers_add(&b->sleepers, t, next);
		return FLOW_HOLD;
	}
	inst_block(t, &b->decl->d);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}
