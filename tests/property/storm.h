/*
 * A storm: tasks that do random things, so that every path of the scheduler is walked in
 * orders that nobody thought of. Used by the property tests and by the contract suite.
 */
#ifndef TESTS_PROPERTY_STORM_H
#define TESTS_PROPERTY_STORM_H

#include "internal.h"
#include "sched_fixture.h"
#include "stop.h"

struct storm_program {
	u64 asked; /* amount of the step under way */
	bool is_work;
};

struct storm {
	struct fixture x;
	struct pool programs;
	struct stream dice;
	struct cpumask *mask;
	struct task_group *group[4]; /* NULL = the root; a chain of two and one aside */
	u32 profile[3];
	u32 max_tasks, alive;
	u64 ops;
	u64 work_asked, work_ended; /* ns of STEP_WORK */
	bool only_work;		    /* no CPU-time steps */
	bool policies;		    /* SCHED_BATCH and SCHED_IDLE as well */
	bool limits;		    /* groups have limits of CPU time, one in another */
	bool sessions;		    /* who is in no group is in a session */
	bool idle_group;	    /* group 3 is of cpu.idle */
	u32 real_time;		    /* percent of SCHED_FIFO and SCHED_RR tasks */
	bool kthreads;		    /* tasks of one CPU are kernel threads */
	bool slices;		    /* tasks ask for slices of their own, and yield */
	bool execs;		    /* and replace their programs */
	bool cookie_life;	    /* tags come and go, prctl, tasks change groups */
	bool untagged;		    /* at first: tasks tag themselves */
	bool memory;		    /* half of the tasks use regions */
	struct region_use use[2];
	u32 stretch; /* how many times longer than 3 ms a run may be; 0 = 1 */
};

/* A random non-empty set of CPUs of which at least one is online. */
static inline const struct cpumask *storm_mask(struct storm *st)
{
	const struct sched *s = st->x.sched;

	do {
		for (u32 i = 0; i < st->mask->nwords; i++)
			st->mask->w[i] = 0;
		for (u32 i = 0; i < s->ncpu; i++)
			if (stream_u64(&st->dice) & 1)
				cpumask_set(st->mask, i);
	} while (!cpumask_intersects(st->mask, s->online));
	return st->mask;
}

/* Few priorities, so that there are equals. */
static inline enum task_policy storm_policy(struct storm *st, u32 *rt_priority)
{
	*rt_priority = 0;
	if (st->real_time && stream_range(&st->dice, 1, 100) <= st->real_time) {
		*rt_priority = (u32)stream_range(&st->dice, 1, 4);
		return stream_u64(&st->dice) & 1 ? POLICY_FIFO : POLICY_RR;
	}
	return st->policies ? (enum task_policy)stream_range(&st->dice, 0, 2)
			    : POLICY_OTHER;
}

/* Somebody, whatever he does just now; NULL = nobody who may be meddled with. */
static inline struct task *storm_somebody(struct storm *st, struct sched *s)
{
	struct task *t = s->task[stream_range(&st->dice, 0, s->nr_tasks - 1)];

	return t && !task_is_stopper(t) ? t : NULL;
}

/* The policy of the task itself, or of somebody else whatever he does just now. */
static inline void storm_change_policy(struct storm *st, struct sched *s, struct task *t)
{
	u32 rt_priority;
	enum task_policy policy;

	if (st->real_time && (stream_u64(&st->dice) & 1)) {
		struct task *other = storm_somebody(st, s);

		t = other ? other : t;
	}
	policy = storm_policy(st, &rt_priority);
	sched_set_policy(s, t, policy, rt_priority);
}

static inline void storm_kthread(struct storm *st, struct task_attr *attr)
{
	u32 cpu = cpumask_first(storm_mask(st));

	if (stream_range(&st->dice, 0, 2) || !cpumask_has(st->x.sched->online, cpu))
		return;
	for (u32 i = 0; i < st->mask->nwords; i++)
		st->mask->w[i] = 0;
	cpumask_set(st->mask, cpu);
	attr->cpus = st->mask;
	attr->kthread = stream_u64(&st->dice) & 1 ? KTHREAD_CPU : KTHREAD_SOFTIRQ;
}

