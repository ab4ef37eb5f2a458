/*
 * Locks, conditions, semaphores, barriers and lines, step by step: every task has a CPU
 * of its own (CPU = id modulo 8), a line from elsewhere costs 10 ns. A futex call costs
 * what the test says; nothing else takes time.
 */
#include "mock_sched.h"

/* The tasks of a file, and how it is measured. `t` starts at 0, `u` a little later. */
static void open_tasks(struct mock *k, const char *things, const char *tasks)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 "start-jitter: 0\nfixed-work: yes\nduration: 1 h\n%s"
		 "metrics: {n: {elapsed: yes}}\ntasks:\n%s",
		 things, tasks);
	mock_open(k, text, 1);
	k->s->log_on = true;
	k->s->charges_take_time = true;
}

static void set_cost(struct mock *k, enum cost_id id, u64 ns)
{
	((struct machine *)(uintptr_t)k->s->machine)->cost[id].value = ns;
}

static struct task *find(struct mock *k, const char *comm)
{
	for (u32 i = 0; i < k->s->ntask; i++)
		if (!strcmp(k->s->task[i]->comm, comm))
			return k->s->task[i];
	fail_msg("no task %s", comm);
	return NULL;
}

static void expect(struct mock *k, const char *log)
{
	if (!strstr(k->s->log.s, log))
		fail_msg("got\n%s\nwanted\n%s", k->s->log.s, log);
}

static struct ledger ledger_of(struct mock *k, const char *name)
{
	double v[8];
	bool has[8];
	const char *n, *kind;
	struct ledger l;

	workload_metrics(k->run, k->s, v, has);
	for (u32 i = 0; workload_resources(k->run, i, &n, &kind, &l); i++)
		if (!strcmp(n, name))
			return l;
	fail_msg("no ledger of %s", name);
	return l;
}

static void expect_ledger(struct mock *k, const char *name, u64 acquisitions,
			  u64 contended, u64 wait, u64 spin, u64 hold)
{
	struct ledger l = ledger_of(k, name);
	u64 got[] = {l.acquisitions, l.contended, l.wait_ns, l.spin_ns, l.hold_ns};
	u64 want[] = {acquisitions, contended, wait, spin, hold};

	for (u32 i = 0; i < 5; i++)
		if (got[i] != want[i])
			fail_msg("%s: number %u is %llu, expected %llu", name, i,
				 (unsigned long long)got[i], (unsigned long long)want[i]);
}

static void expect_done(struct mock *k)
{
	mock_must(k, workload_check(k->run, &k->f));
	assert_true(workload_done(k->run));
}

static void expect_failure(const char *things, const char *tasks, const char *what)
{
	struct mock k;

	open_tasks(&k, things, tasks);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &k.f), -1);
	if (!strstr(k.f.what, what))
		fail_msg("'%s', expected '%s'", k.f.what, what);
	assert_true(k.f.line > 4);
	mock_free(&k);
}

#define TWO                                                               \
	"  t: {program: [lock: l, run: 1000 ns, unlock: l, run: 1 ms]}\n" \
	"  u: {program: [run: 100 ns, lock: l, run: 50 ns, unlock: l]}\n"

/* Nobody else wants it: one atomic on the line, from where it was last. */
static void test_alone(void **state)
{
	static const char *const kinds[] = {"mutex", "futex", "spin", "rwsem"};

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		char things[80];
		struct mock k;

		snprintf(things, sizeof(things), "locks: {l: {kind: %s}}\n", kinds[i]);
		open_tasks(&k, things,
			   "  t: {program: [lock: l, run: 1000 ns, unlock: l]}\n"
			   "  u: {program: [run: 5 us, lock: l, run: 1000 ns, "
			   "unlock: l]}\n");
		set_cost(&k, COST_FUTEX, 500);
		mock_run(k.s, k.run, NS_PER_SEC);
		expect_done(&k);
		assert_int_equal(k.s->wakes, 0);
		expect_ledger(&k, "l", 2, 0, 0, 0, 2000);
		assert_int_equal(ledger_of(&k, "l").transfers[LINE_LLC], 1);
		/* the work, and 10 ns for the line: no system call */
		assert_int_equal(find(&k, "t")->cpu, 1000);
		assert_int_equal(find(&k, "u")->cpu, 6010);
		mock_free(&k);
	}
}

