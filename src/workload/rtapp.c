/*
 * An rt-app file becomes a workload: see rtapp.h. How it ends:
 *
 *   a `duration`             by the clock, after so many seconds
 *   none, all tasks leave    fixed work, at most ten minutes
 *   none, some never leave   by the clock, after the native default (rt-app: never)
 *
 * Threads of rt-app start together; here the native start jitter is kept, so that
 * replicates differ.
 */
#include <string.h>

#include "rtapp.h"

#define FIXED_MAX_S   600u
#define IO_SERVICE_US 100u /* an estimate: a write to a device that is not /dev/null */

/* Maps that declare resources, in the order of enum rtapp_kind. */
static const char *const declared_as[RTAPP_KINDS] = {
	[RTAPP_LOCK] = "locks",
	[RTAPP_CONDITION] = "conditions",
	[RTAPP_BARRIER] = "barriers",
	[RTAPP_SEMAPHORE] = "semaphores",
};

static struct branch declaration(struct rtapp *r, const struct rtapp_resource *x)
{
	struct branch d = rtapp_map(r, x->at);

	if (x->kind == RTAPP_LOCK)
		rtapp_add(r, &d, "kind", rtapp_word(r, x->at, "futex"));
	if (x->kind == RTAPP_SEMAPHORE)
		rtapp_add(r, &d, "value", rtapp_word(r, x->at, "0"));
	if (x->kind == RTAPP_BARRIER)
		rtapp_add(r, &d, "parties",
			  rtapp_word(r, x->at, "%llu", (unsigned long long)x->parties));
	return d;
}

static void declare_device(struct rtapp *r)
{
	const struct ynode *at = r->io_at ? r->io_at : r->in;
	struct branch devices = rtapp_map(r, at), d = rtapp_map(r, at);

	if (!r->uses_io)
		return;
	rtapp_add(r, &d, "parallel", rtapp_word(r, at, "1"));
	rtapp_add(r, &d, "service", rtapp_word(r, at, "%u us", IO_SERVICE_US));
	rtapp_add(r, &devices, "io_device", d.node);
	rtapp_add(r, &r->root, "devices", devices.node);
}

static void declare(struct rtapp *r)
{
	struct branch maps[RTAPP_KINDS];

	for (u32 k = 0; k < RTAPP_KINDS; k++)
		maps[k] = rtapp_map(r, r->in);
	for (const struct rtapp_resource *x = r->resource; x; x = x->next)
		rtapp_add(r, &maps[x->kind], x->native, declaration(r, x).node);
	for (u32 k = 0; k < RTAPP_KINDS; k++)
		if (maps[k].node->n)
			rtapp_add(r, &r->root, declared_as[k], maps[k].node);
	if (r->cgroups.node->n)
		rtapp_add(r, &r->root, "cgroups", r->cgroups.node);
	declare_device(r);
}

/* True: some task that is ever started does not leave by itself. */
static bool endless(const struct rtapp *r)
{
	for (u32 i = 0; i < r->ntask; i++) {
		const struct rtapp_task *t = &r->task[i];

		if (t->endless && (t->instances || t->forked))
			return true;
	}
	return false;
}

static void ending(struct rtapp *r, bool fixed_work, bool ends_early)
{
	const struct ynode *at = r->duration ? r->duration : r->in;

	if (fixed_work) {
		rtapp_add(r, &r->root, "fixed-work", rtapp_word(r, at, "yes"));
		rtapp_add(r, &r->root, "duration",
			  rtapp_word(r, at, "%u s", FIXED_MAX_S));
		return;
	}
	if (r->duration)
		rtapp_add(r, &r->root, "duration",
			  rtapp_word(r, at, "%llu s", (unsigned long long)r->seconds));
	if (ends_early) {
		rtapp_add(r, &r->root, "ends-early", rtapp_word(r, at, "yes"));
		rtapp_add(r, &r->root, "warmup", rtapp_word(r, at, "0"));
	}
}

static int translate(struct rtapp *r)
{
	static const char *const keys[] = {"tasks", "global", "resources", NULL};
	bool fixed_work;

	if (rtapp_keys(r, r->in, keys) || rtapp_global(r) || rtapp_resources(r))
		return -1;
	r->root = rtapp_map(r, r->in);
	r->tasks = rtapp_map(r, r->in);
	r->cgroups = rtapp_map(r, r->in);
	rtapp_add(r, &r->root, "description", rtapp_word(r, r->in, "an rt-app file"));
	rtapp_add(r, &r->root, "source", rtapp_word(r, r->in, "rt-app"));
	if (rtapp_tasks_find(r) || rtapp_tasks(r))
		return -1;
	if (!r->tasks.node->n)
		return y_fail(y_get(r->in, "tasks"), r->f,
			      "no thread: every 'instance' is 0, expected one above 0");
	fixed_work = !endless(r) && !r->duration;
	ending(r, fixed_work, !endless(r) && r->duration);
	declare(r);
	rtapp_add(r, &r->root, "tasks", r->tasks.node);
	rtapp_metrics(r, fixed_work);
	return 0;
}

int rtapp_load(struct arena *a, const char *path, char *text, size_t len,
	       const struct ynode **out, struct failure *f)
{
	struct rtapp r = {.a = a, .f = f};

	r.last = &r.resource;
	if (rtapp_text(path, text, len, f) ||
	    yaml_load_text(a, path, text, len, &r.in, f))
		return -1;
	if (translate(&r))
		return -1;
	*out = r.root.node;
	return 0;
}
