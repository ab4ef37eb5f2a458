/*
 * CPUs that come and go under random load: 1,000 random requests on a busy machine of 2
 * nodes x 8 cores x 2 threads, for each kind of kernel. Every queue, mask and sum
 * recounts after each of them; work done is work asked; every online CPU is idle or busy
 * at every ns; cookies do not meet; memory does not grow with the number of rebuilds; the
 * same seed gives the same run. A failure prints the seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/core.h"
#include "engine/sink.h"
#include "hotplug/hotplug.h"
#include "storm.h"

#define EVENTS 1000u
#define GAP    (NS_PER_MS) /* between two requests, at most */

#define EEVDF                                                                  \
	"  fair.pick: eevdf\n  place.lag: on\n  place.rel_deadline: on\n"      \
	"  pick.run_to_parity: on\n  preempt.short: on\n  dequeue.delay: on\n" \
	"  dequeue.delay_zero: on\n  slice.group_min: on\n"                    \
	"  slice.custom: on\n"

static const struct shape {
	const char *options;
	u32 real_time; /* percent */
	bool limits, idle_group, states;
} shapes[] = {
	{"", 0, false, false, false},
	{"  nohz.idle: off\n  wake.queue: off\n", 0, false, false, false},
	{"  core: mainline\n", 0, false, false, false},
	{"  core: v2\n", 0, false, false, false},
	{"  core: mainline\n  smt: off\n", 20, true, true, false},
	{EEVDF, 0, false, false, true},
	{EEVDF, 0, true, true, false},
	{EEVDF "  core: mainline\n", 20, true, true, false},
	{"", 30, false, false, true},
	{"  rt.push_ipi: off\n  rt.period: 20 ms\n  rt.runtime: 15 ms\n", 40, false,
	 false, false},
	{"  core: mainline\n  rt.period: 20 ms\n  rt.runtime: 15 ms\n", 30, true, true,
	 true},
	{"  hz: 1000\n  preempt: full\n", 0, true, true, false},
	{"  core: v3\n  core.clock: max\n  core.order: root\n", 0, false, false, false},
	{"  core: mainline\n  core.clock: leader\n  smt: off\n", 10, false, true, false},
	{"  core: v3\n  core.order: allowance\n", 0, true, false, true},
	{"  balance: classic\n", 0, false, true, false},
	{"  bandwidth.expire: on\n  wake.scan: full\n  smt: off\n", 0, true, false,
	 false},
};

struct play {
	struct storm st;
	struct sink sink;
	u64 online_ns, since; /* CPU time of what was online, up to `since` */
	u64 changes;
	u32 online;
};

/* What was online since the last change: a second account of idle and busy time. */
static void on_event(struct sink *self, const struct sim_event *ev)
{
	struct play *p = container_of(self, struct play, sink);

	if (ev->kind != SIM_HOTPLUG)
		return;
	p->online_ns += (ev->time - p->since) * p->online;
	p->since = ev->time;
	p->online += ev->arg ? 1u : ~0u;
	p->changes++;
}

static void more_states(struct fixture *x)
{
	static const struct idle_state idle[] = {
		{.name = "POLL", .exit = 0, .residency = 0},
		{.name = "C1", .exit = 2000, .residency = 2000},
		{.name = "C6", .exit = 85000, .residency = 200000},
	};

	x->machine.idle = arena_array(&x->arena, struct idle_state, ARRAY_SIZE(idle));
	memcpy(x->machine.idle, idle, sizeof(idle));
	x->machine.nidle = ARRAY_SIZE(idle);
}

static void request(struct play *p, u64 when)
{
	static const enum hotplug_kind kinds[] = {HOTPLUG_OFFLINE, HOTPLUG_OFFLINE,
						  HOTPLUG_ONLINE, HOTPLUG_ONLINE};
	struct storm *st = &p->st;
	struct sched *s = st->x.sched;
	enum hotplug_kind kind = kinds[stream_range(&st->dice, 0, 3)];

	for (u32 i = 0; i < st->mask->nwords; i++)
		st->mask->w[i] = 0;
	if (!stream_range(&st->dice, 0, 19))
		kind = stream_u64(&st->dice) & 1 ? HOTPLUG_SMT_OFF : HOTPLUG_SMT_ON;
	/* mostly one CPU, at times half of them */
	if (stream_range(&st->dice, 0, 19))
		cpumask_set(st->mask, (u32)stream_range(&st->dice, 0, s->ncpu - 1));
	else
		storm_mask(st);
	sched_hotplug(s, when, kind, st->mask);
}

