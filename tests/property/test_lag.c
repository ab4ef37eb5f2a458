/*
 * What EEVDF promises, on one CPU and over 10^6 operations.
 *
 * Theorem. n tasks that stay runnable, of any weights and slices r_i, weights changing at
 * any time (place.reweight_lag); whoever was picked keeps the CPU up to its deadline,
 * which is noticed at a tick at the latest (pick.run_to_parity). In CPU time, what a task
 * is owed is between
 *
 *   -(r_max + tick)  <  lag_i = w_i (V - v_i)  <  r_max + tick
 *
 * Below: it was owed something when it was picked, and got no more than its slice and the
 * rest of a tick since. Above: a request of an eligible task is met by its deadline and
 * the longest time that one can keep the CPU, r_max + tick (Stoica and Abdel-Wahab, 1995,
 * theorem 1, with that as the quantum). Tasks that sleep and wake owed or owing time move
 * V for the others; Linux limits what one takes along to two slices or a tick, which is
 * all that is promised then. What holds in any storm: whoever is picked is eligible.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fair/eevdf.h"
#include "storm.h"

#define KERNEL                                                                \
	"  fair.pick: eevdf\n  place.lag: on\n  place.half_slice: on\n"       \
	"  place.rel_deadline: on\n  place.reweight_lag: on\n"                \
	"  pick.run_to_parity: on\n  pick.buddy: on\n  preempt.short: on\n"   \
	"  dequeue.delay: on\n  dequeue.delay_zero: on\n  slice.custom: on\n" \
	"  hz: 1000\n"

#define LONGEST (8 * NS_PER_MS)

struct always {
	struct fixture x;
	struct stream dice;
	u64 ops;
	s64 least, most; /* lag seen, ns of CPU time */
};

static enum step busy(void *ctx, struct sched *s, struct task *t)
{
	struct always *a = ctx;

	a->ops++;
	if (!stream_range(&a->dice, 0, 7))
		sched_set_nice(s, t, (s32)stream_range(&a->dice, 0, 20) - 10);
	task_set_amount(t, stream_range(&a->dice, 1, 3 * NS_PER_MS));
	return STEP_WORK;
}

static void look(struct always *a)
{
	struct sched *s = a->x.sched;
	const struct cfs_rq *cfs = &cpu_rq(s, 0)->cfs;
	u64 v = eevdf_average(cfs);

	for (u32 i = 0; i < s->nr_tasks; i++) {
		const struct entity *se = &s->task[i]->se;
		s64 lag = (s64)(v - se->vruntime) * (s64)se->weight / 1024;

		a->least = lag < a->least ? lag : a->least;
		a->most = lag > a->most ? lag : a->most;
	}
}

static void test_lag_is_bounded(void **state)
{
	const s64 bound = (s64)(LONGEST + NS_PER_MS);
	s64 least = 0, most = 0;
	u64 total = 0;

	(void)state;
	for (u64 seed = 1; total < 1000000; seed++) {
		struct always a = {.ops = 0};
		struct sched_client client = {.ctx = &a, .step = busy};

		fixture_init(&a.x);
		fixture_machine(&a.x, 1, 1, 1, 1);
		fixture_kernel(&a.x, KERNEL "  slice.scaling: none\n");
		fixture_start(&a.x, &client, seed);
		a.dice = stream_child(&a.x.sched->stream, 7777);
		for (u64 n = stream_range(&a.dice, 2, 12); n; n--) {
			struct task_attr attr = {
				.comm = "busy",
				.nice = (s32)stream_range(&a.dice, 0, 20) - 10,
				.slice = stream_range(&a.dice, NS_PER_MS / 10, LONGEST),
			};

			sched_spawn(a.x.sched, &attr, 0);
		}
		while (a.ops < 50000) {
			engine_step(&a.x.engine, TIME_NEVER - 1);
			look(&a);
		}
		if (a.least < -bound || a.most > bound)
			fail_msg("seed %llu: lag from %lld to %lld ns, bound %lld",
				 (unsigned long long)seed, (long long)a.least,
				 (long long)a.most, (long long)bound);
		least = a.least < least ? a.least : least;
		most = a.most > most ? a.most : most;
		total += a.ops;
		fixture_free(&a.x);
	}
	print_message("lag from %lld to %lld us, bound %lld us\n",
		      (long long)least / 1000, (long long)most / 1000,
		      (long long)bound / 1000);
	/* the bound is near: half of it would have been violated */
	assert_true(least < -bound / 2);
	assert_true(most > bound / 2);
}

