/*
 * CPUs that go offline and come online, one thing at a time: what follows for domains and
 * tunables, where tasks go, and what comes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hotplug/hotplug.h"
#include "sched_fixture.h"

static enum step hog(void *ctx, struct sched *s, struct task *t)
{
	(void)ctx;
	(void)s;
	task_set_amount(t, WORK_FOREVER);
	return STEP_WORK;
}

/* Works for a ms, sleeps for a ms. */
static enum step napper(void *ctx, struct sched *s, struct task *t)
{
	bool *slept = &((bool *)ctx)[task_id(t)];

	*slept = !*slept;
	if (*slept) {
		task_set_amount(t, NS_PER_MS);
		return STEP_WORK;
	}
	sched_sleep_until(s, t, sched_now(s) + NS_PER_MS);
	return STEP_BLOCK;
}

static void open_hogs(struct fixture *x, const char *options, u32 threads)
{
	const struct sched_client client = {.step = hog};

	fixture_init(x);
	fixture_machine(x, 2, 1, 4, threads);
	fixture_kernel(x, options);
	fixture_start(x, &client, 1);
}

static void run_to(struct fixture *x, u64 when)
{
	while (engine_step(&x->engine, when))
		;
}

static void checked(struct fixture *x)
{
	struct failure f;

	if (sched_check(x->sched, &f))
		fail_msg("%s", f.what);
}

static const struct cpumask *cpus(struct fixture *x, u64 bits)
{
	struct cpumask *m = cpumask_new(&x->arena, x->machine.ncpu);

	m->w[0] = bits;
	return m;
}

static void ask(struct fixture *x, u64 when, enum hotplug_kind kind, u64 bits)
{
	sched_hotplug(x->sched, when, kind, cpus(x, bits));
}

static u64 seen(const struct fixture *x, enum decision d)
{
	return x->sched->totals.decisions[d];
}

static struct task *spawn(struct fixture *x, u32 cpu, u64 allowed)
{
	struct task_attr attr = {.comm = "t", .cpus = allowed ? cpus(x, allowed) : NULL};

	return sched_spawn(x->sched, &attr, cpu);
}

/* Everything that a fresh machine with the same CPUs has. */
static void same_groups(const struct domain *a, const struct domain *b)
{
	const struct group *g = a->groups, *h = b->groups;

	do {
		assert_true(cpumask_equal(g->span, h->span));
		assert_true(cpumask_equal(g->balance, h->balance));
		assert_int_equal(g->weight, h->weight);
		assert_int_equal(g->capacity, h->capacity);
		g = g->next;
		h = h->next;
	} while (g != a->groups);
	assert_ptr_equal(h, b->groups);
}

static void same_domains(struct fixture *x, struct fixture *y, u32 cpu)
{
	const struct domain *a = cpu_rq(x->sched, cpu)->sd;
	const struct domain *b = cpu_rq(y->sched, cpu)->sd;

	for (; a && b; a = a->parent, b = b->parent) {
		assert_string_equal(a->name, b->name);
		assert_true(cpumask_equal(a->span, b->span));
		assert_int_equal(a->flags, b->flags);
		assert_int_equal(a->level, b->level);
		assert_int_equal(a->capacity, b->capacity);
		assert_int_equal(a->imbalance_pct, b->imbalance_pct);
		assert_int_equal(a->imb_numa_nr, b->imb_numa_nr);
		assert_int_equal(a->min_interval, b->min_interval);
		assert_int_equal(a->max_interval, b->max_interval);
		assert_int_equal(a->idle_jiffies, b->idle_jiffies);
		assert_int_equal(a->busy_jiffies, b->busy_jiffies);
		same_groups(a, b);
	}
	assert_ptr_equal(a, b);
}

static void same_kernel(struct fixture *x, struct fixture *y)
{
	const struct sched *s = x->sched, *f = y->sched;

	assert_int_equal(s->nr_online, f->nr_online);
	assert_true(cpumask_equal(s->online, f->online));
	assert_int_equal(s->latency, f->latency);
	assert_int_equal(s->min_gran, f->min_gran);
	assert_int_equal(s->wakeup_gran, f->wakeup_gran);
	assert_int_equal(s->base_slice, f->base_slice);
	assert_int_equal(s->sleeper_credit, f->sleeper_credit);
	assert_int_equal(s->slice_floor, f->slice_floor);
	for_each_cpu (cpu, s->online) {
		const struct rq *a = cpu_rq(s, cpu), *b = cpu_rq(f, cpu);

		assert_int_equal(a->core_first, b->core_first);
		assert_int_equal(s->sib_n[cpu], f->sib_n[cpu]);
		assert_int_equal(a->llc ? a->llc->size : 0, b->llc ? b->llc->size : 0);
		same_domains(x, y, cpu);
	}
}

