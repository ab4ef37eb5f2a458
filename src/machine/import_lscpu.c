/*
 * What people paste of lscpu: `-p` (commas under a comment that names the columns), `-e`
 * (blanks under a line that names them), `-J -e` (JSON). A CPU whose core is not given is
 * offline; where it sits is then not known: it gets a core of its own beside the CPU
 * before it. Sizes of caches are not in any of the three.
 */
#include "import.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/yaml.h"

#define MAX_COLUMNS 40
#define LEVELS	    5 /* 1..4 used; the instruction cache is not */

#define WANTED \
	"expected the output of 'lscpu -p', 'lscpu -e' or 'lscpu -J -e', or hwloc XML"

struct row {
	u32 os, line;
	bool has_os, said_offline;
	s64 core, socket, node, cluster; /* -1 = not given */
	s64 cache[LEVELS];
};

struct lscpu {
	struct arena *arena;
	const char *path;
	struct row *row;
	u32 n, cap;
	struct failure *f;
};

static int fail_at(const struct lscpu *l, u32 line, const char *what, const char *arg)
{
	return fail_input(l->f, l->path, line, 1, "%s '%.60s', " WANTED, what, arg);
}

static struct row *row_new(struct lscpu *l, u32 line)
{
	struct row *r;

	if (l->n == l->cap) {
		u32 cap = l->cap ? l->cap * 2 : 64;
		struct row *bigger = arena_array(l->arena, struct row, cap);

		if (l->n)
			memcpy(bigger, l->row, l->n * sizeof(*bigger));
		l->row = bigger;
		l->cap = cap;
	}
	r = &l->row[l->n++];
	*r = (struct row){
		.line = line, .core = -1, .socket = -1, .node = -1, .cluster = -1};
	for (u32 i = 0; i < LEVELS; i++)
		r->cache[i] = -1;
	return r;
}

static bool absent(const char *v)
{
	return !*v || !strcmp(v, "-") || !strcmp(v, "null") || !strcmp(v, "~");
}

/* A number that may be missing; -1 then. Returns false if it is neither. */
static bool number(const char *v, s64 *out)
{
	char *end;
	u64 n;

	if (absent(v)) {
		*out = -1;
		return true;
	}
	if (!isdigit((unsigned char)*v))
		return false;
	n = strtoull(v, &end, 10);
	*out = (s64)n;
	return !*end && n <= TOPO_MAX_OS;
}

/* "L2" -> 2; instruction caches and whatever else: 0. */
static u32 cache_level(const char *name)
{
	if ((name[0] != 'l' && name[0] != 'L') || name[1] < '1' || name[1] > '4')
		return 0;
	return !name[2] || !strcasecmp(name + 2, "d") ? (u32)(name[1] - '0') : 0;
}

/* "L1d:L1i:L2:L3" with "0:0:0:0": pairs of a name and a value. */
static bool caches_set(struct row *r, const char *name, const char *v)
{
	char one[16], val[24];

	while (*name) {
		size_t n = strcspn(name, ":"), k = strcspn(v, ":");
		u32 level;

		if (n >= sizeof(one) || k >= sizeof(val))
			return false;
		memcpy(one, name, n);
		one[n] = '\0';
		memcpy(val, v, k);
		val[k] = '\0';
		level = cache_level(one);
		if (level && !number(val, &r->cache[level]))
			return false;
		name += n + (name[n] == ':');
		v += k + (v[k] == ':');
	}
	return true;
}

static bool online_set(struct row *r, const char *v)
{
	static const char *const no[] = {"n", "no", "false", "0"};
	static const char *const yes[] = {"y", "yes", "true", "1", "-"};

	for (u32 i = 0; i < ARRAY_SIZE(no); i++)
		if (!strcasecmp(v, no[i])) {
			r->said_offline = true;
			return true;
		}
	for (u32 i = 0; i < ARRAY_SIZE(yes); i++)
		if (!strcasecmp(v, yes[i]))
			return true;
	return false;
}

static int field_set(struct lscpu *l, struct row *r, const char *name, const char *v)
{
	bool fine = true;
	s64 os;

	if (!strcasecmp(name, "cpu")) {
		fine = number(v, &os) && os >= 0;
		r->os = fine ? (u32)os : 0;
		r->has_os = fine;
	} else if (!strcasecmp(name, "core")) {
		fine = number(v, &r->core);
	} else if (!strcasecmp(name, "socket")) {
		fine = number(v, &r->socket);
	} else if (!strcasecmp(name, "cluster")) {
		fine = number(v, &r->cluster);
	} else if (!strcasecmp(name, "node")) {
		fine = number(v, &r->node);
	} else if (!strcasecmp(name, "online")) {
		fine = online_set(r, v);
	} else if (strchr(name, ':')) {
		fine = absent(v) || caches_set(r, name, v);
	} else if (cache_level(name)) {
		fine = number(v, &r->cache[cache_level(name)]);
	}
	return fine ? 0 : fail_at(l, r->line, "a broken value", v);
}

