/*
 * The life of a task: made, forked, put to sleep, moved by its affinity, gone.
 * Corresponds to copy_process()/sched_fork(), wake_up_new_task(), do_exit(),
 * __set_cpus_allowed_ptr() of Linux 6.1.
 *
 * differs from Linux: a task whose dequeue is delayed (6.12) and that may no longer run
 * where it is leaves the queue at once; Linux moves it to another.
 */
#include <stdio.h>
#include <string.h>

#include "rt/rt.h"
#include "stop.h"

static u32 take_id(struct sched *s, struct task *t)
{
	u32 id;

	if (s->nr_free) {
		id = s->free_id[--s->nr_free];
	} else {
		if (s->nr_tasks == s->task_cap) {
			u32 cap = s->task_cap * 2;
			struct task **task = arena_array(s->arena, struct task *, cap);
			struct cpumask **mask =
				arena_array(s->arena, struct cpumask *, cap);

			memcpy(task, s->task, sizeof(*task) * s->task_cap);
			memcpy(mask, s->mask, sizeof(*mask) * s->task_cap);
			s->task = task;
			s->mask = mask;
			s->free_id = arena_array(s->arena, u32, cap);
			s->task_cap = cap;
			engine_class_reserve(s->engine, s->ev_timer, cap);
		}
		id = s->nr_tasks++;
	}
	s->task[id] = t;
	if (!s->mask[id])
		s->mask[id] = cpumask_new(s->arena, s->ncpu);
	return id;
}

void task_set_comm(struct task *t, const char *comm)
{
	size_t n = strnlen(comm, COMM_SIZE - 1);

	memset(t->comm, 0, COMM_SIZE);
	memcpy(t->comm, comm, n);
}

static void set_process(struct task *t, const struct task_attr *attr,
			const struct task *parent)
{
	t->tgid = parent && attr->thread ? parent->tgid : t->pid;
	t->pgid = parent && (attr->thread || !attr->leads_group) ? parent->pgid : t->pid;
	t->own_cookie = attr->cookie;
	if (parent && !t->own_cookie)
		t->own_cookie = parent->own_cookie;
}

static struct task *task_new(struct sched *s, const struct task_attr *attr,
			     const struct task *parent)
{
	struct task *t = pool_get(&s->tasks);

	t->id = take_id(s, t);
	t->cpus = s->mask[t->id];
	t->pid = s->next_pid++;
	task_set_comm(t, attr->comm);
	t->nice = attr->nice;
	t->group = attr->group;
	t->stream = attr->stream;
	t->program = attr->program;
	t->recent_cpu = CPU_NONE;
	t->move_to = CPU_NONE;
	t->profile = attr->profile;
	cpumask_copy(t->cpus, attr->cpus ? attr->cpus : s->possible);
	t->ncpus_allowed = cpumask_weight(t->cpus);
	task_set_policy(s, t, attr->policy, attr->rt_priority);
	t->kthread = attr->kthread;
	wake_use_kthread(s, t);
	if (attr->slice && s->feat[FEAT_CUSTOM_SLICE]) {
		t->se.custom_slice = true;
		t->se.slice = attr->slice;
	}
	fair_set_weight(&t->se, fair_task_weight(t));
	t->tg = attr->tg ? attr->tg : &s->root_group;
	set_process(t, attr, parent);
	core_task_begins(s, t);
	if (attr->nmemory)
		memory_attach(s, t, attr);
	s->totals.forks++;
	return t;
}

void task_free(struct sched *s, struct task *t)
{
	if (t->mem)
		memory_detach(s, t);
	if (t->warm)
		warm_free(s, t);
	s->task[t->id] = NULL;
	s->free_id[s->nr_free++] = t->id;
	pool_put(&s->tasks, t);
}

static void emit_fork(struct sched *s, const struct rq *rq, const struct task *parent,
		      const struct task *t)
{
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = SIM_FORK,
		.place = rq->cpu,
		.who = t->id,
		.other = parent ? parent->id : TASK_NONE,
	};

	engine_emit(s->engine, &ev);
}

static struct rq *online_at(const struct sched *s, u32 cpu)
{
	u32 c = cpumask_next(s->online, cpu < s->ncpu ? cpu : 0);