/* While the owner runs a contender spins, and gets it when the line has come over. */
static void test_mutex_spins(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: mutex}}\n", TWO);
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "100 u spin 0\n1000 u unspin 10\n");
	expect(&k, "1010 u work 50\n");
	assert_int_equal(k.s->wakes, 0);
	expect_ledger(&k, "l", 2, 1, 910, 910, 1050);
	mock_free(&k);
}

/* It sleeps while the owner is not on a CPU, and is woken by the unlock. */
static void test_mutex_sleeps(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: mutex}}\n", TWO);
	mock_run(k.s, k.run, 50);
	mock_preempt(k.s, find(&k, "t"));
	mock_run(k.s, k.run, 200);
	expect(&k, "100 u block 0\n");
	mock_resume(k.s, find(&k, "t"));
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "1000 u woken 0\n");
	/* it takes it by itself and pays 10 ns for the line, which its wait contains */
	expect(&k, "1010 u work 50\n");
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "l").contended, 1);
	assert_int_equal(ledger_of(&k, "l").spin_ns, 0);
	mock_free(&k);
}

/* When the owner leaves its CPU all that spin go to sleep. */
static void test_mutex_owner_preempted(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: mutex}}\n",
		   TWO "  v: {program: [run: 200 ns, lock: l, run: 60 ns, unlock: l]}\n");
	mock_run(k.s, k.run, 500);
	expect(&k, "100 u spin 0\n200 v spin 0\n");
	mock_preempt(k.s, find(&k, "t"));
	expect(&k, "500 u unspin 0\n500 v unspin 0\n");
	mock_run(k.s, k.run, 600);
	expect(&k, "500 u block 0\n500 v block 0\n");
	mock_resume(k.s, find(&k, "t"));
	mock_run(k.s, k.run, NS_PER_SEC);
	/* one wake-up an unlock, in the order in which they went to sleep */
	expect(&k, "1000 u woken 0\n");
	assert_int_equal(k.s->wakes, 2);
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "l").spin_ns, 400 + 300);
	mock_free(&k);
}

/* A spinner that loses its CPU does not get it; it sleeps once it runs again. */
static void test_mutex_spinner_preempted(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: mutex}}\n", TWO);
	mock_run(k.s, k.run, 500);
	mock_preempt(k.s, find(&k, "u"));
	mock_run(k.s, k.run, 700);
	mock_resume(k.s, find(&k, "u"));
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "500 u unspin 0\n700 u block 0\n1000 u woken 0\n");
	expect_done(&k);
	mock_free(&k);
}

/*
 * A sleeper that finds the lock stolen spins in its place, and the next unlock is its
 * own, whoever else spins.
 */
static void test_mutex_handoff(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: mutex}}\n",
		   "  t: {program: [lock: l, run: 1000 ns, unlock: l, run: 1 ms]}\n"
		   "  u: {program: [run: 100 ns, lock: l, run: 50 ns, unlock: l]}\n"
		   "  v: {program: [run: 900 ns, lock: l, run: 300 ns, unlock: l]}\n"
		   "  w: {program: [run: 1100 ns, lock: l, run: 70 ns, unlock: l]}\n");
	mock_run(k.s, k.run, 50);
	mock_preempt(k.s, find(&k, "t"));
	mock_run(k.s, k.run, 500);
	mock_resume(k.s, find(&k, "t"));
	mock_run(k.s, k.run, NS_PER_SEC);
	/* u sleeps at 100; v spins from 900 and has it at 1000, when u is woken too */
	expect(&k, "900 v spin 0\n1000 v unspin 10\n1000 u woken 0\n");
	expect(&k, "1000 u spin 0\n");
	/* w spins from 1100; v lets go at 1310: it is u's */
	expect(&k, "1100 w spin 0\n1310 u unspin 10\n");
	expect(&k, "1320 u work 50\n");
	expect(&k, "1370 w unspin 10\n");
	expect_done(&k);
	mock_free(&k);
}

/* A system call to wait, one to wake; the lock is free meanwhile. */
static void test_futex(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: futex}}\n", TWO);
	set_cost(&k, COST_FUTEX, 5);
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "105 u block 0\n1000 u woken 0\n");
	expect_done(&k);
	/* t: its work, the wake; u: its work, the wait, the line, a wake of nobody */
	assert_int_equal(find(&k, "t")->cpu, 1001000 + 5);
	assert_int_equal(find(&k, "u")->cpu, 150 + 5 + 10 + 5);
	assert_int_equal(ledger_of(&k, "l").contended, 1);
	assert_int_equal(ledger_of(&k, "l").wait_ns, 910);
	assert_int_equal(ledger_of(&k, "l").spin_ns, 5);
	mock_free(&k);
}

