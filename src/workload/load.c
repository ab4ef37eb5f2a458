/*
 * Loading a workload file: the keys at its top, its parameters, the files that it is
 * based on. The programs are compiled once without a machine, with the defaults of all
 * parameters, so that a broken file is found here and not at its first use.
 */
#include "bind.h"
#include "rtapp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FILE_MAX   (4u << 20)
#define BASE_DEPTH 8u

static const char *const top_keys[] = {
	"description", "source",  "base",	  "set",	"params",
	"duration",    "warmup",  "start-jitter", "fixed-work", "tasks",
	"metrics",     "main",	  "cgroups",	  "profiles",	"channels",
	"polls",       "locks",	  "conditions",	  "semaphores", "barriers",
	"lines",       "devices", "ends-early",	  "memory",	"hotplug",
	NULL};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

static const char *file_name(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	if (ends_with(name, ".yaml") || ends_with(name, ".json"))
		len -= 5;
	return arena_strndup(a, name, len);
}

static int text_key(const struct ynode *root, const char *key, const char **out,
		    struct failure *f)
{
	const struct ynode *n = y_get(root, key);

	return n ? y_str(n, out, f) : 0;
}

static int check_param_name(const struct ynode *n, struct failure *f)
{
	static const char *const taken[] = {"cpus", "cores", "nodes", "llcs"};

	for (const char *p = n->key; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			return y_fail_key(
				n, f,
				"'%.60s', expected a name of letters, digits, _ "
				"and -",
				n->key);
	if (!*n->key || strlen(n->key) > 63)
		return y_fail_key(n, f, "expected a name of 1 to 63 characters");
	for (u32 i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(n->key, taken[i]))
			return y_fail_key(n, f,
					  "'$%s' is a number of the machine, expected "
					  "another name",
					  n->key);
	return 0;
}

/* "hogs: 16" or "hogs: {default: 16, range: [1, 100], help: text, unit: count}" */
static int load_param(const struct ynode *n, struct param_decl *p, struct failure *f)
{
	static const char *const keys[] = {"default", "range", "help", "unit", NULL};
	const struct ynode *range;

	p->name = n->key;
	p->help = "";
	p->def = n;
	if (check_param_name(n, f))
		return -1;
	if (n->kind == Y_SCALAR)
		return 0;
	if (y_check_keys(n, keys, f))
		return -1;
	p->def = y_need(n, "default", f);
	if (!p->def || y_expect(p->def, Y_SCALAR, f) || text_key(n, "help", &p->help, f))
		return -1;
	p->unit = y_get(n, "unit");
	range = y_get(n, "range");
	if (!range)
		return 0;
	if (y_expect(range, Y_SEQ, f))
		return -1;
	if (range->n != 2)
		return y_fail(range, f, "%u values, expected [lowest, highest]",
			      range->n);
	p->lo = range->first;
	p->hi = range->first->next;
	return 0;
}

static int load_params(struct arena *a, struct workload *w, struct failure *f)
{
	u32 i = 0;

	if (!w->params)
		return 0;
	if (y_expect(w->params, Y_MAP, f))
		return -1;
	w->nparam = w->params->n;
	w->param = arena_array(a, struct param_decl, w->nparam);
	w->param_name = arena_array(a, const char *, w->nparam);
	y_for_each (n, w->params) {
		if (y_get(w->params, n->key) != n)
			return y_fail_key(n, f, "parameter '%.60s' is given twice",
					  n->key);
		if (load_param(n, &w->param[i], f))
			return -1;
		w->param_name[i] = n->key;
		i++;
	}
	return 0;
}

/* set: {hogs: 16} gives parameters of the base other defaults. */
static int load_set(struct workload *w, const struct ynode *set, struct failure *f)
{
	if (y_expect(set, Y_MAP, f))
		return -1;
	y_for_each (n, set) {
		const char *near;
		u32 i = 0;

		while (i < w->nparam && strcmp(w->param_name[i], n->key))
			i++;
		if (i == w->nparam) {
			near = nearest_name(n->key, w->param_name, w->nparam);
			return y_fail_key(
				n, f, "unknown parameter '%.60s', expected %s%s", n->key,
				near ? near : "a parameter of the base", near ? "?" : "");
		}
		if (y_expect(n, Y_SCALAR, f))
			return -1;
		w->param[i].def = n;
	}
	return 0;
}

static void inherit(struct workload *w, const struct ynode *root)
{
	static const struct {
		const char *key;
		size_t at;
	} keys[] = {
		{"duration", offsetof(struct workload, duration)},
		{"warmup", offsetof(struct workload, warmup)},
		{"start-jitter", offsetof(struct workload, jitter)},
		{"fixed-work", offsetof(struct workload, fixed)},
		{"params", offsetof(struct workload, params)},
		{"ends-early", offsetof(struct workload, ends_early)},
		{"tasks", offsetof(struct workload, tasks)},
		{"metrics", offsetof(struct workload, metrics)},
		{"main", offsetof(struct workload, main)},
		{"cgroups", offsetof(struct workload, cgroups)},
		{"profiles", offsetof(struct workload, profiles)},
		{"channels", offsetof(struct workload, channels)},
		{"polls", offsetof(struct workload, polls)},
		{"locks", offsetof(struct workload, locks)},
		{"conditions", offsetof(struct workload, conditions)},
		{"semaphores", offsetof(struct workload, semaphores)},
		{"barriers", offsetof(struct workload, barriers)},
		{"lines", offsetof(struct workload, lines)},
		{"devices", offsetof(struct workload, devices)},
		{"memory", offsetof(struct workload, memory)},
		{"hotplug", offsetof(struct workload, hotplug)},
	};

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct ynode *n = y_get(root, keys[i].key);
		const struct ynode **to = (void *)((char *)w + keys[i].at);

		if (n)
			*to = n;
	}
}

