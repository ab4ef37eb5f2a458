/* Wake-up latency: see observers.h. */
#include "observers.h"

#include <string.h>

static void grow(struct wake_sink *w, u32 id)
{
	u32 n = max_u32(max_u32(64, w->n * 2), id + 1);
	u64 *marked = arena_array(w->arena, u64, n);

	if (w->n)
		memcpy(marked, w->marked, w->n * sizeof(*marked));
	w->marked = marked;
	w->n = n;
}

static void on_wakeup(struct wake_sink *w, u32 id, u64 time)
{
	if (id >= w->n)
		grow(w, id);
	/* a second wake-up of a task that waits already does not restart its clock */
	if (!w->marked[id])
		w->marked[id] = time + 1;
}

static void on_switch(struct wake_sink *w, const struct sim_event *ev)
{
	u64 woken;

	/*
	 * A task that was woken while it still ran (it was about to sleep) did not wait:
	 * its mark must not survive until some later switch.
	 */
	if (ev->other < w->n)
		w->marked[ev->other] = 0;
	if (ev->who >= w->n || !w->marked[ev->who])
		return;
	woken = w->marked[ev->who] - 1;
	w->marked[ev->who] = 0;
	if (woken >= w->from)
		hist_add(&w->hist, ev->time - woken);
}

static void wake_event(struct sink *self, const struct sim_event *ev)
{
	struct wake_sink *w = container_of(self, struct wake_sink, sink);

	if (ev->kind == SIM_SWITCH)
		on_switch(w, ev);
	else if ((ev->kind == SIM_WAKEUP || ev->kind == SIM_WAKEUP_NEW) &&
		 ev->who != NO_TASK)
		on_wakeup(w, ev->who, ev->time);
}

void wake_sink_init(struct wake_sink *w, struct arena *a)
{
	memset(w, 0, sizeof(*w));
	w->sink.event = wake_event;
	w->arena = a;
}

void wake_sink_restart(struct wake_sink *w, u64 now)
{
	memset(&w->hist, 0, sizeof(w->hist));
	w->from = now;
}