/* One or two regions of a process, or none. */
static inline void storm_memory(struct storm *st, struct task_attr *attr)
{
	if (stream_u64(&st->dice) & 1)
		return;
	st->use[0].region = (u32)stream_range(&st->dice, 0, 2);
	st->use[0].weight = (u32)stream_range(&st->dice, 1, 5);
	st->use[1] = (struct region_use){.region = 1, .weight = 2};
	attr->memory = st->use;
	attr->nmemory = st->use[0].region ? 1 : 2;
	attr->profile = st->profile[1];
}

static inline void storm_attr(struct storm *st, struct task_attr *attr)
{
	*attr = (struct task_attr){.comm = "storm"};
	attr->nice = (s32)stream_range(&st->dice, 0, 39) - 20;
	if (!stream_range(&st->dice, 0, 3))
		attr->cpus = storm_mask(st);
	attr->tg = st->group[stream_range(&st->dice, 0, 3)];
	attr->profile = st->profile[stream_range(&st->dice, 0, 2)];
	if (st->policies || st->real_time)
		attr->policy = storm_policy(st, &attr->rt_priority);
	if (st->kthreads)
		storm_kthread(st, attr);
	if (st->slices && stream_u64(&st->dice) & 1)
		attr->slice = stream_range(&st->dice, NS_PER_MS / 10, 10 * NS_PER_MS);
	if (st->memory)
		storm_memory(st, attr);
	attr->program = pool_get(&st->programs);
	st->alive++;
}

static inline void storm_wake_somebody(struct storm *st, struct sched *s, struct task *t)
{
	u32 from = (u32)stream_range(&st->dice, 0, s->nr_tasks - 1);

	for (u32 i = 0; i < s->nr_tasks; i++) {
		struct task *other = s->task[(from + i) % s->nr_tasks];

		if (!other || other == t || task_is_stopper(other) ||
		    (other->state != TASK_SLEEPING && other->state != TASK_RT_SLEEPING &&
		     other->state != TASK_DELAYED))
			continue;
		engine_cancel(s->engine, s->ev_timer, other->id);
		sched_wake(s, t, other, stream_u64(&st->dice) & 1);
		return;
	}
}

static inline enum step storm_take_time(struct storm *st, struct task *t)
{
	struct storm_program *p = task_program(t);
	u64 ns = stream_range(&st->dice, 0, 3 * NS_PER_MS) * max_u32(1, st->stretch);

	p->asked = ns;
	task_set_amount(t, ns);
	p->is_work = st->only_work || (stream_u64(&st->dice) & 1);
	if (p->is_work)
		st->work_asked += ns;
	return p->is_work ? STEP_WORK : STEP_CPU_TIME;
}

/* Tag or untag, join a group, or create, give and take cookies. */
static inline void storm_cookie(struct storm *st, struct sched *s, struct task *t)
{
	struct task *other = storm_somebody(st, s);
	u64 what = stream_range(&st->dice, 0, 9);

	if (!other || other->state == TASK_DEAD)
		other = t;
	if (what < 2)
		sched_group_tag(s, st->group[what ? 1 : 3], stream_u64(&st->dice) & 1);
	else if (what < 5)
		sched_join_group(s, what == 2 ? other : t,
				 st->group[stream_range(&st->dice, 0, 3)]);
	else if (what < 9)
		sched_core_share(s, t, (u32)stream_range(&st->dice, 1, 3), other->pid,
				 (enum core_scope)stream_range(&st->dice, 0, 2), NULL);
	else
		sched_set_cookie(s, other, 0);
}

static inline enum step storm_step(void *ctx, struct sched *s, struct task *t)
{
	struct storm *st = ctx;
	struct storm_program *p = task_program(t);
	struct task_attr attr;
	struct failure f;

	st->ops++;
	if (p->is_work)
		st->work_ended += p->asked;
	p->is_work = false;
	switch (stream_range(&st->dice, 0, 19)) {
	case 0:
		sched_set_nice(s, t, (s32)stream_range(&st->dice, 0, 39) - 20);
		if (st->policies || st->real_time)
			storm_change_policy(st, s, t);
		return STEP_AGAIN;
	case 1:
		if (st->execs && (stream_u64(&st->dice) & 1))
			sched_exec(s, t);
		else if (t->kthread == KTHREAD_NO)
			sched_set_affinity(s, t, storm_mask(st), &f);
		return STEP_AGAIN;
	case 2:
		if (st->alive >= st->max_tasks)
			return storm_take_time(st, t);
		storm_attr(st, &attr);
		sched_fork_pay(s, t);
		sched_fork(s, t, &attr);
		return STEP_AGAIN;
	case 3:
		if (st->alive < st->max_tasks / 2)
			return storm_take_time(st, t);
		return STEP_EXIT;
	case 4:
		if (st->cookie_life && stream_range(&st->dice, 0, 2))
			storm_cookie(st, s, t);
		else if (stream_u64(&st->dice) & 1)
			sched_set_cookie(s, t, stream_range(&st->dice, 0, 3));
		else if (st->slices)
			sched_yield_cpu(s, t);
		return STEP_AGAIN;
	case 5:
		if (st->real_time && !stream_range(&st->dice, 0, 3))
			sched_yield_cpu(s, t);
		storm_wake_somebody(st, s, t);
		return STEP_AGAIN;
	case 6:
	case 7:
	case 8:
	case 9:
	case 10:
		sched_sleep_until(
			s, t, sched_now(s) + stream_range(&st->dice, 0, 4 * NS_PER_MS));
		return STEP_BLOCK;
	default:
		return storm_take_time(st, t);
	}
}