/* A newcomer may take it before the one that was woken. */
static void test_futex_stolen(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: futex}}\n",
		   "  t: {program: [lock: l, run: 1000 ns, unlock: l, lock: l, "
		   "run: 500 ns, unlock: l]}\n"
		   "  u: {program: [run: 100 ns, lock: l, run: 50 ns, unlock: l]}\n");
	mock_run(k.s, k.run, 999);
	find(&k, "t")->id = 3; /* the same CPU as before, and first in line */
	mock_run(k.s, k.run, NS_PER_SEC);
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "l").acquisitions, 3);
	mock_free(&k);
}

static void test_spin(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: spin}}\n",
		   TWO "  v: {program: [run: 200 ns, lock: l, run: 60 ns, unlock: l]}\n");
	mock_run(k.s, k.run, 500);
	/* they go on spinning when the owner is preempted */
	mock_preempt(k.s, find(&k, "t"));
	mock_run(k.s, k.run, 600);
	mock_resume(k.s, find(&k, "t"));
	/* the first is not on a CPU: the second gets it */
	mock_run(k.s, k.run, 700);
	mock_preempt(k.s, find(&k, "u"));
	mock_run(k.s, k.run, 2000);
	expect(&k, "1000 v unspin 10\n");
	expect(&k, "1010 v work 60\n");
	/* nobody looks at 1070: the first that runs takes it */
	mock_resume(k.s, find(&k, "u"));
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "2010 u work 50\n");
	expect_done(&k);
	assert_int_equal(k.s->wakes, 0);
	mock_free(&k);
}

static void test_spin_fair(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: spin, fair: yes}}\n",
		   TWO "  v: {program: [run: 200 ns, lock: l, run: 60 ns, unlock: l]}\n");
	mock_run(k.s, k.run, 700);
	mock_preempt(k.s, find(&k, "u"));
	mock_run(k.s, k.run, 2000);
	assert_null(strstr(k.s->log.s, "v unspin"));
	mock_resume(k.s, find(&k, "u"));
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "2000 u work 50\n2050 v unspin 10\n");
	expect_done(&k);
	mock_free(&k);
}

#define READER(name, at, ns)                                                            \
	"  " name ": {program: [run: " at " ns, lock: {lock: l, shared: yes}, run: " ns \
	" ns, unlock: l]}\n"
#define WRITER(name, at, ns) \
	"  " name ": {program: [run: " at " ns, lock: l, run: " ns " ns, unlock: l]}\n"

static void test_rwsem(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: rwsem}}\n",
		   READER("a", "1", "1000") READER("b", "100", "1000")
			   WRITER("w", "200", "500") READER("c", "300", "100")
				   WRITER("x", "400", "500") READER("d", "500", "100"));
	mock_run(k.s, k.run, NS_PER_SEC);
	/* readers together; c does not pass the writer that waits before it */
	expect(&k, "200 w block 0\n300 c block 0\n400 x block 0\n500 d block 0\n");
	expect(&k, "1110 w woken 0\n1110 w work 500\n");
	/* the wake-up of a reader takes all readers along */
	expect(&k, "1610 c woken 0\n1610 d woken 0\n");
	expect(&k, "1710 x woken 0\n");
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "l").acquisitions, 6);
	assert_int_equal(ledger_of(&k, "l").contended, 4);
	mock_free(&k);
}

static void test_rwsem_spins(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: rwsem, spin: yes}}\n",
		   WRITER("v", "1", "1000") WRITER("w", "200", "500")
			   READER("c", "100", "100"));
	mock_run(k.s, k.run, NS_PER_SEC);
	/* a writer that spins passes a reader that sleeps, if not for too long */
	expect(&k, "100 c block 0\n200 w spin 0\n1001 w unspin 10\n");
	expect(&k, "1511 c woken 0\n");
	expect_done(&k);
	mock_free(&k);

	open_tasks(&k, "locks: {l: {kind: rwsem, spin: yes}}\n",
		   WRITER("v", "1", "5000000") WRITER("w", "200", "500")
			   READER("c", "100", "100"));
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "5000001 c woken 0\n5000001 w unspin 0\n");
	expect(&k, "5000001 w block 0\n");
	expect(&k, "5000101 w woken 0\n");
	expect_done(&k);
	mock_free(&k);
}