static int load_file(struct arena *a, const char *path, u32 depth, struct workload *w,
		     struct failure *f);

static int load_base(struct arena *a, const struct ynode *n, u32 depth,
		     struct workload *w, struct failure *f)
{
	const char *slash, *path;
	struct failure inner = {0};

	if (y_expect(n, Y_SCALAR, f))
		return -1;
	if (!*n->text || strchr(n->text, '/'))
		return y_fail(
			n, f,
			"'%.60s', expected the name of a workload in the same folder",
			n->text);
	if (depth == BASE_DEPTH)
		return y_fail(n, f, "more than %u bases in a row: a cycle?", BASE_DEPTH);
	slash = strrchr(n->file, '/');
	path = arena_printf(a, "%.*s%s.yaml", slash ? (int)(slash - n->file) + 1 : 0,
			    n->file, n->text);
	if (!load_file(a, path, depth + 1, w, &inner))
		return 0;
	if (!inner.line)
		return y_fail(n, f, "base '%.60s' %s", n->text, inner.what);
	*f = inner;
	return -1;
}

/* A file that only changes another must not bring half of a workload. */
static int check_derived(const struct ynode *root, struct failure *f)
{
	static const char *const own[] = {"params", "tasks", "metrics", "fixed-work"};

	for (u32 i = 0; i < ARRAY_SIZE(own); i++) {
		const struct ynode *n = y_get(root, own[i]);

		if (n)
			return y_fail_key(
				n, f, "'%s' beside 'base', expected it in the base only",
				own[i]);
	}
	return 0;
}

/* The tree of a native file, or of an rt-app file translated. */
static int read_tree(struct arena *a, const char *path, char **text,
		     const struct ynode **root, struct failure *f)
{
	size_t len;

	if (file_read(a, path, FILE_MAX, text, &len, f))
		return -1;
	if (ends_with(path, ".json"))
		return rtapp_load(a, path, arena_strndup(a, *text, len), len, root, f);
	return yaml_load_text(a, path, *text, len, root, f);
}

static int load_file(struct arena *a, const char *path, u32 depth, struct workload *w,
		     struct failure *f)
{
	const struct ynode *root, *base, *set;
	char *text;

	if (read_tree(a, path, &text, &root, f) || y_check_keys(root, top_keys, f))
		return -1;
	base = y_get(root, "base");
	set = y_get(root, "set");
	if (set && !base)
		return y_fail_key(set, f, "'set' without 'base', expected both");
	if (base && (check_derived(root, f) || load_base(a, base, depth, w, f)))
		return -1;
	inherit(w, root);
	if (text_key(root, "description", &w->description, f) ||
	    text_key(root, "source", &w->source, f))
		return -1;
	w->root = root;
	w->name = file_name(a, path);
	w->file = arena_strdup(a, path);
	w->text = base ? arena_printf(a, "%s\n--- %s\n%s", text, base->text, w->text)
		       : text;
	w->len = strlen(w->text);
	if (!base)
		return load_params(a, w, f);
	return set ? load_set(w, set, f) : 0;
}

int workload_load(struct arena *a, const char *path, const struct workload **out,
		  struct failure *f)
{
	struct workload *w = arena_new(a, struct workload);
	const struct workload_plan *plan;
	struct arena scratch;
	int rc;

	w->description = w->source = "";
	if (load_file(a, path, 0, w, f))
		return -1;
	arena_init(&scratch);
	rc = plan_make(&scratch, w, NULL, NULL, 0, &plan, f);
	arena_free(&scratch);
	*out = w;
	return rc;
}

const char *workload_name(const struct workload *w)
{
	return w->name;
}

const char *workload_description(const struct workload *w)
{
	return w->description;
}

const char *workload_text(const struct workload *w, size_t *len)
{
	*len = w->len;
	return w->text;
}

const char *const *workload_params(const struct workload *w, u32 *n)
{
	*n = w->nparam;
	return w->param_name;
}
