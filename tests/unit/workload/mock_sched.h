/*
 * A scheduler for the tests of the workload layer: every task has a CPU of its own, work
 * takes exactly its amount, a fork and the like take `cost`, a sleep takes `slack` more.
 * Also: a machine made by hand, and a workload file made from a text. One test program
 * includes this once; the definitions stand in for those of the sched library.
 */
#ifndef TESTS_MOCK_SCHED_H
#define TESTS_MOCK_SCHED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/account.h"
#include "sched/ledger.h"
#include "workload/workload.h"

struct task {
	u32 id, pid;
	char comm[16];
	s32 nice;
	u64 slice;
	enum task_policy policy;
	u32 rt_priority;
	u32 group;
	void *program;
	struct stream stream;
	u64 amount, cpu, when; /* when = next event, TIME_NEVER = blocked for good */
	u64 timer;
	enum step doing;
	bool armed, gone, woken, watched, off; /* off = preempted */
	u64 spin_from, owed; /* owed = charged in this step, if charges take time */
	const struct cpumask *cpus;
	struct task *next_free;
	struct task_group *tg;
	u32 profile;
	u64 cookie;
	struct region_use use[REGIONS_OF_TASK];
	u32 nuse;
	bool paid; /* what it did last has been charged before */
};

#define MOCK_TASKS 200100u

struct mock_group {
	struct mock_group *parent;
	const char *name;
	u64 shares;
	bool tagged, idle;
	s32 nice;
	struct group_limit limit;
};

struct mock_share {
	u32 self, op, pid;
	enum core_scope scope;
};

struct sched {
	struct arena *arena;
	u32 hotplugs; /* asked for; and the last one */
	u64 hotplug_when;
	enum hotplug_kind hotplug_kind;
	const struct cpumask *hotplug_cpus;
	struct mock_group group[8];
	struct profile_attr profile[8];
	struct region_attr region[8];
	u32 ngroup, nprofile, ncookie, nregion;
	u32 shares;
	struct mock_share share; /* the last of sched_core_share() */
	const struct machine *machine;
	struct sched_client *client;
	u64 now, cost, slack;
	struct task *task[MOCK_TASKS];
	struct task *free;
	u32 ntask, npid, nalive;
	u64 forks, wakes, exits, niced, pinned, steps;
	u32 launch_cpu;
	bool refuse_affinity;
	bool charges_take_time;
	struct text log; /* "time comm what" lines, if log_on */
	bool log_on;
};

static inline void mock_log(struct sched *s, const struct task *t, const char *what,
			    u64 value)
{
	if (s->log_on)
		text_fmt(&s->log, "%llu %s %s %llu\n", (unsigned long long)s->now,
			 t->comm, what, (unsigned long long)value);
}

u64 sched_now(const struct sched *s)
{
	return s->now;
}

const struct machine *sched_machine(const struct sched *s)
{
	return s->machine;
}

u64 task_slice(const struct task *t)
{
	return t->slice;
}

s32 task_nice(const struct task *t)
{
	return t->nice;
}

void *task_program(const struct task *t)
{
	return t->program;
}

struct stream *task_stream(struct task *t)
{
	return &t->stream;
}

void task_set_amount(struct task *t, u64 ns)
{
	t->amount = ns;
}

u64 task_cpu_time(const struct sched *s, const struct task *t)
{
	bool running = t->doing == STEP_WORK || t->doing == STEP_CPU_TIME ||
		       (t->doing == STEP_AGAIN && s->charges_take_time);

	if (t->doing == STEP_SPIN)
		return t->cpu +
		       (t->off || t->spin_from > s->now ? 0 : s->now - t->spin_from);
	/* up to now: what is left of the work in hand does not count */
	return t->cpu - t->owed -
	       (running && !t->gone && t->when > s->now ? t->when - s->now : 0);
}

