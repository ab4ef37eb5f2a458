/*
 * One run, from a spec to its numbers: see experiment/run.h. Leaves out what costs no
 * simulated time: where results go (store) and which runs there are (grid).
 *
 *   0 ........ warm-up ........ window ........ duration, or the end of a fixed work
 *   digest, events, trace: all of it; every other number: the window
 */
#include "experiment/run.h"

#include <string.h>
#include <time.h>

#include "observers.h"

/* The user is asked for and the trace is looked at once in so many events. */
#define POLL_EVENTS 4096u

/* Children of the run's stream. */
enum { STREAM_SCHED, STREAM_WORKLOAD };

struct sim {
	const struct run_spec *spec;
	const struct run_options *opt;
	struct arena arena;
	struct engine engine;
	struct sched_client client;
	struct sched *sched;
	struct workload_run *work;
	u64 code[SIM_KINDS];
	struct sink_digest digest;
	struct wake_sink wake;
	struct ftrace_sink ftrace;
	struct sched_totals before;  /* at the start of the window */
	u64 from;		     /* start of the window */
	struct wasted_watch *wasted; /* NULL = not asked for */
	struct account *account;     /* likewise */
	bool check, watched;	     /* recount; there is something to do at each event */
};

static u64 clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (u64)t.tv_sec * NS_PER_SEC + (u64)t.tv_nsec;
}

/* The metric that is asked for. */
static u32 accounted_metric(const struct sim *s)
{
	const struct workload_plan *plan = s->spec->plan;

	for (u32 i = 0; s->opt->account_metric && i < plan_metrics(plan); i++)
		if (!strcmp(plan_metric(plan, i)->name, s->opt->account_metric))
			return i;
	return plan_main_metric(plan);
}

static void sim_open(struct sim *s)
{
	const struct run_spec *spec = s->spec;
	struct stream root = stream_root(spec->seed);
	bool account = s->opt->account;

	arena_init(&s->arena);
	engine_init(&s->engine, &s->arena);
	s->work = workload_start(&s->arena, spec->plan,
				 stream_child(&root, STREAM_WORKLOAD), &s->client);
	s->sched = sched_new(&s->arena, &s->engine, spec->machine, spec->kernel,
			     &s->client, stream_child(&root, STREAM_SCHED));
	sim_kind_codes(s->code);
	sink_digest_init(&s->digest, s->code);
	engine_sink_add(&s->engine, &s->digest.sink);
	wake_sink_init(&s->wake, &s->arena);
	engine_sink_add(&s->engine, &s->wake.sink);
	if (s->opt->ftrace) {
		ftrace_sink_init(&s->ftrace, &s->arena, s->opt->ftrace, spec->machine);
		s->ftrace.sched = s->sched;
		engine_sink_add(&s->engine, &s->ftrace.sink);
	}
	if (s->opt->schedstat)
		sched_stat_on(s->sched);
	s->check = s->opt->check;
#ifdef SIBYL_CHECK
	account = s->check = true;
#endif
	if (account)
		s->account = account_new(&s->arena, s->sched, s->opt->best_hz,
					 !s->check && !s->opt->wasted);
	if (s->opt->account)
		workload_split(s->work, s->account, accounted_metric(s));
	if (s->opt->wasted)
		s->wasted = wasted_new(&s->arena, s->sched, !s->check);
	s->watched = s->check || s->wasted || s->account;
}

