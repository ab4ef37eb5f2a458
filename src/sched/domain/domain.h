/*
 * Scheduling domains: for each CPU a chain of larger and larger spans, each divided into
 * groups. Built once from the topology and the online CPUs; immutable but for the
 * counters of the balancer. (sched_domain, sched_group, sched_domain_shared in Linux.)
 */
#ifndef SCHED_DOMAIN_H
#define SCHED_DOMAIN_H

#include "base/cpumask.h"
#include "stat/schedstat.h"

struct sched;

enum domain_flags {
	SD_NEWIDLE = 1 << 0,
	SD_FORK = 1 << 1,
	SD_WAKE_AFFINE = 1 << 2,
	SD_SHARE_CAPACITY = 1 << 3, /* threads of one core */
	SD_SHARE_CACHE = 1 << 4,    /* share the last-level cache */
	SD_PREFER_SIBLING = 1 << 5, /* spread over the groups of the parent */
	SD_NUMA = 1 << 6,
	SD_SERIALIZE = 1 << 7,
};

/*
 * Sums over the CPUs of a span, kept up to date CPU by CPU. Differences are added as four
 * words: no count ever reaches 2^32, so a borrow out of one half is paid back by the same
 * addition.
 */
struct cpu_sums {
	union {
		struct {
			u64 load, runnable;
			u32 util, nr_running;
			u32 idle;    /* CPUs that are idle */
			u32 waiting; /* CPUs with more than one task */
		};
		u64 word[4];
	};
};

struct group {
	struct group *next; /* ring; the first of a domain is the CPU's own */
	const struct cpumask *span;
	const struct cpumask *balance; /* CPUs that may balance for the group */
	u32 weight;
	u64 capacity;
	u64 capacity_100, capacity_pct; /* times 100, times imbalance_pct */
	u64 capacity_due;		/* jiffies: a newly idle CPU looks at it again */
	const struct cpu_sums *sums;	/* of the whole span */
	bool *imbalance; /* shared by all rings: affinity kept a child from balancing */
};

/* pct: the imbalance_pct of its domain. */
static inline void group_set_capacity(struct group *g, u64 capacity, u32 pct)
{
	g->capacity = capacity;
	g->capacity_100 = capacity * 100;
	g->capacity_pct = capacity * pct;
}

/* What the CPUs of one last-level cache share. */
struct llc_shared {
	u32 size;
	u32 nr_busy;
	u32 nr_idle_scan;
	bool has_idle_cores;
};

struct domain {
	struct domain *parent, *child;
	struct group *groups;
	const char *name;
	const struct cpumask *span;
	const struct cpu_sums *sums; /* of the whole span */
	u64 capacity;		     /* of all groups */
	u32 span_weight, flags, level;
	u32 imbalance_pct, cache_nice_tries, imb_numa_nr, numa_rule;
	u32 min_interval, max_interval, interval; /* ms */
	u64 idle_jiffies, busy_jiffies;		  /* the interval in ticks */
	u64 last_balance;			  /* jiffies */
	u32 nr_failed;
	u64 newidle_cost, newidle_decayed; /* ns; when it decayed last */
	u64 scan_cost;			   /* ns of a wake-up's scan, moving average */
	u32 newidle_calls, newidle_success, newidle_ratio;
	struct domain_stat *stat; /* NULL = nobody wants /proc/schedstat */
};

#define for_each_domain(d, q) for (struct domain *d = (q)->sd; d; d = d->parent)

/* How many tasks wake whom: the heuristic of wake_wide. */
struct wakee {
	u32 last; /* pid woken last */
	u32 flips;
	u64 decayed; /* when flips was halved last, ns */
};

/** Change the time between two passes, ms. */
void domain_set_interval(const struct sched *s, struct domain *sd, u32 ms);

/** Build all domains of s->online. */
void domain_build(struct sched *s);

#endif
