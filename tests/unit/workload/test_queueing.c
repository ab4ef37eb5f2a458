/*
 * Locks, lines and barriers on the real scheduler against closed forms. All cost rows are
 * 0 unless a test says otherwise, so that only what is meant takes time.
 *
 * n CPUs that think for an exponential time of mean Z and then need one server for a time
 * of mean b (Takacs' machine interference; exact for any service distribution):
 *
 *   P(idle) = 1 / (1 + n b/Z sum_{j<n} C(n-1, j) prod_{i=1..j} (1 / B(i/Z) - 1))
 *   B(s) = 1 / (1 + s b) for exponential service, exp(-s b) for constant service
 *   throughput = (1 - P(idle)) / b
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "sched_fixture.h"
#include "workload/workload.h"

struct bench {
	struct fixture x;
	struct sched_client client;
	const struct workload *w;
	const struct workload_plan *plan;
	struct workload_run *run;
	double value[8];
	bool has[8];
};

static void check(int rc, const struct failure *f)
{
	if (rc)
		fail_msg("%u:%u: %s", f->line, f->col, f->what);
}

static void bench_machine(struct bench *b, u32 cpus)
{
	memset(b, 0, sizeof(*b));
	fixture_init(&b->x);
	fixture_machine(&b->x, 1, 1, cpus, 1);
	fixture_no_costs(&b->x);
	b->x.machine.idle[0].exit = 0;
	fixture_kernel(&b->x, "");
}

static void bench_open(struct bench *b, const char *text)
{
	char path[] = "/tmp/sibyl-test-XXXXXX";
	int fd = mkstemp(path);
	size_t len = strlen(text);
	struct failure f = {0};

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
	check(workload_load(&b->x.arena, path, &b->w, &f), &f);
	unlink(path);
	check(workload_bind(&b->x.arena, b->w, &b->x.machine, NULL, 0, &b->plan, &f), &f);
	b->run = workload_start(&b->x.arena, b->plan, stream_root(3), &b->client);
	fixture_start(&b->x, &b->client, 5);
	workload_launch(b->run, b->x.sched);
}

static void bench_run(struct bench *b, u64 until)
{
	struct failure f = {0};

	while (!workload_done(b->run) && engine_step(&b->x.engine, until))
		;
	check(workload_check(b->run, &f), &f);
	check(sched_check(b->x.sched, &f), &f);
}

static void bench_measure(struct bench *b, u64 from, u64 until)
{
	bench_run(b, from);
	workload_measure_from_now(b->run, b->x.sched);
	bench_run(b, until);
	workload_metrics(b->run, b->x.sched, b->value, b->has);
}

static double server_idle(u32 n, double think, double service, bool constant)
{
	double sum = 0, term = 1;

	for (u32 j = 0; j < n; j++) {
		double s = (j + 1) * service / think;

		sum += term;
		/* C(n-1, j+1) = C(n-1, j) (n-1-j) / (j+1) */
		term *= (double)(n - 1 - j) / (j + 1) * (constant ? exp(s) - 1 : s);
	}
	return 1 / (1 + n * service / think * sum);
}

static void expect_within(const char *what, double got, double want, double part)
{
	printf("%s: %.6g, closed form %.6g, %+.2f %%\n", what, got, want,
	       (got / want - 1) * 100);
	if (!(fabs(got - want) <= part * want))
		fail_msg("%s: %.8g, expected %.8g within %g %%", what, got, want,
			 part * 100);
}

/* A file of n tasks, one a CPU, that think and use the lock. */
static const char *contenders(u32 n, const char *kind, const char *hold)
{
	static char text[1024];

	snprintf(text, sizeof(text),
		 "start-jitter: 0\nduration: 20 s\nlocks: {l: {kind: %s}}\n"
		 "tasks:\n  t:\n    count: %u\n    program:\n"
		 "      - loop:\n"
		 "          - run: {exp: 100 us}\n"
		 "          - lock: l\n"
		 "          - run: %s\n"
		 "          - unlock: l\n"
		 "          - count: n\n"
		 "metrics:\n"
		 "  rate: {rate: n}\n"
		 "  hold: {lock: l, stat: hold}\n"
		 "  wait: {lock: l, stat: wait}\n"
		 "  spin: {lock: l, stat: spin}\n"
		 "  contended: {lock: l, stat: contended}\n"
		 "  acquisitions: {lock: l, stat: acquisitions}\n",
		 kind, n, hold);
	return text;
}