static inline struct task *mock_task_new(struct sched *s, const struct task_attr *attr)
{
	struct task *t = s->free;
	u32 id;

	if (t) {
		s->free = t->next_free;
		id = t->id;
	} else {
		assert_true(s->ntask < MOCK_TASKS);
		id = s->ntask++;
		t = s->task[id] = arena_new(s->arena, struct task);
	}
	memset(t, 0, sizeof(*t));
	t->id = id;
	t->pid = ++s->npid;
	snprintf(t->comm, sizeof(t->comm), "%s", attr->comm);
	t->nice = attr->nice;
	t->slice = attr->slice;
	t->policy = attr->policy;
	t->group = attr->group;
	t->program = attr->program;
	t->stream = attr->stream;
	t->cpus = attr->cpus;
	t->tg = attr->tg;
	t->profile = attr->profile;
	t->cookie = attr->cookie;
	for (u32 i = 0; i < attr->nmemory; i++)
		t->use[i] = attr->memory[i];
	t->nuse = attr->nmemory;
	t->when = s->now;
	t->doing = STEP_AGAIN;
	s->nalive++;
	return t;
}

struct task *sched_spawn(struct sched *s, const struct task_attr *attr, u32 cpu)
{
	s->launch_cpu = cpu;
	return mock_task_new(s, attr);
}

void sched_fork_pay(struct sched *s, struct task *parent)
{
	(void)s;
	(void)parent;
}

struct task *sched_fork(struct sched *s, struct task *parent,
			const struct task_attr *attr)
{
	struct task *t = mock_task_new(s, attr);

	if (!t->cookie)
		t->cookie = parent->cookie;
	s->forks++;
	parent->paid = true;
	mock_log(s, parent, "fork", t->pid);
	return t;
}

void sched_sleep_until(struct sched *s, struct task *t, u64 when)
{
	assert_true(when > s->now);
	t->timer = when + s->slack;
	t->armed = true;
	mock_log(s, t, "sleep", when);
}

void sched_wake(struct sched *s, struct task *waker, struct task *t, bool sync)
{
	(void)waker;
	(void)sync;
	s->wakes++;
	assert_false(t->gone);
	if (t->doing == STEP_BLOCK || t->doing == STEP_BLOCK_THEN_WORK)
		t->when = s->now;
	t->woken = true;
	mock_log(s, t, "woken", 0);
}

void sched_charge(struct sched *s, struct task *t, enum sys_cause cause, u64 ns)
{
	(void)cause;
	t->cpu += ns;
	if (s->charges_take_time)
		t->owed += ns;
}

enum task_policy task_policy(const struct task *t)
{
	return t->policy;
}

u32 task_rt_priority(const struct task *t)
{
	return t->rt_priority;
}

void sched_set_policy(struct sched *s, struct task *t, enum task_policy policy,
		      u32 rt_priority)
{
	t->policy = policy;
	t->rt_priority = rt_priority;
	mock_log(s, t, "policy", policy);
}

void sched_hotplug(struct sched *s, u64 when, enum hotplug_kind kind,
		   const struct cpumask *cpus)
{
	s->hotplugs++;
	s->hotplug_when = when;
	s->hotplug_kind = kind;
	s->hotplug_cpus = cpus;
}

void sched_set_slice(struct sched *s, struct task *t, u64 ns)
{
	t->slice = ns;
	mock_log(s, t, "slice", ns);
}

void sched_set_nice(struct sched *s, struct task *t, s32 nice)
{
	s->niced++;
	t->nice = nice;
	mock_log(s, t, "nice", (u64)(nice + 20));
}

u64 sched_cookie_new(struct sched *s)
{
	return 100 + s->ncookie++;
}

void sched_group_tag(struct sched *s, struct task_group *g, bool on)
{
	(void)s;
	((struct mock_group *)(void *)g)->tagged = on;
}

void sched_join_group(struct sched *s, struct task *t, struct task_group *g)
{
	(void)s;
	t->tg = g;
}

u32 task_pid(const struct task *t)
{
	return t->pid;
}

