/*
 * What is measured of an rt-app file:
 *
 *   elapsed              fixed work: how long all of it takes
 *   wake_TASK_p95, _p99  wake-up latency of its timers that were not late ("wu_lat")
 *   missed_TASK          timers a second that were late ("slack" below 0)
 *   period_TASK_p95      time of a pass through a phase ("period")
 *   loops, loops_TASK    passes through phases a second: the lines of rt-app's logs
 *   share_TASK           its CPU time, over that of all online CPUs
 *
 * The first of them is the one that a table shows.
 */
#include "rtapp.h"

static void metric(struct rtapp *r, struct branch *to, const struct ynode *at,
		   const char *name, const char *kind, const char *of, const char *more,
		   const char *value)
{
	struct branch m = rtapp_map(r, at);

	rtapp_add(r, &m, kind, rtapp_word(r, at, "%s", of));
	if (more)
		rtapp_add(r, &m, more, rtapp_word(r, at, "%s", value));
	rtapp_add(r, to, name, m.node);
}

static bool present(const struct rtapp_task *t)
{
	return t->instances || t->forked;
}

static void timed(struct rtapp *r, struct branch *to)
{
	const struct ynode *at = r->now->in;
	const char *wake = rtapp_label(r, "wake"), *missed = rtapp_label(r, "missed");
	const char *period = rtapp_label(r, "period");

	metric(r, to, at, arena_printf(r->a, "%s_p95", wake), "span", wake, "percentile",
	       "95");
	metric(r, to, at, arena_printf(r->a, "%s_p99", wake), "span", wake, "percentile",
	       "99");
	metric(r, to, at, missed, "rate", missed, "better", "lower");
	metric(r, to, at, arena_printf(r->a, "%s_p95", period), "span", period,
	       "percentile", "95");
}

void rtapp_metrics(struct rtapp *r, bool fixed_work)
{
	const struct ynode *at = r->in;
	struct branch m = rtapp_map(r, at);

	if (fixed_work)
		metric(r, &m, at, "elapsed", "elapsed", "yes", NULL, NULL);
	for (u32 i = 0; i < r->ntask; i++) {
		r->now = &r->task[i];
		if (present(r->now) && r->now->timed)
			timed(r, &m);
	}
	metric(r, &m, at, "loops", "rate", "loops", NULL, NULL);
	for (u32 i = 0; i < r->ntask; i++) {
		const struct rtapp_task *t = r->now = &r->task[i];
		const char *loops = rtapp_label(r, "loops");

		if (!present(t))
			continue;
		metric(r, &m, t->in, loops, "rate", loops, NULL, NULL);
		if (t->instances)
			metric(r, &m, t->in, arena_printf(r->a, "share_%s", t->name),
			       "share", t->name, NULL, NULL);
		if (t->forked)
			metric(r, &m, t->in, arena_printf(r->a, "share_%s", t->template),
			       "share", t->template, NULL, NULL);
	}
	rtapp_add(r, &r->root, "metrics", m.node);
}
