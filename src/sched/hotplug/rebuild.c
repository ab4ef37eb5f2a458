/*
 * What follows from the set of online CPUs: the tunables that grow with it, and the
 * domains with all that hangs off them. Corresponds to update_sysctl(),
 * partition_sched_domains(), sd_init() of Linux 6.1.
 *
 * As there, the counters of the balancer start again, no core is known to be idle until
 * one becomes idle, and nothing is scanned for until the balancer has looked
 * (nr_idle_scan).
 *
 * differs from Linux: a tickless CPU counts as idle for its cache domain (nr_busy) at
 * once; Linux counts it as busy until it has run something and stops its tick again.
 */
#include "hotplug/hotplug.h"

static void forget_domains(struct sched *s)
{
	sums_forget(s);
	for (u32 i = 0; i < s->ncpu; i++) {
		s->rq[i].sd = s->rq[i].sd_llc = NULL;
		s->rq[i].llc = NULL;
	}
}

static void start_again(struct sched *s, struct rq *rq)
{
	for_each_domain (sd, rq) {
		sd->last_balance = jiffies(s);
		sd->newidle_decayed = s->engine->now;
		if (s->stat)
			sd->stat = arena_new(s->domain_arena, struct domain_stat);
	}
	if (!rq->llc)
		return;
	rq->llc->nr_busy -= rq->nohz_idle;
	rq->llc->nr_idle_scan = 0;
	rq->llc->has_idle_cores = false;
}

void hotplug_rebuild(struct sched *s)
{
	forget_domains(s);
	tunables_scale(s);
	s->domain_arena = &s->hotplug->mem;
	arena_reset(s->domain_arena);
	domain_build(s);
	sums_build(s);
	for_each_cpu (cpu, s->online)
		start_again(s, cpu_rq(s, cpu));
}