static bool raised(volatile const int *flag)
{
	return flag && __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static int poll_outside(struct sim *s, struct failure *f)
{
	if (raised(s->opt->stop) || raised(s->opt->halt))
		return fail_set(f, FAIL_INTERRUPTED, NULL, "interrupted");
	/* no use in going on for a trace that cannot be written; the end reports it */
	if (s->opt->ftrace && s->ftrace.error)
		return ftrace_sink_finish(&s->ftrace, f);
	return 0;
}

static int look(struct sim *s, struct failure *f)
{
	if (s->account)
		account_look(s->account);
	if (s->wasted)
		wasted_look(s->wasted);
	return s->check ? sched_check_touched(s->sched, f) : 0;
}

static int advance(struct sim *s, u64 until, struct failure *f)
{
	while (engine_step(&s->engine, until)) {
		if (s->watched && look(s, f))
			return -1;
		if (s->engine.events % POLL_EVENTS == 0 && poll_outside(s, f))
			return -1;
		if (workload_done(s->work))
			return workload_check(s->work, f);
	}
	return 0;
}

static int simulate(struct sim *s, struct failure *f)
{
	u64 warmup = plan_warmup(s->spec->plan);

	sched_start(s->sched);
	workload_launch(s->work, s->sched);
	if (warmup) {
		if (advance(s, warmup, f))
			return -1;
		sched_totals(s->sched, &s->before);
	}
	s->from = s->engine.now;
	wake_sink_restart(&s->wake, s->from);
	if (s->wasted)
		wasted_restart(s->wasted);
	if (s->account)
		account_restart(s->account);
	workload_measure_from_now(s->work, s->sched);
	if (!workload_done(s->work) && advance(s, s->spec->duration, f))
		return -1;
	if (s->account && account_check(s->account, f))
		return -1;
	return sched_check(s->sched, f);
}

/* now -= before. Every member of the totals is a u64 counter. */
static void subtract(struct sched_totals *now, const struct sched_totals *before)
{
	u64 a[sizeof(*now) / sizeof(u64)], b[sizeof(*now) / sizeof(u64)];

	_Static_assert(sizeof(*now) % sizeof(u64) == 0, "totals are u64 counters");
	memcpy(a, now, sizeof(a));
	memcpy(b, before, sizeof(b));
	for (size_t i = 0; i < ARRAY_SIZE(a); i++)
		a[i] -= b[i];
	memcpy(now, a, sizeof(a));
}

static void collect_metrics(struct sim *s, struct arena *a, struct run_result *out)
{
	const struct workload_plan *plan = s->spec->plan;
	u32 n = plan_metrics(plan);
	double *value = arena_array(&s->arena, double, n + 1);
	bool *has = arena_array(&s->arena, bool, n + 1);

	workload_metrics(s->work, s->sched, value, has);
	out->metric = arena_array(a, struct run_metric, n + 1);
	out->nmetric = n;
	out->main_metric = plan_main_metric(plan);
	for (u32 i = 0; i < n; i++) {
		const struct metric_decl *d = plan_metric(plan, i);

		out->metric[i] = (struct run_metric){
			.name = d->name,
			.unit = d->unit,
			.higher_better = d->higher_better,
			.has = has[i],
			.value = has[i] ? value[i] : 0,
		};
	}
}

static void collect_resources(struct sim *s, struct arena *a, struct run_result *out)
{
	struct run_resource one;
	u32 n = 0;

	while (workload_resources(s->work, n, &one.name, &one.kind, &one.ledger))
		n++;
	out->resource = arena_array(a, struct run_resource, n + 1);
	out->nresource = n;
	for (u32 i = 0; i < n; i++) {
		struct run_resource *r = &out->resource[i];

		workload_resources(s->work, i, &r->name, &r->kind, &r->ledger);
	}
}

static void collect_limits(struct sim *s, struct arena *a, struct run_result *out)
{
	struct run_limit one;
	u32 n = 0;

	while (workload_limits(s->work, n, &one.name, &one.limit, &one.stats))
		n++;
	out->limit = arena_array(a, struct run_limit, n + 1);
	out->nlimit = n;
	for (u32 i = 0; i < n; i++) {
		struct run_limit *l = &out->limit[i];

		workload_limits(s->work, i, &l->name, &l->limit, &l->stats);
	}
}

/* The time of the tasks that make the metric. */
static void collect_made(struct sim *s, struct run_account *out)
{
	const struct workload_plan *plan = s->spec->plan;
	bool *maker = arena_array(&s->arena, bool, plan_groups(plan) + 1);

	out->metric = accounted_metric(s);
	out->basis = plan_metric_basis(plan, out->metric, maker, &out->exact);
	out->events = workload_split_events(s->work, &out->event, &out->from, &out->to);
	out->count = workload_metric_count(s->work, out->metric);
	for (u32 g = 0; g < plan_groups(plan) && g + 1 < out->ngroup; g++) {
		out->made.sum += maker[g] ? out->group[g + 1].sum : 0;
		for (u32 i = 0; i < REASON_COUNT; i++)
			out->made.ns[i] += maker[g] ? out->group[g + 1].ns[i] : 0;
	}
}

static void collect_account(struct sim *s, struct arena *a, struct run_account *out)
{
	const struct account_row *row = account_tasks(s->account, &out->ngroup);

	out->group = arena_array(a, struct account_row, out->ngroup + 1);
	memcpy(out->group, row, sizeof(*row) * out->ngroup);
	row = account_cpus(s->account, &out->nnode);
	out->node = arena_array(a, struct account_row, out->nnode);
	memcpy(out->node, row, sizeof(*row) * out->nnode);
	collect_made(s, out);
}

static void collect(struct sim *s, struct arena *a, struct run_result *out)
{
	const struct workload_plan *plan = s->spec->plan;

	out->sim_ns = s->engine.now;
	out->window_ns = s->engine.now - s->from;
	collect_metrics(s, a, out);
	collect_resources(s, a, out);
	collect_limits(s, a, out);
	out->ngroup = plan_groups(plan);
	out->group = arena_array(a, struct run_group, out->ngroup + 1);
	for (u32 i = 0; i < out->ngroup; i++) {
		out->group[i].name = plan_group_name(plan, i);
		out->group[i].cpu_ns = workload_group_cpu(s->work, s->sched, i);
	}
	out->has_account = s->account && s->opt->account;
	if (out->has_account)
		collect_account(s, a, &out->account);
	out->has_wasted = s->wasted != NULL;
	if (s->wasted)
		wasted_read(s->wasted, &out->wasted);
	sched_totals(s->sched, &out->totals);
	subtract(&out->totals, &s->before);
	out->forced_idle_ns = out->totals.forced_idle_ns;
	out->cross_cookie_leak_ns = out->totals.cross_cookie_leak_ns;
	out->cross_cookie_pending_ns = out->totals.cross_cookie_pending_ns;
	out->wake_p50 = hist_quantile(&s->wake.hist, 5000);
	out->wake_p95 = hist_quantile(&s->wake.hist, 9500);
	out->wake_p99 = hist_quantile(&s->wake.hist, 9900);
	out->wake_max = s->wake.hist.max;
	out->wake_n = s->wake.hist.n;
	out->digest = digest_value(&s->digest.digest);
	out->events = s->engine.events;
}

void run_resource_numbers(const struct run_resource *r,
			  struct resource_number out[RESOURCE_NUMBERS])
{
	static const char *const transfers[LINE_DISTANCES] = {
		[LINE_OWN] = "transfers.own",	[LINE_SMT] = "transfers.smt",
		[LINE_LLC] = "transfers.llc",	[LINE_SOCKET] = "transfers.socket",
		[LINE_NODE] = "transfers.node",
	};
	const struct ledger *l = &r->ledger;
	u32 n = 0;

	out[n++] = (struct resource_number){"acquisitions", "", 0, l->acquisitions};
	out[n++] = (struct resource_number){"contended", "", 0, l->contended};
	out[n++] = (struct resource_number){"wait_s", "s", 9, l->wait_ns};
	out[n++] = (struct resource_number){"spin_s", "s", 9, l->spin_ns};
	out[n++] = (struct resource_number){"hold_s", "s", 9, l->hold_ns};
	for (u32 i = 0; i < LINE_DISTANCES; i++)
		out[n++] = (struct resource_number){transfers[i], "", 0, l->transfers[i]};
}

void run_limit_numbers(const struct run_limit *l,
		       struct resource_number out[LIMIT_NUMBERS])
{
	const struct limit_stats *st = &l->stats;
	const struct resource_number list[LIMIT_NUMBERS] = {
		{"quota_s", "s", 9, l->limit.quota},
		{"period_s", "s", 9, l->limit.period},
		{"used_s", "s", 9, st->used_ns},
		{"periods", "", 0, st->periods},
		{"throttled_periods", "", 0, st->throttled_periods},
		{"throttles", "", 0, st->throttles},
		{"throttled_s", "s", 9, st->throttled_ns},
		{"bursts", "", 0, st->bursts},
	};

	memcpy(out, list, sizeof(list));
}

int run_execute(struct arena *a, const struct run_spec *spec,
		const struct run_options *opt, struct run_result *out, struct failure *f)
{
	static const struct run_options none;
	u64 wall = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct arena own;
	struct sim *s;
	int err;

	/* a sim is large (histogram): it lives in an arena, not on a thread's stack */
	arena_init(&own);
	s = arena_new(&own, struct sim);
	s->spec = spec;
	s->opt = opt ? opt : &none;
	memset(out, 0, sizeof(*out));
	sim_open(s);
	err = simulate(s, f);
	if (!err)
		collect(s, a, out);
	if (!err && s->opt->schedstat)
		sched_stat_text(s->sched, s->opt->schedstat);
	if (s->opt->ftrace) {
		struct failure late;

		/* the first failure is the one to tell */
		if (ftrace_sink_finish(&s->ftrace, err ? &late : f))
			err = -1;
	}
	out->wall_ns = clock_ns(CLOCK_MONOTONIC) - wall;
	out->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	arena_free(&s->arena);
	arena_free(&own);
	return err;
}
