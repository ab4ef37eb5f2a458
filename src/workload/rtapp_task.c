/*
 * `tasks` of an rt-app file: each becomes a task entry. A task without `phases` is one
 * phase. A phase is passed through `loop` times (1), all phases `loop` times (for ever);
 * without `phases`, a `loop` is that of the only phase and the task leaves after it.
 *
 * A thread is named TASK-NUMBER, with one numbering for all. A task that is forked and
 * has threads of its own as well becomes two entries. A task that has no thread and that
 * nobody forks is checked and left out.
 *
 * `priority` is a nice value, or the priority of a real-time policy, whichever the policy
 * is at that moment.
 *
 * Differs from rt-app: nice value and CPUs are set before the delay, not after it; the
 * numbers of forked threads are per task, not over all.
 */
#include <string.h>

#include "rtapp.h"

#define GROUP_DEPTH 16u
#define PASS_NS	    1000u /* of rt-app itself, see overhead() */
#define PRIORITY    10	  /* of a real-time policy that comes without */

struct phase {
	const struct ynode *in;
	s64 loop;
	const char *cpus; /* effective; NULL: what it was created with */
	const struct ynode *cpus_at;
	const struct ynode *policy; /* NULL: as before */
	const char *policy_name;
	const struct ynode *nice; /* NULL: as before; real-time: none */
	s64 value;		  /* of nice, or the real-time priority */
	bool rt;
};

/* [0, 2] -> "0,2"; NULL if there is none. */
static int read_cpus(struct rtapp *r, const struct ynode *map, const char **out,
		     const struct ynode **at)
{
	const struct ynode *n = y_get(map, "cpus");
	struct text t = {0};
	s64 cpu;

	if (!n)
		return 0;
	if (n->kind != Y_SEQ || !n->n)
		return y_fail(n, r->f, "expected an array of CPUs such as [0, 1]");
	y_for_each (c, n) {
		if (rtapp_int(r, c, 0, INT32_MAX, &cpu)) {
			text_free(&t);
			return -1;
		}
		text_fmt(&t, "%s%lld", t.len ? "," : "", (long long)cpu);
	}
	*out = arena_strndup(r->a, t.s, t.len);
	*at = n;
	text_free(&t);
	return 0;
}

static bool is_real_time(const char *policy)
{
	return policy && (!strcmp(policy, "fifo") || !strcmp(policy, "rr"));
}

/*
 * A policy without a priority is one of 0, or of 10 if it is a real-time policy; a
 * priority without a policy is one of the policy that was there before (NULL: other).
 */
static int read_policy(struct rtapp *r, const struct ynode *map, const char *before,
		       struct phase *p)
{
	const struct ynode *priority = y_get(map, "priority");

	p->policy = y_get(map, "policy");
	p->policy_name = before;
	if (p->policy && rtapp_policy(r, p->policy, &p->policy_name))
		return -1;
	p->rt = is_real_time(p->policy_name);
	p->value = p->rt ? PRIORITY : 0;
	if (priority && p->rt && rtapp_int(r, priority, 1, 99, &p->value))
		return -1;
	if (priority && !p->rt && rtapp_int(r, priority, -20, 19, &p->value))
		return -1;
	p->nice = priority ? priority : p->policy;
	if (!p->rt)
		return 0;
	p->policy = p->nice;
	p->nice = NULL;
	return 0;
}

/* What the native operation takes: the name, or {fifo: 50}. */
static struct ynode *policy_value(struct rtapp *r, const struct ynode *at,
				  const struct phase *p)
{
	struct branch map;

	if (!p->rt)
		return rtapp_word(r, at, "%s", p->policy_name ? p->policy_name : "other");
	map = rtapp_map(r, at);
	rtapp_add(r, &map, p->policy_name,
		  rtapp_word(r, at, "%lld", (long long)p->value));
	return map.node;
}

/*
 * The policies of the phases. Where the last one leaves another policy than the task
 * began with, a first phase that has only a priority would mean two things.
 */
