/*
 * A plan in one simulation: the launcher forks the instances in file order and then
 * sleeps for ever; each instance steps through its program whenever the scheduler asks.
 * What may run away (operations without time, forks) is bounded and ends in a failure
 * value.
 */
#include "channel.h"
#include "lock.h"
#include "memory.h"
#include "reports.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COMM_MAX 16u
/* Children of the run's stream: groups count from 0, the launcher stands apart. */
#define STREAM_LAUNCHER UINT32_MAX

void run_fail(struct workload_run *r, const struct op *op, const char *fmt, ...)
{
	char what[sizeof(r->failure.what)];
	va_list ap;

	if (r->failed)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	r->failed = r->over = true;
	if (op && op->at)
		y_fail(op->at, &r->failure, "%s", what);
	else
		fail_input(&r->failure, r->plan->name, 0, 0, "%s", what);
}

/* Who waits for a lock explains more than who waits for a signal. */
static const struct inst *first_blocked(const struct workload_run *r)
{
	const struct inst *first = NULL;

	/* the newest comes first */
	for (const struct inst *t = r->alive; t; t = t->next)
		if (!first || t->lock || !first->lock)
			first = t;
	return first;
}

/*
 * A lock that is waited for by one that sleeps for ever, as all do, will never be free;
 * without such a lock the rest of a run by the clock may be meant to be idle.
 */
void run_check_deadlock(struct workload_run *r)
{
	const struct inst *t;

	if (!r->launched || !r->nalive || r->nblocked != r->nalive ||
	    r->channels->npackets) /* ksoftirqd will wake somebody */
		return;
	t = first_blocked(r);
	if (!r->plan->fixed_work && !t->lock)
		return;
	run_fail(r, &t->program->op[t->pc],
		 "deadlock: every task waits for another for ever, %s here%s%s",
		 task_comm(t->task), t->blocked_on ? " for " : "",
		 t->blocked_on ? t->blocked_on->name : "");
}

u64 inst_draw(struct inst *t, const struct op *op)
{
	u64 ns = dist_draw(op->dist, task_stream(t->task));

	return min_u64(max_u64(ns, 1), DURATION_MAX);
}

/* The name of instance n: comm with its %d, if any, replaced. */
static void make_comm(const struct group *g, u64 n, char out[COMM_MAX])
{
	const char *d = g->numbered ? strstr(g->comm, "%d") : NULL;

	if (d)
		snprintf(out, COMM_MAX, "%.*s%llu%s", (int)(d - g->comm), g->comm,
			 (unsigned long long)(g->first + n), d + 2);
	else
		snprintf(out, COMM_MAX, "%s", g->comm);
}

static struct inst *inst_new(struct workload_run *r, struct inst *parent, u32 group)
{
	struct inst *t = pool_get(&r->pool);

	t->run = r;
	t->serial = ++r->serial;
	t->program = &r->plan->group[group].program;
	t->group = group;
	t->due = sched_now(r->sched);
	t->cgroup = r->plan->group[group].cgroup;
	t->session = r->plan->group[group].session;
	if (parent && !t->session)
		t->session = parent->session;
	if (parent && t->cgroup == CGROUP_ROOT)
		t->cgroup = parent->cgroup;
	if (parent) {
		t->parent = parent;
		t->parent_serial = parent->serial;
		t->cpus = parent->cpus;
		parent->kids++;
	}
	t->next = r->alive;
	t->link = &r->alive;
	if (t->next)
		t->next->link = &t->next;
	r->alive = t;
	r->nalive++;
	return t;
}

/* Its cgroup; else the autogroup of its session, if there are such. */
static struct task_group *group_of(const struct workload_run *r, const struct inst *t)
{
	if (t->cgroup != CGROUP_ROOT)
		return r->cgroup[t->cgroup];
	return t->session ? r->session[t->session - 1] : NULL;
}

