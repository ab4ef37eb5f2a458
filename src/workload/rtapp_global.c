/*
 * `global` and `resources` of an rt-app file. What only says where rt-app writes its logs
 * is checked for its type and has no effect; so has `calibration`: the unit of `run` is
 * the time that it takes alone at full speed, whatever a loop of rt-app takes. Resources
 * come into being where events name them, as in rt-app; the object of older files is only
 * checked.
 */
#include <ctype.h>
#include <string.h>

#include "rtapp.h"

#define MEM_BUFFER (4u << 20)

static const struct {
	const char *name, *native; /* NULL: not modelled */
} policies[] = {
	{"SCHED_OTHER", "other"}, {"SCHED_BATCH", "batch"}, {"SCHED_IDLE", "idle"},
	{"SCHED_RR", "rr"},	  {"SCHED_FIFO", "fifo"},   {"SCHED_DEADLINE", NULL},
};

int rtapp_policy(struct rtapp *r, const struct ynode *n, const char **out)
{
	const char *names[ARRAY_SIZE(policies)], *name, *near;

	if (rtapp_str(r, n, &name))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(policies); i++) {
		names[i] = policies[i].name;
		if (strcmp(name, names[i]))
			continue;
		*out = policies[i].native;
		return *out ? 0
			    : y_fail(n, r->f,
				     "%s is not modelled, expected SCHED_OTHER, "
				     "SCHED_BATCH, SCHED_IDLE, SCHED_FIFO or SCHED_RR",
				     name);
	}
	near = nearest_name(name, names, ARRAY_SIZE(names));
	return y_fail(n, r->f, "no policy '%.40s', expected %s%s", name,
		      near ? near : "SCHED_OTHER", near ? "?" : "");
}

static int default_policy(struct rtapp *r, const struct ynode *n)
{
	r->default_policy_at = n;
	return rtapp_policy(r, n, &r->default_policy);
}

static int any_bool(struct rtapp *r, const struct ynode *n)
{
	bool yes;

	return rtapp_bool(r, n, &yes);
}

static int any_str(struct rtapp *r, const struct ynode *n)
{
	const char *text;

	return rtapp_str(r, n, &text);
}

static int any_int(struct rtapp *r, const struct ynode *n)
{
	s64 v;

	return rtapp_int(r, n, 0, INT32_MAX, &v);
}

static int duration(struct rtapp *r, const struct ynode *n)
{
	s64 s;

	if (rtapp_int(r, n, -1, 1000000, &s))
		return -1;
	if (s > 0)
		r->duration = n;
	r->seconds = (u64)max_u64(0, s > 0 ? (u64)s : 0);
	return 0;
}

/* "CPU3", or the ns that a loop takes. */
static int calibration(struct rtapp *r, const struct ynode *n)
{
	const char *text;
	s64 ns;

	if (!n->quoted)
		return rtapp_int(r, n, 1, INT32_MAX, &ns);
	if (rtapp_str(r, n, &text))
		return -1;
	if (!strncmp(text, "CPU", 3) && isdigit((unsigned char)text[3]) &&
	    strspn(text + 3, "0123456789") == strlen(text + 3))
		return 0;
	return y_fail(n, r->f, "'%.40s', expected \"CPU0\" or the ns of a loop", text);
}

static int inherit(struct rtapp *r, const struct ynode *n)
{
	bool yes;

	if (rtapp_bool(r, n, &yes))
		return -1;
	return yes ? y_fail(n, r->f,
			    "priority inheritance is not modelled, expected false")
		   : 0;
}

static int log_size(struct rtapp *r, const struct ynode *n)
{
	static const char *const words[] = {"file", "disable", "auto"};
	const char *text;

	if (!n->quoted)
		return any_int(r, n);
	if (rtapp_str(r, n, &text))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(text, words[i]))
			return 0;
	return y_fail(n, r->f,
		      "'%.40s', expected \"file\", \"disable\", \"auto\" or a size in MB",
		      text);
}

