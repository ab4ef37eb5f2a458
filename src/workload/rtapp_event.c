/*
 * Events of an rt-app phase. The kind of an event is the beginning of its key ("run0",
 * "sleep_b"); the order is that of the file. Times are us.
 *
 *   run, runtime, sleep    the operations of these names
 *   mem, memrun, iorun     as long as bytes of a memset, loads, writes take: estimates,
 *                          see the constants
 *   timer                  a timer of the task (`unique...`) or of all tasks
 *   lock, unlock           a mutex that sleeps at once, as pthread_mutex_t does
 *   wait, signal, broad    a condition variable; `sync` signals and then waits
 *   suspend, resume        a condition and a mutex of that name: nobody is remembered, a
 *                          resume before the suspend is lost, as in rt-app
 *   barrier                as many parties as threads whose task names it
 *   sem_post, sem_wait     a semaphore that starts at 0
 *
 * Differs from rt-app: `runtime` is own CPU time, not time on the wall since it began.
 */
#include <ctype.h>
#include <string.h>

#include "rtapp.h"

/* Estimates; none was measured. */
#define MEMSET_BYTES_PER_NS 10u	 /* vectors, in the level 2 cache */
#define NS_PER_TWO_BYTES    1u	 /* memrun read, write: a byte at a time */
#define WRITE_NULL_NS	    200u /* write(2) to /dev/null */
#define MEM_EVENT_MAX	    (1ll << 40)

struct event {
	const char *prefix;
	int (*find)(struct rtapp *r, const struct ynode *n);
	int (*emit)(struct rtapp *r, const struct ynode *n, struct branch *to);
};

static int time_op(struct rtapp *r, const struct ynode *n, struct branch *to,
		   const char *op)
{
	s64 us;

	if (rtapp_int(r, n, 0, RTAPP_US_MAX, &us))
		return -1;
	rtapp_op(r, to, n, op, rtapp_word(r, n, "%lld us", (long long)us));
	return 0;
}

static int emit_run(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return time_op(r, n, to, "run");
}

static int emit_runtime(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return time_op(r, n, to, "runtime");
}

static int emit_sleep(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return time_op(r, n, to, "sleep");
}

static void work(struct rtapp *r, const struct ynode *n, struct branch *to, u64 ns)
{
	rtapp_op(r, to, n, "run", rtapp_word(r, n, "%llu ns", (unsigned long long)ns));
}

static int emit_mem(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	s64 bytes;

	if (rtapp_int(r, n, 0, INT32_MAX, &bytes))
		return -1;
	work(r, n, to, ((u64)bytes + MEMSET_BYTES_PER_NS - 1) / MEMSET_BYTES_PER_NS);
	return 0;
}

/* Tenths of a ns that one load of a chain takes, by the size of the buffer. */
static u64 load_latency(u64 size, bool sequential)
{
	u64 t = size <= 32u << 10   ? 15
		: size <= 1u << 20  ? 50
		: size <= 32u << 20 ? 200
				    : 900;

	return sequential ? min_u64(t, 50) : t; /* the prefetcher sees it coming */
}

static int emit_memrun(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	static const char *const keys[] = {"type",    "size", "count", "stride",
					   "pattern", "ref",  NULL};
	static const char *const types[] = {"read", "write", "chase"};
	static const char *const patterns[] = {"random", "sequential"};
	const struct ynode *type, *count, *size, *stride, *pattern, *ref;
	s64 many, bytes = (s64)r->mem_buffer, step;
	u32 kind, order = 0;
	const char *name;

	if (rtapp_keys(r, n, keys))
		return -1;
	type = y_need(n, "type", r->f);
	count = type ? y_need(n, "count", r->f) : NULL;
	size = y_get(n, "size");
	stride = y_get(n, "stride");
	pattern = y_get(n, "pattern");
	ref = y_get(n, "ref");
	if (!count || y_choice(type, types, ARRAY_SIZE(types), &kind, r->f) ||
	    rtapp_int(r, count, 0, MEM_EVENT_MAX, &many) ||
	    (size && rtapp_int(r, size, 1, MEM_EVENT_MAX, &bytes)) ||
	    (stride && rtapp_int(r, stride, 1, MEM_EVENT_MAX, &step)) ||
	    (pattern && y_choice(pattern, patterns, 2, &order, r->f)) ||
	    (ref && rtapp_str(r, ref, &name)))
		return -1;
	if (kind == 2)
		work(r, n, to, (u64)many * load_latency((u64)bytes, order == 1) / 10);
	else
		work(r, n, to, (u64)many * NS_PER_TWO_BYTES / 2);
	return 0;
}

