/*
 * `tasks` of an rt-app file before anything is translated: which keys stand where, names
 * and numbers of threads, who is forked, who never leaves.
 */
#include <string.h>

#include "rtapp.h"

#define TASKS_IN_FILE 10000u

/* Which keys an object may have. */
enum level { TASK_ALONE, TASK_OF_PHASES, PHASE };

static int refuse_old(struct rtapp *r, const struct ynode *n)
{
	static const char *const old[] = {"exec", "lock_order", "resources"};

	for (u32 i = 0; i < ARRAY_SIZE(old); i++)
		if (!strcmp(n->key, old[i]))
			return y_fail_key(n, r->f,
					  "'%s' is the grammar of rt-app 0.x, expected "
					  "events such as 'run' and 'timer'",
					  n->key);
	return 0;
}

static int refuse_property(struct rtapp *r, const struct ynode *n)
{
	static const char *const keys[][2] = {
		{"dl-runtime",
		 "SCHED_DEADLINE, and a custom slice from a file of rt-app, are"},
		{"dl-period", "SCHED_DEADLINE is"},
		{"dl-deadline", "SCHED_DEADLINE is"},
		{"period", "SCHED_DEADLINE is"},
		{"deadline", "SCHED_DEADLINE is"},
		{"util_min", "utilisation clamping is"},
		{"util_max", "utilisation clamping is"},
		{"nodes_membind", "binding memory to nodes is"},
		{"membind_nodes", "binding memory to nodes is"},
	};

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(n->key, keys[i][0]))
			return y_fail_key(n, r->f, "%s not modelled, expected no '%s'",
					  keys[i][1], n->key);
	return 0;
}

static int unknown(struct rtapp *r, const struct ynode *n, const char *const *keys,
		   u32 count)
{
	const char *near = nearest_name(n->key, keys, count);

	if (!near)
		near = rtapp_nearest_event(n->key);
	if (near)
		return y_fail_key(n, r->f, "unknown key '%.60s', expected '%s'?", n->key,
				  near);
	return y_fail_key(n, r->f,
			  "unknown key '%.60s', expected an event such as 'run' or "
			  "'timer', or one of 'loop', 'cpus', 'priority'...",
			  n->key);
}

static int check_key(struct rtapp *r, const struct ynode *map, const struct ynode *n,
		     enum level level)
{
	static const char *const keys[] = {"loop",	"policy",   "priority", "cpus",
					   "taskgroup", "instance", "delay",	"phases"};
	const u32 common = 5;

	if (refuse_old(r, n) || refuse_property(r, n))
		return -1;
	if (rtapp_is_event(n->key)) {
		if (level != TASK_OF_PHASES)
			return 0;
		return y_fail_key(n, r->f,
				  "event '%.40s' beside 'phases' never happens, expected "
				  "it in a phase",
				  n->key);
	}
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(keys[i], n->key))
			continue;
		if (y_get(map, n->key) != n)
			return y_fail_key(n, r->f, "'%s' is given twice", n->key);
		if (level == PHASE && i >= common)
			return y_fail_key(n, r->f,
					  "'%s' in a phase, expected it in the task",
					  n->key);
		return 0;
	}
	return unknown(r, n, keys, level == PHASE ? common : ARRAY_SIZE(keys));
}

static int check_object(struct rtapp *r, const struct ynode *map, enum level level)
{
	u32 events = 0;

	if (rtapp_object(r, map))
		return -1;
	y_for_each (n, map) {
		if (check_key(r, map, n, level))
			return -1;
		events += rtapp_is_event(n->key);
	}
	if (level == TASK_OF_PHASES || events)
		return 0;
	return y_fail(map, r->f, "no event, expected one such as 'run' or 'sleep'");
}

int rtapp_loop(struct rtapp *r, const struct ynode *map, bool phase, s64 unset, s64 *out)
{
	const struct ynode *n = y_get(map, "loop");

	*out = unset;
	if (!n)
		return 0;
	if (rtapp_int(r, n, -1, INT32_MAX, out))
		return -1;
	return phase && !*out ? y_fail(n, r->f,
				       "0 is for ever to rt-app, expected a count or -1")
			      : 0;
}