#define SECONDS 4

/*
 * The spin lock is the server. By Little's law the mean number of those that wait or hold
 * is n - throughput * Z.
 */
static void contend(u32 n, const char *kind, const char *hold, bool constant, bool spins)
{
	double idle = server_idle(n, 100, 20, constant);
	double rate = (1 - idle) / 20e-6;
	char what[80];
	struct bench b;

	bench_machine(&b, n);
	bench_open(&b, contenders(n, kind, hold));
	bench_measure(&b, 100 * NS_PER_MS, 100 * NS_PER_MS + SECONDS * NS_PER_SEC);
	snprintf(what, sizeof(what), "%s, %u CPUs, hold %s, rate", kind, n, hold);
	expect_within(what, b.value[0], rate, 0.02);
	expect_within("  busy", b.value[1] / SECONDS, 1 - idle, 0.02);
	expect_within("  in line", (b.value[1] + b.value[2]) / SECONDS, n - rate * 100e-6,
		      0.02);
	if (spins)
		assert_true(fabs(b.value[3] - b.value[2]) < 1e-6);
	assert_true(b.value[4] < b.value[5]);
	fixture_free(&b.x);
}

static void test_spin_exponential(void **state)
{
	(void)state;
	for (u32 n = 2; n <= 8; n *= 2)
		contend(n, "spin", "{exp: 20 us}", false, true);
}

static void test_spin_constant(void **state)
{
	(void)state;
	for (u32 n = 2; n <= 8; n *= 2)
		contend(n, "spin, fair: yes", "20 us", true, true);
}

/* The others with nothing to pay are the same server: spinning, or by wake-ups. */
static void test_other_kinds(void **state)
{
	(void)state;
	contend(4, "mutex", "{exp: 20 us}", false, true);
	contend(4, "rwsem", "{exp: 20 us}", false, false);
	contend(4, "rwsem, spin: yes", "20 us", true, true);
	contend(4, "futex", "20 us", true, false);
}

/* Where the lock is hardly used it costs nothing. */
static void test_no_bottleneck(void **state)
{
	static const char *const kinds[] = {"mutex", "futex", "spin", "rwsem"};

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bench b;

		bench_machine(&b, 4);
		bench_open(&b, contenders(4, kinds[i], "100 ns"));
		bench_measure(&b, 100 * NS_PER_MS, NS_PER_SEC + 100 * NS_PER_MS);
		expect_within(kinds[i], b.value[0], 4 / 100.1e-6, 0.02);
		assert_true(b.value[2] < 0.0004);
		fixture_free(&b.x);
	}
}

/* A line from another core takes 1 us: it serves one CPU at a time. */
static void touch(u32 n, const char *think, double z)
{
	double b_us = 1, idle = server_idle(n, z, b_us, true), rate = (1 - idle) / 1e-6;
	char text[1024], what[80];
	struct bench b;

	snprintf(text, sizeof(text),
		 "start-jitter: 0\nlines: {x: {}}\n"
		 "tasks: {t: {count: %u, program: [loop: [run: {exp: %s}, touch: x, "
		 "count: n]]}}\n"
		 "metrics: {rate: {rate: n}, wait: {line: x, stat: wait}, "
		 "n: {line: x, stat: contended}}\n",
		 n, think);
	bench_machine(&b, n);
	b.x.machine.cost[COST_LINE_OWN].value = 1000;
	b.x.machine.cost[COST_LINE_LLC].value = 1000;
	bench_open(&b, text);
	bench_measure(&b, 10 * NS_PER_MS, 510 * NS_PER_MS);
	snprintf(what, sizeof(what), "line, %u CPUs, think %s", n, think);
	expect_within(what, b.value[0], rate, 0.02);
	/* Little: those that wait = n - thinking - served */
	if (z < 10)
		expect_within("  wait", b.value[1] / 0.5, n - rate * (z + b_us) * 1e-6,
			      0.02);
	else
		assert_true(b.value[1] / 0.5 < 0.05);
	fixture_free(&b.x);
}

static void test_line(void **state)
{
	(void)state;
	touch(2, "2 us", 2);
	touch(4, "2 us", 2);
	touch(8, "2 us", 2);
	touch(8, "10 ns", 0.01); /* a tight loop: one after another */
	touch(4, "100 us", 100); /* no bottleneck */
}

