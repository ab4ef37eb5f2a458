/*
 * Channels, polls, devices and indexes in front of the scheduler of mock_sched.h: who
 * sleeps when, who is woken, what is refused.
 */
#include "mock_sched.h"

#define HEAD "start-jitter: 0\nfixed-work: yes\nduration: 1 h\nmetrics: {n: {total: n}}\n"

/* The log of a run must contain these lines, one after another. */
static void expect(const char *text, const char *const *lines)
{
	struct mock k;
	const char *at;

	mock_open(&k, text, 1);
	k.s->log_on = true;
	mock_run(k.s, k.run, NS_PER_SEC);
	mock_must(&k, workload_check(k.run, &k.f));
	at = k.s->log.s;
	for (; *lines; lines++) {
		const char *found = strstr(at, *lines);

		if (!found)
			fail_msg("no '%s' (in order) in\n%s", *lines, k.s->log.s);
		at = found + strlen(*lines);
	}
	mock_free(&k);
}

#define EXPECT(text, ...) expect(text, (const char *const[]){__VA_ARGS__, NULL})

static double total_of(const char *text, u64 until)
{
	struct mock k;
	double value[8] = {0};
	bool has[8] = {0};

	mock_open(&k, text, 1);
	mock_run(k.s, k.run, until);
	mock_must(&k, workload_check(k.run, &k.f));
	workload_metrics(k.run, k.s, value, has);
	mock_free(&k);
	return has[0] ? value[0] : -1;
}

/* The receiver sleeps until the message is there, and goes on then. */
static void test_pipe(void **state)
{
	(void)state;
	EXPECT(HEAD "channels: {p: {kind: pipe}}\ntasks:\n"
		    "  r:\n    program: [recv: p, run: 1 us, count: n]\n"
		    "  s:\n    program: [run: 5 us, send: {to: p, size: 100 B}]\n",
	       "0 r block 0\n", "0 s work 5000\n", "5000 r woken 0\n",
	       "5000 r work 1000\n");
	/* it is there already: nobody sleeps */
	EXPECT(HEAD "channels: {p: {kind: pipe}}\ntasks:\n"
		    "  s:\n    program: [send: p]\n"
		    "  r:\n    program: [run: 5 us, recv: p, run: 1 us, count: n]\n",
	       "5000 r work 1000\n6000 r exit 0\n");
}

/*
 * 64 KiB in messages of 16 KiB: the fifth waits until one is taken. A socket's sender
 * waits until half of its buffer is free.
 */
static void test_full(void **state)
{
	(void)state;
	EXPECT(HEAD
	       "channels: {p: {kind: pipe, buffer: 64 KiB}}\ntasks:\n"
	       "  s:\n    program: [loop: {times: 5, do: [send: {to: p, size: 16 KiB}]}]\n"
	       "  r:\n    program: [loop: {times: 5, do: [run: 10 us, recv: p, count: n]}]\n",
	       "s block 0\n", "10000 s woken 0\n", "r exit 0");
	EXPECT(HEAD
	       "channels: {p: {kind: unix, buffer: 64 KiB}}\ntasks:\n"
	       "  s:\n    program: [loop: {times: 5, do: [send: {to: p, size: 16 KiB}]}]\n"
	       "  r:\n    program: [loop: {times: 5, do: [run: 10 us, recv: p, count: n]}]\n",
	       "s block 0\n", "20000 s woken 0\n", "r exit 0");
	/* one larger than the buffer goes alone */
	EXPECT(HEAD "channels: {p: {kind: pipe, buffer: 1 KiB}}\ntasks:\n"
		    "  s:\n    program: [send: {to: p, size: 1 MiB}, run: 1 us]\n"
		    "  r:\n    program: [recv: p, count: n]\n",
	       "s work 1000\n");
}

/* Datagrams that do not fit are lost, their sender does not wait. */
static void test_udp_drops(void **state)
{
	(void)state;
	assert_near(
		total_of(
			"start-jitter: 0\nduration: 1 s\nwarmup: 0\n"
			"metrics: {n: {total: n}}\n"
			"channels: {p: {kind: udp, buffer: 3 KiB}}\ntasks:\n"
			"  s:\n    program: [loop: {times: 9, do: [send: {to: p, size: 1 KiB}]}]\n"
			"  r:\n    program: [run: 5 us, loop: [recv: p, count: n]]\n",
			NS_PER_SEC),
		3, 0);
}

