/*
 * `hotplug:` of a workload file, and the operation of that name: CPUs that go offline and
 * come online while the workload runs.
 *
 *   hotplug:
 *     - {at: 1 s, offline: "1,3"}    # echo 0 > /sys/devices/system/cpu/cpu1/online
 *     - {at: 2 s, online: "1,3"}
 *     - {at: 3 s, smt: off}          # echo off > /sys/devices/system/cpu/smt/control
 */
#include <string.h>

#include "compile.h"
#include "inst.h"

static const char *const changes[] = {"offline", "online", "smt"};

static int one_change(struct compiler *c, const struct ynode *map,
		      const struct ynode **out)
{
	*out = NULL;
	for (u32 i = 0; i < ARRAY_SIZE(changes); i++) {
		const struct ynode *n = y_get(map, changes[i]);

		if (n && *out)
			return y_fail_key(n, c->f,
					  "'%s' beside '%s', expected one of them",
					  n->key, (*out)->key);
		if (n)
			*out = n;
	}
	if (!*out)
		return y_fail(map, c->f, "no change, expected offline, online or smt");
	return 0;
}

/* Which of the keys is there is checked; `at` is read by the caller. */
static int compile_change(struct compiler *c, const struct ynode *map,
			  struct hotplug_change *out)
{
	const struct ynode *n;
	bool on;

	if (one_change(c, map, &n))
		return -1;
	if (strcmp(n->key, "smt")) {
		out->kind = strcmp(n->key, "online") ? HOTPLUG_OFFLINE : HOTPLUG_ONLINE;
		return cpus_possible(&c->env, c->a, n, &out->cpus);
	}
	if (y_bool(n, &on, c->f))
		return -1;
	out->kind = on ? HOTPLUG_SMT_ON : HOTPLUG_SMT_OFF;
	return 0;
}

int compile_hotplug_op(struct compiler *c, const struct ynode *arg,
		       struct hotplug_change *out)
{
	static const char *const keys[] = {"offline", "online", "smt", NULL};

	return y_check_keys(arg, keys, c->f) ? -1 : compile_change(c, arg, out);
}

int compile_hotplug(struct compiler *c, const struct ynode *list, struct workload_plan *p)
{
	static const char *const keys[] = {"at", "offline", "online", "smt", NULL};
	struct hotplug_change *h;

	if (!list)
		return 0;
	if (y_expect(list, Y_SEQ, c->f))
		return -1;
	p->hotplug = h = arena_array(c->a, struct hotplug_change, list->n + 1);
	y_for_each (entry, list) {
		const struct ynode *at;

		if (y_check_keys(entry, keys, c->f))
			return -1;
		at = y_need(entry, "at", c->f);
		if (!at || compile_time(c, at, 0, &h->at) || compile_change(c, entry, h))
			return -1;
		h++;
		p->nhotplug++;
	}
	return 0;
}

void hotplug_start(struct sched *s, const struct workload_plan *p, u64 origin)
{
	for (u32 i = 0; i < p->nhotplug; i++)
		sched_hotplug(s, origin + p->hotplug[i].at, p->hotplug[i].kind,
			      p->hotplug[i].cpus);
}
