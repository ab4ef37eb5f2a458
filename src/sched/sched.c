/*
 * Making a scheduler: online CPUs, tunables, options bound, domains, first ticks; and the
 * borrowed views of sched/sched.h.
 */
#include "balance/history.h"
#include "internal.h"

#include <string.h>

/*
 * Tunables grow with the number of online CPUs, 8 at most (update_sysctl_factor()):
 *
 *   factor = 1 + floor(log2(min(n, 8)))       logarithmic
 *            min(n, 8)                        linear
 *
 * again whenever a CPU has come or gone (hotplug/).
 */
static u32 scale_factor(const struct kernel *k, u32 ncpu)
{
	u32 n = min_u32(ncpu, 8);

	switch (seam_choice(SEAM_SCALING, k->seam[SEAM_SCALING])->value.constant) {
	case 0:
		return 1;
	case 1:
		return 1 + (31 - (u32)__builtin_clz(n));
	default:
		return n;
	}
}

void tunables_scale(struct sched *s)
{
	const u64 *tun = s->kernel->tun;
	u32 factor = scale_factor(s->kernel, s->nr_online);

	s->latency = tun[TUN_LATENCY] * factor;
	s->min_gran = tun[TUN_MIN_GRANULARITY] * factor;
	s->wakeup_gran = tun[TUN_WAKEUP_GRANULARITY] * factor;
	s->base_slice = tun[TUN_REQUEST] * factor;
	s->slice_floor = s->feat[FEAT_BASE_SLICE] ? s->min_gran : 0;
	s->sleeper_credit = s->latency;
	s->idle_sleeper_credit = s->feat[FEAT_IDLE_ENTITIES] ? s->min_gran : s->latency;
	if (s->feat[FEAT_GENTLE_FAIR_SLEEPERS]) {
		s->sleeper_credit /= 2;
		s->idle_sleeper_credit /= 2;
	}
}

static void bind_tunables(struct sched *s)
{
	const struct kernel *k = s->kernel;
	const u64 *tun = k->tun;
	u32 balance;

	s->tick = NS_PER_SEC / tun[TUN_HZ];
	s->tick_phase = stream_range(&s->stream, 0, s->tick - 1);
	tunables_scale(s);
	s->nr_latency = (u32)((tun[TUN_LATENCY] + tun[TUN_MIN_GRANULARITY] - 1) /
			      tun[TUN_MIN_GRANULARITY]);
	s->migration_cost = tun[TUN_MIGRATION_COST];
	s->timer_slack = tun[TUN_TIMER_SLACK];
	s->nr_migrate = (u32)tun[TUN_NR_MIGRATE];
	s->busy_factor = (u32)tun[TUN_BUSY_FACTOR];
	s->preempt =
		(u32)seam_choice(SEAM_PREEMPT, k->seam[SEAM_PREEMPT])->value.constant;
	s->tick_skewed =
		seam_choice(SEAM_TICK_ALIGN, k->seam[SEAM_TICK_ALIGN])->value.constant !=
		0;
	s->publish_gap = tun[TUN_PUBLISH_GAP];
	s->schedstat_version = (u32)tun[TUN_SCHEDSTAT];
	s->idle_min_gran = tun[TUN_IDLE_MIN_GRANULARITY];
	s->newidle_floor = s->feat[FEAT_NI_FIXED_GATE] ? s->migration_cost : 0;
	s->numa_rule = (u32)seam_choice(SEAM_NUMA, k->seam[SEAM_NUMA])->value.constant;
	balance = (u32)seam_choice(SEAM_BALANCE, k->seam[SEAM_BALANCE])->value.constant;
	s->balance_on = balance != 0;
	s->classic = balance == 2;
}

static void bind_functions(struct sched *s)
{
	const u32 *seam = s->kernel->seam;

	s->ops.scan =
		(scan_fn *)seam_choice(SEAM_WAKE_SCAN, seam[SEAM_WAKE_SCAN])->value.fn;
	s->eevdf = seam_choice(SEAM_FAIR, seam[SEAM_FAIR])->value.constant != 0;
	s->ops.fair = s->eevdf ? fair_eevdf : fair_vruntime;
	s->other_pick = s->queue_slow = s->eevdf;
	if (s->eevdf)
		s->nr_latency = 0; /* a next buddy is set however few tasks there are */
	s->wakeup_rules = s->eevdf || !s->feat[FEAT_WAKEUP_PREEMPTION];
	s->sibling_any = s->feat[FEAT_WAKE_RECENT_WAKER];
	s->ops.fork = (fork_fn *)seam_choice(SEAM_FORK, seam[SEAM_FORK])->value.fn;
}

/* `smt: off` leaves the first online thread of each core. */
static void find_online(struct sched *s)
{
	const struct machine *m = s->machine;
	bool smt = seam_choice(SEAM_SMT, s->kernel->seam[SEAM_SMT])->value.constant != 0;
	u8 *taken = arena_array(s->arena, u8, m->ncore);

	for (u32 i = 0; i < s->ncpu; i++) {
		cpumask_set(s->possible, i);
		if (!m->cpu[i].online || (!smt && taken[m->cpu[i].core]))
			continue;
		taken[m->cpu[i].core] = 1;
		cpumask_set(s->online, i);
	}
}

