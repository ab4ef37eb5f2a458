/*
 * Declared metrics: what a workload file says is to be read off its counters, spans and
 * groups. Only declarations here; measure.c computes the values.
 */
#include "limits.h"
#include "resources.h"

#include <string.h>

/* What a metric may be, by its first key. */
static const struct {
	const char *key;
	enum metric_kind kind;
	bool higher_better;
	const char *unit; /* unless the file says otherwise */
} kinds[] = {
	{"rate", METRIC_RATE, true, "/s"},
	{"total", METRIC_TOTAL, true, ""},
	{"span", METRIC_SPAN, false, "us"},
	{"elapsed", METRIC_ELAPSED, false, "s"},
	{"share", METRIC_SHARE, true, "ratio"},
	{"cpu", METRIC_CPU, true, "s"},
	{"cgroup", METRIC_LIMIT, false, ""},
	{"", METRIC_RESOURCE, false, ""}, /* by its kind: resources.c */
};

static int not_found(struct compiler *c, const struct ynode *n, const char *what,
		     const char *const *names, u32 count)
{
	const char *near = nearest_name(n->text, names, count);

	if (near)
		return y_fail(n, c->f, "no %s '%.60s', expected '%s'?", what, n->text,
			      near);
	return y_fail(n, c->f, "no %s '%.60s', expected %s%s", what, n->text,
		      count ? "one such as " : "a program that has it",
		      count ? names[0] : "");
}

static int find_name(struct compiler *c, const struct ynode *n, const char *what,
		     const struct names *list, u32 *out)
{
	if (y_expect(n, Y_SCALAR, c->f))
		return -1;
	for (u32 i = 0; i < list->n; i++)
		if (!strcmp(list->name[i], n->text)) {
			*out = i;
			return 0;
		}
	return not_found(c, n, what, list->name, list->n);
}

static int find_group(struct compiler *c, const struct ynode *n, u32 *out)
{
	struct names list = {0};

	y_for_each (t, c->tasks)
		name_index(c, &list, t->key);
	return find_name(c, n, "task entry", &list, out);
}

static int time_unit(struct compiler *c, const struct ynode *n, struct metric *m)
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	static const u64 scale[] = {1, NS_PER_US, NS_PER_MS, NS_PER_SEC};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(m->decl.unit, names[i]))
			m->scale = scale[i];
	return n ? y_choice(n, names, ARRAY_SIZE(names), &i, c->f) : 0;
}

static int span_stat(struct compiler *c, const struct ynode *map, struct metric *m)
{
	static const char *const stats[] = {"mean", "max", "count"};
	static const enum span_stat which[] = {SPAN_MEAN, SPAN_MAX, SPAN_COUNT};
	const struct ynode *p = y_get(map, "percentile"), *s = y_get(map, "stat"),
			   *every = y_get(map, "every");
	u64 q;
	u32 i;

	if (!p == !s)
		return y_fail(map, c->f, "expected 'percentile' or 'stat' beside 'span'");
	if (every && s)
		return y_fail(every, c->f,
			      "'every' is for percentiles, expected 'percentile'");
	if (s) {
		if (y_choice(s, stats, ARRAY_SIZE(stats), &i, c->f))
			return -1;
		m->stat = which[i];
		return 0;
	}
	if (expr_get(&c->env, p, UNIT_RATIO, 0, 100 * Q32_ONE, &q))
		return -1;
	m->permyriad = (u32)((q * 100 + Q32_ONE / 2) >> 32);
	if (every &&
	    expr_get(&c->env, every, UNIT_TIME, NS_PER_MS, 3600 * NS_PER_SEC, &m->every))
		return -1;
	return 0;
}

static int share(struct compiler *c, const struct ynode *map, const struct ynode *unit,
		 struct metric *m)
{
	const struct ynode *of = y_get(map, "of");
	bool percent = unit && is_word(unit, "%");

	if (unit && !percent && !is_word(unit, "ratio"))
		return y_fail(unit, c->f, "'%.40s', expected ratio or %%", m->decl.unit);
	m->scale = percent ? 100 : 1;
	m->of = OF_CPUS;
	if (!of || is_word(of, "cpus"))
		return 0;
	m->of = OF_ALL;
	return is_word(of, "all") ? 0 : find_group(c, of, &m->of);
}

/* per: 1000000 makes Mbit of counted bits. */
static int counted(struct compiler *c, const struct ynode *map, const struct ynode *what,
		   struct metric *m)
{
	const struct ynode *per = y_get(map, "per");

	m->scale = 1;
	if (per && expr_get(&c->env, per, UNIT_COUNT, 1, UINT32_MAX, &m->scale))
		return -1;
	return find_name(c, what, "counter", &c->counters, &m->index);
}

/* {lock: NAME, stat: wait} */
static int resource(struct compiler *c, const struct ynode *map, const struct ynode *what,
		    struct metric *m)
{
	const struct resource_kind *k = &resource_kinds[m->index];
	const struct decls *list = resource_decls(&c->res, m->index);
	const struct ynode *stat = y_need(map, "stat", c->f);
	struct names names = {0};
	u32 i;