static int read_policies(struct rtapp *r, const struct rtapp_task *t,
			 const struct phase *task, struct phase *phase, u32 n)
{
	const char *now = task->policy_name;
	const struct ynode *alone = NULL, *own = NULL;

	for (u32 i = 0; i < n; i++) {
		const struct ynode *in = phase[i].in;

		own = own ? own : y_get(in, "policy");
		if (!own && !alone)
			alone = y_get(in, "priority");
		if (read_policy(r, in, now, &phase[i]))
			return -1;
		now = phase[i].policy_name;
	}
	if (!alone || t->loop == 1 || now == task->policy_name ||
	    is_real_time(now) == is_real_time(task->policy_name))
		return 0;
	return y_fail(alone, r->f,
		      "a later phase changes the policy, so that this priority is one of "
		      "two policies, expected a 'policy' beside it");
}

/* "/a/b" is the group b below a; each is declared once. */
static const char *declare_group(struct rtapp *r, const struct ynode *n, const char *path)
{
	const char *parent = NULL, *p = path;

	for (;;) {
		struct branch group = rtapp_map(r, n);
		const char *name;

		p += strspn(p, "/");
		if (!*p)
			return parent;
		p += strcspn(p, "/");
		name = arena_strndup(r->a, path, (size_t)(p - path));
		if (parent)
			rtapp_add(r, &group, "parent", rtapp_word(r, n, "%s", parent));
		if (!y_get(r->cgroups.node, name))
			rtapp_add(r, &r->cgroups, name, group.node);
		parent = name;
	}
}

static int read_group(struct rtapp *r, const struct ynode *map, const char **out,
		      const struct ynode **at)
{
	const struct ynode *n = y_get(map, "taskgroup");
	const char *path;
	u32 depth = 0;

	if (!n)
		return 0;
	if (rtapp_str(r, n, &path))
		return -1;
	if (!*path)
		return 0;
	for (const char *p = path; *p; p++)
		depth += *p == '/';
	if (*path != '/' || strstr(path, "//") || depth > GROUP_DEPTH)
		return y_fail(n, r->f, "'%.60s', expected a path such as /group", path);
	*out = path;
	*at = n;
	return 0;
}

/* The group that a task is in from its first event on; it must be the only one. */
static int find_group_of(struct rtapp *r, const struct rtapp_task *t,
			 struct branch *entry)
{
	const struct ynode *phases = y_get(t->in, "phases"), *at = NULL;
	const char *group = NULL, *own;

	if (read_group(r, t->in, &group, &at))
		return -1;
	for (const struct ynode *p = phases ? phases->first : NULL; p; p = p->next) {
		own = NULL;
		if (read_group(r, p, &own, &at))
			return -1;
		if (own && p != phases->first && (!group || strcmp(group, own)))
			return y_fail(
				at, r->f,
				"the task changes its group, expected one 'taskgroup' "
				"in all phases");
		group = own ? own : group;
	}
	own = group ? declare_group(r, at, group) : NULL;
	if (own)
		rtapp_add(r, entry, "cgroup", rtapp_word(r, at, "%s", own));
	return 0;
}

const char *rtapp_label(struct rtapp *r, const char *what)
{
	return arena_printf(r->a, "%s_%s", what, r->now->name);
}

/* The operation takes time whenever it is executed. */
static bool takes_time(const struct ynode *item)
{
	static const char *const ops[] = {"run", "runtime", "sleep",
					  "io",	 "system",  "loop"};
	const struct ynode *arg = item->kind == Y_MAP ? item->first : NULL;

	if (!arg)
		return false;
	if (!strcmp(arg->key, "timer"))
		return strcmp(y_get(arg, "period")->text, "0 us");
	for (u32 i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strcmp(arg->key, ops[i]))
			return true;
	return false;
}

/*
 * What rt-app does itself between events (clocks, log) is left out, but where no event
 * takes time for sure it is what keeps a loop from standing still: an estimate.
 */