/* true, false or a list of categories. */
static int ftrace(struct rtapp *r, const struct ynode *n)
{
	static const char *const words[] = {"none", "main",  "task",  "run",
					    "loop", "event", "stats", "attrs"};
	const char *p;

	if (!n->quoted)
		return any_bool(r, n);
	if (rtapp_str(r, n, &p))
		return -1;
	while (*p) {
		const char *word;
		size_t len;
		u32 i = 0;

		p += strspn(p, " ,");
		len = strcspn(p, " ,");
		word = arena_strndup(r->a, p, len);
		while (i < ARRAY_SIZE(words) && strcmp(words[i], word))
			i++;
		if (len && i == ARRAY_SIZE(words))
			return y_fail(n, r->f,
				      "no category '%.40s', expected none, main, task, "
				      "run, loop, event, stats or attrs",
				      word);
		p += len;
	}
	return 0;
}

static int io_device(struct rtapp *r, const struct ynode *n)
{
	r->io_at = n;
	return rtapp_str(r, n, &r->io_device);
}

static int mem_buffer(struct rtapp *r, const struct ynode *n)
{
	s64 size;

	if (rtapp_int(r, n, 1, INT32_MAX, &size))
		return -1;
	r->mem_buffer = (u64)size;
	return 0;
}

static const struct {
	const char *key;
	int (*read)(struct rtapp *r, const struct ynode *n);
} globals[] = {
	{"duration", duration},
	{"calibration", calibration},
	{"default_policy", default_policy},
	{"pi_enabled", inherit},
	{"lock_pages", any_bool},
	{"logdir", any_str},
	{"log_basename", any_str},
	{"log_size", log_size},
	{"ftrace", ftrace},
	{"gnuplot", any_bool},
	{"io_device", io_device},
	{"mem_buffer_size", mem_buffer},
	{"cumulative_slack", any_bool},
	/* of AQuoSA: the rt-app of today does not read it either */
	{"frag", any_int},
	{"fragment", any_int},
};

int rtapp_global(struct rtapp *r)
{
	const struct ynode *global = y_get(r->in, "global"), *n;
	const char *keys[ARRAY_SIZE(globals) + 1] = {0};

	r->io_device = "/dev/null";
	r->mem_buffer = MEM_BUFFER;
	if (!global)
		return 0;
	if (rtapp_object(r, global))
		return -1;
	n = y_get(global, "spacing");
	if (n)
		return y_fail_key(n, r->f,
				  "'spacing' is of rt-app 0.x, expected 'delay' in each "
				  "task");
	for (u32 i = 0; i < ARRAY_SIZE(globals); i++)
		keys[i] = globals[i].key;
	if (rtapp_keys(r, global, keys))
		return -1;
	y_for_each (v, global)
		for (u32 i = 0; i < ARRAY_SIZE(globals); i++)
			if (!strcmp(v->key, globals[i].key) && globals[i].read(r, v))
				return -1;
	return 0;
}

static int resource(struct rtapp *r, const struct ynode *n)
{
	static const char *const keys[] = {"type", "target", NULL};
	static const char *const types[] = {"mutex",   "wait",	 "signal", "broadcast",
					    "sync",    "timer",	 "sleep",  "run",
					    "suspend", "resume", "mem",	   "iorun",
					    "yield",   "fork",	 "barrier"};
	const struct ynode *type, *target;
	const char *text;
	u32 which;

	if (rtapp_keys(r, n, keys))
		return -1;
	type = y_get(n, "type");
	target = y_get(n, "target");
	if (target && rtapp_str(r, target, &text))
		return -1;
	if (!type)
		return 0;
	return rtapp_str(r, type, &text) ||
			       y_choice(type, types, ARRAY_SIZE(types), &which, r->f)
		       ? -1
		       : 0;
}

int rtapp_resources(struct rtapp *r)
{
	const struct ynode *resources = y_get(r->in, "resources");

	if (!resources)
		return 0;
	if (resources->kind == Y_SCALAR && !resources->quoted)
		return y_fail(
			resources, r->f,
			"a number of resources is of rt-app 0.x, expected an object "
			"or no 'resources'");
	if (rtapp_object(r, resources))
		return -1;
	y_for_each (n, resources)
		if (resource(r, n))
			return -1;
	return 0;
}