static void init_rqs(struct sched *s)
{
	s->sib = arena_array(s->arena, u32, s->ncpu);
	s->sib_at = arena_array(s->arena, u32, s->ncpu);
	s->sib_n = arena_array(s->arena, u32, s->ncpu);
	s->rq = arena_array(s->arena, struct rq, s->ncpu);
	s->root_group.name = "";
	s->root_group.shares = NICE_0_WEIGHT;
	s->root_group.cfs = arena_array(s->arena, struct cfs_rq *, s->ncpu);
	for (u32 i = 0; i < s->ncpu; i++) {
		struct rq *rq = &s->rq[i];

		rq->cpu = i;
		rq->core_first = i;
		rq->online = cpumask_has(s->online, i);
		group_init_queue(&rq->cfs, rq, &s->root_group);
		s->root_group.cfs[i] = &rq->cfs;
		rq->avg_idle = 2 * s->migration_cost;
		rq->max_idle_cost = s->migration_cost;
		rq->stream = stream_child(&s->stream, i);
	}
}

static void init_tasks(struct sched *s)
{
	pool_init(&s->tasks, s->arena, sizeof(struct task));
	s->task_cap = 64;
	s->task = arena_array(s->arena, struct task *, s->task_cap);
	s->mask = arena_array(s->arena, struct cpumask *, s->task_cap);
	s->free_id = arena_array(s->arena, u32, s->task_cap);
	s->next_pid = 1;
}

static void init_masks(struct sched *s)
{
	struct cpumask **masks[] = {&s->possible,  &s->online,	&s->nohz_mask,
				    &s->idle_mask, &s->scratch, &s->lb_mask};

	for (size_t i = 0; i < ARRAY_SIZE(masks); i++)
		*masks[i] = cpumask_new(s->arena, s->ncpu);
}

struct sched *sched_new(struct arena *a, struct engine *e, const struct machine *m,
			const struct kernel *k, const struct sched_client *client,
			struct stream stream)
{
	struct sched *s = arena_new(a, struct sched);
	bool guest = m->host_cpus != 0;

	s->arena = a;
	s->engine = e;
	s->machine = m;
	s->kernel = k;
	s->client = *client;
	s->stream = stream;
	s->ncpu = m->ncpu;
	s->domain_arena = a;
	memcpy(s->feat, k->feat, sizeof(s->feat));
	for (u32 i = 0; i < COST_COUNT; i++)
		s->cost[i] = machine_cost(m, i);
	init_masks(s);
	find_online(s);
	s->nr_online = cpumask_weight(s->online);
	bind_tunables(s);
	bind_functions(s);
	init_rqs(s);
	governor_init(s);
	siblings_find(s);
	init_tasks(s);
	s->core_busy = arena_array(a, u8, s->ncpu);
	s->core_from = arena_array(a, u64, s->ncpu);
	s->touched = arena_array(a, u32, s->ncpu);
	s->dirty = arena_array(a, u32, s->ncpu);
	core_init(s);
	domain_build(s);
	sums_build(s);
	/* at one instant: work that ends, timers, ticks, then the IPIs that they sent */
	s->ev_done = engine_class_add(e, s->ncpu, cpu_event_done, s);
	s->ev_timer = engine_class_add(e, s->task_cap,
				       guest ? host_event_timer : task_event_timer, s);
	history_init(s);
	s->ev_tick =
		engine_class_add(e, s->ncpu, guest ? host_event_tick : tick_event, s);
	s->ev_ipi =
		engine_class_add(e, s->ncpu, guest ? host_event_ipi : cpu_event_ipi, s);
	rate_init(s);
	host_init(s);
	if (s->ops.governor)
		s->ev_poll = engine_class_add(e, s->ncpu, governor_poll_over, s);
	return s;
}

void sched_start(struct sched *s)
{
	for_each_cpu (cpu, s->online) {
		struct rq *rq = cpu_rq(s, cpu);

		/* a busy balance is due at the first tick of each, spread as boot spreads
		 * it */
		rq->next_balance = jiffies(s) + stream_range(&rq->stream, 0, 3);
		idle_enter(s, rq);
		if (!s->feat[FEAT_NOHZ])
			tick_start(s, rq);
	}
	host_start(s);
	history_start(s);
}

u64 sched_now(const struct sched *s)
{
	return s->engine->now;
}

const struct machine *sched_machine(const struct sched *s)
{
	return s->machine;
}

const struct kernel *sched_kernel(const struct sched *s)
{
	return s->kernel;
}

struct task *sched_task(const struct sched *s, u32 id)
{
	return id < s->nr_tasks ? s->task[id] : NULL;
}

u32 task_id(const struct task *t)
{
	return t->id;
}

u32 task_pid(const struct task *t)
{
	return t->pid;
}

const char *task_comm(const struct task *t)
{
	return t->comm;
}

u64 task_slice(const struct task *t)
{
	return t->se.custom_slice ? t->se.slice : 0;
}

s32 task_nice(const struct task *t)
{
	return t->nice;
}

enum task_policy task_policy(const struct task *t)
{
	return t->policy;
}

u32 task_rt_priority(const struct task *t)
{
	return min_u32(t->rt_prio, RT_PRIORITY_MAX);
}

u32 task_group(const struct task *t)
{
	return t->group;
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
	u64 used = t->se.sum_exec;

	if (t->state == TASK_RUNNABLE && t->rq->curr == t)
		used += s->engine->now - t->se.exec_start;
	return used;
}

void sched_totals(struct sched *s, struct sched_totals *out)
{
	for_each_cpu (cpu, s->online) {
		cpu_settle(s, cpu_rq(s, cpu));
		cpu_account(s, cpu_rq(s, cpu));
	}
	*out = s->totals;
	for (u32 i = 0; i < s->nlimited; i++) {
		struct limit_stats g;

		sched_limit_stats(s, s->limited[i], &g);
		out->throttled_ns += g.throttled_ns;
		out->throttles += g.throttles;
	}
}
