/*
 * How fast does a task run right now? Work is the time that it takes alone on a core at
 * nominal frequency; progress is piecewise linear:
 *
 *   rate = smt / ((1 - m) / f + m * M)
 *
 * f is frequency over nominal: the bin by active cores of the package, the column by the
 * licence of the core. A core's licence is that of its heaviest thread, and outlasts it
 * by a hold time. The bin is looked at again at most every 500 us, as hardware does.
 *
 * m is the share of time that the task waits for memory, which does not scale with f; M
 * is how much longer it waits than with all its pages at home (numa/speed.c), 1 for tasks
 * without regions.
 *
 * smt is the product over busy siblings of what `self` keeps beside `other` (machine
 * rows; a pair without a row keeps all).
 *
 * A rate changes only when something around the task changes, and then the remainder of
 * its step is kept. Rows: machine/machine.h.
 *
 * differs from Linux: this is not Linux but the hardware below it. No thermal or power
 * limits.
 */
#include <string.h>

#include "internal.h"

#define BIN_PERIOD (500 * NS_PER_US)
#define LICENCES   3u

struct package_rate {
	u32 active; /* cores with a busy thread */
	u32 bin;
	u64 looked; /* at the bin, ns */
};

struct core_rate {
	u32 licence, wanted;
	u64 until; /* the licence is held up to here when less is wanted */
};

struct rates {
	struct package_rate *package;
	struct core_rate *core; /* by first CPU */
	u64 *slow;		/* nominal / frequency, Q32, by bin and licence */
	bool freq;
};

struct profile_table {
	struct profile_attr *p;
	u32 n, cap;
	u64 *keep; /* cap x cap, Q32 */
};

static u64 keep_of(const struct machine *m, const char *self, const char *other)
{
	for (u32 i = 0; i < m->nsmt; i++)
		if (!strcmp(m->smt[i].self, self) && !strcmp(m->smt[i].other, other))
			return m->smt[i].keep;
	return Q32_ONE;
}

u32 sched_profile_add(struct sched *s, const struct profile_attr *attr)
{
	struct profile_table *t = s->profiles;
	u32 n = t->n;

	for (u32 i = 0; i < n; i++)
		if (!strcmp(t->p[i].name, attr->name))
			return i;
	if (n == t->cap) {
		struct profile_table old = *t;

		t->cap *= 2;
		t->p = arena_array(s->arena, struct profile_attr, t->cap);
		t->keep = arena_array(s->arena, u64, t->cap * t->cap);
		memcpy(t->p, old.p, sizeof(*t->p) * n);
		for (u32 i = 0; i < n; i++)
			memcpy(t->keep + i * t->cap, old.keep + i * old.cap,
			       sizeof(u64) * n);
	}
	t->p[n] = *attr;
	t->p[n].name = arena_strdup(s->arena, attr->name);
	t->n++;
	for (u32 i = 0; i <= n; i++) {
		t->keep[n * t->cap + i] = keep_of(s->machine, t->p[n].name, t->p[i].name);
		t->keep[i * t->cap + n] = keep_of(s->machine, t->p[i].name, t->p[n].name);
	}
	return n;
}

static u64 slow_of(const struct machine *m, const struct freq_bin *b, u32 licence)
{
	/* a column that is not given is that of the lighter code */
	while (licence && !b->hz[licence])
		licence--;
	if (!b->hz[licence] || !m->freq_nominal)
		return Q32_ONE;
	return (u64)(((u128)m->freq_nominal << 32) / b->hz[licence]);
}

static void event_rate(void *ctx, u32 entity);

static void rates_new(struct sched *s)
{
	const struct machine *m = s->machine;
	struct rates *r;

	s->ev_rate = engine_class_add(s->engine, m->npackage + s->ncpu, event_rate, s);
	r = arena_new(s->arena, struct rates);
	r->package = arena_array(s->arena, struct package_rate, m->npackage);
	r->core = arena_array(s->arena, struct core_rate, s->ncpu);
	r->slow = arena_array(s->arena, u64, m->nfreq * LICENCES + LICENCES);
	r->freq = m->nfreq != 0;
	for (u32 i = 0; i < LICENCES; i++)
		r->slow[i] = Q32_ONE;
	for (u32 b = 0; b < m->nfreq; b++)
		for (u32 i = 0; i < LICENCES; i++)
			r->slow[b * LICENCES + i] = slow_of(m, &m->freq[b], i);
	s->rates = r;
	s->charge_other = true;
}

