/* A bar on stderr with the time that is left. Nothing if stderr is no terminal. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

#define BAR_WIDTH 30u

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * NS_PER_SEC + (u64)t.tv_nsec;
}

void progress_start(struct progress *p)
{
	p->on = isatty(STDERR_FILENO) == 1;
	p->started = now_ns();
	p->drawn = 0;
}

void progress_draw(struct progress *p, u32 done, u32 total)
{
	u64 now, left;
	u32 filled;

	if (!p->on || !total)
		return;
	now = now_ns();
	if (done < total && p->drawn && now - p->drawn < 100 * NS_PER_MS)
		return;
	p->drawn = now;
	filled = done * BAR_WIDTH / total;
	fprintf(stderr, "\r  [%.*s%.*s] %u of %u runs", (int)filled,
		"##############################", (int)(BAR_WIDTH - filled),
		"..............................", done, total);
	if (done && done < total) {
		left = mul_div(now - p->started, total - done, done) / NS_PER_SEC;
		fprintf(stderr, ", %llu:%02llu left ", (unsigned long long)(left / 60),
			(unsigned long long)(left % 60));
	}
	fprintf(stderr, "\033[K");
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->on && p->drawn)
		fprintf(stderr, "\r\033[K");
}