static void start(struct play *p, const struct shape *sh, u64 seed)
{
	struct storm *st = &p->st;

	memset(p, 0, sizeof(*p));
	fixture_init(&st->x);
	fixture_machine(&st->x, 2, 1, 8, 2);
	if (sh->states)
		more_states(&st->x);
	if (seed % 2)
		fixture_rates(&st->x);
	fixture_kernel(&st->x, sh->options);
	st->limits = sh->limits;
	st->idle_group = sh->idle_group;
	st->real_time = sh->real_time;
	st->policies = st->kthreads = true;
	st->slices = true;
	st->only_work = true;
	st->memory = seed % 2;
	storm_start(st, seed, 70);
	p->sink.event = on_event;
	p->online = st->x.sched->nr_online;
	engine_sink_add(&st->x.engine, &p->sink);
}

static u64 plan(struct play *p, u32 events, u64 when)
{
	for (u32 i = 0; i < events; i++) {
		when += stream_range(&p->st.dice, 0, GAP);
		request(p, when);
	}
	return when + 5 * NS_PER_MS;
}

static void check(struct play *p, u64 seed)
{
	struct failure f;

	if (sched_check(p->st.x.sched, &f))
		fail_msg("seed %llu, change %llu: %s", (unsigned long long)seed,
			 (unsigned long long)p->changes, f.what);
}

static void check_accounts(struct play *p, u64 seed)
{
	struct sched *s = p->st.x.sched;
	struct sched_totals t;
	u64 open = 0;

	sched_totals(s, &t);
	for (u32 i = 0; i < s->nr_tasks; i++)
		if (s->task[i] && s->task[i]->has_step)
			open += s->task[i]->remaining;
	if (t.work_ns != p->st.work_asked - open)
		fail_msg("seed %llu: work done %llu, asked %llu",
			 (unsigned long long)seed, (unsigned long long)t.work_ns,
			 (unsigned long long)(p->st.work_asked - open));
	p->online_ns += (s->engine->now - p->since) * p->online;
	if (t.idle_ns + t.busy_ns != p->online_ns)
		fail_msg("seed %llu: %llu ns idle or busy, %llu online",
			 (unsigned long long)seed,
			 (unsigned long long)(t.idle_ns + t.busy_ns),
			 (unsigned long long)p->online_ns);
	if (s->ops.core_pick == core_pick_mainline && t.cross_cookie_leak_ns)
		fail_msg("seed %llu: cookies met for %llu ns", (unsigned long long)seed,
			 (unsigned long long)t.cross_cookie_leak_ns);
}

static void test_storm(void **state)
{
	u64 seen[DEC_COUNT] = {0};

	(void)state;
	for (u64 seed = 1; seed <= 2 * ARRAY_SIZE(shapes); seed++) {
		const struct shape *sh = &shapes[seed % ARRAY_SIZE(shapes)];
		struct play p;
		u64 end, last = 0;

		start(&p, sh, seed);
		end = plan(&p, EVENTS, NS_PER_MS);
		while (engine_step(&p.st.x.engine, end))
			if (p.changes != last || p.st.x.engine.events % 64 == 0) {
				last = p.changes;
				check(&p, seed);
			}
		check(&p, seed);
		check_accounts(&p, seed);
		assert_true(p.changes > EVENTS / 4);
		for (u32 i = 0; i < DEC_COUNT; i++)
			seen[i] += p.st.x.sched->totals.decisions[i];
		fixture_free(&p.st.x);
	}
	for (u32 i = DEC_AFFINITY_BROKEN; i <= DEC_HOTPLUG_PARKED; i++)
		if (!seen[i])
			fail_msg("%s never happened", decision_rows[i].name);
}

static u64 digest_of(const struct shape *sh, u64 seed)
{
	struct sink_digest d;
	u64 codes[SIM_KINDS], value, end;
	struct play p;

	sim_kind_codes(codes);
	sink_digest_init(&d, codes);
	start(&p, sh, seed);
	engine_sink_add(&p.st.x.engine, &d.sink);
	end = plan(&p, 100, NS_PER_MS);
	while (engine_step(&p.st.x.engine, end))
		;
	value = digest_value(&d.digest);
	fixture_free(&p.st.x);
	return value;
}

static void test_same_seed_same_run(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(shapes); i++) {
		assert_int_equal(digest_of(&shapes[i], 5), digest_of(&shapes[i], 5));
		assert_int_not_equal(digest_of(&shapes[i], 5), digest_of(&shapes[i], 6));
	}
}

/* Rebuilding uses the same memory again, and so do requests. */
static void test_memory_is_flat(void **state)
{
	struct play p;
	size_t early;
	u64 end;

	(void)state;
	start(&p, &shapes[0], 3);
	end = plan(&p, 500, NS_PER_MS);
	while (engine_step(&p.st.x.engine, end))
		;
	early = p.st.x.arena.total;
	for (u32 i = 0; i < 6; i++) {
		end = plan(&p, 500, sched_now(p.st.x.sched));
		while (engine_step(&p.st.x.engine, end))
			;
	}
	assert_true(p.changes > 1000);
	assert_int_equal(p.st.x.arena.total, early);
	fixture_free(&p.st.x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_same_seed_same_run),
		cmocka_unit_test(test_memory_is_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