/* One write(2) of so many bytes. */
static void emit_write(struct rtapp *r, const struct ynode *n, struct branch *to,
		       u64 bytes)
{
	struct branch arg = rtapp_map(r, n);

	if (!strcmp(r->io_device, "/dev/null")) {
		rtapp_op(r, to, n, "system", rtapp_word(r, n, "%u ns", WRITE_NULL_NS));
		return;
	}
	r->uses_io = true;
	rtapp_add(r, &arg, "device", rtapp_word(r, n, "io_device"));
	rtapp_add(r, &arg, "size", rtapp_word(r, n, "%llu B", (unsigned long long)bytes));
	rtapp_op(r, to, n, "io", arg.node);
}

static int emit_iorun(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	struct branch loop = rtapp_map(r, n), body = rtapp_list(r, n);
	s64 bytes;
	u64 full;

	if (rtapp_int(r, n, 0, INT32_MAX, &bytes))
		return -1;
	full = (u64)bytes / r->mem_buffer;
	if (full) {
		emit_write(r, n, &body, r->mem_buffer);
		rtapp_add(r, &loop, "times",
			  rtapp_word(r, n, "%llu", (unsigned long long)full));
		rtapp_add(r, &loop, "do", body.node);
		rtapp_op(r, to, n, "loop", loop.node);
	}
	if ((u64)bytes % r->mem_buffer)
		emit_write(r, n, to, (u64)bytes % r->mem_buffer);
	return 0;
}

/* The timer of an event: shared, or of the task when its name begins with "unique". */
static struct rtapp_timer *timer_named(struct rtapp *r, const char *ref)
{
	const struct ynode *task = strncmp(ref, "unique", 6) ? NULL : r->now->in;
	struct rtapp_timer *t;

	for (t = r->timer; t; t = t->next)
		if (t->task == task && !strcmp(t->ref, ref))
			return t;
	t = arena_new(r->a, struct rtapp_timer);
	t->next = r->timer;
	t->ref = ref;
	t->task = task;
	r->timer = t;
	return t;
}

static int read_timer(struct rtapp *r, const struct ynode *n, const char **ref, s64 *us,
		      u32 *mode)
{
	static const char *const keys[] = {"ref", "period", "mode", NULL};
	static const char *const modes[] = {"relative", "absolute"};
	const struct ynode *name, *period, *m;

	if (rtapp_keys(r, n, keys))
		return -1;
	name = y_need(n, "ref", r->f);
	period = name ? y_need(n, "period", r->f) : NULL;
	m = y_get(n, "mode");
	*mode = 0;
	if (!period || rtapp_str(r, name, ref) ||
	    rtapp_int(r, period, 0, RTAPP_US_MAX, us))
		return -1;
	return m ? y_choice(m, modes, 2, mode, r->f) : 0;
}

/* One event that says absolute makes the timer absolute for all of its events. */
static int find_timer(struct rtapp *r, const struct ynode *n)
{
	const char *ref;
	u32 mode;
	s64 us;

	if (read_timer(r, n, &ref, &us, &mode))
		return -1;
	if (mode)
		timer_named(r, ref)->absolute = true;
	r->now->timed = true;
	return 0;
}

static int emit_timer(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	struct branch arg = rtapp_map(r, n);
	struct rtapp_timer *t;
	const char *ref;
	u32 mode;
	s64 us;

	if (read_timer(r, n, &ref, &us, &mode))
		return -1;
	t = timer_named(r, ref);
	rtapp_add(r, &arg, "period", rtapp_word(r, n, "%lld us", (long long)us));
	rtapp_add(r, &arg, t->task ? "name" : "ref", rtapp_word(r, n, "%s", ref));
	if (t->absolute)
		rtapp_add(r, &arg, "mode", rtapp_word(r, n, "absolute"));
	rtapp_add(r, &arg, "wake", rtapp_word(r, n, "%s", rtapp_label(r, "wake")));
	rtapp_add(r, &arg, "missed", rtapp_word(r, n, "%s", rtapp_label(r, "missed")));
	rtapp_op(r, to, n, "timer", arg.node);
	return 0;
}

