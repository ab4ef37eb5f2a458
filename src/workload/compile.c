/*
 * Programs: a list of operations becomes a flat array that ends in `exit`. What is
 * checked here is what could hang or surprise later: loops without time, operations that
 * are never reached, spans that never end. Linux has no counterpart.
 */
#include "compile.h"

#include <string.h>

#define SPANS_OF_PROGRAM 64u

const struct op_row op_rows[] = {
#define OP(id, name, doc) {name, doc, &op_##id},
#include "ops.def"
#undef OP
};
const u32 op_row_count = ARRAY_SIZE(op_rows);

struct op *emit(struct compiler *c, const struct op_type *type)
{
	struct op *op;

	if (c->nop == c->cap) {
		u32 cap = c->cap ? c->cap * 2 : 16;
		struct op *more = arena_array(c->a, struct op, cap);

		if (c->nop)
			memcpy(more, c->op, sizeof(*more) * c->nop);
		c->op = more;
		c->cap = cap;
	}
	op = &c->op[c->nop++];
	*op = (struct op){.type = type, .at = c->item};
	return op;
}

int need_arg(struct compiler *c, const struct ynode *arg, const char *example)
{
	if (arg)
		return 0;
	return y_fail(c->item, c->f, "an operation without a value, expected %s",
		      example);
}

int no_arg(struct compiler *c, const struct ynode *arg)
{
	if (!arg)
		return 0;
	return y_fail(arg, c->f, "'%.40s' takes no value", arg->key);
}

bool is_word(const struct ynode *n, const char *word)
{
	return n->kind == Y_SCALAR && !strcmp(n->text, word);
}

u32 name_index(struct compiler *c, struct names *list, const char *name)
{
	for (u32 i = 0; i < list->n; i++)
		if (!strcmp(list->name[i], name))
			return i;
	if (list->n == list->cap) {
		u32 cap = list->cap ? list->cap * 2 : 8;
		const char **more = arena_array(c->a, const char *, cap);

		if (list->n)
			memcpy(more, list->name, sizeof(*more) * list->n);
		list->name = more;
		list->cap = cap;
	}
	list->name[list->n] = arena_strdup(c->a, name);
	return list->n++;
}

int compile_name(struct compiler *c, const struct ynode *n, const char **out)
{
	if (y_str(n, out, c->f))
		return -1;
	if (!**out)
		return y_fail(n, c->f, "an empty name");
	return 0;
}

u32 compile_slot(struct compiler *c)
{
	u32 slot = c->slots++;

	c->nslot = max_u32(c->nslot, c->slots);
	return slot;
}

struct marked *compile_span(struct compiler *c, const char *name)
{
	u32 span = name_index(c, &c->spans, name);
	struct marked *m;

	for (u32 i = 0; i < c->nmarked; i++)
		if (c->marked[i].span == span)
			return &c->marked[i];
	if (c->nmarked == SPANS_OF_PROGRAM) {
		y_fail(c->item, c->f, "more than %u spans in one program",
		       SPANS_OF_PROGRAM);
		return NULL;
	}
	m = &c->marked[c->nmarked++];
	*m = (struct marked){.span = span, .slot = compile_slot(c)};
	return m;
}

int compile_task_name(struct compiler *c, const struct ynode *n, u32 *group)
{
	const char *names[64], *near;
	u32 count = 0, g = 0;

	if (y_expect(n, Y_SCALAR, c->f))
		return -1;
	y_for_each (t, c->tasks) {
		if (count < ARRAY_SIZE(names))
			names[count++] = t->key;
		if (!strcmp(t->key, n->text)) {
			*group = g;
			return 0;
		}
		g++;
	}
	near = nearest_name(n->text, names, count);
	return y_fail(n, c->f, "no task '%.60s', expected %s%s", n->text,
		      near ? near : "a name under 'tasks:'", near ? "?" : "");
}

int compile_template(struct compiler *c, const struct ynode *n, u32 *group)
{
	if (compile_task_name(c, n, group))
		return -1;
	if (c->group[*group].template)
		return 0;
	return y_fail(n, c->f,
		      "task '%s' starts by itself, expected one with 'template: yes'",
		      n->text);
}

static int unknown_op(struct compiler *c, const struct ynode *n, const char *name)
{
	const char *names[ARRAY_SIZE(op_rows)], *near;

	for (u32 i = 0; i < op_row_count; i++)
		names[i] = op_rows[i].name;
	near = nearest_name(name, names, op_row_count);
	if (near)
		return y_fail_key(n, c->f, "unknown operation '%.60s', expected '%s'?",
				  name, near);
	return y_fail_key(
		n, c->f,
		"unknown operation '%.60s', expected one such as 'run', 'sleep', "
		"'loop'",
		name);
}