/* One poll set over three channels: first come first served, each keeps its number. */
static void test_poll(void **state)
{
	(void)state;
	EXPECT(HEAD
	       "polls: {set: {}}\n"
	       "channels:\n  in: {kind: tcp, count: 3, poll: set}\n  out: {kind: tcp, count: 3}\n"
	       "tasks:\n"
	       "  w:\n    program:\n      - loop: {times: 3, do: [recv: {poll: set}, run: 1 us, "
	       "send: \"out[from]\"]}\n"
	       "  c:\n    count: 3\n    program:\n      - run: 10 us\n"
	       "      - send: \"in[2 - own]\"\n      - recv: \"out[2 - own]\"\n      - run: 3 us\n"
	       "      - count: n\n",
	       "w block 0\n", "10000 w woken 0\n", "10000 w work 1000\n",
	       "11000 c0 woken 0\n", "12000 c1 woken 0\n", "13000 c2 woken 0\n");
}

/* A receiver that spins is never woken; it sees the message when the line has come. */
static void test_spin(void **state)
{
	(void)state;
	EXPECT(HEAD
	       "channels: {p: {kind: tcp}}\ntasks:\n"
	       "  r:\n    program: [recv: {from: p, spin: yes}, run: 1 us, count: n]\n"
	       "  s:\n    program: [run: 5 us, send: p]\n",
	       "0 r spin 0\n", "5000 r unspin 10\n", "5010 r work 1000\n");
}

/* More packets than softirq handles at once: ksoftirqd delivers, the sender goes on. */
static void test_ksoftirqd(void **state)
{
	(void)state;
	EXPECT(HEAD
	       "channels: {p: {kind: tcp, buffer: 1 GiB}}\ntasks:\n"
	       "  r:\n    program: [recv: p, run: 1 us, count: n]\n"
	       "  s:\n    program: [run: 5 us, send: {to: p, size: 1 MiB}, run: 2 us]\n",
	       "s work 2000\n", "r woken 0\n", "ksoftirqd/2 block 0\n");
	EXPECT(HEAD
	       "channels: {p: {kind: tcp, buffer: 1 GiB}}\ntasks:\n"
	       "  r:\n    program: [recv: p, run: 1 us, count: n]\n"
	       "  s:\n    program: [run: 5 us, send: {to: p, size: 640 KiB}, run: 2 us]\n",
	       "r woken 0\n", "s work 2000\n");
}

/* Two places: the third request waits for the first to end. */
static void test_device(void **state)
{
	(void)state;
	EXPECT(HEAD "devices: {d: {parallel: 2, service: 10 us}}\ntasks:\n"
		    "  t:\n    count: 3\n    program: [io: d, run: 1 us, count: n]\n",
	       "t0 io 10000\n", "t1 io 10000\n", "t2 io 20000\n", "20000 t2 work 1000\n");
	EXPECT(HEAD "devices: {d: {bandwidth: 1 GB/s}}\ntasks:\n"
		    "  t:\n    program: [io: {device: d, size: 4 KiB}, count: n]\n",
	       "t io 4096\n");
}

/* Who comes during a commit shares the next one. */
static void test_journal(void **state)
{
	(void)state;
	EXPECT(HEAD "devices: {j: {kind: journal, service: 10 us}}\ntasks:\n"
		    "  a:\n    program: [io: j, run: 30 us, io: j, count: n]\n"
		    "  t:\n    count: 3\n    program: [run: 2 us, io: j, count: n]\n",
	       "a io 10000\n", "t0 io 20000\n", "t1 io 20000\n", "t2 io 20000\n",
	       "a io 50000\n");
}

/* [INDEX]: own, pass, numbers, parameters, precedence; always within the count. */
static void test_index(void **state)
{
	(void)state;
	EXPECT(HEAD "params: {k: 2}\nchannels: {p: {kind: pipe, count: 8}}\ntasks:\n"
		    "  r:\n    count: 8\n    program: [recv: \"p[own]\", run: 1 us]\n"
		    "  s:\n    program:\n      - run: 5 us\n"
		    "      - loop: {times: 4, do: [send: \"p[pass * $k + 1]\"]}\n"
		    "      - loop: {times: 4, do: [send: \"p[(pass + 4) * 2 % 8]\"]}\n"
		    "      - count: n\n",
	       "r1 woken", "r3 woken", "r5 woken", "r7 woken", "r0 woken", "r2 woken",
	       "r4 woken", "r6 woken");
}