static bool plain_name(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_-.", *s))
			return false;
	return true;
}

static bool native_taken(const struct rtapp *r, const char *name)
{
	for (const struct rtapp_resource *x = r->resource; x; x = x->next)
		if (!strcmp(x->native, name))
			return true;
	return false;
}

/* A resource by name, made at its first use. Kinds have namespaces of their own. */
static struct rtapp_resource *resource(struct rtapp *r, enum rtapp_kind kind,
				       const char *name, const struct ynode *at)
{
	struct rtapp_resource *x;

	for (x = r->resource; x; x = x->next)
		if (x->kind == kind && !strcmp(x->name, name))
			return x;
	x = arena_new(r->a, struct rtapp_resource);
	x->kind = kind;
	x->name = x->native = name;
	for (u32 i = r->nresource;
	     !plain_name(x->native) || (x->native != name && native_taken(r, x->native));
	     i++)
		x->native = arena_printf(r->a, "r%u", i);
	x->at = at;
	*r->last = x;
	r->last = &x->next;
	r->nresource++;
	return x;
}

/* `op: RESOURCE` */
static void on(struct rtapp *r, const struct ynode *n, struct branch *to, const char *op,
	       enum rtapp_kind kind, const char *name)
{
	rtapp_op(r, to, n, op,
		 rtapp_word(r, n, "%s", resource(r, kind, name, n)->native));
}

static int name_of(struct rtapp *r, const struct ynode *n, const char **name)
{
	if (rtapp_str(r, n, name))
		return -1;
	return **name ? 0 : y_fail(n, r->f, "an empty name");
}

static int plain(struct rtapp *r, const struct ynode *n, struct branch *to,
		 const char *op, enum rtapp_kind kind)
{
	const char *name;

	if (name_of(r, n, &name))
		return -1;
	on(r, n, to, op, kind, name);
	return 0;
}

static int emit_lock(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return plain(r, n, to, "lock", RTAPP_LOCK);
}

static int emit_unlock(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return plain(r, n, to, "unlock", RTAPP_LOCK);
}

static int emit_signal(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return plain(r, n, to, "signal", RTAPP_CONDITION);
}

static int emit_broad(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return plain(r, n, to, "broadcast", RTAPP_CONDITION);
}

static int emit_sem_post(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return plain(r, n, to, "post", RTAPP_SEMAPHORE);
}

static int emit_sem_wait(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	return plain(r, n, to, "take", RTAPP_SEMAPHORE);
}

static void wait_for(struct rtapp *r, const struct ynode *n, struct branch *to,
		     const char *cond, const char *lock)
{
	struct branch arg = rtapp_map(r, n);

	rtapp_add(r, &arg, "condition",
		  rtapp_word(r, n, "%s", resource(r, RTAPP_CONDITION, cond, n)->native));
	rtapp_add(r, &arg, "lock",
		  rtapp_word(r, n, "%s", resource(r, RTAPP_LOCK, lock, n)->native));
	rtapp_op(r, to, n, "wait-for", arg.node);
}

static int read_wait(struct rtapp *r, const struct ynode *n, const char **ref,
		     const char **mutex)
{
	static const char *const keys[] = {"ref", "mutex", NULL};
	const struct ynode *a, *b;

	if (rtapp_keys(r, n, keys))
		return -1;
	a = y_need(n, "ref", r->f);
	b = a ? y_need(n, "mutex", r->f) : NULL;
	return !b || name_of(r, a, ref) || name_of(r, b, mutex) ? -1 : 0;
}

static int emit_wait(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	const char *ref, *mutex;

	if (read_wait(r, n, &ref, &mutex))
		return -1;
	wait_for(r, n, to, ref, mutex);
	return 0;
}

static int emit_sync(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	const char *ref, *mutex;

	if (read_wait(r, n, &ref, &mutex))
		return -1;
	on(r, n, to, "signal", RTAPP_CONDITION, ref);
	wait_for(r, n, to, ref, mutex);
	return 0;
}