static void test_mistakes(void **state)
{
	(void)state;
	expect_failure("locks: {l: {kind: spin}}\n",
		       "  t: {program: [lock: l, lock: l]}\n", "has it already");
	expect_failure("locks: {l: {kind: spin}}\n", "  t: {program: [unlock: l]}\n",
		       "does not have");
	expect_failure("locks: {l: {kind: spin, count: 2}}\n",
		       "  t: {program: [lock: 'l[0]', unlock: 'l[1]']}\n",
		       "does not have");
	expect_failure("locks: {l: {kind: futex}}\nconditions: {c: {}}\n",
		       "  t: {program: ['wait-for': {condition: c, lock: l}]}\n",
		       "does not have");
	expect_failure("locks: {l: {kind: mutex}}\n",
		       "  t: {program: [lock: l, run: 1 us]}\n", "leaves with lock 'l'");
}

/* An array: any of them, and the one that was taken last is let go. */
static void test_array(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "locks: {l: {kind: mutex, count: 4}}\n",
		   "  t:\n    count: 4\n    program:\n"
		   "      - lock: \"l[own]\"\n      - run: 1 us\n      - unlock: l\n"
		   "      - loop: {times: 50, do: [lock: 'l[random]', run: 10 ns, "
		   "unlock: l]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "l").acquisitions, 204);
	assert_true(ledger_of(&k, "l").contended > 0);
	assert_true(ledger_of(&k, "l").hold_ns == 4 * 1000 + 200 * 10);
	mock_free(&k);
}

static void test_condition(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(
		&k, "locks: {l: {kind: futex}}\nconditions: {c: {}}\n",
		"  t: {count: 3, program: [run: 100 ns, lock: l, wait-for: {condition: c, lock: l}, "
		"run: 100 ns, unlock: l]}\n"
		"  u: {program: [signal: c, run: 1000 ns, signal: c, run: 1000 ns, "
		"lock: l, broadcast: c, run: 500 ns, unlock: l]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "1000 t0 woken 0\n");
	expect(&k, "1010 t0 work 100\n");
	/* both are woken and find the lock taken */
	expect(&k, "2010 t1 woken 0\n");
	expect(&k, "2010 t2 woken 0\n");
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "c").acquisitions, 3);
	assert_int_equal(ledger_of(&k, "c").contended, 3);
	assert_int_equal(ledger_of(&k, "c").wait_ns, 900 + 1900 + 1890);
	assert_int_equal(ledger_of(&k, "l").acquisitions, 3 + 3 + 1);
	mock_free(&k);
}