/* 2 nodes x 4 cores x 2 threads: whatever goes, a fresh machine without it is the same.
 */
static void test_as_after_a_fresh_boot(void **state)
{
	static const u64 offline[] = {
		0x0002, 0x0001, 0xaaaa, 0x5555, 0x000f, 0x00ff, 0xff00,
		0x7fff, 0xfffe, 0x00f0, 0x1234, 0xfff8, 0xa0ff,
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(offline); i++) {
		const struct sched_client client = {.step = hog};
		struct fixture x, y;

		open_hogs(&x, "", 2);
		for (u32 t = 0; t < 20; t++)
			spawn(&x, t % 16, 0);
		/* by a detour */
		ask(&x, 2 * NS_PER_MS, HOTPLUG_OFFLINE, 0x1111);
		ask(&x, 3 * NS_PER_MS, HOTPLUG_ONLINE, 0x1111 & ~offline[i]);
		ask(&x, 4 * NS_PER_MS, HOTPLUG_OFFLINE, offline[i]);
		run_to(&x, 4 * NS_PER_MS);
		fixture_init(&y);
		fixture_machine(&y, 2, 1, 4, 2);
		for (u32 cpu = 0; cpu < 16; cpu++)
			y.machine.cpu[cpu].online = !(offline[i] >> cpu & 1);
		fixture_kernel(&y, "");
		fixture_start(&y, &client, 1);
		same_kernel(&x, &y);
		checked(&x);
		ask(&x, 0, HOTPLUG_ONLINE, 0xffff);
		/* before the next tick: passes that find nothing change intervals */
		run_to(&x, 5 * NS_PER_MS);
		fixture_free(&y);
		open_hogs(&y, "", 2);
		same_kernel(&x, &y);
		checked(&x);
		fixture_free(&x);
		fixture_free(&y);
	}
}

/* The factor of the tunables, Linux: 1 + floor(log2(min(CPUs, 8))). */
static void test_tunables_follow(void **state)
{
	struct fixture x;

	(void)state;
	open_hogs(&x, "", 1);
	assert_int_equal(x.sched->latency, 24 * NS_PER_MS);
	ask(&x, 0, HOTPLUG_OFFLINE, 0xf0);
	run_to(&x, NS_PER_MS);
	assert_int_equal(x.sched->latency, 18 * NS_PER_MS);
	assert_int_equal(x.sched->min_gran, 2250 * NS_PER_US);
	ask(&x, 0, HOTPLUG_OFFLINE, 0x0e);
	run_to(&x, 2 * NS_PER_MS);
	assert_int_equal(x.sched->latency, 6 * NS_PER_MS);
	fixture_free(&x);
}

/* Pushed to the first CPU of its node, the other node only when that is empty. */
static void test_where_tasks_go(void **state)
{
	struct fixture x;
	struct task *t;

	(void)state;
	open_hogs(&x, "  balance: off\n  fork.placement: parent\n", 1);
	t = spawn(&x, 6, 0);
	run_to(&x, NS_PER_MS);
	assert_int_equal(task_cpu(t), 6);
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << 6);
	run_to(&x, 2 * NS_PER_MS);
	assert_int_equal(task_cpu(t), 4);
	assert_true(task_on_cpu(t));
	assert_int_equal(seen(&x, DEC_HOTPLUG_PUSHED), 1);
	ask(&x, 0, HOTPLUG_OFFLINE, 0xf0);
	run_to(&x, 3 * NS_PER_MS);
	/* 4 -> 5 -> 7, one CPU after the other, and then there is no more of node 1 */
	assert_int_equal(task_cpu(t), 0);
	assert_int_equal(seen(&x, DEC_HOTPLUG_PUSHED), 3);
	assert_int_equal(seen(&x, DEC_HOTPLUG_FAR), 1);
	assert_int_equal(seen(&x, DEC_AFFINITY_BROKEN), 0);
	checked(&x);
	fixture_free(&x);
}

static void test_affinity_is_broken_last(void **state)
{
	struct fixture x;
	struct task *t;

	(void)state;
	open_hogs(&x, "  balance: off\n", 1);
	t = spawn(&x, 6, 1 << 1 | 1 << 6);
	run_to(&x, NS_PER_MS);
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << task_cpu(t));
	run_to(&x, 2 * NS_PER_MS);
	assert_int_equal(t->ncpus_allowed, 2); /* the other one is left */
	assert_int_equal(seen(&x, DEC_AFFINITY_BROKEN), 0);
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << 1 | 1 << 6);
	run_to(&x, 3 * NS_PER_MS);
	assert_int_equal(t->ncpus_allowed, 8);
	assert_int_equal(seen(&x, DEC_AFFINITY_BROKEN), 1);
	/* for good */
	ask(&x, 0, HOTPLUG_ONLINE, 0xff);
	run_to(&x, 4 * NS_PER_MS);
	assert_int_equal(t->ncpus_allowed, 8);
	checked(&x);
	fixture_free(&x);
}

