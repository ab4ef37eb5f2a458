/*
 * The library of workloads does what its descriptions say, on the real simulator: counts
 * of messages, statements and compilers are those of the programs they stand for, and
 * where N clients wait for their replies, rate times latency is N (Little's law).
 */
#include "fixture.h"

struct setting {
	const char *name, *value;
};

/* One run of data/workloads/NAME.yaml on box-1s4c2t; up to four parameters. */
static void run_of(struct fixture *x, const char *name, const struct setting *p,
		   u64 duration, FILE *ftrace, struct run_result *r)
{
	static const char *kernel[] = {"linux-6.1"};
	const struct run_options opt = {.ftrace = ftrace};
	struct grid_request req = request_of(
		arena_printf(&x->arena, SIBYL_SOURCE_DATA "/workloads/%s.yaml", name),
		kernel, 1, 1);
	struct axis axis[4];
	struct grid g;
	char line[1100];

	req.machine = SIBYL_SOURCE_DATA "/machines/box-1s4c2t.yaml";
	req.axis = axis;
	req.duration = duration;
	for (; p && p->name; p++)
		axis[req.naxis++] = (struct axis){
			.name = p->name, (const char **)(void *)&p->value, 1};
	must_plan(x, &req, &g);
	if (!run_execute(&x->arena, &g.spec[0], &opt, r, &x->f))
		return;
	fail_format(&x->f, line, sizeof(line));
	fail_msg("%s: %s", name, line);
}

#define SET(...)                   \
	(const struct setting[])   \
	{                          \
		__VA_ARGS__,       \
		{                  \
			NULL, NULL \
		}                  \
	}

static double metric(const struct run_result *r, const char *name)
{
	for (u32 i = 0; i < r->nmetric; i++)
		if (!strcmp(r->metric[i].name, name)) {
			if (!r->metric[i].has)
				fail_msg("%s is n/a", name);
			return r->metric[i].value;
		}
	fail_msg("no metric %s", name);
	return 0;
}

static void near(double got, double want, double part)
{
	if (got < want * (1 - part) || got > want * (1 + part))
		fail_msg("%g, expected %g within %g %%", got, want, part * 100);
}

/* N clients that wait for each reply: throughput (1/s) x latency (us) is N. */
static void closed_loops(void **state)
{
	static const struct {
		const char *name, *param, *rate, *mean;
		double unit;
	} loops[] = {
		{"memcached", "clients", "qps", "request_mean", 1e6},
		{"pipe", "pairs", "ops_per_s", "us_per_op", 1e6},
		{"netperf-tcp-rr", "pairs", "transactions_per_s", "round_trip_mean", 1e6},
		{"netperf-udp-rr", "pairs", "transactions_per_s", "round_trip_mean", 1e6},
		{"netperf-unix-rr", "pairs", "transactions_per_s", "round_trip_mean",
		 1e6},
		{"tbench", "clients", "ops_per_s", "op_mean", 1e6},
		{"sysbench-cpu", "threads", "events_per_s", "event_mean", 1e3},
		{"sysbench-oltp", "threads", "transactions_per_s", "transaction_mean",
		 1e3},
	};
	struct fixture *x = *state;

	for (size_t i = 0; i < ARRAY_SIZE(loops); i++) {
		struct run_result r;

		run_of(x, loops[i].name, SET({loops[i].param, "6"}), NS_PER_SEC / 2, NULL,
		       &r);
		near(metric(&r, loops[i].rate) * metric(&r, loops[i].mean) /
			     loops[i].unit,
		     6, 0.02);
	}
}

/* Each of 20 senders writes `loops` messages to each of 20 receivers, in each group. */
static void hackbench(void **state)
{
	static const char *const form[] = {
		"hackbench-pipe-process", "hackbench-pipe-thread",
		"hackbench-socket-process", "hackbench-socket-thread"};
	struct fixture *x = *state;
	double elapsed[4];

	for (u32 i = 0; i < 4; i++) {
		struct run_result r;

		run_of(x, form[i], SET({"groups", "3"}, {"loops", "7"}), 0, NULL, &r);
		assert_true(metric(&r, "messages") == 400 * 3 * 7);
		elapsed[i] = metric(&r, "elapsed");
		/* all have left: 120 children, the parent */
		assert_int_equal(r.totals.exits, 121);
	}
	/* a socket's message costs more than a pipe's */
	assert_true(elapsed[2] > elapsed[0] && elapsed[3] > elapsed[1]);
}

/* A transaction is 20 round trips and one commit; edges of the window may cut one a
 * client.
 */
static void oltp(void **state)
{
	struct fixture *x = *state;
	struct run_result r;
	double done;

	run_of(x, "sysbench-oltp", SET({"threads", "5"}), NS_PER_SEC, NULL, &r);
	done = metric(&r, "transactions_per_s") * (double)r.window_ns / 1e9;
	assert_true(done > 100);
	assert_in_range((u64)metric(&r, "statements") + 100, (u64)(20 * done),
			(u64)(20 * done) + 200);
	assert_in_range((u64)metric(&r, "commits") + 5, (u64)done, (u64)done + 10);
}