static void test_semaphore(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "semaphores: {s: {value: 2}}\n",
		   "  t: {count: 3, program: [take: s, run: 1000 ns, post: s]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "1000 t2 woken 0\n");
	expect_done(&k);
	/* until its atomic is over, behind that of the post */
	expect_ledger(&k, "s", 3, 1, 1020, 0, 0);
	mock_free(&k);

	/* enough for all: nobody waits */
	open_tasks(&k, "semaphores: {s: {value: 3}}\n",
		   "  t: {count: 3, program: [take: s, run: 1000 ns, post: s]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect_done(&k);
	expect_ledger(&k, "s", 3, 0, 0, 0, 0);
	mock_free(&k);
}

static void test_barrier(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(
		&k, "barriers: {b: {parties: 3}}\n",
		"  t: {program: [run: 100 ns, barrier: b, run: 100 ns, barrier: b]}\n"
		"  u: {program: [run: 200 ns, barrier: b, run: 100 ns, barrier: b]}\n"
		"  v: {program: [run: 900 ns, barrier: b, run: 100 ns, barrier: b]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "100 t block 0\n210 u block 0\n900 t woken 0\n");
	/* one after another: the second once the atomic of the last is paid */
	expect(&k, "910 u woken 0\n");
	expect_done(&k);
	assert_int_equal(ledger_of(&k, "b").acquisitions, 6);
	assert_int_equal(ledger_of(&k, "b").contended, 4);
	mock_free(&k);
}

static void test_barrier_spins(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "barriers: {b: {parties: 3, spin: 750 ns}}\n",
		   "  t: {program: [run: 100 ns, barrier: b, run: 7 ns]}\n"
		   "  u: {program: [run: 200 ns, barrier: b, run: 8 ns]}\n"
		   "  v: {program: [run: 900 ns, barrier: b, run: 9 ns]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "100 t spin 0\n200 u spin 0\n850 t unspin 0\n850 t block 0\n");
	/* u sees the line 10 ns after v's atomic of 10 ns, t is woken */
	expect(&k, "900 u unspin 20\n900 t woken 0\n");
	expect(&k, "920 u work 8\n");
	expect_done(&k);
	expect_ledger(&k, "b", 3, 2, 800 + 720, 750 + 720, 0);
	mock_free(&k);
}

static void test_suspend(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "",
		   "  t: {count: 2, program: [run: 100 ns, suspend, run: 7 ns]}\n"
		   "  u: {program: [resume: t, run: 1000 ns, resume: t]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "100 t0 block 0\n");
	expect(&k, "1000 t0 woken 0\n");
	expect(&k, "1000 t1 woken 0\n");
	expect_done(&k);
	mock_free(&k);
}

static void test_touch(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "lines: {x: {}}\n",
		   "  t: {count: 3, program: [touch: x, run: 1000 ns, touch: x]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect_done(&k);
	/* three at once: the first is free, 10 ns for the second, the third waits 10 */
	assert_int_equal(ledger_of(&k, "x").acquisitions, 6);
	assert_int_equal(ledger_of(&k, "x").contended, 1);
	assert_int_equal(ledger_of(&k, "x").wait_ns, 10);
	mock_free(&k);
}

static void test_yield(void **state)
{
	struct mock k;

	(void)state;
	open_tasks(&k, "", "  t: {program: [run: 10 ns, yield, run: 20 ns]}\n");
	mock_run(k.s, k.run, NS_PER_SEC);
	expect(&k, "10 t yield 0\n10 t work 20\n");
	mock_free(&k);
}

static void test_deadlock(void **state)
{
	struct mock k;

	(void)state;
	/* two locks in two orders */
	expect_failure("locks: {a: {kind: futex}, b: {kind: futex}}\n",
		       "  t: {program: [lock: a, run: 1 us, lock: b, unlock: b, unlock: "
		       "a]}\n"
		       "  u: {program: [lock: b, run: 1 us, lock: a, unlock: a, unlock: "
		       "b]}\n",
		       "deadlock: every task waits for another for ever, t here for b");
	expect_failure("barriers: {b: {parties: 3}}\n",
		       "  t: {count: 2, program: [run: 1 us, barrier: b]}\n", "for b");
	expect_failure("semaphores: {s: {value: 1}}\n",
		       "  t: {count: 2, program: [take: s, run: 1 us]}\n",
		       "t1 here for s");
	expect_failure("", "  t: {program: [run: 1 us, suspend]}\n", "t here");
	/* by the clock, to be idle at the end is no mistake without a lock */
	mock_open(&k,
		  "start-jitter: 0\nsemaphores: {s: {value: 0}}\n"
		  "tasks:\n  t: {program: [loop: [take: s, run: 1 us]]}\n"
		  "  u: {program: [loop: {until: 1 ms, do: [run: 10 us, post: s]}]}\n"
		  "metrics: {n: {semaphore: s, stat: acquisitions}}\n",
		  1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &k.f), 0);
	mock_free(&k);
}

/* What is counted begins with the window, also of waits and holds that go on. */
static void test_window(void **state)
{
	struct mock k;
	double v[8];
	bool has[8];

	(void)state;
	mock_open(&k,
		  "start-jitter: 0\nlocks: {l: {kind: spin}}\n"
		  "tasks:\n"
		  "  t: {program: [lock: l, run: 10 ms, unlock: l, run: forever]}\n"
		  "  u: {program: [lock: l, run: forever]}\n"
		  "metrics:\n"
		  "  n: {lock: l, stat: acquisitions}\n"
		  "  c: {lock: l, stat: contended}\n"
		  "  w: {lock: l, stat: wait, unit: ms}\n"
		  "  s: {lock: l, stat: spin}\n"
		  "  h: {lock: l, stat: hold, unit: us}\n",
		  1);
	mock_run(k.s, k.run, 4 * NS_PER_MS);
	workload_measure_from_now(k.run, k.s);
	mock_run(k.s, k.run, 5 * NS_PER_MS);
	workload_metrics(k.run, k.s, v, has);
	assert_true(v[0] == 0 && v[1] == 0);
	assert_near(v[2], 1, 1e-9);
	assert_near(v[3], 0.001, 1e-12);
	assert_near(v[4], 1000, 1e-9);
	mock_run(k.s, k.run, 30 * NS_PER_MS);
	workload_metrics(k.run, k.s, v, has);
	assert_true(v[0] == 1 && v[1] == 1);
	assert_near(v[2], 6, 1e-4);
	assert_near(v[4], 26000, 0.1);
	mock_free(&k);
}

/* A metric or a program that the loader refuses. */
static void refused(const char *things, const char *program, const char *metric,
		    const char *what)
{
	struct mock k = {0};
	char text[1024];

	snprintf(text, sizeof(text),
		 "%stasks: {t: {program: [%s, run: forever]}}\nmetrics: {m: %s}\n",
		 things, program, metric);
	arena_init(&k.arena);
	if (!mock_load(&k, text))
		fail_msg("accepted: %s", text);
	if (!strstr(k.f.what, what) || !k.f.line)
		fail_msg("%s\n-> '%s', expected '%s'", text, k.f.what, what);
	arena_free(&k.arena);
}

#define SHARE "{share: t}"

static void test_refused(void **state)
{
	(void)state;
	refused("locks: {l: {kind: mutx}}\n", "run: 1 us", SHARE, "mutex");
	refused("locks: {l: {}}\n", "run: 1 us", SHARE, "kind");
	refused("locks: {l: {kind: mutex, fair: yes}}\n", "run: 1 us", SHARE,
		"for locks of kind spin");
	refused("locks: {l: {kind: mutex, spin: yes}}\n", "run: 1 us", SHARE,
		"for locks of kind rwsem");
	refused("locks: {lock1: {kind: mutex}}\n", "lock: lock2", SHARE,
		"expected lock1?");
	refused("", "lock: l", SHARE, "no lock 'l', expected a declaration");
	refused("locks: {l: {kind: mutex}}\n", "lock: {lock: l, shared: yes}", SHARE,
		"has no readers");
	refused("locks: {l: {kind: spin}}\nconditions: {c: {}}\n",
		"wait-for: {condition: c, lock: l}", SHARE,
		"expected kind mutex or futex");
	refused("conditions: {c: {}}\n", "wait-for: {condition: c}", SHARE, "lock");
	refused("", "wait-for", SHARE, "expected 'wait-for: {condition: C, lock: M}'");
	refused("semaphores: {s: {}}\n", "run: 1 us", SHARE, "value");
	refused("barriers: {b: {parties: 0}}\n", "run: 1 us", SHARE, "out of range");
	refused("barriers: {b: {spin: 1 us}}\n", "run: 1 us", SHARE, "parties");
	refused("lines: {x: {size: 3}}\n", "run: 1 us", SHARE, "size");
	refused("lines: {x: {}}\n", "touch: y", SHARE, "no line 'y'");
	refused("", "resume: u", SHARE, "no task 'u'");
	refused("", "suspend: t", SHARE, "takes no value");
	refused("", "yield: t", SHARE, "takes no value");
	/* what costs nothing on some machine does not make a loop end */
	refused("locks: {l: {kind: spin}}\nlines: {x: {}}\n",
		"loop: [lock: l, touch: x, unlock: l, yield]", SHARE,
		"a loop without time");
	refused("locks: {l: {kind: spin}}\n", "run: 1 us", "{lock: m, stat: wait}",
		"no lock 'm', expected 'l'?");
	refused("locks: {l: {kind: spin}}\n", "run: 1 us", "{lock: l}", "stat");
	refused("locks: {l: {kind: spin}}\n", "run: 1 us", "{lock: l, stat: weight}",
		"wait");
	refused("locks: {l: {kind: spin}}\n", "run: 1 us",
		"{lock: l, stat: wait, unit: m}", "ms");
	refused("lines: {x: {}}\n", "run: 1 us", "{line: x, stat: hold}", "acquisitions");
	refused("channels: {x: {kind: pipe}}\n", "run: 1 us", "{channel: x, stat: wait}",
		"acquisitions");
	refused("locks: {l: {kind: spin}}\n", "run: 1 us", "{lock: l, rate: l}",
		"expected one of 'rate'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_mutex_spins),
		cmocka_unit_test(test_mutex_sleeps),
		cmocka_unit_test(test_mutex_owner_preempted),
		cmocka_unit_test(test_mutex_spinner_preempted),
		cmocka_unit_test(test_mutex_handoff),
		cmocka_unit_test(test_futex),
		cmocka_unit_test(test_futex_stolen),
		cmocka_unit_test(test_spin),
		cmocka_unit_test(test_spin_fair),
		cmocka_unit_test(test_rwsem),
		cmocka_unit_test(test_rwsem_spins),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_condition),
		cmocka_unit_test(test_semaphore),
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_barrier_spins),
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_touch),
		cmocka_unit_test(test_yield),
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