static void overhead(struct rtapp *r, const struct ynode *at, const struct ynode *first,
		     struct branch *to)
{
	for (const struct ynode *item = first; item; item = item->next)
		if (takes_time(item))
			return;
	rtapp_op(r, to, at, "run", rtapp_word(r, at, "%u ns", PASS_NS));
}

/* Once through a phase. */
static int pass(struct rtapp *r, const struct ynode *in, struct branch *to)
{
	const struct ynode *at = in;
	struct ynode **first;

	if (r->now->timed)
		rtapp_op(r, to, at, "begin",
			 rtapp_word(r, at, "%s", rtapp_label(r, "period")));
	first = to->tail;
	if (rtapp_events(r, in, to))
		return -1;
	overhead(r, at, *first, to);
	if (r->now->timed)
		rtapp_op(r, to, at, "end",
			 rtapp_word(r, at, "%s", rtapp_label(r, "period")));
	rtapp_op(r, to, at, "count", rtapp_word(r, at, "loops"));
	rtapp_op(r, to, at, "count", rtapp_word(r, at, "%s", rtapp_label(r, "loops")));
	return 0;
}

/* A loop around a body; one pass needs none. */
static void loop(struct rtapp *r, const struct ynode *at, s64 times, struct branch body,
		 struct branch *to)
{
	struct branch arg = rtapp_map(r, at);

	if (times < 0)
		rtapp_add(r, &arg, "forever", rtapp_word(r, at, "yes"));
	else
		rtapp_add(r, &arg, "times", rtapp_word(r, at, "%lld", (long long)times));
	rtapp_add(r, &arg, "do", body.node);
	rtapp_op(r, to, at, "loop", arg.node);
}

static int phase_body(struct rtapp *r, const struct phase *p, struct branch *to)
{
	struct branch body = rtapp_list(r, p->in);

	if (p->loop == 1)
		return pass(r, p->in, to);
	if (pass(r, p->in, &body))
		return -1;
	loop(r, p->in, p->loop, body, to);
	return 0;
}

static bool same_cpus(const struct phase *a, const struct phase *b)
{
	if (!a->cpus || !b->cpus)
		return a->cpus == b->cpus;
	return !strcmp(a->cpus, b->cpus);
}

/* The phases of a task; task: what it has of its own. */
static int read_phases(struct rtapp *r, const struct rtapp_task *t, struct phase *task,
		       struct phase *phase, u32 n)
{
	const struct ynode *in = y_get(t->in, "phases");
	u32 i = 0;

	*task = (struct phase){.in = t->in};
	if (read_cpus(r, t->in, &task->cpus, &task->cpus_at) ||
	    read_policy(r, t->in, r->default_policy, task))
		return -1;
	if (!task->policy) {
		task->policy = r->default_policy_at;
	}
	if (!in) {
		phase[0] = *task;
		phase[0].nice = phase[0].policy = NULL; /* set once, by the entry */
		return rtapp_loop(r, t->in, true, 1, &phase[0].loop);
	}
	y_for_each (p, in) {
		phase[i] = *task;
		phase[i].in = p;
		if (rtapp_loop(r, p, true, 1, &phase[i].loop) ||
		    read_cpus(r, p, &phase[i].cpus, &phase[i].cpus_at))
			return -1;
		i++;
	}
	return i == n ? read_policies(r, t, task, phase, n) : -1;
}

/* Entering a phase changes the CPUs if they are others, and what it has of its own. */
static void enter(struct rtapp *r, const struct phase *p, const struct phase *before,
		  struct branch *to)
{
	if (!same_cpus(p, before))
		rtapp_op(r, to, p->cpus ? p->cpus_at : p->in, "affinity",
			 rtapp_word(r, p->cpus ? p->cpus_at : p->in, "%s",
				    p->cpus ? p->cpus : "all"));
	if (p->policy)
		rtapp_op(r, to, p->policy, "policy", policy_value(r, p->policy, p));
	if (p->nice)
		rtapp_op(r, to, p->nice, "nice",
			 rtapp_word(r, p->nice, "%lld", (long long)p->value));
}