/* Without a value or an empty one: the name of the task, as workgen fills it in. */
static int emit_suspend(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	const char *name = "";

	if ((n->kind != Y_SCALAR || n->quoted || *n->text) && rtapp_str(r, n, &name))
		return -1;
	if (!*name)
		name = r->now->in->key;
	on(r, n, to, "lock", RTAPP_LOCK, name);
	wait_for(r, n, to, name, name);
	on(r, n, to, "unlock", RTAPP_LOCK, name);
	return 0;
}

static int emit_resume(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	const char *name;

	if (name_of(r, n, &name))
		return -1;
	on(r, n, to, "lock", RTAPP_LOCK, name);
	on(r, n, to, "broadcast", RTAPP_CONDITION, name);
	on(r, n, to, "unlock", RTAPP_LOCK, name);
	return 0;
}

/* rt-app counts a user for each thread and each mention. */
static int emit_barrier(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	struct rtapp_resource *b;
	const char *name;

	if (name_of(r, n, &name))
		return -1;
	if (r->now->forked)
		return y_fail_key(
			n, r->f,
			"a barrier in a task that is forked: nobody knows how "
			"many threads it waits for, expected no 'fork' of '%.40s'",
			r->now->in->key);
	b = resource(r, RTAPP_BARRIER, name, n);
	if (b->user == r->now)
		return y_fail(
			n, r->f,
			"the task names barrier '%.40s' twice and is counted twice, "
			"so it never opens: expected another name",
			name);
	b->user = r->now;
	b->parties += r->now->instances;
	on(r, n, to, "barrier", RTAPP_BARRIER, name);
	return 0;
}

static int emit_yield(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	rtapp_op(r, to, n, "yield", NULL);
	return 0;
}

static int find_fork(struct rtapp *r, const struct ynode *n)
{
	const char *name;
	struct rtapp_task *t;

	if (name_of(r, n, &name))
		return -1;
	t = rtapp_task_named(r, name);
	if (t) {
		t->forked = true;
		return 0;
	}
	return rtapp_no_task(r, n, name);
}

static int emit_fork(struct rtapp *r, const struct ynode *n, struct branch *to)
{
	const struct rtapp_task *t = rtapp_task_named(r, n->text);

	rtapp_op(r, to, n, "fork", rtapp_word(r, n, "%s", t->template));
	return 0;
}

/* A prefix stands before those that begin it. */
static const struct event events[] = {
	{"runtime", NULL, emit_runtime},   {"run", NULL, emit_run},
	{"sleep", NULL, emit_sleep},	   {"memrun", NULL, emit_memrun},
	{"mem", NULL, emit_mem},	   {"iorun", NULL, emit_iorun},
	{"timer", find_timer, emit_timer}, {"lock", NULL, emit_lock},
	{"unlock", NULL, emit_unlock},	   {"wait", NULL, emit_wait},
	{"signal", NULL, emit_signal},	   {"broad", NULL, emit_broad},
	{"sync", NULL, emit_sync},	   {"barrier", NULL, emit_barrier},
	{"suspend", NULL, emit_suspend},   {"resume", NULL, emit_resume},
	{"sem_post", NULL, emit_sem_post}, {"sem_wait", NULL, emit_sem_wait},
	{"yield", NULL, emit_yield},	   {"fork", find_fork, emit_fork},
};

static const struct event *event_of(const char *key)
{
	for (u32 i = 0; i < ARRAY_SIZE(events); i++)
		if (!strncmp(key, events[i].prefix, strlen(events[i].prefix)))
			return &events[i];
	return NULL;
}

bool rtapp_is_event(const char *key)
{
	return event_of(key);
}

const char *rtapp_nearest_event(const char *key)
{
	const char *names[ARRAY_SIZE(events)];

	for (u32 i = 0; i < ARRAY_SIZE(events); i++)
		names[i] = events[i].prefix;
	return nearest_name(key, names, ARRAY_SIZE(events));
}

int rtapp_events_find(struct rtapp *r, const struct ynode *phase)
{
	y_for_each (n, phase) {
		const struct event *e = event_of(n->key);

		if (e && e->find && e->find(r, n))
			return -1;
	}
	return 0;
}

int rtapp_events(struct rtapp *r, const struct ynode *phase, struct branch *program)
{
	y_for_each (n, phase) {
		const struct event *e = event_of(n->key);

		if (e && e->emit(r, n, program))
			return -1;
	}
	return 0;
}
