/*
 * The rows of a machine file: costs, idle states, frequency, SMT, host; taken over from a
 * base file and set on top of it. Every value carries where it came from.
 */
#include "machine_file.h"

#include <string.h>
#include <sys/stat.h>

#define MAX_BASES 16
#define MIN_HZ	  (1000ull * 1000)
#define MAX_HZ	  (20ull * 1000 * 1000 * 1000)

struct chain {
	const struct chain *below;
	dev_t dev;
	ino_t ino;
	u32 depth;
};

int file_source(const struct ynode *n, const char **out, struct failure *f)
{
	static const char *const starts[] = {
		"measured:", "documented:", "calibrated-on:", "estimate:"};
	const char *near, *colon;

	if (y_str(n, out, f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t len = strlen(starts[i]);

		if (!strncmp(*out, starts[i], len)) {
			if ((*out)[len + strspn(*out + len, " ")])
				return 0;
			return y_fail(n, f,
				      "'%s' says nothing, expected the source after it",
				      starts[i]);
		}
	}
	colon = strchr(*out, ':');
	near = colon && colon - *out < 20 ? *out : NULL;
	return y_fail(n, f,
		      "source '%.40s' %s, expected 'measured: ...', 'documented: ...', "
		      "'calibrated-on: EXPERIMENT/COLUMN' or 'estimate: ...'",
		      *out, near ? "is of an unknown kind" : "is of no kind");
}

const char *file_relative(struct arena *a, const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');

	if (*name == '/' || !slash)
		return arena_strdup(a, name);
	return arena_printf(a, "%.*s/%s", (int)(slash - file), file, name);
}

static int need_source(const struct ynode *map, const char **out, struct failure *f)
{
	const struct ynode *n = y_need(map, "source", f);

	return n ? file_source(n, out, f) : -1;
}

static const struct cost_row *cost_find(const char *name)
{
	for (u32 i = 0; i < COST_COUNT; i++)
		if (!strcmp(cost_rows[i].name, name))
			return &cost_rows[i];
	return NULL;
}

static int cost_one(const struct ynode *n, const char *shared, struct machine *m,
		    struct failure *f)
{
	static const char *const keys[] = {"value", "source", NULL};
	const struct cost_row *row = cost_find(n->key);
	struct cost_value v = {.source = shared};
	const struct ynode *value = n, *source;

	if (n->kind == Y_MAP) {
		value = y_get(n, "value");
		source = y_get(n, "source");
		if (y_check_keys(n, keys, f) || (!value && !y_need(n, "value", f)))
			return -1;
		if (source && file_source(source, &v.source, f))
			return -1;
	}
	if (!v.source)
		return y_fail_key(
			n, f,
			"'%s' has no source, expected {value: ..., source: ...} or "
			"one 'source:' for all costs",
			n->key);
	if (y_value(value, row->unit, row->lo, row->hi, &v.value, f))
		return -1;
	m->cost[row - cost_rows] = v;
	return 0;
}

static int costs_read(const struct ynode *n, struct machine *m, struct failure *f)
{
	const char *keys[COST_COUNT + 2];
	const char *shared = NULL;
	const struct ynode *source;
	u32 count = 0;

	for (u32 i = 0; i < COST_COUNT; i++)
		keys[count++] = cost_rows[i].name;
	keys[count++] = "source";
	keys[count] = NULL;
	if (y_check_keys(n, keys, f))
		return -1;
	source = y_get(n, "source");
	if (source && file_source(source, &shared, f))
		return -1;
	y_for_each (c, n)
		if (c != source && cost_one(c, shared, m, f))
			return -1;
	return 0;
}

static int idle_read(struct arena *a, const struct ynode *n, struct machine *m,
		     struct failure *f)
{
	static const char *const keys[] = {"name", "exit", "residency", "source", NULL};

	if (y_expect(n, Y_SEQ, f))
		return -1;
	if (!n->n)
		return y_fail(n, f, "no idle state, expected at least one");
	m->idle = arena_array(a, struct idle_state, n->n);
	m->nidle = 0;
	y_for_each (c, n) {
		struct idle_state *s = &m->idle[m->nidle];
		const struct ynode *name, *exit, *stay;

		if (y_check_keys(c, keys, f) || !(name = y_need(c, "name", f)) ||
		    !(exit = y_need(c, "exit", f)) ||
		    !(stay = y_need(c, "residency", f)) || y_str(name, &s->name, f) ||
		    y_value(exit, UNIT_TIME, 0, 100 * NS_PER_MS, &s->exit, f) ||
		    y_value(stay, UNIT_TIME, 0, 10 * NS_PER_SEC, &s->residency, f) ||
		    need_source(c, &s->source, f))
			return -1;
		if (m->nidle && (s->exit < s[-1].exit || s->residency < s[-1].residency))
			return y_fail(
				c, f,
				"idle state '%.40s' is shallower than '%.40s' before it, "
				"expected them from shallow to deep",
				s->name, s[-1].name);
		m->nidle++;
	}
	return 0;
}

static int bin_read(const struct ynode *c, struct machine *m, struct failure *f)
{
	static const char *const keys[] = {"upto", "scalar", "avx2", "avx512", NULL};
	struct freq_bin *b = &m->freq[m->nfreq];
	const struct ynode *upto, *hz;
	u64 count;

	if (y_check_keys(c, keys, f) || !(upto = y_need(c, "upto", f)) ||
	    !y_need(c, "scalar", f) ||
	    y_value(upto, UNIT_COUNT, 1, MACHINE_MAX_CPUS, &count, f))
		return -1;
	b->upto = (u32)count;
	if (m->nfreq && b->upto <= b[-1].upto)
		return y_fail(upto, f, "%u active cores after %u, expected more", b->upto,
			      b[-1].upto);
	/* a part without a slower licence runs heavy code at the speed of the lighter */
	for (u32 i = 0; i < 3; i++) {
		hz = y_get(c, keys[i + 1]);
		if (hz && y_value(hz, UNIT_FREQ, MIN_HZ, MAX_HZ, &b->hz[i], f))
			return -1;
		if (!hz)
			b->hz[i] = b->hz[i - 1];
	}
	m->nfreq++;
	return 0;
}

static int frequency_read(struct arena *a, const struct ynode *n, struct machine *m,
			  struct failure *f)
{
	static const char *const keys[] = {"nominal", "hold", "bins", "source", NULL};
	const struct ynode *nominal, *hold, *bins;

	if (y_check_keys(n, keys, f) || !(nominal = y_need(n, "nominal", f)) ||
	    y_value(nominal, UNIT_FREQ, MIN_HZ, MAX_HZ, &m->freq_nominal, f) ||
	    need_source(n, &m->freq_source, f))
		return -1;
	hold = y_get(n, "hold");
	bins = y_get(n, "bins");
	m->freq_hold = 0;
	m->nfreq = 0;
	if (hold && y_value(hold, UNIT_TIME, 0, NS_PER_SEC, &m->freq_hold, f))
		return -1;
	if (!bins)
		return 0;
	if (y_expect(bins, Y_SEQ, f))
		return -1;
	m->freq = arena_array(a, struct freq_bin, bins->n);
	y_for_each (c, bins)
		if (bin_read(c, m, f))
			return -1;
	return 0;
}

static int smt_read(struct arena *a, const struct ynode *n, struct machine *m,
		    struct failure *f)
{
	static const char *const keys[] = {"self", "other", "keep", "source", NULL};

	if (y_expect(n, Y_SEQ, f))
		return -1;
	m->smt = arena_array(a, struct smt_row, n->n);
	m->nsmt = 0;
	y_for_each (c, n) {
		struct smt_row *r = &m->smt[m->nsmt];
		const struct ynode *self, *other, *keep;

		if (y_check_keys(c, keys, f) || !(self = y_need(c, "self", f)) ||
		    !(other = y_need(c, "other", f)) || !(keep = y_need(c, "keep", f)) ||
		    y_str(self, &r->self, f) || y_str(other, &r->other, f) ||
		    y_value(keep, UNIT_RATIO, Q32_ONE / 20, Q32_ONE, &r->keep, f) ||
		    need_source(c, &r->source, f))
			return -1;
		for (u32 i = 0; i < m->nsmt; i++)
			if (!strcmp(m->smt[i].self, r->self) &&
			    !strcmp(m->smt[i].other, r->other))
				return y_fail(c, f,
					      "'%.40s' beside '%.40s' is given twice",
					      r->self, r->other);
		m->nsmt++;
	}
	return 0;
}

static int host_read(const struct ynode *n, struct machine *m, struct failure *f)
{
	static const char *const keys[] = {"cpus",  "slice",  "wake",
					   "timer", "source", NULL};
	const struct ynode *cpus, *slice, *wake = y_get(n, "wake");
	const struct ynode *timer = y_get(n, "timer");
	u64 count;

	if (y_check_keys(n, keys, f) || !(cpus = y_need(n, "cpus", f)) ||
	    !(slice = y_need(n, "slice", f)) ||
	    y_value(cpus, UNIT_COUNT, 1, MACHINE_MAX_CPUS, &count, f) ||
	    y_value(slice, UNIT_TIME, NS_PER_US, NS_PER_SEC, &m->host_slice, f) ||
	    (wake && y_value(wake, UNIT_TIME, NS_PER_US, NS_PER_SEC, &m->host_wake, f)) ||
	    (timer && y_value(timer, UNIT_RATIO, 0, Q32_ONE, &m->host_timer, f)) ||
	    need_source(n, &m->host_source, f))
		return -1;
	m->host_cpus = (u32)count;
	return 0;
}

int file_check_keys(const struct ynode *root, struct failure *f)
{
	static const char *const keys[] = {
		"description", "source", "base",  "topology", "nodes",
		"distances",   "caches", "costs", "idle",     "frequency",
		"smt",	       "host",	 NULL};
	const struct ynode *description, *source;
	const char *text;

	if (y_check_keys(root, keys, f) ||
	    !(description = y_need(root, "description", f)) ||
	    !(source = y_need(root, "source", f)) || y_str(description, &text, f))
		return -1;
	if (strchr(text, '\n'))
		return y_fail(description, f,
			      "a description of several lines, expected one");
	return file_source(source, &text, f);
}

static int rows_read(struct arena *a, const struct ynode *root, const struct chain *above,
		     struct machine *m, struct failure *f);

static int base_read(struct arena *a, const struct ynode *base, const struct chain *above,
		     struct machine *m, struct failure *f)
{
	const struct ynode *root;
	const char *name;

	if (y_str(base, &name, f))
		return -1;
	if (yaml_load_file(a, file_relative(a, base->file, name), &root, f)) {
		if (f->line)
			return -1;
		return y_fail(base, f,
			      "base '%.80s' cannot be read, expected a machine file",
			      name);
	}
	if (file_check_keys(root, f))
		return -1;
	for (const struct chain *c = above; c; c = c->below) {
		struct stat st;

		if (!stat(root->file, &st) && st.st_dev == c->dev && st.st_ino == c->ino)
			return y_fail(base, f,
				      "base '%.80s' leads back to itself, expected "
				      "a file that does not",
				      name);
	}
	if (above->depth >= MAX_BASES)
		return y_fail(base, f, "more than %u bases, expected fewer", MAX_BASES);
	return rows_read(a, root, above, m, f);
}

static int rows_read(struct arena *a, const struct ynode *root, const struct chain *above,
		     struct machine *m, struct failure *f)
{
	struct chain me = {.below = above, .depth = above ? above->depth + 1 : 1};
	const struct ynode *base = y_get(root, "base"), *costs = y_get(root, "costs");
	const struct ynode *idle = y_get(root, "idle"), *smt = y_get(root, "smt");
	const struct ynode *freq = y_get(root, "frequency"), *host = y_get(root, "host");
	struct stat st;

	if (!stat(root->file, &st)) {
		me.dev = st.st_dev;
		me.ino = st.st_ino;
	}
	if (base && base_read(a, base, &me, m, f))
		return -1;
	if ((costs && costs_read(costs, m, f)) || (idle && idle_read(a, idle, m, f)) ||
	    (freq && frequency_read(a, freq, m, f)) || (smt && smt_read(a, smt, m, f)) ||
	    (host && host_read(host, m, f)))
		return -1;
	return 0;
}

int file_rows(struct arena *a, const struct ynode *root, struct machine *m,
	      struct failure *f)
{
	return rows_read(a, root, NULL, m, f);
}

void rows_defaults(struct arena *a, struct machine *m)
{
	for (u32 i = 0; i < COST_COUNT; i++)
		m->cost[i] =
			(struct cost_value){cost_rows[i].def, cost_rows[i].source, true};
	m->nidle = 1;
	m->idle = arena_new(a, struct idle_state);
	m->idle->name = "halt";
	m->idle->exit = NS_PER_US;
	m->idle->residency = NS_PER_US;
	m->idle->source =
		"estimate: the shallowest state of common parts is 1-2 us (sources C1)";
}
