/*
 * A CPU with more real-time tasks than it can run pushes those that wait to CPUs of lower
 * priority; a CPU whose priority falls asks for them. It asks the overloaded CPUs one
 * after the other, by IPI, to push (RT_PUSH_IPI), or takes from all of them itself.
 * Corresponds to push_rt_task(), pull_rt_task(), tell_cpu_to_push(),
 * rto_push_irq_work_func(), find_lowest_rq(), cpupri_find() of Linux 6.1, where CPUs that
 * idle and CPUs that run fair tasks are equally low.
 *
 * differs from Linux: of waiting tasks of one priority the first on its list is pushed,
 * not the one that became pushable first.
 */
#include "rt/rt.h"

static u32 lowest_level(const struct sched *s, const struct task *t)
{
	u32 least = t->rt_prio;

	for (u32 cpu = cpumask_next_and(t->cpus, s->online, 0); cpu != CPU_NONE && least;
	     cpu = cpumask_next_and(t->cpus, s->online, cpu + 1))
		least = min_u32(least, rt_highest(cpu_rq(s, cpu)));
	return least;
}

bool rt_has_lower(struct sched *s, const struct task *t)
{
	return lowest_level(s, t) < t->rt_prio;
}

/* Of equals the next one behind the last choice, so that choices spread. */
static u32 spread(struct sched *s, const struct cpumask *in, u32 by)
{
	u32 *last = &cpu_rq(s, by)->rt->rotor;
	u32 cpu = cpumask_next_and(s->rt->lowest, in, *last + 1);

	if (cpu == CPU_NONE)
		cpu = cpumask_next_and(s->rt->lowest, in, 0);
	if (cpu != CPU_NONE)
		*last = cpu;
	return cpu;
}

/* Where it was, else near that: the CPU that looks, or any of the domain. */
static u32 nearest_lowest(struct sched *s, u32 prev, u32 by)
{
	bool here = cpumask_has(s->rt->lowest, by);

	if (cpumask_has(s->rt->lowest, prev))
		return prev;
	for_each_domain (sd, cpu_rq(s, prev)) {
		u32 cpu;

		if (!(sd->flags & SD_WAKE_AFFINE))
			continue;
		if (here && cpumask_has(sd->span, by))
			return by;
		cpu = spread(s, sd->span, by);
		if (cpu != CPU_NONE)
			return cpu;
	}
	return here ? by : spread(s, s->online, by);
}

u32 rt_find_lowest(struct sched *s, const struct task *t, u32 by)
{
	u32 least = lowest_level(s, t);

	cpu_charge(s, cpu_rq(s, by), SYS_SCAN, s->cost[COST_SCAN]);
	if (t->ncpus_allowed < 2 || least == t->rt_prio)
		return CPU_NONE;
	for (u32 i = 0; i < s->rt->lowest->nwords; i++)
		s->rt->lowest->w[i] = 0;
	for (u32 cpu = cpumask_next_and(t->cpus, s->online, 0); cpu != CPU_NONE;
	     cpu = cpumask_next_and(t->cpus, s->online, cpu + 1))
		if (rt_highest(cpu_rq(s, cpu)) == least)
			cpumask_set(s->rt->lowest, cpu);
	return nearest_lowest(s, t->rq->cpu, by);
}

/* The most urgent task that waits and may run on `cpu` (CPU_NONE = somewhere else). */
static struct task *pushable(const struct rq *rq, const struct task *curr, u32 cpu)
{
	if (!rq->rt->overloaded)
		return NULL;
	for (u32 p = RT_LEVELS - 1; p; p--)
		for (struct task *t = rq->rt->list[p].first; t; t = t->rt_next) {
			if (t == curr || t->ncpus_allowed < 2)
				continue;
			if (cpu == CPU_NONE || task_allowed(t, cpu))
				return t;
		}
	return NULL;
}

static void move(struct sched *s, struct task *t, struct rq *dst, u32 by)
{
	rt_dequeue(s, t->rq, t);
	task_set_cpu(s, t, dst->cpu, by);
	cpu_charge(s, cpu_rq(s, by), SYS_BALANCE, s->cost[COST_MIGRATE]);
	rt_enqueue(s, dst, t, false);
	cpu_resched(s, dst, by);
}

static bool push_one(struct sched *s, struct rq *rq, const struct task *curr, u32 by)
{
	struct task *t = pushable(rq, curr, CPU_NONE);
	u32 cpu;

	if (!t)
		return false;
	if (!curr || t->rt_prio > curr->rt_prio) {
		cpu_resched(s, rq, by);
		return false;
	}
	cpu = rt_find_lowest(s, t, by);
	if (cpu == CPU_NONE || cpu == rq->cpu)
		return false;
	if (rt_highest(cpu_rq(s, cpu)) >= t->rt_prio)
		return false;
	count(s, DEC_RT_PUSH);
	move(s, t, cpu_rq(s, cpu), by);
	return true;
}

void rt_push(struct sched *s, struct rq *rq, const struct task *curr, u32 by)
{
	while (push_one(s, rq, curr, by))
		;
}

/* The next overloaded CPU; after the last one again from the first, if somebody asked. */
static void ask_next(struct sched *s, u32 from)
{
	struct rt_sched *rt = s->rt;

	for (;;) {
		u32 at = rt->asked == CPU_NONE ? 0 : rt->asked + 1;

		rt->asked = cpumask_next(rt->over, at);
		if (rt->asked != CPU_NONE)
			break;
		if (rt->round == rt->want)
			return;
		rt->round = rt->want;
	}
	cpu_rq(s, rt->asked)->ipi_work |= IPI_RT_PUSH;
	cpu_kick(s, cpu_rq(s, rt->asked), from);
}

void rt_push_asked(struct sched *s, struct rq *rq)
{
	count(s, DEC_RT_ASKED);
	rt_push(s, rq, rq->curr, rq->cpu);
	ask_next(s, rq->cpu);
}

void rt_push_passed_on(struct sched *s, struct rq *rq, u32 by)
{
	if (s->rt->asked == rq->cpu)
		ask_next(s, by);
}

static void pull_from(struct sched *s, struct rq *rq, struct rq *src)
{
	struct task *t = pushable(src, src->curr, rq->cpu);

	/* one that is about to run there stays there */
	if (!t || t->rt_prio <= rt_highest(rq) || t->rt_prio > rt_curr_prio(src))
		return;
	count(s, DEC_RT_PULL);
	move(s, t, rq, rq->cpu);
}

void rt_pull(struct sched *s, struct rq *rq)
{
	if (s->rt->nr_over == cpumask_has(s->rt->over, rq->cpu) || !rq->online)
		return; /* nobody else, or not to a CPU that goes offline */
	if (s->feat[FEAT_RT_PUSH_IPI]) {
		s->rt->want++;
		if (s->rt->asked == CPU_NONE)
			ask_next(s, rq->cpu);
		return;
	}
	for_each_cpu (cpu, s->online)
		if (cpu != rq->cpu && cpumask_has(s->rt->over, cpu))
			pull_from(s, rq, cpu_rq(s, cpu));
}