static inline void storm_exited(void *ctx, struct sched *s, struct task *t)
{
	struct storm *st = ctx;

	(void)s;
	st->alive--;
	pool_put(&st->programs, task_program(t));
}

static inline void storm_limits(struct storm *st)
{
	struct sched *s = st->x.sched;
	u64 cpus = s->nr_online;
	/* scarce, with odd periods so that refills meet everything else */
	const struct group_limit outer = {.quota = cpus * 2 * NS_PER_MS + 1,
					  .period = 7 * NS_PER_MS + 13};
	const struct group_limit inner = {
		.quota = cpus * NS_PER_MS, .period = 11 * NS_PER_MS, .burst = NS_PER_MS};
	const struct group_limit aside = {.quota = cpus * 3 * NS_PER_MS,
					  .period = 10 * NS_PER_MS};

	if (st->idle_group)
		sched_group_idle(s, st->group[3]);
	if (!st->limits)
		return;
	sched_group_limit(s, st->group[1], &outer);
	sched_group_limit(s, st->group[2], &inner);
	sched_group_limit(s, st->group[3], &aside);
}

/* Two processes; one region is touched in no order, one is there from the start. */
static inline void storm_regions(struct storm *st)
{
	static const struct region_attr regions[] = {
		{.name = "a", .size = 32 << 20, .page = 4096, .place = PLACE_POPULATED},
		{.name = "b", .size = 16 << 20, .page = 2 << 20, .random = true},
		{.name = "c", .size = 24 << 20, .page = 2 << 20, .process = 1},
	};

	for (u32 i = 0; st->memory && i < ARRAY_SIZE(regions); i++)
		sched_region_add(st->x.sched, &regions[i]);
}

/** x must have a machine and a kernel. */
static inline void storm_start(struct storm *st, u64 seed, u32 max_tasks)
{
	struct sched_client client = {
		.ctx = st, .step = storm_step, .exited = storm_exited};
	struct task_attr attr;

	st->dice = stream_root(seed ^ 0x570423);
	st->max_tasks = max_tasks;
	pool_init(&st->programs, &st->x.arena, sizeof(struct storm_program));
	st->mask = cpumask_new(&st->x.arena, st->x.machine.ncpu);
	fixture_start(&st->x, &client, seed);
	st->profile[1] = sched_profile_add(
		st->x.sched, &(struct profile_attr){.name = "server",
						    .memory = Q32_ONE / 4,
						    .bandwidth = 4000000000});
	st->profile[2] = sched_profile_add(
		st->x.sched, &(struct profile_attr){.name = "avx512",
						    .licence = 2,
						    .working_set = 1 << 20});
	st->group[1] = sched_group_new(st->x.sched, NULL, "a", 1024);
	st->group[2] = sched_group_new(st->x.sched, st->group[1], "a/b", 300);
	st->group[3] = sched_group_new(st->x.sched, NULL, "c", 3072);
	if (st->sessions)
		st->group[0] = sched_session_new(st->x.sched, "s", -3);
	storm_limits(st);
	storm_regions(st);
	if (!st->untagged) {
		/* a/b below it stays untagged */
		sched_group_tag(st->x.sched, st->group[1], true);
		sched_group_tag(st->x.sched, st->group[3], true);
	}
	for (u32 i = 0; i < max_tasks / 2; i++) {
		storm_attr(st, &attr);
		sched_spawn(st->x.sched, &attr,
			    (u32)stream_range(&st->dice, 0, st->x.machine.ncpu - 1));
	}
}

#endif
