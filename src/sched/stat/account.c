/*
 * Where time goes, see sched/account.h. Time is booked late: a CPU is brought up to date
 * before anything changes what it does - who runs there, at which rate, whether it spins
 * - and a task off its CPU when it is woken, picked or put aside. Charges are noted in
 * the order in which the CPU will pay them (rq.run_from is their end).
 *
 *   from            now
 *   ---|== due 1 ==|= due 2 =|------- what its task does -------
 *
 * Most changes are seen as events by a sink; rates, charges, spins, wake lists and CPUs
 * that go have a call on their slow paths. What is forced idle or throttled is looked at
 * after each event, on the CPUs that it touched.
 *
 * This is no part of Linux. Real-time tasks that have used up rt.runtime count as
 * waiting.
 */
#include "account.h"

#include <string.h>

const struct reason_row reason_rows[REASON_COUNT] = {
#define REASON(id, name, place, class, sentence) \
	[REASON_##id] = {name, sentence, REASON_##place, REASON_##class},
#include "sched/reasons.def"
#undef REASON
};

_Static_assert(REASON_STOLEN - REASON_SWITCH == SYS_STOLEN, "one row a cause");

static void *grown(struct arena *a, void *old, size_t size, u32 n, u32 cap)
{
	char *p = arena_array(a, char, size *cap);

	if (n)
		memcpy(p, old, size * n);
	return p;
}

static struct account_row *row_of(struct account *a, u32 group)
{
	group = group < ACCOUNT_GROUPS ? group + 1 : 0;
	if (group >= a->ngroup) {
		u32 cap = max_u32(group + 1, 2 * a->ngroup);

		a->group = grown(a->arena, a->group, sizeof(*a->group), a->ngroup, cap);
		a->ngroup = cap;
	}
	return &a->group[group];
}

static void book(struct account *a, u32 cpu, const struct task *t, enum reason r, u64 ns)
{
	a->node[a->s->machine->cpu[cpu].node].ns[r] += ns;
	if (t) {
		if (a->by_task)
			account_note(a, t->id, r, ns);
		row_of(a, t->group)->ns[r] += ns;
		a->with_task += ns;
	} else {
		a->without_task += ns;
	}
}

static u64 part(u64 ns, u64 share, u64 most)
{
	return min_u64((u64)(((u128)ns * share + Q32_ONE / 2) >> 32), most);
}

/* Split time at the rate of the CPU: losses of each kind, the rest is returned. */
static u64 losses(const struct rate_split *r, u64 ns, u64 out[REASON_COUNT])
{
	u64 left = ns;

	out[REASON_SMT] = part(ns, r->smt, left);
	left -= out[REASON_SMT];
	out[REASON_MEMORY] = part(ns, r->memory, left);
	left -= out[REASON_MEMORY];
	out[REASON_FREQUENCY] = part(ns, r->frequency, left);
	return left - out[REASON_FREQUENCY];
}

/* What a CPU does when it has paid: its task, or nothing. */
static void book_rest(struct account *a, struct rq *rq, u64 ns)
{
	const struct account_cpu *c = &a->cpu[rq->cpu];
	u64 lost[REASON_COUNT] = {0}, full;

	if (!ns)
		return;
	if (!rq->curr) {
		book(a, rq->cpu, NULL,
		     c->offline	 ? REASON_OFFLINE
		     : c->forced ? REASON_CPU_FORCED
				 : REASON_IDLE,
		     ns);
		return;
	}
	if (rq->curr->spinning) {
		book(a, rq->cpu, rq->curr, REASON_SPIN, ns);
		return;
	}
	full = losses(&c->split, ns, lost);
	book(a, rq->cpu, rq->curr, REASON_FULL, full);
	for (u32 i = REASON_SMT; i <= REASON_MEMORY; i++)
		book(a, rq->cpu, rq->curr, i, lost[i]);
}

/* A CPU up to now; what it does has not changed since the last call. */
void account_cpu(struct sched *s, struct rq *rq)
{
	struct account *a = s->account;
	struct account_cpu *c = &a->cpu[rq->cpu];
	u64 left = s->engine->now - c->from;

	c->from = s->engine->now;
	while (left && c->first < c->n) {
		struct account_due *d = &c->due[c->first];
		u64 ns = min_u64(left, d->ns);

		book(a, rq->cpu, rq->curr, d->reason, ns);
		d->ns -= ns;
		left -= ns;
		if (!d->ns)
			c->first++;
	}
	if (c->first == c->n)
		c->first = c->n = 0;
	book_rest(a, rq, left);
}

static void owe(struct account *a, struct account_cpu *c, enum reason r, u64 ns)
{
	if (!ns)
		return;
	if (c->n == c->cap && c->first) {
		c->n -= c->first;
		memmove(c->due, c->due + c->first, sizeof(*c->due) * c->n);
		c->first = 0;
	} else if (c->n == c->cap) {
		c->cap = max_u32(16, 2 * c->cap);
		c->due = grown(a->arena, c->due, sizeof(*c->due), c->n, c->cap);
	}
	c->due[c->n++] = (struct account_due){ns, r};
}

/* The CPU will pay `ns` for a cause; at the nominal speed, it would be `base`. */
void account_charge(struct sched *s, struct rq *rq, enum sys_cause cause, u64 ns,
		    bool slowed)
{
	struct account_cpu *c = &s->account->cpu[rq->cpu];
	u64 lost[REASON_COUNT] = {0}, full = ns;

	account_cpu(s, rq);
	if (slowed)
		full = losses(&c->split, ns, lost);
	owe(s->account, c, REASON_SWITCH + cause, full);
	for (u32 i = REASON_SMT; i <= REASON_MEMORY; i++)
		owe(s->account, c, i, lost[i]);
}

void account_cold(struct sched *s, struct rq *rq, u64 ns)
{
	account_cpu(s, rq);
	owe(s->account, &s->account->cpu[rq->cpu], REASON_COLD, ns);
}

/* What a CPU owes when it goes is paid by another: `ns` of it. */
void account_take_along(struct sched *s, struct rq *rq, struct rq *dst)
{
	struct account_cpu *c = &s->account->cpu[rq->cpu];

	account_cpu(s, rq);
	account_cpu(s, dst);
	for (; c->first < c->n; c->first++)
		owe(s->account, &s->account->cpu[dst->cpu], c->due[c->first].reason,
		    c->due[c->first].ns);
	c->first = c->n = 0;
}

/* It is offline: nobody pays what it still owed. */
void account_drop(struct sched *s, struct rq *rq)
{
	account_cpu(s, rq);
	s->account->cpu[rq->cpu].first = s->account->cpu[rq->cpu].n = 0;
}

void account_rate(struct sched *s, struct rq *rq)
{
	account_cpu(s, rq);
	rate_split(s, rq, s->account->best, &s->account->cpu[rq->cpu].split);
}

static struct account_task *task_at(struct account *a, u32 id)
{
	if (id >= a->ntask) {
		u32 cap = max_u32(a->s->task_cap, id + 1);

		a->task = grown(a->arena, a->task, sizeof(*a->task), a->ntask, cap);
		a->ntask = cap;
	}
	return &a->task[id];
}

/* A task up to now; on a CPU, its CPU books for it. */
static void book_task(struct account *a, const struct task *t)
{
	struct account_task *at = task_at(a, t->id);
	u64 now = a->s->engine->now;

	row_of(a, t->group)->sum += now - at->from;
	if (at->state != REASON_FULL) {
		row_of(a, t->group)->ns[at->state] += now - at->from;
		if (a->by_task)
			account_note(a, t->id, at->state, now - at->from);
	}
	at->from = now;
}

void account_task_now(struct account *a, const struct task *t)
{
	if (task_at(a, t->id)->state == REASON_FULL)
		account_cpu(a->s, t->rq);
	book_task(a, t);
}

static void set_state(struct account *a, const struct task *t, enum reason state)
{
	struct account_task *at = task_at(a, t->id);

	if (at->state == state)
		return;
	book_task(a, t);
	at->state = state;
}

enum reason account_state(const struct task *t)
{
	switch (t->state) {
	case TASK_SLEEPING:
	case TASK_RT_SLEEPING:
	case TASK_DELAYED:
		return t->by_device    ? REASON_IO
		       : t->waits_lock ? REASON_LOCK
				       : REASON_SLEEP;
	case TASK_WAKING:
		return REASON_WAKING;
	case TASK_NEW:
	case TASK_RUNNABLE:
	case TASK_DEAD:
		break;
	}
	if (t->rq->curr == t)
		return REASON_FULL;
	if (t->rq->online && task_throttled(t))
		return REASON_THROTTLED;
	return !t->rq->curr && t->rq->forced_idle && t->rq->nr_running ? REASON_FORCED
								       : REASON_WAIT;
}

void account_waking(struct sched *s, struct task *t)
{
	t->waits_lock = false;
	set_state(s->account, t, REASON_WAKING);
}

/* On an idle CPU the end of a wait is the way of the wake-up. */
static void picked(struct account *a, const struct task *t, u64 idle_since)
{
	struct account_task *at = task_at(a, t->id);
	u64 now = a->s->engine->now, from = max_u64(at->from, idle_since);

	if (at->state == REASON_WAIT && from < now) {
		struct account_row *row = row_of(a, t->group);

		row->ns[REASON_WAIT] += from - at->from;
		row->ns[REASON_WAKING] += now - from;
		row->sum += now - at->from;
		if (a->by_task) {
			account_note(a, t->id, REASON_WAIT, from - at->from);
			account_note(a, t->id, REASON_WAKING, now - from);
		}
		at->from = now;
	}
	set_state(a, t, REASON_FULL);
}

static void put_aside(struct account *a, struct task *t, u64 arg)
{
	if (arg == 2) {
		book_task(a, t);
		a->task[t->id].alive = false;
		return;
	}
	if (arg != 1)
		set_state(a, t, REASON_WAIT);
	else
		set_state(a, t,
			  t->by_device	  ? REASON_IO
			  : t->waits_lock ? REASON_LOCK
					  : REASON_SLEEP);
}

static void switched(struct account *a, const struct sim_event *ev)
{
	struct sched *s = a->s;
	struct account_cpu *c = &a->cpu[ev->place];

	account_cpu(s, cpu_rq(s, ev->place));
	if (ev->other != TASK_NONE)
		put_aside(a, s->task[ev->other], ev->arg);
	if (ev->who != TASK_NONE)
		picked(a, s->task[ev->who],
		       ev->other == TASK_NONE ? c->idle_since : TIME_NEVER);
	else
		c->idle_since = ev->time;
	c->forced = false;
}

static void appeared(struct account *a, u32 id)
{
	*task_at(a, id) = (struct account_task){
		.from = a->s->engine->now, .state = REASON_WAIT, .alive = true};
	if (a->by_task)
		account_born(a, id);
}

static void event(struct sink *sink, const struct sim_event *ev)
{
	struct account *a = (void *)((char *)sink - offsetof(struct account, sink));
	struct sched *s = a->s;

	switch ((enum sim_kind)ev->kind) {
	case SIM_SWITCH:
		switched(a, ev);
		break;
	case SIM_FORK:
		appeared(a, ev->who);
		break;
	case SIM_WAKEUP:
		s->task[ev->who]->waits_lock = false;
		if (s->task[ev->who]->rq->curr != s->task[ev->who])
			set_state(a, s->task[ev->who], REASON_WAIT);
		break;
	case SIM_HOTPLUG:
		account_cpu(s, cpu_rq(s, ev->place));
		a->cpu[ev->place].offline = !ev->arg;
		a->cpu[ev->place].idle_since = ev->time;
		break;
	case SIM_WAKEUP_NEW:
	case SIM_MIGRATE:
	case SIM_EXIT:
	case SIM_RENAME:
	case SIM_KINDS:
		break;
	}
}

u64 account_best(const struct machine *m)
{
	u64 best = 0;

	for (u32 i = 0; m->freq_nominal && i < m->nfreq; i++)
		best = max_u64(best, m->freq[i].hz[0]);
	return best;
}

struct account *account_new(struct arena *arena, struct sched *s, u64 best_hz, bool alone)
{
	struct account *a = arena_new(arena, struct account);
	u64 best = best_hz ? best_hz : account_best(s->machine);

	a->best = Q32_ONE;
	if (best && s->machine->freq_nominal)
		a->best = (u64)(((u128)s->machine->freq_nominal << 32) / best);

	a->s = s;
	a->arena = arena;
	a->alone = alone;
	a->nnode = s->machine->nnode;
	a->node = arena_array(arena, struct account_row, a->nnode);
	a->cpu = arena_array(arena, struct account_cpu, s->ncpu);
	for (u32 i = 0; i < s->ncpu; i++)
		a->cpu[i].offline = !s->rq[i].online;
	a->sink.event = event;
	engine_sink_add(s->engine, &a->sink);
	s->account = a;
	s->charge_other = true;
	return a;
}

/* Waits of the CPU's queue may have become another kind, or a wait again. */
static void look_at(struct account *a, struct rq *rq)
{
	struct sched *s = a->s;
	bool forced = rq->online && !rq->curr && rq->forced_idle && rq->nr_running;

	if (forced != a->cpu[rq->cpu].forced) {
		account_cpu(s, rq);
		a->cpu[rq->cpu].forced = forced;
	}
	for (const struct task *t = rq->mru_first; t; t = t->mru_next)
		set_state(a, t, account_state(t));
}

/* Real-time tasks are few, and on lists of their own. */
static void look_at_rt(struct account *a)
{
	const struct sched *s = a->s;

	for (u32 i = 0; s->rt && i < s->nr_tasks; i++)
		if (s->task[i] && s->task[i]->rt_prio)
			set_state(a, s->task[i], account_state(s->task[i]));
}

void account_look(struct account *a)
{
	struct sched *s = a->s;
	bool all = s->ntouched == s->ncpu; /* there may have been more */

	if (s->core_on || s->limits) {
		for (u32 i = 0; i < (all ? s->ncpu : s->ntouched); i++)
			look_at(a, cpu_rq(s, all ? i : s->touched[i]));
		look_at_rt(a);
	}
	if (a->alone)
		s->ntouched = 0;
}

void account_all(struct account *a)
{
	struct sched *s = a->s;

	for (u32 i = 0; i < s->ncpu; i++)
		account_cpu(s, cpu_rq(s, i));
	for (u32 i = 0; i < s->nr_tasks; i++)
		if (s->task[i])
			book_task(a, s->task[i]);
}

void account_restart(struct account *a)
{
	account_all(a);
	memset(a->group, 0, sizeof(*a->group) * a->ngroup);
	memset(a->node, 0, sizeof(*a->node) * a->nnode);
	a->with_task = a->without_task = 0;
	a->began = a->s->engine->now;
	sched_totals(a->s, &a->before);
}

const struct account_row *account_tasks(struct account *a, u32 *groups)
{
	account_all(a);
	*groups = a->ngroup;
	return a->group;
}

const struct account_row *account_cpus(struct account *a, u32 *nodes)
{
	account_all(a);
	for (u32 i = 0; i < a->nnode; i++)
		a->node[i].sum = 0;
	for (u32 i = 0; i < a->s->ncpu; i++)
		a->node[a->s->machine->cpu[i].node].sum += a->s->engine->now - a->began;
	*nodes = a->nnode;
	return a->node;
}