/* Where the pages are makes rates, though the machine has no rows for them. */
void rate_use(struct sched *s)
{
	if (!s->rates)
		rates_new(s);
}

const struct profile_attr *rate_profile(const struct sched *s, u32 profile)
{
	return &s->profiles->p[profile];
}

void rate_init(struct sched *s)
{
	static const struct profile_attr integer = {.name = "integer"};
	const struct machine *m = s->machine;

	s->profiles = arena_new(s->arena, struct profile_table);
	s->profiles->cap = 4;
	s->profiles->p = arena_array(s->arena, struct profile_attr, 4);
	s->profiles->keep = arena_array(s->arena, u64, 16);
	sched_profile_add(s, &integer);
	for (u32 i = 0; i < s->ncpu; i++)
		s->rq[i].rate = Q32_ONE;
	if (m->nfreq || m->nsmt)
		rates_new(s);
}

/* What the threads beside it leave to the task of a CPU, Q32. */
static u64 smt_keep(const struct sched *s, const struct rq *rq)
{
	const struct profile_table *t = s->profiles;
	const struct task *self = rq->curr;
	u64 smt = Q32_ONE;

	for (u32 i = 0; i < s->sib_n[rq->cpu]; i++) {
		const struct rq *sib = &s->rq[s->sib[s->sib_at[rq->cpu] + i]];

		if (sib != rq && sib->curr)
			smt = mul_q32(
				smt,
				t->keep[self->profile * t->cap + sib->curr->profile]);
	}
	return smt;
}

static u64 compute(const struct sched *s, const struct rq *rq)
{
	const struct task *self = rq->curr;
	const struct rates *r = s->rates;
	u32 bin = r->package[s->machine->cpu[rq->cpu].package].bin;
	u64 smt = smt_keep(s, rq), m = s->profiles->p[self->profile].memory, slow;

	slow = r->slow[bin * LICENCES + r->core[rq->core_first].licence];
	if (self->mem)
		slow = mul_q32(slow, Q32_ONE - m) + mul_q32(m, memory_slow(s, rq, self));
	else if (slow != Q32_ONE)
		slow = mul_q32(slow, Q32_ONE - m) + m;
	if (slow == Q32_ONE)
		return smt;
	return (u64)(((u128)smt << 32) / slow);
}

/* See sched/account.h: the terms of compute(), as shares of the time that work takes. */
void rate_split(const struct sched *s, const struct rq *rq, u64 best,
		struct rate_split *out)
{
	const struct task *self = rq->curr;
	const struct rates *r = s->rates;
	u64 smt, m, clock, slow, more;

	*out = (struct rate_split){0};
	if (!self || !r)
		return;
	smt = smt_keep(s, rq);
	m = s->profiles->p[self->profile].memory;
	clock = r->slow[r->package[s->machine->cpu[rq->cpu].package].bin * LICENCES +
			r->core[rq->core_first].licence];
	best = min_u64(best, clock);
	more = self->mem ? max_u64(memory_slow(s, rq, self), Q32_ONE) : Q32_ONE;
	slow = mul_q32(clock, Q32_ONE - m) + mul_q32(m, more);
	out->smt = Q32_ONE - min_u64(smt, Q32_ONE);
	smt = Q32_ONE - out->smt;
	out->memory = mul_div(mul_q32(m, more - Q32_ONE), smt, slow);
	out->frequency = mul_div(mul_q32(clock - best, Q32_ONE - m), smt, slow);
}

/* The step of the task on `rq` ends at another time now. */
void rate_refresh(struct sched *s, struct rq *rq)
{
	u64 rate = rq->curr ? compute(s, rq) : Q32_ONE;

	if (s->account)
		account_rate(s, rq);
	if (rate == rq->rate)
		return;
	cpu_settle(s, rq);
	rq->rate = rate;
	rq->rearm = true;
	if (!rq->in_run)
		cpu_rearm(s, rq);
}