struct task *inst_fork(struct workload_run *r, struct task *by, struct inst *parent,
		       u32 group)
{
	const struct group *of = &r->plan->group[group];
	struct group_run *g = &r->group[group];
	u64 number = g->started++;
	char comm[COMM_MAX];
	struct task_attr attr = {.comm = comm, .group = group};
	struct region_use uses[REGIONS_OF_TASK];
	struct inst *t;

	if (r->nalive == TASKS_MAX) {
		run_fail(r, parent ? &parent->program->op[parent->pc] : NULL,
			 "more than %u tasks alive: a program forks without end",
			 TASKS_MAX);
		return NULL;
	}
	make_comm(of, number, comm);
	/* a child's draws depend on who forked it as which one, not on when */
	attr.stream = parent ? stream_child(task_stream(by), parent->children++)
			     : stream_child(&g->stream, number);
	attr.nice = task_nice(by);
	attr.policy = task_policy(by);
	attr.rt_priority = task_rt_priority(by);
	attr.slice = task_slice(by);
	t = inst_new(r, parent, group);
	t->number = number;
	attr.cpus = t->cpus;
	attr.tg = group_of(r, t);
	if (of->cookie)
		attr.cookie = r->cookie[of->cookie - 1];
	attr.thread = of->thread;
	attr.leads_group = of->leads_group;
	if (of->profile != PROFILE_NONE)
		attr.profile = r->profile[of->profile];
	attr.memory = uses;
	attr.nmemory = memory_of(t, of, uses);
	attr.program = t;
	t->task = sched_fork(r->sched, by, &attr);
	return t->task;
}

/* Fixed work has been done: kept, since workload_done() is asked after every event. */
static void note_end(struct workload_run *r)
{
	r->over |= r->plan->fixed_work && r->launched && !r->nalive;
}

/* One fork a step, so that each is paid before the next. */
static enum step launch_step(struct workload_run *r, struct task *launcher)
{
	const struct workload_plan *p = r->plan;

	while (r->next_group < p->ngroup &&
	       r->next_number == p->group[r->next_group].count) {
		r->next_group++;
		r->next_number = 0;
	}
	if (r->next_group == p->ngroup) {
		r->launched = true;
		note_end(r);
		run_check_deadlock(r);
		return STEP_BLOCK;
	}
	if (!r->fork_paid) {
		r->fork_paid = true;
		sched_fork_pay(r->sched, launcher);
		return STEP_AGAIN;
	}
	r->fork_paid = false;
	r->next_number++;
	return inst_fork(r, launcher, NULL, r->next_group) ? STEP_AGAIN : STEP_BLOCK;
}

/* False once too much has happened at one instant. */
static bool within_bounds(struct workload_run *r, const struct op *op)
{
	if (++r->ops <= OPS_MAX)
		return true;
	run_fail(r, op, "more than %u operations at one instant: a program takes no time",
		 OPS_MAX);
	return false;
}

/*
 * The task is about to sleep. If work comes next, say so now: the scheduler then need not
 * ask again when the task wakes up. Only what does not depend on the time may be passed
 * over on the way.
 */
static enum step block(struct inst *t)
{
	for (u32 hops = 0; hops <= LOOP_DEPTH; hops++) {
		const struct op *op = &t->program->op[t->pc];
		enum step next;

		if (op->type == &op_run && op->dist) {
			op->type->step(t, op, &next);
			t->pc++;
			return STEP_BLOCK_THEN_WORK;
		}
		if (op->type != &op_loop_end)
			break;
		if (op->type->step(t, op, &next) == FLOW_NEXT)
			t->pc++;
	}
	return STEP_BLOCK;
}

static enum step run_program(struct workload_run *r, struct inst *t)
{
	for (;;) {
		const struct op *op = &t->program->op[t->pc];
		enum step next = STEP_AGAIN;

		if (!within_bounds(r, op))
			return STEP_BLOCK;
		switch (op->type->step(t, op, &next)) {
		case FLOW_NEXT:
			t->pc++;
			t->phase = 0;
			break;
		case FLOW_JUMP:
			t->phase = 0;
			break;
		case FLOW_YIELD:
			t->pc++;
			t->phase = 0;
			return next == STEP_BLOCK ? block(t) : next;
		case FLOW_HOLD:
			return next;
		}
	}
}

static enum step run_step(void *ctx, struct sched *s, struct task *task)
{
	struct workload_run *r = ctx;
	struct inst *t = task_program(task);
	u64 now = sched_now(s);