/* Rounds of n tasks with known phases are as long as the longest, to the ns. */
static void rounds(u64 spin, u64 switch_cost)
{
	char text[1024];
	struct bench b;

	snprintf(
		text, sizeof(text),
		"start-jitter: 0\nfixed-work: yes\n"
		"barriers: {b: {parties: 4, spin: %llu ns}}\n"
		"tasks:\n"
		"  a: {cpus: 0, start: 1 ms, program: [loop: {times: 100, do: [run: 70 us, "
		"barrier: b, run: 10 us, barrier: b]}]}\n"
		"  b: {cpus: 1, start: 1 ms, program: [loop: {times: 100, do: [run: 50 us, "
		"barrier: b, run: 60 us, barrier: b]}]}\n"
		"  c: {cpus: 2, start: 1 ms, program: [loop: {times: 100, do: [run: 30 us, "
		"barrier: b, run: 20 us, barrier: b]}]}\n"
		"  d: {cpus: 3, start: 1 ms, program: [loop: {times: 100, do: [run: 71003 "
		"ns, barrier: b, run: 5 us, barrier: b]}]}\n"
		"metrics: {e: {elapsed: yes, unit: ns}, w: {barrier: b, stat: wait, unit: "
		"ns}, s: {barrier: b, stat: spin, unit: ns}}\n",
		(unsigned long long)spin);
	bench_machine(&b, 4);
	b.x.machine.cost[COST_SWITCH].value = switch_cost;
	bench_open(&b, text);
	bench_measure(&b, 0, 10 * NS_PER_SEC);
	/* a sleeper that ends a round has to be switched to first */
	if (!switch_cost || spin >= 100000)
		assert_true(b.value[0] == 100 * (71003 + 60000));
	assert_true(b.value[0] >= 100 * (71003 + 60000));
	if (!switch_cost || spin >= 100000)
		assert_true(b.value[1] ==
			    100 * (1003 + 21003 + 41003 + 50000 + 40000 + 55000));
	if (spin >= 100000)
		assert_true(b.value[2] == b.value[1]);
	else if (!switch_cost)
		assert_true(b.value[2] == 100.0 * (double)(spin ? 1003 + 5 * spin : 0));
	fixture_free(&b.x);
}

static void test_barrier(void **state)
{
	(void)state;
	rounds(0, 0);
	rounds(20 * NS_PER_US, 0);
	rounds(NS_PER_MS, 0);
	rounds(NS_PER_MS, 2000); /* nobody is switched: they spin */
	rounds(0, 2000);
}

/* Two tokens for four tasks that hold one for most of the time: two run at a time. */
static void test_semaphore(void **state)
{
	(void)state;
	for (u32 tokens = 2; tokens <= 4; tokens += 2) {
		char text[512];
		struct bench b;

		snprintf(text, sizeof(text),
			 "start-jitter: 0\nsemaphores: {s: {value: %u}}\n"
			 "tasks: {t: {count: 4, program: [loop: [take: s, run: 50 us, "
			 "post: s, run: 1 us, count: n]]}}\n"
			 "metrics: {rate: {rate: n}, w: {semaphore: s, stat: wait}}\n",
			 tokens);
		bench_machine(&b, 4);
		bench_open(&b, text);
		bench_measure(&b, 10 * NS_PER_MS, 510 * NS_PER_MS);
		expect_within("semaphore", b.value[0],
			      tokens == 2 ? 2 / 50e-6 : 4 / 51e-6, 0.02);
		assert_true(tokens == 2 ? b.value[1] > 0.8 : b.value[1] == 0);
		fixture_free(&b.x);
	}
}

