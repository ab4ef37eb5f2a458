/*
 * rt-app files (https://github.com/scheduler-tools/rt-app): JSON that says what threads
 * do. The front end translates one into the tree that a native workload file of the same
 * meaning would have; each node keeps the place of the rt-app value that it came from, so
 * that what the compiler complains about later still points into the JSON.
 *
 *   rtapp_text.c    JSON as people write it -> JSON that the YAML reader takes
 *   rtapp_tree.c    making nodes; values with the types of JSON
 *   rtapp_global.c  `global` and `resources`
 *   rtapp_find.c    `tasks`: names, numbers, keys, who is forked
 *   rtapp_task.c    `tasks` and phases: loops, nice values, CPUs, groups
 *   rtapp_event.c   events, by the prefix of their key
 *   rtapp_metric.c  what is measured
 *   rtapp.c         the order of all this
 *
 * docs/rt-app.md says what maps to what, and what is refused.
 */
#ifndef WORKLOAD_RTAPP_H
#define WORKLOAD_RTAPP_H

#include "plan.h"

/** A map or a list that grows at its end. */
struct branch {
	struct ynode *node, **tail;
};

/** What a resource of rt-app becomes: the native map that declares it. */
enum rtapp_kind {
	RTAPP_LOCK,
	RTAPP_CONDITION,
	RTAPP_BARRIER,
	RTAPP_SEMAPHORE,
	RTAPP_KINDS
};

struct rtapp_resource {
	struct rtapp_resource *next;
	enum rtapp_kind kind;
	const char *name;   /* in the JSON */
	const char *native; /* what references can spell */
	const struct ynode *at;
	u64 parties;		       /* of a barrier */
	const struct rtapp_task *user; /* last task that names a barrier */
};

/** A timer of the file, or (`unique...`) of one task. */
struct rtapp_timer {
	struct rtapp_timer *next;
	const char *ref;
	const struct ynode *task; /* NULL: shared by all */
	bool absolute;
};

struct rtapp_task {
	const struct ynode *in; /* its object */
	const char *name;	/* of its entry, unique */
	const char *template;	/* of the entry that `fork` names */
	u64 instances, first;	/* threads, and the number of the first of them */
	s64 loop;
	bool forked;  /* some task forks it */
	bool endless; /* does not leave by itself */
	bool timed;   /* has a timer */
};

struct rtapp {
	struct arena *a;
	struct failure *f;
	const struct ynode *in; /* the root of the JSON */
	/* global */
	const struct ynode *duration; /* NULL: until all threads have left */
	u64 seconds;
	const char *io_device;
	const struct ynode *io_at;
	u64 mem_buffer; /* bytes */
	const char *default_policy;
	const struct ynode *default_policy_at; /* NULL: as it is */
	/* tasks */
	struct rtapp_task *task;
	u32 ntask;
	struct rtapp_resource *resource, **last; /* in the order of their first use */
	u32 nresource;
	u64 nthread;
	struct rtapp_timer *timer;
	bool uses_io;
	/* the native tree */
	struct branch root, tasks, cgroups;
	/* in work */
	struct rtapp_task *now;
};

/** Translate a file. The text is changed in place. */
int rtapp_load(struct arena *a, const char *path, char *text, size_t len,
	       const struct ynode **out, struct failure *f);

/** Blank what is not JSON: comments, tabs. Every byte stays at its place. */
int rtapp_text(const char *path, char *text, size_t len, struct failure *f);

/* rtapp_tree.c: `at` is where the value comes from. */
struct branch rtapp_map(struct rtapp *r, const struct ynode *at);
struct branch rtapp_list(struct rtapp *r, const struct ynode *at);
struct ynode *rtapp_word(struct rtapp *r, const struct ynode *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** Append to a map (with a key) or a list (NULL). */
void rtapp_add(struct rtapp *r, struct branch *b, const char *key, struct ynode *child);
/** Append the operation `- name: arg` to a program; arg NULL: `- name`. */
void rtapp_op(struct rtapp *r, struct branch *program, const struct ynode *at,
	      const char *name, struct ynode *arg);

/** Values with the types of JSON. */
int rtapp_int(struct rtapp *r, const struct ynode *n, s64 lo, s64 hi, s64 *out);
int rtapp_str(struct rtapp *r, const struct ynode *n, const char **out);
int rtapp_bool(struct rtapp *r, const struct ynode *n, bool *out);
int rtapp_object(struct rtapp *r, const struct ynode *n);

/** Every key once, in the list (NULL-terminated). */
int rtapp_keys(struct rtapp *r, const struct ynode *map, const char *const *keys);

/** The native name of a policy; SCHED_DEADLINE is refused with its reason. */
int rtapp_policy(struct rtapp *r, const struct ynode *n, const char **out);

int rtapp_global(struct rtapp *r);
int rtapp_resources(struct rtapp *r);

/** Number the tasks, and see which are forked. */
int rtapp_tasks_find(struct rtapp *r);
/** Translate them. */
int rtapp_tasks(struct rtapp *r);

/** `loop` of a task or a phase: -1 = for ever; `unset` without one. */
int rtapp_loop(struct rtapp *r, const struct ynode *map, bool phase, s64 unset, s64 *out);

/** True: the key begins as the name of an event. */
bool rtapp_is_event(const char *key);
/** The event that was probably meant, or NULL. */
const char *rtapp_nearest_event(const char *key);
/** All events of a phase, behind what is in the program. */
int rtapp_events(struct rtapp *r, const struct ynode *phase, struct branch *program);
/** Before the translation: timers and who is forked. */
int rtapp_events_find(struct rtapp *r, const struct ynode *phase);

/** The name of a span or counter of the task in work. */
const char *rtapp_label(struct rtapp *r, const char *what);

/** `metrics` of the native file. */
void rtapp_metrics(struct rtapp *r, bool fixed_work);

/** The task of that name, or NULL. */
struct rtapp_task *rtapp_task_named(struct rtapp *r, const char *name);
/** There is none. */
int rtapp_no_task(struct rtapp *r, const struct ynode *n, const char *name);

/** Longest time that an int of microseconds can hold. */
#define RTAPP_US_MAX 2147483647

#endif