/* Who sleeps is not touched: its CPU may be back before it wakes up. */
static void test_sleepers(void **state)
{
	bool slept[4] = {false};
	const struct sched_client client = {.ctx = slept, .step = napper};
	struct fixture x;
	struct task *t;

	(void)state;
	fixture_init(&x);
	fixture_machine(&x, 1, 1, 4, 1);
	fixture_kernel(&x, "");
	fixture_start(&x, &client, 1);
	t = spawn(&x, 3, 1 << 3);
	while (t->state != TASK_SLEEPING)
		engine_step(&x.engine, NS_PER_SEC);
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << 3);
	ask(&x, sched_now(x.sched) + NS_PER_MS / 2, HOTPLUG_ONLINE, 1 << 3);
	run_to(&x, sched_now(x.sched) + 2 * NS_PER_MS);
	assert_int_equal(t->ncpus_allowed, 1);
	while (t->state != TASK_SLEEPING)
		engine_step(&x.engine, NS_PER_SEC);
	/* and now it is not: the timer goes off elsewhere, and there it runs */
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << 3);
	run_to(&x, sched_now(x.sched) + 3 * NS_PER_MS / 2);
	assert_int_equal(t->ncpus_allowed, 4);
	assert_int_equal(task_cpu(t), 0);
	assert_int_equal(seen(&x, DEC_AFFINITY_BROKEN), 1);
	checked(&x);
	fixture_free(&x);
}

/* The last CPU stays; SMT off keeps second threads away until it is on again. */
static void test_refusals(void **state)
{
	struct fixture x;

	(void)state;
	open_hogs(&x, "", 2);
	ask(&x, 0, HOTPLUG_OFFLINE, 0xffff);
	run_to(&x, NS_PER_MS);
	assert_int_equal(x.sched->nr_online, 1);
	assert_true(cpumask_has(sched_online(x.sched), 15));
	assert_int_equal(seen(&x, DEC_HOTPLUG_REFUSED), 1);
	sched_hotplug(x.sched, 0, HOTPLUG_SMT_ON, NULL);
	run_to(&x, 2 * NS_PER_MS);
	assert_int_equal(x.sched->nr_online, 16);
	sched_hotplug(x.sched, 0, HOTPLUG_SMT_OFF, NULL);
	ask(&x, 0, HOTPLUG_ONLINE, 0x3);
	run_to(&x, 3 * NS_PER_MS);
	assert_int_equal(x.sched->online->w[0], 0x5555);
	assert_int_equal(seen(&x, DEC_HOTPLUG_REFUSED), 2);
	fixture_free(&x);
	/* as the kernel's option has it */
	open_hogs(&x, "  smt: off\n", 2);
	ask(&x, 0, HOTPLUG_ONLINE, 0x2);
	run_to(&x, NS_PER_MS);
	assert_int_equal(x.sched->online->w[0], 0x5555);
	assert_int_equal(seen(&x, DEC_HOTPLUG_REFUSED), 1);
	fixture_free(&x);
}

/* A kernel thread of a CPU works elsewhere as long as its CPU is away, and returns. */
static void test_kernel_thread(void **state)
{
	struct task_attr attr = {.comm = "ksoftirqd/3", .kthread = KTHREAD_SOFTIRQ};
	struct fixture x;
	struct task *t;

	(void)state;
	open_hogs(&x, "", 1);
	attr.cpus = cpus(&x, 1 << 3);
	t = sched_spawn(x.sched, &attr, 3);
	run_to(&x, NS_PER_MS);
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << 3);
	run_to(&x, 2 * NS_PER_MS);
	assert_int_equal(task_cpu(t), 0);
	assert_true(task_on_cpu(t));
	assert_int_equal(seen(&x, DEC_HOTPLUG_PARKED), 1);
	assert_int_equal(seen(&x, DEC_AFFINITY_BROKEN), 0);
	ask(&x, 0, HOTPLUG_ONLINE, 1 << 3);
	run_to(&x, 3 * NS_PER_MS);
	assert_int_equal(task_cpu(t), 3);
	assert_true(task_on_cpu(t));
	assert_int_equal(t->ncpus_allowed, 1);
	checked(&x);
	fixture_free(&x);
}

