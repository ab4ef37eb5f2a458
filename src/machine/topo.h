/*
 * Raw topology: what a source (hwloc, a table in a machine file, pasted text) says,
 * before CPUs are sorted and ids made dense. Private to the machine layer.
 */
#ifndef MACHINE_TOPO_H
#define MACHINE_TOPO_H

#include "machine/machine.h"

#define TOPO_MAX_OS    65535u /* largest CPU or node number taken from a file */
#define TOPO_LOCAL     10u
#define TOPO_REMOTE    20u  /* distance where nothing is known */
#define TOPO_MAX_DIST  254u /* a SLIT entry is a byte, 255 = unreachable */
#define TOPO_MAX_CACHE 8u   /* levels */

/** Where a text came from, for failures; file may be NULL. */
struct place {
	const char *file;
	u32 line, col;
};

struct topo_cpu {
	u32 os;
	/* equal key = the same thing; any number */
	u64 core, cluster, llc, package;
	u32 node; /* number of the node in the operating system */
	bool online;
	u32 line, col; /* of its row in a table */
};

struct topo_node {
	u32 os;
	u64 memory;
};

struct topo {
	struct arena *arena;
	struct topo_cpu *cpu;
	u32 ncpu;
	struct topo_node *node; /* sorted by os once finished */
	u32 nnode;
	u32 *distance; /* nnode x nnode in the order of node[]; NULL = not known */
	struct machine_cache cache[TOPO_MAX_CACHE];
	u32 ncache;
};

/* Sources. */
int topo_from_xml(struct topo *t, const char *path, struct failure *f);
int topo_from_synthetic(struct topo *t, const char *text, const struct place *at,
			struct failure *f);
int topo_from_this(struct topo *t, struct failure *f);

/** A file that was read. */
struct topo_text {
	const char *file, *text;
	size_t len;
};

typedef int topo_reader(struct topo *t, const struct topo_text *in, struct failure *f);

/**
 * Let a child process of at most that many seconds read it. If it dies, that is a failure
 * of the input. t holds nothing but its arena.
 */
int topo_in_child(struct topo *t, topo_reader *read_it, const struct topo_text *in,
		  u32 seconds, struct failure *f);

/** Well-formed, of a format that hwloc reads, and without what makes hwloc stumble. */
int hwloc_xml_check(const char *file, const char *text, size_t len, struct failure *f);

/** A synthetic topology of at most MACHINE_MAX_CPUS CPUs, numbered below TOPO_MAX_OS. */
int hwloc_synthetic_check(const char *text, const struct place *at, struct failure *f);

/**
 * Give threads new numbers: the first thread of every core first, then the second ones,
 * as most firmware numbers them. Without it siblings are neighbours.
 */
void topo_siblings_apart(struct topo *t);

/** One node that holds everything, for sources without NUMA data. */
void topo_one_node(struct topo *t);

struct topo_node *topo_node_find(const struct topo *t, u32 os);

/** Add a node with that number unless there is one. */
void topo_node_add(struct topo *t, u32 os, u64 memory);

/** For tables: things that must lie inside one another do. */
int topo_check_nested(const struct topo *t, const char *file, struct failure *f);

/** Sort, number, count; fills the topology part of m. */
int topo_finish(struct topo *t, const struct place *at, struct machine *m,
		struct failure *f);

/** Parse "0-3,8" into a map of TOPO_MAX_OS + 1 flags. Returns 0 or -1. */
int cpulist_parse(const char *text, u8 *flags);

#endif
