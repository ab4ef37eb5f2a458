/*
 * NUMA balancing: the counters of faults that decide where pages and tasks go. Counters
 * are in pages of 4 KiB; periods in ms, as in Linux, whose arithmetic rounds there.
 */
#ifndef SCHED_NUMA_BALANCING_H
#define SCHED_NUMA_BALANCING_H

#include "numa/memory.h"

/* What is counted, for each node and for shared (0) and private (1) faults. */
enum faults_of {
	FAULTS_MEM, /* by where the page is */
	FAULTS_CPU, /* by where the task ran, weighted by its CPU use */
	FAULTS_KINDS,
};

/* Tasks that share pages. (struct numa_group) */
struct numa_group {
	u32 id; /* in the order of their making */
	u32 tasks;
	u32 active_nodes;
	u64 total, max_cpu;
	u64 *faults; /* sums of the tasks', indexed as theirs */
};

struct numa_task {
	u32 preferred;		   /* node; NODE_NONE */
	u32 scan_seq;		   /* the pass that was looked at last */
	u32 period, period_max;	   /* ms of CPU time between two scans */
	u64 stamp;		   /* CPU time of the last scan */
	u64 retry;		   /* jiffies: not before this the next try to move */
	u64 remote, local, failed; /* faults of this pass; of pages that could not move */
	u64 total;		   /* of faults[FAULTS_MEM] */
	u64 placed_at, placed_sum; /* time and CPU time of the last placement; 0 = none */
	struct numa_group *group;
	bool counted;	 /* it has had a fault */
	bool wants_move; /* if it is not at home: a fault was late enough for that */
	u64 *faults;	 /* averages over passes */
	u64 *fresh;	 /* of this pass */
};

static inline u32 fault_index(const struct memory *m, enum faults_of kind, u32 node,
			      bool private)
{
	return (kind * m->nnode + node) * 2 + private;
}

static inline struct numa_task *numa_of(const struct task *t)
{
	return t->mem ? t->mem->numa : NULL;
}

/* counters.c */
u64 task_faults(const struct memory *m, const struct task *t, u32 node);
u64 group_faults(const struct memory *m, const struct numa_group *g, u32 node);
u64 group_faults_cpu(const struct memory *m, const struct numa_group *g, u32 node);
/** Parts of a thousand of its faults that are on a node or, by topology, near it. */
u64 task_weight(const struct sched *s, const struct task *t, u32 node, u32 distance);
u64 group_weight(const struct sched *s, const struct task *t, u32 node, u32 distance);
bool group_active_on(const struct memory *m, const struct numa_group *g, u32 node);
/** Look at the counters if a pass over the address space is over. */
void numa_placement(struct sched *s, struct task *t);

/* scan.c */
u32 scan_min(const struct sched *s, const struct task *t);
u32 scan_max(const struct sched *s, const struct task *t);
u32 scan_start(const struct sched *s, const struct task *t);
void scan_adapt(struct sched *s, struct task *t, u64 shared, u64 private);
void scan_tick(struct sched *s, struct task *t);
u64 ms_to_jiffies(const struct sched *s, u64 ms);

/* group.c */
/** t found a page that the task `pid` of `cpu` used; *private: it is not to be shared. */
void numa_join(struct sched *s, struct task *t, u32 cpu, u8 pid, bool *private);
void numa_leave_group(struct sched *s, struct task *t);

/* fault.c */
/** Should the page of a chunk come to the node of `cpu`? Notes who touched it. */
bool page_should_move(struct sched *s, const struct task *t, struct chunk *c, u32 cpu);

/* move.c */
void numa_move_preferred(struct sched *s, struct rq *rq, struct task *t);

#endif