/* Cut a line into cells, at commas or at blanks. Returns how many; too many: 0. */
static u32 cells(char *line, bool commas, char **out)
{
	u32 n = 0;

	while (n < MAX_COLUMNS) {
		if (!commas)
			line += strspn(line, " \t");
		if (!commas && !*line)
			return n;
		out[n++] = line;
		line += strcspn(line, commas ? "," : " \t");
		if (!*line)
			return n;
		*line++ = '\0';
	}
	return 0;
}

static int line_read(struct lscpu *l, char *line, u32 number_, bool commas,
		     char *const *name, u32 columns)
{
	char *cell[MAX_COLUMNS], shown[61];
	struct row *r;
	u32 n;

	strncpy(shown, line, sizeof(shown) - 1);
	shown[sizeof(shown) - 1] = '\0';
	n = cells(line, commas, cell);
	if (n != columns)
		return fail_at(l, number_, "the columns are not those of the heading in",
			       shown);
	r = row_new(l, number_);
	for (u32 i = 0; i < n; i++)
		if (field_set(l, r, name[i], cell[i]))
			return -1;
	return r->has_os ? 0 : fail_at(l, number_, "no CPU number in", shown);
}

static bool heading(char *line, bool commas, char **name, u32 *columns)
{
	u32 n = cells(line, commas, name);

	if (!n || strcasecmp(name[0], "cpu"))
		return false;
	*columns = n;
	return true;
}

static int text_read(struct lscpu *l, char *text, const char **kind)
{
	char *name[MAX_COLUMNS], *next;
	bool commas = *text == '#';
	u32 columns = 0, number_ = 1;

	*kind = commas ? "lscpu -p" : "lscpu -e";
	for (char *line = text; line && *line; line = next, number_++) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line[strcspn(line, "\r")] = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		if (*line == '#' || !columns) {
			char *at = line + strspn(line, "# \t");

			if (*line != '#' && commas)
				return fail_at(l, number_,
					       "no '# CPU,Core,...' heading before",
					       line);
			if ((commas ? !strncasecmp(at, "cpu,", 4) : *line != '#') &&
			    !heading(at, commas, name, &columns))
				return fail_at(l, number_, "no heading 'CPU ...' but",
					       line);
			continue;
		}
		if (line_read(l, line, number_, commas, name, columns))
			return -1;
	}
	return 0;
}

static int json_read(struct lscpu *l, const char *text, size_t len, const char **kind)
{
	const struct ynode *root, *cpus;

	*kind = "lscpu -J -e";
	if (yaml_load_text(l->arena, l->path, text, len, &root, l->f) ||
	    y_expect(root, Y_MAP, l->f))
		return -1;
	cpus = y_get(root, "cpus");
	if (!cpus && y_get(root, "lscpu"))
		return y_fail(
			root, l->f,
			"the summary of 'lscpu -J' has no line for each CPU, " WANTED);
	if (!cpus)
		return y_fail(root, l->f, "no 'cpus', " WANTED);
	if (y_expect(cpus, Y_SEQ, l->f))
		return -1;
	y_for_each (c, cpus) {
		struct row *r = row_new(l, c->line);

		if (y_expect(c, Y_MAP, l->f))
			return -1;
		y_for_each (v, c)
			if (y_expect(v, Y_SCALAR, l->f) ||
			    field_set(l, r, v->key, v->text))
				return -1;
		if (!r->has_os)
			return y_fail(c, l->f, "no 'cpu', expected the CPU's number");
	}
	return 0;
}

static int row_compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->os < y->os ? -1 : x->os > y->os;
}

static u32 level_of_llc(const struct row *r)
{
	u32 level = LEVELS - 1;

	while (level && r->cache[level] < 0)
		level--;
	return level;
}

/* How many CPUs have the same cache of a level; 0 if it is not known. */
static u32 sharers(const struct lscpu *l, const struct row *r, u32 level)
{
	u32 n = 0;

	for (u32 i = 0; r->cache[level] >= 0 && i < l->n; i++)
		n += l->row[i].cache[level] == r->cache[level];
	return n;
}

static u32 core_size(const struct lscpu *l, const struct row *r)
{
	u32 n = 0;

	for (u32 i = 0; i < l->n; i++)
		n += l->row[i].core == r->core && l->row[i].socket == r->socket;
	return n;
}