	return cpu_rq(s, c == CPU_NONE ? cpumask_first(s->online) : c);
}

struct task *sched_spawn(struct sched *s, const struct task_attr *attr, u32 cpu)
{
	struct rq *rq = online_at(s, cpu);
	struct task *t = task_new(s, attr, NULL);

	group_set_task_rq(t, rq);
	emit_fork(s, rq, NULL, t);
	if (!t->rt_prio)
		fair_fork(s, rq, t);
	wake_new(s, t, rq);
	cpu_rearm(s, rq);
	return t;
}

/* migration/N: on no queue, of no class; it says what it does in stop.c. */
struct task *task_new_stopper(struct sched *s, struct rq *rq)
{
	char comm[COMM_SIZE];
	struct task_attr attr = {.comm = comm, .group = UINT32_MAX};
	struct task *t;

	snprintf(comm, sizeof(comm), "migration/%u",
		 s->machine->cpu[rq->cpu].os % 100000);
	t = task_new(s, &attr, NULL);
	s->totals.forks--; /* it has been there since the CPU has */
	memset(t->cpus->w, 0, sizeof(u64) * t->cpus->nwords);
	cpumask_set(t->cpus, rq->cpu);
	t->ncpus_allowed = 1;
	t->rt_prio = STOP_PRIORITY;
	t->must_move = t->exiting = true;
	t->state = TASK_RT_SLEEPING;
	group_set_task_rq(t, rq);
	emit_fork(s, rq, NULL, t);
	return t;
}

void sched_fork_pay(struct sched *s, struct task *parent)
{
	cpu_charge(s, parent->rq, SYS_FORK, s->cost[COST_FORK]);
}

struct task *sched_fork(struct sched *s, struct task *parent,
			const struct task_attr *attr)
{
	struct rq *rq = parent->rq;
	struct task *t = task_new(s, attr, parent);

	group_set_task_rq(t, rq);
	if (t->mem)
		numa_forked(parent, t);
	emit_fork(s, rq, parent, t);
	if (!t->rt_prio)
		fair_fork(s, rq, t);
	wake_new(s, t, rq);
	return t;
}

void task_exit(struct sched *s, struct rq *rq)
{
	struct task *t = rq->curr;
	struct sim_event ev = {
		.time = s->engine->now,
		.kind = SIM_EXIT,
		.place = rq->cpu,
		.who = t->id,
		.other = TASK_NONE,
	};

	engine_emit(s->engine, &ev);
	if (t->rt_prio) {
		rt_dequeue(s, rq, t);
	} else {
		fair_dequeue(s, rq, t, true);
		fair_leave(s, rq, t);
		load_remove(s, t);
	}
	t->state = TASK_DEAD;
	core_task_ends(s, t);
	s->totals.exits++;
	if (s->client.exited)
		s->client.exited(s->client.ctx, s, t);
	engine_cancel(s->engine, s->ev_timer, t->id);
	governor_timer_gone(t);
	governor_io(t, false);
}

void sched_sleep_until(struct sched *s, struct task *t, u64 when)
{
	u64 now = s->engine->now;

	cpu_charge(s, t->rq, SYS_SYSCALL, s->cost[COST_SYSCALL]);
	t->timer_late = false;
	when = max_u64(when, now) + s->timer_slack;
	engine_set(s->engine, s->ev_timer, t->id, when);
	if (s->ops.governor)
		governor_timer(t, when);
}

void sched_wait_io(struct sched *s, struct task *t, u64 when)
{
	t->timer_late = false;
	t->by_device = true;
	engine_set(s->engine, s->ev_timer, t->id, max_u64(when, s->engine->now));
	if (s->ops.governor)
		governor_io(t, true);
}

void task_watch(struct task *t, bool on)
{
	if (on)
		t->watched |= WATCHED_CLIENT;
	else
		t->watched &= (u8)~WATCHED_CLIENT;
}

void task_waits_for_lock(struct task *t)
{
	t->waits_lock = true;
}

bool task_on_cpu(const struct task *t)
{
	return t->rq && t->rq->curr == t;
}

u32 task_cpu(const struct task *t)
{
	return t->rq->cpu;
}

/*
 * A sleeper's timer fires on the CPU where the task went to sleep. If that CPU is idle it
 * first has to come out of its idle state.
 */
