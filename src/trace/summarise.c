/*
 * The second reading: counts over the window. The steps, and the order of every addition
 * of doubles, are those of tests/oracle/summarise.py. Beyond it: time in which a task is
 * runnable and waits, distances of migrations, and gaps: after lost events no wake-up
 * that was recorded before is paired with a switch that was recorded after.
 */
#include <stdlib.h>
#include <string.h>

#include "pids.h"

enum pairing { PAIR_NONE, PAIR_LONE, PAIR_SAME, PAIR_CROSS, PAIRINGS };

struct cpu_state {
	struct pid_info *cur; /* NULL: nothing that counts */
	double since;
};

struct count {
	struct arena *arena;
	const struct trace_options *o;
	struct survey v;
	struct trace_summary *sum;
	struct cpu_state *cpu;
	u8 *pair;	     /* of a core: enum pairing */
	u32 npair[PAIRINGS]; /* cores in each */
	double last;
	u64 epoch;   /* gaps so far */
	u32 *cpu_of; /* of the machine, by number in the operating system, + 1 */
	u32 ncpu_of;
};

static struct trace_task *task_of(struct count *c, struct pid_info *p)
{
	struct trace_task *t = p->task;

	if (t)
		return t;
	t = p->task = arena_new(c->arena, struct trace_task);
	memcpy(t->name, p->name, sizeof(t->name));
	t->pid = p->pid;
	t->shared = p->shared;
	c->sum->ntask++;
	return t;
}

static struct pid_info *find(const struct count *c, u32 pid)
{
	struct pid_info *p = pids_find(&c->v.pids, pid);

	return p && p->named ? p : NULL;
}

static bool same_group(const struct pid_info *a, const struct pid_info *b)
{
	return a->group_len == b->group_len && !memcmp(a->name, b->name, a->group_len);
}

/* Somebody else runs on `cpu`. */
static void set_current(struct count *c, u32 cpu, struct pid_info *p)
{
	const struct pid_info *x, *y;
	enum pairing now;
	u32 core = cpu / 2;

	c->cpu[cpu].cur = p;
	if (c->o->siblings != 2)
		return;
	x = c->cpu[2 * core].cur;
	y = 2 * core + 1 < c->sum->cpus ? c->cpu[2 * core + 1].cur : NULL;
	now = x && y   ? (same_group(x, y) ? PAIR_SAME : PAIR_CROSS)
	      : x || y ? PAIR_LONE
		       : PAIR_NONE;
	c->npair[c->pair[core]]--;
	c->npair[now]++;
	c->pair[core] = (u8)now;
}

/* One addition a core, as the referee does: sums of doubles depend on it. */
static void add_times(double *sum, double d, u32 n)
{
	for (u32 i = 0; i < n; i++)
		*sum += d;
}

static void advance(struct count *c, double t)
{
	double d = t - c->last;

	if (t <= c->last)
		return;
	add_times(&c->sum->same, d, c->npair[PAIR_SAME]);
	add_times(&c->sum->cross, d, c->npair[PAIR_CROSS]);
	add_times(&c->sum->lone, d, c->npair[PAIR_LONE]);
	c->last = t;
}

static void stop_waiting(struct count *c, struct pid_info *p, double t)
{
	double from = p->waits < c->v.t0 ? c->v.t0 : p->waits;

	if (p->waits >= 0 && t > from)
		task_of(c, p)->waiting_s += t - from;
	p->waits = -1;
}

static void switch_out(struct count *c, const struct trace_event *ev, struct pid_info *p,
		       bool counted)
{
	struct cpu_state *cpu = &c->cpu[ev->cpu];

	if (cpu->cur == p && counted) {
		struct trace_task *t = task_of(c, p);
		double d = ev->time - cpu->since;

		t->cpu_s += d;
		c->sum->busy[ev->cpu] += d;
		counts_add(c->arena, &t->slice, trace_round(d * 1e3, 3));
		t->preempted += ev->runnable;
	}
	p->on_cpu = false;
	p->waits = ev->runnable ? ev->time : -1;
}

static void switch_in(struct count *c, const struct trace_event *ev, struct pid_info *p,
		      bool counted)
{
	stop_waiting(c, p, ev->time);
	p->on_cpu = true;
	if (!counted)
		return;
	task_of(c, p)->runs++;
	if (p->woken >= c->v.t0 && p->woken_epoch == c->epoch)
		counts_add(c->arena, &p->task->wake,
			   trace_round((ev->time - p->woken) * 1e6, 1));
	p->woken = -1;
}

static void on_switch(struct count *c, const struct trace_event *ev, bool counted)
{
	struct pid_info *prev = find(c, ev->pid), *next = find(c, ev->next);
	struct cpu_state *cpu = &c->cpu[ev->cpu];

	if (prev)
		switch_out(c, ev, prev, counted);
	set_current(c, ev->cpu, next);
	cpu->since = ev->time > c->v.t0 ? ev->time : c->v.t0;
	c->sum->switches += counted;
	if (next)
		switch_in(c, ev, next, counted);
}

static void on_wakeup(struct count *c, const struct trace_event *ev, bool counted)
{
	struct pid_info *p = find(c, ev->pid);

	if (!p)
		return;
	if (p->woken < 0 || p->woken_epoch != c->epoch) {
		p->woken = ev->time;
		p->woken_epoch = c->epoch;
	}
	if (!p->on_cpu && p->waits < 0)
		p->waits = ev->time;
	c->sum->wakeups += counted;
}

static enum trace_distance distance(const struct count *c, u32 from, u32 to)
{
	const struct machine_cpu *a, *b;

