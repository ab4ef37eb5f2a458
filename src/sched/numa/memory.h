/*
 * Regions, chunks and the tasks that use them, as src/sched/numa/ sees them. Pages are
 * counted in chunks, which move as one: 2 MiB, or more in regions above 128 GiB.
 *
 * Everything hangs off s->memory, which is NULL while no region exists; tasks without
 * memory have t->mem == NULL.
 */
#ifndef SCHED_NUMA_MEMORY_H
#define SCHED_NUMA_MEMORY_H

#include "internal.h"

#define CHUNK_SIZE    (2ull << 20)
#define REGION_CHUNKS 65536u
#define BASE_PAGE     4096u
#define NODE_NONE     UINT16_MAX

struct chunk {
	u16 node;	 /* NODE_NONE = nobody has touched it yet */
	u16 cpu;	 /* of who took the last hinting fault on it */
	u8 pid;		 /* ... the low bits of its pid */
	bool touched_by; /* the two above are known */
	bool hinted;	 /* the next to touch it takes a hinting fault */
};

struct region {
	struct region_attr attr;
	u64 chunk_size;
	u32 nchunk, untouched, hinted;
	u32 *on_node; /* chunks, by node */
	u32 turn;     /* node of the next interleaved chunk */
	u64 version;  /* counts changes of on_node */
	struct chunk *chunk;
	u32 next; /* region of the same process, or REGION_NONE */
};

#define REGION_NONE UINT32_MAX

/* The address space of some tasks. (struct mm_struct) */
struct process {
	u32 first, last;  /* regions, in the order of their addresses */
	u32 users;	  /* tasks */
	u64 pages;	  /* of BASE_PAGE, touched: the resident set */
	u64 next_scan;	  /* jiffies; 0 = not set */
	u32 scan_seq;	  /* passes completed */
	u32 at, at_chunk; /* where the scan goes on; at == REGION_NONE: the end */
};

struct use {
	struct region *region;
	u32 weight;
	u32 cursor; /* chunk that it touches next, in order */
	u64 carry;  /* bytes of a chunk that it has not touched to the end */
};

struct numa_task;

/* What one task has to do with memory. */
struct task_memory {
	struct use use[REGIONS_OF_TASK];
	u32 nuse, weight; /* sum */
	struct process *process;
	u32 node;	/* where it runs, or ran last */
	u64 seen;	/* CPU time that was looked at */
	u64 skip, debt; /* ns charged since then; ns to be charged */
	u64 speed;	/* bytes that it touches in a second of work */
	u64 bandwidth;	/* bytes that it has from memory in a second of work */
	struct stream stream;
	u64 version; /* of its regions, together, that `share` is from */
	u64 *share;  /* Q32 of its accesses, by node; what is missing is untouched */
	struct numa_task *numa; /* NULL = NUMA balancing is off */
};

struct node {
	struct cpumask *cpus; /* possible ones */
	u64 room;	      /* chunks of CHUNK_SIZE; UINT64_MAX = not known */
	u64 used;
	u64 demand;    /* bytes a second, at the last look */
	u64 saturated; /* Q32: how much longer an access takes than with nobody else */
};

enum topology { NODES_DIRECT, NODES_MESH, NODES_BACKPLANE };

struct memory {
	u32 nnode;
	struct node *node;
	u64 *latency; /* nnode x nnode, Q32 of a local access */
	struct region **region;
	u32 nregion, region_cap;
	struct process **process; /* by number; NULL = not used */
	u32 process_cap;
	struct pool tasks;
	u64 bandwidth; /* of a node, bytes a second; 0 = no limit */
	u64 looked;    /* at the demand for it */
	u32 ev_look, ev_tick;
	u32 *count; /* for checks, by node */
	u64 *sum;
	/* NUMA balancing */
	bool balancing;
	enum topology topology;
	u32 max_distance;
	struct pool numa, groups;
	u32 next_group; /* number */
	u64 *no_pull;	/* by CPU, ns: up to then it waits for the other half of a swap */
};

/* region.c */
/** The node that a chunk goes to which is touched from `node`. */
u32 region_choose(struct memory *m, const struct machine *machine, struct region *r,
		  u32 node);
void region_put(struct memory *m, struct region *r, u32 chunk, u32 node);
bool node_has_room(const struct node *n, const struct region *r);
/** Chunks of a region in pages of BASE_PAGE. */
static inline u64 region_pages(const struct region *r, u64 chunks)
{
	return chunks * (r->chunk_size / BASE_PAGE);
}

/* touch.c */
void memory_touched(struct sched *s, struct rq *rq, struct task *t);

/* speed.c */
void speed_changed(struct sched *s);
void speed_look(void *ctx, u32 entity);
void speed_share(const struct memory *m, struct task_memory *tm);

/* numa.c: only if m->balancing */
void numa_init(struct sched *s);
void numa_attach(struct sched *s, struct task *t);
void numa_detach(struct sched *s, struct task *t);
void numa_tick(struct sched *s, struct rq *rq, struct task *t);
void numa_switched_in(struct sched *s, struct task *t, u32 old_node);
/** A hinting fault of t, from `node`; returns what it costs, ns. */
u64 numa_fault(struct sched *s, struct task *t, struct region *r, u32 chunk, u32 cpu);
int numa_check(const struct sched *s, struct failure *f);

static inline u32 cpu_node(const struct sched *s, u32 cpu)
{
	return s->machine->cpu[cpu].node;
}

#endif