void task_event_timer(void *ctx, u32 id)
{
	struct sched *s = ctx;
	struct task *t = s->task[id];
	struct rq *rq = t->rq;

	if (!rq->online)
		rq = cpu_heir(s, rq);
	if (!rq->curr && rq->exit_latency && !t->timer_late) {
		t->timer_late = true;
		engine_set(s->engine, s->ev_timer, id, s->engine->now + rq->exit_latency);
		return;
	}
	if (t->by_device) {
		t->by_device = false;
		governor_io(t, false);
		cpu_charge(s, rq, SYS_IO, s->cost[COST_IRQ]);
	} else {
		cpu_charge(s, rq, SYS_TIMER, s->cost[COST_TIMER]);
	}
	wake_task(s, t, rq, rq->curr, false);
	cpu_rearm(s, rq);
	if (!rq->curr && !rq->resched && !rq->wake_pending)
		idle_choose(s, rq);
}

void sched_wake(struct sched *s, struct task *waker, struct task *t, bool sync)
{
	wake_task(s, t, waker->rq, waker, sync);
}

void sched_charge(struct sched *s, struct task *t, enum sys_cause cause, u64 ns)
{
	cpu_charge(s, t->rq, cause, ns);
}

/* From one queue to another that is allowed; the CPU `by` does it. */
static void move_queued(struct sched *s, struct task *t, u32 to, u32 by)
{
	struct rq *rq = t->rq, *dst = cpu_rq(s, to);

	class_dequeue(s, rq, t);
	task_set_cpu(s, t, to, by);
	cpu_charge(s, cpu_rq(s, by), SYS_BALANCE, s->cost[COST_MIGRATE]);
	class_enqueue(s, dst, t);
	class_check_wakeup(s, dst, t, by);
}

/* A running task leaves its CPU as soon as that looks at its queue. */
void task_must_move(struct sched *s, struct task *t)
{
	struct rq *rq = t->rq;

	t->must_move = true;
	rq->resched = true;
	if (!rq->in_run)
		cpu_kick(s, rq, rq->cpu);
}

/*
 * By the stopper, or the CPU itself with core scheduling on. migration_cpu_stop() looks
 * first, too, whether the task is still there: the load balancer may have taken it to a
 * CPU that it may use.
 */
void task_move_away(struct sched *s, struct rq *rq, struct task *t)
{
	u32 to = t->move_to;

	task_need_not_move(t);
	if (t->rq != rq)
		return;
	if (rq->curr == t && rq->cfs.curr)
		fair_put_now(s, rq, t);
	if (to != CPU_NONE && to != rq->cpu && task_allowed(t, to) &&
	    cpu_rq(s, to)->online) {
		move_queued(s, t, to, rq->cpu);
		return;
	}
	if (task_allowed(t, rq->cpu))
		return;
	to = cpu_fallback(s, t);
	if (to == rq->cpu)
		return; /* all others went offline meanwhile */
	count(s, DEC_AFFINITY_MOVE);
	move_queued(s, t, to, rq->cpu);
}

int sched_set_affinity(struct sched *s, struct task *t, const struct cpumask *cpus,
		       struct failure *f)
{
	struct rq *rq = t->rq;

	if (!cpumask_intersects(cpus, s->online))
		return fail_set(f, FAIL_INPUT, NULL,
				"task %s: no CPU of its affinity is online", t->comm);
	cpumask_copy(t->cpus, cpus);
	if (t->rt_prio && t->state == TASK_RUNNABLE)
		rt_affinity_changes(s, t, cpumask_weight(cpus));
	t->ncpus_allowed = cpumask_weight(cpus);
	if (task_allowed(t, rq->cpu))
		return 0;
	if (t->state == TASK_DELAYED)
		eevdf_end_delay(s, t);
	if (t->state == TASK_WAKING)
		wake_list_drain(s, rq); /* the stopper's IPI comes with the other */
	if (t->state != TASK_RUNNABLE)
		return 0;
	if (rq->curr != t) {
		count(s, DEC_AFFINITY_MOVE);
		move_queued(s, t, cpu_fallback(s, t), rq->cpu);
		return 0;
	}
	task_must_move(s, t);
	return 0;
}
