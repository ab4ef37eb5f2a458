/*
 * Everything that the programs of a file share, kind by kind: declared, made, and counted
 * in the ledgers that metrics and the result of a run read.
 */
#include "resources.h"

#include <string.h>

#include "channel.h"
#include "device.h"
#include "line.h"
#include "memory.h"
#include "sync.h"

const char *const resource_stats[RES_STATS] = {
	[RES_ACQUISITIONS] = "acquisitions",
	[RES_CONTENDED] = "contended",
	[RES_WAIT] = "wait",
	[RES_SPIN] = "spin",
	[RES_HOLD] = "hold",
};

#define AT(member) offsetof(struct resources, member)

/* Each end of a message uses the line once. */
static struct ledger *channel_ledger(struct workload_run *r, u32 i)
{
	return &r->channels->chan[i].line;
}

static struct ledger *device_ledger(struct workload_run *r, u32 i)
{
	return &r->devices->dev[i].ledger;
}

const struct resource_kind resource_kinds[] = {
	{"lock", "locks", AT(locks), RES_STATS, lock_ledger},
	{"condition", "conditions", AT(conditions), RES_SPIN, condition_ledger},
	{"semaphore", "semaphores", AT(semaphores), RES_SPIN, semaphore_ledger},
	{"barrier", "barriers", AT(barriers), RES_HOLD, barrier_ledger},
	{"line", "lines", AT(lines), RES_SPIN, line_ledger},
	{"channel", "channels", AT(channels), RES_CONTENDED, channel_ledger},
	{"device", "devices", AT(devices), RES_STATS, device_ledger},
};
const u32 resource_kind_count = ARRAY_SIZE(resource_kinds);

int compile_resources(struct compiler *c, const struct workload *w)
{
	struct resources *r = &c->res;

	if (compile_decls(c, w->polls, &poll_decl_type, &r->polls) ||
	    compile_decls(c, w->channels, &channel_decl_type, &r->channels) ||
	    compile_decls(c, w->devices, &device_decl_type, &r->devices) ||
	    compile_decls(c, w->memory, &region_decl_type, &r->memory))
		return -1;
	return compile_decls(c, w->locks, &lock_decl_type, &r->locks) ||
	       compile_decls(c, w->conditions, &condition_decl_type, &r->conditions) ||
	       compile_decls(c, w->semaphores, &semaphore_decl_type, &r->semaphores) ||
	       compile_decls(c, w->barriers, &barrier_decl_type, &r->barriers) ||
	       compile_decls(c, w->lines, &line_decl_type, &r->lines);
}

void resources_start(struct workload_run *r, struct arena *a)
{
	r->channels = channels_new(a, r->plan);
	r->devices = devices_new(a, r->plan);
	r->locks = locks_start(a, r->plan);
	r->sync = sync_start(a, r->plan);
	r->lines = lines_start(a, r->plan);
}

const struct decls *resource_decls(const struct resources *res, u32 kind)
{
	return (const void *)((const char *)res + resource_kinds[kind].decls);
}

void resource_sum(struct workload_run *r, u32 kind, const struct decl *d,
		  struct ledger *out)
{
	*out = (struct ledger){0};
	for (u32 i = 0; i < d->count; i++)
		ledger_add(out, resource_kinds[kind].ledger(r, d->first + i));
}

void resource_values(const struct ledger *l, u64 out[RES_STATS])
{
	out[RES_ACQUISITIONS] = l->acquisitions;
	out[RES_CONTENDED] = l->contended;
	out[RES_WAIT] = l->wait_ns;
	out[RES_SPIN] = l->spin_ns;
	out[RES_HOLD] = l->hold_ns;
}

void resources_settle(struct workload_run *r)
{
	u64 now = sched_now(r->sched);

	for (struct inst *t = r->alive; t; t = t->next) {
		struct ledger *l = t->waits_on;
		u64 cpu;

		locks_settle(r, t);
		if (!l)
			continue;
		cpu = task_cpu_time(r->sched, t->task);
		l->wait_ns += now - t->wait_from;
		l->spin_ns += cpu - t->wait_cpu;
		t->wait_from = now;
		t->wait_cpu = cpu;
	}
}

/* What a ledger knows of the present stays: who has it, until when. */
static void forget(struct ledger *l)
{
	*l = (struct ledger){.free_at = l->free_at, .cpu = l->cpu};
}

void resources_reset(struct workload_run *r)
{
	resources_settle(r);
	for (u32 k = 0; k < resource_kind_count; k++)
		for (u32 i = 0; i < resource_decls(&r->plan->res, k)->total; i++)
			forget(resource_kinds[k].ledger(r, i));
}

bool workload_resources(struct workload_run *r, u32 i, const char **name,
			const char **kind, struct ledger *ledger)
{
	for (u32 k = 0; k < resource_kind_count; k++) {
		const struct decls *list = resource_decls(&r->plan->res, k);

		if (i >= list->n) {
			i -= list->n;
			continue;
		}
		*name = list->d[i]->name;
		*kind = resource_kinds[k].plural;
		resource_sum(r, k, list->d[i], ledger);
		return true;
	}
	return false;
}
