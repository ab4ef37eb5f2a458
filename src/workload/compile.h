/*
 * Turning `program:` lists into arrays of operations. The functions here are what a file
 * under ops/ needs to read its argument. All return 0, or -1 with the failure filled in.
 */
#ifndef WORKLOAD_COMPILE_H
#define WORKLOAD_COMPILE_H

#include "expr.h"

/** A list of names that grows: spans, counters. */
struct names {
	const char **name;
	u32 n, cap;
};

/** A span inside one program. */
struct marked {
	u32 span, slot;
	const struct ynode *begun, *ended;
};

/** Timers with a `name` in one program. */
#define OWN_TIMERS 32u

struct compiler {
	struct arena *a;
	struct env env;
	struct failure *f;
	const struct ynode *tasks; /* the map of groups */
	struct group *group;
	struct cgroup *cgroup;
	u32 ncgroup;
	struct session *session; /* as many as entries of tasks, at most */
	u32 nsession;
	struct profile *profile;
	u32 nprofile;
	struct resources res;
	struct names spans, counters, cookies, processes;
	struct names timers;	/* those with a `ref` */
	bool *forked;		/* per group: some program forks it */
	u32 nslot;		/* most slots of any program */
	bool endless, by_clock; /* some program has `forever`, `until` */
	/* the program in work */
	struct op *op;
	u32 nop, cap;
	const struct ynode *item; /* the list item in work */
	struct marked *marked;
	u32 nmarked, slots, depth;
	struct names own_timers;  /* by `name` */
	u32 own_slot[OWN_TIMERS]; /* their variables */
	bool takes_time; /* what was compiled lets virtual time pass on every pass */
	bool over;	 /* nothing behind this is ever reached */
};

/** Append an operation that points at the item in work; its index is c->nop - 1. */
struct op *emit(struct compiler *c, const struct op_type *type);

/** Compile a list of operations behind what is there. */
int compile_list(struct compiler *c, const struct ynode *list);

/** The entries of `cgroups:` (NULL = none), before the tasks that name them. */
int compile_cgroups(struct compiler *c, const struct ynode *cgroups);

/** The entries of `hotplug:` (NULL = none). */
int compile_hotplug(struct compiler *c, const struct ynode *list,
		    struct workload_plan *p);

/** What an operation `hotplug` changes, at once. */
int compile_hotplug_op(struct compiler *c, const struct ynode *arg,
		       struct hotplug_change *out);

/** The index of a cgroup by name. */
int find_cgroup(struct compiler *c, const struct ynode *n, u32 *out);
int compile_cgroup_of(struct compiler *c, const struct ynode *n, u32 *out);

/** The number of a session, from 1: a name, or a map of name and nice. */
int compile_session(struct compiler *c, const struct ynode *n, u32 *number);

/** All that programs share: `channels:`, `locks:` and their like. */
int compile_resources(struct compiler *c, const struct workload *w);

/** The entries of `profiles:` (NULL = none), before the tasks that name them. */
int compile_profiles(struct compiler *c, const struct ynode *profiles);

/** The index of a profile by name. */
int find_profile(struct compiler *c, const struct ynode *n, u32 *out);

/** `memory:` of a task entry: the regions that it uses. */
int compile_memory(struct compiler *c, const struct ynode *n, struct group *g);

/** All programs of `tasks:` (c->group is set up). */
int compile_tasks(struct compiler *c, struct group **groups, u32 *ngroups);

/** An argument is there, or is not there. */
int need_arg(struct compiler *c, const struct ynode *arg, const char *example);
int no_arg(struct compiler *c, const struct ynode *arg);

/** A scalar that is this word. */
bool is_word(const struct ynode *n, const char *word);

/** A constant duration, or a distribution of durations. */
int compile_time(struct compiler *c, const struct ynode *n, u64 lo, u64 *out);
int compile_dist(struct compiler *c, const struct ynode *n, const struct dist **out);

/** Index of a name in a growing list. */
u32 name_index(struct compiler *c, struct names *list, const char *name);

/** A name as written: a scalar that is not empty. */
int compile_name(struct compiler *c, const struct ynode *n, const char **out);

/** A variable of the instance, 0 when it starts. */
u32 compile_slot(struct compiler *c);

/** The span of that name in the program in work (made on first use). */
struct marked *compile_span(struct compiler *c, const char *name);

/** A task entry by name that is a template. */
int compile_template(struct compiler *c, const struct ynode *n, u32 *group);

/** Any task entry by name. */
int compile_task_name(struct compiler *c, const struct ynode *n, u32 *group);

/** `metrics:` and `main:` of the file. */
int compile_metrics(struct compiler *c, struct workload_plan *p);

#endif