/* Most compilers alive at once: forks and exits of cc1 in the trace. */
static u32 most_compilers(char *trace)
{
	u32 alive = 0, most = 0;

	for (char *line = strtok(trace, "\n"); line; line = strtok(NULL, "\n")) {
		if (strstr(line, "sched_process_fork:") &&
		    strstr(line, "child_comm=cc1 "))
			alive++;
		else if (strstr(line, "sched_process_exit:") &&
			 strstr(line, " comm=cc1 "))
			alive--;
		most = alive > most ? alive : most;
	}
	assert_int_equal(alive, 0);
	return most;
}

static void kernel_build(void **state)
{
	static const struct {
		const char *jobs;
		u32 n;
	} want[] = {{"1", 1}, {"3", 3}, {"8", 8}};
	struct fixture *x = *state;
	double alone = 0;

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct run_result r;
		char *trace;
		size_t len;
		FILE *f = open_memstream(&trace, &len);
		u64 cpu = 0;

		run_of(x, "kernel-build",
		       SET({"jobs", want[i].jobs}, {"objects", "40"}, {"serial", "1 s"}),
		       0, f, &r);
		fclose(f);
		assert_int_equal(most_compilers(trace), want[i].n);
		free(trace);
		assert_true(metric(&r, "objects") == 40);
		for (u32 g = 0; g < r.ngroup; g++)
			cpu += r.group[g].cpu_ns;
		if (want[i].n == 1) /* one after another: the sum of all that was done */
			near(metric(&r, "elapsed"), (double)cpu / 1e9, 0.005);
		else
			assert_true(metric(&r, "elapsed") < alone);
		alone = i ? alone : metric(&r, "elapsed");
	}
}

/*
 * Twice the threads share the same work. On as many cores that are used anyway they take
 * as long, since two of a core have the bandwidth of one; on free cores half as long.
 */
static void stream(void **state)
{
	static const char *const threads[] = {"2", "4", "8"};
	struct fixture *x = *state;
	double elapsed[3];

	for (u32 i = 0; i < 3; i++) {
		struct run_result r;

		run_of(x, "stream", SET({"threads", threads[i]}), 0, NULL, &r);
		elapsed[i] = metric(&r, "elapsed");
		near(metric(&r, "bandwidth") * (double)r.window_ns / 1e9,
		     10 * 5120 * 1.048576, 1e-6);
	}
	near(elapsed[1], elapsed[0] / 2, 0.05);
	near(elapsed[2], elapsed[1], 0.03);
}

/* Nothing is lost by tcp and unix; all but what is in the buffer arrives. */
static void netperf(void **state)
{
	struct fixture *x = *state;
	struct run_result r;
	double sent;

	run_of(x, "netperf-tcp-stream", SET({"size", "1 KiB"}), NS_PER_SEC, NULL, &r);
	sent = metric(&r, "sent");
	near(metric(&r, "received"), sent, 0.05);
	assert_true(sent > 1);
	run_of(x, "netperf-unix-stream", SET({"size", "1 KiB"}), NS_PER_SEC, NULL, &r);
	near(metric(&r, "received"), metric(&r, "sent"), 0.05);
	/* no receiver keeps up with this many senders on one CPU each: udp drops */
	run_of(x, "netperf-udp-stream", SET({"pairs", "12"}), NS_PER_SEC, NULL, &r);
	assert_true(metric(&r, "received") < metric(&r, "sent"));
}

static void tbench_payload(void **state)
{
	struct fixture *x = *state;
	struct run_result r;

	run_of(x, "tbench", SET({"clients", "8"}), 2 * NS_PER_SEC, NULL, &r);
	near(metric(&r, "throughput") * 1e6 / metric(&r, "ops_per_s"), 5428, 0.03);
}

/*
 * With a CPU for each: spin of a worker, spin and sleep of the message thread (30 + 30 +
 * 33.75 ms on average), and the wake-up is prompt.
 */
static void schbench(void **state)
{
	struct fixture *x = *state;
	struct run_result r;

	run_of(x, "schbench", SET({"messagers", "1"}, {"workers", "2"}), 19 * NS_PER_SEC,
	       NULL, &r);
	/* spins are work at nominal frequency: faster with few cores busy */
	assert_true(metric(&r, "wakes") >= 2 * 18 / 0.0938);
	assert_true(metric(&r, "wakes") <= 2 * 18 / 0.0938 * 1.08);
	assert_true(metric(&r, "late_p99") < 200);
}

static void yields(void **state)
{
	struct fixture *x = *state;
	struct run_result one, many;

	run_of(x, "sysbench-threads", SET({"events", "20"}), 0, NULL, &one);
	run_of(x, "sysbench-threads", SET({"events", "20"}, {"threads", "16"}), 0, NULL,
	       &many);
	near(metric(&one, "events_per_s") * (double)one.window_ns / 1e9, 20, 1e-6);
	near(metric(&many, "events_per_s") * (double)many.window_ns / 1e9, 320, 1e-6);
	assert_true(metric(&many, "elapsed") > metric(&one, "elapsed"));
}

#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(closed_loops), T(hackbench),	    T(oltp),
		T(kernel_build), T(stream),	    T(netperf),
		T(schbench),	 T(tbench_payload), T(yields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