/* Loops and events of a task, before anything is translated. */
static int find_phases(struct rtapp *r, struct rtapp_task *t)
{
	const struct ynode *phases = y_get(t->in, "phases");
	s64 loop;

	if (!phases) {
		if (check_object(r, t->in, TASK_ALONE) ||
		    rtapp_loop(r, t->in, true, 1, &loop))
			return -1;
		t->loop = y_get(t->in, "loop") ? 1 : -1;
		t->endless = t->loop < 0 || loop < 0;
		return rtapp_events_find(r, t->in);
	}
	if (check_object(r, t->in, TASK_OF_PHASES) || rtapp_object(r, phases) ||
	    rtapp_loop(r, t->in, false, -1, &t->loop))
		return -1;
	if (!phases->n)
		return y_fail(phases, r->f, "no phase, expected one");
	t->endless = t->loop < 0;
	y_for_each (p, phases) {
		if (check_object(r, p, PHASE) || rtapp_loop(r, p, true, 1, &loop) ||
		    rtapp_events_find(r, p))
			return -1;
		t->endless |= loop < 0 && t->loop;
	}
	return 0;
}

static bool taken(const struct rtapp *r, u32 n, const char *name)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(r->task[i].name, name) ||
		    (r->task[i].template && !strcmp(r->task[i].template, name)))
			return true;
	return false;
}

/* A name that no task so far has: `base`, or with a number behind it. */
static const char *unique_name(struct rtapp *r, u32 n, const char *base)
{
	const char *name = base;

	for (u32 i = 1; taken(r, n, name); i++)
		name = arena_printf(r->a, "%s%u", base, i);
	return name;
}

struct rtapp_task *rtapp_task_named(struct rtapp *r, const char *name)
{
	for (u32 i = 0; i < r->ntask; i++)
		if (!strcmp(r->task[i].in->key, name))
			return &r->task[i];
	return NULL;
}

int rtapp_no_task(struct rtapp *r, const struct ynode *n, const char *name)
{
	const char **names = arena_array(r->a, const char *, r->ntask), *near;

	for (u32 i = 0; i < r->ntask; i++)
		names[i] = r->task[i].in->key;
	near = nearest_name(name, names, r->ntask);
	return y_fail(n, r->f, "no task '%.60s', expected %s%s", name,
		      near ? near : "one of 'tasks'", near ? "?" : "");
}

static int find_task(struct rtapp *r, const struct ynode *in)
{
	struct rtapp_task *t = &r->task[r->ntask];
	const struct ynode *n;
	s64 instances = 1;

	if (!*in->key)
		return y_fail_key(in, r->f, "an empty name");
	if (rtapp_object(r, in))
		return -1;
	n = y_get(in, "instance");
	if (n && rtapp_int(r, n, 0, TASKS_MAX, &instances))
		return -1;
	t->in = in;
	t->name = unique_name(r, r->ntask, in->key);
	t->instances = (u64)instances;
	t->first = r->nthread;
	r->nthread += t->instances;
	r->ntask++;
	return 0;
}

int rtapp_tasks_find(struct rtapp *r)
{
	const struct ynode *tasks = y_need(r->in, "tasks", r->f);

	if (!tasks || rtapp_object(r, tasks))
		return -1;
	if (!tasks->n || tasks->n > TASKS_IN_FILE)
		return y_fail(tasks, r->f, "%u tasks, expected 1 to %u", tasks->n,
			      TASKS_IN_FILE);
	r->task = arena_array(r->a, struct rtapp_task, tasks->n);
	y_for_each (in, tasks)
		if (find_task(r, in))
			return -1;
	for (u32 i = 0; i < r->ntask; i++) {
		r->now = &r->task[i];
		if (find_phases(r, r->now))
			return -1;
	}
	for (u32 i = 0; i < r->ntask; i++) {
		struct rtapp_task *t = &r->task[i];

		if (t->forked)
			t->template = !t->instances
					      ? t->name
					      : unique_name(r, r->ntask,
							    arena_printf(r->a, "%s-fork",
									 t->name));
	}
	return 0;
}
