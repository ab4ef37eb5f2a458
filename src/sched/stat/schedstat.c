/*
 * /proc/schedstat of the simulated kernel. What can be told from the events is counted by
 * a sink; the rest where it happens, only if it is wanted. Corresponds to
 * show_schedstat(), sched_info_arrive(), sched_info_depart(), sched_info_dequeue(),
 * ttwu_stat() of Linux 6.1 (format version 15, Linux 2.6.31 to 6.8) and 6.12 (version
 * 16).
 *
 * Counters begin when the simulation does, warm-up included. What Linux prints as 0 is 0:
 * the array expirations, exec and fork balancing, passive balancing at wake-up.
 *
 * differs from Linux: no kernel threads but stoppers, so no switches to them, and
 * schedule() is not called on their behalf.
 */
#include "stat/schedstat.h"

#include "balance/env.h"
#include "internal.h"

/* A task that waits has 1 + the time at which it began to. */
static void wait_begins(struct task *t, u64 now)
{
	if (!t->stat_queued)
		t->stat_queued = now + 1;
}

static void wait_ends(struct cpu_stat *c, struct task *t, u64 now)
{
	c->wait_ns += now + 1 - t->stat_queued;
	t->stat_queued = 0;
}

static void on_switch(struct sched_stat *st, const struct sim_event *ev)
{
	struct cpu_stat *c = &st->cpu[ev->place];
	struct task *prev = sched_task(st->sched, ev->other);
	struct task *next = sched_task(st->sched, ev->who);

	c->schedules++;
	if (prev) {
		c->run_ns += ev->time - c->arrived;
		if (!ev->arg)
			wait_begins(prev, ev->time);
	}
	if (!next) {
		c->to_idle++;
		return;
	}
	c->arrived = ev->time;
	c->runs++;
	if (next->stat_queued)
		wait_ends(c, next, ev->time);
}

/* Who is taken from a queue has waited on that CPU, and begins to wait on the other. */
static void on_migrate(struct sched_stat *st, const struct sim_event *ev)
{
	struct task *t = sched_task(st->sched, ev->who);
	bool runs = t->rq->curr == t;

	if (t->stat_queued)
		wait_ends(&st->cpu[ev->other], t, ev->time);
	else if (!runs)
		return; /* it sleeps: a wake-up elsewhere */
	wait_begins(t, ev->time);
}

static void stat_event(struct sink *self, const struct sim_event *ev)
{
	struct sched_stat *st = container_of(self, struct sched_stat, sink);

	if (ev->kind == SIM_SWITCH)
		on_switch(st, ev);
	else if (ev->kind == SIM_WAKEUP || ev->kind == SIM_WAKEUP_NEW)
		wait_begins(sched_task(st->sched, ev->who), ev->time);
	else if (ev->kind == SIM_MIGRATE)
		on_migrate(st, ev);
}

void sched_stat_on(struct sched *s)
{
	struct sched_stat *st = arena_new(s->arena, struct sched_stat);

	st->sink.event = stat_event;
	st->sched = s;
	st->cpu = arena_array(s->arena, struct cpu_stat, s->ncpu);
	for_each_cpu (cpu, s->online)
		for_each_domain (sd, cpu_rq(s, cpu))
			sd->stat = arena_new(s->arena, struct domain_stat);
	s->stat = st;
	engine_sink_add(s->engine, &st->sink);
}

/* How often wake_affine() has said "here" is counted anyway: did this wake-up? */
static bool was_affine(struct sched *s)
{
	const u64 *d = s->totals.decisions;
	u64 before = s->stat->affine;

	s->stat->affine = d[DEC_WAKE_AFFINE_IDLE_THIS] + d[DEC_WAKE_AFFINE_SYNC] +
			  d[DEC_WAKE_AFFINE_WEIGHT];
	return s->stat->affine != before;
}

static struct domain_stat *stat_of(const struct rq *rq, u32 other, u32 flags)
{
	for_each_domain (sd, rq)
		if ((sd->flags & flags) == flags && cpumask_has(sd->span, other))
			return sd->stat;
	return NULL;
}

