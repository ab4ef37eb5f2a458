/*
 * What the fair class queues: entities, their queues by CPU, and the groups of tasks that
 * have both. Units as in internal.h.
 */
#ifndef SCHED_FAIR_CFS_H
#define SCHED_FAIR_CFS_H

#include <bsd/sys/tree.h>

#include "base/types.h"
#include "group/bandwidth.h"
#include "load/pelt.h"

struct cfs_rq;
struct task;

/* What is queued: a task, or a group of tasks that is a task to the level above. */
struct entity {
	RB_ENTRY(entity) node; /* in cfs->tree while queued and not running */
	u64 vruntime;	       /* relative to min_vruntime while migrating */
	u64 seq;	       /* insertion number: equal keys are first in, first out */
	u64 weight, inv_weight;
	u64 exec_start, sum_exec, prev_sum_exec;
	struct pelt avg;
	u64 runnable;	       /* tasks that it stands for, as last enqueued */
	struct cfs_rq *cfs;    /* the queue that it is on, or was on last */
	struct cfs_rq *own;    /* the queue of a group, NULL = a task */
	struct entity *parent; /* the group that `cfs` belongs to, NULL = root */
	bool on_rq, in_tree;
	bool idle; /* a task of SCHED_IDLE, or a group of cpu.idle */

	/* EEVDF: virtual times in ns of a nice 0 task, slices in ns on the CPU */
	bool delayed;	   /* its dequeue waits until it is eligible */
	bool rel_deadline; /* `deadline` is relative to vruntime: it is being moved */
	bool custom_slice; /* `slice` is not the base slice */
	u64 deadline, slice;
	u64 protect; /* the deadline at the pick: while it holds, so does the slice */
	s64 vlag;    /* average vruntime - vruntime when it left its queue */
	u64 min_vruntime, min_slice; /* of its subtree in cfs->by_deadline */
};

RB_HEAD(entity_tree, entity);
RB_HEAD(deadline_tree, entity);
RB_HEAD(cookie_tree, task);

/* Averages of tasks that have left a queue since its last update. */
struct removed {
	u64 load, util, runnable;
	u32 nr;
};

struct cfs_rq {
	struct entity_tree tree;
	struct entity *leftmost;    /* of the tree, NULL = empty */
	struct entity *curr;	    /* on the CPU, kept out of the tree */
	struct entity *next, *last; /* buddies */
	struct entity *skip;	    /* has yielded */
	struct entity *put;	    /* put back last, at that time */
	u64 put_at;
	struct rq *rq;
	struct task_group *tg;
	u64 min_vruntime; /* EEVDF: where virtual times count from */
	u64 weight;	  /* sum, running entity included */
	u64 seq;	  /* insertions */
	u32 nr;		  /* entities, running one included */
	u32 h_nr;	  /* tasks below */
	u32 h_delayed;	  /* ... asleep, but queued (EEVDF) */
	struct pelt avg;
	u32 util_est; /* sum of the queued tasks'; root only */

	/* groups: what the group's sum knows of this queue, and what its entity must
	 * learn */
	u64 contrib, published; /* published: when, ns */
	s64 prop_sum;
	bool propagate;
	bool unsettled; /* it fades, or some have left: before anything else */
	bool fades;	/* empty: only its load is up to date, see load/blocked.c */
	u32 faded;	/* steps of rq.fade_log that it has seen */
	struct removed removed;
	u64 h_load, h_load_at; /* of the jiffy */

	u64 min_fi; /* core scheduling: snapshot of min_vruntime, and its episode */
	u32 fi_mark;

	struct cfs_limit limit; /* bandwidth */
	/* EEVDF: its tree; over that, sums of weight * (vruntime - min_vruntime), weight
	 */
	struct deadline_tree by_deadline;
	s64 key_sum;
	u64 key_weight;
};

/* A cgroup: one queue and one entity on each CPU, and a sum over them. */
struct task_group {
	struct task_group *parent; /* NULL = root */
	const char *name;
	u64 cookie;	      /* of its tasks; 0 = untagged */
	u64 tag;	      /* its identity: that cookie, once it has been tagged */
	u64 shares;	      /* 1024 = the weight of a nice 0 task */
	u64 load_avg;	      /* sum of the queues' contributions */
	struct cfs_rq **cfs;  /* by CPU */
	struct entity **se;   /* by CPU; NULL for the root */
	struct bandwidth *bw; /* NULL = no limit */
	bool idle;	      /* cpu.idle */
	struct task_group *all_next;
};

#endif