/* What was asked of it last; done by the scheduler's own tests. */
int sched_core_share(struct sched *s, struct task *self, u32 op, u32 pid,
		     enum core_scope scope, u64 *cookie)
{
	(void)cookie;
	s->shares++;
	s->share = (struct mock_share){self->pid, op, pid, scope};
	return 0;
}

struct task_group *sched_session_new(struct sched *s, const char *name, s32 nice)
{
	struct task_group *g = sched_group_new(s, NULL, name, 1024);

	((struct mock_group *)(void *)g)->nice = nice;
	return g;
}

void sched_group_idle(struct sched *s, struct task_group *g)
{
	(void)s;
	((struct mock_group *)(void *)g)->idle = true;
}

void sched_group_limit(struct sched *s, struct task_group *g,
		       const struct group_limit *limit)
{
	(void)s;
	((struct mock_group *)(void *)g)->limit = *limit;
}

void sched_limit_stats(const struct sched *s, const struct task_group *g,
		       struct limit_stats *out)
{
	(void)s;
	(void)g;
	*out = (struct limit_stats){0};
}

u32 sched_profile_add(struct sched *s, const struct profile_attr *p)
{
	s->profile[s->nprofile] = *p;
	return ++s->nprofile;
}

u32 sched_region_add(struct sched *s, const struct region_attr *attr)
{
	s->region[s->nregion % 8] = *attr;
	return s->nregion++;
}

struct task_group *sched_group_new(struct sched *s, struct task_group *parent,
				   const char *name, u64 shares)
{
	struct mock_group *g = &s->group[s->ngroup++];

	g->parent = (struct mock_group *)(void *)parent;
	g->name = name;
	g->shares = shares;
	return (struct task_group *)(void *)g;
}

int sched_set_affinity(struct sched *s, struct task *t, const struct cpumask *cpus,
		       struct failure *f)
{
	s->pinned++;
	t->cpus = cpus;
	mock_log(s, t, "affinity", cpus->w[0]);
	if (s->refuse_affinity)
		return fail_set(f, FAIL_INPUT, NULL, "no allowed CPU is online");
	return 0;
}

void sched_exec(struct sched *s, struct task *t)
{
	mock_log(s, t, "exec", 0);
}

void sched_wait_io(struct sched *s, struct task *t, u64 when)
{
	t->timer = when > s->now ? when : s->now;
	t->armed = true;
	mock_log(s, t, "io", when);
}

void sched_spin_end(struct sched *s, struct task *t, u64 ns)
{
	if (t->doing != STEP_SPIN)
		return;
	t->cpu = task_cpu_time(s, t);
	t->doing = STEP_AGAIN;
	t->when = t->off ? TIME_NEVER : s->now + ns;
	if (!t->off && s->charges_take_time)
		t->cpu += ns;
	mock_log(s, t, "unspin", ns);
}

void sched_yield_cpu(struct sched *s, struct task *t)
{
	mock_log(s, t, "yield", 0);
}

void task_watch(struct task *t, bool on)
{
	t->watched = on;
}

void task_waits_for_lock(struct task *t)
{
	(void)t;
}

/* Every task has a CPU of its own. */
bool task_on_cpu(const struct task *t)
{
	return t->doing != STEP_BLOCK && t->doing != STEP_BLOCK_THEN_WORK && !t->gone &&
	       !t->off;
}

const char *task_comm(const struct task *t)
{
	return t->comm;
}

/** A task loses its CPU to nobody, and gets it back. Work that goes on is stretched. */
static inline void mock_preempt(struct sched *s, struct task *t)
{
	t->cpu = task_cpu_time(s, t);
	t->off = true;
	if (t->when != TIME_NEVER)
		t->when += TIME_NEVER / 2;
	if (t->watched)
		s->client->off_cpu(s->client->ctx, s, t);
}

static inline void mock_resume(struct sched *s, struct task *t)
{
	t->off = false;
	t->spin_from = s->now;
	if (t->doing == STEP_AGAIN)
		t->when = s->now;
	else if (t->when != TIME_NEVER)
		t->when -= TIME_NEVER / 2;
}