/* Keys of different kinds must differ: the kind stands in the upper bits. */
static u64 key(u32 kind, s64 outer, s64 id)
{
	return (u64)kind << 56 | (u64)(outer + 1) << 24 | (u64)(id + 1);
}

static void cpu_from(const struct lscpu *l, const struct row *r, struct topo_cpu *c)
{
	u32 llc = level_of_llc(r);

	c->os = r->os;
	c->line = r->line;
	c->online = !r->said_offline;
	c->package = key(1, 0, r->socket);
	c->node = r->node < 0 ? 0 : (u32)r->node;
	c->core = key(2, r->socket, r->core);
	/* a first-level cache alone says no more than the core does */
	c->llc = llc > 1 ? key(3 + llc, 0, r->cache[llc]) : c->package;
	c->cluster = r->cluster >= 0 ? key(9, r->socket, r->cluster) : c->core;
	for (u32 level = llc; r->cluster < 0 && level-- > 1;) {
		u32 n = sharers(l, r, level);

		if (n > core_size(l, r) && n < sharers(l, r, llc)) {
			c->cluster = key(3 + level, 0, r->cache[level]);
			break;
		}
	}
}

static void note_caches(const struct lscpu *l, struct topo *t)
{
	for (u32 level = 1; level < LEVELS; level++) {
		struct machine_cache c = {.level = level};

		for (u32 i = 0; i < l->n; i++)
			c.cpus = max_u32(c.cpus, sharers(l, &l->row[i], level));
		if (c.cpus)
			t->cache[t->ncache++] = c;
	}
}

/* Offline CPUs say nothing of their place: assume the one of a neighbour. */
static void place_offline(struct topo *t, const u8 *placed)
{
	const struct topo_cpu *known = NULL;

	for (u32 i = 0; i < t->ncpu && !known; i++)
		if (placed[i])
			known = &t->cpu[i];
	for (u32 i = 0; i < t->ncpu; i++) {
		struct topo_cpu *c = &t->cpu[i];

		if (placed[i]) {
			known = c;
			continue;
		}
		c->online = false;
		c->package = known->package;
		c->node = known->node;
		c->llc = known->llc;
		c->core = c->cluster = key(8, 0, c->os);
	}
}

static int build(struct lscpu *l, struct topo *t)
{
	u8 *placed = arena_alloc(l->arena, l->n);
	bool any = false;

	qsort(l->row, l->n, sizeof(*l->row), row_compare);
	t->cpu = arena_array(t->arena, struct topo_cpu, l->n);
	t->ncpu = l->n;
	for (u32 i = 0; i < l->n; i++) {
		const struct row *r = &l->row[i];

		if (i && r->os == r[-1].os)
			return fail_input(l->f, l->path, r->line, 1,
					  "CPU %u is given twice, expected once", r->os);
		placed[i] = r->core >= 0;
		any |= placed[i];
		cpu_from(l, r, &t->cpu[i]);
	}
	if (!any)
		return fail_input(l->f, l->path, 0, 0,
				  "no CPU has a core number, expected a column 'Core'");
	place_offline(t, placed);
	note_caches(l, t);
	for (u32 i = 0; i < t->ncpu; i++) {
		topo_node_add(t, t->cpu[i].node, 0);
		if (!topo_node_find(t, t->cpu[i].node))
			return fail_input(l->f, l->path, t->cpu[i].line, 1,
					  "more than %u nodes, expected fewer",
					  MACHINE_MAX_NODES);
	}
	return 0;
}

int topo_from_lscpu(struct topo *t, const char *path, char *text, size_t len,
		    const char **kind, struct failure *f)
{
	struct lscpu l = {.arena = t->arena, .path = path, .f = f};
	char *at = text + strspn(text, " \t\r\n");
	int rc;

	if (*at == '{')
		rc = json_read(&l, text, len, kind);
	else if (*at == '#' || !strncasecmp(at, "cpu ", 4))
		rc = text_read(&l, at, kind);
	else if (!strncmp(at, "Architecture:", 13))
		return fail_input(
			f, path, 1, 1,
			"the summary of 'lscpu' has no line for each CPU, " WANTED);
	else
		return fail_input(f, path, 1, 1, "not a text that is known, " WANTED);
	if (rc)
		return -1;
	if (!l.n || l.n > MACHINE_MAX_CPUS)
		return fail_input(f, path, 0, 0, "%u CPUs, expected 1 to %u", l.n,
				  MACHINE_MAX_CPUS);
	return build(&l, t);
}
