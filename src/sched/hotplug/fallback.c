/*
 * Where a task goes that may not, or cannot, run where it is: the first CPU of that node
 * that it may use, else the first of all; if none that it may use is online, its affinity
 * is given up, for good, and it may use every CPU. Corresponds to select_fallback_rq() of
 * Linux 6.1, in the root cpuset.
 *
 * A kernel thread that belongs to one CPU is not moved in Linux but parked, once it has
 * done its work or somebody else has taken it (dev_cpu_dead(), for ksoftirqd). Here it
 * does what it has to do elsewhere, and is bound again when its CPU comes back.
 */
#include "rt/rt.h"

static u32 on_node(const struct sched *s, const struct task *t, u32 node)
{
	u32 cpu = cpumask_next_and(t->cpus, s->online, 0);

	while (cpu != CPU_NONE && s->machine->cpu[cpu].node != node)
		cpu = cpumask_next_and(t->cpus, s->online, cpu + 1);
	return cpu;
}

static void give_up_affinity(struct sched *s, struct task *t)
{
	if (t->kthread != KTHREAD_NO) {
		count(s, DEC_HOTPLUG_PARKED);
		t->parked = 1 + cpumask_first(t->cpus);
	} else {
		count(s, DEC_AFFINITY_BROKEN);
	}
	if (t->rt_prio && t->state == TASK_RUNNABLE)
		rt_affinity_changes(s, t, s->ncpu);
	cpumask_copy(t->cpus, s->possible);
	t->ncpus_allowed = s->ncpu;
	task_need_not_move(t);
}

__attribute__((noinline)) u32 cpu_fallback(struct sched *s, struct task *t)
{
	u32 cpu = on_node(s, t, s->machine->cpu[t->rq->cpu].node);

	if (cpu != CPU_NONE)
		return cpu;
	if (!cpumask_intersects(t->cpus, s->online))
		give_up_affinity(s, t);
	return cpumask_next_and(t->cpus, s->online, 0);
}
