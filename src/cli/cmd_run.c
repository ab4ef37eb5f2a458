/* sibyl run: one run, its numbers as text or JSON; a trace and schedstat if asked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const char *one_value(struct cli *c, const struct options *o)
{
	for (u32 i = 0; i < o->req.naxis; i++)
		if (o->req.axis[i].n != 1)
			return arena_printf(&c->arena, "-p %s", o->req.axis[i].name);
	return o->req.nkernel > 1 ? "-k" : NULL;
}

static void put_wasted(struct table *t, const struct wasted *w)
{
	for (u32 i = 0; i < w->nlevel; i++) {
		const struct wasted_level *l = &w->level[i];

		table_cell(t, "longest idle while a task waited, %s", l->domain);
		table_cell(t, "%.6g", (double)l->longest / 1e6);
		table_cell(t, "ms, bound %.6g ms", (double)l->bound / 1e6);
	}
	table_cell(t, "wasted_core_s");
	table_cell(t, "%.6g", (double)w->time / 1e9);
	table_cell(t, "s of CPUs beyond that");
}

static void put_account(struct table *t, const struct run_spec *spec,
			const struct run_account *a)
{
	for (u32 g = 0; g < a->ngroup; g++)
		for (u32 i = 0; i < REASON_COUNT; i++) {
			const struct account_row *r = &a->group[g];

			if (!r->ns[i])
				continue;
			table_cell(t, "%s: %s", run_account_name(spec, g),
				   reason_rows[i].name);
			table_cell(t, "%.6g", (double)r->ns[i] / 1e9);
			table_cell(t, "s, %.1f %% of its tasks' time",
				   100 * (double)r->ns[i] / (double)r->sum);
		}
}

/* cpu.stat of the cgroups that have a limit */
static void put_limits(struct table *t, const struct run_result *r)
{
	for (u32 i = 0; i < r->nlimit; i++) {
		const struct limit_stats *st = &r->limit[i].stats;

		table_cell(t, "throttled, cgroup %s", r->limit[i].name);
		table_cell(t, "%.6g", (double)st->throttled_ns / 1e9);
		table_cell(t,
			   "s of its CPUs, in %llu of %llu periods; used %.6g s of CPU "
			   "time",
			   (unsigned long long)st->throttled_periods,
			   (unsigned long long)st->periods, (double)st->used_ns / 1e9);
	}
}

/* All counters but the simulated time are of the window that is measured. */
static void put_busy(struct table *t, const struct run_result *r)
{
	double busy = (double)r->totals.busy_ns, idle = (double)r->totals.idle_ns;

	if (!(busy + idle > 0))
		return;
	table_cell(t, "CPUs busy");
	table_cell(t, "%.3g", 100 * busy / (busy + idle));
	table_cell(t, "%% of their time");
	if (!r->forced_idle_ns)
		return;
	table_cell(t, "forced idle");
	table_cell(t, "%.3g", 100 * (double)r->forced_idle_ns / (busy + idle));
	table_cell(t, "%% of their time");
}

static void print_text(const struct run_spec *spec, const struct run_result *r,
		       struct text *out)
{
	struct table t;

