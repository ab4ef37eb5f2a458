/*
 * Binding: every number becomes known, programs are compiled, the file's own promises
 * (fixed work or the clock) are checked against its programs.
 */
#include "bind.h"

#define CLOCK_DURATION (3 * NS_PER_SEC)
#define FIXED_CAP      (60 * NS_PER_SEC)
#define WARMUP	       (300 * NS_PER_MS)
#define JITTER	       NS_PER_MS

static int bind_times(struct compiler *c, struct workload_plan *p)
{
	const struct workload *w = c->env.w;

	if (w->fixed && y_bool(w->fixed, &p->fixed_work, c->f))
		return -1;
	p->duration = p->fixed_work ? FIXED_CAP : CLOCK_DURATION;
	if (w->duration && compile_time(c, w->duration, 1, &p->duration))
		return -1;
	p->warmup = p->fixed_work ? 0 : min_u64(WARMUP, p->duration / 10);
	if (w->warmup && compile_time(c, w->warmup, 0, &p->warmup))
		return -1;
	p->jitter = JITTER;
	if (w->jitter && compile_time(c, w->jitter, 0, &p->jitter))
		return -1;
	if (p->fixed_work && p->warmup)
		return y_fail(w->warmup, c->f,
			      "fixed work is measured whole, expected no warmup");
	if (w->warmup && c->env.machine && p->warmup >= p->duration)
		return y_fail(w->warmup, c->f,
			      "the warm-up is not shorter than the duration");
	return 0;
}

/* Fixed work ends by itself; everything else must have something left to do. */
static int check_ending(const struct compiler *c, const struct workload_plan *p)
{
	const struct workload *w = c->env.w;
	bool early = false;

	if (w->ends_early && y_bool(w->ends_early, &early, c->f))
		return -1;
	if (early && p->fixed_work)
		return y_fail_key(
			w->ends_early, c->f,
			"'ends-early' beside 'fixed-work', expected one of them");
	if (p->fixed_work && c->endless)
		return y_fail_key(
			w->fixed, c->f,
			"fixed work ends when its tasks have left, but a program "
			"does something forever: expected no 'forever'");
	if (!p->fixed_work && !c->endless && !c->by_clock && !early)
		return y_fail_key(
			w->tasks, c->f,
			"every program ends by itself: expected 'fixed-work: yes', "
			"'ends-early: yes', or a loop that is forever or until a time");
	return 0;
}

int plan_make(struct arena *a, const struct workload *w, const struct machine *m,
	      const struct param *params, u32 nparams, const struct workload_plan **out,
	      struct failure *f)
{
	struct workload_plan *p = arena_new(a, struct workload_plan);
	struct compiler c = {.a = a, .env = {.w = w, .machine = m, .f = f}, .f = f};
	struct group *groups;

	p->machine = m;
	p->name = arena_strdup(a, w->name);
	if (params_bind(a, &c.env, params, nparams))
		return -1;
	p->params = params_text(a, &c.env);
	if (!w->tasks)
		return fail_input(f, w->file, 1, 1, "no 'tasks', expected one");
	c.tasks = w->tasks;
	if (bind_times(&c, p) || compile_cgroups(&c, w->cgroups) ||
	    compile_hotplug(&c, w->hotplug, p) || compile_profiles(&c, w->profiles) ||
	    compile_resources(&c, w) || compile_tasks(&c, &groups, &p->ngroup) ||
	    check_ending(&c, p))
		return -1;
	p->group = groups;
	p->cgroup = c.cgroup;
	p->ncgroup = c.ncgroup;
	p->profile = c.profile;
	p->nprofile = c.nprofile;
	p->ncookie = c.cookies.n;
	p->nprocess = c.processes.n;
	p->session = c.session;
	p->nsession = c.nsession;
	p->res = c.res;
	p->nslot = c.nslot;
	p->nspan = c.spans.n;
	p->ncounter = c.counters.n;
	p->ntimer = c.timers.n;
	*out = p;
	return compile_metrics(&c, p);
}

int workload_bind(struct arena *a, const struct workload *w, const struct machine *m,
		  const struct param *params, u32 nparams,
		  const struct workload_plan **out, struct failure *f)
{
	return plan_make(a, w, m, params, nparams, out, f);
}

bool plan_fixed_work(const struct workload_plan *p)
{
	return p->fixed_work;
}

u64 plan_duration(const struct workload_plan *p)
{
	return p->duration;
}

u64 plan_warmup(const struct workload_plan *p)
{
	return p->warmup;
}

const char *plan_params(const struct workload_plan *p)
{
	return p->params;
}

u32 plan_tasks(const struct workload_plan *p)
{
	u32 n = 0;

	for (u32 i = 0; i < p->ngroup; i++)
		if (!p->group[i].template)
			n += p->group[i].count;
	return n;
}

u32 plan_groups(const struct workload_plan *p)
{
	return p->ngroup;
}

const char *plan_group_name(const struct workload_plan *p, u32 group)
{
	return p->group[group].name;
}

u32 plan_metrics(const struct workload_plan *p)
{
	return p->nmetric;
}

const struct metric_decl *plan_metric(const struct workload_plan *p, u32 i)
{
	return &p->metric[i].decl;
}

u32 plan_main_metric(const struct workload_plan *p)
{
	return p->main_metric;
}