/* A throttled group is let go where its CPU goes, and limited where its tasks arrive. */
static void test_throttled_group(void **state)
{
	const struct group_limit limit = {.quota = NS_PER_MS, .period = 100 * NS_PER_MS};
	struct task_attr attr = {.comm = "t"};
	struct fixture x;
	struct task *t;

	(void)state;
	open_hogs(&x, "", 1);
	attr.tg = sched_group_new(x.sched, NULL, "g", 1024);
	sched_group_limit(x.sched, attr.tg, &limit);
	attr.cpus = cpus(&x, 0x0c);
	t = sched_spawn(x.sched, &attr, 3);
	run_to(&x, 20 * NS_PER_MS);
	assert_true(task_throttled(t));
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << task_cpu(t));
	run_to(&x, 30 * NS_PER_MS);
	assert_true(task_throttled(t)); /* there as well: the pool is empty */
	assert_true(cpu_rq(x.sched, task_cpu(t))->online);
	checked(&x);
	run_to(&x, NS_PER_SEC);
	/* a tenth of a CPU in ten periods, with a slice of slack for each CPU */
	assert_true(task_cpu_time(x.sched, t) < 30 * NS_PER_MS);
	assert_true(task_cpu_time(x.sched, t) > 8 * NS_PER_MS);
	fixture_free(&x);
}

/* A CPU that comes back takes work at once, and with SMT tasks can be tagged. */
static void test_comes_back(void **state)
{
	struct task_attr attr = {.comm = "t"};
	struct sched_totals totals;
	struct fixture x;

	(void)state;
	open_hogs(&x, "  core: mainline\n  smt: off\n", 2);
	for (u32 i = 0; i < 16; i++) {
		attr.cookie = sched_cookie_new(x.sched);
		sched_spawn(x.sched, &attr, i);
	}
	assert_false(x.sched->core_on); /* no core has two threads */
	run_to(&x, 50 * NS_PER_MS);
	sched_hotplug(x.sched, 0, HOTPLUG_SMT_ON, NULL);
	run_to(&x, 200 * NS_PER_MS);
	assert_true(x.sched->core_on);
	sched_totals(x.sched, &totals);
	assert_int_equal(totals.cross_cookie_leak_ns, 0);
	assert_true(totals.forced_idle_ns > NS_PER_MS);
	checked(&x);
	fixture_free(&x);
	open_hogs(&x, "", 1);
	ask(&x, 0, HOTPLUG_OFFLINE, 1 << 2);
	run_to(&x, NS_PER_MS);
	for (u32 i = 0; i < 16; i++)
		spawn(&x, i % 8, 0);
	run_to(&x, 10 * NS_PER_MS);
	ask(&x, 0, HOTPLUG_ONLINE, 1 << 2);
	run_to(&x, 11 * NS_PER_MS);
	assert_non_null(cpu_rq(x.sched, 2)->curr);
	fixture_free(&x);
}

/* While a CPU goes, all others stand still: nobody works, and nobody is forgotten. */
static void test_machine_stops(void **state)
{
	struct sched_totals with, without;

	(void)state;
	for (u32 stop = 0; stop < 2; stop++) {
		const struct sched_client client = {.step = hog};
		struct fixture x;

		fixture_init(&x);
		fixture_machine(&x, 1, 1, 8, 1);
		x.machine.cost[COST_HOTPLUG_STOP].value = stop * 100 * NS_PER_US;
		fixture_kernel(&x, "  balance: off\n");
		fixture_start(&x, &client, 1);
		for (u32 i = 0; i < 6; i++)
			spawn(&x, i, 1u << i);
		ask(&x, 10 * NS_PER_MS, HOTPLUG_OFFLINE, 0xc0);
		run_to(&x, 20 * NS_PER_MS);
		checked(&x);
		sched_totals(x.sched, stop ? &with : &without);
		fixture_free(&x);
	}
	assert_int_equal(without.system_ns[SYS_KERNEL], 0);
	/* CPU 7 stood still for 6, and then went */
	assert_int_equal(with.system_ns[SYS_KERNEL], (7 + 6) * 100 * NS_PER_US);
	assert_int_equal(without.work_ns - with.work_ns, 2 * 6 * 100 * NS_PER_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_after_a_fresh_boot),
		cmocka_unit_test(test_tunables_follow),
		cmocka_unit_test(test_where_tasks_go),
		cmocka_unit_test(test_affinity_is_broken_last),
		cmocka_unit_test(test_sleepers),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_kernel_thread),
		cmocka_unit_test(test_throttled_group),
		cmocka_unit_test(test_comes_back),
		cmocka_unit_test(test_machine_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