	text_fmt(out, "%s, %s%s%s, %s, seed %llu\n\n", spec->machine_name,
		 spec->workload_name, *plan_params(spec->plan) ? " " : "",
		 plan_params(spec->plan), spec->kernel_name,
		 (unsigned long long)spec->seed);
	table_init(&t, 3, 1u << 1);
	for (u32 i = 0; i < r->nmetric; i++) {
		const struct run_metric *m = &r->metric[i];

		table_cell(&t, "%s", m->name);
		if (m->has)
			table_cell(&t, "%.6g", m->value);
		else
			table_cell(&t, "n/a");
		table_cell(&t, "%s, %s is better", m->unit,
			   m->higher_better ? "higher" : "lower");
	}
	for (u32 i = 0; i < r->ngroup; i++) {
		table_cell(&t, "cpu time of %s", r->group[i].name);
		table_cell(&t, "%.6g", (double)r->group[i].cpu_ns / 1e9);
		table_cell(&t, "s");
	}
	for (u32 i = 0; i < r->nresource; i++) {
		const struct ledger *l = &r->resource[i].ledger;

		table_cell(&t, "%s %s", r->resource[i].kind, r->resource[i].name);
		table_cell(&t, "%llu", (unsigned long long)l->acquisitions);
		table_cell(&t, "times, %llu contended; waited %.6g s, %.6g s on a CPU",
			   (unsigned long long)l->contended, (double)l->wait_ns / 1e9,
			   (double)l->spin_ns / 1e9);
	}
	put_limits(&t, r);
	put_busy(&t, r);
	table_cell(&t, "wake-up to running");
	table_cell(&t, "%.6g", (double)r->wake_p50 / 1e3);
	table_cell(&t, "us median; %.6g us p99, %.6g us most", (double)r->wake_p99 / 1e3,
		   (double)r->wake_max / 1e3);
	table_cell(&t, "switches");
	table_cell(&t, "%llu", (unsigned long long)r->totals.switches);
	table_cell(&t, "migrations %llu, wake-ups %llu",
		   (unsigned long long)r->totals.migrations,
		   (unsigned long long)r->totals.wakeups);
	if (r->has_wasted)
		put_wasted(&t, &r->wasted);
	if (r->has_account)
		put_account(&t, spec, &r->account);
	table_cell(&t, "simulated");
	table_cell(&t, "%.6g", (double)r->sim_ns / 1e9);
	table_cell(&t, "s, %.6g s measured", (double)r->window_ns / 1e9);
	table_cell(&t, "took");
	table_cell(&t, "%.3g", (double)r->wall_ns / 1e9);
	table_cell(&t, "s, %llu events", (unsigned long long)r->events);
	table_render(&t, out, "");
	table_free(&t);
	text_fmt(out, "digest %016llx\n", (unsigned long long)r->digest);
}

static int store_it(struct cli *c, const struct options *o, const struct run_spec *spec,
		    const struct run_result *r)
{
	struct store *store;
	int err;

	if (!o->has_db)
		return 0;
	if (store_open(&store, o->db, &c->fail))
		return -1;
	err = store_append(store, spec, r, &c->fail);
	store_close(store);
	return err;
}

static int close_file(struct cli *c, FILE *f, const char *path)
{
	bool bad = ferror(f) != 0;

	if ((f == stdout ? fflush(f) : fclose(f)) || bad)
		return fail_set(&c->fail, FAIL_IO, path, "cannot be written: %s",
				strerror(errno));
	return 0;
}

/* A file to write, opened before anything is simulated; "-" is the standard output. */
static int open_file(struct cli *c, const char *path, FILE **out)
{
	if (!path)
		return 0;
	*out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	if (!*out)
		return fail_set(&c->fail, FAIL_IO, path, "cannot be written: %s",
				strerror(errno));
	return 0;
}

static int execute(struct cli *c, const struct options *o, const struct run_spec *spec,
		   struct run_result *r)
{
	struct run_options opt = {
		.stop = &c->stop,
		.check = o->recount,
		.wasted = o->wasted,
		.account = o->account,
	};
	struct text stat = {0};
	FILE *stat_out = NULL;
	int err;

	if (open_file(c, o->trace, &opt.ftrace) || open_file(c, o->schedstat, &stat_out))
		return -1;
	if (stat_out)
		opt.schedstat = &stat;
	err = run_execute(&c->arena, spec, &opt, r, &c->fail);
	if (opt.ftrace && !err)
		err = close_file(c, opt.ftrace, o->trace);
	else if (opt.ftrace && opt.ftrace != stdout)
		fclose(opt.ftrace);
	if (stat_out && !err) {
		fwrite(stat.s, 1, stat.len, stat_out);
		err = close_file(c, stat_out, o->schedstat);
	} else if (stat_out && stat_out != stdout) {
		fclose(stat_out);
	}
	text_free(&stat);
	return err;
}

int cmd_run(struct cli *c, struct options *o)
{
	struct run_result r;
	struct grid g;
	const char *many;

	if (cli_need_names(c, o))
		return -1;
	many = one_value(c, o);
	if (many)
		return fail_set(
			&c->fail, FAIL_INPUT, NULL,
			"%s has more than one value, expected one (or use compare)",
			many);
	o->req.runs = 1;
	if (request_plan(&c->arena, &c->library, &o->req, &g, &c->fail) ||
	    cli_watch_signals(&c->stop, &c->fail) || execute(c, o, &g.spec[0], &r) ||
	    store_it(c, o, &g.spec[0], &r))
		return -1;
	if (o->json) {
		run_json(&g.spec[0], &r, true, &c->out);
		text_char(&c->out, '\n');
	} else if ((!o->trace || strcmp(o->trace, "-")) &&
		   (!o->schedstat || strcmp(o->schedstat, "-"))) {
		print_text(&g.spec[0], &r, &c->out);
	}
	return 0;
}