/* "- exit" or "- run: 1 ms" */
static int compile_item(struct compiler *c, const struct ynode *item)
{
	const struct ynode *arg = NULL, *at = item;
	const char *name = item->text;

	c->item = item;
	if (item->kind == Y_MAP) {
		if (item->n != 1)
			return y_fail(
				item, c->f,
				"%u keys in one operation, expected '- name: value'",
				item->n);
		at = arg = item->first;
		name = arg->key;
		if (arg->kind == Y_SCALAR && !*arg->text && !arg->quoted)
			arg = NULL;
	} else if (item->kind != Y_SCALAR) {
		return y_fail(item, c->f,
			      "a list, expected an operation ('- name: value')");
	}
	if (c->over)
		return y_fail_key(
			at, c->f,
			"'%.60s' is never reached: what stands before it does not "
			"end",
			name);
	for (u32 i = 0; i < op_row_count; i++)
		if (!strcmp(op_rows[i].name, name))
			return op_rows[i].type->compile(c, arg);
	return unknown_op(c, at, name);
}

int compile_list(struct compiler *c, const struct ynode *list)
{
	if (y_expect(list, Y_SEQ, c->f))
		return -1;
	if (!list->n)
		return y_fail(list, c->f, "an empty list, expected operations");
	y_for_each (item, list)
		if (compile_item(c, item))
			return -1;
	return 0;
}

static int spans_complete(struct compiler *c)
{
	for (u32 i = 0; i < c->nmarked; i++) {
		const struct marked *m = &c->marked[i];
		const char *name = c->spans.name[m->span];

		if (!m->ended)
			return y_fail(
				m->begun, c->f,
				"span '%s' begins here and never ends in this program",
				name);
		if (!m->begun)
			return y_fail(
				m->ended, c->f,
				"span '%s' ends here and never begins in this program",
				name);
	}
	return 0;
}

/* An entry's key as one more operation in front of its program. */
static int compile_key(struct compiler *c, const struct ynode *entry, const char *key,
		       const struct op_type *type)
{
	const struct ynode *n = y_get(entry, key);

	c->item = n;
	return n ? type->compile(c, n) : 0;
}

static int compile_program(struct compiler *c, const struct ynode *entry, struct group *g)
{
	const struct ynode *list = y_need(entry, "program", c->f);
	const struct ynode *start = y_get(entry, "start");
	struct marked marked[SPANS_OF_PROGRAM];
	struct op *op;
	u64 at = 0;

	if (!list)
		return -1;
	c->op = NULL;
	c->nop = c->cap = c->nmarked = c->slots = c->depth = 0;
	c->marked = marked;
	c->takes_time = c->over = false;
	c->own_timers = (struct names){0};
	if (compile_key(c, entry, "policy", &op_policy) ||
	    compile_key(c, entry, "nice", &op_nice) ||
	    compile_key(c, entry, "slice", &op_slice) ||
	    compile_key(c, entry, "cpus", &op_affinity))
		return -1;
	c->item = start ? start : entry;
	if (start && compile_time(c, start, 0, &at))
		return -1;
	op = emit(c, &op_start);
	op->value = at;
	op->index = !g->template; /* only tasks of the launcher are jittered */
	if (compile_list(c, list) || spans_complete(c))
		return -1;
	emit(c, &op_exit);
	g->program = (struct program){.op = c->op, .nop = c->nop};
	return 0;
}

static int compile_comm(struct compiler *c, const struct ynode *entry, struct group *g)
{
	const struct ynode *n = y_get(entry, "name");
	const char *text = g->name, *percent;

	if (n && compile_name(c, n, &text))
		return -1;
	percent = strchr(text, '%');
	if (percent && (percent[1] != 'd' || strchr(percent + 1, '%')))
		return y_fail(
			n ? n : entry, c->f,
			"'%.40s', expected a name with at most one %%d and no other %%",
			text);
	g->numbered = percent || (g->count != 1 && !g->template);
	g->comm = percent || !g->numbered ? arena_strdup(c->a, text)
					  : arena_printf(c->a, "%s%%d", text);
	return 0;
}