static void refresh_core(struct sched *s, u32 cpu)
{
	for (u32 i = 0; i < s->sib_n[cpu]; i++)
		rate_refresh(s, cpu_rq(s, s->sib[s->sib_at[cpu] + i]));
}

static void look_at_bin(struct sched *s, u32 package)
{
	const struct machine *m = s->machine;
	struct package_rate *p = &s->rates->package[package];
	u32 bin = 0;

	p->looked = s->engine->now;
	while (bin + 1 < m->nfreq && p->active > m->freq[bin].upto)
		bin++;
	if (bin == p->bin)
		return;
	p->bin = bin;
	for_each_cpu (cpu, s->online)
		if (m->cpu[cpu].package == package)
			rate_refresh(s, cpu_rq(s, cpu));
}

static void cores_changed(struct sched *s, u32 package)
{
	struct package_rate *p = &s->rates->package[package];

	if (!s->rates->freq)
		return;
	if (s->engine->now >= p->looked + BIN_PERIOD)
		look_at_bin(s, package);
	else if (!engine_pending(s->engine, s->ev_rate, package))
		engine_set(s->engine, s->ev_rate, package, p->looked + BIN_PERIOD);
}

/* Up at once (the ~20 us that the grant takes are not modelled), down after the hold. */
static void update_licence(struct sched *s, u32 core)
{
	struct core_rate *c = &s->rates->core[core];
	u32 slot = s->machine->npackage + core, wanted = 0;

	for (u32 i = 0; i < s->sib_n[core]; i++) {
		const struct task *t = s->rq[s->sib[s->sib_at[core] + i]].curr;

		if (t)
			wanted = max_u32(wanted, s->profiles->p[t->profile].licence);
	}
	if (wanted >= c->licence) {
		c->licence = c->wanted = wanted;
		engine_cancel(s->engine, s->ev_rate, slot);
		return;
	}
	c->wanted = wanted;
	if (!engine_pending(s->engine, s->ev_rate, slot))
		engine_set(s->engine, s->ev_rate, slot,
			   s->engine->now + s->machine->freq_hold);
}

static void event_rate(void *ctx, u32 entity)
{
	struct sched *s = ctx;
	u32 packages = s->machine->npackage;

	if (entity < packages) {
		look_at_bin(s, entity);
		return;
	}
	s->rates->core[entity - packages].licence =
		s->rates->core[entity - packages].wanted;
	refresh_core(s, entity - packages);
}

/* Another task, or none, is on the CPU; core_busy is up to date. */
void rate_switched(struct sched *s, struct rq *rq, bool was_busy)
{
	u32 core = rq->core_first, package = s->machine->cpu[rq->cpu].package;
	bool busy = rq->curr != NULL;

	rq->rate_frac = 0;
	if (!s->rates)
		return;
	if (busy != was_busy && s->core_busy[core] == busy) {
		/* the first thread of the core, or the last */
		s->rates->package[package].active += busy ? 1u : ~0u;
		cores_changed(s, package);
	}
	update_licence(s, core);
	refresh_core(s, rq->cpu);
	if (s->memory)
		memory_switched(s, rq);
}

/* Another thread stands for a core from now on. */
void rate_core_moves(struct sched *s, u32 from, u32 to)
{
	u32 old = s->machine->npackage + from, new = s->machine->npackage + to;

	if (!s->rates)
		return;
	s->rates->core[to] = s->rates->core[from];
	s->rates->core[from] = (struct core_rate){0};
	if (!engine_pending(s->engine, s->ev_rate, old))
		return;
	engine_set(s->engine, s->ev_rate, new, engine_when(s->engine, s->ev_rate, old));
	engine_cancel(s->engine, s->ev_rate, old);
}

/* Time that an amount of work takes at the current rate, rounded up. */
u64 rate_time_for(const struct rq *rq, u64 work)
{
	u128 need;

	if (rq->rate == Q32_ONE)
		return work;
	need = ((u128)work << 32) - rq->rate_frac;
	return (u64)((need + rq->rate - 1) / rq->rate);
}