u32 task_cpu(const struct task *t)
{
	return t->id % 8;
}

u64 sched_paid_until(const struct sched *s, const struct task *t)
{
	return s->now + t->owed;
}

enum line_distance sched_distance(const struct sched *s, u32 from, u32 to)
{
	(void)s;
	return from == to ? LINE_OWN : LINE_LLC;
}

/* A line costs 10 ns from elsewhere and nothing here. */
u64 ledger_transfer(const struct sched *s, struct ledger *l, u32 cpu)
{
	enum line_distance d = l->cpu ? sched_distance(s, l->cpu - 1, cpu) : LINE_OWN;

	l->cpu = cpu + 1;
	l->transfers[d]++;
	return d == LINE_OWN ? 0 : 10;
}

u64 ledger_use(const struct sched *s, struct ledger *l, u32 cpu, u64 at, u64 hold)
{
	u64 start = at > l->free_at ? at : l->free_at;

	l->acquisitions++;
	l->contended += start > at;
	l->wait_ns += start - at;
	l->hold_ns += hold;
	l->free_at = start + ledger_transfer(s, l, cpu) + hold;
	return l->free_at - at;
}

void ledger_add(struct ledger *sum, const struct ledger *l)
{
	sum->acquisitions += l->acquisitions;
	sum->contended += l->contended;
	sum->wait_ns += l->wait_ns;
	sum->spin_ns += l->spin_ns;
	sum->hold_ns += l->hold_ns;
	for (u32 i = 0; i < LINE_DISTANCES; i++)
		sum->transfers[i] += l->transfers[i];
}

static inline void mock_step(struct sched *s, struct task *t)
{
	u64 owed;

	t->armed = false;
	if (t->doing == STEP_BLOCK_THEN_WORK) {
		/* the timer has fired: the work was asked for before the sleep */
		t->doing = STEP_WORK;
		mock_log(s, t, "work", t->amount);
		t->cpu += t->amount;
		t->when = s->now + t->amount;
		return;
	}
	s->steps++;
	t->amount = 0;
	t->doing = s->client->step(s->client->ctx, s, t);
	owed = t->owed;
	t->owed = 0;
	switch (t->doing) {
	case STEP_WORK:
	case STEP_CPU_TIME:
		assert_true(t->amount > 0);
		mock_log(s, t, t->doing == STEP_WORK ? "work" : "cputime", t->amount);
		t->cpu += t->amount;
		t->when = s->now + owed + t->amount;
		return;
	case STEP_AGAIN:
		t->cpu += t->paid ? 0 : s->cost;
		t->when = s->now + owed + (t->paid ? 0 : s->cost);
		t->paid = false;
		return;
	case STEP_BLOCK:
	case STEP_BLOCK_THEN_WORK:
		t->when = t->armed ? t->timer : TIME_NEVER;
		mock_log(s, t, "block", 0);
		return;
	case STEP_SPIN:
		t->when = t->amount ? s->now + owed + t->amount : TIME_NEVER;
		t->spin_from = s->now + owed;
		mock_log(s, t, "spin", 0);
		return;
	case STEP_EXIT:
		mock_log(s, t, "exit", 0);
		s->exits++;
		t->gone = true;
		s->client->exited(s->client->ctx, s, t);
		t->when = TIME_NEVER;
		t->next_free = s->free;
		s->free = t;
		s->nalive--;
		return;
	}
}

/** Run until a time, or until the workload is done. */
static inline void mock_run(struct sched *s, const struct workload_run *r, u64 until)
{
	while (!workload_done(r)) {
		struct task *first = NULL;

		for (u32 i = 0; i < s->ntask; i++)
			if (!first || s->task[i]->when < first->when)
				first = s->task[i];
		if (!first || first->when > until)
			break;
		s->now = first->when;
		mock_step(s, first);
	}
	if (!workload_done(r))
		s->now = until;
}