void stat_wakeup(struct sched *s, const struct rq *this_rq, u32 prev, u32 target)
{
	struct cpu_stat *c = &s->stat->cpu[this_rq->cpu];
	struct domain_stat *remote = stat_of(this_rq, target, 0);
	struct domain_stat *affine = stat_of(this_rq, prev, SD_WAKE_AFFINE);

	c->wakes++;
	if (was_affine(s) && affine)
		affine->move_affine++;
	if (target == this_rq->cpu) {
		c->wakes_local++;
		return;
	}
	if (remote)
		remote->wake_remote++;
}

void stat_no_switch(struct sched *s, const struct rq *rq)
{
	s->stat->cpu[rq->cpu].schedules++;
}

void stat_yield(struct sched *s, const struct rq *rq)
{
	s->stat->cpu[rq->cpu].yields++;
}

static void put_u64(struct text *out, u64 v)
{
	text_fmt(out, " %llu", (unsigned long long)v);
}

/* Groups of 32 CPUs in hex, the highest first, as wide as there are possible CPUs. */
static void put_mask(const struct sched *s, const struct cpumask *span, struct text *out)
{
	u32 bits = s->machine->cpu[s->ncpu - 1].os + 1, groups = (bits + 31) / 32;

	for (u32 g = groups; g--;) {
		u32 width = g + 1 < groups ? 8 : ((bits - 1) % 32 + 4) / 4;
		u32 word = 0;

		for_each_cpu (cpu, span)
			if (s->machine->cpu[cpu].os / 32 == g)
				word |= 1u << s->machine->cpu[cpu].os % 32;
		text_fmt(out, "%s%0*x", g + 1 < groups ? "," : " ", (int)width, word);
	}
}

static void put_domain(const struct sched *s, const struct domain *sd, u32 n,
		       struct text *out)
{
	static const enum idle_kind orders[2][STAT_KINDS] = {
		{CPU_IS_IDLE, CPU_IS_BUSY, CPU_IS_NEWLY_IDLE},
		{CPU_IS_BUSY, CPU_IS_IDLE, CPU_IS_NEWLY_IDLE}, /* from 6.9 on */
	};
	const enum idle_kind *order = orders[s->schedstat_version > 15];
	const struct domain_stat *st = sd->stat;

	text_fmt(out, "domain%u", n);
	put_mask(s, sd->span, out);
	for (u32 i = 0; i < STAT_KINDS; i++) {
		const struct stat_pass *p = &st->pass[order[i]];

		put_u64(out, p->count);
		put_u64(out, p->balanced);
		put_u64(out, p->failed);
		put_u64(out, p->imbalance);
		put_u64(out, p->gained);
		put_u64(out, p->hot_gained);
		put_u64(out, p->no_queue);
		put_u64(out, p->no_group);
	}
	put_u64(out, st->push);
	put_u64(out, st->push_failed);
	put_u64(out, st->pushed);
	text_str(out, " 0 0 0 0 0 0");
	put_u64(out, st->wake_remote);
	put_u64(out, st->move_affine);
	text_str(out, " 0\n");
}

void sched_stat_text(const struct sched *s, struct text *out)
{
	/* jiffies begin five minutes before they wrap 32 bits */
	u64 stamp = (1ull << 32) - 300 * (NS_PER_SEC / s->tick) + jiffies(s);

	text_fmt(out, "version %u\ntimestamp %llu\n", s->schedstat_version,
		 (unsigned long long)stamp);
	for_each_cpu (cpu, s->online) {
		const struct cpu_stat *c = &s->stat->cpu[cpu];
		u32 n = 0;

		text_fmt(out, "cpu%u", s->machine->cpu[cpu].os);
		put_u64(out, c->yields);
		put_u64(out, 0);
		put_u64(out, c->schedules);
		put_u64(out, c->to_idle);
		put_u64(out, c->wakes);
		put_u64(out, c->wakes_local);
		put_u64(out, c->run_ns);
		put_u64(out, c->wait_ns);
		put_u64(out, c->runs);
		text_char(out, '\n');
		for_each_domain (sd, cpu_rq(s, cpu))
			put_domain(s, sd, n++, out);
	}
}