	for (i = 0; i < list->n; i++)
		name_index(c, &names, list->d[i]->name);
	if (find_name(c, what, k->what, &names, &m->of) || !stat ||
	    y_choice(stat, resource_stats, k->nstat, &i, c->f))
		return -1;
	m->resource_stat = i;
	m->scale = 1;
	if (i >= RES_WAIT) {
		if (!y_get(map, "unit"))
			m->decl.unit = "s";
		return time_unit(c, y_get(map, "unit"), m);
	}
	if (!y_get(map, "better"))
		m->decl.higher_better = i == RES_ACQUISITIONS;
	return 0;
}

static int by_kind(struct compiler *c, const struct ynode *map, const struct ynode *what,
		   const struct workload_plan *p, struct metric *m)
{
	const struct ynode *unit = y_get(map, "unit");
	bool yes;

	switch (m->kind) {
	case METRIC_RATE:
	case METRIC_TOTAL:
		return counted(c, map, what, m);
	case METRIC_SPAN:
		if (find_name(c, what, "span", &c->spans, &m->index) ||
		    span_stat(c, map, m))
			return -1;
		return m->stat == SPAN_COUNT ? 0 : time_unit(c, unit, m);
	case METRIC_ELAPSED:
		if (y_bool(what, &yes, c->f))
			return -1;
		if (!yes || !p->fixed_work)
			return y_fail(what, c->f,
				      "'elapsed' is for fixed work, expected "
				      "'elapsed: yes' beside 'fixed-work: yes'");
		return time_unit(c, unit, m);
	case METRIC_SHARE:
		return find_group(c, what, &m->index) ? -1 : share(c, map, unit, m);
	case METRIC_CPU:
		return find_group(c, what, &m->index) ? -1 : time_unit(c, unit, m);
	case METRIC_RESOURCE:
		return resource(c, map, what, m);
	case METRIC_LIMIT:
		return compile_limit_metric(c, map, what, m);
	}
	return -1;
}

static int check_metric_keys(struct compiler *c, const struct ynode *map,
			     enum metric_kind kind, const char *key)
{
	const char *const of_resource[] = {key, "stat", "unit", "better", NULL};
	static const char *const plain[] = {"elapsed", "cpu", "unit", "better", NULL};
	static const char *const counted[] = {"rate", "total",	"per",
					      "unit", "better", NULL};
	static const char *const span[] = {"span", "percentile", "stat", "every",
					   "unit", "better",	 NULL};
	static const char *const of[] = {"share", "of", "unit", "better", NULL};

	return y_check_keys(map,
			    kind == METRIC_SPAN				  ? span
			    : kind == METRIC_SHARE			  ? of
			    : kind == METRIC_RESOURCE			  ? of_resource
			    : kind == METRIC_LIMIT			  ? of_resource
			    : kind == METRIC_RATE || kind == METRIC_TOTAL ? counted
									  : plain,
			    c->f);
}

static int compile_metric(struct compiler *c, const struct ynode *map,
			  const struct workload_plan *p, struct metric *m)
{
	static const char *const sides[] = {"higher", "lower"};
	const struct ynode *what = NULL, *unit, *better;
	u32 found = 0, k = ARRAY_SIZE(kinds) - 1, side; /* the last: by its kind */

	if (y_expect(map, Y_MAP, c->f))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		if (y_get(map, kinds[i].key)) {
			what = y_get(map, kinds[i].key);
			k = i;
			found++;
		}
	for (u32 i = 0; i < resource_kind_count; i++)
		if (y_get(map, resource_kinds[i].what)) {
			what = y_get(map, resource_kinds[i].what);
			m->index = i;
			found++;
		}
	if (found != 1)
		return y_fail(map, c->f,
			      "metric '%s': expected one of 'rate', 'total', 'span', "
			      "'elapsed', 'share', 'cpu', 'cgroup', 'lock', 'line' and "
			      "their like",
			      map->key);
	m->kind = kinds[k].kind;
	if (check_metric_keys(c, map, m->kind, what->key))
		return -1;
	unit = y_get(map, "unit");
	better = y_get(map, "better");
	m->decl = (struct metric_decl){.name = arena_strdup(c->a, map->key),
				       .unit = kinds[k].unit,
				       .higher_better = kinds[k].higher_better};
	if (unit && y_str(unit, &m->decl.unit, c->f))
		return -1;
	m->decl.unit = arena_strdup(c->a, m->decl.unit);
	if (better && y_choice(better, sides, 2, &side, c->f))
		return -1;
	if (better)
		m->decl.higher_better = !side;
	return by_kind(c, map, what, p, m);
}

int compile_metrics(struct compiler *c, struct workload_plan *p)
{
	const struct workload *w = c->env.w;
	struct names list = {0};
	struct metric *m;
	u32 i = 0;

	if (!w->metrics)
		return fail_input(c->f, w->file, 1, 1, "no 'metrics', expected one");
	if (y_expect(w->metrics, Y_MAP, c->f))
		return -1;
	if (!w->metrics->n)
		return y_fail(w->metrics, c->f, "no metric, expected one");
	m = arena_array(c->a, struct metric, w->metrics->n);
	y_for_each (n, w->metrics) {
		if (y_get(w->metrics, n->key) != n)
			return y_fail_key(n, c->f, "metric '%s' is given twice", n->key);
		if (compile_metric(c, n, p, &m[i++]))
			return -1;
		name_index(c, &list, n->key);
	}
	p->metric = m;
	p->nmetric = i;
	return w->main ? find_name(c, w->main, "metric", &list, &p->main_metric) : 0;
}