	if (from >= c->ncpu_of || to >= c->ncpu_of || !c->cpu_of[from] || !c->cpu_of[to])
		return MOVE_FAR;
	a = &c->o->machine->cpu[c->cpu_of[from] - 1];
	b = &c->o->machine->cpu[c->cpu_of[to] - 1];
	if (a->core == b->core)
		return MOVE_CORE;
	if (a->llc == b->llc)
		return MOVE_LLC;
	return a->node == b->node ? MOVE_NODE : MOVE_FAR;
}

static void on_migrate(struct count *c, const struct trace_event *ev, bool counted)
{
	struct pid_info *p = find(c, ev->pid);

	if (!p || !counted)
		return;
	task_of(c, p)->migrations++;
	if (c->o->machine)
		p->task->moved[distance(c, ev->from, ev->to)]++;
	c->sum->migrations++;
}

static int count_event(void *ctx, const struct trace_event *ev, struct failure *f)
{
	struct count *c = ctx;
	bool counted = ev->time >= c->v.t0;

	(void)f;
	if (ev->kind == TRACE_LOST) {
		c->epoch++;
		return 0;
	}
	if (ev->time > c->v.t1)
		return 1;
	/* only if the file changed between the two readings */
	if (ev->cpu >= c->sum->cpus)
		return 0;
	if (counted)
		advance(c, ev->time);
	if (ev->kind == TRACE_SWITCH)
		on_switch(c, ev, counted);
	else if (ev->kind == TRACE_WAKEUP)
		on_wakeup(c, ev, counted);
	else if (ev->kind == TRACE_MIGRATE)
		on_migrate(c, ev, counted);
	return 0;
}

static int by_name_pid(const void *x, const void *y)
{
	const struct trace_task *a = *(struct trace_task *const *)x;
	const struct trace_task *b = *(struct trace_task *const *)y;
	int d = strcmp(a->name, b->name);

	return d ? d : a->pid < b->pid ? -1 : a->pid > b->pid;
}

static int info_by_name(const void *x, const void *y)
{
	return strcmp((*(struct pid_info *const *)x)->name,
		      (*(struct pid_info *const *)y)->name);
}

/* Which names several pids have; leading letters. */
static void name_groups(struct count *c)
{
	struct pid_info **all = arena_array(c->arena, struct pid_info *, c->v.pids.n + 1);
	u32 n = 0;

	for (u32 i = 0; i < c->v.pids.cap; i++)
		if (c->v.pids.slot[i] && c->v.pids.slot[i]->named)
			all[n++] = c->v.pids.slot[i];
	qsort(all, n, sizeof(*all), info_by_name);
	for (u32 i = 0; i < n; i++) {
		all[i]->group_len = trace_group(all[i]->name);
		if (i && !strcmp(all[i]->name, all[i - 1]->name))
			all[i]->shared = all[i - 1]->shared = true;
	}
}

static void prepare(struct count *c)
{
	const struct machine *m = c->o->machine;
	u32 cpus = c->v.cpus, top = 0;

	c->sum->cpus = cpus;
	c->sum->busy = arena_array(c->arena, double, cpus);
	c->cpu = arena_array(c->arena, struct cpu_state, cpus);
	for (u32 i = 0; i < cpus; i++)
		c->cpu[i].since = c->v.t0;
	c->pair = arena_array(c->arena, u8, cpus / 2 + 1);
	c->npair[PAIR_NONE] = cpus / 2 + 1;
	c->last = c->v.t0;
	name_groups(c);
	for (u32 i = 0; m && i < m->ncpu; i++)
		top = max_u32(top, m->cpu[i].os + 1);
	c->ncpu_of = top;
	c->cpu_of = arena_array(c->arena, u32, top + 1);
	for (u32 i = 0; m && i < m->ncpu; i++)
		c->cpu_of[m->cpu[i].os] = i + 1;
}

/* What runs and waits when the window ends. */
static void finish(struct count *c)
{
	struct trace_summary *sum = c->sum;
	u32 n = 0;

	for (u32 i = 0; i < sum->cpus; i++) {
		double d = c->v.t1 - c->cpu[i].since;

		if (!c->cpu[i].cur)
			continue;
		task_of(c, c->cpu[i].cur)->cpu_s += d;
		sum->busy[i] += d;
	}
	for (u32 i = 0; i < c->v.pids.cap; i++)
		if (c->v.pids.slot[i])
			stop_waiting(c, c->v.pids.slot[i], c->v.t1);
	sum->task = arena_array(c->arena, struct trace_task *, sum->ntask + 1);
	for (u32 i = 0; i < c->v.pids.cap; i++)
		if (c->v.pids.slot[i] && c->v.pids.slot[i]->task)
			sum->task[n++] = c->v.pids.slot[i]->task;
	qsort(sum->task, n, sizeof(*sum->task), by_name_pid);
	sum->window = c->v.t1 - c->v.t0;
	sum->lost = c->v.lost;
	sum->lost_more = c->v.lost_more;
	sum->has_wakeups = c->v.has_wakeups;
	sum->has_distance = c->o->machine != NULL;
}

int trace_summarise(struct arena *a, const char *path, const struct trace_options *o,
		    const struct trace_summary **out, struct failure *f)
{
	struct count c = {.arena = a, .o = o, .v = {.pids = {.arena = a}}};
	struct source s;
	int err;

	*out = NULL;
	if (source_open(a, path, &s, f))
		return -1;
	err = trace_survey(&s, o, &c.v, f);
	if (!err) {
		c.sum = arena_new(a, struct trace_summary);
		prepare(&c);
		err = source_each(&s, count_event, &c, f);
	}
	source_close(&s);
	if (err)
		return -1;
	finish(&c);
	*out = c.sum;
	return 0;
}