/* A queue of work behind a condition: producer and consumer, one of them the slower. */
static void test_condition(void **state)
{
	(void)state;
	for (u32 i = 0; i < 2; i++) {
		char text[700];
		struct bench b;

		snprintf(
			text, sizeof(text),
			"start-jitter: 0\nlocks: {m: {kind: futex}}\nconditions: {c: {}}\n"
			"tasks:\n"
			"  worker: {program: [loop: [lock: m, wait-for: {condition: c, "
			"lock: m}, unlock: m, run: %s, count: n]]}\n"
			"  boss: {program: [loop: [run: 50 us, lock: m, signal: c, "
			"unlock: m]]}\n"
			"metrics: {rate: {rate: n}, w: {condition: c, stat: wait}}\n",
			i ? "80 us" : "5 us");
		bench_machine(&b, 2);
		bench_open(&b, text);
		bench_measure(&b, 10 * NS_PER_MS, 510 * NS_PER_MS);
		/* the slow worker misses every other signal */
		expect_within("condition", b.value[0], i ? 1e4 : 2e4, 0.01);
		expect_within("  wait", b.value[1], i ? 0.1 : 0.45, 0.02);
		fixture_free(&b.x);
	}
}

/*
 * More tasks than CPUs: owners are preempted. A mutex puts those that wait to sleep, a
 * spin lock of a program burns their slices.
 */
static void test_crowd(void **state)
{
	static const char *const kinds[] = {"mutex", "futex", "spin", "rwsem, spin: yes"};
	double rate[4];

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bench b;

		bench_machine(&b, 4);
		b.x.machine.cost[COST_SWITCH].value = 1500;
		b.x.machine.cost[COST_LINE_LLC].value = 45;
		bench_open(&b, contenders(16, kinds[i], "{exp: 20 us}"));
		bench_measure(&b, 100 * NS_PER_MS, NS_PER_SEC + 100 * NS_PER_MS);
		rate[i] = b.value[0];
		printf("crowd %s: %.0f/s, hold %.3f wait %.3f spin %.3f\n", kinds[i],
		       rate[i], b.value[1], b.value[2], b.value[3]);
		assert_true(b.value[0] > 0);
		fixture_free(&b.x);
	}
	assert_true(rate[2] < rate[0]);
}

/*
 * No wake-up is lost: tasks that go through everything leave in the end (a deadlock is a
 * failure), each lock was had as often as it was asked for, and none for longer than
 * there was time. With the default costs, on CPUs enough and too few.
 */
static void test_nothing_is_lost(void **state)
{
	static const char text[] =
		"fixed-work: yes\n"
		"locks: {m: {kind: mutex, count: 2}, f: {kind: futex, count: 2}, "
		"s: {kind: spin}, q: {kind: spin, fair: yes}, r: {kind: rwsem}, "
		"w: {kind: rwsem, spin: yes}}\n"
		"semaphores: {t: {value: 3}}\n"
		"barriers: {b: {parties: 24, spin: 30 us}}\n"
		"tasks:\n  a:\n    count: 24\n    program:\n"
		"      - loop: {times: 100, do: [run: {exp: 20 us}, lock: \"m[random]\", "
		"run: {exp: 3 us}, unlock: m, lock: s, run: 1 us, unlock: s, lock: q, "
		"run: 1 us, unlock: q, lock: \"f[random]\", run: {exp: 4 us}, unlock: f, "
		"lock: {lock: w, shared: yes}, run: 5 us, unlock: w, take: t, run: 3 us, "
		"post: t, barrier: b, lock: w, run: {exp: 5 us}, unlock: w, "
		"lock: {lock: r, shared: yes}, run: 5 us, unlock: r, lock: r, run: 2 us, "
		"unlock: r]}\n"
		"metrics: {e: {elapsed: yes}, m: {lock: m, stat: acquisitions}, "
		"r: {lock: r, stat: acquisitions}, q: {lock: q, stat: hold}, "
		"t: {semaphore: t, stat: acquisitions}}\n";

	(void)state;
	for (u32 cpus = 1; cpus <= 16; cpus *= 2) {
		struct bench b;

		bench_machine(&b, cpus);
		for (u32 i = 0; i < COST_COUNT; i++)
			b.x.machine.cost[i].value = cost_rows[i].def;
		bench_open(&b, text);
		bench_measure(&b, 0, 60 * NS_PER_SEC);
		assert_true(workload_done(b.run));
		assert_true(b.value[1] == 2400 && b.value[2] == 4800 &&
			    b.value[4] == 2400);
		assert_true(b.value[3] >= 2400 * 1e-6 && b.value[3] < b.value[0]);
		fixture_free(&b.x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spin_exponential),
		cmocka_unit_test(test_spin_constant),
		cmocka_unit_test(test_other_kinds),
		cmocka_unit_test(test_no_bottleneck),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_semaphore),
		cmocka_unit_test(test_condition),
		cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
