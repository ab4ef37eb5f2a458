/*
 * Locks. Whoever has one is known from the instant at which it was taken or handed over;
 * lines that move and system calls are charged around that.
 *
 *   mutex   as struct mutex: a newcomer spins while the owner is on a CPU, sleeps
 *           otherwise. An unlock gives it to a spinner and wakes the first sleeper, who
 *           may come too late; once it has, the next unlock is its own (handoff)
 *   futex   as a pthread mutex: nobody spins; without contention no system call
 *   spin    of a program: waiters spin for ever, also while the owner is preempted. An
 *           unlock gives it to the first of them that is on a CPU
 *   rwsem   readers together, writers alone, first come first served; a reader that gets
 *           it takes all waiting readers along
 *
 * Corresponds to __mutex_lock_common() and __mutex_unlock_slowpath(), futex_wait() and
 * futex_wake() below lll_lock(), rwsem_down_write_slowpath() and rwsem_mark_wake() of
 * Linux 6.1.
 *
 * differs from Linux: a rwsem is handed to the writer that is woken; there it has to take
 * it and one that spins may be first. Readers never spin or steal.
 */
#include "lock.h"

/* Where a waiting instance stands: inst.queue. */
enum { QUEUE_NONE, QUEUE_SPIN, QUEUE_SLEEP };

/* A sleeper that waits for longer goes before spinners (RWSEM_WAIT_TIMEOUT). */
#define RWSEM_PATIENCE (4 * NS_PER_MS)
/* Readers that one wake-up takes along (MAX_READERS_WAKEUP). */
#define RWSEM_READERS 256u

struct locks *locks_start(struct arena *a, const struct workload_plan *p)
{
	const struct decls *list = &p->res.locks;
	struct locks *l = arena_new(a, struct locks);

	l->lock = arena_array(a, struct lock_run, list->total);
	for (u32 i = 0; i < list->n; i++)
		for (u32 k = 0; k < list->d[i]->count; k++)
			l->lock[list->d[i]->first + k].decl =
				(const struct lock_decl *)(const void *)list->d[i];
	pool_init(&l->holds, a, sizeof(struct hold));
	return l;
}

struct ledger *lock_ledger(struct workload_run *r, u32 i)
{
	return &r->locks->lock[i].ledger;
}

void line_atomic(struct inst *t, struct ledger *l)
{
	struct sched *s = t->run->sched;
	u64 at = sched_paid_until(s, t->task), start = max_u64(at, l->free_at);

	l->free_at = start + ledger_transfer(s, l, task_cpu(t->task));
	sched_charge(s, t->task, SYS_LOCK, l->free_at - at);
}

void futex_call(struct inst *t)
{
	struct sched *s = t->run->sched;

	sched_charge(s, t->task, SYS_LOCK, machine_cost(sched_machine(s), COST_FUTEX));
}

/* Of this lock, does anybody want to know whether its owner is on a CPU? */
static bool owner_matters(const struct lock_run *lk)
{
	return lk->decl->kind == LOCK_MUTEX ||
	       (lk->decl->kind == LOCK_RWSEM && lk->decl->spin);
}

static void watch(struct inst *t, bool on)
{
	t->watches = on ? t->watches + 1 : t->watches - 1;
	task_watch(t->task, t->watches > 0);
}

static struct hold *find_hold(const struct inst *t, const struct lock_run *lk)
{
	struct hold *h = t->holds;

	while (h && h->lock != lk)
		h = h->next;
	return h;
}

static void leave_queue(struct lock_run *lk, struct inst *t)
{
	if (t->queue == QUEUE_SPIN)
		waitq_remove(&lk->spinners, t);
	else if (t->queue == QUEUE_SLEEP)
		waitq_remove(&lk->sleepers, t);
	t->queue = QUEUE_NONE;
}

/* It is the instance's from now on. */
static struct hold *give(struct lock_run *lk, struct inst *t)
{
	struct hold *h = pool_get(&t->run->locks->holds);

	leave_queue(lk, t);
	if (t->lock_shared)
		lk->readers++;
	else
		lk->owner = t;
	h->lock = lk;
	h->since = TIME_NEVER;
	h->shared = t->lock_shared;
	h->next = t->holds;
	t->holds = h;
	if (owner_matters(lk))
		watch(t, true);
	return h;
}

/* It knows that it has it. */
static void got(struct inst *t, struct lock_run *lk, struct hold *h, u64 at)
{
	lk->ledger.acquisitions++;
	wait_end(t, at);
	h->since = at;
	t->lock = NULL;
	t->spun = false;
}

static enum flow take_free(struct inst *t, struct lock_run *lk, enum step *next)
{
	struct hold *h = give(lk, t);

	line_atomic(t, &lk->ledger);
	got(t, lk, h, sched_paid_until(t->run->sched, t->task));
	*next = STEP_AGAIN;
	return FLOW_YIELD;
}

