/*
 * What a workload file becomes. A struct workload is the parsed file with its parameters
 * open; a struct workload_plan is the same with every number known, immutable, shared by
 * runs on several threads. A program is a flat array of operations that ends in `exit`.
 */
#ifndef WORKLOAD_PLAN_H
#define WORKLOAD_PLAN_H

#include "base/dist.h"
#include "base/yaml.h"
#include "workload/workload.h"

struct compiler;
struct inst;
struct op;

#define LOOP_DEPTH 8u /* nested loops of one program */

/** Most tasks alive at once in one simulation. */
#define TASKS_MAX 200000u

/** Longest duration in a file: sums with the clock stay far below 2^64. */
#define DURATION_MAX (1000000 * NS_PER_SEC)

/** What the stepping loop does after an operation. */
enum flow {
	FLOW_NEXT,  /* took no time: the next operation follows at once */
	FLOW_JUMP,  /* as NEXT, but the operation has set the place itself */
	FLOW_YIELD, /* return *next to the scheduler, then go on behind it */
	FLOW_HOLD   /* return *next to the scheduler, then ask this operation again */
};

struct op_type {
	/** Read the argument (NULL: none was given) and emit operations. */
	int (*compile)(struct compiler *c, const struct ynode *arg);
	/** Do it. t->phase is 0 when the operation is entered and kept over FLOW_HOLD. */
	enum flow (*step)(struct inst *t, const struct op *op, enum step *next);
};

#define OP(id, name, doc) extern const struct op_type op_##id;
#include "ops.def"
#undef OP

/** Not in ops.def: the wait for `start:` in front of every program. */
extern const struct op_type op_start;

/** Nor is the end of a loop's body. */
extern const struct op_type op_loop_end;

/** Nor the end of a list of `choose`. */
extern const struct op_type op_jump;

/** A row of ops.def. */
struct op_row {
	const char *name, *doc;
	const struct op_type *type;
};

extern const struct op_row op_rows[];
extern const u32 op_row_count;

/** One operation; what the members beside type mean is its own business. */
struct op {
	const struct op_type *type;
	const struct dist *dist;
	const void *data;
	u64 value;
	u32 target;		/* index of an operation of the same program */
	u32 index;		/* span, counter, group, slot */
	const struct ynode *at; /* its place in the file, for failures at run time */
};

struct program {
	const struct op *op;
	u32 nop;
};

/** One entry of `cgroups:`; a parent comes before its children. */
struct cgroup {
	const char *name;
	u64 shares;  /* cpu.weight 100 = 1024 */
	u32 parent;  /* index; CGROUP_ROOT = none */
	bool cookie; /* tagged: its tasks share a cookie */
	bool idle;   /* cpu.idle */
	bool limited;
	struct group_limit limit; /* cpu.max */
};

#define CGROUP_ROOT UINT32_MAX

/** A session that task entries name: see sessions.c. */
struct session {
	const char *name;
	s32 nice;   /* of its autogroup */
	bool given; /* the file says it */
};

/** One entry of `profiles:`. */
struct profile {
	struct profile_attr attr;
};

#define PROFILE_NONE UINT32_MAX

struct memory_ref;

/** One entry of `hotplug:`; `at` is a time of the run. */
struct hotplug_change {
	u64 at;
	enum hotplug_kind kind;
	const struct cpumask *cpus; /* NULL = of no interest */
};

/** One entry of `tasks:`. */
struct group {
	const char *name;
	const char *comm; /* one %d at most */
	bool numbered;	  /* comm has a %d */
	u64 first;	  /* number of the first instance in its name */
	bool template;
	u32 count;
	u32 cgroup;			 /* index, or CGROUP_ROOT: where its parent is */
	u32 profile;			 /* index, or PROFILE_NONE */
	const struct memory_ref *memory; /* regions that it uses; NULL = none */
	u32 nmemory;
	u32 cookie;		  /* number of its named cookie, from 1; 0 = none */
	u32 session;		  /* likewise */
	bool thread, leads_group; /* of its parent's process; a process group */
	struct program program;
};

struct decl;

/** The declared things of a kind: see resources.h. */
struct decls {
	struct decl **d;
	u32 n, total; /* entries; things */
};

/** Everything that the programs of a file share. */
struct resources {
	struct decls channels, polls, locks, conditions, semaphores, barriers, lines,
		devices, memory;
};

enum metric_kind {
	METRIC_RATE,	 /* counter per second */
	METRIC_TOTAL,	 /* counter */
	METRIC_SPAN,	 /* of a latency histogram */
	METRIC_ELAPSED,	 /* from the first program's begin to the last exit */
	METRIC_SHARE,	 /* CPU time of a group over that of something */
	METRIC_CPU,	 /* CPU time of a group */
	METRIC_RESOURCE, /* of the ledger of a lock, a barrier, ... */
	METRIC_LIMIT	 /* of a cgroup's limit of CPU time */
};

enum span_stat { SPAN_QUANTILE, SPAN_MEAN, SPAN_MAX, SPAN_COUNT };

/** `of` of a share: all CPUs, all groups, or a group. */
#define OF_CPUS UINT32_MAX
#define OF_ALL	(UINT32_MAX - 1)

struct metric {
	struct metric_decl decl;
	enum metric_kind kind;
	enum span_stat stat;
	u32 index;	   /* counter, span, group, kind of resource, cgroup */
	u32 of;		   /* share; entry of that kind */
	u32 resource_stat; /* enum resource_stat or limit_stat */
	u32 permyriad;	   /* quantile */
	u64 every;	   /* ns: the mean of it over such intervals; 0 = of all */
	u64 scale; /* ns in one unit; counted things in one unit; for a share in %: 100 */
};

struct workload_plan {
	const struct machine *machine;
	const char *name, *params;
	bool fixed_work;
	u64 duration, warmup, jitter;
	const struct group *group;
	u32 ngroup;
	const struct cgroup *cgroup;
	u32 ncgroup;
	const struct session *session;
	u32 nsession;
	const struct profile *profile;
	u32 nprofile;
	u32 ncookie, nprocess;
	const struct hotplug_change *hotplug;
	u32 nhotplug;
	struct resources res;
	u32 nspan, ncounter, ntimer;
	u32 nslot; /* u64 variables of an instance */
	const struct metric *metric;
	u32 nmetric, main_metric;
};

/** A parameter as declared. */
struct param_decl {
	const char *name, *help;
	const struct ynode *def;     /* default: an expression */
	const struct ynode *lo, *hi; /* range, or NULL */
	const struct ynode *unit;    /* `unit:`, or NULL */
};

struct workload {
	const char *name, *file, *description, *source;
	const char *text; /* the file, then its bases */
	size_t len;
	/* values of the file or of the nearest base that has them; NULL = nowhere */
	const struct ynode *root, *params, *duration, *warmup, *jitter, *fixed,
		*ends_early, *tasks, *metrics, *main, *cgroups, *profiles, *channels,
		*polls, *locks, *conditions, *semaphores, *barriers, *lines, *devices,
		*memory, *hotplug;
	struct param_decl *param;
	const char **param_name;
	u32 nparam;
};

#endif