	r->sched = s;
	if (r->failed)
		return STEP_BLOCK;
	if (r->instant != now) {
		r->instant = now;
		r->ops = 0;
	}
	if (!t)
		return launch_step(r, task);
	/* sched_fork() may ask before it returns the task */
	t->task = task;
	return run_program(r, t);
}

static void run_exited(void *ctx, struct sched *s, struct task *task)
{
	struct workload_run *r = ctx;
	struct inst *t = task_program(task);

	if (!t)
		return;
	r->group[t->group].exited_cpu += task_cpu_time(s, task);
	r->last_exit = sched_now(s);
	*t->link = t->next;
	if (t->next)
		t->next->link = t->link;
	r->nalive--;
	t->serial = 0;
	pool_put(&r->pool, t);
	note_end(r);
	run_check_deadlock(r);
}

struct workload_run *workload_start(struct arena *a, const struct workload_plan *p,
				    struct stream stream, struct sched_client *client)
{
	struct workload_run *r = arena_new(a, struct workload_run);

	r->plan = p;
	r->stream = stream;
	pool_init(&r->pool, a, sizeof(struct inst) + sizeof(u64) * p->nslot);
	r->group = arena_array(a, struct group_run, p->ngroup);
	for (u32 g = 0; g < p->ngroup; g++)
		r->group[g].stream = stream_child(&stream, g);
	r->cgroup = arena_array(a, struct task_group *, p->ncgroup);
	r->limit_base = arena_array(a, struct limit_stats, p->ncgroup);
	r->profile = arena_array(a, u32, p->nprofile);
	r->cookie = arena_array(a, u64, p->ncookie);
	r->session = arena_array(a, struct task_group *, p->nsession);
	r->counter = arena_array(a, u64, p->ncounter);
	r->timer = arena_array(a, u64, p->ntimer);
	r->span = arena_array(a, struct hist, p->nspan);
	reports_init(r, a);
	r->arena = a;
	resources_start(r, a);
	client->off_cpu = locks_off_cpu;
	client->ctx = r;
	client->step = run_step;
	client->exited = run_exited;
	return r;
}

void workload_launch(struct workload_run *r, struct sched *s)
{
	struct stream own = stream_child(&r->stream, STREAM_LAUNCHER);
	u32 cpu = (u32)stream_range(&own, 0, sched_machine(s)->ncpu - 1);
	char comm[COMM_MAX];
	struct task_attr attr = {.comm = comm, .group = UINT32_MAX};

	snprintf(comm, sizeof(comm), "%s", r->plan->name);
	for (u32 i = 0; i < r->plan->nprofile; i++)
		r->profile[i] = sched_profile_add(s, &r->plan->profile[i].attr);
	for (u32 i = 0; i < r->plan->ncgroup; i++) {
		const struct cgroup *g = &r->plan->cgroup[i];

		r->cgroup[i] = sched_group_new(
			s, g->parent == CGROUP_ROOT ? NULL : r->cgroup[g->parent],
			g->name, g->shares);
		if (g->cookie)
			sched_group_tag(s, r->cgroup[i], true);
		if (g->idle)
			sched_group_idle(s, r->cgroup[i]);
		if (g->limited)
			sched_group_limit(s, r->cgroup[i], &g->limit);
	}
	for (u32 i = 0; i < r->plan->nsession; i++)
		r->session[i] = sched_session_new(s, r->plan->session[i].name,
						  r->plan->session[i].nice);
	for (u32 i = 0; i < r->plan->ncookie; i++)
		r->cookie[i] = sched_cookie_new(s);
	attr.stream = stream_child(&own, 0);
	r->sched = s;
	memory_launch(r);
	r->origin = r->measure_from = sched_now(s);
	r->first_begin = TIME_NEVER;
	hotplug_start(s, r->plan, r->origin);
	r->launcher = sched_spawn(s, &attr, cpu);
}

bool workload_done(const struct workload_run *r)
{
	return r->over;
}

int workload_check(const struct workload_run *r, struct failure *f)
{
	if (!r->failed)
		return 0;
	*f = r->failure;
	return -1;
}