static enum flow spin(struct inst *t, struct lock_run *lk, enum step *next)
{
	if (t->queue == QUEUE_NONE) {
		waitq_add(&lk->spinners, t);
		t->queue = QUEUE_SPIN;
	}
	*next = STEP_SPIN;
	return FLOW_HOLD;
}

/* As long as its owner is on a CPU, and this one is. */
static enum flow spin_on_owner(struct inst *t, struct lock_run *lk, enum step *next)
{
	t->spun = t->watching = true;
	watch(t, true);
	return spin(t, lk, next);
}

static enum flow sleep_on(struct inst *t, struct lock_run *lk, enum step *next)
{
	if (t->queue != QUEUE_SLEEP) {
		leave_queue(lk, t);
		waitq_add(&lk->sleepers, t);
		t->queue = QUEUE_SLEEP;
	}
	inst_block(t, &lk->decl->d);
	task_waits_for_lock(t->task);
	*next = STEP_BLOCK;
	return FLOW_HOLD;
}

/* The owner is not on a CPU: nobody spins for it. */
static void stop_spinners(struct sched *s, struct lock_run *lk)
{
	struct inst *t;

	while ((t = lk->spinners.first)) {
		leave_queue(lk, t);
		sched_spin_end(s, t->task, 0);
	}
	if (lk->sleepers.first)
		sched_spin_end(s, lk->sleepers.first->task, 0);
}

/* Hand it to one that waits: a spinner sees the line change, a sleeper is woken. */
static void hand_over(struct inst *from, struct lock_run *lk, struct inst *to)
{
	struct sched *s = from->run->sched;
	u64 paid = sched_paid_until(s, from->task) - sched_now(s);

	give(lk, to);
	if (!to->blocked) {
		u64 move = ledger_transfer(s, &lk->ledger, task_cpu(to->task));

		sched_spin_end(s, to->task, paid + move);
		return;
	}
	inst_wake(from, to, false);
	if (owner_matters(lk))
		stop_spinners(s, lk);
}

static struct inst *running_spinner(const struct lock_run *lk)
{
	struct inst *t = lk->spinners.first;

	while (t && !task_on_cpu(t->task))
		t = t->wait_next;
	return t;
}

static enum flow take_mutex(struct inst *t, struct lock_run *lk, enum step *next)
{
	if (!lk->owner) {
		if (t->queue == QUEUE_SLEEP)
			lk->handoff = false;
		return take_free(t, lk, next);
	}
	/* a sleeper stays in its place until it has it; only the first is woken */
	if (t->queue == QUEUE_SLEEP)
		lk->handoff = true;
	if (!t->spun && task_on_cpu(lk->owner->task))
		return spin_on_owner(t, lk, next);
	return sleep_on(t, lk, next);
}

static void release_mutex(struct inst *t, struct lock_run *lk)
{
	struct inst *first = lk->sleepers.first, *spinner = running_spinner(lk);

	line_atomic(t, &lk->ledger);
	if (lk->handoff) {
		lk->handoff = false;
		hand_over(t, lk, first);
		return;
	}
	if (spinner)
		hand_over(t, lk, spinner);
	if (first && first->blocked) {
		first->spun = false;
		inst_wake(t, first, false);
	}
}

/* The word: 0 free, 1 taken, 2 (marked) taken and somebody may sleep. */
static enum flow take_futex(struct inst *t, struct lock_run *lk, enum step *next)
{
	if (!lk->owner) {
		lk->marked = t->waits_on != NULL;
		return take_free(t, lk, next);
	}
	lk->marked = true;
	if (!t->spun) {
		/* the system call looks at the word again before it sleeps */
		t->spun = true;
		futex_call(t);
		*next = STEP_AGAIN;
		return FLOW_HOLD;
	}
	return sleep_on(t, lk, next);
}

static void release_futex(struct inst *t, struct lock_run *lk)
{
	struct inst *first = lk->sleepers.first;
	bool marked = lk->marked;

	line_atomic(t, &lk->ledger);
	lk->marked = false;
	if (!marked)
		return;
	futex_call(t);
	if (!first)
		return;
	leave_queue(lk, first);
	first->spun = false;
	inst_wake(t, first, false);
}

static enum flow take_spin(struct inst *t, struct lock_run *lk, enum step *next)
{
	return lk->owner ? spin(t, lk, next) : take_free(t, lk, next);
}

static void release_spin(struct inst *t, struct lock_run *lk)
{
	struct inst *to = lk->decl->fair ? lk->spinners.first : running_spinner(lk);

	if (to) {
		hand_over(t, lk, to);
		return;
	}
	/* nobody sees it now: each looks when it gets a CPU */
	for (to = lk->spinners.first; to; to = to->wait_next)
		sched_spin_end(t->run->sched, to->task, 0);
}