struct picks {
	struct sink sink;
	struct sched *s;
	u64 seen, bad;
};

/* On the way to the CPU: the task and its groups are in their trees still, or run on. */
static void on_switch(struct sink *sink, const struct sim_event *ev)
{
	struct picks *p = (struct picks *)(void *)sink;
	const struct entity *se;

	if (ev->kind != SIM_SWITCH || ev->who == TASK_NONE)
		return;
	se = &sched_task(p->s, ev->who)->se;
	for_each_entity(se)
	{
		p->seen++;
		p->bad += !eevdf_eligible(se->cfs, se->vruntime) && se->cfs->nr > 1;
	}
}

static void test_picks_are_eligible(void **state)
{
	u64 total = 0, seen = 0;

	(void)state;
	for (u64 seed = 1; total < 1000000; seed++) {
		struct picks p = {.sink.event = on_switch};
		struct storm st;

		memset(&st, 0, sizeof(st));
		fixture_init(&st.x);
		fixture_machine(&st.x, 1, 1, 2, seed % 2 ? 2 : 1);
		fixture_kernel(&st.x, KERNEL "  slice.group_min: on\n");
		st.slices = true;
		storm_start(&st, seed, 24);
		p.s = st.x.sched;
		engine_sink_add(&st.x.engine, &p.sink);
		while (st.ops < 50000 && st.alive)
			engine_step(&st.x.engine, TIME_NEVER - 1);
		if (p.bad)
			fail_msg("seed %llu: %llu of %llu picks were not eligible",
				 (unsigned long long)seed, (unsigned long long)p.bad,
				 (unsigned long long)p.seen);
		total += st.ops;
		seen += p.seen;
		fixture_free(&st.x);
	}
	assert_true(seen > total / 10);
}

static enum step forever(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

/*
 * Shares by weight, each within 1 % of itself. 400 s: of the lightest (nice 10 beside
 * -10) 3.1 s, of which a slice and two ticks are 0.3 %.
 */
static void shares(const s32 *nice, u32 n, u64 seconds)
{
	struct sched_client client = {.step = forever};
	struct task *t[8];
	struct fixture x;
	u64 weight = 0;

	fixture_init(&x);
	fixture_machine(&x, 1, 1, 1, 1);
	fixture_kernel(&x, KERNEL);
	fixture_start(&x, &client, 1);
	for (u32 i = 0; i < n; i++) {
		struct task_attr attr = {.comm = "hog", .nice = nice[i]};

		t[i] = sched_spawn(x.sched, &attr, 0);
		weight += t[i]->se.weight;
	}
	while (engine_step(&x.engine, seconds * NS_PER_SEC))
		;
	for (u32 i = 0; i < n; i++) {
		double want = (double)t[i]->se.weight / (double)weight;
		double have = (double)task_cpu_time(x.sched, t[i]) /
			      ((double)seconds * NS_PER_SEC);

		if (have < 0.99 * want || have > 1.01 * want)
			fail_msg("nice %d: share %.5f, expected %.5f", nice[i], have,
				 want);
	}
	fixture_free(&x);
}

static void test_shares(void **state)
{
	static const s32 five[] = {-10, -5, 0, 5, 10}, pair[] = {0, 19}, near[] = {0, 1};

	(void)state;
	shares(five, 5, 400);
	shares(pair, 2, 400);
	shares(near, 2, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lag_is_bounded),
		cmocka_unit_test(test_picks_are_eligible),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