/** 2 nodes (numbers 0 and 4), 4 cores, 8 CPUs (numbers 0-6 and 9; 9 is offline). */
static inline struct machine *mock_machine(struct arena *a)
{
	struct machine *m = arena_new(a, struct machine);

	m->name = "mock";
	m->file = "";
	m->ncpu = 8;
	m->ncore = 4;
	m->nllc = 2;
	m->nnode = 2;
	m->npackage = 2;
	m->cpu = arena_array(a, struct machine_cpu, 8);
	m->node = arena_array(a, struct machine_node, 2);
	for (u32 i = 0; i < 8; i++)
		m->cpu[i] = (struct machine_cpu){.os = i < 7 ? i : 9,
						 .core = i / 2,
						 .llc = i / 4,
						 .node = i / 4,
						 .package = i / 4,
						 .thread = i % 2,
						 .online = i != 7};
	m->cost[COST_COPY].value = 10000000000; /* 10 GB/s: 100 B are 10 ns */
	m->node[0] = (struct machine_node){.os = 0, .ncpu = 4};
	m->node[1] = (struct machine_node){.os = 4, .ncpu = 4};
	return m;
}

/** A workload file with this text: its path, in the arena; unlink it after loading. */
static inline const char *mock_file(struct arena *a, const char *text)
{
	char *path = arena_strdup(a, "/tmp/sibyl-test-XXXXXX");
	int fd = mkstemp(path);
	size_t len = strlen(text);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
	return path;
}

/** Everything about one run of a text. */
struct mock {
	struct arena arena;
	const struct workload *w;
	const struct workload_plan *plan;
	struct workload_run *run;
	struct sched_client client;
	struct sched *s;
	struct failure f;
};

static inline int mock_load(struct mock *k, const char *text)
{
	const char *path = mock_file(&k->arena, text);
	int rc = workload_load(&k->arena, path, &k->w, &k->f);

	unlink(path);
	return rc;
}

static inline void mock_must(struct mock *k, int rc)
{
	if (rc)
		fail_msg("%u:%u: %s", k->f.line, k->f.col, k->f.what);
}

/** Load, bind and launch; nothing has run yet. Free with mock_free(). */
static inline void mock_open(struct mock *k, const char *text, u64 seed)
{
	memset(k, 0, sizeof(*k));
	arena_init(&k->arena);
	k->s = arena_new(&k->arena, struct sched);
	k->s->arena = &k->arena;
	k->s->machine = mock_machine(&k->arena);
	k->s->client = &k->client;
	mock_must(k, mock_load(k, text));
	mock_must(k, workload_bind(&k->arena, k->w, k->s->machine, NULL, 0, &k->plan,
				   &k->f));
	k->run = workload_start(&k->arena, k->plan, stream_root(seed), &k->client);
	workload_launch(k->run, k->s);
}

static inline void mock_free(struct mock *k)
{
	text_free(&k->s->log);
	arena_free(&k->arena);
}

/** Within a tolerance (cmocka's own compares floats). */
static inline void assert_near(double got, double want, double tolerance)
{
	if (!(got >= want - tolerance && got <= want + tolerance))
		fail_msg("%.12g, expected %.12g within %.3g", got, want, tolerance);
}

/** A file around one program; metrics count what the program counts as `n`. */
#define MOCK_HEAD   "start-jitter: 0\nmetrics: {n: {total: n}}\n"
#define MOCK_TASK   "tasks:\n  t:\n    program:\n"
#define MOCK_COUNTS "      - count: n\n"

/* Nobody accounts. */
void account_by_task(struct account *a)
{
	(void)a;
}

void account_mark(struct account *a, const struct task *t, u64 from)
{
	(void)a;
	(void)t;
	(void)from;
}

bool account_since_mark(struct account *a, const struct task *t, struct account_row *out)
{
	(void)a;
	(void)t;
	(void)out;
	return false;
}

#endif
