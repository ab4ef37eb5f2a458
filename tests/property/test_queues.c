/*
 * Conversations against closed forms of queueing theory, at loads where a short run is
 * enough. Tolerance 2 %: the mean over n customers has a relative standard error of about
 * 2 / ((1 - rho) sqrt(n)), 1 % here; loads near 1 are in long_saturation.c.
 */
#include "queues.h"

static void test_mm1(void **state)
{
	(void)state;
	mm1(0.5, 2000, 400);
	mm1(0.8, 1250, 1250);
}

static void test_md1(void **state)
{
	(void)state;
	md1(0.5, 2000, 400);
	md1(0.8, 1250, 1250);
}

/*
 * n tasks that think and then ask a device: the machine repairman. With exponential times
 * (1 ms of service, `think` ms between) and c places the number k at the device has
 *
 *   p(k) ~ n! / (n - k)! * r^k / (k! if k <= c, else c! c^(k - c)),   r = 1 / think
 *
 * and requests are served at the rate sum p(k) min(k, c). Tolerance 2 %: some 20,000
 * requests a run have a relative standard error below 1 %.
 */
static double repairman(u32 n, u32 c, double think)
{
	double weight = 1, sum = 1, rate = 0;

	for (u32 k = 1; k <= n; k++) {
		weight *= (n - k + 1) / think / (k <= c ? k : c);
		sum += weight;
		rate += weight * (k <= c ? k : c);
	}
	return rate / sum * 1000;
}

static void device(u32 n, u32 c, u32 think_ms, u32 seconds)
{
	char text[1024], what[80];
	struct closed x;

	snprintf(
		text, sizeof(text),
		"description: a device\ndevices: {d: {parallel: %u, service: {exp: 1 ms}}}\n"
		"duration: %u s\nwarmup: 1 s\ntasks:\n  t:\n    count: %u\n"
		"    program:\n      - loop: [sleep: {exp: %u ms}, io: d, count: done]\n"
		"metrics:\n  rate: {rate: done}\n",
		c, seconds, n, think_ms);
	closed_run(&x, n, NULL, text, 1);
	snprintf(what, sizeof(what), "%u tasks, %u places, think %u ms", n, c, think_ms);
	assert_form(what, closed_metric(&x, "rate"), repairman(n, c, think_ms), 0.02);
	arena_free(&x.arena);
}

/* The device is the bottleneck (busy all the time), or hardly in use. */
static void test_device(void **state)
{
	(void)state;
	device(8, 1, 2, 30);
	device(8, 2, 2, 20);
	device(8, 8, 2, 10);
	device(4, 1, 40, 200);
}

/*
 * A journal whose commits take 1 ms. One writer has a commit each. Of n that do nothing
 * else the first has one alone, the others share the next, and so the two parties go on
 * in turn: each of the n commits every 2 ms.
 */
static void test_journal(void **state)
{
	(void)state;
	for (u32 n = 1; n <= 16; n *= 4) {
		char text[512], what[64];
		struct closed x;

		snprintf(text, sizeof(text),
			 "description: a journal\nstart-jitter: 0\n"
			 "devices: {j: {kind: journal, service: 1 ms}}\n"
			 "duration: 10 s\nwarmup: 1 s\ntasks:\n  t:\n    count: %u\n"
			 "    program:\n      - loop: [io: j, count: done]\n"
			 "metrics:\n  rate: {rate: done}\n",
			 n);
		closed_run(&x, n, NULL, text, 1);
		snprintf(what, sizeof(what), "%u writers", n);
		assert_form(what, closed_metric(&x, "rate"), n == 1 ? 1000 : n * 500.0,
			    0.02);
		arena_free(&x.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mm1),
		cmocka_unit_test(test_md1),
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
