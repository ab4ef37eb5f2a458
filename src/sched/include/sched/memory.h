/*
 * Memory that tasks use: regions of an address space, whose pages lie on nodes. Where the
 * pages of a task are decides how long it waits for memory, and NUMA balancing moves both
 * towards each other. A simulation without a region pays nothing for this.
 */
#ifndef SCHED_MEMORY_H
#define SCHED_MEMORY_H

#include "base/types.h"

struct sched;

/** Where the pages of a region are. */
enum region_place {
	PLACE_FIRST_TOUCH, /* each on the node of the task that touches it first */
	PLACE_INTERLEAVE,  /* over all nodes in turn, and kept there (numactl -i) */
	PLACE_BIND,	   /* on one node, and kept there (numactl -m) */
	PLACE_POPULATED,   /* there at the start, on one node; may be moved */
	PLACE_SPREAD,	   /* there at the start, over all nodes in turn; may be moved */
};

struct region_attr {
	const char *name;
	u64 size; /* bytes, more than 0; counted in chunks */
	u64 page; /* bytes: 4 KiB, or 2 MiB for transparent huge pages */
	enum region_place place;
	u32 node;    /* index, for PLACE_BIND and PLACE_POPULATED */
	bool random; /* tasks touch its pages in no order, not one after another */
	u32 process; /* whose tasks are threads of one address space; small numbers */
};

/** Most regions that one task uses. */
#define REGIONS_OF_TASK 8u

/** A region that a task uses, and how often compared with its others. */
struct region_use {
	u32 region; /* of sched_region_add() */
	u32 weight; /* 1 .. 1000000 */
};

/** A region, before its tasks are made. Returns its number: 0, 1, ... */
u32 sched_region_add(struct sched *s, const struct region_attr *attr);

/** Pages of 4 KiB of a region that lie on a node. */
u64 sched_region_pages(const struct sched *s, u32 region, u32 node);

#endif
