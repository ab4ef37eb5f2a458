/* The document of one run: see experiment/run.h. Key names are part of the interface. */
#include "experiment/run.h"

#include <stdio.h>

static void put_spec(struct json *j, const struct run_spec *spec)
{
	json_str(j, "id", spec->id);
	json_str(j, "version", SIBYL_VERSION);
	json_str(j, "machine", spec->machine_name);
	json_str(j, "kernel", spec->kernel_name);
	json_str(j, "workload", spec->workload_name);
	json_str(j, "params", spec->params);
	json_u64(j, "seed", spec->seed);
}

static void put_outcome(struct json *j, const struct run_result *r)
{
	json_open(j, "metrics", '{');
	for (u32 i = 0; i < r->nmetric; i++) {
		if (r->metric[i].has)
			json_num(j, r->metric[i].name, r->metric[i].value);
		else
			json_str(j, r->metric[i].name, NULL);
	}
	json_close(j, '}');
	json_open(j, "groups", '[');
	for (u32 i = 0; i < r->ngroup; i++) {
		json_open(j, NULL, '{');
		json_str(j, "name", r->group[i].name);
		json_fixed(j, "cpu_s", r->group[i].cpu_ns, 9);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_numbers(struct json *j, const struct resource_number *n, u32 count)
{
	for (u32 k = 0; k < count; k++) {
		if (n[k].scale)
			json_fixed(j, n[k].name, n[k].value, n[k].scale);
		else
			json_u64(j, n[k].name, n[k].value);
	}
}

/* [{"kind": "locks", "name": "m", "acquisitions": 3, ...}]; absent if nothing is shared
 */
static void put_resources(struct json *j, const struct run_result *r)
{
	if (!r->nresource)
		return;
	json_open(j, "resources", '[');
	for (u32 i = 0; i < r->nresource; i++) {
		struct resource_number n[RESOURCE_NUMBERS];

		run_resource_numbers(&r->resource[i], n);
		json_open(j, NULL, '{');
		json_str(j, "kind", r->resource[i].kind);
		json_str(j, "name", r->resource[i].name);
		put_numbers(j, n, RESOURCE_NUMBERS);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* [{"name": "web", "quota_s": 0.05, "periods": 30, ...}]; absent if none has a limit */
static void put_limits(struct json *j, const struct run_result *r)
{
	if (!r->nlimit)
		return;
	json_open(j, "cgroups", '[');
	for (u32 i = 0; i < r->nlimit; i++) {
		struct resource_number n[LIMIT_NUMBERS];

		run_limit_numbers(&r->limit[i], n);
		json_open(j, NULL, '{');
		json_str(j, "name", r->limit[i].name);
		put_numbers(j, n, LIMIT_NUMBERS);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* {"core_s": 0, "levels": [{"domain": "MC", "bound_ms": 20, "longest_ms": 3, ...}]} */
static void put_wasted(struct json *j, const struct wasted *w)
{
	json_open(j, "wasted", '{');
	json_fixed(j, "wasted_core_s", w->time, 9);
	json_open(j, "levels", '[');
	for (u32 i = 0; i < w->nlevel; i++) {
		const struct wasted_level *l = &w->level[i];

		json_open(j, NULL, '{');
		json_str(j, "domain", l->domain);
		json_fixed(j, "bound_ms", l->bound, 6);
		json_fixed(j, "longest_ms", l->longest, 6);
		if (l->longest) {
			json_u64(j, "idle_cpu", l->idle);
			json_u64(j, "busy_cpu", l->busy);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

const char *run_account_name(const struct run_spec *spec, u32 i)
{
	return i && i <= plan_groups(spec->plan) ? plan_group_name(spec->plan, i - 1)
						 : "launcher";
}

/* Reasons that took no time are left out. */
static void put_row(struct json *j, const char *key, const char *name,
		    const struct account_row *r)
{
	json_open(j, NULL, '{');
	json_str(j, key, name);
	json_fixed(j, "all", r->sum, 9);
	for (u32 i = 0; i < REASON_COUNT; i++)
		if (r->ns[i])
			json_fixed(j, reason_rows[i].name, r->ns[i], 9);
	json_close(j, '}');
}

/* {"tasks": [{"group": "worker", "all": 4, "full_speed": 3, ...}], "cpus": [...]}, s */
static void put_account(struct json *j, const struct run_spec *spec,
			const struct run_account *a)
{
	char name[16];

	json_open(j, "time_s", '{');
	json_open(j, "tasks", '[');
	for (u32 i = 0; i < a->ngroup; i++)
		if (a->group[i].sum)
			put_row(j, "group", run_account_name(spec, i), &a->group[i]);
	json_close(j, ']');
	json_open(j, "cpus", '[');
	for (u32 i = 0; i < a->nnode; i++) {
		snprintf(name, sizeof(name), "%u", spec->machine->node[i].os);
		put_row(j, "node", name, &a->node[i]);
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* Absent if no task of the workload uses a region. */
static void put_memory(struct json *j, const struct sched_totals *t)
{
	if (!t->memory_local_ns && !t->memory_remote_ns)
		return;
	json_open(j, "memory", '{');
	json_fixed(j, "local_s", t->memory_local_ns, 9);
	json_fixed(j, "remote_s", t->memory_remote_ns, 9);
	json_u64(j, "faults_local", t->numa_faults_local);
	json_u64(j, "faults_remote", t->numa_faults_remote);
	json_u64(j, "pages_moved", t->numa_pages_moved);
	json_close(j, '}');
}

static void put_counters(struct json *j, const struct run_result *r)
{
	const struct sched_totals *t = &r->totals;

	json_u64(j, "switches", t->switches);
	json_u64(j, "migrations", t->migrations);
	json_u64(j, "wakeups", t->wakeups);
	json_open(j, "wake_us", '{');
	json_fixed(j, "p50", r->wake_p50, 3);
	json_fixed(j, "p95", r->wake_p95, 3);
	json_fixed(j, "p99", r->wake_p99, 3);
	json_fixed(j, "max", r->wake_max, 3);
	json_u64(j, "n", r->wake_n);
	json_close(j, '}');
	json_fixed(j, "idle_s", t->idle_ns, 9);
	json_fixed(j, "busy_s", t->busy_ns, 9);
	json_fixed(j, "work_s", t->work_ns, 9);
	json_fixed(j, "forced_idle_s", r->forced_idle_ns, 9);
	json_u64(j, "throttles", t->throttles);
	json_fixed(j, "throttled_s", t->throttled_ns, 9);
	json_fixed(j, "same_core_s", t->same_core_ns, 9);
	json_fixed(j, "lone_s", t->lone_ns, 9);
	json_fixed(j, "cross_cookie_leak_s", r->cross_cookie_leak_ns, 9);
	json_fixed(j, "cross_cookie_pending_s", r->cross_cookie_pending_ns, 9);
	put_memory(j, t);
	json_open(j, "system_s", '{');
	for (u32 i = 0; i < SYS_CAUSES; i++)
		json_fixed(j, sys_cause_name[i], t->system_ns[i], 9);
	json_close(j, '}');
	json_open(j, "decisions", '{');
	for (u32 i = 0; i < DEC_COUNT; i++)
		json_u64(j, decision_rows[i].name, t->decisions[i]);
	json_close(j, '}');
}

void run_json(const struct run_spec *spec, const struct run_result *r, bool with_timing,
	      struct text *out)
{
	char digest[17];
	struct json j;

	snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)r->digest);
	json_init(&j, out);
	json_open(&j, NULL, '{');
	put_spec(&j, spec);
	json_fixed(&j, "window_s", r->window_ns, 9);
	json_fixed(&j, "sim_s", r->sim_ns, 9);
	put_outcome(&j, r);
	put_resources(&j, r);
	put_limits(&j, r);
	put_counters(&j, r);
	if (r->has_wasted)
		put_wasted(&j, &r->wasted);
	if (r->has_account)
		put_account(&j, spec, &r->account);
	json_u64(&j, "events", r->events);
	json_str(&j, "digest", digest);
	if (with_timing) {
		json_fixed(&j, "wall_s", r->wall_ns, 9);
		json_fixed(&j, "cpu_s", r->cpu_ns, 9);
	}
	json_close(&j, '}');
}