static enum flow take_rwsem(struct inst *t, struct lock_run *lk, enum step *next)
{
	bool busy = lk->owner || (!t->lock_shared && lk->readers);

	if (!busy && waitq_empty(&lk->sleepers))
		return take_free(t, lk, next);
	if (lk->decl->spin && !t->lock_shared && !t->spun && lk->owner &&
	    task_on_cpu(lk->owner->task))
		return spin_on_owner(t, lk, next);
	return sleep_on(t, lk, next);
}

static void wake_rwsem(struct inst *t, struct lock_run *lk)
{
	struct inst *first = lk->sleepers.first, *after;
	u32 n = 0;

	if (!first)
		return;
	if (!first->lock_shared) {
		hand_over(t, lk, first);
		return;
	}
	/* all readers that wait, writers between them notwithstanding */
	for (; first && n < RWSEM_READERS; first = after) {
		after = first->wait_next;
		if (!first->lock_shared)
			continue;
		hand_over(t, lk, first);
		n++;
	}
}

static void release_rwsem(struct inst *t, struct lock_run *lk)
{
	struct inst *first = lk->sleepers.first, *spinner = running_spinner(lk);

	line_atomic(t, &lk->ledger);
	if (lk->readers)
		return;
	if (spinner &&
	    (!first || sched_now(t->run->sched) < first->wait_from + RWSEM_PATIENCE))
		hand_over(t, lk, spinner);
	else
		wake_rwsem(t, lk);
}

static const struct {
	enum flow (*take)(struct inst *t, struct lock_run *lk, enum step *next);
	void (*release)(struct inst *t, struct lock_run *lk);
} kinds[LOCK_KINDS] = {
	[LOCK_MUTEX] = {take_mutex, release_mutex},
	[LOCK_FUTEX] = {take_futex, release_futex},
	[LOCK_SPIN] = {take_spin, release_spin},
	[LOCK_RWSEM] = {take_rwsem, release_rwsem},
};

enum flow lock_take(struct inst *t, struct lock_run *lk, bool shared, const struct op *op,
		    enum step *next)
{
	struct hold *h = find_hold(t, lk);
	enum flow flow;

	if (!t->lock && h) {
		run_fail(t->run, op, "lock '%s' is taken by a task that has it already",
			 lk->decl->d.name);
		*next = STEP_BLOCK;
		return FLOW_HOLD;
	}
	if (t->watching) {
		t->watching = false;
		watch(t, false);
	}
	if (h) {
		got(t, lk, h, sched_now(t->run->sched));
		return FLOW_NEXT;
	}
	if (!t->lock)
		t->spun = false;
	t->lock = lk;
	t->lock_shared = shared;
	flow = kinds[lk->decl->kind].take(t, lk, next);
	if (flow == FLOW_HOLD)
		wait_begin(t, &lk->ledger);
	return flow;
}

struct hold *lock_held(struct inst *t, const struct ref *ref, const struct op *op)
{
	const struct lock_run *lk = NULL;
	struct hold *h = t->holds;

	if (ref->index)
		lk = &t->run->locks->lock[ref_get(t, ref)];
	/* a plain name is the one of its entry that was taken last */
	while (h && (lk ? h->lock != lk : &h->lock->decl->d != ref->decl))
		h = h->next;
	if (!h)
		run_fail(t->run, op,
			 "a task lets go of lock '%s', which it does not have",
			 ref->decl->name);
	return h;
}

void lock_release(struct inst *t, struct hold *h)
{
	struct lock_run *lk = h->lock;
	struct hold **at = &t->holds;

	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	lk->ledger.hold_ns += sched_now(t->run->sched) - h->since;
	if (h->shared)
		lk->readers--;
	else
		lk->owner = NULL;
	pool_put(&t->run->locks->holds, h);
	if (owner_matters(lk))
		watch(t, false);
	kinds[lk->decl->kind].release(t, lk);
}

void locks_settle(struct workload_run *r, struct inst *t)
{
	u64 now = sched_now(r->sched);

	for (struct hold *h = t->holds; h; h = h->next) {
		if (h->since > now)
			continue;
		h->lock->ledger.hold_ns += now - h->since;
		h->since = now;
	}
}

/* A spinner that loses its CPU, or whose owner does, will not spin again. */
void locks_off_cpu(void *ctx, struct sched *s, struct task *task)
{
	struct inst *t = task_program(task);

	(void)ctx;
	if (t->lock && owner_matters(t->lock)) {
		if (t->queue == QUEUE_SPIN)
			leave_queue(t->lock, t);
		sched_spin_end(s, task, 0);
	}
	for (struct hold *h = t->holds; h; h = h->next)
		if (owner_matters(h->lock) && !h->shared)
			stop_spinners(s, h->lock);
}
