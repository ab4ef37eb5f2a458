/*
 * /proc/schedstat: the numbers of a storm hold together, agree with the totals and the
 * decisions, and counting changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/sink.h"
#include "property/storm.h"
#include "stat/schedstat.h"

static u64 play(struct storm *st, bool stat)
{
	struct sink_digest d;
	u64 codes[SIM_KINDS];

	memset(st, 0, sizeof(*st));
	fixture_init(&st->x);
	fixture_machine(&st->x, 2, 1, 4, 2);
	fixture_kernel(&st->x, "");
	st->real_time = 10;
	storm_start(st, 5, 24);
	if (stat)
		sched_stat_on(st->x.sched);
	sim_kind_codes(codes);
	sink_digest_init(&d, codes);
	engine_sink_add(&st->x.engine, &d.sink);
	while (engine_step(&st->x.engine, 400 * NS_PER_MS))
		;
	return digest_value(&d.digest);
}

static void test_changes_nothing(void **state)
{
	struct storm with, without;

	(void)state;
	assert_int_equal(play(&with, true), play(&without, false));
	fixture_free(&with.x);
	fixture_free(&without.x);
}

static void test_relations(void **state)
{
	u64 to_tasks = 0, schedules = 0, to_idle = 0, wakes = 0, gained = 0, moved = 0;
	u64 balanced = 0, failed = 0, pushes = 0, pushed = 0, run_ns = 0;
	struct sched_totals totals;
	struct storm st;
	struct sched *s;

	(void)state;
	play(&st, true);
	s = st.x.sched;
	sched_totals(s, &totals);
	for_each_cpu (cpu, s->online) {
		const struct cpu_stat *c = &s->stat->cpu[cpu];

		assert_true(c->schedules >= c->runs + c->to_idle);
		assert_true(c->wakes_local <= c->wakes);
		to_tasks += c->runs;
		to_idle += c->to_idle;
		schedules += c->schedules;
		wakes += c->wakes;
		run_ns += c->run_ns;
		if (s->rq[cpu].curr)
			run_ns += s->engine->now - c->arrived;
		for_each_domain (sd, cpu_rq(s, cpu)) {
			pushes += sd->stat->push;
			pushed += sd->stat->pushed;
			assert_int_equal(sd->stat->push,
					 sd->stat->pushed + sd->stat->push_failed);
			for (u32 i = 0; i < STAT_KINDS; i++) {
				const struct stat_pass *p = &sd->stat->pass[i];

				assert_true(p->count >= p->balanced + p->failed);
				assert_true(p->balanced >= p->no_group + p->no_queue);
				moved += p->count - p->balanced - p->failed;
				balanced += p->balanced;
				failed += p->failed;
				gained += p->gained;
			}
		}
	}
	assert_true(to_tasks && wakes && balanced && moved);
	assert_int_equal(to_tasks + to_idle, totals.switches);
	assert_true(schedules >= totals.switches);
	assert_int_equal(wakes, totals.wakeups);
	assert_int_equal(run_ns, totals.busy_ns);
	assert_int_equal(moved, totals.decisions[DEC_BALANCE_MOVED]);
	assert_int_equal(failed, totals.decisions[DEC_BALANCE_FAILED]);
	assert_true(gained >= moved + pushed);
	assert_int_equal(pushed, totals.decisions[DEC_BALANCE_ACTIVE]);
	assert_true(pushes >= pushed);
	fixture_free(&st.x);
}

static void test_text(void **state)
{
	struct text out = {0};
	struct storm st;
	u32 lines = 0;

	(void)state;
	play(&st, true);
	sched_stat_text(st.x.sched, &out);
	/* 300 s before 2^32 at HZ 250, and 100 ticks later, give or take the phase */
	assert_true(!strncmp(out.s, "version 15\ntimestamp 42948923", 29));
	assert_non_null(strstr(out.s, "\ncpu15 "));
	assert_non_null(strstr(out.s, "\ndomain0 c000 "));
	assert_non_null(strstr(out.s, "\ndomain2 ffff "));
	for (const char *p = out.s; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 2 + 16 * 4);
	text_free(&out);
	fixture_free(&st.x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes_nothing),
		cmocka_unit_test(test_relations),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