/* By weight; all lists come back to what follows. */
static void test_choose(void **state)
{
	double n;

	(void)state;
	n = total_of(HEAD
		     "tasks:\n  t:\n    program:\n      - loop:\n          times: 10000\n"
		     "          do:\n            - choose:\n"
		     "                - {weight: 3, do: [run: 1 us, count: n]}\n"
		     "                - {do: [run: 1 us]}\n",
		     NS_PER_SEC);
	assert_near(n, 7500, 130); /* three standard deviations of 43 */
}

/* Everybody waits for a message that nobody will send. */
static void test_deadlock(void **state)
{
	struct mock k;

	(void)state;
	mock_open(
		&k,
		HEAD
		"channels: {p: {kind: pipe, count: 2}}\ntasks:\n"
		"  t:\n    count: 2\n    program: [recv: \"p[own]\", send: \"p[1 - own]\", "
		"count: n]\n",
		1);
	mock_run(k.s, k.run, NS_PER_SEC);
	assert_int_equal(workload_check(k.run, &k.f), -1);
	assert_non_null(strstr(k.f.what, "deadlock"));
	assert_non_null(strstr(k.f.what, "for p"));
	mock_free(&k);
}

static void refuse(const char *text, const char *what)
{
	struct mock k;

	memset(&k, 0, sizeof(k));
	arena_init(&k.arena);
	if (!mock_load(&k, text))
		fail_msg("was loaded: %s", text);
	if (!strstr(k.f.what, what))
		fail_msg("said '%s', expected '%s'", k.f.what, what);
	assert_true(k.f.line > 0);
	arena_free(&k.arena);
}

#define TASK "tasks:\n  t:\n    program:\n      - count: n\n"

static void test_refusals(void **state)
{
	(void)state;
	refuse(HEAD "channels: {p: {kind: pip}}\n" TASK, "pipe");
	refuse(HEAD "channels: {p: {}}\n" TASK, "kind");
	refuse(HEAD "channels: {p: {kind: pipe, bufer: 1 KiB}}\n" TASK, "buffer");
	refuse(HEAD "channels: {p: {kind: pipe, poll: q}}\n" TASK, "no poll 'q'");
	refuse(HEAD "channels: {p: {kind: pipe}}\n" TASK "      - send: q\n",
	       "no channel 'q'");
	refuse(HEAD "channels: {p: {kind: pipe}}\n" TASK "      - send: \"p[owm]\"\n",
	       "own");
	refuse(HEAD "channels: {p: {kind: pipe}}\n" TASK "      - send: \"p[1\"\n",
	       "INDEX");
	refuse(HEAD "channels: {p: {kind: pipe}}\n" TASK "      - send: \"p[(1]\"\n",
	       "')'");
	refuse(HEAD "channels: {p: {kind: pipe}}\n" TASK
		    "      - send: {to: p, size: 0 B}\n",
	       "expected");
	refuse(HEAD TASK "      - recv: {}\n", "one of 'from' and 'poll'");
	refuse(HEAD "devices: {d: {}}\n" TASK, "service");
	refuse(HEAD "devices: {d: {kind: journal, service: 1 us, parallel: 2}}\n" TASK,
	       "one commit at a time");
	refuse(HEAD TASK "      - choose: [{weight: 0, do: [run: 1 us]}]\n",
	       "all weights are 0");
	refuse(HEAD TASK "      - choose: [{do: [run: forever]}]\n", "does not end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe),	  cmocka_unit_test(test_full),
		cmocka_unit_test(test_udp_drops), cmocka_unit_test(test_poll),
		cmocka_unit_test(test_spin),	  cmocka_unit_test(test_ksoftirqd),
		cmocka_unit_test(test_device),	  cmocka_unit_test(test_journal),
		cmocka_unit_test(test_index),	  cmocka_unit_test(test_choose),
		cmocka_unit_test(test_deadlock),  cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