/* Its process: `thread` of its parent's, or of a process group of its own. */
static int compile_process(struct compiler *c, const struct ynode *entry, struct group *g)
{
	const struct ynode *thread = y_get(entry, "thread");
	const struct ynode *leads = y_get(entry, "process-group");

	if (thread && y_bool(thread, &g->thread, c->f))
		return -1;
	if (leads && y_bool(leads, &g->leads_group, c->f))
		return -1;
	if (g->thread && g->leads_group)
		return y_fail(leads, c->f,
			      "a thread that leads a process group, expected one of "
			      "'thread' and 'process-group'");
	return 0;
}

/* Where a task runs and what it is: `cgroup`, `session`, `profile`, `cookie`. */
static int compile_kind(struct compiler *c, const struct ynode *entry, struct group *g)
{
	const struct ynode *cgroup = y_get(entry, "cgroup");
	const struct ynode *profile = y_get(entry, "profile");
	const struct ynode *cookie = y_get(entry, "cookie");
	const struct ynode *session = y_get(entry, "session");
	const struct ynode *memory = y_get(entry, "memory");
	const char *name;

	g->cgroup = CGROUP_ROOT;
	g->profile = PROFILE_NONE;
	if (cgroup && compile_cgroup_of(c, cgroup, &g->cgroup))
		return -1;
	if (profile && find_profile(c, profile, &g->profile))
		return -1;
	if (session && compile_session(c, session, &g->session))
		return -1;
	if (memory && compile_memory(c, memory, g))
		return -1;
	if (!cookie)
		return 0;
	if (compile_name(c, cookie, &name))
		return -1;
	g->cookie = name_index(c, &c->cookies, name) + 1;
	return 0;
}

static int compile_entry(struct compiler *c, const struct ynode *entry, struct group *g)
{
	static const char *const keys[] = {
		"count",	"template", "nice",    "cpus",	  "start",
		"name",		"program",  "cgroup",  "profile", "cookie",
		"first-number", "policy",   "session", "thread",  "process-group",
		"memory",	"slice",    NULL};
	const struct ynode *count, *template, *first;
	u64 n = 1;

	if (y_check_keys(entry, keys, c->f))
		return -1;
	count = y_get(entry, "count");
	template = y_get(entry, "template");
	if (template && y_bool(template, &g->template, c->f))
		return -1;
	if (count && expr_get(&c->env, count, UNIT_COUNT, 0, TASKS_MAX, &n))
		return -1;
	first = y_get(entry, "first-number");
	if (first && expr_get(&c->env, first, UNIT_COUNT, 0, UINT32_MAX, &g->first))
		return -1;
	if (count && is_word(count, "0"))
		g->template = true;
	if (g->template && count && n)
		return y_fail(count, c->f,
			      "a template with a count, expected no 'count'");
	g->name = entry->key;
	g->count = g->template ? 0 : (u32)n;
	if (compile_process(c, entry, g))
		return -1;
	return compile_kind(c, entry, g) || compile_comm(c, entry, g) ? -1 : 0;
}

static int check_groups(struct compiler *c, u32 n)
{
	u64 total = 0;
	u32 g = 0;

	for (u32 i = 0; i < n; i++)
		total += c->group[i].count;
	y_for_each (entry, c->tasks) {
		if (c->group[g].template && !c->forked[g])
			return y_fail_key(
				entry, c->f,
				"task '%s' is a template (count 0) and no program "
				"forks it",
				entry->key);
		g++;
	}
	if (!total)
		return y_fail(c->tasks, c->f, "no task: the counts of all entries are 0");
	if (total > TASKS_MAX)
		return y_fail(c->tasks, c->f, "%llu tasks, expected at most %u",
			      (unsigned long long)total, TASKS_MAX);
	return 0;
}

int compile_tasks(struct compiler *c, struct group **groups, u32 *ngroups)
{
	const struct ynode *tasks = c->tasks;
	u32 g = 0;

	if (y_expect(tasks, Y_MAP, c->f))
		return -1;
	if (!tasks->n)
		return y_fail(tasks, c->f, "no entries under 'tasks:'");
	c->group = arena_array(c->a, struct group, tasks->n);
	c->session = arena_array(c->a, struct session, tasks->n);
	c->forked = arena_array(c->a, bool, tasks->n);
	y_for_each (entry, tasks) {
		if (y_get(tasks, entry->key) != entry)
			return y_fail_key(entry, c->f, "task '%s' is given twice",
					  entry->key);
		if (compile_entry(c, entry, &c->group[g++]))
			return -1;
	}
	g = 0;
	y_for_each (entry, tasks)
		if (compile_program(c, entry, &c->group[g++]))
			return -1;
	*groups = c->group;
	*ngroups = tasks->n;
	return check_groups(c, tasks->n);
}