static int program(struct rtapp *r, const struct rtapp_task *t, const struct phase *phase,
		   u32 n, struct branch *entry)
{
	struct branch list = rtapp_list(r, t->in), body = rtapp_list(r, t->in);

	/* the only phase is entered once: what it sets stays */
	if (n == 1)
		enter(r, &phase[0], &phase[0], &list);
	for (u32 i = 0; i < n; i++) {
		if (n > 1)
			enter(r, &phase[i], &phase[(i + n - 1) % n], &body);
		if (phase_body(r, &phase[i], &body))
			return -1;
	}
	if (t->loop == 1) {
		*list.tail = body.node->first;
		list.node->n += body.node->n;
	} else {
		loop(r, t->in, t->loop, body, &list);
	}
	rtapp_add(r, entry, "program", list.node);
	return 0;
}

/* What Linux would show, with the one %d that the native file allows. */
static struct ynode *thread_name(struct rtapp *r, const struct rtapp_task *t)
{
	char *name = arena_strdup(r->a, t->in->key);

	for (char *p = name; *p; p++)
		if (*p == '%')
			*p = '_';
	return rtapp_word(r, t->in, "%s-%%d", name);
}

static int delay(struct rtapp *r, const struct rtapp_task *t, struct branch *entry)
{
	const struct ynode *n = y_get(t->in, "delay");
	s64 us;

	if (!n)
		return 0;
	if (rtapp_int(r, n, 0, RTAPP_US_MAX, &us))
		return -1;
	rtapp_add(r, entry, "start", rtapp_word(r, n, "%lld us", (long long)us));
	return 0;
}

/* An entry with threads of its own, or a template. NULL name: only checked. */
static int translate(struct rtapp *r, struct rtapp_task *t, bool template,
		     const char *name)
{
	const struct ynode *in = t->in, *phases = y_get(in, "phases");
	u32 n = phases ? phases->n : 1;
	struct phase task, *phase = arena_array(r->a, struct phase, n);
	struct branch e = rtapp_map(r, in);
	u64 first = template ? r->nthread : t->first;

	r->now = t;
	if (read_phases(r, t, &task, phase, n))
		return -1;
	rtapp_add(r, &e, template ? "template" : "count",
		  template ? rtapp_word(r, in, "yes")
			   : rtapp_word(r, in, "%llu", (unsigned long long)t->instances));
	rtapp_add(r, &e, "name", thread_name(r, t));
	rtapp_add(r, &e, "first-number",
		  rtapp_word(r, in, "%llu", (unsigned long long)first));
	if (task.policy || template)
		rtapp_add(r, &e, "policy",
			  policy_value(r, task.policy ? task.policy : in, &task));
	if (task.nice || (template && !task.rt))
		rtapp_add(r, &e, "nice",
			  rtapp_word(r, task.nice ? task.nice : in, "%lld",
				     (long long)task.value));
	if (phase[0].cpus)
		rtapp_add(r, &e, "cpus",
			  rtapp_word(r, phase[0].cpus_at, "%s", phase[0].cpus));
	if (delay(r, t, &e) || find_group_of(r, t, &e) || program(r, t, phase, n, &e))
		return -1;
	if (name)
		rtapp_add(r, &r->tasks, name, e.node);
	return 0;
}

int rtapp_tasks(struct rtapp *r)
{
	for (u32 i = 0; i < r->ntask; i++) {
		struct rtapp_task *t = &r->task[i];

		if (t->instances && translate(r, t, false, t->name))
			return -1;
		if (t->forked && translate(r, t, true, t->template))
			return -1;
		if (!t->instances && !t->forked && translate(r, t, false, NULL))
			return -1;
	}
	return 0;
}
