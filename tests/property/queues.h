/*
 * A Poisson source sends through a channel to a server: M/M/1 and M/D/1. Mean time in the
 * system, in units of the mean service S = 1 ms:
 *
 *   M/M/1   1 / (1 - rho)              M/D/1   1 + rho / (2 (1 - rho))
 */
#ifndef TESTS_PROPERTY_QUEUES_H
#define TESTS_PROPERTY_QUEUES_H

#include "closed_form.h"

static inline void queue(const char *what, const char *service, u32 gap_us, u32 seconds,
			 double want, double tolerance)
{
	char text[1024];
	struct closed x;

	snprintf(
		text, sizeof(text),
		"description: a queue\nchannels: {q: {kind: pipe, buffer: 1 TiB}}\n"
		"duration: %u s\nwarmup: 1 s\ntasks:\n"
		"  source:\n    cpus: 0\n    program:\n"
		"      - loop: [sleep: {exp: %u us}, send: q]\n"
		"  server:\n    cpus: 1\n    program:\n      - loop:\n"
		"          - recv: q\n          - begin: {span: sojourn, from: message}\n"
		"          - run: %s\n          - end: sojourn\n"
		"metrics:\n  sojourn: {span: sojourn, stat: mean, unit: ms}\n",
		seconds, gap_us, service);
	closed_run(&x, 2, NULL, text, 1);
	assert_form(what, closed_metric(&x, "sojourn"), want, tolerance);
	arena_free(&x.arena);
}

static inline void mm1(double rho, u32 gap_us, u32 seconds)
{
	char what[64];

	snprintf(what, sizeof(what), "M/M/1 at %.2f", rho);
	queue(what, "{exp: 1 ms}", gap_us, seconds, 1 / (1 - rho), 0.02);
}

static inline void md1(double rho, u32 gap_us, u32 seconds)
{
	char what[64];

	snprintf(what, sizeof(what), "M/D/1 at %.2f", rho);
	queue(what, "1 ms", gap_us, seconds, 1 + rho / (2 * (1 - rho)), 0.02);
}

#endif
