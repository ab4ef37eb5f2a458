/*
 * A machine: topology, caches, memory nodes, cost rows, idle states, SMT and frequency
 * rows. Immutable once loaded. CPUs are numbered 0..ncpu-1 in the order of their numbers
 * in the operating system (`os`); all arrays are sized by *possible* CPUs.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/arena.h"
#include "base/failure.h"
#include "base/text.h"
#include "base/types.h"
#include "base/units.h"

#define MACHINE_MAX_CPUS  8192u
#define MACHINE_MAX_NODES 256u

enum cost_id {
#define COST(id, name, unit, lo, hi, def, source, doc) COST_##id,
#include "machine/costs.def"
#undef COST
	COST_COUNT
};

struct cost_row {
	const char *name, *source, *doc;
	enum unit unit;
	u64 lo, hi, def;
};

extern const struct cost_row cost_rows[COST_COUNT];

struct machine_cpu {
	u32 os;	     /* number in the operating system */
	u32 core;    /* dense ids, 0.. in order of first CPU; core, cluster, LLC nest */
	u32 cluster; /* cores that share a cache below the last level; else = core */
	u32 llc;     /* share the last-level cache; without cache data: the package. Lies
			in one node and one package: a cache that spans two counts twice */
	u32 node;    /* index into machine.node */
	u32 package;
	u32 thread;  /* 0, 1, ... inside its core */
	bool online; /* possible but offline CPUs are kept */
};

struct machine_node {
	u32 os;
	u64 memory; /* bytes; 0 = no memory, or all nodes are 0: not known */
	u32 ncpu;   /* possible CPUs; 0 = memory only */
};

struct machine_cache {
	u32 level; /* 1, 2, 3, ... data or unified */
	u64 size;  /* bytes; 0 = unknown */
	u32 cpus;  /* how many CPUs share one */
};

struct idle_state {
	const char *name;
	u64 exit, residency; /* ns */
	const char *source;
};

/** Frequency of a core by number of active cores in its package; first fit. */
struct freq_bin {
	u32 upto;  /* active cores, inclusive */
	u64 hz[3]; /* licence: scalar, AVX2, AVX-512 */
};

/** SMT: what `self` keeps beside one busy sibling running `other`; ratio Q32. */
struct smt_row {
	const char *self, *other;
	u64 keep;
	const char *source;
};

/** Where the value of a cost row came from. */
struct cost_value {
	u64 value;
	const char *source; /* "measured: ...", "documented: ...", "estimate: ..." */
	bool is_default;
};

struct machine {
	const char *name;
	const char *file;	 /* "" for `this` */
	const char *description; /* one line */
	const char *source;	 /* where the topology came from */
	u32 ncpu, ncore, nllc, nnode, npackage;
	struct machine_cpu *cpu;
	struct machine_node *node; /* in order of their numbers in the operating system */
	u32 *distance;		   /* nnode x nnode, 10 = local */
	struct machine_cache *cache;
	u32 ncache;
	struct cost_value cost[COST_COUNT];
	struct idle_state *idle;
	u32 nidle; /* >= 1 */
	struct freq_bin *freq;
	u32 nfreq;		 /* 0 = unknown: nominal everywhere */
	u64 freq_nominal;	 /* Hz, 0 = unknown */
	u64 freq_hold;		 /* ns a licence outlasts its heavy code */
	const char *freq_source; /* NULL = no frequency rows */
	struct smt_row *smt;
	u32 nsmt;
	/* a guest on a host that stops its CPUs in turn; host_cpus 0 = bare metal */
	u32 host_cpus;	/* so many of the guest's CPUs run at a time */
	u64 host_slice; /* ns that one runs before another has its turn */
	u64 host_wake;	/* ns that an idle one waits, on average, if others have them all
			 */
	u64 host_timer; /* Q32: how often one waits for a turn of another after a timer */
	const char *host_source;
};

static inline u64 machine_cost(const struct machine *m, enum cost_id id)
{
	return m->cost[id].value;
}

static inline u32 machine_distance(const struct machine *m, u32 node_a, u32 node_b)
{
	return m->distance[node_a * m->nnode + node_b];
}

/**
 * Load a machine: `this` (the machine that the program runs on), a path to a machine file
 * or to hwloc XML, or the text of a synthetic hwloc topology ("pack:2 core:4 pu:2").
 * Names are resolved to paths by the caller. The result lives in the arena. The first
 * load of a process must not run beside another thread: it tells hwloc to be silent,
 * which hwloc takes from the environment.
 */
int machine_load(struct arena *a, const char *what, const struct machine **out,
		 struct failure *f);

/** A few lines on a machine and its rows; a drawing in characters. Appended to out. */
void machine_show(const struct machine *m, struct text *out);
void machine_draw(const struct machine *m, struct text *out);

/**
 * Everything of a machine that can reach a decision, one value a line, without names of
 * files and without sources: two machines with the same text simulate alike. Appended.
 */
void machine_canonical(const struct machine *m, struct text *out);

/** The cost rows as a Markdown table for docs/machines.md. Appended to out. */
void machine_costs_doc(struct text *out);

/**
 * Make a machine file (YAML text, appended to out) from what people paste: hwloc XML,
 * `lscpu -p`, `lscpu -e` or `lscpu -J` output, with `numactl -H` text if given (else
 * NULL).
 */
int machine_import(struct arena *a, const char *path, const char *numactl_path,
		   const char *name, struct text *out, struct failure *f);

#endif
